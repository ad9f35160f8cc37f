/* hierarchy.c - broadcast heuristics on clusters: a greedy tree over one leader of each subnet, and
 * a greedy tree inside each subnet (Barchet-Steffenel and Mounie 2006, section 4; Bhat's heuristics
 * with subnets in place of hosts).
 *
 * Inside a subnet the tree is ECEF's (binomial in large subnets: portion.h). The time
 * it takes is the local part T of the subnet, for the heuristics that look at it (ECEF-LAt,
 * ECEF-LAT, BottomUp). Leaders serve other leaders first. The leader of the root's subnet is the
 * root, elsewhere the rank that the root reaches soonest.
 *
 * With one subnet, or none known, the heuristic works on the ranks themselves.
 *
 * `cast` (our own): in subnets that carry multicasts, the leader tells all ranks of other hosts at
 * once, and then those of its own host. Above them the heuristic is ECEF-LAT, which looks at what a
 * subnet takes. Leaders serve other leaders first (K = 1), or their own subnet (K = 2), which then
 * waits less, and the others a little more. One subnet is a level, too. For long data in segments,
 * which pass all wires of a way at the same time, `cast_relay` has the root serve one leader only,
 * who serves all others (the K-th subnet besides the root's: one with a quick wire).
 *
 * Cost: O(c^2 log c) for c subnets and O(k^2 log k) in each of k ranks, so 10^5 ranks are no
 * matter when they come in some hundred subnets.
 */
#include "planners/listeners.h"
#include "planners/planners.h"
#include "planners/portion.h"

#include "model/cluster.h"

#include "hnow.h"

#include <stdlib.h>

enum { MIXED_MOST = 10 };

struct hierarchy {
    const struct problem *problem;
    bool casts; /* leaders multicast, where they can */
    struct clusters c;
    int *leader;          /* [cluster] */
    hn_time *local;       /* [cluster] */
    struct tree **inside; /* [cluster] */
};

/* Members ascend. */
static int place_of(const int *member, int count, int rank)
{
    int low = 0;
    for (int high = count; high - low > 1;) {
        int middle = (low + high) / 2;
        *(member[middle] <= rank ? &low : &high) = middle;
    }
    return low;
}

/* The leader tells all who hear it, and then the others, one after the other. */
static int grow_cast(struct hierarchy *h, int cluster)
{
    const struct model *model = h->problem->model;
    struct tree *tree = h->inside[cluster];
    const int *member = &h->c.member[h->c.first[cluster]];
    int leader = h->leader[cluster], *to = malloc((size_t)tree->ranks * sizeof *to);
    int hear = to ? listeners_of(model, leader, member, tree->ranks, to) : HN_ENOMEM;
    hn_time sent = 0;
    for (int i = 0; i < tree->ranks - 1 && hear >= 0; i++) {
        struct cost cost = model_cost(model, leader, to[i], problem_bytes(h->problem));
        bool joined = i > 0 && i < hear;
        tree_add(tree, tree->root, place_of(member, tree->ranks, to[i]));
        if (joined)
            tree_join(tree);
        sent += joined ? 0 : cost.send;
        hn_time there = sent + cost.travel + cost.recv;
        h->local[cluster] = there > h->local[cluster] ? there : h->local[cluster];
    }
    free(to);
    return hear < 0 ? hear : HN_OK;
}

/* Whether a multicast of the leader reaches anybody of its subnet. */
static bool casts(const struct hierarchy *h, int cluster)
{
    for (int i = h->c.first[cluster]; i < h->c.first[cluster + 1] && h->casts; i++)
        if (model_casts(h->problem->model, h->leader[cluster], h->c.member[i]))
            return true;
    return false;
}

static int grow_inside(struct hierarchy *h, int cluster)
{
    int first = h->c.first[cluster], count = h->c.first[cluster + 1] - first, root = 0;
    struct portion portion = {h->problem->model, &h->c.member[first], NULL, PORTION_INSIDE};
    while (h->c.member[first + root] != h->leader[cluster])
        root++;
    struct tree *tree = h->inside[cluster] = tree_new(count, root);
    if (!tree)
        return HN_ENOMEM;
    if (casts(h, cluster))
        return grow_cast(h, cluster);
    return portion_grow(h->problem, planner_ecef, &portion, tree, &h->local[cluster]);
}

static int choose_leaders(struct hierarchy *h, int root)
{
    const struct model *model = h->problem->model;
    int64_t bytes = problem_bytes(h->problem);
    hn_time *reach = calloc((size_t)model->ranks, sizeof *reach);
    if (!reach)
        return HN_ENOMEM;
    for (int rank = 0; rank < model->ranks; rank++)
        if (rank != root)
            reach[rank] = model_deliver(model, root, rank, bytes);
    clusters_leaders(&h->c, root, reach, h->leader);
    free(reach);
    return HN_OK;
}

/* The edges of all trees: leaders serve other leaders first ... */
static void graft_leaders_first(struct hierarchy *h, const struct tree *top, struct tree *tree)
{
    portion_graft(top, h->leader, tree);
    for (int i = 0; i < h->c.count; i++)
        portion_graft(h->inside[i], &h->c.member[h->c.first[i]], tree);
}

