/* speed.c - planning time, its growth with the number of hosts, and memory use.
 *
 * Times are processor times. Growth is the exponent of a power law through the first and the last
 * size. Memory is that of a planner's tables, its largest part, in megabytes; it is computed from
 * the size, not measured.
 *
 * An exponent near 2 is that of the pairs of hosts, which any planner with a matrix must read.
 */
#include "bench.h"

#include "hnow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* factor: last size over first size. 0 if a time is too short to be measured. */
static double growth(double first, double last, double factor)
{
    return first > 0 && last > 0 ? log(last / first) / log(factor) : 0;
}

static void heading(FILE *file, const char *title, const int *sizes, int count)
{
    fprintf(file, "%s\n%-18s", title, "seconds for n =");
    for (int i = 0; i < count; i++)
        fprintf(file, " %9d", sizes[i]);
    fprintf(file, " %9s %9s\n", "growth", "MB");
}

/* bytes: the computed size of the tables at the last size. The last column is in megabytes of 10^6
 * bytes. */
static void print(FILE *file, const char *name, const int *sizes, const double *seconds, int count,
                  double bytes)
{
    fprintf(file, "%-18s", name);
    for (int i = 0; i < count; i++)
        fprintf(file, " %9.4f", seconds[i]);
    fprintf(file, " %9.2f %9.1f\n",
            growth(seconds[0], seconds[count - 1], (double)sizes[count - 1] / sizes[0]),
            bytes / 1e6);
}

/* ---- one broadcast ---------------------------------------------------------------------- */

/* Makes subnets of `each` hosts, in turn a switch and a bus, joined by uplinks. Costs are set after
 * all subnets exist, as a subnet's number changes while "net" still has hosts. */
static hn_net *draw_net(int hosts, int each, uint64_t *state)
{
    hn_net *net = hn_net_new(hosts);
    /* One array for all subnets, which copy it. */
    int *members = malloc((size_t)each * sizeof *members);
    for (int h = 0; net && h < hosts; h++) {
        hn_time start = (20 + bench_below(state, 60)) * 1000000;
        hn_net_set_host(net, h, &(hn_host_cost){.send_const = start, .recv_const = start});
    }
    for (int s = 0; net && members && s < hosts / each; s++) {
        char name[16];
        snprintf(name, sizeof name, "s%d", s);
        for (int i = 0; i < each; i++)
            members[i] = s * each + i;
        /* Odd ones are buses, with a tenth of the rate. */
        hn_net_add_subnet(net, name, s % 2 ? HN_MEDIUM_BUS : HN_MEDIUM_SWITCH, members, each);
    }
    for (int s = 0; net && s < hn_net_subnet_count(net); s++) {
        hn_time latency = (20 + bench_below(state, 180)) * 1000000;
        hn_net_set_subnet_cost(net, s, (hn_pair_cost){latency, s % 2 ? 800000000 : 80000000});
        /* An uplink has the rate of a switch's port, and twenty times its latency. */
        hn_net_set_uplink(net, s, (hn_pair_cost){20 * latency, 80000000});
    }
    free(members);
    return net;
}

/* planner NULL with quick: the search of a running job. HN_EPLAN: the planner does not serve the
 * network. */
static int time_planner(const struct planner *planner, const hn_net *net, bool quick,
                        double *seconds)
{
    struct request req = {.op = OP_BCAST, .ranks = hn_net_size(net), .bytes = 1000, .grain = 1};
    struct choice choice = {planner, planner ? planner->arity : 0, 0};
    struct plan *plan = NULL;
    struct model model;
    model_of_net(&model, net, NULL, req.ranks, PORT_MEDIA);
    /* The matrix is made by the planner, so it is in the time. */
    double begin = bench_clock();
    int error = quick ? planner_best_quick(&req, &model, CALLS_ALL, &choice, &plan, NULL, NULL)
                      : choice_plan(&choice, &req, &model, &plan);
    *seconds = bench_clock() - begin;
    plan_free(plan);
    return error;
}

/* Each planner plans the same networks. A planner that refuses one of them ends the table, as it
 * should serve all. */
static int broadcasts(FILE *file)
{
    static const char *const names[] = {
        "fef",       "fnf",       "ecef",      "ecef_la", "ecef_la_avg", "ecef_la_avg_ab",
        "ecef_la_t", "ecef_la_T", "bottom_up", "mst",     "eco",         "subnets_ecef",
        "auto"};
    /* Doubling sizes: each step shows the growth. */
    static const int sizes[] = {125, 250, 500, 1000};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    hn_net *nets[SIZES];
    uint64_t state = 1;
    int error = HN_OK;
    /* All networks are made first: one generator for all, whatever planner is timed. */
    for (int i = 0; i < SIZES; i++)
        if (!(nets[i] = draw_net(sizes[i], 25, &state)))
            error = HN_ENOMEM;
    heading(file, "One broadcast plan (costs of all pairs included; auto simulates all)", sizes,
            SIZES);
    for (size_t k = 0; k < sizeof names / sizeof *names && !error; k++) {
        /* NULL for "auto", the only name that is no planner. */
        const struct planner *planner = planner_named(names[k]);
        double seconds[SIZES];
        for (int i = 0; i < SIZES && !error; i++)
            error = time_planner(planner, nets[i], !planner, &seconds[i]);
        /* 24 bytes for each pair: the matrix of costs.  Planners that ask the model for single
         * costs need none. */
        double n = sizes[SIZES - 1], pairs = !planner || planner->pairs ? 24 * n * n : 0;
        print(file, names[k], sizes, seconds, SIZES, pairs + 40 * n);
    }
    for (int i = 0; i < SIZES; i++)
        hn_net_free(nets[i]);
    return error;
}

