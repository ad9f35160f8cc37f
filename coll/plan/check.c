/* check.c - symbolic execution of a plan.
 *
 * A value is a node of an expression: a leaf is the contribution of one rank to one block, an inner
 * node is (left) o (right). Equal expressions have equal numbers (nodes are looked up before they
 * are made), so that "all members compute the same bits" is one comparison. At the end the leaves
 * of every value that somebody wants are listed from left to right and compared with the ranks that
 * contribute.
 *
 * Ranks run until they wait; a send wakes its receiver. Sends never wait: a plan that passes here
 * cannot block for ever under nonblocking sends, in whatever order its messages arrive.
 */
#include "plan/check.h"

#include "model/array_grow.h"

#include "hnow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING (-1)

/* One value for each rank and block: more than this many is refused. */
static const int64_t value_limit = (int64_t)1 << 28;

/* A node of an expression.  leaves: their number, counting repeated ones. */
struct node {
    int32_t left, right; /* a leaf has its rank on the left, NOTHING on the right */
    int32_t block;
    int32_t leaves;
};

/* One check. Values and nodes are indices; NOTHING: the rank has no value of the block. */
struct checker {
    const struct plan *plan;
    const struct request *req;
    struct check_fault *fault;
    int error;
    int32_t *value; /* [rank * blocks + block] */
    int32_t *at;    /* next step of each rank, an index into plan->steps */
    int32_t *ready; /* stack of ranks that can run */
    size_t *flight; /* [step] where the values of an executed send stand in `moving` */
    int32_t *moving;
    size_t moving_count;
    struct node *nodes;
    size_t node_count, node_room;
    int32_t *index; /* hash table of inner nodes */
    size_t index_size;
    struct arena arena; /* of all arrays but nodes and index */
};

/* Records the first violation; returns false, for the caller to return. */
__attribute__((format(printf, 4, 5))) static bool violation(struct checker *c, int rank,
                                                            int32_t step, const char *format, ...)
{
    if (c->error)
        return false;
    c->error = HN_EPLAN;
    c->fault->rank = rank;
    c->fault->step = step < 0 ? -1 : step - c->plan->first[rank];
    va_list args;
    va_start(args, format);
    vsnprintf(c->fault->text, sizeof c->fault->text, format, args);
    va_end(args);
    return false;
}

static bool out_of_memory(struct checker *c)
{
    c->error = HN_ENOMEM;
    return false;
}

/* ---- expressions ------------------------------------------------------------------------ */

/* Returns the number of the node; NOTHING: out of memory. Numbers fit in 32 bits. */
static int32_t add_node(struct checker *c, struct node node)
{
    if (c->node_count == INT32_MAX || !ARRAY_GROW(c->nodes, c->node_count, c->node_room, 1024)) {
        out_of_memory(c);
        return NOTHING;
    }
    c->nodes[c->node_count] = node;
    return (int32_t)c->node_count++;
}

/* Open addressing with linear probing. The table is never more than half full, so a free entry ends
 * each search. */
static size_t index_slot(const struct checker *c, int32_t left, int32_t right)
{
    uint64_t h = ((uint64_t)(uint32_t)left << 32 | (uint32_t)right) * 0x9e3779b97f4a7c15u;
    size_t slot = (h >> 20) & (c->index_size - 1);
    while (c->index[slot] != NOTHING &&
           (c->nodes[c->index[slot]].left != left || c->nodes[c->index[slot]].right != right))
        slot = (slot + 1) & (c->index_size - 1);
    return slot;
}

/* Doubles the table and enters all nodes again. */
static bool index_grow(struct checker *c)
{
    size_t size = c->index_size ? c->index_size * 2 : 1024;
    int32_t *old = c->index, *index = malloc(size * sizeof *index);
    size_t old_size = c->index_size;
    if (!index)
        return out_of_memory(c);
    memset(index, 0xff, size * sizeof *index);
    c->index = index;
    c->index_size = size;
    for (size_t i = 0; i < old_size; i++)
        if (old[i] != NOTHING)
            index[index_slot(c, c->nodes[old[i]].left, c->nodes[old[i]].right)] = old[i];
    free(old);
    return true;
}

