/* operation_bench.c - makes each collective operation a benchmark: `hbench bcast -plan
 * eco,auto`. This file connects the command line with operation_request.h: defaults, checks
 * before anything runs, and the table. What is measured, and how, is in hbench_operation.c. */
#include "bench.h"

#include "operation_request.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Sizes of the user's are measured however long they take (`patient`); default sizes are not. */
static bool run_operation(const struct command *o, struct results *results)
{
    struct operation_request spec = {.collective = collective_named(o->bench),
                                     .bytes = o->bytes,
                                     .sizes = o->sizes,
                                     .patient = o->sizes > 0,
                                     .iters = o->iters,
                                     .peer = o->peer,
                                     .peers = o->peers,
                                     .seed = o->seed};

    if (o->sizes == 0)
        /* Counts the default sizes up to the -1. */
        for (spec.bytes = spec.collective->sizes; spec.bytes[spec.sizes] >= 0;)
            spec.sizes++;
    /* Cannot fail here: suits() has read the same text. */
    operation_read_plans(&spec, o->plan);
    return operation_measure(&spec, results);
}

/* Tries a forecast of each plan, so that a wrong name fails before anything is measured. */
static bool suits_plans(const struct command *o, char *wrong, size_t room)
{
    struct operation_request spec = {.collective = collective_named(o->bench)};
    hn_forecast f;

    if (!operation_read_plans(&spec, o->plan)) {
        snprintf(wrong, room, "-plan %s: give at most %d plans, separated by commas", o->plan,
                 OPERATION_PLANS);
        return false;
    }
    for (int i = 0; i < spec.plans; i++)
        /* The smallest default size is enough to know whether a plan exists for the operation. */
        if (strcmp(spec.plan[i], "all") != 0 &&
            operation_predict(spec.collective, spec.collective->sizes[0], spec.plan[i], &f) !=
                HN_OK) {
            snprintf(wrong, room, "-plan %s: %s", spec.plan[i], hn_error_text());
            return false;
        }
    return true;
}

static bool suits(const struct command *o, char *wrong, size_t room)
{
    /* All tasks see the same: nothing has been sent yet. */
    if (o->sizes && collective_named(o->bench)->sizes[0] == 0) {
        snprintf(wrong, room, "a %s has no data: leave -bytes out", o->bench);
        return false;
    }
    if (o->peers && collective_named(o->bench)->flags & COLLECTIVE_LISTS) {
        snprintf(wrong, room, "no peer has a %s: leave -peer out", o->bench);
        return false;
    }
    return suits_plans(o, wrong, room);
}

/* ---- table ---- */

/* Prints the begin, the time since the first begin, and the loop.  A loop of exactly 0 means that
 * it was not measured. */
static void print_loop(const struct result *r)
{
    double loop = result_extra_of(r, "loop");

    printf(" %7.3f %9.3f", result_extra_of(r, "begin") * 1e3,
           result_extra_of(r, "since_begin") * 1e3);
    if (loop != 0)
        printf(" %9.3f", loop * 1e3);
    else
        printf(" %9s", "-");
}

/* Prints prediction and bound with their ratios to the median. */
static void print_model(const struct result *r, double median)
{
    double predicted = result_extra_of(r, "predicted"), bound = result_extra_of(r, "lower_bound");

    if (predicted > 0)
        /* 1.00 is a perfect prediction. */
        printf("  %10.3f %5.2f", predicted * 1e3, predicted / median);
    else
        printf("  %10s %5s", "-", "-");
    if (bound > 0)
        printf("  %10.3f %5.2f", bound * 1e3, median / bound);
    else
        printf("  %10s %5s", "-", "-");
}

/* Milliseconds. The plan is that of most calls, or the peer's name. */
static void print_line(const char *plan, const struct result *r, const struct stats *s)
{
    printf("%10" PRId64 " %-18s %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f", r->bytes, plan,
           s->median * 1e3, s->low * 1e3, s->high * 1e3, s->min * 1e3, s->mean * 1e3, s->p99 * 1e3);
}

/* Prints the peers of a size, below its plans: their times, and their ratios to hnow's best. */
static void print_peers(const struct results *all, int64_t bytes, double best)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct result *r = &all->at[i];
        struct stats s;

        if (!r->peer || r->bytes != bytes || !samples_stats(&r->samples, &s))
            continue;
        print_line(r->peer, r, &s);
        /* Below 1: hnow's best plan is faster. */
        printf("   best plan / %s: %.2f\n", r->peer, best / s.median);
    }
}

/* Results of one size are adjacent; the peers' are behind all of hnow's. */
static void print(const struct results *all)
{
    double best = NAN;

    if (all->count == 0)
        return;
    printf(
        "# hnow %s, %d tasks: ms from an agreed moment until the last task is done\n"
        "# low, high: 95 %% confidence interval of the median; begin: when the last task had "
        "begun;\n"
        "# since: median from the first begin; loop: Banikazemi's Figure 2; /: predicted / median, "
        "median / bound\n",
        all->at[0].bench, hn_size());
    printf("# clocks agree to within %.3f ms\n", result_extra_of(&all->at[0], "clock_error") * 1e3);
    printf("# %8s %-18s %9s %9s %9s %9s %9s %9s %7s %9s %9s  %10s %5s  %10s %5s\n", "Size", "Plan",
           "median", "low", "high", "min", "mean", "p99", "begin", "since", "loop", "predicted",
           "/", "bound", "/");
    for (size_t i = 0; i < all->count && !all->at[i].peer; i++) {
        const struct result *r = &all->at[i], *next = i + 1 < all->count ? r + 1 : NULL;
        struct stats s;

        /* The best median among the plans of one size, to which its peers are compared. NAN: none
         * has samples. */
        if (i > 0 && r[-1].bytes != r->bytes)
            best = NAN;
        if (samples_stats(&r->samples, &s)) {
            best = best <= s.median ? best : s.median;
            print_line(r->plan, r, &s);
            print_loop(r);
            print_model(r, s.median);
            printf("\n");
        }
        /* The last plan of a size: its peers follow. */
        if (!next || next->peer || next->bytes != r->bytes)
            print_peers(all, r->bytes, best);
    }
}

const struct bench bench_operation = {NULL,  NULL, " bytes iters plan peer ", 1, run_operation,
                                      print, suits};
