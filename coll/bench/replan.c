/* replan.c - after a change, the plan (or schedule) made from the old one against one made from
 * scratch: how much later it ends, and how much sooner it is there. */
#include "bench.h"

#include "../auto.h"
#include "../exchange.h"
#include "../exchange/heuristics.h"
#include "../multicast/algorithms.h"
#include "../replan.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS = 3, HOSTS_MOST = 65 };

enum change { LINK, HOST, SIZE, GONE, NEW, CHANGES };
static const char *const change_names[] = {"a link", "a host", "the size", "a host less",
                                           "a host more"};

struct result {
    double ratio, worst, kept, scratch, repair; /* sums, and the worst ratio */
};

static void heading(FILE *file)
{
    fprintf(file,
            "Plans after a change: repaired against made from scratch\n"
            "%-14s %-12s %4s %9s %9s %9s %9s %11s %11s %7s\n",
            "operation", "changed", "n", "bytes", "old kept", "ratio", "worst", "scratch (s)",
            "repair (s)", "faster");
}

static void print(FILE *file, const char *what, const char *change, int n, int64_t bytes,
                  const struct result *r)
{
    fprintf(file, "%-14s %-12s %4d %9lld ", what, change, n, (long long)bytes);
    if (r->kept > 0)
        fprintf(file, "%9.4f", r->kept / RUNS);
    else
        fprintf(file, "%9s", "-");
    fprintf(file, " %9.4f %9.4f %11.5f %11.5f %6.0fx\n", r->ratio / RUNS, r->worst,
            r->scratch / RUNS, r->repair / RUNS, r->scratch / r->repair);
    fflush(file);
}

static void note(struct result *r, hn_time kept, hn_time again, hn_time fresh)
{
    double ratio = (double)again / (double)fresh;
    r->ratio += ratio;
    r->kept += (double)kept / (double)fresh;
    r->worst = ratio > r->worst ? ratio : r->worst;
}

/* ---- plans -------------------------------------------------------------------------------------
 */

/* Every pair with a latency and a rate of its own. */
static hn_net *draw_net(int hosts, uint64_t *state)
{
    hn_net *net = hn_net_new(hosts);
    for (int h = 0; net && h < hosts; h++) {
        hn_time start = (80 + bench_below(state, 321)) * 1000000;
        hn_net_set_host(net, h,
                        &(hn_host_cost){.send_const = start,
                                        .send_per_byte = 5000000,
                                        .recv_const = start / 2,
                                        .recv_per_byte = 5000000,
                                        .recv_gap = 8000000});
    }
    for (int i = 0; net && i < hosts; i++)
        for (int k = 0; k < hosts; k++)
            if (i != k)
                hn_net_set_pair(net, i, k,
                                (hn_pair_cost){(50 + bench_below(state, 1000)) * 1000000,
                                               8000000 << bench_below(state, 5)});
    return net;
}

/* The group that is planned for: ranks on the hosts of a network, all but its last host. */
struct scene {
    hn_net *net;
    struct request req;
    struct model model;
    int host[HOSTS_MOST], now[HOSTS_MOST];
    bool moved; /* whether now[] matters */
};

/* A random link ten times slower, a random host five times, four times the data; a random host that
 * is not the root leaves, the last one comes. */
static void apply(struct scene *s, enum change change, uint64_t *state)
{
    int n = s->req.ranks, a = 1 + (int)bench_below(state, n - 1),
        b = (a + 1 + (int)bench_below(state, n - 1)) % n;
    for (int rank = 0; rank < n; rank++)
        s->now[rank] = rank;
    if (change == LINK) {
        hn_pair_cost cost = hn_net_pair(s->net, a, b);
        hn_net_set_pair(s->net, a, b, (hn_pair_cost){10 * cost.latency, 10 * cost.per_byte});
    } else if (change == HOST) {
        hn_host_cost cost = *hn_net_host(s->net, a);
        cost.send_const *= 5;
        cost.recv_const *= 5;
        cost.send_per_byte *= 5;
        cost.recv_per_byte *= 5;
        hn_net_set_host(s->net, a, &cost);
    } else if (change == SIZE) {
        s->req.bytes *= 4;
    } else if (change == GONE) {
        for (int rank = a; rank < n; rank++) {
            s->host[rank] = s->host[rank + 1];
            s->now[rank] = rank > a ? rank - 1 : -1;
        }
        s->req.ranks--;
    } else {
        s->req.ranks++;
    }
    s->moved = change >= GONE;
    s->model.ranks = s->req.ranks;
}

/* The time of the old plan with the costs of today; 0: the members are others. */
static hn_time kept_time(const struct scene *s, const struct plan *old)
{
    struct timing timing;
    hn_time time = 0;
    if (!s->moved && s->req.bytes * s->req.ranks > 0 && plan_simulate(old, &s->model, &timing) == 0)
        time = timing.makespan;
    timing_free(&timing);
    return time;
}

/* The plan from scratch after a change, and one from the old plan, which was made before. */
static int compare(struct scene *s, enum change change, const struct plan *made,
                   const struct choice *choice, uint64_t *state, struct result *result)
{
    struct choice chosen;
    struct plan *fresh = NULL, *repaired = NULL;
    struct timing timing = {0}, again = {0};
    apply(s, change, state);
    struct old_plan old = {*choice, made, s->moved ? s->now : NULL};
    double begin = bench_clock();
    int error = planner_best(&s->req, &s->model, NULL, &chosen, &fresh, &timing);
    double middle = bench_clock();
    if (!error)
        error = replan(&old, &s->req, &s->model, &chosen, &repaired, &again);
    double end = bench_clock();
    if (!error) {
        note(result, change == SIZE || s->moved ? 0 : kept_time(s, made), again.makespan,
             timing.makespan);
        result->scratch += middle - begin;
        result->repair += end - middle;
    }
    plan_free(fresh);
    plan_free(repaired);
    timing_free(&timing);
    timing_free(&again);
    return error;
}

