/* banikazemi.c - broadcast trees and gather on fast and slow nodes (Banikazemi et al., section 4).
 *
 * Parameters are the paper's Table 1 and its network (100 Mbit/s, two switch ports of 8 us). The
 * trees of Figure 6, which the text does not describe, are interpreted as follows. Binomial: fast
 * nodes first. Sequential: slow nodes are served first. Hierarchical: the root serves the fast
 * nodes and one slow one, and every other fast node serves one slow node. Gather follows the
 * paper's formula, in which messages pass the root's link one after the other.
 *
 * The paper's figures give no numbers, so claims compare orders and ratios only.
 */
#include "study.h"

#include <math.h>
#include <string.h>

/* Picoseconds, and picoseconds per byte. From the paper's Table 1: S and R, constant and per byte.
 */
struct kind {
    int64_t send, send_byte, recv, recv_byte;
};
static const struct kind fast = {60000000, 50000, 110000000, 30000};
static const struct kind slow = {90000000, 180000, 140000000, 80000};
/* Network: two switch ports, and a byte at 100 Mbit/s. */
static const int64_t travel = 16000000, travel_byte = 80000;

/* The first `quick` nodes are fast. The diagonal has costs, too, which nothing uses. NULL: out of
 * memory. */
static struct table *make_table(int nodes, int quick)
{
    struct table *table = table_new(nodes);
    for (int i = 0; i < nodes && table; i++)
        for (int k = 0; k < nodes; k++) {
            const struct kind *from = i < quick ? &fast : &slow, *to = k < quick ? &fast : &slow;
            int at = i * nodes + k;
            table->constant[TABLE_SEND][at] = from->send;
            table->per_byte[TABLE_SEND][at] = from->send_byte;
            table->constant[TABLE_TRAVEL][at] = travel;
            table->per_byte[TABLE_TRAVEL][at] = travel_byte;
            table->constant[TABLE_RECV][at] = to->recv;
            table->per_byte[TABLE_RECV][at] = to->recv_byte;
        }
    return table;
}

/* ---- Figure 7: trees -------------------------------------------------------------------- */

/* The columns of a sheet; `auto` is ours and takes no part in the claims. */
static const char *const tree_names[] = {"binomial", "sequential", "hierarchical", "auto"};
enum { BINOMIAL, SEQUENTIAL, HIERARCHICAL, AUTO, TREES };

/* Ranks below half are fast; the root is one of them. */
static void grow_hierarchical(struct tree *tree)
{
    int half = tree->ranks / 2;
    /* One slow node, number `half`, is served by the root itself. */
    for (int i = 1; i <= half; i++)
        tree_add(tree, 0, i);
    for (int i = 1; i < half; i++)
        tree_add(tree, i, half + i);
}

/* The slow half first. */
static void grow_sequential(struct tree *tree)
{
    int n = tree->ranks;
    for (int i = 0; i < n - 1; i++)
        /* Children are served in the order in which they are added: n / 2, ..., n - 1, then 1, ...,
         * n / 2 - 1. */
        tree_add(tree, 0, i < n / 2 ? n / 2 + i : i - n / 2 + 1);
}

/* The root is rank 0, and ranks are a power of two. */
static void grow_binomial(struct tree *tree)
{
    /* Large subtrees first: rank i + span is the root of a subtree of span ranks. */
    for (int span = tree->ranks / 2; span > 0; span /= 2)
        for (int i = 0; i < tree->ranks; i += 2 * span)
            tree_add(tree, i, i + span);
}

