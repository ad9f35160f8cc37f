/* contention.h - transfers that may share something: each alone, then all at once; private to
 * campaign*.c. */
#ifndef HNOW_CONTENTION_H
#define HNOW_CONTENTION_H

#include "measure/measurement_state.h"

enum { TRIAL_MOST = EXPERIMENT_PEERS };

/* Some jobs, whose messages compete. */
struct trial {
    struct job job[TRIAL_MOST];
    int count;
    struct sample alone[TRIAL_MOST],
        least[TRIAL_MOST]; /* least: of the round that was slowed least */
    double slowest;        /* of all, in that round; infinite before the first one */
    int rounds;
    hn_medium verdict; /* a bus: they share something; unknown: not decided yet */
};

/* Bytes of a message that take eight milliseconds, and four times as long as all else; but not more
 * than a tenth of a second. */
int64_t trial_bytes(const struct campaign *c, int from, int to);

/* Adds a message to a trial, which begins as {.count = 0}. */
void trial_add(const struct campaign *c, struct trial *trial, int from, int to, int64_t bytes);

/* Each alone: the first ones of all trials at the same time, then the second ones, and so on.
 * Remembered where it takes long. */
void trial_alone(struct campaign *c, struct trial *trial, int trials);

/* All of each trial at once, again and again, until it is clear whether they slow each other down.
 */
void trial_decide(struct campaign *c, struct trial *trial, int trials);
/* Writes the round in which they did so least. */
void trial_write(const struct campaign *c, const struct trial *trial);
/* Both, of each trial. */
void trial_together(struct campaign *c, struct trial *trial, int trials);

#endif
