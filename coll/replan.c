/* replan.c - the best of a few plans that begin with an old one: see replan.h.
 *
 * Of every operation: the old plan as it is. Of trees: the old tree, mended where members have come
 * or gone, and improved by local moves for the costs of today, by an estimate, or, of anything but
 * a broadcast, by playing; where the size of the data has changed, also in larger and smaller
 * segments, and pipelines made anew. Of total exchanges: the old order of messages, improved in the
 * same way; of multiple multicasts, the old decisions. Beside these, one or two new plans that are
 * made in no time, for changes that leave little of what was good.
 *
 * Each of them is played once, and only until it is later than the best so far.
 */
#include "replans.h"

#include "auto.h"
#include "bound.h"
#include "cluster.h"
#include "planners/planners.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOVES_PAIR = 25,  /* local moves of the old tree, for each two ranks, */
    MOVES_EACH = 400, /* ... or for each rank, if that is less; */
    WHOLE = 4,        /* so many times as many of whole messages, whose moves are little work; */
    AGAIN = 4,        /* a part of them of what came of it, for another segment size */
    HASTE = 8,        /* this part of their work do planners that search, */
    HASTE_WAYS = 32,  /* ... of segments that go their own ways a smaller one, in sizes besides */
    PIECES = 16,      /* into so many segments, or half, these cut what was cut for a tree */
    RANKS_FEW = 16,   /* up to here, quick planners are all tried where nothing can be kept, and
                         the old one again, if it is slow; */
    RANKS_TINY = 12,  /* ... and up to here always: that takes no longer than the rest */
    CALLS_MANY = 8,   /* ... and beyond, for as long as so many operations take */
    BOUND_SHARE = 20, /* a total exchange that is nearer to the bound than this part is good */
    SEGMENT_LEAST = 1024 /* as in auto.c */
};

struct repair {
    const struct old_plan *old;
    const struct request *req;
    const struct model *model;
    struct matrix *matrix; /* for the size that is being tried */
    int *parent;           /* the old tree, or what came of it */
    struct choice choice;  /* of the best so far */
    struct plan *plan;
    struct timing timing;
    bool tried_quickly;
};

/* Keeps a plan when it is the best so far; gives it up otherwise. */
static int compete(struct repair *r, struct plan *plan, const struct choice *choice)
{
    struct timing timing;
    hn_time limit = r->plan ? r->timing.makespan : INT64_MAX;
    int error = plan_simulate_within(plan, r->model, limit, NULL, &timing);
    if (error || (r->plan && timing.makespan >= limit)) {
        plan_free(plan);
        timing_free(&timing);
        return error;
    }
    plan_free(r->plan);
    timing_free(&r->timing);
    r->plan = plan;
    r->timing = timing;
    r->choice = *choice;
    return HN_OK;
}

/* ---- candidates of all operations --------------------------------------------------------------
 */

static int try_kept(struct repair *r)
{
    struct choice choice = r->old->choice;
    struct plan *plan;
    if (r->old->now)
        return HN_OK;
    int error = replan_keep(r->old->plan, r->req, &plan);
    if (error)
        return error == HN_EPLAN ? HN_OK : error;
    choice.segment = plan->segment;
    return compete(r, plan, &choice);
}

static int prepare_matrix(struct repair *r, const struct choice *choice)
{
    int64_t bytes = choice_bytes(choice, r->req);
    if (r->matrix && r->matrix->bytes == bytes)
        return HN_OK;
    matrix_free(r->matrix);
    r->matrix = matrix_new(r->model, bytes);
    return r->matrix ? HN_OK : HN_ENOMEM;
}

/* A choice made anew; one that searches does such a part of its work. */
static int try_hastily(struct repair *r, const struct choice *choice, int haste)
{
    const struct planner *planner = choice->planner;
    const struct matrix *matrix = NULL;
    struct plan *plan;
    if (!planner_serves(planner, r->req))
        return HN_OK;
    int error = planner->pairs ? prepare_matrix(r, choice) : HN_OK;
    if (planner->pairs)
        matrix = r->matrix;
    if (!error)
        error = choice_plan_with(choice, r->req, r->model, matrix, &(struct effort){haste}, &plan);
    if (error)
        return error == HN_EPLAN ? HN_OK : error;
    return compete(r, plan, choice);
}