/* ... or their own subnet. */
static void graft_own_first(struct hierarchy *h, const struct tree *top, struct tree *tree)
{
    for (int i = 0; i < h->c.count; i++) {
        int cluster = top->order[i];
        if (i > 0)
            tree_add(tree, h->leader[top->parent[cluster]], h->leader[cluster]);
        portion_graft(h->inside[cluster], &h->c.member[h->c.first[cluster]], tree);
    }
}

/* The tree of leaders by a heuristic. */
static int grow_top(struct hierarchy *h, planner_grower *by, struct tree *top)
{
    struct portion portion = {h->problem->model, h->leader, h->local, MATRIX_RANKS_MOST};
    return portion_grow(h->problem, by, &portion, top, NULL);
}

/* All leaders but one are served by that one: the relay, which is the K-th cluster besides the
 * root's. */
static int grow_relayed(struct hierarchy *h, struct tree *top)
{
    int relay = h->problem->arity - 1;
    relay += relay >= top->root;
    if (relay >= h->c.count)
        return HN_EPLAN;
    tree_add(top, top->root, relay);
    for (int i = 0; i < h->c.count; i++)
        if (i != top->root && i != relay)
            tree_add(top, relay, i);
    return HN_OK;
}

/* The tree of leaders, by a heuristic or (NULL) over a relay, and below each the tree of its
 * cluster. */
static int grow_levels(struct hierarchy *h, planner_grower *by, struct tree *tree)
{
    struct tree *top = tree_new(h->c.count, h->c.of[tree->root]);
    int error = top ? choose_leaders(h, tree->root) : HN_ENOMEM;
    for (int i = 0; i < h->c.count && !error; i++)
        error = grow_inside(h, i);
    if (!error)
        error = by ? grow_top(h, by, top) : grow_relayed(h, top);
    if (!error)
        (h->casts && by && h->problem->arity > 1 ? graft_own_first : graft_leaders_first)(h, top,
                                                                                          tree);
    tree_free(top);
    return error;
}

static int begin(struct hierarchy *h, const struct problem *problem)
{
    *h = (struct hierarchy){.problem = problem};
    int error = clusters_of_model(&h->c, problem->model);
    if (error)
        return error;
    h->leader = malloc((size_t)h->c.count * sizeof *h->leader);
    h->local = calloc((size_t)h->c.count, sizeof *h->local);
    h->inside = calloc((size_t)h->c.count, sizeof *h->inside);
    return h->leader && h->local && h->inside ? HN_OK : HN_ENOMEM;
}

static void end(struct hierarchy *h)
{
    for (int i = 0; h->inside && i < h->c.count; i++)
        tree_free(h->inside[i]);
    clusters_end(&h->c);
    free(h->leader);
    free(h->local);
    free(h->inside);
}

/* Everybody on its own: the heuristic on ranks. */
static int grow_flat(const struct problem *problem, planner_grower *by, struct tree *tree)
{
    int *rank = malloc((size_t)tree->ranks * sizeof *rank);
    if (!rank)
        return HN_ENOMEM;
    for (int i = 0; i < tree->ranks; i++)
        rank[i] = i;
    struct portion portion = {problem->model, rank, NULL, MATRIX_RANKS_MOST};
    int error = portion_grow(problem, by, &portion, tree, NULL);
    free(rank);
    return error;
}

/* `many`: the heuristic for more than MIXED_MOST clusters. */
static int plan(const struct problem *problem, planner_grower *few, planner_grower *many,
                struct tree *tree)
{
    struct hierarchy h;
    int error = begin(&h, problem);
    if (!error) {
        int count = h.c.count > 1 ? h.c.count : tree->ranks;
        planner_grower *by = count > MIXED_MOST ? many : few;
        error = h.c.count > 1 ? grow_levels(&h, by, tree) : grow_flat(problem, by, tree);
    }
    end(&h);
    return error;
}

int planner_subnets_fef(const struct problem *problem, struct tree *tree)
{
    return plan(problem, planner_fef, planner_fef, tree);
}

int planner_subnets_ecef(const struct problem *problem, struct tree *tree)
{
    return plan(problem, planner_ecef, planner_ecef, tree);
}

int planner_subnets_ecef_la(const struct problem *problem, struct tree *tree)
{
    return plan(problem, planner_ecef_la, planner_ecef_la, tree);
}

int planner_subnets_ecef_la_t(const struct problem *problem, struct tree *tree)
{
    return plan(problem, planner_ecef_la_t, planner_ecef_la_t, tree);
}

int planner_subnets_ecef_la_T(const struct problem *problem, struct tree *tree)
{
    return plan(problem, planner_ecef_la_T, planner_ecef_la_T, tree);
}

int planner_subnets_bottom_up(const struct problem *problem, struct tree *tree)
{
    return plan(problem, planner_bottom_up, planner_bottom_up, tree);
}

int planner_mixed(const struct problem *problem, struct tree *tree)
{
    return plan(problem, planner_ecef_la, planner_ecef_la_T, tree);
}

static int plan_casts(const struct problem *problem, planner_grower *by, struct tree *tree)
{
    struct hierarchy h;
    if (!model_casts_any(problem->model))
        return HN_EPLAN;
    int error = begin(&h, problem);
    h.casts = true;
    if (!error)
        error = grow_levels(&h, by, tree);
    end(&h);
    return error;
}

int planner_cast(const struct problem *problem, struct tree *tree)
{
    return plan_casts(problem, planner_ecef_la_T, tree);
}

int planner_cast_relay(const struct problem *problem, struct tree *tree)
{
    return plan_casts(problem, NULL, tree);
}
