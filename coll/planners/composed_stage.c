/* composed_stage.c - maps the data of an operation to those of its stages.
 *
 * Both have one part, one for each rank, or one for each pair of ranks:
 *
 *     parts of the
 *     operation   stage       a part of the stage is
 *     any         same        the same part
 *     n           1           all parts, concatenated
 *     1           n           the n-th piece of the part
 *     n * n       n           the data of a rank for all others
 *     n           n * n       the part of the sender, the same for all receivers
 *
 * The blocks of the whole plan are the pieces between all cuts of all stages, so each block of a
 * stage is a run of them. Cost: O(blocks log blocks).
 */
#include "planners/composed_stage.h"

#include "planners/compose.h"

#include "hnow.h"
#include "probe/internal.h"

#include <stdlib.h>

/* ---- what a stage has to do ------------------------------------------------------------- */

/* Bytes of the parts [first, end) of a request. */
static int64_t sum_bytes(const struct request *req, int first, int end)
{
    int64_t bytes = 0;
    for (int part = first; part < end; part++)
        bytes += request_part_bytes(req, part);
    return bytes;
}

/* Bytes of a part of a stage that divides the operation's data into `parts` parts. Four cases, as
 * in the table above: the same parts, runs of parts, the parts of each sender, pieces of the only
 * part. */
static int64_t part_bytes(const struct request *req, int parts, int part)
{
    int n = req->ranks, whole = request_parts(req);
    int64_t units;
    if (whole == parts)
        return request_part_bytes(req, part);
    if (whole > parts)
        return sum_bytes(req, part * (whole / parts), (part + 1) * (whole / parts));
    if (whole > 1)
        return request_part_bytes(req, part / n);
    /* The first units % n pieces are longer by one grain, as plan_cut_pieces() cuts them. */
    units = request_part_bytes(req, 0) / req->grain;
    return (units / n + (part < units % n)) * req->grain;
}

int stage_request_begin(struct stage_request *s, const struct request *req,
                        const struct choice *choice, int stage)
{
    /* A rooted operation determines the root of its stages; otherwise the choice names it, and
     * stages without a root have root 0. */
    *s = (struct stage_request){.req = *req};
    s->req.op = choice->planner->stages[stage];
    s->req.root = operation_rooted(req->op)     ? req->root
                  : operation_rooted(s->req.op) ? choice->root
                                                : 0;
    int parts = request_parts(&s->req);
    s->req.sizes = s->sizes = malloc((size_t)parts * sizeof *s->sizes);
    if (!s->sizes)
        return HN_ENOMEM;
    for (int part = 0; part < parts; part++)
        s->sizes[part] = part_bytes(req, parts, part);
    return HN_OK;
}

void stage_request_end(struct stage_request *s)
{
    free(s->sizes);
}

/* ---- blocks ----------------------------------------------------------------------------- */

/* Blocks are in the order of parts, so the last one belongs to the last part. */
static int parts_of(const struct plan *plan)
{
    return plan->blocks[plan->block_count - 1].part + 1;
}

/* Lists the offsets at which the blocks of a plan begin in its concatenated parts. The beginning of
 * the first block, 0, is no cut. Returns the number of cuts. */
static int note_cuts(const struct plan *plan, int64_t *at)
{
    int64_t begin = 0;
    for (int i = 1; i < plan->block_count; i++)
        at[i - 1] = begin += plan->blocks[i - 1].bytes;
    return plan->block_count - 1;
}

/* Whether a plan cuts its parts further. */
static bool is_finer(const struct plan *plan)
{
    return plan->block_count > parts_of(plan);
}

/* An empty block has no position of its own: the next block begins at the same offset. */
static bool has_empty_block(const struct plan *plan)
{
    for (int i = 0; i < plan->block_count; i++)
        if (plan->blocks[i].bytes == 0)
            return true;
    return false;
}

int stage_cut(const struct request *req, const struct plan *const *stages, int count,
              struct plan *whole)
{
    int64_t *at;
    size_t room = 1;
    int cuts = 0;
    bool one = request_parts(req) == 1, pieces = false, finer = false, empty = false;
    for (int i = 0; i < count; i++) {
        room += (size_t)stages[i]->block_count;
        pieces = pieces || (one && parts_of(stages[i]) > 1);
        finer = finer || is_finer(stages[i]);
        /* A stage with one part for each pair sends one block of the operation's part to many.
         * Cutting it further would need different cuts for each receiver. */
        empty = empty || has_empty_block(stages[i]);
        if (!one && parts_of(stages[i]) > request_parts(req) && is_finer(stages[i]))
            return HN_EPLAN; /* a part that goes to all others cannot be cut differently for each */
    }
    /* One part is cut into n pieces and no stage cuts further: the pieces of the stage are the
     * blocks. */
    if (pieces && !finer) {
        plan_cut_pieces(whole, req, req->ranks);
        return HN_OK;
    }
    if (pieces && empty)
        return HN_EPLAN; /* too little data to cut */
    at = malloc(room * sizeof *at);
    if (!at)
        return HN_ENOMEM;
    for (int i = 0; i < count; i++)
        if (one || parts_of(stages[i]) == 1)
            cuts += note_cuts(stages[i], at + cuts);
    /* Stages may cut at the same offsets; plan_cut_at() makes no empty blocks of duplicates. */
    values_sort(at, cuts);
    plan_cut_at(whole, req, at, cuts);
    free(at);
    return HN_OK;
}

/* Whether a block of the whole plan lies before this position of the stage. */
static bool is_before(const struct plan *whole, int block, int64_t bytes_before,
                      const struct plan *stage, int own, int64_t own_before)
{
    const struct plan_block *b = &whole->blocks[block], *mine = &stage->blocks[own];
    int parts = parts_of(stage), each = parts_of(whole) / parts;
    /* Either both are measured in bytes of the concatenated parts, or part by part. */
    if (parts == 1 || each == 0)
        return bytes_before < own_before;
    return b->part / each < mine->part || (b->part == mine->part && b->offset < mine->offset);
}

/* Finds the blocks of the whole plan of which each block of a stage consists. One pass suffices,
 * since adjacent blocks of a stage are adjacent in the whole plan. */
static void find_extents(const struct plan *whole, const struct plan *stage, struct extent *extents)
{
    int64_t before = 0, own_before = 0;
    int at = 0;
    for (int i = 0; i < stage->block_count; i++) {
        /* Advances to the first block of the whole plan that is not before this block of the stage.
         * That block also ends the extent of the block before. */
        for (; at < whole->block_count && is_before(whole, at, before, stage, i, own_before); at++)
            before += whole->blocks[at].bytes;
        own_before += stage->blocks[i].bytes;
        extents[i] = (struct extent){at, whole->block_count};
        /* The last extent ends with the whole plan. */
        if (i > 0)
            extents[i - 1].end = at;
    }
}

/* Three cases: the whole plan has as many parts or more, or it is cut further: runs of blocks. The
 * one part is a part for each rank: the same number. A pair of ranks has the block of its sender.
 */
struct extent *stage_extents(const struct plan *whole, const struct plan *stage)
{
    int parts = parts_of(whole), n = stage->ranks;
    struct extent *extents = malloc((size_t)stage->block_count * sizeof *extents);
    bool runs =
        parts >= parts_of(stage) || (parts == 1 && whole->block_count != stage->block_count);
    if (extents && runs)
        find_extents(whole, stage, extents);
    for (int i = 0; extents && !runs && i < stage->block_count; i++) {
        int block = parts == 1 ? i : i / n;
        extents[i] = (struct extent){block, block + 1};
    }
    return extents;
}
