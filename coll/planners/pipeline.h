/* pipeline.h - estimates the makespan of a tree for many segments: private to pipeline and
 * tree_search_simulated.
 */
#pragma once

#include "planners/broadcast.h"

struct pipeline {
    const struct model *model;
    int n, root;
    int64_t later;        /* number of segments after the first */
    struct broadcast b;   /* costs of one segment */
    hn_time *recv;        /* [from * n + to]: time for which the receive occupies the receiver */
    hn_time *connection;  /* [from * n + to]: time for which it occupies the connection */
    hn_time *channel;     /* [channel]: time of one segment, all edges together */
    const int *parent;    /* [rank] */
    int *first, *next;    /* children */
    int *order;           /* parents before children */
    hn_time *tail, *load; /* [rank] */
    int *used;            /* channels used by the tree being examined */
    int64_t bytes;
    struct arena arena; /* of the arrays */
};

/* Prepares estimates for trees of this problem. HN_OK, HN_ENOMEM, or HN_EPLAN without a matrix;
 * call pipeline_end() in either case. */
int pipeline_begin(struct pipeline *p, const struct problem *problem);
void pipeline_end(struct pipeline *p);
/* Estimated makespan (ps) of a tree, given by its root and every rank's parent; INT64_MAX:
 * overflow. O(n). */
hn_time pipeline_time(void *pipeline, int root, const int *parent);
/* Builds a path from the root: each rank forwards to the rank that it reaches first. HN_OK or an
 * error. O(n^2). */
int pipeline_path(const struct problem *problem, struct tree *tree);
