/* eco_table.c - ECO's tables, and their comparison with ours (eco_table.h).
 *
 * The paper's program used gather and reduce to all (section 6.2); so do the rows of Tables 4 to 7,
 * with hmd -decomp replicated. CHARMM's butterfly exchanges everything with partners at doubling
 * distances; "butterfly" is its tree, up and down. ECO's root is the first task. The paper's
 * section 7 suggests, as future work, a root that suits the network for operations without a root:
 * "best root". Rows without figures are only ours. The last ones sum the forces of each task's own
 * block to that task, as hmd does by default and CHARMM did later: its butterfly then halves the
 * summed data and doubles the gathered data.
 */
#include "eco_table.h"

#include "hnow.h"

#include <string.h>

/* Figures are in the table's unit; 0 or absent: the paper has none.  Row 0 is ECO itself, the base
 * of all ratios. */
static const struct eco_table tables[] = {
    {3, "broadcast of 16000 bytes, eight hosts on three shared 10 Mb/s segments", "s",
     .broadcast = true,
     .row = {{"ECO", "eco", 0.119, 0.0651, 0.0614},
             {"tree (k = 2)", "kary:2", 0.174, 0.128, 0.104},
             {"tree (k = 3)", "kary:3", 0.162, 0.122, 0.104},
             {"star", "star", 0.141, 0.109, 0.104},
             {"auto", "auto"}}},
    {4, "communication of CHARMM, eight hosts on three shared 10 Mb/s segments", "min",
     .row = {{"ECO", "eco", 2.1, 2.17, 1.79},
             {"tree (k = 2)", "kary:2", 2.7, 2.66, 2.65},
             {"tree (k = 3)", "kary:3", 2.3, 2.30, 2.12},
             {"star", "star", 2.7, 2.59, 2.47},
             {"CHARMM butterfly", "doubling", 3.0, 2.95, 2.69},
             {"butterfly's tree", "butterfly"},
             {"ring", "ring"},
             {"auto", "auto"},
             {"blocks: ECO", "eco", .blocks = true},
             {"blocks: butterfly", "doubling,halving", .blocks = true},
             {"blocks: auto", "auto", .blocks = true}}},
    {5, "the same with high ambient traffic", "min", .traffic = true,
     .row = {{"ECO", "eco", 13.9, 0, 0},
             {"tree (k = 2)", "kary:2", 18.7, 0, 0},
             {"tree (k = 3)", "kary:3", 21.6, 0, 0},
             {"CHARMM butterfly", "doubling", 16.6, 0, 0},
             {"butterfly's tree", "butterfly"},
             {"auto", "auto"},
             {"blocks: auto", "auto", .blocks = true}}},
    {6, "communication of CHARMM, eight hosts on switched 10 Mb/s Ethernet", "min",
     .row = {{"ECO (k = 2)", "eco:2", 1.08, 0, 0},
             {"ECO (k = 3)", "eco:3", 3.28, 0, 0},
             {"CHARMM butterfly", "doubling", 0.82, 0, 0},
             {"butterfly's tree", "butterfly"},
             {"auto", "auto"},
             {"blocks: butterfly", "doubling,halving", .blocks = true},
             {"blocks: auto", "auto", .blocks = true}}},
    {7, "communication of molecular dynamics (Dome), twenty hosts of several kinds", "s",
     .ring = true,
     .row = {{"ECO", "eco", 63.0, 0, 0},
             {"ECO, best root", ECO_BEST_ROOT},
             {"star", "star", 153.5, 0, 0},
             {"tree (k = 4)", "kary:4", 148.1, 0, 0},
             {"ring", "ring", 414.2, 0, 0},
             {"auto", "auto"},
             {"blocks: ECO", "eco", .blocks = true},
             {"blocks: auto", "auto", .blocks = true}}},
};

const struct eco_table *eco_table(int64_t number)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (tables[i].number == number)
            return &tables[i];
    return NULL;
}

int eco_table_rows(const struct eco_table *t)
{
    int n = 0;

    /* The longest table has ECO_ROWS - 1 rows, so an entry without a pattern follows. */
    while (n < ECO_ROWS && t->row[n].pattern)
        n++;
    return n;
}

