/* collective.c - running the collectives, and seeing that their results are right. */
#include "collective.h"

#include "fail.h"
#include "hnow_coll.h"

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

static const int64_t no_sizes[] = {0, -1};
static const int64_t usual_sizes[] = {8, 1024, 16000, 65536, 1048576, -1};
static const int64_t gather_sizes[] = {8, 1024, 65536, -1};

const struct collective collectives[] = {
    {"barrier", "nobody goes on before all are there", no_sizes, false, false, run_barrier},
    {"bcast", "from task 0 to all", usual_sizes, false, false, run_bcast},
    {"reduce", "sums at task 0", usual_sizes, true, false, run_reduce},
    {"allreduce", "sums at all tasks", usual_sizes, true, false, run_allreduce},
    {"allgather", "a piece of each task to all", gather_sizes, false, true, run_allgather},
    {"allgatherv", "the same, sizes and places as lists", gather_sizes, false, true,
     run_allgatherv},
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

/* Member r contributes the number r + 1 throughout. */
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

bool load_fill(struct load *load, const struct collective *c, int64_t bytes)
{
    size_t out = (size_t)bytes;

    load->bytes = (size_t)bytes;
    if ((c->gathers && __builtin_mul_overflow(load->bytes, (size_t)hn_size(), &out)) ||
        !reserve(&load->in, &load->room_in, load->bytes) ||
        !reserve(&load->out, &load->room_out, out) || (c->gathers && !place_pieces(load)))
        return fail("memory", "no room for the data of this operation: give smaller -bytes");
    memset(load->out, 0, out);
    fill(load->in, c, load->bytes, hn_rank() + 1);
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
    int n = hn_size();

    if (c->gathers) {
        for (int r = 0; r < n; r++)
            if (!is_filled(load->out + (size_t)r * load->bytes, c, load->bytes, r + 1))
                return false;
        return true;
    }
    if (c->run == run_reduce && hn_rank() != ROOT)
        return true;
    return is_filled(load->out, c, load->bytes, c->sums ? n * (n + 1) / 2 : ROOT + 1);
}

void load_free(struct load *load)
{
    free(load->in);
    free(load->out);
    free(load->counts);
    free(load->displs);
    *load = (struct load){0};
}
