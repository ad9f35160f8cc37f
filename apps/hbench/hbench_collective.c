/* hbench_collective.c - runs collective operations and checks their results. Three things are
 * needed for an operation: how to call it (RUN), which buffers it has (flags), and what must be
 * in them afterwards (VALUE). From these the same code fills, runs and checks all of them. */
#include "hbench_collective.h"

#include "fail.h"
#include "lists.h"

#include <stdlib.h>
#include <string.h>

enum { ROOT = 0 };

/* ---- the table ---- */

static int run_barrier(struct load *load)
{
    (void)load;
    return hn_barrier(hn_world());
}

/* Runs hn_NAME() with these arguments and the world. */
#define RUN(name, ...)                                                                             \
    static int run_##name(struct load *l)                                                          \
    {                                                                                              \
        return hn_##name(__VA_ARGS__, hn_world());                                                 \
    }
/* Names and arguments are those of hnow_coll.h. */
RUN(bcast, l->out, l->bytes, HN_BYTE, ROOT)
RUN(scatter, l->in, l->bytes, l->out, HN_BYTE, ROOT)
RUN(gather, l->in, l->bytes, l->out, HN_BYTE, ROOT)
RUN(reduce, l->in, l->out, l->count, l->type, HN_SUM, ROOT)
RUN(allreduce, l->in, l->out, l->count, l->type, HN_SUM)
RUN(allgather, l->in, l->bytes, l->out, HN_BYTE)
RUN(allgatherv, l->in, l->out, l->counts, l->displs, HN_BYTE)
RUN(alltoall, l->in, l->bytes, l->out, HN_BYTE)
RUN(reduce_scatter_block, l->in, l->out, l->count, l->type, HN_SUM)
RUN(scan, l->in, l->out, l->count, l->type, HN_SUM)
RUN(exscan, l->in, l->out, l->count, l->type, HN_SUM)

static int run_multimulticast(struct load *load)
{
    return hn_multimulticast(load->messages, hn_size(), HN_BYTE, hn_world());
}

/* ---- expected results ---- */

/* The sum of the contributions of ranks 0 to `rank`: each contributes its rank + 1, so none is
 * 0. */
static int up_to(int rank)
{
    return (rank + 1) * (rank + 2) / 2;
}

/* struct collective.value */
#define VALUE(name, number)                                                                        \
    static int value_##name(int rank, int piece, int n)                                            \
    {                                                                                              \
        (void)rank, (void)piece, (void)n;                                                          \
        return number;                                                                             \
    }
/* A task's contribution is its rank + 1; see struct collective. */
VALUE(bcast, ROOT + 1)
VALUE(total, up_to(n - 1))
VALUE(total_at_root, rank == ROOT ? up_to(n - 1) : COLLECTIVE_NOTHING)
VALUE(pieces, piece + 1)
VALUE(pieces_at_root, rank == ROOT ? piece + 1 : COLLECTIVE_NOTHING)
VALUE(lists, lists_reach(piece, rank) ? piece + 1 : COLLECTIVE_NOTHING)
VALUE(own, rank + 1)
VALUE(scan, up_to(rank))
VALUE(exscan, rank > 0 ? up_to(rank - 1) : COLLECTIVE_NOTHING)

/* Sizes are those of each piece; operations with a piece for each task need n times as much. */
static const int64_t no_sizes[] = {0, -1};
static const int64_t usual_sizes[] = {8, 1024, 16000, 65536, 1048576, -1};
static const int64_t piece_sizes[] = {8, 1024, 65536, -1};

const struct collective collectives[] = {
    {"barrier", "returns when all tasks have called it", no_sizes, 0, run_barrier, value_bcast},
    {"bcast", "from task 0 to all", usual_sizes, COLLECTIVE_IN_OUT, run_bcast, value_bcast},
    {"scatter", "a piece from task 0 to each", piece_sizes, COLLECTIVE_DEALS | COLLECTIVE_NUMBERED,
     run_scatter, value_own},
    {"gather", "a piece of each task to task 0", piece_sizes, COLLECTIVE_GATHERS, run_gather,
     value_pieces_at_root},
    {"reduce", "sums at task 0", usual_sizes, COLLECTIVE_SUMS, run_reduce, value_total_at_root},
    {"allreduce", "sums at all tasks", usual_sizes, COLLECTIVE_SUMS, run_allreduce, value_total},
    {"allgather", "a piece of each task to all", piece_sizes, COLLECTIVE_GATHERS, run_allgather,
     value_pieces},
    {"allgatherv", "allgather with counts and offsets", piece_sizes, COLLECTIVE_GATHERS,
     run_allgatherv, value_pieces},
    {"alltoall", "a piece from each task to each", piece_sizes,
     COLLECTIVE_DEALS | COLLECTIVE_GATHERS, run_alltoall, value_pieces},
    {"multimulticast", "from each task to half of the others, drawn at random", piece_sizes,
     COLLECTIVE_GATHERS | COLLECTIVE_LISTS, run_multimulticast, value_lists},
    {"reduce_scatter", "sums, a piece at each task", piece_sizes,
     COLLECTIVE_SUMS | COLLECTIVE_DEALS, run_reduce_scatter_block, value_total},
    {"scan", "sums over the ranks up to the own", usual_sizes, COLLECTIVE_SUMS, run_scan,
     value_scan},
    {"exscan", "sums over the ranks below the own", usual_sizes, COLLECTIVE_SUMS, run_exscan,
     value_exscan},
};
const int collective_count = sizeof collectives / sizeof collectives[0];

