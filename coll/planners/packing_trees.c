/* packing_trees.c - trees that together use the network as evenly as possible (packing.h).
 *
 * The best steady state is a fractional packing of trees that minimizes the load of the busiest
 * resource (Beaumont, Legrand, Marchal and Robert, "Pipelining broadcasts on heterogeneous
 * platforms", 2005; Zhao and others, "ForestColl", arXiv 2402.06787, for networks of links only). A
 * resource is a port, a processor, a link, an uplink, a bus, which both directions share, or a
 * connection that is slower than its route. The packing is approximated by prices that grow with
 * the loads: in some passes, each tree in turn is replaced by the lightest one beside all others.
 *
 * The root of an allreduce's tree can be any rank. It is chosen for each tree so that both
 * directions together are the lightest.
 */
#include "planners/packing.h"

#include "model/arborescence.h"
#include "model/cluster.h"

#include "hnow.h"
#include "probe/internal.h"

#include <stdlib.h>

enum {
    PASSES = 6,           /* the first one makes all trees, the others replace them */
    STEEP_FIRST = 2,      /* of prices_follow() in the first pass; one more in each that follows */
    TREES_MOST = 512,     /* more gain less than a percent */
    CELLS_MOST = 1 << 20, /* trees * ranks^2 of a pass: some 20 ms */
    BLOCKS_MOST = 1 << 18 /* times ranks: of a plan */
};

/* ---- which block goes along which tree -------------------------------------------------- */

int64_t packing_bytes(const struct request *req)
{
    int64_t bytes = 0;
    for (int part = 0; part < request_parts(req); part++)
        bytes += request_part_bytes(req, part);
    return bytes;
}

/* Distributes trees to parts in proportion to their bytes, at least one each. A tree counts by the
 * bytes of its blocks, so that loads are comparable. */
static void deal_trees(struct packing *p, int most)
{
    const struct request *req = p->problem->req;
    int64_t all = packing_bytes(req);
    int parts = request_parts(req);
    for (int part = 0; part < parts; part++) {
        int64_t bytes = request_part_bytes(req, part);
        int share = all > 0 ? (int)wide_ratio(most, bytes, all) : 1;
        int count = share > 1 ? share : 1;
        p->first[part] = p->trees;
        for (int i = 0; i < count; i++, p->trees++) {
            p->root[p->trees] = parts > 1 ? part : req->root;
            p->weight[p->trees] = (int)wide_ratio(bytes, PACKING_WHOLE, p->bytes * count);
        }
    }
    p->first[parts] = p->trees;
}

/* Blocks of a part use its trees in turn. */
static void assign_blocks(struct packing *p)
{
    for (int part = 0; part < request_parts(p->problem->req); part++) {
        int trees = p->first[part + 1] - p->first[part], first = p->cut->part_first[part];
        for (int block = first; block < p->cut->part_first[part + 1]; block++)
            p->tree[block] = p->first[part] + (block - first) % trees;
    }
}

/* ---- the trees -------------------------------------------------------------------------- */

/* Adds the load of a tree in the directions that it is used, or removes it (sign). */
static void add_load(struct packing *p, int tree, int sign)
{
    for (int dir = 0; dir < PACKING_DIRECTIONS; dir++)
        if (p->goes[dir])
            prices_carry(&p->prices[dir], &p->parent[dir][tree * p->n], p->root[tree],
                         sign * p->weight[tree], p->load);
}

/* Finds the root for which both directions together are the lightest. An extra node enters the
 * network once, at the same high price everywhere. */
static int find_root(struct packing *p, int64_t *weight, int *parent, int *root)
{
    int n = p->n, all = n + 1;
    int64_t total, most = 0;
    const int64_t *down = p->prices[PACKING_DOWN].weight, *up = p->prices[PACKING_UP].weight;
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++) {
            weight[from * all + to] = down[from * n + to] + up[from * n + to];
            most = weight[from * all + to] > most ? weight[from * all + to] : most;
        }
    for (int rank = 0; rank < n; rank++) {
        weight[n * all + rank] = most * 2 + 1;
        weight[rank * all + n] = most;
    }
    int error = arborescence(all, n, weight, parent, &total);
    for (int rank = 0; rank < n && !error; rank++)
        if (parent[rank] == n)
            *root = rank;
    return error;
}

/* Raises the cost of edges that do not lead to the next rank on a ring through all subnets. */
static void prefer_ring(const struct packing *p, int dir)
{
    int n = p->n;
    int64_t *weight = p->prices[dir].weight;
    for (int parent = 0; parent < n && p->detour > 0; parent++)
        for (int child = 0; child < n; child++) {
            bool next = dir == PACKING_UP ? p->next[child] == parent : p->next[parent] == child;
            if (!next)
                weight[parent * n + child] += weight[parent * n + child] / p->detour;
        }
}

/* The first pass grows each tree beside those before it. Later passes replace each one beside all
 * others, at steeper prices. */
