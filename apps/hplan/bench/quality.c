/* quality.c - distance of plans from the best known ones, and from lower bounds.
 *
 * "best single" is the papers' heuristic with the best average over all instances of a row; "best
 * of all" takes the best heuristic on each instance. Every ratio is a mean over instances.
 *
 * Ratios are formed for each instance and then averaged: means of times would be those of the
 * slowest instances. "gain" is the mean saving of our planner against "best single". "least" is its
 * smallest saving against "best of all"; negative if some heuristic was better.
 */
#include "bench.h"

#include "hnow.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Instances of a row; maximum number of planners (planner_rows.h). ALGORITHMS_MOST is checked by
 * note(). */
enum { RUNS = 20, ALGORITHMS_MOST = 128 };

/* Makespans of one row of a table, as ratios to the bound of the instance. Indexed by the planner's
 * number in its table. paper[]: it takes part in best_single(). */
struct row {
    int runs;
    double sum[ALGORITHMS_MOST], worst[ALGORITHMS_MOST], each[ALGORITHMS_MOST][RUNS];
    bool paper[ALGORITHMS_MOST];
};

/* Records one makespan of run r->runs.  A bound of 0 counts as reached. */
static void note(struct row *r, int algorithm, bool paper, hn_time time, hn_time bound)
{
    double ratio = bound > 0 ? (double)time / (double)bound : 1;
    assert(algorithm < ALGORITHMS_MOST);
    r->paper[algorithm] = paper;
    /* The sum and each single ratio: both kinds of mean are needed. */
    r->sum[algorithm] += ratio;
    r->each[algorithm][r->runs] = ratio;
    r->worst[algorithm] = ratio > r->worst[algorithm] ? ratio : r->worst[algorithm];
}

/* The paper's heuristic with the smallest mean; -1: none. Planners that did not run in this row
 * have paper[] false. */
static int best_single(const struct row *r)
{
    int best = -1;
    for (int i = 0; i < ALGORITHMS_MOST; i++)
        if (r->paper[i] && (best < 0 || r->sum[i] < r->sum[best]))
            best = i;
    return best;
}

/* Minimum over the papers' heuristics in one run. The choice differs from run to run, as no user of
 * one heuristic could do. */
static double best_of_all(const struct row *r, int run)
{
    double best = 0;
    for (int i = 0; i < ALGORITHMS_MOST; i++)
        if (r->paper[i] && (best == 0 || r->each[i][run] < best))
            best = r->each[i][run];
    return best;
}

/* The columns are those of print(). */
static void heading(FILE *file, const char *title)
{
    fprintf(file, "%s\n%-10s %4s %-16s %9s %9s %9s %9s %9s %9s %9s\n", title, "instances", "n",
            "best single", "/ bound", "best/all", "ours", "worst", "gain", "least", "s each");
}

/* `ours`: the planner to compare; seconds: its time in all runs. */
static void print(FILE *file, const struct row *r, const char *name, int n, const char *single_name,
                  int ours, double seconds)
{
    int single = best_single(r);
    /* `least` starts at 1, the largest possible saving. */
    double all = 0, gain = 0, least = 1;
    for (int run = 0; run < r->runs; run++) {
        double one = 1 - r->each[ours][run] / r->each[single][run];
        double any = 1 - r->each[ours][run] / best_of_all(r, run);
        all += best_of_all(r, run);
        gain += one;
        least = any < least ? any : least;
    }
    fprintf(file, "%-10s %4d %-16s %9.4f %9.4f %9.4f %9.4f %8.1f%% %8.1f%% %9.3f\n", name, n,
            single_name, r->sum[single] / r->runs, all / r->runs, r->sum[ours] / r->runs,
            r->worst[ours], 100 * gain / r->runs, 100 * least, seconds / r->runs);
}

/* ---- broadcast -------------------------------------------------------------------------- */

/* The planners that best_single() may choose. Names of the table of planners; a planner that is
 * renamed must be renamed here. */
