/* tails.h - a broadcast tree that can be changed, and knows at once what it then takes.
 *
 * The tail of a rank is the time that its subtree needs once the rank has the message. It follows
 * from the subtree alone, children being served in their best order (broadcast.h); so a change
 * concerns only the ranks above it, and only as far as tails really change. Going back to an
 * earlier tree gives exactly its tails again.
 *
 * Cost of a change: O(depth * children), mostly much less.
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
        hn_time after; /* needed once the send is over */
        int rank;
    } * order;          /* room for sorting */
    struct arena arena; /* of the arrays */
};

/* Of no tree yet. HN_OK or HN_ENOMEM; tails_end() in every case. `b` is referred to. */
int tails_begin(struct tails *t, const struct broadcast *b);
void tails_end(struct tails *t);

/* Becomes the tree that is given by every rank's parent (the root's is not looked at). O(n). */
void tails_load(struct tails *t, const int *parent);
/* Adds the edges of the tree to one of the root alone, in sending order. */
void tails_store(const struct tails *t, struct tree *tree);

/* Hangs a rank with its subtree under another rank, which must not be in that subtree. */
void tails_hang(struct tails *t, int rank, int parent);
/* Two ranks change places, their subtrees stay. Neither is the root, nor the other's parent. */
void tails_swap(struct tails *t, int a, int b);

/* Whether a rank is `top` or in its subtree. */
bool tails_is_below(const struct tails *t, int rank, int top);
