/* plan.c - building a plan: cutting into blocks, appending steps, sorting and matching them.
 *
 * Steps are appended to one log and sorted by rank at the end (a stable counting sort). So planners
 * may append in any order that suits their algorithm. Cost: O(steps + ranks + blocks).
 */
#include "plan/plan.h"

#include "model/array_grow.h"

#include "hnow.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* More steps than this could not be indexed by 32 bits. */
enum { STEP_LIMIT = INT32_MAX / 2 };

/* What exists only while a plan is under construction. Steps have their rank, and lists[] has room
 * for more. */
struct plan_draft {
    int error;
    struct draft_step {
        int32_t rank;
        struct plan_step step;
    } * steps;
    size_t count, room;
    size_t list_count, list_room;
};

/* A plan without blocks, lists and steps. plan->draft is freed by plan_finish(). */
struct plan *plan_new(int ranks)
{
    struct plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return NULL;
    plan->ranks = ranks;
    plan->draft = calloc(1, sizeof *plan->draft);
    if (!plan->draft) {
        free(plan);
        return NULL;
    }
    return plan;
}

static void draft_free(struct plan *plan)
{
    if (plan->draft)
        free(plan->draft->steps);
    free(plan->draft);
    plan->draft = NULL;
}

/* holders counts the references besides the first, so that zeros are a valid plan. */
void plan_hold(struct plan *plan)
{
    atomic_fetch_add(&plan->holders, 1);
}

void plan_free(struct plan *plan)
{
    if (!plan || atomic_fetch_sub(&plan->holders, 1) > 0)
        return;
    draft_free(plan);
    free(plan->blocks);
    free(plan->part_first);
    free(plan->lists);
    free(plan->first);
    free(plan->steps);
    free(plan);
}

/* The first error is kept; later steps may be its consequences. */
void plan_fail(struct plan *plan, int error)
{
    if (plan->draft->error == HN_OK)
        plan->draft->error = error;
}

/* Makes room for `more` elements behind count; the limit keeps every index in 32 bits. */
static bool reserve(void *array, size_t count, size_t *room, size_t more, size_t size)
{
    if (more > STEP_LIMIT || count + more > STEP_LIMIT)
        return false;
    if (count + more <= *room)
        return true;
    /* Room grows by doubling, so n calls cost O(n). */
    size_t wanted = *room * 2 > count + more ? *room * 2 : count + more + 16;
    if (!array_resize(array, wanted, size))
        return false;
    *room = wanted;
    return true;
}

/* ---- blocks ----------------------------------------------------------------------------- */

/* Number of pieces of a part; an empty part still has one block, whose message synchronizes. */
static int64_t pieces_of(int64_t bytes, int64_t segment)
{
    if (segment <= 0 || bytes <= segment)
        return 1;
    return bytes / segment + (bytes % segment != 0);
}

/* Appends `pieces` blocks of one part; the first ones are a grain larger when it does not divide.
 */
static void cut_part(struct plan *plan, int part, int64_t bytes, int64_t pieces, int64_t grain)
{
    int64_t units = bytes / grain, offset = 0;
    for (int64_t i = 0; i < pieces; i++) {
        int64_t size = (units / pieces + (i < units % pieces)) * grain;
        plan->blocks[plan->block_count++] = (struct plan_block){offset, size, part};
        offset += size;
    }
}

/* Makes room for so many blocks. */
static bool begin_blocks(struct plan *plan, const struct request *req, int64_t total)
{
    /* A plan is cut once. */
    if (plan->blocks || total > STEP_LIMIT) {
        plan_fail(plan, HN_EPLAN);
        return false;
    }
    plan->blocks = calloc((size_t)total, sizeof *plan->blocks);
    plan->part_first = calloc((size_t)request_parts(req) + 1, sizeof *plan->part_first);
    if (!plan->blocks || !plan->part_first ||
        !reserve(&plan->lists, 0, &plan->draft->list_room, (size_t)total, sizeof *plan->lists)) {
        plan_fail(plan, HN_ENOMEM);
        return false;
    }
    return true;
}

