/* grid.c - `hbench grid`: Barchet's practical evaluation (Barchet-Steffenel and Mounie 2006,
 * section 7, Figures 5 and 6), on the hosts of the job.
 *
 * Broadcasts of growing size by each of the paper's heuristics over the subnets, beside the
 * binomial tree that knows nothing of a grid (the paper's "default"); what the model predicts
 * (Figure 5) beside what is measured (Figure 6).
 */
#include "bench.h"

#include "operation_wish.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *plan;
} heuristics[] = {{"default", "binomial"},
                  {"flat tree", "eco"},
                  {"FEF", "subnets_fef"},
                  {"ECEF", "subnets_ecef"},
                  {"ECEF-LA", "subnets_ecef_la"},
                  {"ECEF-LAt", "subnets_ecef_la_t"},
                  {"ECEF-LAT", "subnets_ecef_la_T"},
                  {"BottomUp", "subnets_bottom_up"},
                  {"auto", "auto"}};
enum { HEURISTICS = sizeof heuristics / sizeof heuristics[0] };
static const int64_t usual_sizes[] = {1024, 16384, 65536, 262144, 1024 * 1024, 2097152, 4194304};

static bool run_grid(const struct command *o, struct results *results)
{
    struct operation_wish wish = {
        .collective = collective_named("bcast"),
        .bytes = o->sizes ? o->bytes : usual_sizes,
        .sizes = o->sizes ? o->sizes : (int)(sizeof usual_sizes / sizeof usual_sizes[0]),
        .patient = o->sizes > 0,
        .plans = HEURISTICS,
        .iters = o->iters,
        .peer = o->peer,
        .peers = o->peers,
        .seed = o->seed};

    for (int i = 0; i < HEURISTICS; i++)
        snprintf(wish.plan[i], sizeof wish.plan[i], "%s", heuristics[i].plan);
    return operation_measure(&wish, results);
}

/* The result of a size and a plan that was asked for, or NULL. */
static const struct result *find(const struct results *all, int64_t bytes, const char *asked)
{
    for (size_t i = 0; i < all->count; i++)
        if (!all->at[i].peer && all->at[i].bytes == bytes && strcmp(all->at[i].asked, asked) == 0)
            return &all->at[i];
    return NULL;
}

static void print_seconds(double seconds)
{
    if (seconds > 0)
        printf(" %10.4f", seconds);
    else
        printf(" %10s", "-");
}

static void print_size(const struct results *all, int64_t bytes)
{
    const struct result *usual = find(all, bytes, heuristics[0].plan);

    for (int i = 0; i < HEURISTICS; i++) {
        const struct result *r = find(all, bytes, heuristics[i].plan);
        double predicted, median;
        struct stats s;

        if (!r || !samples_stats(&r->samples, &s))
            continue;
        predicted = result_extra_of(r, "predicted");
        median = usual ? result_median(usual) : s.median;
        printf("%10" PRId64 " %-10s", bytes, heuristics[i].name);
        print_seconds(predicted);
        print_seconds(s.median);
        print_seconds(s.min);
        print_seconds(s.p99);
        printf(" %9.2f", median / s.median);
        if (predicted > 0)
            printf(" %9.2f", predicted / s.median);
        else
            printf(" %9s", "-");
        printf("  %s\n", r->plan);
    }
}

static void print_peers(const struct results *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->at[i].peer) {
            struct stats s;
            if (!samples_stats(&all->at[i].samples, &s))
                continue;
            printf("%10" PRId64 " %-10s %10s", all->at[i].bytes, all->at[i].peer, "-");
            print_seconds(s.median);
            print_seconds(s.min);
            print_seconds(s.p99);
            printf("\n");
        }
}

static void print(const struct results *all)
{
    printf("# Barchet, Figures 5 and 6: broadcast, seconds; the paper: on 88 machines, 4 MB by "
           "ECEF and "
           "its kin in less\n# than 3 s, by the flat tree almost 6 times that, worse than the "
           "default\n"
           "# speed-up: the default's median / this one's; p/m: predicted / median\n");
    printf("# %8s %-10s %10s %10s %10s %10s %9s %9s  %s\n", "Size", "heuristic", "predicted",
           "median", "min", "p99", "speed-up", "p/m", "plan");
    for (size_t i = 0; i < all->count; i++)
        if (!all->at[i].peer && (i == 0 || all->at[i].bytes != all->at[i - 1].bytes))
            print_size(all, all->at[i].bytes);
    print_peers(all);
}

const struct bench bench_grid = {
    "grid", "Barchet's broadcasts on a grid: heuristics beside the binomial tree",
    2,      run_grid,
    print,  NULL};
