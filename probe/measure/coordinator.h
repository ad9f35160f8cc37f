/* coordinator.h - how rank 0 has experiments carried out, and how the others follow.
 *
 * Rank 0 sends an order to each task of an experiment, does its own part when it is one of them,
 * and collects what the leaders report.  Several experiments of disjoint tasks run at the same
 * time.  Nothing waits for ever: a host that stops answering is left out from then on, a pair whose
 * way is cut is not tried again.
 */
#pragma once

#include "measure/experiment.h"
#include "derive/sample.h"
#include "runtime/internal.h"

#include <stdbool.h>
#include <stdio.h>

enum { COORDINATOR_CONTEXT = 0x4850 }; /* of all of hprobe's messages; below 0x10000: hnow's own */

/* One experiment: the leader gets the order, its peers the same with the kind `follow`. */
struct job {
    int leader;
    struct experiment order; /* without tag */
    enum experiment_kind follow;
    /* EXPERIMENT_REACH: [rank] 1 for whom it is to reach; becomes 1 for whom it has reached, where
     * the sample has a count.  Else NULL. */
    unsigned char *hosts;
    struct sample sample; /* kind, from, to, bytes; times and count are filled in */
    int parts;            /* times are divided by this */
    bool silent;          /* the sample is not written: it only serves a decision */
};

/* dismissed: sent home early, because it is not to be measured */
enum presence { COORDINATOR_THERE, COORDINATOR_LOST, COORDINATOR_DISMISSED };

struct coordinator {
    int n;
    struct arena room;       /* of the tables */
    enum presence *presence; /* [rank] */
    /* [a * n + b], a < b: how often messages between the two did not arrive although both were
     * there; the way is cut from the second time on. */
    unsigned char *failures;
    bool *relayed;             /* the same: the agents carry their messages */
    struct steal_time *stolen; /* [rank]: at the roll call */
    unsigned char *buffer;
    FILE *out;
    int64_t tag;
};

/* Rank 0 begins: HN_OK or HN_ENOMEM. */
int coordinator_begin(struct coordinator *coordinator, int n, unsigned char *buffer, FILE *out);
/* Carries out jobs and writes their samples.  Jobs without a task in common go at the same time,
 * those with one in their order, without waiting for rank 0 in between: a series on hosts far away
 * costs one way there and back, not one for each.  A job with a task that is lost, or a pair that
 * is cut, is left out: its count is 0. */
void coordinator_run(struct coordinator *coordinator, struct job *job, int count);
bool coordinator_is_there(const struct coordinator *coordinator, int64_t rank);
bool coordinator_is_cut(const struct coordinator *coordinator, int64_t a, int64_t b);
/* Asks every task for its host (equal: two names of one), the machine that the host is on, and how
 * many cores that has; 0 where that is unknown. */
void coordinator_roll_call(struct coordinator *coordinator, int64_t *host, int64_t *machine,
                           int64_t *cores);
/* A task that is not measured: another name (rank `same`) of a host that is.  Sends it home. */
void coordinator_dismiss(struct coordinator *coordinator, int rank, int same);
/* Writes a line for the progress bar. */
void coordinator_progress(struct coordinator *coordinator, int done, int total, const char *what);
/* Sends all others home and writes who was lost, what is cut, and "stolen RANK THOUSANDTHS" of the
 * host from which others took most of its processors' time since the roll call, then "end". */
void coordinator_end(struct coordinator *coordinator);

/* The other ranks: follow orders until rank 0 sends them home; an exit status. */
int coordinator_serve(unsigned char *buffer);