static int try_choice(struct repair *r, const struct choice *choice)
{
    bool again = choice->planner == r->old->choice.planner && r->req->ranks <= RANKS_FEW;
    return choice->planner->slow && !again ? HN_OK : try_hastily(r, choice, 1);
}

static int try_planner(struct repair *r, const char *name, int64_t segment)
{
    const struct planner *planner = planner_named(name);
    struct choice choice = {planner, planner->arity, segment};
    return try_choice(r, &choice);
}

/* The old choice made anew. */
static int try_old_choice(struct repair *r, int64_t segment)
{
    struct choice choice = r->old->choice;
    choice.segment = choice.planner->segments ? segment : 0;
    if (choice.root >= r->req->ranks)
        choice.root = 0;
    return try_choice(r, &choice);
}

/* What `auto` finds soon: of few ranks without its slow planners, of many in the time that some
 * operations take. */
static int try_quickly(struct repair *r)
{
    struct choice choice;
    struct plan *plan;
    if (r->tried_quickly)
        return HN_OK;
    r->tried_quickly = true;
    int error = r->req->ranks <= RANKS_FEW
                    ? planner_best_fast(r->req, r->model, &choice, &plan, NULL)
                    : planner_best_quick(r->req, r->model, CALLS_MANY, &choice, &plan, NULL, NULL);
    return error ? error : compete(r, plan, &choice);
}

/* ---- trees -------------------------------------------------------------------------------------
 */

/* Where only playing tells what a tree takes, what was reckoned is where playing begins, and the
 * old tree, too. */
static int improve_played(const struct repair *r, const struct problem *problem, int moves,
                          struct tree *tree)
{
    struct tree *start[2] = {tree_new(r->req->ranks, r->req->root),
                             tree_new(r->req->ranks, r->req->root)};
    int error = start[0] && start[1] ? HN_OK : HN_ENOMEM;
    for (int i = 0; i < 2 && !error; i++) {
        error = planner_improve(problem, r->parent, i * WHOLE * moves, start[i]);
        if (!error)
            error = tree_finish(start[i]);
    }
    if (!error)
        error = planner_improve_played(problem, (const struct tree *const *)start, 2, tree);
    tree_free(start[0]);
    tree_free(start[1]);
    return error;
}

static int improve(const struct repair *r, int64_t segment, int moves, struct tree *tree)
{
    struct problem problem = {
        .req = r->req, .model = r->model, .segment = segment, .matrix = r->matrix};
    if (segment > 0)
        return planner_improve_pipeline(&problem, r->parent, moves, tree);
    if (r->req->op != OP_BCAST && moves > 0)
        return improve_played(r, &problem, moves, tree);
    return planner_improve(&problem, r->parent, WHOLE * moves, tree);
}

/* The tree in segments of this size, after so many local moves; without any, only with the best
 * order of everybody's children. When it is the best so far, it is the tree to go on with. */
static int try_tree(struct repair *r, int64_t segment, int moves)
{
    struct choice choice = r->old->choice;
    choice.segment = segment;
    struct tree *tree = tree_new(r->req->ranks, r->req->root);
    struct plan *plan = plan_new(r->req->ranks);
    int error = tree && plan ? prepare_matrix(r, &choice) : HN_ENOMEM;
    if (!error)
        error = improve(r, segment, moves, tree);
    if (!error)
        error = tree_finish(tree);
    if (!error) {
        tree_plan(tree, r->req, segment, plan);
        error = plan_finish(plan);
    }
    const struct plan *best = r->plan;
    if (error)
        plan_free(plan);
    else
        error = compete(r, plan, &choice);
    /* Where the operation has no root, playing may have found another one. */
    if (!error && r->plan != best && tree->root == r->req->root)
        memcpy(r->parent, tree->parent, (size_t)r->req->ranks * sizeof *r->parent);
    tree_free(tree);
    return error;
}

/* Of its first part. */
static int64_t old_bytes(const struct repair *r)
{
    const struct plan *plan = r->old->plan;
    const struct plan_block *last = &plan->blocks[plan->part_first[1] - 1];
    return last->offset + last->bytes;
}