/* Linear: the table is short, and names are looked up once. */
const struct collective *collective_named(const char *name)
{
    for (int i = 0; i < collective_count; i++)
        if (strcmp(collectives[i].name, name) == 0)
            return &collectives[i];
    return NULL;
}

/* Sums are of doubles where the size is a multiple of 8, else of bytes.  The plans may cut data
 * only between elements, hence the type matters for their speed. */
void collective_elements(const struct collective *c, int64_t bytes, size_t *count, hn_type *type)
{
    bool sums = c->flags & COLLECTIVE_SUMS, doubles = sums && bytes % (int64_t)sizeof(double) == 0;

    *type = doubles ? HN_DOUBLE : sums ? HN_UINT8 : HN_BYTE;
    /* Bytes need no type of their own: HN_UINT8 can be summed, HN_BYTE cannot. */
    *count = (size_t)bytes / (doubles ? sizeof(double) : 1);
}

/* ---- the data ---- */

/* Makes room for at least `bytes`.  The old contents are lost.  One byte more is allocated, so that
 * a size of 0 does not yield NULL. */
static bool reserve(char **data, size_t *room, size_t bytes)
{
    if (bytes <= *room && *data)
        return true;
    /* Not realloc(): old contents need no copy. */
    free(*data);
    *room = bytes;
    *data = malloc(bytes + 1);
    return *data != NULL;
}

/* All elements of a piece are equal, so that a check is a comparison with one number.  Pieces
 * differ, so a piece in a wrong place is found. */
static void fill(char *data, const struct load *load, int number)
{
    double *numbers = (double *)data;

    /* The number is cut to a byte, on both sides of the comparison. */
    if (load->type != HN_DOUBLE)
        memset(data, number, load->bytes);
    else
        for (size_t i = 0; i < load->count; i++)
            numbers[i] = number;
}

/* The pieces of the variants with counts and offsets, all equal and without gaps. */
static bool place_pieces(struct load *load)
{
    size_t n = (size_t)hn_size();

    if (!load->counts)
        load->counts = calloc(n, sizeof *load->counts);
    if (!load->displs)
        load->displs = calloc(n, sizeof *load->displs);
    /* Set again for each size; the arrays stay. */
    for (size_t r = 0; load->counts && load->displs && r < n; r++) {
        load->counts[r] = load->bytes;
        load->displs[r] = r * load->bytes;
    }
    return load->counts && load->displs;
}

/* The size of a buffer: of all pieces, or of one. */
static bool size_of(const struct load *load, bool pieces, size_t *size)
{
    /* Users choose sizes, and jobs may be large. */
    return !__builtin_mul_overflow(load->bytes, pieces ? (size_t)hn_size() : 1, size);
}

/* Sets each task's message, and the buffers for those that it receives. */
static bool place_messages(struct load *load)
{
    load->messages = lists_new(hn_size(), load->bytes);
    /* A task's own message is its input; its place in `out` stays unused. */
    for (int r = 0; load->messages && r < hn_size(); r++)
        load->messages[r].data = r == hn_rank() ? load->in : load->out + (size_t)r * load->bytes;
    return load->messages;
}

/* Prepares input and expected output for one size.  Buffers only grow. */
bool load_fill(struct load *load, const struct collective *c, int64_t bytes)
{
    int pieces = c->flags & COLLECTIVE_DEALS ? hn_size() : 1;
    size_t in, out;

    load->bytes = (size_t)bytes;
    collective_elements(c, bytes, &load->count, &load->type);
    /* They depend on the size and refer to the buffers, which may move below. */
    free(load->messages);
    load->messages = NULL;
    if (!size_of(load, c->flags & COLLECTIVE_DEALS, &in) ||
        !size_of(load, c->flags & COLLECTIVE_GATHERS, &out) ||
        !reserve(&load->in, &load->room_in, in) || !reserve(&load->out, &load->room_out, out) ||
        (c->flags & COLLECTIVE_GATHERS && !place_pieces(load)) ||
        (c->flags & COLLECTIVE_LISTS && !place_messages(load)))
        return fail("memory", "no room for the data of this operation: give smaller -bytes");
    /* Old results would hide an operation that does nothing. */
    memset(load->out, 0, out);
    for (int piece = 0; piece < pieces; piece++)
        fill(load->in + (size_t)piece * load->bytes, load,
             (c->flags & COLLECTIVE_NUMBERED ? piece : hn_rank()) + 1);
    /* In a broadcast the root's data are in the buffer of the results. */
    if (c->flags & COLLECTIVE_IN_OUT && hn_rank() == ROOT)
        fill(load->out, load, ROOT + 1);
    return true;
}

/* True if all data have this value. */
static bool is_filled(const char *data, const struct load *load, int number)
{
    const double *numbers = (const double *)data;

    /* Sums of small integers are exact in doubles, and modulo 256 in bytes. */
    for (size_t i = 0; i < load->count; i++)
        if (load->type == HN_DOUBLE ? numbers[i] != number : data[i] != (char)number)
            return false;
    return true;
}

/* Only the positions that an operation defines are compared; COLLECTIVE_NOTHING marks the others.
 */
bool load_is_correct(const struct load *load, const struct collective *c)
{
    for (int piece = 0; piece < (c->flags & COLLECTIVE_GATHERS ? hn_size() : 1); piece++) {
        /* Computed from rank, piece and number of tasks alone. */
        int number = c->value(hn_rank(), piece, hn_size());
        if (number != COLLECTIVE_NOTHING &&
            !is_filled(load->out + (size_t)piece * load->bytes, load, number))
            return false;
    }
    return true;
}

void load_free(struct load *load)
{
    free(load->in);
    free(load->out);
    free(load->counts);
    free(load->displs);
    free(load->messages);
    *load = (struct load){0};
}
