/* barchet.c - broadcast among clusters (Barchet-Steffenel and Mounie, sections 6 and 7).
 *
 * Section 6: latency, gap, and the time of the broadcast inside a cluster are uniformly random in
 * the ranges of the paper's Table 2; the root is the first cluster. The paper does not say whether
 * a gap is drawn for each link or for each sending cluster. Both are simulated, because the claims
 * depend on it.
 *
 * Section 7: latencies of the paper's Table 3. It gives no gaps. Assumed are 110 MB/s for latencies
 * below 1 ms, one TCP window of 32 KiB per round trip elsewhere (the default of the time), and a
 * binomial tree inside each cluster.
 *
 * Times are microseconds in section 6, nanoseconds in section 7. Only ratios and sums of them
 * matter, so no unit is converted before the sheets.
 */
#include "dice.h"
#include "study.h"

#include <math.h>

/* The paper's heuristics, then ours. */
static const char *const names[] = {"flat",      "fef",       "ecef",      "ecef_la",
                                    "ecef_la_t", "ecef_la_T", "bottom_up", "search"};
enum { FLAT, FEF, ECEF, LA, LA_T_MIN, LA_T_MAX, BOTTOM_UP, SEARCH, HEURISTICS };
enum { OF_THE_PAPER = SEARCH, ECEF_LIKE = LA_T_MAX - ECEF + 1 };
enum { CLUSTERS_MOST = 50 }; /* the paper's maximum */
/* Our search takes longer than all others together. So it runs on one instance in fifty, and its
 * mean is ECEF's times the ratio of the two on these. The ratio of means over the same instances
 * varies much less than a mean. */
enum { SEARCH_EVERY = 50 };

enum draw { DRAW_LINK, DRAW_CLUSTER };
static const char *const draw_names[] = {"link", "cluster"};

/* Times of Table 2, in microseconds. Each is uniform between its bounds, which belong to the range.
 */
static const int64_t latency_low = 1000, latency_high = 15000, gap_low = 100000, gap_high = 600000,
                     inside_low = 20000, inside_high = 3000000;

/* Draws one instance.  `there` is from i to k with k < i, and each direction has its sender's gap
 * in DRAW_CLUSTER.  Latencies are equal in both directions. */
static struct table *draw_grid(struct dice *dice, int clusters, enum draw draw)
{
    struct table *table = table_new(clusters);
    int64_t own[CLUSTERS_MOST];
    if (!table)
        return NULL;
    /* Both kinds of gap are drawn in any case, so both draws use the same latencies and local
     * times. */
    for (int i = 0; i < clusters; i++) {
        table->local[i] = dice_range(dice, inside_low, inside_high);
        own[i] = dice_range(dice, gap_low, gap_high);
    }
    for (int i = 0; i < clusters; i++)
        for (int k = 0; k < i; k++) {
            int64_t link = dice_range(dice, gap_low, gap_high);
            int there = i * clusters + k, back = k * clusters + i;
            table->constant[TABLE_SEND][there] = draw == DRAW_LINK ? link : own[i];
            table->constant[TABLE_SEND][back] = draw == DRAW_LINK ? link : own[k];
            table->constant[TABLE_TRAVEL][there] = table->constant[TABLE_TRAVEL][back] =
                dice_range(dice, latency_low, latency_high);
        }
    return table;
}

/* Results of all runs with so many clusters: sums of times, and how often each heuristic was the
 * best of the paper's. times in microseconds. */
struct outcome {
    double time[HEURISTICS], hits[HEURISTICS];
    double searched, ecef_there; /* sums over the runs with a search */
};

/* Adds one instance to the sums. search: our planner runs, too. */
static void one_run(struct study *study, struct dice *dice, int clusters, enum draw draw,
                    bool search, struct outcome *o)
{
    struct table *table = draw_grid(dice, clusters, draw);
    struct instance instance;
    struct model model;
    hn_time times[OF_THE_PAPER], least = INT64_MAX;
    if (!table) {
        study->error = HN_ENOMEM;
        return;
    }
    model_of_table(&model, table, PORT_NONBLOCKING);
    /* The root is cluster 0. */
    instance_begin(study, &instance, &model, 0);
    for (int h = 0; h < OF_THE_PAPER; h++) {
        times[h] = instance_time(study, &instance, names[h]);
        o->time[h] += (double)times[h];
        least = times[h] < least ? times[h] : least;
    }
    /* Several heuristics with the least time all have a hit. */
    for (int h = 0; h < OF_THE_PAPER; h++)
        o->hits[h] += times[h] == least;
    /* The ratio needs ECEF's sum over exactly these instances. */
    if (search) {
        o->searched += (double)instance_time(study, &instance, names[SEARCH]);
        o->ecef_there += (double)times[ECEF];
    }
    instance_end(&instance);
    table_free(table);
}

