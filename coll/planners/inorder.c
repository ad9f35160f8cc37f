/* inorder.c - our own: binomial trees in which every subtree is a run of consecutive ranks, for any
 * root.
 *
 * Rank r is the root of the run [low, high). The far half of its longer side (left or right)
 * becomes the run of a child, repeatedly, until both sides are empty. A child on the right is the
 * lowest rank of its run, a child on the left the highest. In a reduction a rank receives from the
 * children of each side in the order of distance, so contributions are combined in the order of
 * ranks. It suits operators that do not commute. Depth <= ceil(log2 n) + 1. Cost: O(n).
 */
#include "planners/planners.h"

#include "hnow.h"

#include <stdlib.h>

/* The ranks low ... high - 1, of which `root` has the message first. */
struct run {
    int root, low, high;
};

/* Removes the far half of the longer side from a run and returns it. */
static struct run split(struct run *run)
{
    int right = run->high - run->root - 1, left = run->root - run->low;
    struct run far;
    if (right >= left) {
        int first = run->high - (right + 1) / 2;
        far = (struct run){first, first, run->high};
        run->high = first;
    } else {
        int end = run->low + (left + 1) / 2;
        far = (struct run){end - 1, run->low, end};
        run->low = end;
    }
    return far;
}

int planner_inorder(const struct problem *problem, struct tree *tree)
{
    int n = problem->req->ranks, count = 1;
    struct run *runs = malloc((size_t)n * sizeof *runs);
    if (!runs)
        return HN_ENOMEM;
    runs[0] = (struct run){problem->req->root, 0, n};
    /* Runs are processed in the order in which they were split off. */
    for (int at = 0; at < count; at++) {
        struct run run = runs[at];
        while (run.high - run.low > 1) {
            struct run far = split(&run);
            tree_add(tree, run.root, far.root);
            runs[count++] = far;
        }
    }
    free(runs);
    return HN_OK;
}