/* n ranks on a network drawn from `seed`; hn_net_free(s->net). */
static int set_scene(struct scene *s, enum operation op, int n, int64_t bytes, uint64_t *seed)
{
    *s = (struct scene){.net = draw_net(n + 1, seed),
                        .req = {.op = op, .ranks = n, .bytes = bytes, .grain = 1}};
    for (int rank = 0; rank <= n; rank++)
        s->host[rank] = rank;
    if (s->net)
        model_of_net(&s->model, s->net, s->host, n, PORT_MEDIA);
    return s->net ? HN_OK : HN_ENOMEM;
}

/* All changes to one network; the next one is drawn from what becomes of `seed`. */
static int compare_changes(enum operation op, int n, int64_t bytes, uint64_t *seed,
                           struct result results[CHANGES])
{
    struct scene s;
    struct choice choice;
    struct plan *made = NULL;
    uint64_t next = *seed;
    int error = set_scene(&s, op, n, bytes, &next);
    if (!error)
        error = planner_best(&s.req, &s.model, NULL, &choice, &made, NULL);
    hn_net_free(s.net);
    for (int change = 0; change < CHANGES && !error; change++) {
        uint64_t state = *seed;
        error = set_scene(&s, op, n, bytes, &state);
        if (!error)
            error = compare(&s, (enum change)change, made, &choice, &state, &results[change]);
        hn_net_free(s.net);
    }
    plan_free(made);
    *seed = next;
    return error;
}

static int compare_plans(FILE *file, enum operation op, int n, int64_t bytes)
{
    struct result results[CHANGES] = {{0}};
    uint64_t seed = 1;
    for (int run = 0; run < RUNS; run++) {
        int error = compare_changes(op, n, bytes, &seed, results);
        if (error)
            return error;
    }
    for (int change = 0; change < CHANGES; change++)
        print(file, operation_name(op), change_names[change], n, bytes, &results[change]);
    return HN_OK;
}

/* ---- multiple multicast ------------------------------------------------------------------------
 */

struct messages {
    struct multicast_message *message;
    bool *wants;
    int count, nodes;
};

/* A random node five times slower (HOST), a message four times as long, a destination less or more.
 */
static void change_messages(struct messages *m, struct table *table, enum change change,
                            uint64_t *state)
{
    int k = (int)bench_below(state, m->count), n = m->nodes;
    int i = (m->message[k].source + 1 + (int)bench_below(state, n - 1)) % n;
    if (change == HOST)
        for (int other = 0; other < n; other++) {
            table->constant[TABLE_SEND][i * n + other] *= 5;
            table->per_byte[TABLE_SEND][i * n + other] *= 5;
        }
    else if (change == SIZE)
        m->message[k].bytes *= 4;
    else
        m->wants[k * n + i] = change == NEW;
}

static int schedule(const struct messages *s, const struct model *model, struct multicast *m)
{
    int error = multicast_begin(m, model, s->message, s->count);
    return error ? error : multicast_search(m);
}

static int compare_schedules(struct messages *s, struct table *table, enum change change,
                             uint64_t *state, struct result *result)
{
    struct model model;
    struct multicast old, fresh = {0}, again = {0};
    model_of_table(&model, table, PORT_NONBLOCKING);
    int error = schedule(s, &model, &old);
    change_messages(s, table, change, state);
    double begin = bench_clock();
    if (!error)
        error = schedule(s, &model, &fresh);
    double middle = bench_clock();
    if (!error)
        error = multicast_begin(&again, &model, s->message, s->count);
    if (!error)
        error = multicast_repair(&again, old.order, old.decision_count);
    if (!error)
        note(result, 0, again.makespan, fresh.makespan);
    result->scratch += middle - begin;
    result->repair += bench_clock() - middle;
    multicast_end(&old);
    multicast_end(&fresh);
    multicast_end(&again);
    return error;
}

static int compare_multicasts(FILE *file, int n, int count)
{
    for (int change = HOST; change < CHANGES; change++) {
        struct result result = {0};
        uint64_t state = 1;
        for (int run = 0; run < RUNS; run++) {
            struct messages s = {calloc((size_t)count, sizeof *s.message),
                                 calloc((size_t)(count * n), sizeof *s.wants), count, n};
            struct table *table = bench_table(BENCH_CLUSTER, n, &state);
            int error = HN_ENOMEM;
            if (s.message && s.wants && table) {
                bench_messages(s.message, s.wants, count, n, &state);
                error = compare_schedules(&s, table, (enum change)change, &state, &result);
            }
            table_free(table);
            free(s.message);
            free(s.wants);
            if (error)
                return error;
        }
        print(file, "multicasts", change_names[change], n, count, &result);
    }
    return HN_OK;
}

int bench_replan(FILE *file)
{
    static const struct {
        enum operation op;
        int n;
        int64_t bytes;
    } cases[] = {{OP_BCAST, 12, 4000},    {OP_BCAST, 12, 100000}, {OP_BCAST, 24, 4000},
                 {OP_BCAST, 24, 100000},  {OP_BCAST, 64, 4000},   {OP_REDUCE, 24, 4000},
                 {OP_ALLTOALL, 12, 4000}, {OP_ALLTOALL, 24, 4000}};
    int error = HN_OK;
    heading(file);
    for (size_t i = 0; i < sizeof cases / sizeof *cases && !error; i++)
        error = compare_plans(file, cases[i].op, cases[i].n, cases[i].bytes);
    if (!error)
        error = compare_multicasts(file, 16, 8);
    return error ? error : compare_multicasts(file, 32, 16);
}
