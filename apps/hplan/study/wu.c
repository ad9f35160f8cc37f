/* wu.c - multiple multicast (Wu, Yeh and Liu, section 5).
 *
 * Four classes of nodes, random for each run within the paper's ranges (constant parts 80 to 400
 * us, per-byte parts 0.0001 to 0.01 us); the paper does not give the number of classes. Networks of
 * 155 Mbit/s and 1 Gbit/s, without latency, as the paper gives none. Messages: small (1 to 1024
 * bytes), large (1 MB or 1.5 MB), or a mixture (hybrid).
 *
 * Cases: single broadcast, from every node in turn; all-to-all broadcast; general multiple
 * multicast, in which half of the nodes are sources, each with a random set of destinations.
 *
 * Times are ps in the model and ms in the sheets. Equation 2 is compared with the optimum of tiny
 * instances: it is no lower bound where lengths differ.
 */
#include "dice.h"
#include "study.h"

#include <math.h>
#include <string.h>

/* Our search takes long. So it runs on the last of ten instances of up to 16 nodes, and its mean is
 * WRP's times the ratio of the two on these. The others are exact. */
enum { NODES_MOST = 64, CLASSES = 4, SEARCH_NODES_MOST = 16, SEARCH_EVERY = 10 };

static const char *const names[] = {"fef", "ecf", "wr", "wrp", "search"};
enum { FEF, ECF, WR, WRP, SEARCH, ALGORITHMS };
/* Besides the algorithms: the paper's bound and the corrected one. */
static const char *const series[] = {"fef", "ecf", "wr", "wrp", "search", "eq. 2", "bound"};
enum { EQ2 = ALGORITHMS, BOUND, SERIES };

/* A network without latency has a rate only. */
struct net_class {
    const char *name;
    int64_t travel_byte; /* picoseconds per byte */
};
static const struct net_class nets[] = {{"slow", 8000000 / 155}, {"fast", 8000}};

enum lengths { SMALL, LARGE, HYBRID };
static const char *const length_names[] = {"small", "large", "hybrid"};
enum pattern { SINGLE, ALL, GENERAL };
static const char *const pattern_names[] = {"single", "all", "general"};

/* One experiment. */
struct setting {
    enum pattern pattern;
    const struct net_class *net;
    enum lengths lengths;
    int nodes;
};

/* Draws classes, then the class of each node.  Costs of sending depend on the sender only, and
 * those of receiving on the receiver only. */
static struct table *draw_nodes(struct dice *dice, const struct setting *set)
{
    struct table *table = table_new(set->nodes);
    /* A class is drawn once for each run; nodes choose among four. */
    int64_t class[CLASSES][4]; /* send, send per byte, receive, receive per byte: picoseconds */
    for (int c = 0; c < CLASSES; c++)
        for (int k = 0; k < 4; k++)
            class[c][k] =
                k % 2 ? dice_range(dice, 100, 10000) : dice_range(dice, 80, 400) * 1000000;
    for (int i = 0; i < set->nodes && table; i++) {
        const int64_t *own = class[dice_range(dice, 0, CLASSES - 1)];
        for (int k = 0; k < set->nodes; k++) {
            int out = i * set->nodes + k, in = k * set->nodes + i;
            table->constant[TABLE_SEND][out] = own[0];
            table->per_byte[TABLE_SEND][out] = own[1];
            table->constant[TABLE_RECV][in] = own[2];
            table->per_byte[TABLE_RECV][in] = own[3];
            /* The cost of a byte on the network is the same between all nodes. */
            table->per_byte[TABLE_TRAVEL][out] = set->net->travel_byte;
        }
    }
    return table;
}

/* Large messages are 1 MB or 1.5 MB. */
static int64_t draw_length(struct dice *dice, enum lengths lengths)
{
    bool large = lengths == LARGE || (lengths == HYBRID && dice_range(dice, 0, 1));
    return large ? dice_range(dice, 2, 3) * 500000 : dice_range(dice, 1, 1024);
}