/* ---- figures 1 to 4 --------------------------------------------------------------------- */

static const int sizes[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 35, 40, 45, 50};
enum { SIZES = sizeof sizes / sizeof *sizes, SMALL = 9 /* 2 to 10 */, LAST = SIZES - 1 };

struct figures {
    struct sheet *few, *many, *like, *hits;
};

/* A row of each figure that has this number of clusters; the paper's figures begin and end at
 * different ones. rates: percent of the runs. */
static void add_rows(struct study *study, const struct figures *f, int clusters,
                     const struct outcome *o)
{
    double runs = (double)study->runs, seconds[HEURISTICS], rates[HEURISTICS];
    for (int h = 0; h < HEURISTICS; h++) {
        seconds[h] = o->time[h] / runs / 1e6;
        rates[h] = 100 * o->hits[h] / runs;
    }
    /* Figure 1 ends at 10 clusters; 2 and 3 begin at 5. */
    if (clusters <= 10)
        study_add(study, f->few, clusters, seconds);
    if (clusters >= 5 && clusters % 5 == 0) {
        study_add(study, f->many, clusters, seconds);
        /* series of figure 3 are the ECEF family: columns from ECEF on. */
        study_add(study, f->like, clusters, seconds + ECEF);
    }
    study_add(study, f->hits, clusters, rates + ECEF);
}

/* Two clusters are left out: there all heuristics find the same tree. all[i] is the row of
 * sizes[i]. */
static void claim_few(struct study *study, const struct outcome *all)
{
    int flat_worst = 0, bottom_up_better = 0, ecef_best = 0;
    for (int i = 1; i < SMALL; i++) {
        int best = 0, worst = 0;
        /* Means, not single runs. */
        for (int h = 1; h < OF_THE_PAPER; h++) {
            best = all[i].time[h] < all[i].time[best] ? h : best;
            worst = all[i].time[h] > all[i].time[worst] ? h : worst;
        }
        flat_worst += worst == FLAT;
        bottom_up_better += all[i].time[BOTTOM_UP] < all[i].time[FEF];
        ecef_best += best >= ECEF && best <= LA_T_MAX;
    }
    study_claim(study, flat_worst == SMALL - 1, "the flat tree is the worst (Figure 1)",
                "at %d of %d numbers of clusters (3 to 10)", flat_worst, SMALL - 1);
    study_claim(study, bottom_up_better == SMALL - 1, "BottomUp is better than FEF (Figure 1)",
                "at %d of %d numbers of clusters", bottom_up_better, SMALL - 1);
    study_claim(study, ecef_best == SMALL - 1, "the ECEF family is the best (Figure 1)",
                "at %d of %d numbers of clusters", ecef_best, SMALL - 1);
}

/* Numbers at 5, 10 and 50 clusters; all[3] is the row of 5. */
static void claim_many(struct study *study, const struct outcome *all)
{
    const struct outcome *ten = &all[SMALL - 1], *fifty = &all[LAST];
    /* In hundreds of runs: hits over it are percent. */
    double runs = (double)study->runs / 100, low = 100, high = 0;
    double growth = fifty->time[ECEF] / ten->time[ECEF];
    int best = ECEF;
    for (int h = ECEF; h <= LA_T_MAX; h++)
        best = fifty->time[h] < fifty->time[best] ? h : best;
    study_claim(study, growth < 1.5,
                "the number of clusters has little effect on the ECEF family (Figures 2, 3)",
                "ECEF on 50 clusters takes %.2f times as long as on 10 (flat: %.2f)", growth,
                fifty->time[FLAT] / ten->time[FLAT]);
    study_claim(study, best == LA_T_MAX,
                "with many clusters ECEF-LAT is the fastest on average (Figure 3)",
                "at 50 clusters ecef_la_T takes %.4f times ECEF's time; the fastest is %s",
                fifty->time[LA_T_MAX] / fifty->time[ECEF], names[best]);
    /* One claim for each of the three. */
    for (int h = ECEF; h < LA_T_MAX; h++)
        study_claim(study, fifty->hits[h] < ten->hits[h],
                    "hit rates of ECEF, -LA and -LAt fall with the number of clusters (Figure 4)",
                    "%s: %.0f %% at 5, %.0f %% at 10, %.0f %% at 50", names[h],
                    all[3].hits[h] / runs, ten->hits[h] / runs, fifty->hits[h] / runs);
    /* From five clusters on, where Figure 4 begins. */
    for (int i = 3; i < SIZES; i++) {
        low = fmin(low, all[i].hits[LA_T_MAX] / runs);
        high = fmax(high, all[i].hits[LA_T_MAX] / runs);
    }
    study_claim(study, low > 35 && high < 55, "ECEF-LAT's hit rate stays at about 45 % (Figure 4)",
                "ecef_la_T: %.0f %% to %.0f %% between 5 and 50 clusters", low, high);
    double least = HUGE_VAL;
    for (int h = 0; h < OF_THE_PAPER; h++)
        least = fmin(least, fifty->time[h]);
    /* Not a claim of the paper, so it cannot differ from it. */
    study_claim(
        study, true, "(none: our own planner)",
        "search takes %.3f times the best heuristic's mean at 10 clusters, %.3f times at 50",
        /* At ten clusters only the ECEF family is compared, at 50 all of the paper's. */
        ten->time[SEARCH] / fmin(fmin(ten->time[ECEF], ten->time[LA]),
                                 fmin(ten->time[LA_T_MIN], ten->time[LA_T_MAX])),
        fifty->time[SEARCH] / least);
}

