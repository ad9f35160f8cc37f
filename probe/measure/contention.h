/* contention.h - tests whether transfers share something: each alone, then all at once; private to
 * measure/. */
#pragma once

#include "measure/measurement_state.h"

enum { CONTENTION_MOST = EXPERIMENT_PEERS };

/* Jobs whose messages compete. */
struct contention {
    enum sample_about about; /* the subject of its samples */
    struct job job[CONTENTION_MOST];
    int count;
    struct sample alone[CONTENTION_MOST],
        least[CONTENTION_MOST]; /* results of the round that was slowed least */
    double slowest;             /* largest factor in that round; infinite before the first one */
    int rounds;
    hn_medium verdict; /* HN_MEDIUM_BUS: they share something; unknown: not decided yet */
};

/* Returns a size whose message takes at least 8 ms, and four times as long as everything but its
 * bytes, but at most 0.1 s. */
int64_t contention_bytes(const struct measurement *m, int from, int to);

/* Adds a message to a test, which starts as {.about = ...}. */
void contention_add(const struct measurement *m, struct contention *test, int from, int to,
                    int64_t bytes);

/* Runs the transfers alone: the first ones of all tests at the same time, then the second ones, and
 * so on.  Long ones are cached. */
void contention_alone(struct measurement *m, struct contention *test, int tests);

/* Prepares the samples of a test's concurrent transfers: their subject, the test's number, and each
 * one's time alone.  Returns false if one failed alone, so that there is nothing to compare. */
bool contention_prepare(struct measurement *m, struct contention *test);
/* Runs all transfers of each test at once, repeatedly, until it is clear whether they slow each
 * other down. */
void contention_decide(struct measurement *m, struct contention *test, int tests);
/* Writes the samples of the least slowed round. */
void contention_write(const struct measurement *m, const struct contention *test);
/* Decides and writes each test. */
void contention_together(struct measurement *m, struct contention *test, int tests);