/* The node of (left) o (right). A barrier only asks who has arrived; there contributions may occur
 * twice. */
static int32_t combine(struct checker *c, int32_t left, int32_t right)
{
    if (2 * c->node_count >= c->index_size && !index_grow(c))
        return NOTHING;
    size_t slot = index_slot(c, left, right);
    if (c->index[slot] != NOTHING)
        return c->index[slot];
    /* Counts of leaves are bounded by the number of ranks, except if something was combined twice.
     */
    int64_t leaves = (int64_t)c->nodes[left].leaves + c->nodes[right].leaves;
    if (c->req->op == OP_BARRIER && leaves > c->plan->ranks)
        leaves = c->plan->ranks;
    int32_t node = add_node(c, (struct node){left, right, c->nodes[left].block, (int32_t)leaves});
    if (node != NOTHING)
        c->index[slot] = node;
    return node;
}

/* Lists the ranks at the leaves from left to right, each node once when `once` says so. Returns
 * their number; stops at `limit`. */
static int list_leaves(const struct checker *c, int32_t value, bool once, bool *visited,
                       int32_t *stack, int *ranks, int limit)
{
    int count = 0;
    size_t depth = 0;
    stack[depth++] = value;
    while (depth > 0 && count < limit) {
        int32_t at = stack[--depth];
        const struct node *node = &c->nodes[at];
        if (once && visited[at])
            continue;
        if (once)
            visited[at] = true;
        if (node->right == NOTHING) {
            ranks[count++] = node->left;
        } else {
            /* The left operand is on top, so it is listed first. */
            stack[depth++] = node->right;
            stack[depth++] = node->left;
        }
    }
    return count;
}

/* ---- running ---------------------------------------------------------------------------- */

/* The present value of a block at a rank. */
static int32_t *value_of(struct checker *c, int rank, int block)
{
    return &c->value[(size_t)rank * (size_t)c->plan->block_count + (size_t)block];
}

/* The values are copied: the sender may change its own before they are received. */
static bool run_send(struct checker *c, int rank, int32_t at)
{
    const struct plan_step *step = &c->plan->steps[at];
    if (step->match < 0)
        return violation(c, rank, at, "sends to rank %d, which does not receive it", step->peer);
    c->flight[at] = c->moving_count;
    for (int i = 0; i < step->count; i++) {
        int block = c->plan->lists[step->list + i];
        int32_t value = *value_of(c, rank, block);
        if (value == NOTHING)
            return violation(c, rank, at, "sends block %d to rank %d without having it", block,
                             step->peer);
        c->moving[c->moving_count++] = value;
    }
    return true;
}

/* Both operands must be of the same block, and no contribution may occur twice. */
static bool run_fold(struct checker *c, int rank, int32_t at, int block, int32_t incoming)
{
    const struct plan_step *step = &c->plan->steps[at];
    int32_t *own = value_of(c, rank, block);
    if (!request_combines(c->req))
        return violation(c, rank, at, "combines, but nothing is to be combined");
    if (*own == NOTHING)
        return violation(c, rank, at, "combines into block %d without having it", block);
    if (c->nodes[*own].block != c->nodes[incoming].block)
        return violation(c, rank, at, "combines block %d with block %d", c->nodes[*own].block,
                         c->nodes[incoming].block);
    *own = step->kind == PLAN_FOLD_LEFT ? combine(c, incoming, *own) : combine(c, *own, incoming);
    if (c->error)
        return false;
    /* More leaves than ranks: some contribution occurs twice. Other duplicates are found at the
     * end. */
    if (c->nodes[*own].leaves > c->plan->ranks)
        return violation(c, rank, at, "combines a contribution to block %d twice", block);
    return true;
}

