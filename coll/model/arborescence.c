/* arborescence.c - the algorithm of Chu and Liu, and Edmonds, on the complete graph.
 *
 * Every rank chooses its lightest incoming edge. If the chosen edges form cycles, each cycle is
 * contracted to one node. The weight of an edge into it is the extra cost over the cycle's edge
 * that it replaces. The lightest tree of the smaller graph is found in the same way, and shows
 * where each cycle is entered.
 *
 * Bounds and packings need thousands of trees. So the graph is processed row by row, without
 * branches for edges that must not be used: a node's edge to itself has the largest weight, and
 * edges into the root may have any.
 */
#include "model/arborescence.h"

#include "hnow.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One level of the recursion. Each level has fewer nodes than the one before. */
struct graph {
    int n, root;
    int64_t *weight; /* [from * n + to] */
    int64_t *least;  /* [node]: weight of its lightest edge; later 0 for nodes on no cycle */
    int64_t *from;   /* [node]: its sender */
    int *parent;     /* [node]: first its lightest sender, finally its parent */
    int *group;      /* [node]: its node in the contracted graph */
    int *mark;       /* [node]: the walk that visited it */
    int *edge;       /* [from * groups + to]: from * n + to of the lightest edge between groups */
    int groups;
};

static void end(struct graph *g)
{
    free(g->weight);
    free(g->least);
    free(g->from);
    free(g->parent);
    free(g->group);
    free(g->mark);
    free(g->edge);
}

/* false: out of memory; the caller calls end() in either case. */
static bool begin(struct graph *g, int n, int root)
{
    size_t size = (size_t)n;
    *g = (struct graph){.n = n, .root = root};
    g->weight = malloc(size * size * sizeof *g->weight);
    g->least = malloc(size * sizeof *g->least);
    g->from = malloc(size * sizeof *g->from);
    g->parent = malloc(size * sizeof *g->parent);
    g->group = malloc(size * sizeof *g->group);
    g->mark = malloc(size * sizeof *g->mark);
    return g->weight && g->least && g->from && g->parent && g->group && g->mark;
}

/* Among equal edges takes that of the first sender. Row by row: the inner loop has no branches and
 * vectorizes. */
static void take_lightest(struct graph *g)
{
    int n = g->n;
    int64_t *restrict least = g->least, *restrict sender = g->from;
    for (int to = 0; to < n; to++) {
        least[to] = INT64_MAX;
        sender[to] = -1;
    }
    for (int from = 0; from < n; from++) {
        const int64_t *restrict row = &g->weight[(size_t)from * (size_t)n];
        for (int to = 0; to < n; to++) {
            sender[to] = row[to] < least[to] ? from : sender[to];
            least[to] = row[to] < least[to] ? row[to] : least[to];
        }
    }
    for (int to = 0; to < n; to++)
        g->parent[to] = to == g->root ? -1 : (int)sender[to];
}

/* Numbers the groups: every cycle, and every other node. Returns whether there is a cycle. */
static bool find_groups(struct graph *g)
{
    bool cycles = false;
    for (int node = 0; node < g->n; node++)
        g->group[node] = g->mark[node] = -1;
    for (int start = 0; start < g->n; start++) {
        int node = start;
        /* Walks along the chosen edges until a node that was visited before. Visited in this walk:
         * a cycle. */
        for (; node >= 0 && g->mark[node] < 0; node = g->parent[node])
            g->mark[node] = start;
        if (node < 0 || g->mark[node] != start || g->group[node] >= 0)
            continue;
        cycles = true; /* the walk has returned to itself */
        for (; g->group[node] < 0; node = g->parent[node])
            g->group[node] = g->groups;
        g->groups++;
    }
    /* Nodes on no cycle are groups of their own. */
    for (int node = 0; node < g->n; node++)
        if (g->group[node] < 0) {
            g->group[node] = g->groups++;
            g->mark[node] = -1; /* on no cycle */
        }
    return cycles;
}

/* The edges from one node. */
static void contract_row(struct graph *g, int from, struct graph *small)
{
    const int64_t *row = &g->weight[(size_t)from * (size_t)g->n];
    size_t base = (size_t)g->group[from] * (size_t)g->groups;
    int64_t *lightest = &small->weight[base];
    int *edge = &g->edge[base];
    for (int to = 0; to < g->n; to++) {
        int group = g->group[to];
        int64_t more = row[to] - g->least[to];
        if (more < lightest[group]) {
            lightest[group] = more;
            edge[group] = from * g->n + to;
        }
    }
}

/* A node must not choose itself. */
static void forbid_loops(struct graph *g)
{
    for (int node = 0; node < g->n; node++)
        g->weight[(size_t)node * (size_t)g->n + (size_t)node] = INT64_MAX;
}

/* Fills the contracted graph. */
static bool contract(struct graph *g, struct graph *small)
{
    size_t cells = (size_t)g->groups * (size_t)g->groups;
    if (!begin(small, g->groups, g->group[g->root]))
        return false;
    if (!(g->edge = malloc(cells * sizeof *g->edge)))
        return false;
    for (size_t i = 0; i < cells; i++)
        small->weight[i] = INT64_MAX;
    for (int node = 0; node < g->n; node++)
        /* Only edges into cycles replace a chosen edge, so only their weights are reduced. */
        g->least[node] = g->mark[node] >= 0 ? g->least[node] : 0;
    for (int from = 0; from < g->n; from++)
        contract_row(g, from, small);
    forbid_loops(small);
    return true;
}

/* A level without a cycle is the tree. Otherwise the tree of the contracted graph shows where each
 * cycle is entered: that edge replaces the chosen one. */
static bool solve(struct graph *g)
{
    struct graph small = {0};
    take_lightest(g);
    if (!find_groups(g))
        return true;
    bool ok = contract(g, &small) && solve(&small);
    for (int group = 0; ok && group < g->groups; group++) {
        if (group == small.root)
            continue;
        int edge = g->edge[small.parent[group] * g->groups + group];
        g->parent[edge % g->n] = edge / g->n;
    }
    end(&small);
    return ok;
}

/* Works on a copy: weights are reduced while the graph is contracted. */
int arborescence(int ranks, int root, const int64_t *weight, int *parent, int64_t *total)
{
    struct graph g;
    bool ok = begin(&g, ranks, root);
    if (ok) {
        memcpy(g.weight, weight, (size_t)ranks * (size_t)ranks * sizeof *weight);
        forbid_loops(&g);
        ok = solve(&g);
    }
    *total = 0;
    for (int rank = 0; ok && rank < ranks; rank++) {
        parent[rank] = g.parent[rank];
        *total += rank == root ? 0 : weight[parent[rank] * ranks + rank];
    }
    end(&g);
    return ok ? HN_OK : HN_ENOMEM;
}
