/* greedy.h - what all greedy broadcast heuristics share: informed ranks, waiting ranks, and the
 * best sender for each waiting rank.
 *
 * A heuristic repeats: pick a waiting rank (its rule), take it with the best sender. The best
 * sender of j is the informed rank i with the smallest ready[i] + deliver[i][j] (or deliver[i][j]
 * alone), among equals the smallest i.
 */
#pragma once

#include "model/matrix.h"
#include "planners/planner.h"

#include "runtime/internal.h"

struct candidate {
    hn_time key;
    int rank;
};

struct greedy {
    int ranks;
    const struct model *model;
    const struct matrix *matrix;
    struct tree *tree; /* grows with each rank taken */
    bool with_ready;   /* whether senders are compared with their ready times */
    hn_time *ready;    /* [rank] of informed ranks: when the rank can begin its next send */
    hn_time *local;    /* [rank] */
    int *waiting;      /* the ranks not informed, ascending */
    int waiting_count;
    bool *is_waiting;
    struct candidate *senders; /* [rank]: a heap of possible senders; see greedy.c */
    int *sender_count;
    struct arena arena; /* of all arrays but the largest, which need not be zero */
};

/* Prepares a heuristic on a tree of the root alone. HN_OK; HN_ENOMEM; HN_EPLAN: too many ranks. In
 * every case greedy_end() frees it. */
int greedy_begin(struct greedy *greedy, const struct problem *problem, struct tree *tree,
                 bool with_ready);
void greedy_end(struct greedy *greedy);

/* The best sender for a waiting rank; its value is .key. */
struct candidate greedy_sender(struct greedy *greedy, int to);
/* The edge from -> to joins the tree. O(waiting * log n). */
void greedy_take(struct greedy *greedy, int from, int to);