/* Prints a figure of the paper, or a dash. The paper's figures are of other hosts and another
 * decade, so they are compared by ratio only. */
static void print_figure(double x)
{
    /* The width is the same in both cases, for the columns. */
    if (x > 0)
        printf(" %8.4g", x);
    else
        printf(" %8s", "-");
}

/* Prints a row; rows without samples were not measured. */
static void print_row(const struct eco_table *t, const struct eco_row *row, const struct result *r,
                      const struct stats *eco)
{
    /* 0 / 0 cannot occur: row 0 of every table has a mean. */
    double paper = row->mean / t->row[0].mean;
    struct stats s;

    if (!samples_stats(&r->samples, &s))
        return;
    printf("%-18s", row->pattern);
    print_figure(row->mean);
    print_figure(row->median);
    print_figure(row->min);
    print_figure(paper);
    /* Milliseconds; the last columns are ratios to ECO on the same hosts, by mean and by median. */
    printf("   %9.3f %9.3f %9.3f %9.3f %8.2f %8.2f  %s\n", s.mean * 1e3, s.median * 1e3,
           s.min * 1e3, s.p99 * 1e3, s.mean / eco->mean, s.median / eco->median,
           r->plan[0] ? r->plan : row->plan);
}

/* The result `first` is the ring along the network; the random ones follow. */
static void print_shifts(const struct results *all, size_t first)
{
    struct stats along, s;

    if (first >= all->count || !samples_stats(&all->at[first].samples, &along))
        return;
    printf("\n# A shift of %lld bytes on a ring of all tasks, ms; the paper: in random order more "
           "than "
           "twice as long\n",
           (long long)all->at[first].bytes);
    printf("# %-20s %9s %9s %9s %9s %8s\n", "ring", "mean", "median", "min", "p99", "/ along");
    /* The ratio to the first ring is what the paper reports. */
    for (size_t i = first; i < all->count; i++)
        if (samples_stats(&all->at[i].samples, &s))
            printf("%-22s %9.3f %9.3f %9.3f %9.3f %8.2f\n", all->at[i].plan, s.mean * 1e3,
                   s.median * 1e3, s.min * 1e3, s.p99 * 1e3, s.median / along.median);
}

/* Returns the row of a result: for broadcasts, which are measured for some rows only, the one with
 * its plan; else the one with its number. */
static const struct eco_row *row_of(const struct eco_table *t, const struct results *all,
                                    int result)
{
    for (int i = 0; t->broadcast && i < eco_table_rows(t); i++)
        if (strcmp(t->row[i].plan, all->at[result].asked) == 0)
            return &t->row[i];
    return &t->row[result];
}

/* Ratios need ECO's own samples; without them nothing is printed. */
void eco_table_print(const struct eco_table *t, const struct results *all)
{
    int rows = eco_table_rows(t);
    struct stats eco;

    if (all->count == 0 || !samples_stats(&all->at[0].samples, &eco))
        return;
    printf("# ECO, Table %d: %s\n", t->number, t->about);
    printf("# here: %d tasks, ms %s, %zu samples; / ECO: by mean, by median\n", hn_size(),
           t->broadcast ? "from an agreed moment until the last task is done"
                        : "of hmd's communication a step, a sample is a run",
           all->at[0].samples.count);
    if (t->traffic)
        printf("# ambient traffic: %.0f kB/s of all tasks together\n",
               result_extra_of(&all->at[0], "traffic") * 1e-3);
    printf("# %-16s %8s %8s %8s %8s   %9s %9s %9s %9s %8s %8s\n", "", "paper", t->unit, "", "",
           "here", "", "", "", "", "");
    printf("# %-16s %8s %8s %8s %8s   %9s %9s %9s %9s %8s %8s  %s\n", "pattern", "mean", "median",
           "min", "/ ECO", "mean", "median", "min", "p99", "/ ECO", "/ ECO", "plan");
    /* Rows without samples print nothing. */
    for (int i = 0; i < rows && (size_t)i < all->count; i++)
        print_row(t, row_of(t, all, i), &all->at[i], &eco);
    print_shifts(all, (size_t)rows);
}
