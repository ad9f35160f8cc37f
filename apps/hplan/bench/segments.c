/* segments.c - broadcasts of long messages in segments: the best plan and the lower bound, on
 * one-port networks and on networks with shared media. The bound of segments is used (the last
 * argument of lower_bound()), which is below that of whole messages. A ratio of 1.1 therefore
 * leaves open how much of the tenth is the plan's. */
#include "bench.h"

#include "hnow.h"

enum { RUNS = 3 }; /* instances of a row */

/* 100 Mb/s Ethernet and similar LANs: 20 us to send or receive, and half a nanosecond per byte.
 * Costs of a byte are in fs. */
static void set_hosts(hn_net *net, hn_per_byte gap)
{
    hn_host_cost cost = {.send_const = 20000000,
                         .send_per_byte = 500000,
                         .recv_const = 20000000,
                         .recv_per_byte = 500000,
                         .send_gap = gap,
                         .recv_gap = gap};
    for (int h = 0; h < hn_net_size(net); h++)
        hn_net_set_host(net, h, &cost);
}

/* Makes `subnets` subnets of equal size, joined by uplinks of random rates. All, or every other
 * one, are buses of 10 Mb/s; the others are switches of 100 Mb/s with ports of that rate. An uplink
 * has a latency of 1 to 20 ms and a rate between 100 and 6.25 Mb/s. */
static hn_net *draw_net(int hosts, int subnets, bool buses, uint64_t *state)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    hn_net *net = hn_net_new(hosts);
    if (!net)
        return NULL;
    /* The largest network has 32 hosts in a subnet, so members[] is large enough. */
    int members[64], each = hosts / subnets;
    set_hosts(net, 80000000);
    for (int s = 0; s < subnets; s++) {
        bool bus = buses && s % 2 == 0;
        for (int i = 0; i < each; i++)
            members[i] = s * each + i;
        hn_net_add_subnet(net, names[s], bus ? HN_MEDIUM_BUS : HN_MEDIUM_SWITCH, members, each);
    }
    /* After all exist, as a subnet's number changes while "net" still has hosts. */
    for (int s = 0; s < subnets; s++) {
        bool bus = buses && s % 2 == 0;
        hn_net_set_subnet_cost(net, s, (hn_pair_cost){100000000, bus ? 800000000 : 80000000});
        if (subnets > 1)
            hn_net_set_uplink(net, s,
                              (hn_pair_cost){(1 + bench_below(state, 20)) * 1000000000,
                                             INT64_C(80000000) << bench_below(state, 5)});
    }
    return net;
}

/* Busy time of a plan's busiest port. No order of messages could improve on it, even if the bound
 * is lower; the difference to the makespan is idle time of that port. */
static hn_time busiest_port(const struct plan *plan, const struct timing *timing)
{
    hn_time most = 0;
    for (int rank = 0; rank < plan->ranks; rank++) {
        hn_time out = 0, in = 0;
        for (int32_t i = plan->first[rank]; i < plan->first[rank + 1]; i++) {
            hn_time busy = timing->spans[i].end - timing->spans[i].begin;
            /* With one port a transfer holds both ends, so each span is the time of its transfer.
             */
            *(plan->steps[i].kind == PLAN_SEND ? &out : &in) += busy;
        }
        most = out > most ? out : most;
        most = in > most ? in : most;
    }
    return most;
}

/* Plans one broadcast and prints a row. An error ends the part. The plan is simulated by
 * planner_best() with the same model as the bound. */
static int measure(FILE *file, const char *name, const struct model *model, int64_t bytes)
{
    struct request req = {.op = OP_BCAST, .ranks = model->ranks, .bytes = bytes, .grain = 1};
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    char text[CHOICE_TEXT_ROOM];
    /* Includes the search of `auto` over all segment sizes. */
    double begin = bench_clock();
    int error = planner_best(&req, model, NULL, &choice, &plan, &timing);
    if (error)
        return error;
    double seconds = bench_clock() - begin;
    /* true: segments are allowed. */
    hn_time bound = lower_bound(&req, model, true);
    fprintf(file, "%-22s %4d %9lld %-22s %12.6f %9.4f ", name, model->ranks, (long long)bytes,
            choice_text(&choice, text, sizeof text), (double)timing.makespan / 1e12,
            (double)timing.makespan / (double)bound);
    /* The busy time of a port is meaningful where a message occupies both ports. */
    if (model->port == PORT_BLOCKING)
        fprintf(file, "%9.4f", (double)busiest_port(plan, &timing) / (double)bound);
    else
        fprintf(file, "%9s", "-");
    fprintf(file, " %9.3f\n", seconds);
    timing_free(&timing);
    plan_free(plan);
    return HN_OK;
}

/* Ranks 5, 10, 20, ... The state of the generator runs on through all rows, so each row has
 * networks of its own. */
static int on_one_port(FILE *file, int64_t bytes, int ranks_most)
{
    uint64_t state = 1;
    for (int ranks = 5; ranks <= ranks_most; ranks *= 2)
        for (int run = 0; run < RUNS; run++) {
            struct table *table = bench_table(BENCH_GUSTO, ranks, &state);
            struct model model;
            if (!table)
                return HN_ENOMEM;
            model_of_table(&model, table, PORT_BLOCKING);
            /* The model refers to the table, which lives as long as the row is measured. */
            int error = measure(file, "one port, gusto", &model, bytes);
            table_free(table);
            if (error)
                return error;
        }
    return HN_OK;
}

/* The same generator state for all networks: their uplinks differ. */
static int on_media(FILE *file, uint64_t *state)
{
    /* Hosts and subnets; buses: every other subnet is one, beginning with the first. */
    static const struct {
        const char *name;
        int hosts, subnets;
        bool buses;
    } nets[] = {{"bus", 8, 1, true},
                {"switch", 8, 1, false},
                {"switch", 32, 1, false},
                {"bus and switch", 16, 2, true},
                {"two of each", 32, 4, true},
                {"four switches", 32, 4, false},
                {"four switches", 64, 4, false}};
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
        hn_net *net = draw_net(nets[i].hosts, nets[i].subnets, nets[i].buses, state);
        struct model model;
        if (!net)
            return HN_ENOMEM;
        model_of_net(&model, net, NULL, nets[i].hosts, PORT_MEDIA);
        int error = measure(file, nets[i].name, &model, 1000000);
        hn_net_free(net);
        if (error)
            return error;
    }
    return HN_OK;
}

/* "port" is the busiest port's share of the bound. */
static void heading(FILE *file)
{
    fprintf(
        file,
        "Broadcast in segments: auto against the lower bound; port: what its busiest port is busy\n"
        "%-22s %4s %9s %-22s %12s %9s %9s %9s\n",
        "network", "n", "bytes", "plan", "makespan (s)", "/ bound", "port", "s");
}

/* Networks with shared media, 1 MB. */
int bench_segments(FILE *file)
{
    uint64_t state = 1;
    heading(file);
    return on_media(file, &state);
}

int bench_ports(FILE *file)
{
    heading(file);
    return on_one_port(file, 10000000, 40);
}

/* 100 MB on fewer ranks: plans of so many segments take longer to make. */
int bench_long(FILE *file)
{
    heading(file);
    return on_one_port(file, 100000000, 20);
}