/* The matching send has been executed: run_rank() ensures that. */
static bool run_receive(struct checker *c, int rank, int32_t at)
{
    const struct plan_step *step = &c->plan->steps[at];
    const struct plan_step *send = &c->plan->steps[step->match];
    if (send->count != step->count)
        return violation(c, rank, at, "expects %d blocks from rank %d, which sends %d", step->count,
                         step->peer, send->count);
    for (int i = 0; i < step->count; i++) {
        int block = c->plan->lists[step->list + i], sent = c->plan->lists[send->list + i];
        int32_t incoming = c->moving[c->flight[step->match] + (size_t)i];
        /* A block may be received into another one of equal size; the end checks where it is. */
        if (c->plan->blocks[block].bytes != c->plan->blocks[sent].bytes)
            return violation(c, rank, at, "receives block %d of another size into block %d", sent,
                             block);
        if (step->kind == PLAN_RECV)
            *value_of(c, rank, block) = incoming;
        else if (!run_fold(c, rank, at, block, incoming))
            return false;
    }
    return true;
}

/* Runs one rank until it waits or ends; ranks that wait for what it sends are put on the stack. */
static bool run_rank(struct checker *c, int rank, size_t *depth)
{
    const struct plan *plan = c->plan;
    for (; c->at[rank] < plan->first[rank + 1]; c->at[rank]++) {
        int32_t at = c->at[rank];
        const struct plan_step *step = &plan->steps[at];
        if (step->kind == PLAN_SEND) {
            if (!run_send(c, rank, at))
                return false;
            /* The receiver waits for this message, so it can continue. */
            if (c->at[step->peer] == step->match)
                c->ready[(*depth)++] = step->peer;
            continue;
        }
        if (step->match < 0)
            return violation(c, rank, at, "waits for a message that rank %d does not send",
                             step->peer);
        /* The peer has not executed the send yet. */
        if (c->at[step->peer] <= step->match)
            return true;
        if (!run_receive(c, rank, at))
            return false;
    }
    return true;
}

/* Executes all ranks as far as possible. Ranks that are not at their end then wait forever. */
static bool run(struct checker *c)
{
    const struct plan *plan = c->plan;
    size_t depth = 0;
    /* A rank is on the stack at most once: it is put there when the one send it waits for is made.
     */
    for (int rank = 0; rank < plan->ranks; rank++) {
        c->ready[depth++] = rank;
        while (depth > 0)
            if (!run_rank(c, c->ready[--depth], &depth))
                return false;
    }
    for (int rank = 0; rank < plan->ranks; rank++)
        if (c->at[rank] < plan->first[rank + 1])
            return violation(c, rank, c->at[rank], "waits for ever for rank %d",
                             plan->steps[c->at[rank]].peer);
    return true;
}

/* ---- the end ---------------------------------------------------------------------------- */

/* Scratch for looking into values. */
struct look {
    bool *visited;  /* [node] */
    int32_t *stack; /* of nodes */
    int *ranks;     /* the leaves found */
    int *stamp;     /* [rank]: the last look that found it */
    int now;
};

/* Compares the leaves of a value with the contributors of its part. */
static bool complete(struct checker *c, int rank, int block, int32_t value, struct look *look)
{
    const struct request *req = c->req;
    int part = c->plan->blocks[block].part;
    bool set = req->op == OP_BARRIER;
    if (set)
        memset(look->visited, 0, c->node_count);
    int count =
        list_leaves(c, value, set, look->visited, look->stack, look->ranks, c->plan->ranks + 1);
    look->now++;
    /* More leaves than ranks were not listed: one of them occurs twice in any case. */
    for (int i = 0; i < count; i++) {
        /* Stamps avoid clearing the array for each value. */
        int from = look->ranks[i];
        if (look->stamp[from] == look->now)
            return violation(c, rank, -1, "block %d holds rank %d's contribution twice", block,
                             from);
        look->stamp[from] = look->now;
        /* Scans need only contributions up to their own rank. */
        if (!request_needs(req, rank, from, part))
            return violation(c, rank, -1, "block %d must not hold rank %d's contribution", block,
                             from);
        if (req->ordered && i > 0 && from < look->ranks[i - 1])
            return violation(c, rank, -1, "block %d combines rank %d before rank %d", block,
                             look->ranks[i - 1], from);
    }
    /* Without combining a value has one leaf, which has been compared above. */
    for (int from = 0; request_combines(req) && from < c->plan->ranks; from++)
        if (look->stamp[from] != look->now && request_needs(req, rank, from, part))
            return violation(c, rank, -1, "block %d lacks rank %d's contribution", block, from);
    return true;
}

