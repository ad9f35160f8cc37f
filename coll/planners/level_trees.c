/* level_trees.c - hierarchical trees over the groups of a network: a tree over the leaders of a
 * group's parts, and another tree in each part.
 *
 * The root of a group's tree is the leader of the group. The leader of a part is the rank that the
 * group's leader reaches first. So a message for another group uses the slow route once, and is
 * forwarded by the rank where it arrives. Leaders serve the leaders of larger groups first.
 *
 * Parts are subnets (ECO; Bhat's heuristics on subnets instead of hosts; Barchet-Steffenel and
 * Mounie 2006, section 4):
 *
 *     eco            The root serves the leaders of all other subnets one after the other (Lowekamp
 *                    and Beguelin 1995, sections 4.2 and 5, Figure 3d). Inside a subnet there is a
 *                    k-ary tree. On a bus, which transfers one message at a time, the leader serves
 *                    all members (section 6 finds wider trees better on buses).
 *     subnets_...    A greedy tree over the leaders, and ECEF's inside (binomial in large subnets:
 *                    portion.h). Heuristics that use a local part T get the makespan inside the
 *                    subnet. If there is only one subnet, the heuristic is applied to the ranks.
 *     cast           Our own: in a subnet that carries multicasts the leader sends to all ranks of
 *                    other hosts at once, and then to those of its own host. The tree over the
 *                    leaders is ECEF-LAT's, which uses the makespans of subnets. Leaders first
 *                    serve other leaders (K = 1), or their own subnet (K = 2).
 *     cast_relay     As cast, for long data in segments, which occupy all media of a route at the
 *                    same time: the root serves only one leader, which serves all others. It leads
 *                    the K-th subnet besides the root's, which should have a fast medium.
 *
 * Cost: fixed patterns O(n); other trees O(k^2 log k) for each group of k parts (binomial above
 * PORTION_INSIDE); choosing a group's leaders O(n) on each level. So 10^5 ranks in some hundred
 * subnets are feasible.
 */
#include "planners/receivers.h"
#include "planners/planners.h"
#include "planners/portion.h"

#include "model/levels.h"

#include "hnow.h"

#include <stdlib.h>

enum { MIXED_MOST = 10 }; /* most clusters for ECEF-LA in `mixed` (Barchet, section 6) */

/* How a planner grows its trees. */
struct style {
    planner_grower *top;    /* over the leaders of the outermost parts; NULL: a fixed pattern */
    planner_grower *many;   /* the same for more than MIXED_MOST parts; NULL: as top */
    planner_grower *inside; /* for all other groups; NULL: a fixed pattern */
    bool multicasts;        /* leaders of subnets multicast, where possible */
    bool relayed;           /* one of the leaders serves all others */
};

/* Trees of all groups, made from the outermost to the innermost. Group g has one entry of leader[]
 * and local[] for each of its parts, from start[g] on. Ranks are the parts of the innermost groups.
 */
struct nest {
    const struct problem *problem;
    const struct style *style;
    int64_t bytes; /* size of the messages by which distances are compared */
    struct levels l;
    struct tree **tree; /* [group]: over its parts */
    int *leader;        /* [group]: of part i of group g in leader[start[g] + i] */
    int *start;
    hn_time *local;     /* likewise: the makespan of the part; 0 for ranks */
    struct arena arena; /* of the arrays */
};

static bool is_top(const struct nest *nest, const struct level_group *g)
{
    return g == nest->l.group;
}

/* ---- patterns --------------------------------------------------------------------------- */

/* Arity of a group's tree. On a bus the leader alone serves all members; in `eco` it serves all
 * leaders of parts, too. */
static int arity_of(const struct nest *nest, const struct level_group *g)
{
    const struct model *model = nest->problem->model;
    const hn_net *net = model_net(model);
    int subnet = model_subnet(model, nest->l.member[g->begin]);
    bool bus = net && hn_net_subnet_medium(net, subnet) == HN_MEDIUM_BUS;
    bool one = model_subnet(model, nest->l.member[g->end - 1]) == subnet;
    return g->leaf && one && !bus ? nest->problem->arity : g->parts;
}

/* Grows a balanced tree over the parts: the root first, then the others in their order. The
 * k-th part in this order is below the one at (k - 1) / arity. Part numbers skip the root's. */
static void grow_balanced(int arity, struct tree *tree)
{
    int root = tree->root;
    for (int k = 1; k < tree->ranks; k++) {
        int above = (k - 1) / arity;
        tree_add(tree, above == 0 ? root : above - (above <= root), k - (k <= root));
    }
}

/* Grows a tree in which the relay, the leader of the K-th part besides the root's, serves all other
 * leaders. HN_OK, or HN_EPLAN if there is no such part. */
static int grow_relayed(int which, struct tree *tree)
{
    /* The K-th part when the root's own part is not counted. */
    int relay = which - 1 + (which - 1 >= tree->root);
    if (relay >= tree->ranks)
        return HN_EPLAN;
    tree_add(tree, tree->root, relay);
    for (int i = 0; i < tree->ranks; i++)
        if (i != tree->root && i != relay)
            tree_add(tree, relay, i);
    return HN_OK;
}