/* The first block_count entries of lists[] are the identity. */
static void end_blocks(struct plan *plan)
{
    for (int block = 0; block < plan->block_count; block++)
        plan->lists[block] = block;
    plan->draft->list_count = (size_t)plan->block_count;
}

/* fixed: number of pieces of each part; 0: as many as the segment length makes. */
static void cut(struct plan *plan, const struct request *req, int64_t segment, int fixed)
{
    int parts = request_parts(req);
    int64_t total = 0;
    for (int part = 0; part < parts; part++)
        total += fixed ? fixed : pieces_of(request_part_bytes(req, part), segment);
    if (!begin_blocks(plan, req, total))
        return;
    for (int part = 0; part < parts; part++) {
        int64_t bytes = request_part_bytes(req, part);
        cut_part(plan, part, bytes, fixed ? fixed : pieces_of(bytes, segment), req->grain);
        plan->part_first[part + 1] = plan->block_count;
    }
    end_blocks(plan);
}

void plan_cut(struct plan *plan, const struct request *req, int64_t segment)
{
    /* Whole grains only: a segment below one grain means one grain. */
    int64_t whole = segment - segment % req->grain;
    if (segment > 0 && whole == 0)
        whole = req->grain;
    plan->segment = whole;
    cut(plan, req, whole, 0);
}

/* Pieces may be empty if the data are short. */
void plan_cut_pieces(struct plan *plan, const struct request *req, int pieces)
{
    cut(plan, req, 0, pieces);
}

/* Positions that coincide, or that lie at the border of a part, make no empty blocks. */
void plan_cut_at(struct plan *plan, const struct request *req, const int64_t *at, int count)
{
    int64_t begin = 0; /* of the part */
    int next = 0;
    if (!begin_blocks(plan, req, (int64_t)request_parts(req) + count))
        return;
    for (int part = 0; part < request_parts(req); part++) {
        int64_t offset = 0, bytes = request_part_bytes(req, part);
        for (; next < count && at[next] < begin + bytes; next++) {
            int64_t size = at[next] - begin - offset;
            if (size <= 0)
                continue;
            plan->blocks[plan->block_count++] = (struct plan_block){offset, size, part};
            offset += size;
        }
        /* The rest of the part, which may be all of it. */
        plan->blocks[plan->block_count++] = (struct plan_block){offset, bytes - offset, part};
        begin += bytes;
        plan->part_first[part + 1] = plan->block_count;
    }
    end_blocks(plan);
}

/* ---- steps ------------------------------------------------------------------------------ */

/* Returns the index in lists[]; 0 after an error, which is a valid index. */
int plan_list(struct plan *plan, const int *blocks, int count)
{
    struct plan_draft *draft = plan->draft;
    if (!reserve(&plan->lists, draft->list_count, &draft->list_room, (size_t)count,
                 sizeof *plan->lists)) {
        plan_fail(plan, HN_ENOMEM);
        return 0;
    }
    int list = (int)draft->list_count;
    for (int i = 0; i < count; i++) {
        if (blocks[i] < 0 || blocks[i] >= plan->block_count)
            plan_fail(plan, HN_EPLAN);
        plan->lists[list + i] = blocks[i];
    }
    draft->list_count += (size_t)count;
    return list;
}

/* Ranks and lists are checked here, once for all planners. */
void plan_step(struct plan *plan, int rank, enum plan_kind kind, int peer, int list, int count)
{
    struct plan_draft *draft = plan->draft;
    if (rank < 0 || rank >= plan->ranks || peer < 0 || peer >= plan->ranks || list < 0 ||
        count < 0 || (size_t)list + (size_t)count > draft->list_count) {
        plan_fail(plan, HN_EPLAN);
        return;
    }
    if (!reserve(&draft->steps, draft->count, &draft->room, 1, sizeof *draft->steps)) {
        plan_fail(plan, HN_ENOMEM);
        return;
    }
    draft->steps[draft->count++] =
        (struct draft_step){rank, {peer, list, count, -1, (uint8_t)kind, false}};
}

