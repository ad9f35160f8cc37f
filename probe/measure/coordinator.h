/* coordinator.h - how rank 0 has experiments carried out by the other tasks.
 *
 * Rank 0 sends an order to each task of an experiment, does its own part if it takes part, and
 * collects the leaders' reports.  Experiments of disjoint tasks run concurrently.  Every wait is
 * bounded: a host that stops answering is excluded from then on, and a pair whose route is cut is
 * not tried again.
 */
#pragma once

#include "measure/experiment.h"
#include "derive/sample.h"
#include "runtime/internal.h"

#include <stdbool.h>
#include <stdio.h>

/* Context of all messages of hprobe; below 0x10000: reserved for hnow. */
enum { COORDINATOR_CONTEXT = 0x4850 };

/* One experiment.  The leader gets the order; its peers get the same with the leader as their peer.
 * Filled in by the part that wants the measurement; coordinator_run() sets the tag and the results.
 */
struct job {
    int leader;
    struct experiment order; /* without tag */
    /* EXPERIMENT_REACH: [rank] 1 for each task to reach; becomes 1 for each task reached, if the
     * sample has a count.  Else NULL. */
    unsigned char *hosts;
    struct sample sample; /* kind, from, to, bytes are given; times and count are filled in */
    int parts;            /* times are divided by this */
    bool silent;          /* the sample is not written: it only serves a decision */
};

/* dismissed: ended early, because it is not to be measured */
enum presence { COORDINATOR_PRESENT, COORDINATOR_LOST, COORDINATOR_DISMISSED };

/* The state of rank 0. Used by one thread; all tables last as long as the measurement. */
struct coordinator {
    int n;
    struct arena room;       /* of all tables */
    enum presence *presence; /* [rank] */
    /* [a * n + b], a < b: number of times that messages did not arrive although both tasks
     * answered.  The route is cut from COORDINATOR_CUT on. */
    unsigned char *failures;
    bool *relayed;                 /* the same index: agents relay their messages */
    struct steal_time *steal_time; /* [rank]: at the roll call */
    unsigned char *buffer;
    FILE *out;
    int64_t tag;
};

/* Initialises rank 0: HN_OK or HN_ENOMEM. */
int coordinator_begin(struct coordinator *coordinator, int n, unsigned char *buffer, FILE *out);
/* Carries out jobs and writes their samples.  Jobs without a common task run concurrently.  Jobs
 * with one run in their order, without waiting for rank 0 in between, so a series on distant hosts
 * costs one round trip instead of one each.  A job with a lost task or a cut pair is skipped: its
 * count is 0. */
void coordinator_run(struct coordinator *coordinator, struct job *job, int count);
bool coordinator_is_present(const struct coordinator *coordinator, int64_t rank);
bool coordinator_is_cut(const struct coordinator *coordinator, int64_t a, int64_t b);
/* Asks every task for its host (equal for two names of one host), its machine, and the machine's
 * cores; 0 where unknown. */
void coordinator_roll_call(struct coordinator *coordinator, int64_t *host, int64_t *machine,
                           int64_t *cores);
/* Ends a task that is not measured, because rank `same` is another name of its host. */
void coordinator_dismiss(struct coordinator *coordinator, int rank, int same);
/* Writes a line for the progress bar. */
void coordinator_progress(struct coordinator *coordinator, int done, int total, const char *what);
/* Ends all other tasks.  Writes the lost hosts, the cut pairs, and "stolen RANK THOUSANDTHS" of the
 * host that lost most processor time since the roll call, then "end". */
void coordinator_end(struct coordinator *coordinator);

/* Serves orders in the other ranks until rank 0 ends them.  Returns an exit status. */
int coordinator_serve(unsigned char *buffer);