static int grow_all(struct packing *p, int64_t *weight, int *parent)
{
    int error = HN_OK;
    bool free_root = p->goes[PACKING_DOWN] && p->goes[PACKING_UP];
    for (int i = 0; i < PASSES * p->trees && !error; i++) {
        int tree = i % p->trees;
        /* The tree's own load must not count while it is grown again. */
        if (i >= p->trees)
            add_load(p, tree, -1);
        for (int dir = 0; dir < PACKING_DIRECTIONS; dir++)
            if (p->goes[dir]) {
                prices_follow(&p->prices[dir], p->load, STEEP_FIRST + i / p->trees);
                prices_weigh(&p->prices[dir]);
                prefer_ring(p, dir);
            }
        /* With both directions the root is free. */
        if (free_root)
            error = find_root(p, weight, parent, &p->root[tree]);
        for (int dir = 0; dir < PACKING_DIRECTIONS && !error; dir++)
            if (p->goes[dir]) {
                int64_t total;
                error = arborescence(p->n, p->root[tree], p->prices[dir].weight,
                                     &p->parent[dir][tree * p->n], &total);
            }
        if (!error)
            add_load(p, tree, 1);
    }
    return error;
}

/* ---- all -------------------------------------------------------------------------------- */

/* A ring through all members, subnet by subnet. */
static int find_ring(struct packing *p)
{
    struct clusters c;
    p->next = arena_array(&p->arena, (size_t)p->n, sizeof *p->next);
    int error = clusters_of_model(&c, p->problem->model);
    if (!error && p->arena.failed)
        error = HN_ENOMEM;
    for (int i = 0; i < p->n && !error; i++)
        p->next[c.member[i]] = c.member[(i + 1) % p->n];
    clusters_end(&c);
    return error;
}

static int begin_arrays(struct packing *p, int most)
{
    size_t parts = (size_t)request_parts(p->problem->req), trees = (size_t)most + parts;
    p->first = arena_array(&p->arena, parts + 1, sizeof *p->first);
    ARENA_ARRAYS(&p->arena, trees, p->weight, p->root);
    p->tree = arena_array(&p->arena, (size_t)p->cut->block_count, sizeof *p->tree);
    if (p->arena.failed)
        return HN_ENOMEM;
    /* Prices are for the direction in which messages move: from the parent, or from the child. */
    for (int dir = 0; dir < PACKING_DIRECTIONS; dir++) {
        if (!p->goes[dir])
            continue;
        int error =
            prices_begin(&p->prices[dir], p->problem->model, 0, p->bytes, false, dir == PACKING_UP);
        p->parent[dir] = arena_array(&p->arena, trees * (size_t)p->n, sizeof *p->parent[dir]);
        if (error || !p->parent[dir])
            return HN_ENOMEM;
    }
    int resources = p->prices[p->goes[PACKING_DOWN] ? PACKING_DOWN : PACKING_UP].resources;
    p->load = arena_array(&p->arena, (size_t)resources, sizeof *p->load);
    return p->load ? HN_OK : HN_ENOMEM;
}

/* Trees are limited by their number of cells, and there is no more than one for each block. */
int packing_begin(struct packing *p, const struct problem *problem, const struct plan *cut,
                  int detour)
{
    const struct request *req = problem->req;
    int n = req->ranks, blocks = cut->block_count, most = CELLS_MOST / (n * n);
    int64_t bytes = blocks > 0 ? packing_bytes(req) / blocks : 0;
    *p = (struct packing){.problem = problem, .cut = cut, .n = n, .detour = detour};
    p->bytes = bytes > 0 ? bytes : 1;
    p->goes[PACKING_UP] = request_combines(req);
    p->goes[PACKING_DOWN] = req->op != OP_REDUCE && req->op != OP_REDUCE_SCATTER;
    most = most < TREES_MOST ? most : TREES_MOST;
    most = most < blocks ? most : blocks;
    int error = blocks <= 0 || blocks > BLOCKS_MOST / n ? HN_EPLAN : find_ring(p);
    if (!error)
        error = begin_arrays(p, most);
    if (error)
        return error;
    deal_trees(p, most);
    assign_blocks(p);
    size_t all = (size_t)n + 1;
    int64_t *weight = malloc(all * all * sizeof *weight);
    int *parent = malloc(all * sizeof *parent);
    error = weight && parent ? grow_all(p, weight, parent) : HN_ENOMEM;
    if (!error && packing_load(p) >= INT64_MAX / 16) /* sums of such times would overflow */
        error = HN_EPLAN;
    free(weight);
    free(parent);
    return error;
}

void packing_end(struct packing *p)
{
    for (int dir = 0; dir < PACKING_DIRECTIONS; dir++)
        if (p->goes[dir])
            prices_end(&p->prices[dir]);
    arena_free(&p->arena);
}

/* Loads are scaled by PACKING_WHOLE and by the shift of the prices. */
hn_time packing_load(const struct packing *p)
{
    const struct prices *prices = &p->prices[p->goes[PACKING_DOWN] ? PACKING_DOWN : PACKING_UP];
    int64_t most = 0;
    for (int r = 0; r < prices->resources; r++)
        most = p->load[r] > most ? p->load[r] : most;
    return wide_int64(wide_up(wide_of(most / PACKING_WHOLE), prices->shift));
}
