/* pipeline.h - what a tree takes for many segments: private to pipeline and tree_search_played. */
#pragma once

#include "planners/broadcast.h"

struct pipeline {
    const struct model *model;
    int n, root;
    int64_t later;        /* segments after the first */
    struct broadcast b;   /* of one segment */
    hn_time *recv;        /* [from * n + to]: how long the receive occupies the receiver */
    hn_time *connection;  /* the same: the connection */
    hn_time *channel;     /* [channel]: of one segment, all edges together */
    const int *parent;    /* [rank] */
    int *first, *next;    /* children */
    int *order;           /* parents before children */
    hn_time *tail, *load; /* [rank] */
    int *used;            /* channels of the tree in the making */
    int64_t bytes;
    struct arena arena; /* of the arrays */
};

/* HN_OK or an error; pipeline_end() in every case. */
int pipeline_begin(struct pipeline *p, const struct problem *problem);
void pipeline_end(struct pipeline *p);
/* An estimate for a tree, given by its root and every rank's parent; INT64_MAX: too long. O(n). */
hn_time pipeline_time(void *pipeline, int root, const int *parent);
/* From the root always on to the rank that is reached soonest. */
int pipeline_path(const struct problem *problem, struct tree *tree);
