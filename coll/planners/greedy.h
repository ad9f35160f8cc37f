/* greedy.h - what the greedy broadcast heuristics share: informed ranks, waiting ranks, and the
 * best sender for each waiting rank.
 *
 * A heuristic repeatedly picks a waiting rank by its rule and serves it by the best sender. The
 * best sender of j is the informed rank i with the smallest ready[i] + deliver[i][j] (or
 * deliver[i][j] alone); among equals the smallest i.
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
    struct tree *tree; /* grows by each rank served */
    bool with_ready;   /* senders are compared by ready + deliver; else by deliver alone */
    hn_time *ready;    /* [rank] of informed ranks: when the rank can begin its next send */
    hn_time *local;    /* [rank] */
    int *waiting;      /* the ranks not informed, ascending */
    int waiting_count;
    bool *is_waiting;
    struct candidate *senders; /* [rank]: a heap of possible senders; see greedy.c */
    int *sender_count;
    struct arena arena; /* of all arrays but the largest one, which need not be zeroed */
};

/* Prepares a heuristic on a tree of the root alone. HN_OK; HN_ENOMEM; HN_EPLAN: too many ranks.
 * Call greedy_end() in any case. */
int greedy_begin(struct greedy *greedy, const struct problem *problem, struct tree *tree,
                 bool with_ready);
void greedy_end(struct greedy *greedy);

/* The best sender for a waiting rank; its value is .key. */
struct candidate greedy_sender(struct greedy *greedy, int to);
/* Adds the edge from -> to to the tree. O(waiting * log n). */
void greedy_take(struct greedy *greedy, int from, int to);
