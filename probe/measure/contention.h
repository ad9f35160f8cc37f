/* contention.h - transfers that may share something: each alone, then all at once; private to
 * measure/. */
#pragma once

#include "measure/measurement_state.h"

enum { CONTENTION_MOST = EXPERIMENT_PEERS };

/* Some jobs, whose messages compete. */
struct contention {
    struct job job[CONTENTION_MOST];
    int count;
    struct sample alone[CONTENTION_MOST],
        least[CONTENTION_MOST]; /* least: of the round that was slowed least */
    double slowest;             /* of all, in that round; infinite before the first one */
    int rounds;
    hn_medium verdict; /* a bus: they share something; unknown: not decided yet */
};

/* Bytes of a message that take eight milliseconds, and four times as long as all else; but not more
 * than a tenth of a second. */
int64_t contention_bytes(const struct measurement *m, int from, int to);

/* Adds a message to a test, which begins as {.count = 0}. */
void contention_add(const struct measurement *m, struct contention *test, int from, int to,
                    int64_t bytes);

/* Each alone: the first ones of all tests at the same time, then the second ones, and so on.
 * Remembered where it takes long. */
void contention_alone(struct measurement *m, struct contention *test, int tests);

/* Before a test's transfers go at once: says in their samples what they are to tell of, that they
 * belong together (a test's number), and what each took alone.  False: one of them failed alone,
 * so that there is nothing to compare. */
bool contention_prepare(struct contention *test, enum sample_about about, int number);
/* All of each test at once, again and again, until it is clear whether they slow each other down.
 */
void contention_decide(struct measurement *m, struct contention *test, int tests);
/* Writes the round in which they did so least. */
void contention_write(const struct measurement *m, const struct contention *test);
/* Both, of each test. */
void contention_together(struct measurement *m, struct contention *test, int tests);