/* The segment sizes that are tried: that of the old plan, and its neighbours. Where the old one had
 * whole messages and there are more bytes now, some that are usual. Returns their number. */
static int list_segments(const struct repair *r, int64_t sizes[4])
{
    int64_t old = r->old->choice.segment, bytes = request_part_bytes(r->req, 0);
    int64_t was = old_bytes(r), largest = SEGMENT_LEAST;
    int count = 0;
    sizes[count++] = old < bytes ? old : 0;
    if (request_parts(r->req) > 1 || (old == 0 && bytes < was * 3 / 2))
        return count;
    while (old == 0 && 2 * largest < bytes)
        largest *= 2;
    largest = old > 0 ? 2 * old : largest;
    for (int64_t size = largest; size >= largest / 4 && size >= SEGMENT_LEAST; size /= 2)
        if (size != old && size < bytes)
            sizes[count++] = size;
    return count;
}

static int try_new_trees(struct repair *r, int64_t segment)
{
    int error = try_old_choice(r, segment);
    if (!error)
        error = try_planner(r, segment > 0 ? "path" : "ecef_la", segment);
    if (!error && segment > 0)
        error = try_planner(r, "pipeline", segment);
    if (!error && clusters_many(r->model))
        error = try_planner(r, "subnets_ecef", segment);
    return error;
}

static const char *const ways[] = {"forest", "swarm"};

/* Where the old plan is no tree, but segments that go their own ways: these are looked for again,
 * in haste, and, since other costs may want another kind of plan, so are others. */
static int try_ways(struct repair *r, const int64_t *sizes, int count)
{
    struct choice choice = r->old->choice;
    int error = HN_OK;
    for (int i = 0; i < count && !error; i++) {
        choice.segment = sizes[i];
        error = try_hastily(r, &choice, i == 0 ? HASTE : HASTE_WAYS);
    }
    choice.segment = sizes[0];
    for (size_t i = 0; i < sizeof ways / sizeof *ways && !error; i++) {
        choice.planner = planner_named(ways[i]);
        if (choice.planner != r->old->choice.planner)
            error = try_hastily(r, &choice, HASTE_WAYS);
    }
    return error;
}

/* Where the old plan is a tree in segments, these may go their own ways now: in larger ones, since
 * nobody waits for a row of others. */
static int try_new_ways(struct repair *r)
{
    struct choice choice = {.segment = SEGMENT_LEAST};
    int64_t bytes = request_part_bytes(r->req, 0);
    int error = HN_OK;
    while (choice.segment < bytes / PIECES)
        choice.segment *= 2;
    for (int larger = 0; larger < 2 && choice.segment < bytes; larger++, choice.segment *= 2)
        for (size_t i = 0; i < sizeof ways / sizeof *ways && !error; i++) {
            choice.planner = planner_named(ways[i]);
            error = try_hastily(r, &choice, HASTE_WAYS);
        }
    return error;
}

/* A search from scratch in haste: after a change, other trees than those near the old one may be
 * better, whole messages where segments were, and the other way round. */
static int try_searches(struct repair *r, const int64_t *sizes, int count)
{
    struct choice tree = {.planner = planner_named("search")};
    int error = try_hastily(r, &tree, HASTE);
    for (int i = 0; i < count && !error; i++) {
        tree.segment = sizes[i];
        if (tree.segment > 0)
            error = try_hastily(r, &tree, HASTE);
    }
    return error;
}

/* Another size may want trees of another kind, and segments of another size: pipelines made anew,
 * in smaller and larger segments for as long as these are better. */
static int try_pipelines(struct repair *r)
{
    int64_t bytes = request_part_bytes(r->req, 0), first = r->choice.segment;
    int error = try_planner(r, "pipeline", first);
    for (int up = 0; up < 2; up++) {
        bool better = true;
        for (int64_t size = up ? 2 * first : first / 2;
             better && size >= SEGMENT_LEAST && size < bytes && !error;
             size = up ? 2 * size : size / 2) {
            const struct plan *before = r->plan;
            error = try_planner(r, "pipeline", size);
            better = r->plan != before;
        }
    }
    return error;
}

