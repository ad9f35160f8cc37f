/* greedy.h - the common state of the greedy broadcast heuristics: informed ranks, waiting ranks,
 * and the best sender for each waiting rank.
 *
 * A heuristic repeatedly selects a waiting rank by its rule, and the best sender serves it. The
 * best sender of j is the informed rank i with the smallest ready[i] + deliver[i][j], or the
 * smallest deliver[i][j] alone; among equals the lowest i.
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
    struct tree *tree; /* the tree so far */
    bool with_ready;   /* senders are compared by ready + deliver; else by deliver alone */
    hn_time *ready;    /* [rank] of informed ranks: when the rank can begin its next send */
    hn_time *local;    /* [rank] */
    int *waiting;      /* the ranks that are not informed, ascending */
    int waiting_count;
    bool *is_waiting;
    struct candidate *senders; /* [rank]: a heap of possible senders; see greedy.c */
    int *sender_count;
    struct arena arena; /* of all arrays but `senders`, the largest, which is not zeroed */
};

/* Prepares a heuristic; the tree must contain the root alone. Returns HN_OK, HN_ENOMEM, or HN_EPLAN
 * if the problem has no matrix of pairs (too many ranks). Call greedy_end() in any case. */
int greedy_begin(struct greedy *greedy, const struct problem *problem, struct tree *tree,
                 bool with_ready);
void greedy_end(struct greedy *greedy);

/* Returns the best sender for a waiting rank; .key is the compared time. O(log n), rarely O(n log
 * n). */
struct candidate greedy_sender(struct greedy *greedy, int to);
/* Adds the edge from -> to to the tree and marks `to` as informed. O(waiting * log n). */
void greedy_take(struct greedy *greedy, int from, int to);