void plan_message_list(struct plan *plan, int from, int to, enum plan_kind kind, int list,
                       int count)
{
    plan_step(plan, from, PLAN_SEND, to, list, count);
    plan_step(plan, to, kind, from, list, count);
}

void plan_message(struct plan *plan, int from, int to, enum plan_kind kind, int block, int count)
{
    /* The lists begin with 0, 1, 2, ...: a run of blocks is the list at its first number. */
    plan_message_list(plan, from, to, kind, block, count);
}

/* The step before is checked by plan_check(), not here. */
void plan_join(struct plan *plan)
{
    struct plan_draft *draft = plan->draft;
    if (!draft->error)
        draft->steps[draft->count - 1].step.joined = true;
}

/* Moves the drafted steps to their ranks, each rank's in the order of appending. first[] is used
 * with an offset of 2 while counting: no second array is needed. */
static int sort_steps(struct plan *plan)
{
    const struct plan_draft *draft = plan->draft;
    plan->first = calloc((size_t)plan->ranks + 2, sizeof *plan->first);
    plan->steps = malloc((draft->count + 1) * sizeof *plan->steps);
    if (!plan->first || !plan->steps)
        return HN_ENOMEM;
    /* first[rank + 2] counts, then first[rank + 1] is where the next step goes, and in the end
     * first[rank] is where they begin. */
    for (size_t i = 0; i < draft->count; i++)
        plan->first[draft->steps[i].rank + 2]++;
    for (int rank = 0; rank < plan->ranks; rank++)
        plan->first[rank + 2] += plan->first[rank + 1];
    for (size_t i = 0; i < draft->count; i++)
        plan->steps[plan->first[draft->steps[i].rank + 1]++] = draft->steps[i].step;
    return HN_OK;
}

/* A send and its rank. */
struct queued {
    int32_t step, rank;
};

/* Buckets the sends by receiver: queue[start[p]] ... queue[start[p + 1] - 1] are those to p, by
 * sender, each sender's in order. */
static void bucket_sends(const struct plan *plan, int32_t *start, struct queued *queue)
{
    memset(start, 0, ((size_t)plan->ranks + 2) * sizeof *start);
    for (int32_t i = 0; i < plan->first[plan->ranks]; i++)
        if (plan->steps[i].kind == PLAN_SEND)
            start[plan->steps[i].peer + 2]++;
    for (int rank = 0; rank < plan->ranks; rank++)
        start[rank + 2] += start[rank + 1];
    for (int rank = 0; rank < plan->ranks; rank++)
        for (int32_t i = plan->first[rank]; i < plan->first[rank + 1]; i++)
            if (plan->steps[i].kind == PLAN_SEND)
                queue[start[plan->steps[i].peer + 1]++] = (struct queued){i, rank};
}

/* Matches the receives of one rank with its bucket; next[s] walks through the sends that come from
 * s. */
static void match_rank(struct plan *plan, int rank, const struct queued *queue, int32_t begin,
                       int32_t end, int32_t *next)
{
    /* next[s] points behind the bucket for ranks that send nothing. */
    for (int32_t i = plan->first[rank]; i < plan->first[rank + 1]; i++)
        next[plan->steps[i].peer] = end;
    /* Backward, so that the first send of each sender remains. */
    for (int32_t i = end - 1; i >= begin; i--)
        next[queue[i].rank] = i;
    /* A send without a receive keeps -1, and so does a receive without a send. */
    for (int32_t i = plan->first[rank]; i < plan->first[rank + 1]; i++) {
        int32_t peer = plan->steps[i].peer;
        if (plan->steps[i].kind == PLAN_SEND || next[peer] >= end || queue[next[peer]].rank != peer)
            continue;
        int32_t send = queue[next[peer]++].step;
        plan->steps[i].match = send;
        plan->steps[send].match = i;
    }
}

