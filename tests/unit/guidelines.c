/* guidelines.c - `auto` against itself: what it promises for an operation, and for others that do
 * the same together. The first should not be more.
 */
#include "guidelines.h"

#include "coll/internal.h"

#include "hnow.h"

#include <stdio.h>
#include <stdlib.h>

/* How many bytes a part has, when the left side has m, on n ranks. */
enum size { SAME, ALL /* n * m */, PIECE /* m / n */ };

struct term {
    enum operation op;
    enum size size;
};

static const struct {
    enum operation left;
    struct term right[2];
} guidelines[] = {
    {OP_ALLREDUCE, {{OP_REDUCE, SAME}, {OP_BCAST, SAME}}},
    {OP_ALLREDUCE, {{OP_REDUCE_SCATTER, PIECE}, {OP_ALLGATHER, PIECE}}},
    {OP_ALLGATHER, {{OP_GATHER, SAME}, {OP_BCAST, ALL}}},
    {OP_ALLGATHER, {{OP_ALLREDUCE, ALL}, {OP_COUNT}}},
    {OP_ALLGATHER, {{OP_ALLTOALL, SAME}, {OP_COUNT}}},
    {OP_BCAST, {{OP_SCATTER, PIECE}, {OP_ALLGATHER, PIECE}}},
    {OP_BCAST, {{OP_ALLREDUCE, SAME}, {OP_COUNT}}},
    {OP_REDUCE, {{OP_REDUCE_SCATTER, PIECE}, {OP_GATHER, PIECE}}},
    {OP_REDUCE, {{OP_ALLREDUCE, SAME}, {OP_COUNT}}},
    {OP_REDUCE_SCATTER, {{OP_REDUCE, ALL}, {OP_SCATTER, SAME}}},
    {OP_REDUCE_SCATTER, {{OP_ALLREDUCE, ALL}, {OP_COUNT}}},
    {OP_GATHER, {{OP_ALLGATHER, SAME}, {OP_COUNT}}},
    {OP_GATHER, {{OP_REDUCE, ALL}, {OP_COUNT}}},
    {OP_SCATTER, {{OP_BCAST, ALL}, {OP_COUNT}}},
    {OP_ALLTOALL, {{OP_ALLGATHER, ALL}, {OP_COUNT}}},
    {OP_SCAN, {{OP_EXSCAN, SAME}, {OP_COUNT}}},
    {OP_BARRIER, {{OP_REDUCE, SAME}, {OP_BCAST, SAME}}},
    {OP_BARRIER, {{OP_ALLREDUCE, SAME}, {OP_COUNT}}},
};
const int guideline_count = sizeof guidelines / sizeof *guidelines;

const char *guideline_text(int i, char *text, size_t size)
{
    const struct term *right = guidelines[i].right;
    bool two = right[1].op != OP_COUNT;
    snprintf(text, size, "%s <= %s%s%s", operation_name(guidelines[i].left),
             operation_name(right[0].op), two ? " + " : "", two ? operation_name(right[1].op) : "");
    return text;
}

/* Planners that search: stages of composed plans do without them, so both sides do. */
static const bool *searching(void)
{
    static bool *left_out;
    if (!left_out)
        left_out = calloc((size_t)planner_count, sizeof *left_out);
    for (int i = 0; left_out && i < planner_count; i++)
        left_out[i] = planners[i].search > 0;
    return left_out;
}

static int promise(enum operation op, enum size size, const struct model *model, int root,
                   int64_t bytes, hn_time *time)
{
    int n = model->ranks;
    struct request req = {.op = op, .ranks = n, .grain = 1};
    int64_t *sizes = size == PIECE ? malloc((size_t)n * sizeof *sizes) : NULL;
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    for (int r = 0; sizes && r < n; r++)
        sizes[r] = bytes / n + (r < bytes % n);
    req.bytes = op == OP_BARRIER ? 0 : size == ALL ? n * bytes : bytes;
    req.sizes = sizes;
    req.root = operation_rooted(op) ? root : 0;
    int error = HN_ENOMEM;
    if (sizes || size != PIECE)
        error = planner_best_without(&req, model, searching(), &choice, &plan, &timing);
    free(sizes);
    if (error)
        return error;
    *time = timing.makespan;
    timing_free(&timing);
    plan_free(plan);
    return HN_OK;
}

int guideline_sides(int i, const struct model *model, int root, int64_t bytes, hn_time *left,
                    hn_time *right)
{
    hn_time term = 0;
    int error = promise(guidelines[i].left, SAME, model, root, bytes, left);
    *right = 0;
    for (int k = 0; k < 2 && !error && guidelines[i].right[k].op != OP_COUNT; k++) {
        const struct term *t = &guidelines[i].right[k];
        error = promise(t->op, t->size, model, root, guidelines[i].left == OP_BARRIER ? 0 : bytes,
                        &term);
        *right += term;
    }
    return error;
}
