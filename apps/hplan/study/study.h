/* study.h - repeats the papers' simulation studies: hplan -study.
 *
 * A study draws random networks (or uses a paper's own numbers), plans on them with the paper's
 * heuristics and ours, and fills sheets of numbers. It also lists the paper's claims, each with its
 * own finding. All numbers depend only on the seed, so that every machine gets the same.
 *
 * Part of the tool, not of the library.
 *
 * A study is a function of its row in study_rows[]. It must not print, and it must check nothing
 * after each call: after an error everything is skipped until study_run() reports it.
 */
#pragma once

#include "sheet.h"

#include "coll/internal.h"

#include <stdint.h>

/* A claim of a paper, and whether this study agrees. found is allocated, and owned by the study. */
struct claim {
    const char *paper; /* NULL: a note, not a claim of a paper */
    char *found;
    bool holds;
};

/* A running study. The first error is kept; the functions below do nothing after it. */
struct study {
    const char *name;
    int64_t runs;
    uint64_t seed;
    int largest; /* for tests: larger instances, and claims about them, are skipped; 0: no limit */
    const hn_net *net; /* for studies that need one; NULL: none given */
    /* On a terminal only. */
    bool progress; /* print progress on standard error */
    struct sheet **sheets;
    int sheet_count;
    struct claim *claims;
    int claim_count;
    int error;
};

/* The table is in study_run.c. */
struct study_row {
    const char *name, *source, *about;
    int64_t runs; /* default; 0: nothing is random */
    void (*run)(struct study *study);
    bool wants_net; /* it has no networks of its own */
};
extern const struct study_row study_rows[];
extern const int study_count;

/* hplan -study: runs one study, prints tables and claims on `out`, and writes a CSV file and a plot
 * for each sheet into `directory` (NULL: writes nothing). runs 0: the study's default; largest: as
 * in struct study; net: NULL, or a network for a study that needs one, owned by the caller. Returns
 * HN_OK, or an error with error_set()'s text. */
int study_run(const char *name, int64_t runs, uint64_t seed, int largest, const hn_net *net,
              const char *directory, FILE *out);
/* Prints "NAME  SOURCE, what" of each study in one or two lines. */
void study_list(FILE *out);

/* ---- functions for studies -------------------------------------------------------------- */

/* True if instances of so many nodes are included. */
static inline bool study_takes(const struct study *study, int nodes)
{
    return !study->error && (!study->largest || nodes <= study->largest);
}
/* A new sheet of the study (sheet.h); NULL after an error. */
struct sheet *study_sheet(struct study *study, const struct sheet_form *form);
/* Appends a row with the form's number of values. Does nothing after an error, so `sheet` may be
 * NULL then. */
void study_add(struct study *study, struct sheet *sheet, double x, const double *values);
/* Records a claim of the paper (a constant text) and, printf-like, the finding. holds false is a
 * result like any other: it is printed as DIFFERS. */
__attribute__((format(printf, 4, 5))) void study_claim(struct study *study, bool holds,
                                                       const char *paper, const char *found, ...);
/* Records a note that belongs to no claim. */
__attribute__((format(printf, 2, 3))) void study_note(struct study *study, const char *format, ...);
/* Reports progress: `part` of `parts`. Prints nothing unless study->progress. */
void study_progress(const struct study *study, int part, int parts);

/* One network and root, for many planners of broadcast trees.  The matrix of costs is computed once
 * for all of them. */
struct instance {
    struct request req;
    struct problem problem;
    struct matrix *matrix;
    struct broadcast broadcast;
};
/* instance_begin() keeps a pointer to the model. Call instance_end() in every case. */
void instance_begin(struct study *study, struct instance *instance, const struct model *model,
                    int root);
void instance_end(struct instance *instance);
/* The makespan of the planner's tree. Name: one of planners of trees; others must not be passed. 0
 * after an error. */
hn_time instance_time(struct study *study, struct instance *instance, const char *planner);

/* The studies. Each fills its sheets and claims. */
void study_wu(struct study *study);
void study_barchet(struct study *study);
void study_barchet88(struct study *study);
void study_bhat(struct study *study);
void study_banikazemi(struct study *study);
void study_throughput(struct study *study);
