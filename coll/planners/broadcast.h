/* broadcast.h - broadcast trees as numbers: how long a tree takes, without a plan and a simulation.
 *
 * In all port models of the papers a rank's sends follow each other, each taking busy[i][j] of the
 * sender and being with the receiver after deliver[i][j]; after its last send a rank has a local
 * part. So the time that a subtree needs once its top has the message (its tail) depends on the
 * subtree only, and for a fixed tree the best order of a rank's children is known: the one with the
 * longest (deliver - busy + tail) first.
 */
#pragma once

#include "model/matrix.h"
#include "planners/planner.h"

#include "runtime/internal.h"

struct broadcast {
    int ranks, root;
    hn_time *busy;      /* [from * ranks + to] */
    hn_time *deliver;   /* the same */
    hn_time *local;     /* [rank] */
    struct arena arena; /* of the arrays */
};

/* The costs of a problem's matrix. HN_OK, HN_ENOMEM, or HN_EPLAN without a matrix; broadcast_end()
 * in every case. */
int broadcast_begin(struct broadcast *b, const struct problem *problem);
void broadcast_end(struct broadcast *b);

static inline size_t broadcast_at(const struct broadcast *b, int from, int to)
{
    return (size_t)from * (size_t)b->ranks + (size_t)to;
}

/* When every rank has sent what the tree asks of it and done its local part; children in the tree's
 * order. */
hn_time broadcast_makespan(const struct broadcast *b, const struct tree *tree);

/* Adds the edges of a finished tree to `sorted` (of the root alone), every rank's children in the
 * order that is best for this tree. HN_OK or HN_ENOMEM. */
int broadcast_sort(const struct broadcast *b, const struct tree *tree, struct tree *sorted);
