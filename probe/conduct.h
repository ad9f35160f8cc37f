/* conduct.h - how rank 0 has experiments carried out, and how the others follow.
 *
 * Rank 0 sends an order to each task of an experiment, does its own part when it is one of them,
 * and collects what the leaders report.  Several experiments of disjoint tasks run at the same
 * time.
 */
#ifndef HNOW_CONDUCT_H
#define HNOW_CONDUCT_H

#include "experiment.h"
#include "sample.h"

#include <stdbool.h>
#include <stdio.h>

enum { CONDUCT_CONTEXT = 0x4850 }; /* of all of hprobe's messages; below 0x10000: hnow's own */

/* One experiment: the leader gets the order, its peers the same with the kind `follow`. */
struct job {
    int leader;
    struct experiment order; /* without tag */
    enum experiment_kind follow;
    struct sample sample; /* kind, from, to, bytes; times and count are filled in */
    int parts;            /* times are divided by this */
};

struct conductor {
    int n;
    bool *lost; /* [rank] */
    unsigned char *buffer;
    FILE *out;
    int64_t tag;
};

/* Rank 0 begins: HN_OK or HN_ENOMEM. */
int conduct_begin(struct conductor *conductor, int n, unsigned char *buffer, FILE *out);
/* Carries out jobs, no two of which have a task in common, and writes their samples. */
void conduct(struct conductor *conductor, struct job *job, int count);
/* Writes a line for the progress bar. */
void conduct_progress(struct conductor *conductor, int done, int total, const char *what);
/* Sends all others home and writes who was lost, then "end". */
void conduct_end(struct conductor *conductor);

/* The other ranks: follow orders until rank 0 sends them home; an exit status. */
int conduct_serve(unsigned char *buffer);

#endif
