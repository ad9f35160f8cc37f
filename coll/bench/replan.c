/* replan.c - after a change, the plan made from the old one against the plan made from scratch. */
#include "bench.h"

#include "../auto.h"
#include "../replan.h"

#include "hnow.h"

enum { RUNS = 3 };

enum change { LINK, HOST, SIZE, CHANGES };
static const char *const change_names[] = {"a link", "a host", "the size"};

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

/* Makes a random link ten times slower, a random host five times, or the data four times as long.
 */
static void apply(hn_net *net, enum change change, struct request *req, uint64_t *state)
{
    int a = (int)bench_below(state, req->ranks),
        b = (a + 1 + (int)bench_below(state, req->ranks - 1)) % req->ranks;
    if (change == LINK) {
        hn_pair_cost cost = hn_net_pair(net, a, b);
        hn_net_set_pair(net, a, b, (hn_pair_cost){10 * cost.latency, 10 * cost.per_byte});
    } else if (change == HOST) {
        hn_host_cost cost = *hn_net_host(net, a);
        cost.send_const *= 5;
        cost.recv_const *= 5;
        cost.send_per_byte *= 5;
        cost.recv_per_byte *= 5;
        hn_net_set_host(net, a, &cost);
    } else {
        req->bytes *= 4;
    }
}

struct result {
    double ratio, worst, scratch, repair;
};

static int once(hn_net *net, enum change change, struct request *req, uint64_t *state,
                struct result *result)
{
    struct model model;
    struct choice old, choice;
    struct plan *plan, *fresh, *repaired;
    struct timing timing, again;
    model_of_net(&model, net, NULL, req->ranks, PORT_MEDIA);
    int error = planner_best(req, &model, NULL, &old, &plan, NULL);
    if (error)
        return error;
    apply(net, change, req, state);
    double begin = bench_clock();
    error = planner_best(req, &model, NULL, &choice, &fresh, &timing);
    double middle = bench_clock();
    if (!error)
        error = replan(&old, plan, req, &model, &choice, &repaired, &again);
    double end = bench_clock();
    plan_free(plan);
    if (error)
        return error;
    double ratio = (double)again.makespan / (double)timing.makespan;
    result->ratio += ratio;
    result->worst = ratio > result->worst ? ratio : result->worst;
    result->scratch += middle - begin;
    result->repair += end - middle;
    plan_free(fresh);
    plan_free(repaired);
    timing_free(&timing);
    timing_free(&again);
    return HN_OK;
}

int bench_replan(FILE *file)
{
    static const int sizes[] = {12, 24};
    static const int64_t bytes[] = {4000, 100000};
    fprintf(file,
            "Broadcast plans after a change: repaired against made from scratch\n"
            "%-10s %4s %9s %9s %9s %11s %11s %7s\n",
            "changed", "n", "bytes", "ratio", "worst", "scratch (s)", "repair (s)", "faster");
    for (size_t s = 0; s < 2; s++)
        for (size_t b = 0; b < 2; b++)
            for (int change = 0; change < CHANGES; change++) {
                struct result result = {0};
                uint64_t state = 1;
                for (int run = 0; run < RUNS; run++) {
                    struct request req = {
                        .op = OP_BCAST, .ranks = sizes[s], .bytes = bytes[b], .grain = 1};
                    hn_net *net = draw_net(sizes[s], &state);
                    int error =
                        net ? once(net, (enum change)change, &req, &state, &result) : HN_ENOMEM;
                    hn_net_free(net);
                    if (error)
                        return error;
                }
                fprintf(file, "%-10s %4d %9lld %9.4f %9.4f %11.4f %11.4f %6.0fx\n",
                        change_names[change], sizes[s], (long long)bytes[b], result.ratio / RUNS,
                        result.worst, result.scratch / RUNS, result.repair / RUNS,
                        result.scratch / result.repair);
                fflush(file);
            }
    return HN_OK;
}