static bool from_a_paper(const char *name)
{
    static const char *const names[] = {
        "flat",           "fef",       "ecef",      "ecef_la",   "ecef_la_avg",
        "ecef_la_avg_ab", "ecef_la_t", "ecef_la_T", "bottom_up", "fnf"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Makespan of one planner's tree, or an error, which is below 0. Runs the planner on trees alone,
 * so the times exclude plans and simulation. */
static hn_time broadcast_by(const struct planner *planner, const struct problem *problem,
                            const struct broadcast *b)
{
    struct tree *tree = tree_new(b->ranks, b->root);
    struct problem own = *problem;
    own.arity = planner->arity;
    /* The planners compared here serve all broadcasts of trees. */
    int error = tree ? planner->tree(&own, tree) : HN_ENOMEM;
    hn_time time = error ? error : broadcast_makespan(b, tree);
    tree_free(tree);
    return time;
}

/* Takes one instance.  All planners get the same costs. */
static int broadcast_once(enum bench_kind kind, int n, uint64_t *state, struct row *row, int ours,
                          double *seconds)
{
    struct table *table = bench_table(kind, n, state);
    struct model model;
    if (!table)
        return HN_ENOMEM;
    model_of_table(&model, table, kind == BENCH_GUSTO ? PORT_BLOCKING : PORT_NONBLOCKING);
    /* A grid's table has costs of one message without a rate. */
    struct request req = {
        .op = OP_BCAST, .ranks = n, .bytes = kind == BENCH_GRID ? 0 : 1000000, .grain = 1};
    struct matrix *matrix = matrix_new(&model, req.bytes);
    struct problem problem = {.req = &req, .model = &model, .matrix = matrix};
    struct broadcast b = {0};
    int error = matrix ? broadcast_begin(&b, &problem) : HN_ENOMEM;
    hn_time bound = broadcast_bound(&req, &model);
    for (int i = 0; i < planner_count && !error; i++) {
        bool paper = from_a_paper(planners[i].name);
        /* Planners without a tree cannot be compared by broadcast_makespan(). */
        if (!planners[i].tree || (!paper && i != ours))
            continue;
        double begin = bench_clock();
        /* Only our planner's time is shown. */
        hn_time time = broadcast_by(&planners[i], &problem, &b);
        *seconds += i == ours ? bench_clock() - begin : 0;
        if (time < 0)
            error = (int)time;
        else
            note(row, i, paper, time, bound);
    }
    /* The row's next column of each[]. */
    row->runs++;
    broadcast_end(&b);
    matrix_free(matrix);
    table_free(table);
    return error;
}

/* ---- few ranks: comparison with the optimum --------------------------------------------- */

/* Ratios and planning times over the instances of a row. */
struct optima {
    double sum, worst, seconds, longest;
};

/* Takes one instance: `auto` against the planner that tries all trees. */
static int optimum_once(enum bench_kind kind, int n, uint64_t *state, struct optima *o)
{
    struct table *table = bench_table(kind, n, state);
    struct model model;
    /* The exact planner by name, with the default arity and whole messages. */
    struct choice choice, exact = {planner_named("exact"), 0, 0};
    struct plan *plan, *best = NULL;
    struct timing timing = {0}, least = {0};
    if (!table)
        return HN_ENOMEM;
    model_of_table(&model, table, kind == BENCH_GUSTO ? PORT_BLOCKING : PORT_NONBLOCKING);
    /* too short for segments: the optimum is that of whole messages */
    struct request req = {.op = OP_BCAST, .ranks = n, .bytes = 1000, .grain = 1};
    double begin = bench_clock();
    int error = planner_best(&req, &model, NULL, &choice, &plan, &timing);
    double seconds = bench_clock() - begin;
    if (!error)
        /* Only its simulation gives the makespan, in the same model as that of `auto`. */
        error = choice_plan(&exact, &req, &model, &best);
    if (!error)
        error = plan_simulate(best, &model, &least);
    if (!error) {
        double ratio = (double)timing.makespan / (double)least.makespan;
        o->sum += ratio;
        o->worst = ratio > o->worst ? ratio : o->worst;
        o->seconds += seconds;
        o->longest = seconds > o->longest ? seconds : o->longest;
    }
    plan_free(plan);
    plan_free(best);
    timing_free(&timing);
    timing_free(&least);
    table_free(table);
    return error;
}

/* Numbers of ranks for which the exact planner takes little time. Beyond nine ranks the number of
 * trees is too large. */
static int against_optimum(FILE *file)
{
    static const int sizes[] = {5, 7, 9};
    fprintf(file, "Broadcast of few: auto against the optimum\n%-10s %4s %9s %9s %9s %9s\n",
            "instances", "n", "/ optimum", "worst", "s each", "longest");
    for (int kind = 0; kind < BENCH_KINDS; kind++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            struct optima o = {0};
            uint64_t state = 1;
            int error = HN_OK;
            for (int run = 0; run < RUNS && !error; run++)
                error = optimum_once((enum bench_kind)kind, sizes[s], &state, &o);
            if (error)
                return error;
            fprintf(file, "%-10s %4d %9.4f %9.4f %9.4f %9.4f\n",
                    bench_kind_name((enum bench_kind)kind), sizes[s], o.sum / RUNS, o.worst,
                    o.seconds / RUNS, o.longest);
        }
    fputc('\n', file);
    return HN_OK;
}

int bench_broadcast(FILE *file)
{
    static const int sizes[] = {6, 9, 20, 32, 64};
    int error = against_optimum(file);
    if (error)
        return error;
    heading(file, "Broadcast: search (exact up to 9 ranks) against the heuristics of the papers");
    for (int kind = 0; kind < BENCH_KINDS; kind++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            /* Static, as it has some 23 KB. */
            static struct row row;
            uint64_t state = 1;
            /* The state of the generator starts again, so that each row is the same alone. */
            double seconds = 0;
            row = (struct row){0};
            /* Up to nine ranks "ours" is the optimum itself. */
            int ours = (int)(planner_named(sizes[s] <= 9 ? "exact" : "search") - planners);
            for (int run = 0; run < RUNS && !error; run++)
                error =
                    broadcast_once((enum bench_kind)kind, sizes[s], &state, &row, ours, &seconds);
            if (error)
                return error;
            print(file, &row, bench_kind_name((enum bench_kind)kind), sizes[s],
                  planners[best_single(&row)].name, ours, seconds);
        }
    return HN_OK;
}

/* ---- multiple multicast ----------------------------------------------------------------- */

/* Algorithms of Wu, Yeh and Liu. The other algorithms of the table are ours. */
static bool is_wu(const char *name)
{
    return strcmp(name, "ecf") == 0 || strcmp(name, "wr") == 0 || strcmp(name, "wrp") == 0 ||
           strcmp(name, "fef") == 0;
}

/* Takes one instance of a multiple multicast. count: messages. */
static int multicast_once(int n, int count, uint64_t *state, struct row *row, int ours,
                          double *seconds)
{
    struct multicast_message *messages = calloc((size_t)count, sizeof *messages);
    bool *wants = calloc((size_t)count * (size_t)n, sizeof *wants);
    /* The class of networks of Wu's section 6. */
    struct table *table = bench_table(BENCH_CLUSTER, n, state);
    struct model model;
    struct multicast m = {0};
    int error = HN_ENOMEM;
    if (messages && wants && table) {
        bench_messages(messages, wants, count, n, state);
        model_of_table(&model, table, PORT_NONBLOCKING);
        error = multicast_begin(&m, &model, messages, count);
    }
    for (int i = 0; i < multicast_algorithm_count && !error; i++) {
        const struct multicast_algorithm *a = &multicast_algorithms[i];
        if (i != ours && !is_wu(a->name))
            continue;
        double begin = bench_clock();
        error = a->run(&m);
        *seconds += i == ours ? bench_clock() - begin : 0;
        if (!error)
            note(row, i, is_wu(a->name), m.makespan, multicast_bound(&m));
        /* An algorithm may refuse an instance; it then has no entry in this run. */
        error = error == HN_EPLAN ? HN_OK : error;
    }
    row->runs++;
    multicast_end(&m);
    table_free(table);
    free(messages);
    free(wants);
    return error;
}

/* `exact` does not take part: it serves only instances that are much smaller. */
int bench_multicast(FILE *file)
{
    /* Nodes and messages. */
    static const int sizes[][2] = {{16, 4}, {16, 16}, {32, 16}, {64, 64}};
    /* The index in the table of algorithms, which has "search". */
    int ours = 0;
    while (strcmp(multicast_algorithms[ours].name, "search"))
        ours++;
    heading(file,
            "Multiple multicast: search against Wu's algorithms; every other node a destination");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        static struct row row;
        char name[32];
        uint64_t state = 1;
        double seconds = 0;
        row = (struct row){0};
        /* The largest instances take longest, and so are fewer. */
        for (int run = 0; run < (sizes[s][0] < 64 ? RUNS : 3); run++)
            if (multicast_once(sizes[s][0], sizes[s][1], &state, &row, ours, &seconds))
                return HN_ENOMEM;
        snprintf(name, sizeof name, "%d msgs", sizes[s][1]);
        print(file, &row, name, sizes[s][0], multicast_algorithms[best_single(&row)].name, ours,
              seconds);
    }
    return HN_OK;
}

/* ---- total exchange --------------------------------------------------------------------- */

/* Takes one instance of a total exchange. Every heuristic runs; only Bhat's take part in
 * best_single(). */
static int exchange_once(int kind, int n, uint64_t *state, struct row *row, int ours,
                         double *seconds)
{
    hn_time *cost = malloc((size_t)n * (size_t)n * sizeof *cost);
    struct exchange x = {0};
    int error = cost ? bench_costs(kind, n, state, cost) : HN_ENOMEM;
    if (!error)
        error = exchange_begin(&x, n, cost);
    for (int i = 0; i < exchange_heuristic_count && !error; i++) {
        double begin = bench_clock();
        error = exchange_heuristics[i].run(&x);
        *seconds += i == ours ? bench_clock() - begin : 0;
        /* The source of a heuristic is its paper. */
        bool paper = strncmp(exchange_heuristics[i].source, "Bhat", 4) == 0;
        note(row, i, paper, x.makespan, exchange_bound(&x));
    }
    row->runs++;
    exchange_end(&x);
    free(cost);
    return error;
}

/* A row for each kind of messages and number of ranks, with RUNS instances each. */
int bench_exchange(FILE *file)
{
    static const int sizes[] = {5, 10, 16, 24, 40};
    int ours = 0;
    while (strcmp(exchange_heuristics[ours].name, "search"))
        ours++;
    heading(file, "Total exchange on one-port networks: search against Bhat's algorithms");
    for (int kind = 0; kind < BENCH_EXCHANGES; kind++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            static struct row row;
            uint64_t state = 1;
            double seconds = 0;
            row = (struct row){0};
            for (int run = 0; run < RUNS; run++)
                if (exchange_once(kind, sizes[s], &state, &row, ours, &seconds))
                    return HN_ENOMEM;
            print(file, &row, bench_exchange_name(kind), sizes[s],
                  exchange_heuristics[best_single(&row)].name, ours, seconds);
        }
    return HN_OK;
}
