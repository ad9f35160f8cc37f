/* ablation.c - the contribution of each planner to `auto` (hplan -ablation).
 *
 * It counts how often a planner's plan is the best, and how much longer the best plan is without
 * it. A case is a network, an operation with a size, and whether subnets carry multicasts. Only the
 * planners of the best plan can matter, so only these are left out, one at a time. Besides the best
 * plan of all (`auto`), each case shows what a running job uses: the best plan of the limited
 * search, and the plan of a first call.
 *
 * Cost: a case of P planners in its best plan takes 1 + P full searches and two limited ones. The
 * sum of losses over all cases says which planner could be removed at which price.
 */
#include "bench.h"

#include "runtime/internal.h"
#include "hnow.h"
#include "hnow_net.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Sizes from one where latency decides to one where bandwidth does, for each operation. */
static const struct {
    enum operation op;
    int64_t bytes;
} cases[] = {{OP_BARRIER, 0},           {OP_BCAST, 1 << 10},    {OP_BCAST, 64 << 10},
             {OP_BCAST, 1 << 20},       {OP_REDUCE, 1 << 10},   {OP_REDUCE, 64 << 10},
             {OP_REDUCE, 1 << 20},      {OP_ALLREDUCE, 8},      {OP_ALLREDUCE, 64 << 10},
             {OP_ALLREDUCE, 1 << 20},   {OP_SCATTER, 1 << 10},  {OP_SCATTER, 64 << 10},
             {OP_GATHER, 1 << 10},      {OP_GATHER, 64 << 10},  {OP_ALLGATHER, 1 << 10},
             {OP_ALLGATHER, 64 << 10},  {OP_ALLTOALL, 1 << 10}, {OP_ALLTOALL, 64 << 10},
             {OP_REDUCE_SCATTER, 8192}, {OP_SCAN, 8},           {OP_SCAN, 64 << 10}};

/* Results of a planner over all cases so far. A planner that is never the best has all zero. */
struct weight {
    int best, needed;  /* number of cases in which its plan was the best; in which no other plan was
                          within NEEDED */
    double sum, worst; /* cost of leaving it out, as ratios less 1 */
};
enum { NEEDED = 100 }; /* one part in a hundred of the makespan */

/* State of the whole run. */
struct ablation {
    struct weight *weights; /* [planner] */
    bool *left_out;         /* [planner]: all false between cases */
    int cases;
    FILE *file;
};

/* Without the planner the best plan takes `without`.  A difference of up to one part in NEEDED does
 * not count as needed. w is the planner's. */
static void note(struct weight *w, hn_time best, hn_time without)
{
    double loss = best > 0 ? (double)(without - best) / (double)best : 0;
    w->best++;
    w->needed += without - best > best / NEEDED;
    w->sum += loss;
    w->worst = loss > w->worst ? loss : w->worst;
}

/* Plans the case without one planner.  HN_EPLAN: no other planner serves the case. HN_OK then, and
 * the case does not count for the planner. */
static int leave_out(struct ablation *a, const struct request *req, const struct model *model,
                     const struct planner *planner, hn_time best)
{
    struct choice choice;
    struct plan *plan;
    struct timing timing = {0};
    if (!planner)
        return HN_OK;
    /* A planner is identified by its index in planners[]; the mark is removed in any case. */
    a->left_out[planner - planners] = true;
    int error = planner_best_without(req, model, a->left_out, &choice, &plan, &timing);
    a->left_out[planner - planners] = false;
    if (!error)
        note(&a->weights[planner - planners], best, timing.makespan);
    plan_free(plan);
    timing_free(&timing);
    return error == HN_EPLAN ? HN_OK : error;
}

/* The makespan of a running job after so many calls; -1: none. An error is no failure of the whole:
 * the column shows a negative number. */
static hn_time quick(const struct request *req, const struct model *model, int64_t calls)
{
    struct choice choice;
    struct plan *plan;
    struct timing timing = {0};
    int error = planner_best_quick(req, model, calls, &choice, &plan, &timing, NULL);
    hn_time makespan = error ? -1 : timing.makespan;
    plan_free(plan);
    timing_free(&timing);
    return makespan;
}

/* Plans a case, prints its line, and leaves out each planner of its best plan in turn. casts:
 * subnets carry multicasts, for the first columns. */