/* ---- multicasts ------------------------------------------------------------------------- */

/* Position of a rank among members, which are in ascending order. Binary search, since groups of
 * hosts can have thousands of members. */
static int place_of(const int *member, int count, int rank)
{
    int low = 0;
    for (int high = count; high - low > 1;) {
        int middle = (low + high) / 2;
        *(member[middle] <= rank ? &low : &high) = middle;
    }
    return low;
}

/* Whether a multicast of the leader reaches any rank of its group. */
static bool is_reached(const struct nest *nest, const struct level_group *g, int leader)
{
    for (int i = g->begin; i < g->end; i++)
        if (model_multicasts(nest->problem->model, leader, nest->l.member[i]))
            return true;
    return false;
}

/* The leader multicasts, then sends to the ranks that the multicast does not reach, one after the
 * other. HN_OK, or an error of receivers_of(); *time (may be NULL): end of the last receive. */
static int grow_multicast(const struct nest *nest, const struct level_group *g, struct tree *tree,
                          hn_time *time)
{
    const struct model *model = nest->problem->model;
    const int *member = &nest->l.member[g->begin];
    int leader = member[tree->root], *to = malloc((size_t)tree->ranks * sizeof *to);
    int reached = to ? receivers_of(model, leader, member, tree->ranks, to) : HN_ENOMEM;
    hn_time sent = 0, last = 0;
    /* The first `reached` receivers share one start-up, which the first of them pays. */
    for (int i = 0; i < tree->ranks - 1 && reached >= 0; i++) {
        struct cost cost = model_cost(model, leader, to[i], nest->bytes);
        bool joined = i > 0 && i < reached;
        tree_add(tree, tree->root, place_of(member, tree->ranks, to[i]));
        if (joined)
            tree_join(tree);
        sent += joined ? 0 : cost.send;
        hn_time there = sent + cost.travel + cost.recv;
        last = there > last ? there : last;
    }
    free(to);
    if (time)
        *time = last;
    return reached < 0 ? reached : HN_OK;
}

/* ---- a group ---------------------------------------------------------------------------- */

/* The rank among members begin ... end - 1 that `own` reaches first. */
static int soonest(const struct nest *nest, int begin, int end, int own)
{
    int best = nest->l.member[begin];
    hn_time least = INT64_MAX;
    /* A part with one member needs no comparison; its only member is `best` already. */
    for (int m = begin; m < end && end - begin > 1; m++) {
        int rank = nest->l.member[m];
        if (rank == own)
            return own;
        hn_time reach = model_deliver(nest->problem->model, own, rank, nest->bytes);
        if (reach < least) {
            least = reach;
            best = rank;
        }
    }
    return best;
}

/* Chooses the leaders of a group's parts; returns the part that its own leader is in. */
static int choose_leaders(const struct nest *nest, const struct level_group *g, int own,
                          int *leader)
{
    int home = 0;
    for (int i = 0; i < g->parts; i++) {
        int begin, end;
        levels_part(&nest->l, g, i, &begin, &end);
        leader[i] = soonest(nest, begin, end, own);
        home = leader[i] == own ? i : home;
    }
    return home;
}

/* The planner for the tree over a group's parts; NULL: a fixed pattern. In `mixed` the number of
 * clusters decides between two heuristics (Barchet-Steffenel and Mounie 2006, section 6). */
static planner_grower *grower_of(const struct nest *nest, const struct level_group *g)
{
    const struct style *style = nest->style;
    planner_grower *top = style->many && g->parts > MIXED_MOST ? style->many : style->top;
    return is_top(nest, g) ? top : style->inside;
}

/* Grows the tree over the parts of a group, whose leaders have been chosen. */
static int grow_parts(const struct nest *nest, const struct level_group *g, struct tree *tree,
                      hn_time *time)
{
    const struct style *style = nest->style;
    int first = nest->start[g - nest->l.group];
    const int *leader = &nest->leader[first];
    /* Multicasts exist inside subnets only, so they replace the tree of a leaf group. */
    if (style->multicasts && g->leaf && is_reached(nest, g, leader[tree->root]))
        return grow_multicast(nest, g, tree, time);
    if (style->relayed && is_top(nest, g))
        return grow_relayed(nest->problem->arity, tree);
    planner_grower *by = grower_of(nest, g);
    if (!by) {
        grow_balanced(arity_of(nest, g), tree);
        return HN_OK;
    }
    /* Parts that are ranks have no makespan of their own. Over subnets the heuristic applies to all
     * parts; elsewhere large groups get a binomial tree, since a greedy one costs O(k^2 log k). */
    struct portion portion = {nest->problem->model, leader, g->leaf ? NULL : &nest->local[first],
                              is_top(nest, g) ? MATRIX_RANKS_MOST : PORTION_INSIDE};
    return portion_grow(nest->problem, by, &portion, tree, time);
}

/* Grows the trees of a group and of all groups in it, from its leader; *time (may be NULL) receives
 * its makespan. */