/* Makes the messages of one run. Returns their number. wants has room for nodes * nodes. A single
 * broadcast is from `root`. shift: sources of the general pattern are consecutive nodes from a
 * random one on. */
static int draw_messages(struct dice *dice, const struct setting *set, int root,
                         struct multicast_message *messages, bool *wants)
{
    int n = set->nodes, count = set->pattern == SINGLE ? 1 : set->pattern == ALL ? n : n / 2;
    int shift = (int)dice_range(dice, 0, n - 1);
    for (int k = 0; k < count; k++) {
        bool *set_of = wants + (size_t)k * (size_t)n;
        int source = set->pattern == SINGLE ? root : (k + shift) % n;
        for (int i = 0; i < n; i++)
            /* In the general pattern a message may be without a destination; then it costs nothing.
             */
            set_of[i] = i != source && (set->pattern != GENERAL || dice_range(dice, 0, 1));
        messages[k] = (struct multicast_message){source, draw_length(dice, set->lengths), set_of};
    }
    return count;
}

/* The caller's names are those of the table; HN_EPLAN also if an algorithm refuses the instance. m
 * keeps the schedule of the last algorithm that ran. */
static int run_algorithm(struct multicast *m, const char *name)
{
    for (int a = 0; a < multicast_algorithm_count; a++)
        if (strcmp(multicast_algorithms[a].name, name) == 0)
            return multicast_algorithms[a].run(m);
    return HN_EPLAN;
}

/* Sums of times over the instances of a setting. In ps. */
struct sums {
    double time[SERIES];
    double searched, wrp_there; /* sums over the instances with a search */
};

/* Adds the times of one instance. HN_EPLAN of an algorithm is an error of the study. */
static void solve(struct study *study, const struct model *model,
                  const struct multicast_message *messages, int count, bool search,
                  struct sums *sums)
{
    struct multicast m;
    hn_time wrp = 0, eq2 = 0, bound = 0;
    study->error = multicast_begin(&m, model, messages, count);
    for (int a = 0; a < SEARCH && !study->error; a++) {
        study->error = run_algorithm(&m, names[a]);
        sums->time[a] += (double)m.makespan;
        wrp = m.makespan; /* the last algorithm */
    }
    if (!study->error) {
        sums->time[EQ2] += (double)(eq2 = multicast_bound_eq2(&m));
        sums->time[BOUND] += (double)(bound = multicast_bound(&m));
    }
    /* The bounds return -1 if out of memory. */
    if (eq2 < 0 || bound < 0)
        study->error = HN_ENOMEM;
    if (search && !study->error) {
        study->error = run_algorithm(&m, names[SEARCH]);
        sums->searched += (double)m.makespan;
        sums->wrp_there += (double)wrp;
    }
    multicast_end(&m);
}

/* Mean times of a setting, in milliseconds; NAN for a search that did not run. */
static void measure(struct study *study, const struct setting *set, double *mean)
{
    /* Static: the function is not called concurrently, and the array is 4 KB. */
    static bool wants[NODES_MOST * NODES_MOST];
    struct multicast_message messages[NODES_MOST];
    /* The settings of one size begin with equal dice. So their first runs have the same nodes. */
    struct dice dice = dice_of(study->seed, set->nodes);
    struct sums sums = {0};
    /* A single broadcast is repeated from each node, as the paper's mean is over all roots. */
    int roots = set->pattern == SINGLE ? set->nodes : 1;
    bool may_search = set->pattern != SINGLE && set->nodes <= SEARCH_NODES_MOST;
    for (int64_t run = 0; run < study->runs && !study->error; run++) {
        struct table *table = draw_nodes(&dice, set);
        struct model model;
        if (!table) {
            study->error = HN_ENOMEM;
            return;
        }
        model_of_table(&model, table, PORT_NONBLOCKING);
        for (int root = 0; root < roots && !study->error; root++) {
            int count = draw_messages(&dice, set, root, messages, wants);
            solve(study, &model, messages, count,
                  /* Of each ten runs the last: runs below ten have no search at all. */
                  may_search && run % SEARCH_EVERY == SEARCH_EVERY - 1, &sums);
        }
        table_free(table);
    }
    /* NAN prints as a dash. */
    sums.time[SEARCH] = sums.wrp_there > 0 ? sums.time[WRP] * sums.searched / sums.wrp_there : NAN;
    for (int s = 0; s < SERIES; s++)
        mean[s] = sums.time[s] / ((double)study->runs * roots * 1e9);
}

