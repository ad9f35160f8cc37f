/* first.c - what a program waits for its first plan: the processor time of choosing (the quick way,
 * as at run time) against the operation's own time in the model, which it should stay below.
 *
 * Operations whose data would not fit into a computer of the year 2000 are left out.
 */
#include "bench.h"

#include "coll/internal.h"

#include "hnow.h"

enum { REPEATS = 3 };

static int measure(FILE *file, const char *name, const struct model *model, enum operation op,
                   int64_t bytes)
{
    struct request req = {.op = op, .ranks = model->ranks, .bytes = bytes, .grain = 1};
    struct choice choice;
    struct entries entries = {0};
    double least = 1e9, takes = 0;
    char text[64];
    for (int i = 0; i < REPEATS; i++) {
        struct plan *plan;
        struct timing timing;
        double begin = bench_clock();
        int error = planner_best_quick(&req, model, 1, &choice, &plan, &timing, &entries);
        double seconds = bench_clock() - begin;
        if (error)
            return error;
        least = seconds < least ? seconds : least;
        takes = (double)timing.makespan / 1e12;
        timing_free(&timing);
        plan_free(plan);
    }
    fprintf(file, "%-14s %4d %-15s %8lld %-22s %6d %11.3f %11.3f %9.3f\n", name, model->ranks,
            operation_name(op), (long long)bytes, choice_text(&choice, text, sizeof text),
            entries.plans, takes * 1e3, least * 1e3, least / takes);
    return HN_OK;
}

static int measure_sizes(FILE *file, const char *name, const struct model *model, enum operation op)
{
    static const int64_t sizes[] = {8, 1024, 65536, 1048576};
    int error = HN_OK;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !error; i++) {
        struct request req = {.op = op, .ranks = model->ranks, .bytes = sizes[i], .grain = 1};
        if (op == OP_BARRIER && i > 0)
            break;
        if (request_parts(&req) > 1 && request_parts(&req) * sizes[i] > 64 << 20)
            break;
        error = measure(file, name, model, op, op == OP_BARRIER ? 0 : sizes[i]);
    }
    return error;
}

int bench_first(FILE *file)
{
    static const int ranks[] = {8, 20, 64};
    uint64_t state = 1;
    int error = HN_OK;
    fprintf(file,
            "Choosing the first plan, and what it takes (ms)\n%-14s %4s %-15s %8s %-22s %6s %11s "
            "%11s %9s\n",
            "network", "n", "operation", "bytes", "plan", "plans", "takes", "choosing", "/");
    for (int k = 0; k < BENCH_NETS && !error; k++)
        for (size_t r = 0; r < sizeof ranks / sizeof *ranks && !error; r++) {
            hn_net *net = bench_net(k, ranks[r], &state);
            struct model model;
            if (!net)
                return HN_ENOMEM;
            model_of_net(&model, net, NULL, ranks[r], PORT_MEDIA);
            for (int op = 0; op < OP_COUNT && !error; op++)
                if (op != OP_MULTIMULTICAST) /* it has messages rather than a size */
                    error = measure_sizes(file, bench_net_name(k), &model, (enum operation)op);
            hn_net_free(net);
        }
    return error;
}