/* Pairs the k-th send from i to j with the k-th receive at j from i. */
static int match_steps(struct plan *plan)
{
    size_t ranks = (size_t)plan->ranks;
    int32_t *start = malloc((ranks + 2) * sizeof *start);
    struct queued *queue = malloc(((size_t)plan->first[ranks] + 1) * sizeof *queue);
    int32_t *next = malloc(ranks * sizeof *next);
    bool ok = start && queue && next;
    if (ok) {
        bucket_sends(plan, start, queue);
        for (int rank = 0; rank < plan->ranks; rank++)
            match_rank(plan, rank, queue, start[rank], start[rank + 1], next);
    }
    free(start);
    free(queue);
    free(next);
    return ok ? HN_OK : HN_ENOMEM;
}

/* The plan is not usable after an error, but may be freed. The draft is freed in any case. */
int plan_finish(struct plan *plan)
{
    int error = plan->draft->error;
    if (!error && !plan->blocks)
        error = HN_EPLAN;
    if (!error)
        error = sort_steps(plan);
    if (!error)
        error = match_steps(plan);
    draft_free(plan);
    return error;
}

/* ---- questions -------------------------------------------------------------------------- */

int64_t plan_step_bytes(const struct plan *plan, const struct plan_step *step)
{
    int64_t bytes = 0;
    for (int i = 0; i < step->count; i++)
        bytes += plan->blocks[plan->lists[step->list + i]].bytes;
    return bytes;
}

/* Messages of a rank to itself do not count. */
int plan_message_count(const struct plan *plan)
{
    int count = 0;
    for (int rank = 0; rank < plan->ranks; rank++)
        for (int32_t i = plan->first[rank]; i < plan->first[rank + 1]; i++)
            count += plan->steps[i].kind == PLAN_SEND && plan->steps[i].peer != rank;
    return count;
}

int64_t plan_message_quarters(const struct plan *plan)
{
    int64_t quarters = 0;
    for (int rank = 0; rank < plan->ranks; rank++)
        for (int32_t i = plan->first[rank]; i < plan->first[rank + 1]; i++)
            if (plan->steps[i].kind == PLAN_SEND && plan->steps[i].peer != rank)
                quarters += plan->steps[i].joined ? 1 : 4;
    return quarters;
}

/* A multiplication spreads each word over the hash. */
static uint64_t stir(uint64_t print, uint64_t word)
{
    print = (print ^ word) * 0x9e3779b97f4a7c15u;
    return print ^ print >> 29;
}

/* Of everything that the simulation depends on; names and marks are left out. */
uint64_t plan_hash(const struct plan *plan)
{
    uint64_t print = stir((uint64_t)plan->block_count, (uint64_t)plan->ranks);
    for (int block = 0; block < plan->block_count; block++)
        print = stir(print, (uint64_t)plan->blocks[block].bytes);
    for (int rank = 0; rank < plan->ranks; rank++)
        for (int32_t at = plan->first[rank]; at < plan->first[rank + 1]; at++) {
            const struct plan_step *step = &plan->steps[at];
            print = stir(print, (uint64_t)rank << 32 | (uint32_t)step->peer);
            print = stir(print, (uint64_t)step->joined << 40 | (uint64_t)step->kind << 32 |
                                    (uint32_t)step->count);
            for (int i = 0; i < step->count; i++)
                print = stir(print, (uint64_t)plan->lists[step->list + i]);
        }
    return print;
}

/* Backward from the step, as long as the rank only sends, and to others. */
int plan_step_position(const struct plan *plan, int rank, const struct plan_step *step)
{
    enum { POSITION_MOST = 64 }; /* messages: looking back further decides nothing (compress.c) */
    const struct plan_step *first = plan->steps + plan->first[rank];
    int position = 1;
    for (const struct plan_step *s = step; position < POSITION_MOST && s > first; s--) {
        if (s[-1].kind != PLAN_SEND || s[-1].peer == step->peer)
            break;
        position += !s[-1].joined;
    }
    return position;
}

int plan_segments(const struct plan *plan)
{
    int most = 1, run = 0;
    for (int block = 0; block < plan->block_count; block++) {
        bool same = block > 0 && plan->blocks[block].part == plan->blocks[block - 1].part;
        run = same ? run + 1 : 1;
        most = run > most ? run : most;
    }
    return most;
}