/* Names are constants because a sheet refers to files by them; first and count select series. */
static struct sheet *figure(struct study *study, int number, enum draw draw, const char *about,
                            const char *up, int first, int count)
{
    static const char *const titles[][2] = {{"barchet_figure1_link", "barchet_figure1_cluster"},
                                            {"barchet_figure2_link", "barchet_figure2_cluster"},
                                            {"barchet_figure3_link", "barchet_figure3_cluster"},
                                            {"barchet_figure4_link", "barchet_figure4_cluster"}};
    return study_sheet(study, &(struct sheet_form){.name = titles[number - 1][draw],
                                                   .title = about,
                                                   .across = "clusters",
                                                   .up = up,
                                                   .series = names + first,
                                                   .count = count});
}

/* Runs all sizes with one way of drawing gaps. */
static void study_draw(struct study *study, enum draw draw)
{
    static const char *const times[] = {"Broadcast time, a gap drawn for each link",
                                        "Broadcast time, a gap drawn for each cluster"};
    static const char *const hits[] = {"How often the best, a gap drawn for each link",
                                       "How often the best, a gap drawn for each cluster"};
    struct outcome all[SIZES] = {0};
    struct figures f = {.few = figure(study, 1, draw, times[draw], "mean time, s", 0, HEURISTICS),
                        .many = figure(study, 2, draw, times[draw], "mean time, s", 0, HEURISTICS),
                        .like =
                            figure(study, 3, draw, times[draw], "mean time, s", ECEF, ECEF_LIKE),
                        .hits = figure(study, 4, draw, hits[draw], "hit rate, %", ECEF, ECEF_LIKE)};
    /* A limit (study->largest) ends the loop, and then the claims are left out. */
    for (int i = 0; i < SIZES && study_takes(study, sizes[i]); i++) {
        /* Each size has dice of its own, so that a limit on sizes does not change the others. */
        struct dice dice = dice_of(study->seed, draw * 1000 + sizes[i]);
        for (int64_t run = 0; run < study->runs && !study->error; run++)
            one_run(study, &dice, sizes[i], draw, run % SEARCH_EVERY == 0, &all[i]);
        /* ECEF's mean over all runs, times the ratio on the searched ones. */
        all[i].time[SEARCH] = all[i].time[ECEF] * all[i].searched / all[i].ecef_there;
        add_rows(study, &f, sizes[i], &all[i]);
        study_progress(study, draw * SIZES + i + 1, 2 * SIZES);
    }
    study_note(study, "\ngaps drawn for each %s (the paper does not say for what they are drawn):",
               draw_names[draw]);
    if (!study_takes(study, sizes[LAST]))
        return;
    claim_few(study, all);
    claim_many(study, all);
}

/* Both ways of drawing gaps, since the paper leaves it open. */
void study_barchet(struct study *study)
{
    study_draw(study, DRAW_LINK);
    study_draw(study, DRAW_CLUSTER);
}

/* ---- 88 machines ------------------------------------------------------------------------ */

enum { GROUPS = 6, MACHINES = 88 }; /* sizes of Table 3 */
/* Their sum is MACHINES. */
static const int group_size[GROUPS] = {31, 29, 6, 1, 1, 20};
/* Table 3, in nanoseconds; on the diagonal a pair inside a group. The table is symmetric; groups of
 * one machine have no pair inside. */
static const int64_t latency[GROUPS][GROUPS] = {
    {47560, 62100, 12181520, 12187240, 12197490, 5210990},
    {62100, 47920, 12181520, 12198030, 12195220, 5211470},
    {12181520, 12181520, 35520, 60080, 60080, 5388490},
    {12187240, 12198030, 60080, 0, 242470, 5393980},
    {12197490, 12195220, 60080, 242470, 0, 5394100},
    {5210990, 5211470, 5388490, 5393980, 5394100, 27530}};

