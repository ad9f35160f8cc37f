/* pipeline.h - estimates the makespan of a tree for many segments: private to pipeline and
 * tree_search_played.
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

/* HN_OK or an error; call pipeline_end() in either case. */
int pipeline_begin(struct pipeline *p, const struct problem *problem);
void pipeline_end(struct pipeline *p);
/* Estimated makespan of a tree, given by its root and every rank's parent; INT64_MAX: too long.
 * O(n). */
hn_time pipeline_time(void *pipeline, int root, const int *parent);
/* Builds a path from the root: each rank forwards to the rank that it reaches soonest. */
int pipeline_path(const struct problem *problem, struct tree *tree);