static int one_case(struct ablation *a, const char *net, bool casts, const struct request *req,
                    const struct model *model)
{
    struct choice choice;
    struct plan *plan;
    struct timing timing = {0};
    char text[CHOICE_TEXT_ROOM];
    double begin = bench_clock();
    int error = planner_best(req, model, NULL, &choice, &plan, &timing);
    if (error)
        return error;
    /* The three times are those of `auto`, of a job after all its calls, and of a job's first call.
     * The processor time includes all three searches. */
    fprintf(a->file, "%s %s %s %" PRId64 " %.3f %.3f %.3f %.2f %s\n", net, casts ? "casts" : "-",
            operation_name(req->op), req->bytes, (double)timing.makespan / 1e6,
            (double)quick(req, model, CALLS_ALL) / 1e6, (double)quick(req, model, 1) / 1e6,
            bench_clock() - begin, choice_text(&choice, text, sizeof text));
    /* A case may take long, so its line must not wait in the buffer. */
    fflush(a->file);
    a->cases++;
    /* The planner, and those of the two stages of a composed plan; NULL: none.  Each is left out
     * once. */
    const struct planner *used[] = {choice.planner, choice.stage[0].planner,
                                    choice.stage[1].planner};
    for (int i = 0; i < 3 && !error; i++)
        if (i == 0 || (used[i] != used[0] && (i == 1 || used[i] != used[1])))
            error = leave_out(a, req, model, used[i], timing.makespan);
    plan_free(plan);
    timing_free(&timing);
    return error;
}

/* All cases of one network, first without and then with multicasts in its subnets. */
static int one_net(struct ablation *a, const char *path)
{
    hn_net *net;
    struct model model;
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    int error = hn_net_read(path, &net);
    if (error)
        return error;
    /* The ranks are the hosts of the file, in its order. */
    int *host = malloc((size_t)hn_net_size(net) * sizeof *host);
    for (int h = 0; host && h < hn_net_size(net); h++)
        host[h] = h;
    /* The model keeps the network, which changes between the rounds only. */
    for (int casts = 0; casts < 2 && host && !error; casts++) {
        for (int s = 0; s < hn_net_subnet_count(net) && !error; s++)
            error = hn_net_set_multicast(net, s, casts);
        if (!error)
            model_of_net(&model, net, host, hn_net_size(net), PORT_MEDIA);
        for (size_t i = 0; i < sizeof cases / sizeof *cases && !error; i++) {
            /* grain 8: operands are elements of eight bytes. */
            struct request req = {.op = cases[i].op,
                                  .ranks = hn_net_size(net),
                                  .bytes = cases[i].bytes,
                                  .grain = cases[i].bytes > 0 ? 8 : 1};
            error = one_case(a, name, casts, &req, &model);
        }
    }
    /* The text of HN_ENOMEM is a general one. */
    error = host ? error : HN_ENOMEM;
    free(host);
    hn_net_free(net);
    return error;
}

/* The loss is spread over all cases, not only over those that the planner wins. */
static void print_weights(const struct ablation *a)
{
    fprintf(a->file, "\n%d cases\n%-24s %6s %6s %9s %9s\n", a->cases, "planner", "best", "needed",
            "loss", "worst");
    for (int i = 0; i < planner_count; i++) {
        const struct weight *w = &a->weights[i];
        fprintf(a->file, "%-24s %6d %6d %8.2f%% %8.2f%%\n", planners[i].name, w->best, w->needed,
                /* A planner that is never the best prints 0, and not the quotient of zeros. */
                w->best ? 100 * w->sum / a->cases : 0, 100 * w->worst);
    }
}

/* Networks that were read before an error have printed their lines already. */
int bench_ablation(const char *nets, FILE *file)
{
    /* An empty name would be read as a missing file. */
    if (*nets == ',' || strstr(nets, ",,") || nets[strlen(nets) - 1] == ',')
        return error_set(HN_EARG, "-ablation %s: a name is empty: give FILE,FILE,...", nets);
    struct ablation a = {.file = file};
    char *list = strdup(nets), *rest = list, *path;
    a.weights = calloc((size_t)planner_count, sizeof *a.weights);
    a.left_out = calloc((size_t)planner_count, sizeof *a.left_out);
    int error = list && a.weights && a.left_out ? HN_OK : error_set(HN_ENOMEM, "out of memory");
    fprintf(file, "network multicast op bytes auto quick first seconds plan    (times in us)\n");
    /* strsep() leaves rest at NULL after the last name. */
    while (!error && (path = strsep(&rest, ",")) != NULL)
        error = one_net(&a, path);
    if (!error)
        print_weights(&a);
    free(list);
    free(a.weights);
    free(a.left_out);
    return error;
}
