/* hbench_collective.c - running the collectives, and seeing that their results are right. */
#include "hbench_collective.h"

#include "fail.h"
#include "hnow_coll.h"
#include "lists.h"

#include <stdlib.h>
#include <string.h>

enum { ROOT = 0 };

/* ---- the table ---- */

static void elements(const struct load *load, size_t *count, hn_type *type)
{
    bool doubles = load->bytes % sizeof(double) == 0;

    *type = doubles ? HN_DOUBLE : HN_UINT8;
    *count = doubles ? load->bytes / sizeof(double) : load->bytes;
}

static int run_barrier(struct load *load)
{
    (void)load;
    return hn_barrier(hn_world());
}

static int run_bcast(struct load *load)
{
    return hn_bcast(load->out, load->bytes, HN_BYTE, ROOT, hn_world());
}

static int run_reduce(struct load *load)
{
    size_t count;
    hn_type type;

    elements(load, &count, &type);
    return hn_reduce(load->in, load->out, count, type, HN_SUM, ROOT, hn_world());
}

static int run_allreduce(struct load *load)
{
    size_t count;
    hn_type type;

    elements(load, &count, &type);
    return hn_allreduce(load->in, load->out, count, type, HN_SUM, hn_world());
}

static int run_allgather(struct load *load)
{
    return hn_allgather(load->in, load->bytes, load->out, HN_BYTE, hn_world());
}

static int run_allgatherv(struct load *load)
{
    return hn_allgatherv(load->in, load->out, load->counts, load->displs, HN_BYTE, hn_world());
}

static int run_scatter(struct load *load)
{
    return hn_scatter(load->in, load->bytes, load->out, HN_BYTE, ROOT, hn_world());
}

static int run_gather(struct load *load)
{
    return hn_gather(load->in, load->bytes, load->out, HN_BYTE, ROOT, hn_world());
}

static int run_alltoall(struct load *load)
{
    return hn_alltoall(load->in, load->bytes, load->out, HN_BYTE, hn_world());
}

static int run_multimulticast(struct load *load)
{
    return hn_multimulticast(load->messages, hn_size(), HN_BYTE, hn_world());
}

static int run_reduce_scatter(struct load *load)
{
    size_t count;
    hn_type type;

    elements(load, &count, &type);
    return hn_reduce_scatter_block(load->in, load->out, count, type, HN_SUM, hn_world());
}

static int run_scan(struct load *load)
{
    size_t count;
    hn_type type;

    elements(load, &count, &type);
    return hn_scan(load->in, load->out, count, type, HN_SUM, hn_world());
}

static int run_exscan(struct load *load)
{
    size_t count;
    hn_type type;

    elements(load, &count, &type);
    return hn_exscan(load->in, load->out, count, type, HN_SUM, hn_world());
}

/* ---- what comes out ---- */

static int up_to(int rank)
{
    return (rank + 1) * (rank + 2) / 2;
}

static int right_bcast(int rank, int piece, int n)
{
    (void)rank, (void)piece, (void)n;
    return ROOT + 1;
}

static int right_total(int rank, int piece, int n)
{
    (void)rank, (void)piece;
    return up_to(n - 1);
}

static int right_total_at_root(int rank, int piece, int n)
{
    return rank == ROOT ? right_total(rank, piece, n) : COLLECTIVE_NOTHING;
}

static int right_pieces(int rank, int piece, int n)
{
    (void)rank, (void)n;
    return piece + 1;
}

static int right_pieces_at_root(int rank, int piece, int n)
{
    return rank == ROOT ? right_pieces(rank, piece, n) : COLLECTIVE_NOTHING;
}

static int right_lists(int rank, int piece, int n)
{
    (void)n;
    return lists_reach(piece, rank) ? piece + 1 : COLLECTIVE_NOTHING;
}

static int right_own(int rank, int piece, int n)
{
    (void)piece, (void)n;
    return rank + 1;
}

static int right_scan(int rank, int piece, int n)
{
    (void)piece, (void)n;
    return up_to(rank);
}

static int right_exscan(int rank, int piece, int n)
{
    (void)piece, (void)n;
    return rank > 0 ? up_to(rank - 1) : COLLECTIVE_NOTHING;
}

static const int64_t no_sizes[] = {0, -1};
static const int64_t usual_sizes[] = {8, 1024, 16000, 65536, 1048576, -1};
static const int64_t piece_sizes[] = {8, 1024, 65536, -1};

