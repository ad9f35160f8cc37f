/* portion.c - runs a tree heuristic on a subset of the ranks (portion.h). */
#include "planners/portion.h"

#include "planners/planners.h"

#include "planners/broadcast.h"

#include "hnow.h"

/* The portion's model translates its ranks, and asks the whole model. */
static struct cost portion_cost(const struct model *model, int from, int to, int64_t bytes)
{
    const struct portion *p = model->data;
    return model_cost(p->whole, p->rank[from], p->rank[to], bytes);
}

static hn_time portion_local(const struct model *model, int rank)
{
    const struct portion *p = model->data;
    return p->local ? p->local[rank] : model_local(p->whole, p->rank[rank]);
}

int portion_grow(const struct problem *problem, planner_grower *by, const struct portion *portion,
                 struct tree *tree, hn_time *time)
{
    struct model model = {.ranks = tree->ranks,
                          .port = problem->model->port,
                          .cost = portion_cost,
                          .local = portion_local,
                          .data = portion};
    /* A broadcast over the portion, whatever the operation of the whole. */
    struct request req = {
        .op = OP_BCAST, .ranks = tree->ranks, .root = tree->root, .grain = problem->req->grain};
    struct problem own = {.req = &req, .model = &model};
    struct broadcast b = {0};
    if (time)
        *time = 0;
    if (tree->ranks > portion->pairs_most)
        return planner_binomial(&own, tree);
    struct matrix *matrix = matrix_new(&model, problem_bytes(problem));
    own.matrix = matrix;
    int error = matrix ? by(&own, tree) : HN_ENOMEM;
    if (!error && time) {
        error = broadcast_begin(&b, &own);
        if (!error)
            *time = broadcast_makespan(&b, tree);
        broadcast_end(&b);
    }
    matrix_free(matrix);
    return error;
}

/* The order of the portion's tree is kept, so that parents are added before their children. */
void portion_graft(const struct tree *part, const int *rank, struct tree *tree)
{
    for (int i = 1; i < part->ranks; i++) {
        tree_add(tree, rank[part->parent[part->order[i]]], rank[part->order[i]]);
        if (part->joined[part->order[i]])
            tree_join(tree);
    }
}
