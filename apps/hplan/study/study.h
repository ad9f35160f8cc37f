/* study.h - the papers' simulation studies, run again: hplan -study.
 *
 * A study draws random networks (or takes a paper's own numbers), plans on them with the paper's
 * heuristics and ours, and fills sheets of numbers. Beside the sheets stand the paper's claims,
 * each with what was found. All numbers follow from the seed, so that every machine finds the same.
 *
 * Part of the tool, not of the library.
 */
#pragma once

#include "sheet.h"

#include "coll/internal.h"

#include <stdint.h>

struct claim {
    const char *paper; /* NULL: not a claim, but a note of ours */
    char *found;
    bool holds;
};

/* A study while it runs. The first error sticks; the functions below do nothing after it. */
struct study {
    const char *name;
    int64_t runs;
    uint64_t seed;
    int largest; /* instances of more nodes are left out, and the claims with them, which is for
                    tests; 0: none are */
    const hn_net *net; /* of studies that want one; NULL: none is given */
    bool progress;     /* on standard error */
    struct sheet **sheets;
    int sheet_count;
    struct claim *claims;
    int claim_count;
    int error;
};

struct study_row {
    const char *name, *source, *about;
    int64_t runs; /* by default; 0: nothing in it is random */
    void (*run)(struct study *study);
    bool wants_net; /* it has no networks of its own */
};
extern const struct study_row study_rows[];
extern const int study_count;

/* hplan -study: runs one study, prints tables and claims on `out`, and writes a CSV file
 * and a plot for each sheet into `directory` (NULL: writes nothing). runs 0: the study's own
 * number; largest: as in struct study; net: NULL, or a network for a study that wants one, and
 * stays the caller's. HN_OK, or an error with error_set()'s text. */
int study_run(const char *name, int64_t runs, uint64_t seed, int largest, const hn_net *net,
              const char *directory, FILE *out);
/* "NAME  SOURCE, what" of each, a line or two. */
void study_list(FILE *out);

/* ---- for the studies ---------------------------------------------------------------------------
 */

/* Whether instances of so many nodes take part. */
static inline bool study_takes(const struct study *study, int nodes)
{
    return !study->error && (!study->largest || nodes <= study->largest);
}
/* A new sheet of the study (sheet.h); NULL after an error. */
struct sheet *study_sheet(struct study *study, const struct sheet_form *form);
/* Appends a row of the form's number of values. */
void study_add(struct study *study, struct sheet *sheet, double x, const double *values);
/* Notes a claim of the paper (a constant) and, as printf, what was found. */
__attribute__((format(printf, 4, 5))) void study_claim(struct study *study, bool holds,
                                                       const char *paper, const char *found, ...);
/* Notes something that is no answer to a claim. */
__attribute__((format(printf, 2, 3))) void study_note(struct study *study, const char *format, ...);
/* Says how far the study is: `part` of `parts`. */
void study_progress(const struct study *study, int part, int parts);

/* One network and root, for many planners of broadcast trees. */
struct instance {
    struct request req;
    struct problem problem;
    struct matrix *matrix;
    struct broadcast broadcast;
};
/* The model is referred to. instance_end() in every case. */
void instance_begin(struct study *study, struct instance *instance, const struct model *model,
                    int root);
void instance_end(struct instance *instance);
/* How long the planner's tree takes. */
hn_time instance_time(struct study *study, struct instance *instance, const char *planner);

/* The studies. */
void study_wu(struct study *study);
void study_barchet(struct study *study);
void study_barchet88(struct study *study);
void study_bhat(struct study *study);
void study_banikazemi(struct study *study);
void study_throughput(struct study *study);
