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
 * Cost: O(c^2 log c) for c subnets and O(k^2 log k) in each of k ranks, so 10^5 ranks are no
 * matter when they come in some hundred subnets.
 */
#include "planners.h"
#include "portion.h"

#include "../cluster.h"

#include "hnow.h"

#include <stdlib.h>

enum { MIXED_MOST = 10 };

struct hierarchy {
    const struct problem *problem;
    struct clusters c;
    int *leader;          /* [cluster] */
    hn_time *local;       /* [cluster] */
    struct tree **inside; /* [cluster] */
};

static int grow_inside(struct hierarchy *h, int cluster)
{
    int first = h->c.first[cluster], count = h->c.first[cluster + 1] - first, root = 0;
    struct portion portion = {h->problem->model, &h->c.member[first], NULL, PORTION_INSIDE};
    while (h->c.member[first + root] != h->leader[cluster])
        root++;
    struct tree *tree = h->inside[cluster] = tree_new(count, root);
    if (!tree)
        return HN_ENOMEM;
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

/* The tree of leaders, and below each the tree of its cluster. */
static int grow_levels(struct hierarchy *h, planner_grower *by, struct tree *tree)
{
    struct tree *top = tree_new(h->c.count, h->c.of[tree->root]);
    struct portion portion = {h->problem->model, h->leader, h->local, MATRIX_RANKS_MOST};
    int error = top ? choose_leaders(h, tree->root) : HN_ENOMEM;
    for (int i = 0; i < h->c.count && !error; i++)
        error = grow_inside(h, i);
    if (!error)
        error = portion_grow(h->problem, by, &portion, top, NULL);
    if (!error) {
        portion_graft(top, h->leader, tree);
        for (int i = 0; i < h->c.count; i++)
            portion_graft(h->inside[i], &h->c.member[h->c.first[i]], tree);
    }
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