/* The predicted time of a tree: it is made into a plan and simulated like any other. */
static hn_time time_of_tree(struct study *study, const struct request *req,
                            const struct model *model, void (*grow)(struct tree *))
{
    /* After an earlier error nothing is made, and the result is 0. */
    struct tree *tree = study->error ? NULL : tree_new(req->ranks, 0);
    struct plan *plan = study->error ? NULL : plan_new(req->ranks);
    struct timing timing = {0};
    hn_time time = 0;
    if (!study->error)
        study->error = tree && plan ? HN_OK : HN_ENOMEM;
    if (!study->error) {
        grow(tree);
        study->error = tree_finish(tree);
    }
    if (!study->error) {
        /* 0: whole messages. */
        tree_plan(tree, req, 0, plan);
        study->error = plan_finish(plan);
    }
    if (!study->error) {
        study->error = plan_simulate(plan, model, &timing);
        time = timing.makespan;
        timing_free(&timing);
    }
    tree_free(tree);
    plan_free(plan);
    return time;
}

/* `auto` may use segments, which the paper's trees do not. So it may be below any tree in the
 * figures. */
static hn_time time_of_auto(struct study *study, const struct request *req,
                            const struct model *model)
{
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    if (!study->error)
        study->error = planner_best(req, model, NULL, &choice, &plan, &timing);
    if (study->error)
        return 0;
    hn_time makespan = timing.makespan;
    timing_free(&timing);
    plan_free(plan);
    return makespan;
}

/* us[tree]: the predicted time, in microseconds. After an error the times are 0, and study_add()
 * drops them. */
static void broadcasts(struct study *study, const struct model *model, int64_t bytes, double *us)
{
    struct request req = {.op = OP_BCAST, .ranks = model->ranks, .bytes = bytes, .grain = 1};
    us[BINOMIAL] = (double)time_of_tree(study, &req, model, grow_binomial) / 1e6;
    us[SEQUENTIAL] = (double)time_of_tree(study, &req, model, grow_sequential) / 1e6;
    us[HIERARCHICAL] = (double)time_of_tree(study, &req, model, grow_hierarchical) / 1e6;
    us[AUTO] = (double)time_of_auto(study, &req, model) / 1e6;
}

/* One diagram of Figure 7: half of the nodes are fast. */
static struct sheet *figure_7(struct study *study, int nodes)
{
    struct sheet *sheet = study_sheet(
        study,
        &(struct sheet_form){.name = nodes == 8 ? "banikazemi_figure7a" : "banikazemi_figure7b",
                             .title = nodes == 8 ? "Broadcast, 4 fast and 4 slow nodes"
                                                 : "Broadcast, 8 fast and 8 slow nodes",
                             .across = "message, bytes",
                             .up = "time, us",
                             .series = tree_names,
                             .count = TREES,
                             .log_across = true,
                             .log_up = true});
    /* Fast nodes are ranks 0 ... nodes / 2 - 1. */
    struct table *table = make_table(nodes, nodes / 2);
    struct model model;
    if (!table && !study->error)
        study->error = HN_ENOMEM;
    if (table)
        model_of_table(&model, table, PORT_NONBLOCKING);
    /* Powers of two up to 64 KiB, as on the paper's axis. */
    for (int64_t bytes = 1; bytes <= 65536 && !study->error; bytes *= 2) {
        double us[TREES];
        broadcasts(study, &model, bytes, us);
        study_add(study, sheet, (double)bytes, us);
    }
    table_free(table);
    return sheet;
}

/* The paper's tree with the least time in a row. Our own is left out. Of equal trees the first. */
static const char *best_tree(const struct sheet *sheet, int row)
{
    int best = 0;
    for (int k = 1; k < AUTO; k++)
        if (sheet->values[row * TREES + k] < sheet->values[row * TREES + best])
            best = k;
    return tree_names[best];
}

