/* tails.h - a broadcast tree that can be changed, with an incrementally updated makespan.
 *
 * The tail of a rank is the time that its subtree needs from the moment at which the rank has the
 * message. It depends on the subtree only, if children are served in their best order
 * (broadcast.h). So a change affects only the ancestors of the changed ranks, as far up as their
 * tails change. If a change is undone, all tails have their previous values.
 *
 * Cost of a change: O(depth * children), usually much less.
 */
#pragma once

#include "planners/broadcast.h"

struct tails {
    const struct broadcast *b;
    int n, root;
    int *parent;       /* [rank]; of the root -1 */
    int *first, *next; /* children in sending order, as linked lists that end with -1 */
    hn_time *tail;     /* [rank] */
    struct pending {
        hn_time after; /* time that the child's subtree needs after the send */
        int rank;
    } * order;          /* workspace for sorting */
    struct arena arena; /* of the arrays */
};

/* Allocates memory; no tree is loaded. *b must outlive t. HN_OK or HN_ENOMEM; call tails_end() in
 * either case. */
int tails_begin(struct tails *t, const struct broadcast *b);
void tails_end(struct tails *t);

/* Loads the tree given by every rank's parent; that of the root is ignored. O(n log n). */
void tails_load(struct tails *t, const int *parent);
/* Adds the edges, in sending order, to `tree`, which must contain the root alone. O(n). */
void tails_store(const struct tails *t, struct tree *tree);

/* Moves a rank with its subtree below another rank, which must not be in that subtree. */
void tails_hang(struct tails *t, int rank, int parent);
/* Exchanges two ranks; their subtrees stay in place. Neither may be the root or the other's
 * parent. */
void tails_swap(struct tails *t, int a, int b);

/* Whether a rank is `top` or in its subtree. */
bool tails_is_below(const struct tails *t, int rank, int top);
