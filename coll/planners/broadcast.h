/* broadcast.h - the makespan of broadcast trees, computed without a plan and a simulation.
 *
 * In the port models of the papers a rank sends one message after the other. Each occupies the
 * sender for busy[i][j] and arrives after deliver[i][j]. After its last send a rank executes its
 * local part (model_local()). The *tail* of a rank is the time that its subtree needs from the
 * moment at which the rank has the message; it depends on the subtree only. So the best order of a
 * rank's children is known for a fixed tree: descending (deliver - busy + tail).
 */
#pragma once

#include "model/matrix.h"
#include "planners/planner.h"

#include "runtime/internal.h"

struct broadcast {
    int ranks, root;
    hn_time *busy;      /* [from * ranks + to] */
    hn_time *deliver;   /* [from * ranks + to] */
    hn_time *local;     /* [rank] */
    struct arena arena; /* of the arrays */
};

/* Takes the costs from the problem's matrix. HN_OK, HN_ENOMEM, or HN_EPLAN without a matrix; call
 * broadcast_end() in either case. */
int broadcast_begin(struct broadcast *b, const struct problem *problem);
void broadcast_end(struct broadcast *b);

static inline size_t broadcast_at(const struct broadcast *b, int from, int to)
{
    return (size_t)from * (size_t)b->ranks + (size_t)to;
}

/* Makespan (ps) of a tree whose ranks serve their children in the tree's order; INT64_MAX: out of
 * memory. O(n). */
hn_time broadcast_makespan(const struct broadcast *b, const struct tree *tree);

/* Adds the edges of a finished tree to `sorted`, which must contain the root alone, with children
 * in the best order for this tree. HN_OK or HN_ENOMEM. O(n log n). */
int broadcast_sort(const struct broadcast *b, const struct tree *tree, struct tree *sorted);