/* ---- the figures ------------------------------------------------------------------------ */

static const int node_counts[] = {8, 16, 32, 64};
enum { COUNTS = sizeof node_counts / sizeof *node_counts };

/* Results of all settings, for the claims. Settings are figures times numbers of nodes. */
struct findings {
    int settings, wrp_best;
    double wrp_worst;       /* its largest ratio to the bound, at 64 nodes */
    double wrp_worst_large; /* the same, only long messages */
    int singles, same;      /* single broadcasts; those in which ECF, WR and WRP take the same
                               time */
    double fef_single;      /* smallest FEF / ECF in these */
    int search_best;        /* number of settings in which search beats all of the paper's */
    int searched;
};

/* Adds the means of one setting. */
static void note(struct findings *f, const struct setting *set, const double *ms)
{
    /* WRP itself is compared with the best of the other three. */
    double best = fmin(fmin(ms[FEF], ms[ECF]), ms[WR]);
    if (set->pattern == SINGLE) {
        f->singles++;
        f->same +=
            /* Within one percent counts as the same time. */
            fabs(ms[ECF] - ms[WRP]) < 0.01 * ms[ECF] && fabs(ms[WR] - ms[WRP]) < 0.01 * ms[WR];
        f->fef_single = fmin(f->fef_single, ms[FEF] / ms[ECF]);
    } else {
        f->settings++;
        f->wrp_best += ms[WRP] <= best;
    }
    if (set->nodes == NODES_MOST) {
        f->wrp_worst = fmax(f->wrp_worst, ms[WRP] / ms[BOUND]);
        if (set->lengths == LARGE)
            f->wrp_worst_large = fmax(f->wrp_worst_large, ms[WRP] / ms[BOUND]);
    }
    if (!isnan(ms[SEARCH])) {
        f->searched++;
        f->search_best += ms[SEARCH] < fmin(best, ms[WRP]);
    }
}

/* One figure: a row for each number of nodes. set.nodes is set here. */
static void one_figure(struct study *study, struct setting set, struct findings *f)
{
    char name[64], title[96];
    snprintf(name, sizeof name, "wu_%s_%s_%s", pattern_names[set.pattern], set.net->name,
             length_names[set.lengths]);
    snprintf(title, sizeof title, "%s, %s network, %s messages",
             set.pattern == SINGLE ? "Single broadcast"
             : set.pattern == ALL  ? "All-to-all broadcast"
                                   : "General multiple multicast",
             set.net->name, length_names[set.lengths]);
    struct sheet *sheet = study_sheet(study, &(struct sheet_form){.name = name,
                                                                  .title = title,
                                                                  .across = "nodes",
                                                                  .up = "mean time, ms",
                                                                  .series = series,
                                                                  .count = SERIES,
                                                                  .log_up = true});
    for (int i = 0; i < COUNTS && study_takes(study, node_counts[i]); i++) {
        double ms[SERIES];
        set.nodes = node_counts[i];
        measure(study, &set, ms);
        study_add(study, sheet, set.nodes, ms);
        note(f, &set, ms);
    }
}

/* ---- equation 2 ------------------------------------------------------------------------- */

/* Solves tiny instances with messages of both lengths exactly. Returns how often the optimum is
 * below equation 2; *farthest is the largest difference. */