/* At the larger sizes the planners of all pairs would need gigabytes. A plan by hierarchy only
 * needs costs between subnets and inside each. */
static int hierarchies(FILE *file)
{
    static const int sizes[] = {1000, 10000, 100000};
    uint64_t state = 1;
    double seconds[3];
    heading(file, "Hierarchical broadcast plan, subnets of 100 hosts", sizes, 3);
    for (int i = 0; i < 3; i++) {
        hn_net *net = draw_net(sizes[i], 100, &state);
        int error =
            net ? time_planner(planner_named("subnets_ecef"), net, false, &seconds[i]) : HN_ENOMEM;
        hn_net_free(net);
        if (error)
            return error;
    }
    /* 48 bytes for each pair of subnets, 100 for each host: the plan itself. */
    double subnets = sizes[2] / 100.0;
    print(file, "subnets_ecef", sizes, seconds, 3, 48 * subnets * subnets + 100.0 * sizes[2]);
    return HN_OK;
}

/* ---- multiple multicast ----------------------------------------------------------------- */

/* Times the named algorithms; seconds[k] belongs to names[k]. n nodes and n messages. An algorithm
 * that is not named is not run. */
static int time_multicasts(int n, uint64_t *state, const char *const *names, double *seconds)
{
    struct multicast_message *messages = calloc((size_t)n, sizeof *messages);
    bool *wants = calloc((size_t)n * (size_t)n, sizeof *wants);
    struct table *table = bench_table(BENCH_CLUSTER, n, state);
    struct multicast m = {0};
    struct model model;
    int error = HN_ENOMEM;
    if (messages && wants && table) {
        bench_messages(messages, wants, n, n, state);
        model_of_table(&model, table, PORT_NONBLOCKING);
        error = multicast_begin(&m, &model, messages, n);
    }
    for (int i = 0; i < multicast_algorithm_count && !error; i++)
        for (int k = 0; names[k]; k++)
            /* The names are few, so each is looked up for each algorithm. */
            if (strcmp(names[k], multicast_algorithms[i].name) == 0) {
                double begin = bench_clock();
                error = multicast_algorithms[i].run(&m);
                seconds[k] = bench_clock() - begin;
            }
    multicast_end(&m);
    table_free(table);
    free(messages);
    free(wants);
    return error;
}

/* n messages have n / 2 destinations each on average, so deliveries grow with the square of n. */
static int multicasts(FILE *file)
{
    static const char *const names[] = {"ecf", "wr", "wrp", NULL};
    static const int sizes[] = {16, 32, 64};
    double seconds[3][3];
    uint64_t state = 1;
    heading(file, "Multiple multicast, n sources of n nodes, every other one a destination", sizes,
            3);
    for (int i = 0; i < 3; i++) {
        int error = time_multicasts(sizes[i], &state, names, seconds[i]);
        if (error)
            return error;
    }
    for (int k = 0; names[k]; k++) {
        /* One row of the printed table is a column of seconds. */
        double column[] = {seconds[0][k], seconds[1][k], seconds[2][k]};
        double n = sizes[2];
        print(file, names[k], sizes, column, 3, 49 * n * n + 4 * 8 * n * n);
    }
    return HN_OK;
}

/* ---- total exchange --------------------------------------------------------------------- */

/* Times one heuristic on one instance. */
static int time_exchange(int n, const struct exchange_heuristic *h, double *seconds)
{
    hn_time *cost = malloc((size_t)n * (size_t)n * sizeof *cost);
    struct exchange x = {0};
    uint64_t state = 1;
    /* Instance 2 is the random mixture, the same for all heuristics. */
    int error = cost ? bench_costs(2, n, &state, cost) : HN_ENOMEM;
    if (!error)
        error = exchange_begin(&x, n, cost);
    double begin = bench_clock();
    if (!error)
        error = h->run(&x);
    *seconds = bench_clock() - begin;
    exchange_end(&x);
    free(cost);
    return error;
}

/* All heuristics at three sizes. Their plans have n (n - 1) events, so linear growth in events is
 * an exponent of 2. */
static int exchanges(FILE *file)
{
    static const int sizes[] = {64, 128, 256};
    heading(file, "Total exchange, mixed sizes", sizes, 3);
    for (int i = 0; i < exchange_heuristic_count; i++) {
        const struct exchange_heuristic *h = &exchange_heuristics[i];
        double seconds[3], n = sizes[2];
        for (int k = 0; k < 3; k++) {
            int error = time_exchange(sizes[k], h, &seconds[k]);
            if (error)
                return error;
        }
        print(file, h->name, sizes, seconds, 3, 37 * n * n);
    }
    return HN_OK;
}

/* An error ends the part; tables before it are printed. */
int bench_speed(FILE *file)
{
    /* The order of the document's tables. */
    int (*const tables[])(FILE *) = {broadcasts, hierarchies, multicasts, exchanges};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        int error = tables[i](file);
        if (error)
            return error;
        fputs(i + 1 < sizeof tables / sizeof *tables ? "\n" : "", file);
    }
    return HN_OK;
}