/* The gap of a message, in nanoseconds. Below 1 ms: 110 bytes a microsecond. Otherwise 32 KiB a
 * round trip. */
static int64_t gap_of(int a, int b, int64_t bytes)
{
    int64_t round_trip = 2 * latency[a][b];
    return latency[a][b] < 1000000 ? bytes * 1000 / 110 : bytes * round_trip / 32768;
}

/* Clusters as ranks.  The time inside one is that of a binomial tree: a gap and a latency for each
 * doubling. NULL: out of memory. */
static struct table *groups_table(int64_t bytes)
{
    struct table *table = table_new(GROUPS);
    for (int a = 0; a < GROUPS && table; a++) {
        int rounds = 0;
        while (1 << rounds < group_size[a])
            rounds++;
        table->local[a] = rounds * (gap_of(a, a, bytes) + latency[a][a]);
        for (int b = 0; b < GROUPS; b++) {
            table->constant[TABLE_SEND][a * GROUPS + b] = gap_of(a, b, bytes);
            table->constant[TABLE_TRAVEL][a * GROUPS + b] = latency[a][b];
        }
    }
    return table;
}

/* Every machine as a rank, in the order of the groups. Costs depend on the groups of both machines
 * only. */
static struct table *machines_table(int64_t bytes)
{
    struct table *table = table_new(MACHINES);
    int of[MACHINES], count = 0;
    for (int a = 0; a < GROUPS; a++)
        for (int i = 0; i < group_size[a]; i++)
            of[count++] = a;
    for (int i = 0; i < MACHINES && table; i++)
        for (int k = 0; k < MACHINES; k++) {
            table->constant[TABLE_SEND][i * MACHINES + k] = gap_of(of[i], of[k], bytes);
            table->constant[TABLE_TRAVEL][i * MACHINES + k] = latency[of[i]][of[k]];
        }
    return table;
}

/* Seconds of each planner on a table; frees the table. planner: names; count of them. */
static void times_on(struct study *study, struct table *table, const char *const *planner,
                     int count, double *seconds)
{
    struct instance instance;
    struct model model;
    if (!table) {
        study->error = HN_ENOMEM;
        return;
    }
    model_of_table(&model, table, PORT_NONBLOCKING);
    instance_begin(study, &instance, &model, 0);
    for (int h = 0; h < count; h++)
        /* Nanoseconds to seconds. */
        seconds[h] = (double)instance_time(study, &instance, planner[h]) / 1e9;
    instance_end(&instance);
    table_free(table);
}

void study_barchet88(struct study *study)
{
    static const char *const machine_planners[] = {"binomial", "search"};
    static const char *const series[] = {"flat",          "fef",        "ecef",      "ecef_la",
                                         "ecef_la_t",     "ecef_la_T",  "bottom_up", "search",
                                         "binomial (88)", "search (88)"};
    struct sheet *sheet =
        study_sheet(study, &(struct sheet_form){.name = "barchet_figure5",
                                                .title = "Broadcast on 88 machines, predicted",
                                                .across = "message, bytes",
                                                .up = "time, s",
                                                .series = series,
                                                .count = HEURISTICS + 2,
                                                .log_across = true,
                                                .log_up = true});
    double v[HEURISTICS + 2] = {0}, best = HUGE_VAL;
    /* 64 KiB to 4 MiB. The search over 88 machines is the slow part; a limit leaves it out, and its
     * column is 0. */
    for (int64_t bytes = 65536; bytes <= 4 << 20 && !study->error; bytes *= 2) {
        times_on(study, groups_table(bytes), names, HEURISTICS, v);
        times_on(study, machines_table(bytes), machine_planners,
                 study_takes(study, MACHINES) ? 2 : 1, v + HEURISTICS);
        study_add(study, sheet, (double)bytes, v);
    }
    /* v has the times of the largest message. */
    for (int h = ECEF; h <= LA_T_MAX; h++)
        best = fmin(best, v[h]);
    study_claim(study, best < 4, "4 MB by the ECEF family take about 3 s",
                "%.2f s with the gaps assumed here", best);
    study_claim(study, v[FLAT] / best > 5, "the flat tree needs almost six times as long",
                "%.1f times", v[FLAT] / best);
    study_claim(study, v[FLAT] > v[HEURISTICS],
                "the flat tree is even worse than a binomial tree that ignores the grid",
                "flat %.2f s, binomial over the 88 machines %.2f s", v[FLAT], v[HEURISTICS]);
}
