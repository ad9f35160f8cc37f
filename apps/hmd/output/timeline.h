/* timeline.h - when a task was in which operation, for its last steps.
 *
 * What lies between two operations of a step is the task's own computing.  A few hundred steps are
 * kept, so a long run costs no memory, and the step that is looked at in the end (diagram.h) is one
 * that took as long as most.
 */
#ifndef HMD_TIMELINE_H
#define HMD_TIMELINE_H

#include <stddef.h>

enum timeline_kind {
    TIMELINE_REDUCE,    /* a block of the sum of all forces to each task */
    TIMELINE_GATHER,    /* all blocks of coordinates to all tasks */
    TIMELINE_SUM,       /* sums to all tasks */
    TIMELINE_TRANSPOSE, /* a part from each task to each other (PME's grid) */
    TIMELINE_SWAP,      /* straight from task to task (-decomp force) */
    TIMELINE_KINDS
};

struct timeline_span {
    enum timeline_kind kind;
    double bytes;      /* of the own block, or part; 0: they differ */
    double begin, end; /* seconds, timers_now() */
};

enum { TIMELINE_SPANS = 14 }; /* of a step; more are not noted */

struct timeline_step {
    long n;
    int plain; /* nothing but forces and motion: no new list, no file */
    int spans;
    double begin, end;
    struct timeline_span span[TIMELINE_SPANS];
};

struct timeline {
    struct timeline_step *step;
    size_t noted; /* steps so far */
};

void timeline_init(struct timeline *t);
void timeline_free(struct timeline *t);

void timeline_begin(struct timeline *t, long n, double now);
/* An operation of the step that has begun. */
void timeline_note(struct timeline *t, enum timeline_kind kind, size_t bytes, double begin,
                   double end);
void timeline_end(struct timeline *t, int plain, double now);

/* The number of the step of median length, of the plain ones if there are any; -1: none is noted.
 */
long timeline_typical(const struct timeline *t);
/* NULL: it is not kept any more. */
const struct timeline_step *timeline_find(const struct timeline *t, long n);

#endif
