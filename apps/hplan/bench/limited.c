/* limited.c - quality of a plan after a limited planning time.
 *
 * The search as at run time, limited to the work of a first call, 5, 20 and 100 ms, is compared
 * with unlimited `auto`, on random networks of several kinds, for operations that may use segments.
 * The limit is on an estimate of work in integers (auto.h). So the columns of ratios are equal on
 * every machine; the times are not.
 */
#include "bench.h"

#include "hnow.h"

/* Picoseconds of planning; 0: that of a first call, which is limited by work and not by time. In
 * ps, as all times of the model. */
static const hn_time budgets[] = {0, 5000000000, 20000000000, 100000000000};

/* Instances of a kind, of 4 to NODES_MOST hosts; each is also planned without a limit. */
enum { BUDGETS = sizeof budgets / sizeof *budgets, RUNS = 10, NODES_MOST = 24 };

/* Sums of ratios and times. */
struct sums {
    double ratio[BUDGETS], worst[BUDGETS], seconds[BUDGETS];
    int count;
};

static const struct network_kind {
    const char *name;
    int subnets;
    /* gaps: hosts' ports have a rate of their own. */
    bool buses, gaps, cable; /* cable: two neighbours share a wire, instead of uplinks */
    hn_time far;             /* latency of uplinks */
} kinds[] = {{"switch", 1, false, true, false, 0},
             {"switch without gaps", 1, false, false, false, 0},
             {"racks and cables", 3, false, true, true, 30000000},
             {"switches, uplinks", 3, false, true, false, 200000000},
             {"buses", 3, true, false, true, 200000000},
             {"sites", 3, false, true, false, 5000000000}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Rates of 100 Mb/s to 1 Gb/s, start-up times of 5 to 200 us, uplinks and cables as fast as a port
 * or slower. The result may be NULL; the caller frees it. Errors of the setters cannot occur, as
 * all numbers are within the limits. */
static hn_net *draw(const struct network_kind *kind, int hosts, uint64_t *state)
{
    hn_net *net = hn_net_new(hosts);
    /* One rate and one start-up time for the whole network. */
    hn_per_byte rate = INT64_C(10000000) << bench_below(state, 4);
    hn_time start = INT64_C(5000000) << bench_below(state, 6);
    int members[NODES_MOST];
    for (int h = 0; net && h < hosts; h++)
        hn_net_set_host(net, h,
                        &(hn_host_cost){.send_const = start,
                                        .recv_const = start,
                                        .send_gap = kind->gaps ? rate : 0,
                                        .recv_gap = kind->gaps ? rate : 0});
    /* Subnets are consecutive ranges of hosts; the sizes differ by one at most. */
    for (int s = 0; net && s < kind->subnets; s++) {
        int first = s * hosts / kind->subnets, end = (s + 1) * hosts / kind->subnets;
        for (int h = first; h < end; h++)
            members[h - first] = h;
        /* Named a, b and c. */
        hn_net_add_subnet(net, (char[]){(char)('a' + s), '\0'},
                          kind->buses ? HN_MEDIUM_BUS : HN_MEDIUM_SWITCH, members, end - first);
    }
    /* After all exist, as a subnet's number changes while "net" still has hosts. */
    for (int s = 0; net && s < kind->subnets; s++) {
        /* A bus has an eighth of a port's rate. */
        hn_net_set_subnet_cost(net, s, (hn_pair_cost){20000000, rate * (kind->buses ? 8 : 1)});
        if (kind->subnets > 1 && !kind->cable)
            hn_net_set_uplink(net, s, (hn_pair_cost){kind->far, rate << bench_below(state, 3)});
    }
    /* Cables join every two subnets, each direction with its own wire. */
    for (int from = 0; net && kind->cable && from < kind->subnets; from++)
        for (int to = 0; to < kind->subnets; to++)
            if (from != to)
                hn_net_set_link(net, from, to, (hn_pair_cost){kind->far, rate}, rate);
    return net;
}

/* Plans one request with each budget.  The unlimited plan, made first, is the base of the ratios.
 */
static int measure(const struct request *req, const struct model *model, struct sums *sums)
{
    struct choice choice;
    struct plan *plan;
    struct timing best, timing;
    /* Its time is not measured: only the limited searches are compared. */
    int error = planner_best(req, model, NULL, &choice, &plan, &best);
    if (error)
        return error;
    plan_free(plan);
    for (int b = 0; b < BUDGETS && !error; b++) {
        double begin = bench_clock();
        /* The first budget is the rule for a call whose operation has not been planned before. */
        error = budgets[b] ? planner_best_within(req, model, budgets[b], &choice, &plan, &timing)
                           : planner_best_quick(req, model, 1, &choice, &plan, &timing, NULL);
        if (error)
            break;
        double ratio = (double)timing.makespan / (double)best.makespan;
        sums->seconds[b] += bench_clock() - begin;
        sums->ratio[b] += ratio;
        sums->worst[b] = ratio > sums->worst[b] ? ratio : sums->worst[b];
        plan_free(plan);
        timing_free(&timing);
    }
    sums->count++;
    timing_free(&best);
    return error;
}

/* Instances of one kind.  Sizes are 16 KiB, 64 KiB or 256 KiB. The number of hosts, network,
 * operation and size of each instance are random. */
static int measure_kind(const struct network_kind *kind, struct sums *sums)
{
    static const enum operation operations[] = {OP_BCAST, OP_BCAST, OP_REDUCE, OP_ALLREDUCE};
    uint64_t state = 1;
    int error = HN_OK;
    for (int run = 0; run < RUNS && !error; run++) {
        int hosts = 4 + (int)bench_below(&state, NODES_MOST - 3);
        hn_net *net = draw(kind, hosts, &state);
        struct model model;
        if (!net)
            return HN_ENOMEM;
        /* NULL: ranks are the hosts in order. */
        model_of_net(&model, net, NULL, hosts, PORT_MEDIA);
        struct request req = {.op = operations[bench_below(&state, 4)],
                              .ranks = hosts,
                              /* 16 KiB times 1, 4 or 16. */
                              .bytes = INT64_C(16384) << (2 * bench_below(&state, 3)),
                              .grain = 1};
        error = measure(&req, &model, sums);
        hn_net_free(net);
    }
    return error;
}

/* Means of ratio and time, and the worst ratio, for each budget. */
static void print_row(FILE *file, const char *name, const struct sums *sums)
{
    fprintf(file, "%-22s", name);
    for (int b = 0; b < BUDGETS; b++)
        fprintf(file, " %7.3f %6.3f %7.2f", sums->ratio[b] / sums->count, sums->worst[b],
                sums->seconds[b] * 1e3 / sums->count);
    fputc('\n', file);
    fflush(file);
}

/* Each kind of network has a row, with RUNS instances from the same generator. */
int bench_limited(FILE *file)
{
    int error = HN_OK;
    fprintf(file,
            "Plans within a time limit: makespan over that of auto, mean and worst, and ms of "
            "planning\n"
            "%-22s %22s %22s %22s %22s\n",
            "network", "first call", "5 ms", "20 ms", "100 ms");
    for (int k = 0; k < KINDS && !error; k++) {
        struct sums sums = {.count = 0};
        error = measure_kind(&kinds[k], &sums);
        if (!error)
            print_row(file, kinds[k].name, &sums);
    }
    return error;
}