static int try_trees(struct repair *r)
{
    int64_t sizes[4];
    int count = list_segments(r, sizes), n = r->req->ranks;
    int moves = n < MOVES_EACH / MOVES_PAIR ? MOVES_PAIR * n * n : MOVES_EACH * n;
    struct choice whole = {.planner = r->old->choice.planner, .segment = sizes[0]};
    r->parent = malloc((size_t)n * sizeof *r->parent);
    int error = r->parent ? prepare_matrix(r, &whole) : HN_ENOMEM;
    if (!error)
        error = replan_tree(r->old, r->req, r->matrix, r->parent);
    bool tree = !error;
    error = error == HN_EPLAN ? HN_OK : error;
    if (tree && r->old->now)
        error = try_tree(r, sizes[0], 0);
    for (int i = 0; i < count && tree && !error; i++)
        error = try_tree(r, sizes[i], i == 0 ? moves : moves / AGAIN);
    if (tree && !error && sizes[0] > 0)
        error = try_tree(r, 0, moves);
    const struct planner *old = r->old->choice.planner;
    if (!error && old->slow && !old->tree && n > RANKS_FEW)
        error = try_ways(r, sizes, count);
    if (!error && tree && sizes[0] > 0 && request_parts(r->req) == 1)
        error = try_new_ways(r);
    if (!error)
        error = try_searches(r, sizes, count);
    if (!error)
        error = try_new_trees(r, sizes[0]);
    bool resized = old_bytes(r) != request_part_bytes(r->req, 0);
    return !error && resized && r->choice.segment > 0 ? try_pipelines(r) : error;
}

/* ---- total exchanges ---------------------------------------------------------------------------
 */

static int plan_events(const struct repair *r, const struct exchange_event *events, int count,
                       struct plan **plan)
{
    struct problem problem = {.req = r->req, .model = r->model};
    *plan = plan_new(r->req->ranks);
    if (!*plan)
        return HN_ENOMEM;
    planner_exchange_repair(&problem, events, count, *plan);
    int error = plan_finish(*plan);
    if (error)
        plan_free(*plan);
    return error;
}

/* Orders that are made in little time. Where every message costs much, the old order matters less
 * than how many there are. */
static int try_orders(struct repair *r)
{
    int error = HN_OK;
    for (int i = 0; i < planner_count && !error; i++) {
        struct choice choice = {.planner = &planners[i]};
        if (planners[i].slow || planners[i].composed ||
            planners[i].operations & ~OP_BIT(OP_ALLTOALL))
            continue;
        for (choice.arity = planners[i].arity; choice.arity <= planners[i].arity_most && !error;
             choice.arity++)
            error = try_choice(r, &choice);
    }
    return error;
}

static bool is_near_bound(const struct repair *r)
{
    hn_time bound = lower_bound(r->req, r->model, true);
    return r->plan && r->timing.makespan - bound <= bound / BOUND_SHARE;
}

/* By others, around a way or a host that has become slow. */
static int try_detours(struct repair *r)
{
    struct choice choice;
    struct plan *plan;
    int error = choice_parse("as_allgather:gossip", &choice);
    if (!error)
        error = try_choice(r, &choice);
    if (error || is_near_bound(r))
        return error;
    error = planner_best(r->req, r->model, planner_named("as_allreduce"), &choice, &plan, NULL);
    return error ? error : compete(r, plan, &choice);
}

static int try_exchange(struct repair *r)
{
    size_t ranks = (size_t)r->old->plan->ranks;
    struct exchange_event *events = malloc(ranks * ranks * sizeof *events);
    struct plan *plan;
    int error = HN_ENOMEM;
    if (events) {
        int count = replan_events(r->old, events);
        error = count < 0 ? try_quickly(r) : plan_events(r, events, count, &plan);
        if (!error && count >= 0)
            error = compete(r, plan, &r->old->choice);
    }
    free(events);
    if (!error)
        error = r->req->ranks <= RANKS_FEW ? try_quickly(r) : try_orders(r);
    return error ? error : try_detours(r);
}

/* ---- multiple multicasts -----------------------------------------------------------------------
 */