static int optimum_below_eq2(struct study *study, int runs, double *farthest)
{
    /* All-to-all with hybrid lengths on three nodes: nine deliveries at most. */
    const struct setting set = {ALL, &nets[1], HYBRID, 3};
    struct dice dice = dice_of(study->seed, -1);
    struct multicast_message messages[3];
    bool wants[9];
    int below = 0;
    for (int run = 0; run < runs && !study->error; run++) {
        struct table *table = draw_nodes(&dice, &set);
        struct model model;
        struct multicast m;
        if (!table) {
            study->error = HN_ENOMEM;
            break;
        }
        model_of_table(&model, table, PORT_NONBLOCKING);
        int count = draw_messages(&dice, &set, 0, messages, wants);
        study->error = multicast_begin(&m, &model, messages, count);
        if (!study->error)
            study->error = run_algorithm(&m, "exact");
        /* m has the optimum now. */
        hn_time eq2 = study->error ? 0 : multicast_bound_eq2(&m);
        if (m.makespan < eq2) {
            below++;
            *farthest = fmax(*farthest, (double)eq2 / (double)m.makespan);
        }
        multicast_end(&m);
        table_free(table);
    }
    return below;
}

/* Instances of three nodes are small enough for the exact search; fewer are tried in short studies.
 */
static void claims(struct study *study, const struct findings *f)
{
    /* A hundred instances for each run, so that a short study stays short. */
    int tiny = study->runs < 10 ? (int)study->runs * 100 : 1000;
    double farthest = 1;
    int below = optimum_below_eq2(study, tiny, &farthest);
    study_claim(study, f->same == f->singles,
                "for a single broadcast ECF, WR and WRP take almost the same time (section 5.1)",
                "within 1 %% in %d of %d settings", f->same, f->singles);
    study_claim(study, f->fef_single > 1.2,
                "for a single broadcast FEF takes much longer (section 5.1)",
                "at least %.2f times as long as ECF in every setting", f->fef_single);
    study_claim(study, f->wrp_best == f->settings, "WRP is the best of the four (section 5.2)",
                "in %d of %d settings", f->wrp_best, f->settings);
    study_claim(study, f->wrp_worst <= 2.5,
                "WRP is within 2.5 times of the lower bound on large systems (section 5.2)",
                "at 64 nodes at most %.2f times the repaired bound (long messages: %.2f)",
                f->wrp_worst, f->wrp_worst_large);
    study_claim(study, below == 0, "equation 2 is a lower bound (section 4.5)",
                "not when lengths differ: in %d of %d tiny hybrid instances the optimum is below "
                "it, by a factor of up to %.2f; `bound` is the repaired form",
                below, tiny, farthest);
    if (f->searched > 0)
        study_note(study, "search is below all four in %d of %d settings of up to %d nodes",
                   f->search_best, f->searched, SEARCH_NODES_MOST);
    else
        study_note(study, "search was not tried: give -runs %d, or more", SEARCH_EVERY);
}

/* 16 figures, then the claims over all of them. */
void study_wu(struct study *study)
{
    struct findings f = {.fef_single = HUGE_VAL};
    int done = 0, all = 3 * 2 * 3;
    for (int pattern = SINGLE; pattern <= GENERAL; pattern++)
        for (int net = 0; net < 2; net++)
            for (int lengths = SMALL; lengths <= HYBRID; lengths++) {
                /* Every other combination is a figure of its own: 16 in all. */
                if (pattern != SINGLE || lengths != HYBRID) /* one message has only one length */
                    one_figure(study,
                               (struct setting){(enum pattern)pattern, &nets[net],
                                                (enum lengths)lengths, 0},
                               &f);
                study_progress(study, ++done, all);
            }
    /* A study limited to smaller instances makes no claims. */
    if (study_takes(study, NODES_MOST))
        claims(study, &f);
}
