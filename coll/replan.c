/* replan.c - repairing a tree: see replan.h.
 *
 * The tree is read from the old plan: a rank's parent is the peer from which it receives the first
 * block in a broadcast, to which it sends it in a reduction.
 */
#include "replan.h"

#include "auto.h"
#include "planners/planners.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOVES_EACH = 1000,   /* local moves for each rank */
    SEGMENT_LEAST = 1024 /* as in auto.c */
};

struct repair {
    const struct request *req;
    const struct model *model;
    struct matrix *matrix;
    struct choice choice; /* of the best so far */
    struct plan *plan;
    struct timing timing;
};

/* Keeps a plan when it is the best so far; frees it otherwise. */
static int compete(struct repair *r, struct plan *plan, const struct choice *choice)
{
    struct timing timing;
    hn_time limit = r->plan ? r->timing.makespan : INT64_MAX;
    int error = plan_simulate_within(plan, r->model, limit, &timing);
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

/* ---- the old tree ------------------------------------------------------------------------------
 */

/* The peer of a rank's first step up (reductions) or down the tree; -1: none. */
static int parent_in(const struct plan *plan, const struct request *req, int rank)
{
    bool up = req->op != OP_BCAST;
    for (int i = plan->first[rank]; i < plan->first[rank + 1]; i++)
        if (up ? plan->steps[i].kind == PLAN_SEND : plan->steps[i].kind == PLAN_RECV)
            return plan->steps[i].peer;
    return -1;
}

/* Whether every rank hangs below the root. */
static bool is_tree(const int *parent, int ranks, int root)
{
    for (int rank = 0; rank < ranks; rank++) {
        int here = rank;
        for (int i = 0; i < ranks && here >= 0 && here != root; i++)
            here = parent[here];
        if (here != root)
            return false;
    }
    return true;
}

static bool read_tree(const struct plan *plan, const struct request *req, int *parent)
{
    for (int rank = 0; rank < req->ranks; rank++)
        parent[rank] = rank == req->root ? -1 : parent_in(plan, req, rank);
    return is_tree(parent, req->ranks, req->root);
}

/* ---- candidates --------------------------------------------------------------------------------
 */

/* Plans the operation on a tree; takes the tree over. */
static int try_tree(struct repair *r, struct tree *tree, const struct choice *choice)
{
    struct plan *plan = plan_new(r->req->ranks);
    int error = plan ? tree_finish(tree) : HN_ENOMEM;
    if (!error) {
        tree_plan(tree, r->req, choice->segment, plan);
        error = plan_finish(plan);
    }
    tree_free(tree);
    if (!error)
        return compete(r, plan, choice);
    plan_free(plan);
    return error;
}

/* The old tree, its children in their best order, and what local moves make of it. */
static int try_old_tree(struct repair *r, const int *parent, const struct choice *choice)
{
    struct problem problem = {r->req, r->model, choice->segment, 0, r->matrix};
    int error = HN_OK;
    for (int moves = 0; moves < 2 && !error; moves++) {
        struct tree *tree = tree_new(r->req->ranks, r->req->root);
        error =
            tree ? planner_improve(&problem, parent, moves ? MOVES_EACH * r->req->ranks : 0, tree)
                 : HN_ENOMEM;
        if (error)
            tree_free(tree);
        else
            error = try_tree(r, tree, choice);
    }
    return error;
}

static int try_planner(struct repair *r, const struct planner *planner, int arity, int64_t segment)
{
    struct choice choice = {planner, arity, planner->segments ? segment : 0};
    struct plan *plan;
    if (planner->slow)
        return HN_OK;
    int error =
        choice_plan_with(&choice, r->req, r->model, planner->pairs ? r->matrix : NULL, &plan);
    if (error)
        return error == HN_EPLAN ? HN_OK : error;
    return compete(r, plan, &choice);
}

/* The planner for segments is slow, but not as slow as trying everything. */
static int try_pipeline(struct repair *r, int64_t segment)
{
    struct choice choice = {planner_named("pipeline"), 0, segment};
    struct plan *plan;
    int error = choice_plan_with(&choice, r->req, r->model, r->matrix, &plan);
    return error ? error : compete(r, plan, &choice);
}

/* All candidates with one segment size. */
static int try_segment(struct repair *r, const int *parent, const struct choice *old,
                       int64_t segment)
{
    struct choice choice = {old->planner, old->arity, segment};
    matrix_free(r->matrix);
    r->matrix = matrix_new(r->model, choice_bytes(&choice, r->req));
    if (!r->matrix)
        return HN_ENOMEM;
    int error = try_planner(r, old->planner, old->arity, segment);
    if (!error)
        error = try_planner(r, planner_named("ecef_la"), 0, segment);
    if (!error)
        error = try_planner(r, planner_named("path"), 0, segment);
    if (!error)
        error = try_planner(r, planner_named("subnets_ecef"), 0, segment);
    if (!error && segment > 0 && r->model->ranks <= PIPELINE_RANKS_MOST)
        error = try_pipeline(r, segment);
    return !error && parent ? try_old_tree(r, parent, &choice) : error;
}

static int try_all(struct repair *r, const int *parent, const struct choice *old)
{
    int64_t bytes = request_part_bytes(r->req, 0);
    int64_t first = old->segment > 0 ? old->segment / 2 : bytes / 16;
    int error = try_segment(r, parent, old, old->segment);
    for (int64_t segment = first; segment < bytes && segment <= 16 * first && !error; segment *= 2)
        if (segment >= SEGMENT_LEAST && segment != old->segment)
            error = try_segment(r, parent, old, segment);
    return error || old->segment == 0 ? error : try_segment(r, parent, old, 0);
}

static bool is_for_trees(const struct request *req, const struct model *model)
{
    bool one = req->op == OP_BCAST || req->op == OP_REDUCE || req->op == OP_ALLREDUCE;
    return one && !req->ordered && model->ranks <= SEARCH_RANKS_MOST;
}

int replan(const struct choice *old_choice, const struct plan *old_plan, const struct request *req,
           const struct model *model, struct choice *choice, struct plan **plan,
           struct timing *timing)
{
    struct repair r = {.req = req, .model = model};
    *plan = NULL;
    if (old_plan->ranks != req->ranks || !planner_serves(old_choice->planner, req))
        return HN_EPLAN;
    if (!is_for_trees(req, model))
        return planner_best_fast(req, model, choice, plan, timing);
    int *parent = malloc((size_t)req->ranks * sizeof *parent);
    int error = HN_ENOMEM;
    if (parent) {
        bool tree = read_tree(old_plan, req, parent) && old_choice->planner->tree;
        error = try_all(&r, tree ? parent : NULL, old_choice);
    }
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
    free(parent);
    return error;
}