static int plan_decisions(const struct repair *r, const struct multicast_decision *decisions,
                          int count, struct plan **plan)
{
    struct problem problem = {.req = r->req, .model = r->model, .segment = r->old->plan->segment};
    *plan = plan_new(r->req->ranks);
    if (!*plan)
        return HN_ENOMEM;
    int error = planner_multicast_repair(&problem, decisions, count, *plan);
    if (!error)
        error = plan_finish(*plan);
    if (error)
        plan_free(*plan);
    return error;
}

static int try_decisions(struct repair *r)
{
    struct choice choice = r->old->choice;
    size_t messages = (size_t)plan_message_count(r->old->plan);
    struct multicast_decision *decisions = malloc((messages + 1) * sizeof *decisions);
    struct plan *plan;
    int count = decisions ? replan_decisions(r->old, decisions) : -1;
    int error = count < 0 ? HN_ENOMEM : plan_decisions(r, decisions, count, &plan);
    choice.segment = r->old->plan->segment;
    free(decisions);
    if (error)
        return error == HN_EPLAN ? HN_OK : error;
    return compete(r, plan, &choice);
}

/* Wu's algorithms are made in no time, so all of them are tried, with whole messages and, as long
 * as the longest one is cut, with all segment sizes. */
static int try_messages(struct repair *r)
{
    int64_t longest = 0;
    for (int k = 0; k < r->req->message_count; k++)
        longest = r->req->messages[k].bytes > longest ? r->req->messages[k].bytes : longest;
    int error = try_decisions(r);
    for (int i = 0; i < planner_count && !error; i++)
        for (int64_t segment = 0;
             planner_serves(&planners[i], r->req) && (segment == 0 || segment < longest) && !error;
             segment = segment > 0 ? 2 * segment : SEGMENT_LEAST) {
            struct choice choice = {.planner = &planners[i], .segment = segment};
            error = try_choice(r, &choice);
        }
    return error;
}

/* ---- all together ------------------------------------------------------------------------------
 */

static bool is_for_trees(const struct request *req)
{
    return (TREE_OPERATIONS & OP_BIT(req->op)) && !req->ordered && req->ranks <= SEARCH_RANKS_MOST;
}

/* Plans made of plans: as the old one was, where it was one, and by the usual ones of each stage.
 */
static int try_composed(struct repair *r)
{
    int error = r->old->choice.planner->composed ? try_choice(r, &r->old->choice) : HN_OK;
    for (int i = 0; i < planner_count && !error; i++)
        if (planners[i].composed)
            error = try_planner(r, planners[i].name, 0);
    return error;
}

static int try_others(struct repair *r)
{
    const struct choice *old = &r->old->choice;
    int error = is_for_trees(r->req) ? try_trees(r) : HN_OK;
    if (!error && (!old->planner->tree || !r->plan))
        error = try_old_choice(r, old->segment);
    if (!error && (!old->planner->tree || !r->plan))
        error = try_quickly(r);
    return error;
}

static int try_all(struct repair *r)
{
    bool exchange = r->req->op == OP_ALLTOALL && r->req->ranks <= EXCHANGE_RANKS_MOST;
    int error = try_kept(r);
    if (!error)
        error = exchange ? try_exchange(r) : r->req->messages ? try_messages(r) : try_others(r);
    if (!error && r->req->ranks <= RANKS_TINY)
        error = try_quickly(r);
    return error ? error : try_composed(r);
}

int replan(const struct old_plan *old, const struct request *req, const struct model *model,
           struct choice *choice, struct plan **plan, struct timing *timing)
{
    struct repair r = {.old = old, .req = req, .model = model};
    *plan = NULL;
    if ((!old->now && old->plan->ranks != req->ranks) ||
        !(old->choice.planner->operations & OP_BIT(req->op)))
        return HN_EPLAN;
    int error = try_all(&r);
    if (!error && !r.plan)
        error = HN_EPLAN;
    if (error || !timing)
        timing_free(&r.timing);
    if (error)
        plan_free(r.plan);
    if (!error) {
        *choice = r.choice;
        *plan = r.plan;
        if (timing)
            *timing = r.timing;
    }
    matrix_free(r.matrix);
    free(r.parent);
    return error;
}
