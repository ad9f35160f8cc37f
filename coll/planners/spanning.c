/* spanning.c - Prim's algorithm (1957) on the complete graph.
 *
 * With a total order of the edges the tree is unique, and equal to that of Kruskal's algorithm, to
 * which ECO's partition is related. Prim's algorithm needs no sorted list of all edges.
 */
#include "planners/spanning.h"

#include "hnow.h"

#include <stdbool.h>
#include <stdlib.h>

static int by_weight(const void *x, const void *y)
{
    const struct span_edge *e = x, *f = y;
    if (e->weight != f->weight)
        return e->weight < f->weight ? -1 : 1;
    return e->a != f->a ? e->a - f->a : e->b - f->b;
}

static int by_ends(const void *x, const void *y)
{
    const struct span_edge *e = x, *f = y;
    return e->a != f->a ? e->a - f->a : e->b - f->b;
}

static struct span_edge edge_of(int ranks, const hn_time *cost, int i, int j)
{
    size_t n = (size_t)ranks;
    hn_time weight = cost[(size_t)i * n + (size_t)j] + cost[(size_t)j * n + (size_t)i];
    return (struct span_edge){weight, i < j ? i : j, i < j ? j : i};
}

/* The rank outside the tree with the lightest edge to it. */
static int lightest(int ranks, const bool *inside, const struct span_edge *nearest)
{
    int next = -1;
    for (int i = 0; i < ranks; i++)
        if (!inside[i] && (next < 0 || by_weight(&nearest[i], &nearest[next]) < 0))
            next = i;
    return next;
}

int spanning_edges(int ranks, const hn_time *cost, struct span_edge *edges)
{
    struct span_edge *nearest = malloc((size_t)ranks * sizeof *nearest);
    bool *inside = calloc((size_t)ranks, sizeof *inside);
    bool ok = nearest && inside;
    if (ok)
        inside[0] = true;
    /* nearest[i]: the lightest edge between rank i and the tree. */
    for (int i = 1; ok && i < ranks; i++)
        nearest[i] = edge_of(ranks, cost, 0, i);
    for (int count = 0; ok && count < ranks - 1; count++) {
        int next = lightest(ranks, inside, nearest);
        inside[next] = true;
        edges[count] = nearest[next];
        for (int i = 0; i < ranks; i++) {
            struct span_edge edge = edge_of(ranks, cost, next, i);
            if (!inside[i] && by_weight(&edge, &nearest[i]) < 0)
                nearest[i] = edge;
        }
    }
    if (ok)
        qsort(edges, (size_t)ranks - 1, sizeof *edges, by_weight);
    free(nearest);
    free(inside);
    return ok ? HN_OK : HN_ENOMEM;
}

/* Returns both directions of every edge, sorted by rank and then by neighbour, in an array that the
 * caller frees. NULL: out of memory. */
static struct span_edge *neighbours(const struct span_edge *edges, int count)
{
    struct span_edge *both = malloc(((size_t)count * 2 + 1) * sizeof *both);
    for (int i = 0; both && i < count; i++) {
        both[2 * i] = (struct span_edge){0, edges[i].a, edges[i].b};
        both[2 * i + 1] = (struct span_edge){0, edges[i].b, edges[i].a};
    }
    if (both)
        qsort(both, (size_t)count * 2, sizeof *both, by_ends);
    return both;
}

int spanning_hang(const struct span_edge *edges, int count, struct tree *tree)
{
    struct span_edge *both = neighbours(edges, count);
    int *first = calloc((size_t)tree->ranks + 1, sizeof *first);
    bool ok = both && first;
    for (int i = 0; ok && i < 2 * count; i++)
        first[both[i].a + 1]++;
    for (int rank = 0; ok && rank < tree->ranks; rank++)
        first[rank + 1] += first[rank];
    /* Breadth first: order[] grows while it is read.  An edge back to the parent is skipped, since
     * the parent has a parent or is the root. */
    for (int i = 0; ok && i <= tree->count; i++) {
        int rank = tree->order[i];
        for (int e = first[rank]; e < first[rank + 1]; e++)
            if (both[e].b != tree->root && tree->parent[both[e].b] < 0)
                tree_add(tree, rank, both[e].b);
    }
    free(both);
    free(first);
    if (!ok)
        return HN_ENOMEM;
    return tree->count == tree->ranks - 1 ? HN_OK : HN_EPLAN;
}