/* Rank 0 receives nothing in an exscan: it ends with its own contribution. */
static bool keeps_own(struct checker *c, int block, struct look *look)
{
    int32_t value = *value_of(c, 0, block);
    int count = value == NOTHING ? 0
                                 : list_leaves(c, value, false, look->visited, look->stack,
                                               look->ranks, c->plan->ranks + 1);
    return (count == 1 && look->ranks[0] == 0) ||
           violation(c, 0, -1, "ends without its own contribution to block %d", block);
}

/* Checks a block: every rank that wants it has it, all have the same value, and that is
 * complete. */
static bool finish_block(struct checker *c, int block, struct look *look)
{
    int32_t seen = NOTHING;
    if (c->req->op == OP_EXSCAN && !keeps_own(c, block, look))
        return false;
    for (int rank = 0; rank < c->plan->ranks; rank++) {
        if (!request_wants(c->req, rank, c->plan->blocks[block].part))
            continue;
        int32_t value = *value_of(c, rank, block);
        if (value == NOTHING)
            return violation(c, rank, -1, "ends without block %d", block);
        if (c->nodes[value].block != block)
            return violation(c, rank, -1, "ends with block %d in the place of block %d",
                             c->nodes[value].block, block);
        if (seen != NOTHING && value != seen && c->req->op != OP_BARRIER &&
            request_same_for_all(c->req))
            return violation(c, rank, -1, "combines block %d in another order than others", block);
        /* Equal values have equal leaves, so only one of them is listed. */
        if ((value != seen || !request_same_for_all(c->req)) &&
            !complete(c, rank, block, value, look))
            return false;
        seen = value;
    }
    return true;
}

/* Allocates the workspace for the final comparison, whose size depends on the nodes. */
static bool finish(struct checker *c)
{
    size_t ranks = (size_t)c->plan->ranks;
    struct look look = {
        .visited = arena_array(&c->arena, c->node_count + 1, sizeof *look.visited),
        .stack = arena_array(&c->arena, 2 * c->node_count + 2, sizeof *look.stack),
        .ranks = arena_array(&c->arena, ranks + 2, sizeof *look.ranks),
        .stamp = arena_array(&c->arena, ranks, sizeof *look.stamp),
    };
    bool ok = c->arena.failed ? out_of_memory(c) : true;
    for (int block = 0; ok && block < c->plan->block_count; block++)
        ok = finish_block(c, block, &look);
    return ok;
}

/* ---- the beginning ---------------------------------------------------------------------- */

/* Every part is tiled by its blocks, in order. So positions in memory follow from the blocks. */
static bool check_blocks(struct checker *c)
{
    const struct plan *plan = c->plan;
    int block = 0;
    for (int part = 0; part < request_parts(c->req); part++) {
        int64_t offset = 0;
        int first = block;
        while (block < plan->block_count && plan->blocks[block].part == part) {
            if (plan->blocks[block].offset != offset || plan->blocks[block].bytes % c->req->grain)
                return violation(c, -1, -1, "block %d does not stand where block %d ends", block,
                                 block - 1);
            offset += plan->blocks[block++].bytes;
        }
        if (offset != request_part_bytes(c->req, part) || block == first)
            return violation(c, -1, -1, "the blocks of part %d are not all of it", part);
    }
    if (block != plan->block_count)
        return violation(c, -1, -1, "block %d belongs to no part", block);
    return true;
}

