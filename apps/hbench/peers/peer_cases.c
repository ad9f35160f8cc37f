/* peer_cases.c - the cases of a peer, timed by hbench's own code; see peer_cases.h.
 * One process runs all cases of its command line in their order. Each process knows the whole
 * list, so no orders are exchanged: the collective operations and loops themselves keep the
 * processes together. Output is rank 0's alone. */
#include "peer_cases.h"

#include "../fail.h"
#include "../single.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The names are those of hbench's benchmarks. multimulticast is missing: no peer has it. */
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

/* NULL: not an operation, hence a case of messages. */
static const struct operation *operation_named(const char *name)
{
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    return NULL;
}

/* ---- a case ---- */

/* A case as it is written in the command line. */
struct given_case {
    char name[16];
    long long bytes;
    /* Messages in a window; discarded samples; samples that are printed. */
    int window, warm, count;
};

/* State of this process. */
struct task {
    /* Of the present case. */
    const struct operation *operation;
    struct ops_data data;
    struct single single;
    bool compared; /* the clocks were, which operations need */
};

/* Rank 0: prints the samples but the first `warm` ones. */
static void print_samples(const struct given_case *c, const struct samples *samples, int warm)
{
    /* Nanoseconds: times are in seconds with nine digits. */
    for (size_t i = (size_t)warm; i < samples->count; i++)
        printf("%s %lld %.9f\n", c->name, c->bytes, samples->at[i]);
}

/* ---- messages ---- */

/* Memory that has been written, as in hbench: the kernel maps untouched memory to one zero page,
 * which would be copied from the nearest cache. */
static char *written(size_t bytes)
{
    char *data = malloc(bytes + 1);

    return data ? memset(data, 1, bytes + 1) : NULL;
}

/* A case of two processes, by the loops that hbench itself uses (pingpong.h). */
static bool run_messages(struct task *t, const struct given_case *c)
{
    const struct pingpong p = {strcmp(c->name, "latency") == 0, (size_t)c->bytes, c->window,
                               c->warm, c->count};
    struct pair pair = {1 - t->data.rank, written(p.bytes), written(p.bytes)};
    struct samples samples = {0};
    /* Only rank 0 needs room for samples, but both take the same path. */
    bool good = pair.out && pair.in && samples_reserve(&samples, (size_t)c->count);

    if (!good)
        fail("memory", "no room for the messages");
    else if (t->data.rank == 0)
        good = pingpong_lead(&peer_wire, &pair, &p, &samples);
    else
        good = pingpong_follow(&peer_wire, &pair, &p);
    /* pingpong_lead() has dropped the warm-up already. Rank 1 has no samples. */
    print_samples(c, &samples, 0);
    samples_free(&samples);
    free(pair.out);
    free(pair.in);
    return good;
}

/* ---- operations ---- */

/* Doubles for sums, as in hbench; bytes for others. */
static bool fill(struct ops_data *d, const struct operation *o, int64_t bytes)
{
    /* Room for a piece of each process, whatever the operation needs. Contents do not matter:
     * peers' results are not checked. */
    size_t all = (size_t)bytes * (size_t)d->size + 1;

    d->doubles = o->sums && bytes % (int64_t)sizeof(double) == 0;
    d->count = (int)(d->doubles ? bytes / (int64_t)sizeof(double) : bytes);
    d->in = calloc(1, all);
    d->out = calloc(1, all);
    d->counts = calloc(2 * (size_t)d->size, sizeof *d->counts);
    for (int r = 0; d->counts && r < d->size; r++) {
        d->counts[r] = d->count;
        /* Displacements follow the counts: equal pieces without gaps. */
        d->counts[d->size + r] = r * d->count;
    }
    return (d->in && d->out && d->counts) || fail("memory", "no room for the data");
}

/* In the form that single.h calls. Peers end the process themselves after an error. */
static bool once(void *data)
{
    struct task *t = data;

    t->operation->run(&t->data);
    return true;
}

/* Once for all cases of the command line. */
static bool compare_clocks(struct task *t)
{
    if (t->compared)
        return true;
    /* Drift during a round is not corrected, as rounds of peers are short. */
    t->compared = true;
    return t->data.rank == 0 ? common_clock_compare(&t->single.clock) : common_clock_answer();
}

/* A case of all processes (single.h). */
static bool run_operation(struct task *t, const struct given_case *c)
{
    struct samples samples = {0};

    t->single.samples = &samples;
    /* the first call opens connections, which is not part of any operation */
    bool good = compare_clocks(t) && fill(&t->data, t->operation, c->bytes) && once(t) &&
                (t->data.rank == 0 ? single_lead(&t->single, c->warm + c->count, once, t)
                                   : single_follow(once, t));
    if (good)
        /* single_lead() keeps all samples, so the first ones are skipped here. */
        print_samples(c, &samples, c->warm);
    samples_free(&samples);
    free(t->data.in);
    free(t->data.out);
    free(t->data.counts);
    t->data.in = t->data.out = t->data.counts = NULL;
    return good;
}

/* ---- the command line ---- */

/* One word of the command line.  A word that is no case is ignored.
 */
static bool run(struct task *t, const char *text)
{
    struct given_case c;

    if (sscanf(text, "%15[a-z_0-9]:%lld:%d:%d:%d", c.name, &c.bytes, &c.window, &c.warm,
               &c.count) != 5 ||
        c.bytes < 0 || c.bytes > INT32_MAX)
        return true;
    t->operation = operation_named(c.name);
    if (t->operation)
        return run_operation(t, &c);
    /* A latency or stream has exactly two processes. */
    if (t->data.size != 2 || c.window < 1 || c.window > PINGPONG_WINDOW)
        return fail(c.name, "two processes and a window are needed");
    return run_messages(t, &c);
}

bool peer_measure_all(int rank, int size, int argc, char **argv)
{
    /* 1 ms: the first lead, which single.c adapts. */
    struct task t = {.data = {.rank = rank, .size = size}, .single.lead = 1000000};
    bool good = true;

    /* An error ends all cases: the other processes would wait in the next one. */
    for (int i = 1; good && i < argc; i++)
        good = run(&t, argv[i]);
    common_clock_free(&t.single.clock);
    return good;
}
