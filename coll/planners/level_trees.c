/* level_trees.c - broadcast trees over all levels that the network file knows: site, subnet,
 * machine, host, rank (our own; ECO's subnet trees, Lowekamp and Beguelin 1995, section 4.2, have
 * two levels; Karonis and others 2000 carry a binomial tree through several).
 *
 * In every group there is a tree over the leaders of its parts; its root is the group's own leader.
 * A part's leader is the rank that the group's leader reaches soonest. So a message for another
 * site crosses the slow way once, and those who pass it on sit where it arrives. Leaders serve the
 * leaders of larger groups first.
 *
 *     levels_eco     ECO's patterns: the leader serves the leaders of the parts one after the
 *                    other; among ranks a k-ary tree, or on a bus everybody by the leader
 *     levels_kary    for long data in segments: the same, but the leaders of the parts are a k-ary
 *                    tree, too, a chain for k = 1.  An uplink then carries the data no more than k
 *                    times, and the way has a hop for each part, not for each rank
 *     levels_ecef    a greedy tree on every level, the last ones first, so that the time a part
 *     levels_late    will take is known above: ECEF, and ECEF-LAT, which looks at that time
 *                    (Barchet-Steffenel and Mounie 2006, section 5.3)
 *
 * Cost: levels_eco and levels_kary O(n); the others O(k^2 log k) for each group of k parts
 * (binomial above PORTION_INSIDE); a group's leaders O(n) on each level.
 */
#include "planners/planners.h"
#include "planners/portion.h"

#include "model/levels.h"

#include "hnow.h"

#include <stdlib.h>

struct nest {
    const struct problem *problem;
    int64_t bytes;      /* of the messages by which ranks are near or far */
    planner_grower *by; /* NULL: ECO's patterns, or balanced trees */
    bool balanced;
    struct levels l;
    struct tree **tree; /* [group]: over its parts */
    int *leader;        /* [group]: of part i of group g in leader[start[g] + i] */
    int *start;
    hn_time *local; /* the same: how long the part takes; 0 for ranks */
};

/* The members of a group that is a bus are served by its leader alone, as are, by ECO, the leaders
 * of parts. */
static int arity_of(const struct nest *nest, const struct level_group *g)
{
    const hn_net *net = model_net(nest->problem->model);
    int subnet = model_subnet(nest->problem->model, nest->l.member[g->begin]);
    bool bus = net && hn_net_subnet_medium(net, subnet) == HN_MEDIUM_BUS;
    bool kary = g->leaf ? !bus : nest->balanced;
    return kary ? nest->problem->arity : g->parts;
}

/* A balanced tree over the parts, the root first and then the others as they stand. */
static void grow_balanced(int arity, struct tree *tree)
{
    int root = tree->root;
    for (int k = 1; k < tree->ranks; k++) {
        int above = (k - 1) / arity;
        tree_add(tree, above == 0 ? root : above - (above <= root), k - (k <= root));
    }
}

/* Chooses the leaders of a group's parts; returns the part that its own leader is in. */
static int choose_leaders(const struct nest *nest, const struct level_group *g, int own,
                          int *leader)
{
    int home = 0;
    for (int i = 0; i < g->parts; i++) {
        int begin, end;
        hn_time least = INT64_MAX;
        levels_part(&nest->l, g, i, &begin, &end);
        for (int m = begin; m < end && least >= 0; m++) {
            int rank = nest->l.member[m];
            hn_time reach =
                rank == own ? -1 : model_deliver(nest->problem->model, own, rank, nest->bytes);
            if (reach < least) {
                least = reach;
                leader[i] = rank;
            }
        }
        home = leader[i] == own ? i : home;
    }
    return home;
}

/* Grows the trees of a group and of all groups in it, around its leader. */
static int grow_group(struct nest *nest, int which, int own, hn_time *time)
{
    const struct level_group *g = &nest->l.group[which];
    int *leader = nest->leader + nest->start[which], error = HN_OK;
    hn_time *local = nest->local + nest->start[which];
    int home = choose_leaders(nest, g, own, leader);
    for (int i = 0; i < g->parts && !g->leaf && !error; i++)
        error = grow_group(nest, g->first + i, leader[i], &local[i]);
    if (error)
        return error;
    struct portion portion = {nest->problem->model, leader, g->leaf ? NULL : local, PORTION_INSIDE};
    struct tree *tree = nest->tree[which] = tree_new(g->parts, home);
    if (!tree)
        return HN_ENOMEM;
    if (nest->by)
        return portion_grow(nest->problem, nest->by, &portion, tree, time);
    grow_balanced(arity_of(nest, g), tree);
    return HN_OK;
}

static int begin(struct nest *nest, const struct problem *problem)
{
    int error = levels_begin(&nest->l, problem->model, NULL);
    size_t groups = (size_t)nest->l.count, places = groups + (size_t)nest->l.ranks;
    if (error)
        return error;
    nest->tree = calloc(groups, sizeof *nest->tree);
    nest->start = malloc(groups * sizeof *nest->start);
    nest->leader = malloc(places * sizeof *nest->leader);
    nest->local = calloc(places, sizeof *nest->local);
    if (!nest->tree || !nest->start || !nest->leader || !nest->local)
        return HN_ENOMEM;
    for (int g = 0, at = 0; g < nest->l.count; at += nest->l.group[g++].parts)
        nest->start[g] = at;
    return HN_OK;
}

static void end(struct nest *nest)
{
    for (int i = 0; nest->tree && i < nest->l.count; i++)
        tree_free(nest->tree[i]);
    free(nest->tree);
    free(nest->start);
    free(nest->leader);
    free(nest->local);
    levels_end(&nest->l);
}

/* Groups come before their parts, so everybody serves the leaders of large groups first. */
static int plan(const struct problem *problem, planner_grower *by, bool balanced, struct tree *tree)
{
    struct nest nest = {
        .problem = problem, .bytes = problem_bytes(problem), .by = by, .balanced = balanced};
    hn_time time;
    int error = begin(&nest, problem);
    if (!error)
        error = grow_group(&nest, 0, tree->root, &time);
    for (int g = 0; g < nest.l.count && !error; g++)
        portion_graft(nest.tree[g], nest.leader + nest.start[g], tree);
    end(&nest);
    return error;
}

int planner_levels_eco(const struct problem *problem, struct tree *tree)
{
    return plan(problem, NULL, false, tree);
}

int planner_levels_kary(const struct problem *problem, struct tree *tree)
{
    return plan(problem, NULL, true, tree);
}

int planner_levels_ecef(const struct problem *problem, struct tree *tree)
{
    return plan(problem, planner_ecef, false, tree);
}

int planner_levels_late(const struct problem *problem, struct tree *tree)
{
    return plan(problem, planner_ecef_la_T, false, tree);
}
