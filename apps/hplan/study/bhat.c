/* bhat.c - total exchange (Bhat, Prasanna and Raghavendra, section 5).
 *
 * Start-up costs and rates of pairs are random between the extremes of the paper's Tables 1 and 2
 * (latencies uniform, rates uniform on a logarithmic scale), equal in both directions; the diagonal
 * is 0. Messages of 1 kB, of 1 MB, a random mixture of these, and large ones from a fifth of the
 * processors (servers) to the others.
 *
 * The paper gives no distribution of servers; here they are the first fifth of the processors.
 * Costs are integers of microseconds.
 */
#include "dice.h"
#include "study.h"

#include <math.h>
#include <string.h>

enum { RANKS_MOST = 50 }; /* the paper's maximum */

/* Columns of the sheets. The first seven but one are heuristics by name; "with barriers" is
 * computed here. */
static const char *const series[] = {"caterpillar", "with barriers", "max_matching", "min_matching",
                                     "greedy",      "open_shop",     "search",       "bound"};
enum { CATERPILLAR, BARRIERS, MAX, MIN, GREEDY, OPEN_SHOP, SEARCH, BOUND, SERIES };

/* One figure each, in the paper's order from Figure 9 on. */
enum sizes { SMALL, LARGE, MIXED, SERVERS, FIGURES };
static const char *const titles[FIGURES] = {"Total exchange of 1 kB", "Total exchange of 1 MB",
                                            "Total exchange of 1 kB or 1 MB",
                                            "Total exchange, large messages from servers"};

/* Latencies in microseconds: extremes of the tables. */
static const int64_t latency_low = 4500, latency_high = 89500;
/* Rates in bits per second: extremes of the tables. */
static const double rate_low = 246e3, rate_high = 4976e3;

/* Servers send large messages to the others, and small ones among themselves. Random only for the
 * mixture. */
static int64_t bytes_of(struct dice *dice, enum sizes sizes, int ranks, int from, int to)
{
    int servers = ranks / 5 > 0 ? ranks / 5 : 1;
    bool large = sizes == LARGE || (sizes == MIXED && dice_range(dice, 0, 1)) ||
                 (sizes == SERVERS && from < servers && to >= servers);
    return large ? 1000000 : 1000;
}

/* Times in microseconds. */
static void draw(struct dice *dice, enum sizes sizes, int ranks, hn_time *cost)
{
    for (int i = 0; i < ranks; i++)
        for (int k = 0; k <= i; k++) {
            double share = (double)dice_range(dice, 0, 1000000) / 1e6;
            /* Uniform on a logarithmic scale. pow() may differ in the last bit between libraries,
             * which the conversion to an integer nearly always removes. */
            double rate = rate_low * pow(rate_high / rate_low, share);
            int64_t latency = dice_range(dice, latency_low, latency_high);
            /* The diagonal draws, too, which keeps the sequence of random numbers simple. */
            int64_t out = bytes_of(dice, sizes, ranks, i, k);
            int64_t back = bytes_of(dice, sizes, ranks, k, i);
            /* 8 bits a byte, 1e6 microseconds a second. */
            cost[i * ranks + k] = latency + (hn_time)(8e6 * (double)out / rate);
            cost[k * ranks + i] = latency + (hn_time)(8e6 * (double)back / rate);
            if (i == k)
                cost[i * ranks + k] = 0;
        }
}

/* The baseline if all ranks wait for each other after every step. Step s: each rank i sends to i +
 * s, as the caterpillar does. The longest message of each step counts. */
static hn_time with_barriers(int ranks, const hn_time *cost)
{
    hn_time time = 0;
    for (int step = 0; step < ranks; step++) {
        hn_time longest = 0;
        for (int i = 0; i < ranks; i++) {
            hn_time c = cost[i * ranks + (i + step) % ranks];
            longest = c > longest ? c : longest;
        }
        time += longest;
    }
    return time;
}

/* Runs the algorithms of the figures by their names. times[] in the order of series; 0 for what an
 * error prevented. */
