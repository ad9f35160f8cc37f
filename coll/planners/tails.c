/* tails.c - keeps children sorted and tails up to date when the tree changes (tails.h).
 *
 * Between two calls the children of every rank are in their best order, and every tail is that of
 * this order.  Changes go upwards only: a tail depends on the subtree below. */
#include "planners/tails.h"

#include "hnow.h"

int tails_begin(struct tails *t, const struct broadcast *b)
{
    size_t n = (size_t)b->ranks;
    *t = (struct tails){.b = b, .n = b->ranks, .root = b->root};
    ARENA_ARRAYS(&t->arena, n, t->parent, t->first, t->next, t->tail, t->order);
    return t->arena.failed ? HN_ENOMEM : HN_OK;
}

void tails_end(struct tails *t)
{
    arena_free(&t->arena);
}

static void attach(struct tails *t, int rank, int parent)
{
    t->parent[rank] = parent;
    t->next[rank] = t->first[parent];
    t->first[parent] = rank;
}

static void detach(struct tails *t, int rank)
{
    int *link = &t->first[t->parent[rank]];
    while (*link != rank)
        link = &t->next[*link];
    *link = t->next[rank];
}

bool tails_is_below(const struct tails *t, int rank, int top)
{
    while (rank >= 0 && rank != top)
        rank = t->parent[rank];
    return rank == top;
}

/* ---- tails ------------------------------------------------------------------------------ */

static bool goes_before(struct pending a, struct pending b)
{
    return a.after > b.after || (a.after == b.after && a.rank < b.rank);
}

/* Lists the children of a rank in sending order: the longest (deliver - busy + tail) first. Returns
 * their number. Insertion sort, since most ranks have few children, which were sorted before. */
static int sort_children(struct tails *t, int rank)
{
    int count = 0;
    for (int child = t->first[rank]; child >= 0; child = t->next[child]) {
        size_t at = broadcast_at(t->b, rank, child);
        struct pending p = {time_sum(t->b->deliver[at] - t->b->busy[at], t->tail[child]), child};
        int i = count++;
        for (; i > 0 && goes_before(p, t->order[i - 1]); i--)
            t->order[i] = t->order[i - 1];
        t->order[i] = p;
    }
    return count;
}

/* Sorts the children of a rank and recomputes its tail. Returns whether the tail has changed. */
static bool compute_tail(struct tails *t, int rank)
{
    int count = sort_children(t, rank), *link = &t->first[rank];
    hn_time time = 0, tail = 0;
    for (int i = 0; i < count; i++) {
        int child = t->order[i].rank;
        time = time_sum(time, t->b->busy[broadcast_at(t->b, rank, child)]);
        tail = time_later(tail, time_sum(time, t->order[i].after));
        *link = child;
        link = &t->next[child];
    }
    *link = -1;
    tail = time_later(tail, time_sum(time, t->b->local[rank]));
    bool changed = tail != t->tail[rank];
    t->tail[rank] = tail;
    return changed;
}

/* Recursive: the depth is that of the tree, at most the number of ranks. */
static void compute_below(struct tails *t, int rank)
{
    for (int child = t->first[rank]; child >= 0; child = t->next[child])
        compute_below(t, child);
    compute_tail(t, rank);
}

/* Updates a rank whose children have changed, and its ancestors as far as tails change.  An
 * ancestor of an unchanged tail has nothing to sort again. */
static void update(struct tails *t, int rank)
{
    while (rank >= 0 && compute_tail(t, rank))
        rank = t->parent[rank];
}

/* ---- changes ---------------------------------------------------------------------------- */

void tails_hang(struct tails *t, int rank, int parent)
{
    int old = t->parent[rank];
    detach(t, rank);
    attach(t, rank, parent);
    update(t, old);
    update(t, parent);
}

static void adopt(struct tails *t, int rank, int children)
{
    t->first[rank] = children;
    for (int child = children; child >= 0; child = t->next[child])
        t->parent[child] = rank;
}

/* If one of the two is above the other, its tail is first computed from old tails below.  The
 * update from the lower parent passes it again. */
void tails_swap(struct tails *t, int a, int b)
{
    int parent_a = t->parent[a], parent_b = t->parent[b];
    detach(t, a);
    detach(t, b);
    int children = t->first[a];
    adopt(t, a, t->first[b]);
    adopt(t, b, children);
    attach(t, a, parent_b);
    attach(t, b, parent_a);
    compute_tail(t, a);
    compute_tail(t, b);
    update(t, parent_a);
    update(t, parent_b);
}

void tails_load(struct tails *t, const int *parent)
{
    for (int rank = 0; rank < t->n; rank++)
        t->first[rank] = -1;
    t->parent[t->root] = t->next[t->root] = -1;
    for (int rank = 0; rank < t->n; rank++)
        if (rank != t->root)
            attach(t, rank, parent[rank]);
    compute_below(t, t->root);
}

/* order[i] is read while the loop adds to it: parents come before their children. */
void tails_store(const struct tails *t, struct tree *tree)
{
    for (int i = 0; i < t->n; i++)
        for (int child = t->first[tree->order[i]]; child >= 0; child = t->next[child])
            tree_add(tree, tree->order[i], child);
}
