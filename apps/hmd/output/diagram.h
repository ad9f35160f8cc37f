/* diagram.h - the timing diagram of a step: what each task did when, measured and predicted.
 *
 * Measured is a step of median length; the tasks' times are brought to the first task's clock.
 * Predicted is the same step with each operation as coll's simulator plays its plan in the model of
 * the network, from the moment when the last task has begun it (who is earlier waits for what the
 * last one has to give); what tasks compute between operations takes as long as it did.
 */
#ifndef HMD_DIAGRAM_H
#define HMD_DIAGRAM_H

#include <stdio.h>

#include "comm.h"
#include "timeline.h"

enum { DIAGRAM_PLAN = 64 }; /* bytes: a longer name is cut */

struct diagram {
    int tasks;
    long step;
    double clock_error; /* seconds by which two tasks' times may be apart */
    int stated;         /* the model is that of a network file; else a guess */
    struct timeline_step *measured, *predicted; /* [task]; seconds since the first one began */
    const char **host;                          /* [task] */
    char plan[TIMELINE_KINDS][DIAGRAM_PLAN];    /* of the operations; "": none is followed */
};

/* Writes the diagram of a step that all tasks have in their timelines to `path`: a picture, or a
 * JSON document when its name ends in .json.  Called by all tasks; the first one writes.  0;
 * ERR_RUN when messages fail or the file cannot be written. */
int diagram_write(struct comm *c, const struct timeline *t, const char *path, struct err *e);

/* Fills in what the model says. */
void diagram_predict(struct diagram *d, const struct comm *c);
/* The form for people, which diagram_write() makes of a step. */
void diagram_draw(const struct diagram *t, FILE *file);

/* When the last task has begun the k-th operation. */
double diagram_last(const struct timeline_step *steps, int tasks, int k);
extern const char *const diagram_kinds[TIMELINE_KINDS];

#endif
