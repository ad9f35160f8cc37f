/* planner.c - the table of planners, their text names, and `auto`: the best of all by simulation.
 *
 * By construction no single planner of the table beats `auto` in the model.
 */
#include "planner.h"

#include "check.h"
#include "planners/planners.h"

#include "hnow.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GATHERS (OP_BIT(OP_ALLGATHER) | OP_BIT(OP_ALLGATHERV))

const struct planner planners[] = {
    {"flat", "sequential tree: Banikazemi, Figure 1b; PVM", TREE_OPERATIONS, 0, true, planner_flat,
     NULL},
    {"binomial", "Banikazemi, Figure 1a", TREE_OPERATIONS, 0, true, planner_binomial, NULL},
    {"binary", "k-ary tree with k = 2: ECO, section 4, Figure 1c", TREE_OPERATIONS, 2, true,
     planner_kary, NULL},
    {"kary", "k-ary tree: ECO, section 6", TREE_OPERATIONS, 3, true, planner_kary, NULL},
    {"chain", "k-ary tree with k = 1, pipelined", TREE_OPERATIONS, 1, true, planner_kary, NULL},
    {"butterfly", "broadcast tree of a butterfly: ECO, section 6", TREE_OPERATIONS, 0, true,
     planner_butterfly, NULL},
    {"ring", "ECO, Figure 3c", GATHERS | OP_BIT(OP_ALLREDUCE) | OP_BIT(OP_REDUCE_SCATTER), 0, false,
     NULL, planner_ring},
    {"doubling", "butterfly exchange: ECO, section 6",
     GATHERS | OP_BIT(OP_ALLREDUCE) | OP_BIT(OP_BARRIER), 0, false, NULL, planner_doubling},
    {"dissemination", "Hensgen, Finkel and Manber 1988", OP_BIT(OP_BARRIER), 0, false, NULL,
     planner_dissemination},
};
const int planner_count = sizeof planners / sizeof planners[0];

const struct planner *planner_named(const char *name)
{
    for (int i = 0; i < planner_count; i++)
        if (!strcmp(planners[i].name, name))
            return &planners[i];
    return NULL;
}

/* ---- choices -----------------------------------------------------------------------------------
 */

/* Reads a number in [1, limit] that ends at `end`. */
static bool read_number(const char *text, char end, int64_t limit, int64_t *number,
                        const char **rest)
{
    char *stop;
    errno = 0;
    long long value = strtoll(text, &stop, 10);
    if (stop == text || errno || value < 1 || value > limit || (*stop && *stop != end))
        return false;
    *number = value;
    *rest = stop;
    return true;
}

int choice_parse(const char *text, struct choice *choice)
{
    char name[32];
    size_t length = strcspn(text, ":/");
    if (length >= sizeof name)
        return HN_EARG;
    memcpy(name, text, length);
    name[length] = '\0';
    const char *rest = text + length;
    *choice = (struct choice){planner_named(name), 0, 0};
    if (!choice->planner)
        return HN_EARG;
    choice->arity = choice->planner->arity;
    int64_t number;
    if (*rest == ':') {
        if (!choice->planner->arity || !read_number(rest + 1, '/', INT32_MAX, &number, &rest))
            return HN_EARG;
        choice->arity = (int)number;
    }
    if (*rest == '/') {
        if (!choice->planner->segments || !read_number(rest + 1, '\0', INT64_MAX, &number, &rest))
            return HN_EARG;
        choice->segment = number;
    }
    return *rest ? HN_EARG : HN_OK;
}

const char *choice_text(const struct choice *choice, char *text, size_t size)
{
    int used = snprintf(text, size, "%s", choice->planner->name);
    if (choice->arity != choice->planner->arity && used >= 0 && (size_t)used < size)
        used += snprintf(text + used, size - (size_t)used, ":%d", choice->arity);
    if (choice->segment && used >= 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "/%" PRId64, choice->segment);
    return text;
}

static int plan_by_tree(const struct planner *planner, const struct problem *problem,
                        struct plan *plan)
{
    struct tree *tree = tree_new(problem->req->ranks, problem->req->root);
    if (!tree)
        return HN_ENOMEM;
    int error = planner->tree(problem, tree);
    if (!error)
        error = tree_finish(tree);
    if (!error)
        tree_plan(tree, problem->req, problem->segment, plan);
    tree_free(tree);
    return error;
}