static void solve(struct study *study, int ranks, const hn_time *cost, hn_time times[SERIES])
{
    struct exchange x;
    study->error = exchange_begin(&x, ranks, cost);
    for (int h = 0; h < exchange_heuristic_count && !study->error; h++)
        /* Two loops over names: the tables may be in any order. */
        for (int s = 0; s < BOUND && !study->error; s++)
            if (strcmp(exchange_heuristics[h].name, series[s]) == 0) {
                study->error = exchange_heuristics[h].run(&x);
                times[s] = x.makespan;
            }
    times[BARRIERS] = with_barriers(ranks, cost);
    times[BOUND] = study->error ? 0 : exchange_bound(&x);
    exchange_end(&x);
}

/* ---- Figures 9 to 12 -------------------------------------------------------------------- */

/* Ratios are times over the lower bound of the same instance. */
struct findings {
    double worst[FIGURES][SERIES]; /* largest ratio to the bound */
    double mean[FIGURES][SERIES];  /* sum of the ratios */
    int instances, shop_within_2;
    double gain_low, gain_high; /* caterpillar / open shop with servers, ratio of the means for P >=
                                   10 */
    double step_high;           /* the same if all ranks wait for each other after each step */
};

/* Adds one instance to the sums and findings. sum: in microseconds, for the means of the figure. */
static void note(struct findings *f, int figure, const hn_time times[SERIES], double sum[SERIES])
{
    for (int s = 0; s < SERIES; s++) {
        double ratio = (double)times[s] / (double)times[BOUND];
        sum[s] += (double)times[s];
        f->mean[figure][s] += ratio;
        f->worst[figure][s] = fmax(f->worst[figure][s], ratio);
    }
    f->instances++;
    f->shop_within_2 += (double)times[OPEN_SHOP] <= 1.02 * (double)times[BOUND];
}

/* One figure: a row for each number of processors.  Ratios in f are of instances; gains are of
 * means, as the paper's plots show them. */
static void one_figure(struct study *study, enum sizes sizes, struct findings *f)
{
    /* The paper's number of the figure is in the file's name. */
    char name[32];
    snprintf(name, sizeof name, "bhat_figure%d", 9 + (int)sizes);
    struct sheet *sheet = study_sheet(study, &(struct sheet_form){.name = name,
                                                                  .title = titles[sizes],
                                                                  .across = "processors",
                                                                  .up = "mean time, s",
                                                                  .series = series,
                                                                  .count = SERIES});
    /* Static, 20 KB. */
    static hn_time cost[RANKS_MOST * RANKS_MOST];
    for (int ranks = 5; ranks <= RANKS_MOST && study_takes(study, ranks); ranks += 5) {
        /* Dice for each figure and size, so a limit does not change other rows. */
        struct dice dice = dice_of(study->seed, sizes * 100 + ranks);
        double sum[SERIES] = {0};
        for (int64_t run = 0; run < study->runs && !study->error; run++) {
            hn_time times[SERIES] = {0};
            draw(&dice, sizes, ranks, cost);
            solve(study, ranks, cost, times);
            note(f, sizes, times, sum);
        }
        for (int s = 0; s < SERIES; s++)
            sum[s] /= (double)study->runs * 1e6;
        study_add(study, sheet, ranks, sum);
        /* The paper's claim begins at ten processors. */
        if (sizes == SERVERS && ranks >= 10) {
            f->gain_low = fmin(f->gain_low, sum[CATERPILLAR] / sum[OPEN_SHOP]);
            f->gain_high = fmax(f->gain_high, sum[CATERPILLAR] / sum[OPEN_SHOP]);
            f->step_high = fmax(f->step_high, sum[BARRIERS] / sum[OPEN_SHOP]);
        }
        study_progress(study, (int)sizes * 10 + ranks / 5, FIGURES * 10);
    }
}

/* Ratios to the bound, one row for each figure. */
static void ratios(struct study *study, const struct findings *f)
{
    /* Each figure has the same number of instances. */
    double runs = (double)f->instances / FIGURES, values[SERIES];
    const struct sheet_form mean = {.name = "bhat_mean_ratio",
                                    .title = "Mean ratio to the lower bound, by figure",
                                    .across = "figure",
                                    .up = "time / bound",
                                    .series = series,
                                    .count = BOUND,
                                    .log_up = true};
    struct sheet_form worst = mean;
    worst.name = "bhat_worst_ratio";
    worst.title = "Worst ratio to the lower bound, by figure";
    struct sheet *means = study_sheet(study, &mean), *worsts = study_sheet(study, &worst);
    for (int figure = 0; figure < FIGURES; figure++) {
        for (int s = 0; s < SERIES; s++)
            values[s] = f->mean[figure][s] / runs;
        study_add(study, means, 9 + figure, values);
        study_add(study, worsts, 9 + figure, f->worst[figure]);
    }
}