const struct collective collectives[] = {
    {"barrier", "nobody goes on before all are there", no_sizes, false, false, false, run_barrier,
     right_bcast},
    {"bcast", "from task 0 to all", usual_sizes, false, false, false, run_bcast, right_bcast},
    {"scatter", "a piece from task 0 to each", piece_sizes, false, true, false, run_scatter,
     right_own},
    {"gather", "a piece of each task to task 0", piece_sizes, false, false, true, run_gather,
     right_pieces_at_root},
    {"reduce", "sums at task 0", usual_sizes, true, false, false, run_reduce, right_total_at_root},
    {"allreduce", "sums at all tasks", usual_sizes, true, false, false, run_allreduce, right_total},
    {"allgather", "a piece of each task to all", piece_sizes, false, false, true, run_allgather,
     right_pieces},
    {"allgatherv", "the same, sizes and places as lists", piece_sizes, false, false, true,
     run_allgatherv, right_pieces},
    {"alltoall", "a piece from each task to each", piece_sizes, false, true, true, run_alltoall,
     right_pieces},
    {"multimulticast", "from each task to half of the others, drawn at random", piece_sizes, false,
     false, true, run_multimulticast, right_lists},
    {"reduce_scatter", "sums, a piece at each task", piece_sizes, true, true, false,
     run_reduce_scatter, right_total},
    {"scan", "sums over the ranks up to one's own", usual_sizes, true, false, false, run_scan,
     right_scan},
    {"exscan", "the same without one's own", usual_sizes, true, false, false, run_exscan,
     right_exscan},
};
const int collective_count = sizeof collectives / sizeof collectives[0];

const struct collective *collective_named(const char *name)
{
    for (int i = 0; i < collective_count; i++)
        if (strcmp(collectives[i].name, name) == 0)
            return &collectives[i];
    return NULL;
}

void collective_elements(const struct collective *c, int64_t bytes, size_t *count, hn_type *type)
{
    struct load load = {.bytes = (size_t)bytes};

    *count = load.bytes;
    *type = HN_BYTE;
    if (c->sums)
        elements(&load, count, type);
}

/* ---- the data ---- */

static bool reserve(char **data, size_t *room, size_t bytes)
{
    if (bytes <= *room && *data)
        return true;
    free(*data);
    *room = bytes;
    *data = malloc(bytes + 1);
    return *data != NULL;
}

static void fill(char *data, const struct collective *c, size_t bytes, int number)
{
    double *numbers = (double *)data;
    size_t count;
    hn_type type;

    collective_elements(c, (int64_t)bytes, &count, &type);
    if (type != HN_DOUBLE)
        memset(data, number, bytes);
    else
        for (size_t i = 0; i < count; i++)
            numbers[i] = number;
}

static bool place_pieces(struct load *load)
{
    size_t n = (size_t)hn_size();

    if (!load->counts)
        load->counts = calloc(n, sizeof *load->counts);
    if (!load->displs)
        load->displs = calloc(n, sizeof *load->displs);
    for (size_t r = 0; load->counts && load->displs && r < n; r++) {
        load->counts[r] = load->bytes;
        load->displs[r] = r * load->bytes;
    }
    return load->counts && load->displs;
}

/* The size of a buffer: of all pieces, or of one. */
static bool size_of(const struct load *load, bool pieces, size_t *size)
{
    return !__builtin_mul_overflow(load->bytes, pieces ? (size_t)hn_size() : 1, size);
}

/* What each task sends, and where what it gets comes to stand. */
static bool place_messages(struct load *load)
{
    load->messages = lists_new(hn_size(), load->bytes);
    for (int r = 0; load->messages && r < hn_size(); r++)
        load->messages[r].data = r == hn_rank() ? load->in : load->out + (size_t)r * load->bytes;
    return load->messages;
}

bool collective_has_lists(const struct collective *c)
{
    return c->run == run_multimulticast;
}

bool load_fill(struct load *load, const struct collective *c, int64_t bytes)
{
    bool scatter = c->run == run_scatter;
    size_t in, out;

    load->bytes = (size_t)bytes;
    lists_free(load->messages);
    load->messages = NULL;
    if (!size_of(load, c->deals, &in) || !size_of(load, c->gathers, &out) ||
        !reserve(&load->in, &load->room_in, in) || !reserve(&load->out, &load->room_out, out) ||
        (c->gathers && !place_pieces(load)) || (collective_has_lists(c) && !place_messages(load)))
        return fail("memory", "no room for the data of this operation: give smaller -bytes");
    memset(load->out, 0, out);
    for (int piece = 0; piece < (c->deals ? hn_size() : 1); piece++)
        fill(load->in + (size_t)piece * load->bytes, c, load->bytes,
             (scatter ? piece : hn_rank()) + 1);
    if (c->run == run_bcast && hn_rank() == ROOT)
        fill(load->out, c, load->bytes, ROOT + 1);
    return true;
}

/* Whether the data are this number throughout. */
static bool is_filled(const char *data, const struct collective *c, size_t bytes, int number)
{
    const double *numbers = (const double *)data;
    size_t count;
    hn_type type;

    collective_elements(c, (int64_t)bytes, &count, &type);
    for (size_t i = 0; i < count; i++)
        if (type == HN_DOUBLE ? numbers[i] != number : data[i] != (char)number)
            return false;
    return true;
}

bool load_right(const struct load *load, const struct collective *c)
{
    for (int piece = 0; piece < (c->gathers ? hn_size() : 1); piece++) {
        int number = c->right(hn_rank(), piece, hn_size());
        if (number != COLLECTIVE_NOTHING &&
            !is_filled(load->out + (size_t)piece * load->bytes, c, load->bytes, number))
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
    lists_free(load->messages);
    *load = (struct load){0};
}