static int grow_group(struct nest *nest, int which, int own, hn_time *time)
{
    const struct level_group *g = &nest->l.group[which];
    int first = nest->start[which], error = HN_OK;
    int home = choose_leaders(nest, g, own, &nest->leader[first]);
    for (int i = 0; i < g->parts && !g->leaf && !error; i++)
        /* Parts are grown first: the heuristics of this group need their makespans. */
        error = grow_group(nest, g->first + i, nest->leader[first + i], &nest->local[first + i]);
    if (error)
        return error;
    nest->tree[which] = tree_new(g->parts, home);
    return nest->tree[which] ? grow_parts(nest, g, nest->tree[which], time) : HN_ENOMEM;
}

/* ---- all of them ------------------------------------------------------------------------ */

/* Finds the groups and allocates their arrays. The caller calls end() in either case. */
static int begin(struct nest *nest)
{
    int error = levels_of_subnets(&nest->l, nest->problem->model);
    size_t groups = (size_t)nest->l.count, places = groups + (size_t)nest->l.ranks;
    if (error)
        return error;
    ARENA_ARRAYS(&nest->arena, groups, nest->tree, nest->start);
    ARENA_ARRAYS(&nest->arena, places, nest->leader, nest->local);
    if (nest->arena.failed)
        return HN_ENOMEM;
    /* A group has one place for each of its parts; groups and ranks together are parts once. */
    for (int g = 0, at = 0; g < nest->l.count; at += nest->l.group[g++].parts)
        nest->start[g] = at;
    return HN_OK;
}

static void end(struct nest *nest)
{
    for (int i = 0; nest->tree && i < nest->l.count; i++)
        tree_free(nest->tree[i]);
    arena_free(&nest->arena);
    levels_end(&nest->l);
}

/* Adds the edges of a group's tree between the leaders of its parts to the tree of all ranks. */
static void graft(const struct nest *nest, int group, struct tree *tree)
{
    portion_graft(nest->tree[group], nest->leader + nest->start[group], tree);
}

/* Adds the edges of all trees. Groups are listed before their parts, so every rank serves the
 * leaders of large groups first ... */
static void graft_leaders_first(const struct nest *nest, struct tree *tree)
{
    for (int group = 0; group < nest->l.count; group++)
        graft(nest, group, tree);
}

/* ... or, with subnets, its own subnet first. The outermost tree is followed in the order of its
 * growth, so every leader is in the tree before its subnet is added. */
static void graft_own_first(const struct nest *nest, struct tree *tree)
{
    const struct level_group *all = nest->l.group;
    const struct tree *top = nest->tree[0];
    for (int i = 0; i < all->parts; i++) {
        int part = top->order[i];
        if (i > 0)
            tree_add(tree, nest->leader[top->parent[part]], nest->leader[part]);
        graft(nest, all->first + part, tree);
    }
}

/* Grows the tree of a style into `tree`, which contains its root only. HN_OK or an error; HN_EPLAN
 * if the network has no multicast or no second subnet where the style needs one. */
static int plan(const struct problem *problem, const struct style *style, struct tree *tree)
{
    struct nest nest = {.problem = problem, .style = style, .bytes = problem_bytes(problem)};
    if (style->multicasts && !model_multicasts_any(problem->model))
        return HN_EPLAN;
    int error = begin(&nest);
    /* The outermost group is a leaf if there is only one subnet or one level. */
    bool one = !error && nest.l.group[0].leaf;
    if (style->relayed && one)
        error = HN_EPLAN; /* there is no other subnet */
    if (!error)
        error = grow_group(&nest, 0, tree->root, NULL);
    if (!error)
        (style->multicasts && style->top && problem->arity > 1 && !one
             ? graft_own_first
             : graft_leaders_first)(&nest, tree);
    end(&nest);
    return error;
}

/* ---- the planners ----------------------------------------------------------------------- */

/* Defines a planner by its style. */
#define STYLED(name, ...)                                                                          \
    int name(const struct problem *problem, struct tree *tree)                                     \
    {                                                                                              \
        static const struct style style = {__VA_ARGS__};                                           \
        return plan(problem, &style, tree);                                                        \
    }
#define OVER_SUBNETS .inside = planner_ecef, .top

STYLED(planner_eco, .top = NULL)
STYLED(planner_subnets_fef, OVER_SUBNETS = planner_fef)
STYLED(planner_subnets_ecef, OVER_SUBNETS = planner_ecef)
STYLED(planner_subnets_ecef_la, OVER_SUBNETS = planner_ecef_la)
STYLED(planner_subnets_ecef_la_t, OVER_SUBNETS = planner_ecef_la_t)
STYLED(planner_subnets_ecef_la_T, OVER_SUBNETS = planner_ecef_la_T)
STYLED(planner_subnets_bottom_up, OVER_SUBNETS = planner_bottom_up)
STYLED(planner_mixed, OVER_SUBNETS = planner_ecef_la, .many = planner_ecef_la_T)
STYLED(planner_cast, OVER_SUBNETS = planner_ecef_la_T, .multicasts = true)
STYLED(planner_cast_relay, OVER_SUBNETS = NULL, .multicasts = true, .relayed = true)
