/* diagram_predict.c - a step as the model of the network sees it: diagram_predict().
 *
 * Each operation is planned as the group's operations are (the same network file, request and
 * planners), and its plan is played by coll's simulator, as hplan and hbench do.  What goes
 * straight from task to task (-decomp force) has no plan: it takes as long as it did.  Cost: that
 * of planning and simulating each operation of a step once.
 */
#include "diagram.h"

#include <string.h>

#include "mem.h"
#include "coll/internal.h"

static const enum operation predict_operations[TIMELINE_KINDS] = {
    [TIMELINE_REDUCE] = OP_REDUCE_SCATTER,
    [TIMELINE_GATHER] = OP_ALLGATHERV,
    [TIMELINE_SUM] = OP_ALLREDUCE,
    [TIMELINE_TRANSPOSE] = OP_ALLTOALL,
    [TIMELINE_SWAP] = OP_COUNT,
};

/* The request of the k-th operation of the step; sizes: room for a number a task. */
static struct request predict_request(const struct diagram *d, int k, int64_t *sizes)
{
    enum timeline_kind kind = d->measured[0].span[k].kind;
    struct request req = {.op = predict_operations[kind],
                          .ranks = d->tasks,
                          .grain = sizeof(double),
                          .steady = kind == TIMELINE_REDUCE || kind == TIMELINE_SUM};
    req.bytes = (int64_t)d->measured[0].span[k].bytes;
    for (int r = 0; r < d->tasks; r++)
        sizes[r] = (int64_t)d->measured[r].span[k].bytes;
    if (kind == TIMELINE_REDUCE || kind == TIMELINE_GATHER)
        req.sizes = sizes;
    return req;
}

/* Seconds from when all have begun the k-th operation until each task is done with it; 0 when no
 * plan serves it. */
static int predict_done(struct diagram *d, const struct comm *c, int k, double *done)
{
    enum timeline_kind kind = d->measured[0].span[k].kind;
    struct group_state *state;
    int64_t *sizes = mem_new((size_t)d->tasks, sizeof *sizes);
    struct request req = predict_request(d, k, sizes);
    struct choice choice;
    struct plan *plan = NULL;
    struct timing times = {0};
    struct held_model held = {0};
    int good = req.op != OP_COUNT && group_state_get(comm_group(c, kind), &state) == HN_OK;
    if (good)
        group_state_hold_model(state, &held);
    good = good && group_state_choose(state, &req, &choice) == HN_OK &&
           choice_plan(&choice, &req, &held.model, &plan) == HN_OK &&
           plan_simulate(plan, &held.model, &times) == HN_OK;
    if (good)
        choice_text(&choice, d->plan[kind], sizeof d->plan[kind]);
    if (good)
        d->stated = group_state_measured(state);
    for (int r = 0; good && r < d->tasks; r++)
        done[r] = 1e-12 * (double)times.done[r];
    held_model_drop(&held);
    timing_free(&times);
    plan_free(plan);
    mem_free(sizes);
    return good;
}

/* Puts the k-th operation behind the one before it; moves what is behind it along. */
static void predict_operation(struct diagram *d, const struct comm *c, int k, double *done)
{
    double last = diagram_last(d->predicted, d->tasks, k);
    int known = predict_done(d, c, k, done);
    for (int r = 0; r < d->tasks; r++) {
        struct timeline_step *s = &d->predicted[r];
        double was = s->span[k].end;
        if (known)
            s->span[k].end = last + done[r];
        for (int i = k + 1; i < s->spans; i++) {
            s->span[i].begin += s->span[k].end - was;
            s->span[i].end += s->span[k].end - was;
        }
        s->end += s->span[k].end - was;
    }
}

void diagram_predict(struct diagram *d, const struct comm *c)
{
    double *done = mem_new((size_t)d->tasks, sizeof *done);
    memcpy(d->predicted, d->measured, (size_t)d->tasks * sizeof *d->predicted);
    for (int k = 0; d->tasks > 1 && k < d->measured[0].spans; k++)
        predict_operation(d, c, k, done);
    mem_free(done);
}