/* A multicast is one message: the same blocks, to different ranks. said[rank] is the last multicast
 * in which the rank was a receiver. The first send of a multicast is not joined; the others follow
 * it without a gap. */
static bool check_joined(struct checker *c, int rank, int32_t at, int32_t *said, int32_t *run)
{
    const struct plan_step *step = &c->plan->steps[at], *before = step - 1;
    if (!step->joined)
        *run = at;
    else if (step->kind != PLAN_SEND || at == c->plan->first[rank] || before->kind != PLAN_SEND)
        return violation(c, rank, at, "joins no send");
    else if (step->list != before->list || step->count != before->count)
        return violation(c, rank, at, "joins a send of other blocks");
    else if (step->peer == rank || before->peer == rank || said[step->peer] == *run)
        return violation(c, rank, at, "sends twice to rank %d, or to itself, in one multicast",
                         step->peer);
    if (step->kind == PLAN_SEND)
        said[step->peer] = *run;
    return true;
}

/* Joined sends are checked before the run, since it treats them as separate messages. */
static bool check_multicasts(struct checker *c)
{
    const struct plan *plan = c->plan;
    int32_t *said = malloc((size_t)plan->ranks * sizeof *said), run = NOTHING;
    bool ok = said ? true : out_of_memory(c);
    for (int rank = 0; ok && rank < plan->ranks; rank++)
        said[rank] = NOTHING;
    for (int rank = 0; ok && rank < plan->ranks; rank++)
        for (int32_t at = plan->first[rank]; ok && at < plan->first[rank + 1]; at++)
            ok = check_joined(c, rank, at, said, &run);
    free(said);
    return ok;
}

/* Allocates everything and makes the leaves. Requests beyond value_limit count as out of memory. */
static bool prepare(struct checker *c)
{
    const struct plan *plan = c->plan;
    int64_t values = (int64_t)plan->ranks * plan->block_count;
    size_t steps = (size_t)plan->first[plan->ranks], moved = 0;
    if (plan->ranks != c->req->ranks)
        return violation(c, -1, -1, "the plan is for %d ranks", plan->ranks);
    if (values > value_limit)
        return out_of_memory(c);
    for (size_t i = 0; i < steps; i++)
        /* Each value that is sent is copied once, so the sum of all sends is the room needed. */
        moved += plan->steps[i].kind == PLAN_SEND ? (size_t)plan->steps[i].count : 0;
    c->value = arena_array(&c->arena, (size_t)values, sizeof *c->value);
    c->at = arena_array(&c->arena, (size_t)plan->ranks, sizeof *c->at);
    c->ready = arena_array(&c->arena, (size_t)plan->ranks + 1, sizeof *c->ready);
    c->flight = arena_array(&c->arena, steps + 1, sizeof *c->flight);
    c->moving = arena_array(&c->arena, moved + 1, sizeof *c->moving);
    if (c->arena.failed)
        return out_of_memory(c);
    for (int rank = 0; rank < plan->ranks; rank++) {
        c->at[rank] = plan->first[rank];
        for (int block = 0; block < plan->block_count; block++) {
            bool has = request_contributes(c->req, rank, plan->blocks[block].part);
            *value_of(c, rank, block) =
                has ? add_node(c, (struct node){rank, NOTHING, block, 1}) : NOTHING;
        }
    }
    return !c->error;
}

bool plan_check_fits(const struct request *req)
{
    return (int64_t)req->ranks * request_parts(req) <= value_limit;
}

/* The first violation ends the check. */
int plan_check(const struct plan *plan, const struct request *req, struct check_fault *fault)
{
    struct checker c = {.plan = plan, .req = req, .fault = fault};
    *fault = (struct check_fault){-1, -1, ""};
    if (prepare(&c) && check_blocks(&c) && check_multicasts(&c) && run(&c))
        finish(&c);
    arena_free(&c.arena);
    free(c.nodes);
    free(c.index);
    return c.error;
}