/* Row counts: 4096 bytes themselves count neither as below nor as above. */
static void claim_trees(struct study *study, const struct sheet *eight, const struct sheet *sixteen)
{
    int worst = 0, below = 0, small = 0, above = 0, best = 0;
    double last = 0;
    for (int r = 0; r < eight->rows; r++) {
        const double *us = eight->values + r * TREES;
        const char *name = best_tree(eight, r);
        /* The counts are over the paper's sizes of messages, one row each. */
        worst += us[BINOMIAL] > us[SEQUENTIAL] && us[BINOMIAL] > us[HIERARCHICAL];
        small += eight->x[r] < 4096;
        below += eight->x[r] < 4096 && strcmp(name, "hierarchical") == 0;
        above += eight->x[r] > 4096 && strcmp(name, "sequential") == 0;
        if (strcmp(name, "hierarchical") == 0)
            last = eight->x[r];
    }
    for (int r = 0; r < sixteen->rows; r++)
        best += strcmp(best_tree(sixteen, r), "hierarchical") == 0;
    study_claim(study, worst == eight->rows, "8 nodes: the binomial tree is the worst (Figure 7a)",
                "at %d of %d sizes", worst, eight->rows);
    study_claim(study, below == small && above == eight->rows - small - 1,
                "8 nodes: hierarchical is best up to 4 KB, sequential above (Figure 7a)",
                "hierarchical is best up to %g bytes, sequential at %d of %d sizes above 4 KB",
                last, above, eight->rows - small - 1);
    study_claim(study, best == sixteen->rows, "16 nodes: hierarchical is the best (Figure 7b)",
                "at %d of %d sizes", best, sixteen->rows);
}

/* ---- Figure 8: gather ------------------------------------------------------------------- */

/* The paper's equation for gather at a fast root: node i's message is ready after its send, passes
 * the root's link after i others, and is received by the root, in FIFO order. In microseconds. */
static double gather_time(int nodes, int quick, double bytes)
{
    double x = ((double)travel + (double)travel_byte * bytes) / 1e6, t = 0;
    double recv = ((double)fast.recv + (double)fast.recv_byte * bytes) / 1e6;
    /* Fast nodes have the lower numbers, so the messages are in the order in which they are ready.
     */
    for (int i = 1; i < nodes; i++) {
        const struct kind *kind = i < quick ? &fast : &slow;
        double send = ((double)kind->send + (double)kind->send_byte * bytes) / 1e6;
        t = fmax(t, send + i * x) + recv;
    }
    return t;
}

/* One diagram of Figure 8.  Fast nodes come first, and the root is always fast. */
static void figure_8(struct study *study, int nodes)
{
    static const char *const series[] = {"1 B", "1 KB", "4 KB", "16 KB"};
    static const int64_t sizes[] = {1, 1024, 4096, 16384};
    struct sheet *sheet = study_sheet(
        study,
        &(struct sheet_form){.name = nodes == 8 ? "banikazemi_figure8_8" : "banikazemi_figure8_16",
                             .title = nodes == 8 ? "Gather on 8 nodes" : "Gather on 16 nodes",
                             .across = "fast nodes",
                             .up = "time, us",
                             .series = series,
                             .count = 4,
                             .log_up = true});
    double gain = 0;
    for (int quick = 1; quick <= nodes; quick++) {
        double us[4];
        for (int k = 0; k < 4; k++) {
            us[k] = gather_time(nodes, quick, (double)sizes[k]);
            /* The claim is about more than four fast nodes, but not about all of them: the last
             * slow node's departure is another effect, which the finding names. */
            if (quick > 4 && quick < nodes)
                gain = fmax(gain, 1 - us[k] / gather_time(nodes, 4, (double)sizes[k]));
        }
        study_add(study, sheet, quick, us);
    }
    study_claim(study, gain < 0.05, "gather gains little from more than four fast nodes (Figure 8)",
                "%d nodes: from four to %d fast nodes at most %.0f %%; but %.0f %% at 4 KB when "
                "the last slow one goes",
                nodes, nodes - 1, 100 * gain,
                100 * (1 - gather_time(nodes, nodes, 4096) / gather_time(nodes, nodes - 1, 4096)));
}

/* Nothing is random here: `runs` and the seed are not used. */
void study_banikazemi(struct study *study)
{
    /* A sheet is NULL after an error only. */
    struct sheet *eight = figure_7(study, 8), *sixteen = figure_7(study, 16);
    if (!study->error)
        claim_trees(study, eight, sixteen);
    figure_8(study, 8);
    figure_8(study, 16);
}
