/* ops.c - the collective operations of a peer, timed by hbench's own code; see ops.h. */
#include "ops.h"

#include "../fail.h"
#include "../single.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct operation {
    const char *name;
    int sums; /* it sums numbers */
    void (*run)(struct ops_data *d);
} operations[] = {
    {"barrier", 0, ops_barrier},     {"bcast", 0, ops_bcast},
    {"scatter", 0, ops_scatter},     {"gather", 0, ops_gather},
    {"reduce", 1, ops_reduce},       {"allreduce", 1, ops_allreduce},
    {"allgather", 0, ops_allgather}, {"allgatherv", 0, ops_allgatherv},
    {"alltoall", 0, ops_alltoall},   {"reduce_scatter", 1, ops_reduce_scatter},
    {"scan", 1, ops_scan},           {"exscan", 1, ops_exscan},
};

static const struct operation *operation_named(const char *name)
{
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    return NULL;
}

/* ---- a case ---- */

/* Doubles for sums, as in hbench; bytes for others. */
static bool fill(struct ops_data *d, const struct operation *o, int64_t bytes)
{
    size_t all = (size_t)bytes * (size_t)d->size + 1;

    d->doubles = o->sums && bytes % (int64_t)sizeof(double) == 0;
    d->count = (int)(d->doubles ? bytes / (int64_t)sizeof(double) : bytes);
    d->in = calloc(1, all);
    d->out = calloc(1, all);
    d->counts = calloc(2 * (size_t)d->size, sizeof *d->counts);
    for (int r = 0; d->counts && r < d->size; r++) {
        d->counts[r] = d->count;
        d->counts[d->size + r] = r * d->count;
    }
    return (d->in && d->out && d->counts) || fail("memory", "no room for the data");
}

struct task {
    const struct operation *operation;
    struct ops_data data;
};

static bool once(void *data)
{
    struct task *t = data;

    t->operation->run(&t->data);
    return true;
}

/* Rank 0: prints the samples after the first `warm` ones. */
static bool lead(struct single *s, struct task *t, int64_t bytes, int warm, int count)
{
    struct samples samples = {0};

    s->samples = &samples;
    bool good = single_lead(s, warm + count, once, t);
    for (int i = warm; good && i < warm + count; i++)
        printf("%s %lld %.9f\n", t->operation->name, (long long)bytes, samples.at[i]);
    samples_free(&samples);
    return good;
}

static bool run(struct single *s, struct task *t, const char *text)
{
    char name[16];
    long long bytes;
    int window, warm, count;

    if (sscanf(text, "%15[a-z_]:%lld:%d:%d:%d", name, &bytes, &window, &warm, &count) != 5 ||
        !(t->operation = operation_named(name)) || bytes < 0 || bytes > INT32_MAX)
        return true;
    /* The first call opens connections, which is not part of any operation. */
    bool good = fill(&t->data, t->operation, bytes) && once(t) &&
                (t->data.rank == 0 ? lead(s, t, bytes, warm, count) : single_follow(once, t));
    free(t->data.in);
    free(t->data.out);
    free(t->data.counts);
    return good;
}

bool ops_measure(int rank, int size, int argc, char **argv)
{
    struct single single = {.lead = 1000000};
    struct task t = {.data = {.rank = rank, .size = size}};
    bool good = rank == 0 ? common_clock_compare(&single.clock) : common_clock_answer();

    for (int i = 1; good && i < argc; i++)
        good = run(&single, &t, argv[i]);
    common_clock_free(&single.clock);
    return good;
}