/* The largest ratio of an algorithm in all figures. */
static double worst_of(const struct findings *f, int series_number)
{
    double worst = 1;
    for (int figure = 0; figure < FIGURES; figure++)
        worst = fmax(worst, f->worst[figure][series_number]);
    return worst;
}

/* Theorem 2 under its assumptions: positive diagonals. Every second event of a chain has cost 1,
 * all others 0; in the chain each event shares its sender or receiver with the previous one. For
 * odd P the chain has (P + 1) / 2 events of cost 1. Returns the ratio for P ranks. ranks is at most
 * 9. */
static double theorem_2(struct study *study, int ranks)
{
    hn_time cost[9 * 9] = {0};
    struct exchange x;
    double ratio = 0;
    /* The chain goes through the pairs (ranks - k, k). All of cost 1000 share no port, so the bound
     * is 1000, while the caterpillar runs them one after the other. */
    for (int k = 0; 2 * k < ranks; k++)
        cost[(ranks - k) % ranks * ranks + k] = 1000;
    study->error = exchange_begin(&x, ranks, cost);
    for (int h = 0; h < exchange_heuristic_count && !study->error; h++)
        if (strcmp(exchange_heuristics[h].name, "caterpillar") == 0) {
            study->error = exchange_heuristics[h].run(&x);
            ratio = (double)x.makespan / (double)exchange_bound(&x);
        }
    exchange_end(&x);
    return ratio;
}

/* Theorem 2 is examined for odd and even numbers of processors, since only odd ones contradict it.
 * A finding has all numbers that its claim was checked with.
 */
static void claims(struct study *study, const struct findings *f)
{
    double three = theorem_2(study, 3), four = theorem_2(study, 4), nine = theorem_2(study, 9);
    study_claim(study, worst_of(f, OPEN_SHOP) <= 1.1,
                "open shop is often within 2 % of the bound and always within 10 %",
                "within 2 %% in %d of %d instances; at worst %.3f times", f->shop_within_2,
                f->instances, worst_of(f, OPEN_SHOP));
    study_claim(study, fmax(worst_of(f, MAX), worst_of(f, MIN)) <= 1.15,
                "the matchings are within 15 % of the bound",
                "at worst %.3f (maximum) and %.3f (minimum) times", worst_of(f, MAX),
                worst_of(f, MIN));
    study_claim(study, worst_of(f, GREEDY) <= 1.25, "greedy is within 25 % of the bound",
                "at worst %.3f times", worst_of(f, GREEDY));
    study_claim(study, worst_of(f, CATERPILLAR) > 5, "the baseline takes up to 6 times the bound",
                "at worst %.2f times; %.2f times only when all wait for each other after each step",
                worst_of(f, CATERPILLAR), worst_of(f, BARRIERS));
    study_claim(study, f->gain_low >= 2 && f->gain_high <= 5,
                "with servers the algorithms are 2 to 5 times as fast as the baseline (Figure 12)",
                "open shop: %.2f to %.2f times for 10 to 50 processors, by means; up to %.2f only "
                "against a baseline with barriers",
                f->gain_low, f->gain_high, f->step_high);
    study_claim(study, three <= 1.5 && nine <= 4.5,
                "Theorem 2: the baseline is within P/2 times the bound",
                "not with a positive diagonal and odd P: %.1f for P = 3, %.1f for P = 9 ((P + 1) / "
                "2); %.1f for P = 4",
                three, nine, four);
    study_note(study, "search: at worst %.3f times the bound", worst_of(f, SEARCH));
}

/* The claims need all four figures, so they come last. */
void study_bhat(struct study *study)
{
    /* The smallest gain starts above all. */
    struct findings f = {.gain_low = HUGE_VAL};
    for (int sizes = SMALL; sizes < FIGURES; sizes++)
        one_figure(study, (enum sizes)sizes, &f);
    ratios(study, &f);
    if (!study->error)
        claims(study, &f);
}