/* Where the order of combining matters, not every tree will do: the checker decides. */
static int refuse_disorder(const struct plan *plan, const struct request *req)
{
    struct check_fault fault;
    return req->ordered && request_combines(req) ? plan_check(plan, req, &fault) : HN_OK;
}

int choice_plan(const struct choice *choice, const struct request *req, const struct model *model,
                struct plan **plan)
{
    const struct planner *planner = choice->planner;
    struct problem problem = {req, model, choice->segment, choice->arity};
    int error = HN_OK;
    *plan = NULL;
    if (!(planner->operations & OP_BIT(req->op)))
        return HN_EPLAN;
    struct plan *made = plan_new(req->ranks);
    if (!made)
        return HN_ENOMEM;
    if (planner->tree)
        error = plan_by_tree(planner, &problem, made);
    else
        planner->plan(&problem, made);
    if (!error)
        error = plan_finish(made);
    if (!error)
        error = refuse_disorder(made, req);
    if (error) {
        plan_free(made);
        return error;
    }
    *plan = made;
    return HN_OK;
}

/* ---- auto --------------------------------------------------------------------------------------
 */

/* Segments below this cost more in constants than they can win, and plans must stay of a reasonable
 * length. */
enum { SEGMENT_LEAST = 1024, SEGMENT_STEPS = 1 << 18 };

static int each_segment(const struct request *req, struct choice choice,
                        int (*visit)(const struct choice *choice, void *data), void *data)
{
    choice.segment = 0;
    int error = visit(&choice, data);
    int64_t bytes = request_part_bytes(req, 0);
    if (!choice.planner->segments || request_parts(req) > 1)
        return error;
    for (int64_t segment = SEGMENT_LEAST; !error && segment < bytes; segment *= 2) {
        if (bytes / segment > SEGMENT_STEPS / req->ranks)
            continue;
        choice.segment = segment;
        error = visit(&choice, data);
    }
    return error;
}

int planner_each(const struct request *req, int (*visit)(const struct choice *choice, void *data),
                 void *data)
{
    int error = HN_OK;
    for (int i = 0; i < planner_count && !error; i++) {
        if (!(planners[i].operations & OP_BIT(req->op)))
            continue;
        /* binary and chain are rows of their own; the general k-ary tree tries the rest. */
        int most = !strcmp(planners[i].name, "kary") ? 2 * planners[i].arity : planners[i].arity;
        for (int arity = planners[i].arity; arity <= most && !error; arity++)
            error = each_segment(req, (struct choice){&planners[i], arity, 0}, visit, data);
    }
    return error;
}

/* The best so far. */
struct contest {
    const struct request *req;
    const struct model *model;
    const struct planner *only;
    struct choice choice;
    struct plan *plan;
    struct timing timing;
};

static void contest_clear(struct contest *best)
{
    plan_free(best->plan);
    timing_free(&best->timing);
    best->plan = NULL;
}

static int compete(const struct choice *choice, void *data)
{
    struct contest *best = data;
    struct contest next = {.choice = *choice};
    if (best->only && best->only != choice->planner)
        return HN_OK;
    int error = choice_plan(choice, best->req, best->model, &next.plan);
    if (error)
        return error == HN_EPLAN ? HN_OK : error;
    error = plan_simulate(next.plan, best->model, &next.timing);
    if (error || (best->plan && next.timing.makespan >= best->timing.makespan)) {
        contest_clear(&next);
        return error;
    }
    contest_clear(best);
    best->choice = next.choice;
    best->plan = next.plan;
    best->timing = next.timing;
    return HN_OK;
}

int planner_best(const struct request *req, const struct model *model, const struct planner *only,
                 struct choice *choice, struct plan **plan, struct timing *timing)
{
    struct contest best = {.req = req, .model = model, .only = only};
    int error = planner_each(req, compete, &best);
    if (!error && !best.plan)
        error = HN_EPLAN;
    if (error)
        contest_clear(&best);
    *choice = best.choice;
    *plan = best.plan;
    if (timing)
        *timing = best.timing;
    else
        timing_free(&best.timing);
    return error;
}
