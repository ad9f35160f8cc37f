/* replan_old.c - what can be kept of an old plan: all of it, its tree, its order of messages, or
 * its decisions.
 *
 * A tree is read from the steps: a rank's parent is the peer from which it receives first where
 * data go down only (bcast, scatter), and otherwise the one to which it sends first.
 *
 * A multiple multicast may have other destinations now, so what is kept of it is checked.
 */
#include "check.h"
#include "replans.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

/* ---- all of it ---------------------------------------------------------------------------------
 */

static bool has_the_same_blocks(const struct plan *old, const struct request *req)
{
    int64_t bytes = 0;
    for (int block = 0; block < old->block_count; block++)
        bytes += old->blocks[block].bytes;
    for (int part = 0; part < request_parts(req); part++) {
        const struct plan_block *last = &old->blocks[old->part_first[part + 1] - 1];
        if (last->offset + last->bytes != request_part_bytes(req, part))
            return false;
        bytes -= request_part_bytes(req, part);
    }
    return bytes == 0;
}

/* Into how many blocks every part was cut; 0: some into more than others. */
static int pieces_of(const struct plan *old, int parts)
{
    int pieces = old->part_first[1];
    return old->block_count == parts * pieces ? pieces : 0;
}

/* The list of a step in the copy; what is not a run of blocks is copied once, for both ends, and
 * for all sends that are joined. */
static int copy_list(const struct plan *old, const struct plan_step *step, int *lists,
                     struct plan *plan)
{
    const int32_t *blocks = &old->lists[step->list];
    bool run = true;
    for (int i = 1; i < step->count && run; i++)
        run = blocks[i] == blocks[0] + i;
    if (run)
        return step->count > 0 ? blocks[0] : 0;
    int32_t at = (int32_t)(step - old->steps);
    lists[at] = step->joined       ? lists[at - 1]
                : step->match < at ? lists[step->match]
                                   : plan_list(plan, blocks, step->count);
    return lists[at];
}

static int copy_steps(const struct plan *old, struct plan *plan)
{
    int *lists = malloc(((size_t)old->first[old->ranks] + 1) * sizeof *lists);
    if (!lists)
        return HN_ENOMEM;
    for (int rank = 0; rank < old->ranks; rank++)
        for (int32_t i = old->first[rank]; i < old->first[rank + 1]; i++) {
            const struct plan_step *step = &old->steps[i];
            plan_step(plan, rank, (enum plan_kind)step->kind, step->peer,
                      copy_list(old, step, lists, plan), step->count);
            if (step->joined)
                plan_join(plan);
        }
    free(lists);
    return plan_finish(plan);
}

static int keep(const struct plan *old, const struct request *req, struct plan **plan)
{
    int parts = request_parts(req), pieces = pieces_of(old, parts);
    *plan = NULL;
    if (old->part_first[parts] != old->block_count)
        return HN_EPLAN;
    if (has_the_same_blocks(old, req)) {
        plan_hold((struct plan *)old);
        *plan = (struct plan *)old;
        return HN_OK;
    }
    struct plan *copy = pieces > 0 ? plan_new(old->ranks) : NULL;
    if (!copy)
        return pieces > 0 ? HN_ENOMEM : HN_EPLAN;
    plan_cut_pieces(copy, req, pieces);
    if (pieces > 1 && old->segment > 0)
        copy->segment = (request_part_bytes(req, 0) + pieces - 1) / pieces;
    int error = copy_steps(old, copy);
    if (error)
        plan_free(copy);
    else
        *plan = copy;
    return error;
}

int replan_keep(const struct plan *old, const struct request *req, struct plan **plan)
{
    struct check_fault fault;
    *plan = NULL;
    if (req->messages && old->blocks[old->block_count - 1].part != req->message_count - 1)
        return HN_EPLAN;
    int error = keep(old, req, plan);
    if (!error && req->messages)
        error = plan_check(*plan, req, &fault);
    if (error) {
        plan_free(*plan);
        *plan = NULL;
    }
    return error;
}

/* ---- its tree ----------------------------------------------------------------------------------
 */

static int parent_in(const struct plan *plan, enum operation op, int rank)
{
    bool up = op != OP_BCAST && op != OP_SCATTER;
    for (int i = plan->first[rank]; i < plan->first[rank + 1]; i++)
        if (up ? plan->steps[i].kind == PLAN_SEND : plan->steps[i].kind == PLAN_RECV)
            return plan->steps[i].peer;
    return -1;
}

static int now_of(const struct old_plan *old, int rank)
{
    return old->now ? old->now[rank] : rank;
}

/* The nearest of those above an old rank who is still there, as a rank of today; -1: nobody is. */
static int parent_now(const struct old_plan *old, enum operation op, int rank)
{
    int steps = 0;
    for (rank = parent_in(old->plan, op, rank); rank >= 0; rank = parent_in(old->plan, op, rank))
        if (now_of(old, rank) >= 0 || ++steps > old->plan->ranks)
            return now_of(old, rank);
    return -1;
}

/* Whether a rank hangs below the root; all on a way that leads there are marked as safe. */
static bool is_safe(const int *parent, int rank, int root, bool *safe, int ranks)
{
    int here = rank;
    for (int steps = 0; here >= 0 && !safe[here] && here != root && steps < ranks; steps++)
        here = parent[here];
    if (here < 0 || (!safe[here] && here != root))
        return false;
    for (; !safe[rank] && rank != root; rank = parent[rank])
        safe[rank] = true;
    return true;
}

/* Ranks without a parent are hung, one after the other, where they are served soonest, by ranks
 * that are safe and, each with all its children, ready first. */
static void hang_lost(const struct matrix *matrix, int root, const bool *safe, hn_time *ready,
                      int *parent)
{
    int n = matrix->ranks;
    for (int rank = 0; rank < n; rank++)
        ready[rank] = 0;
    for (int rank = 0; rank < n; rank++)
        if (rank != root && safe[rank])
            ready[parent[rank]] += matrix_at(matrix, parent[rank], rank);
    for (int rank = 0; rank < n; rank++) {
        if (rank == root || safe[rank])
            continue;
        int best = root;
        for (int from = 0; from < n; from++)
            if ((from == root || safe[from]) && ready[from] + matrix_at(matrix, from, rank) <
                                                    ready[best] + matrix_at(matrix, best, rank))
                best = from;
        parent[rank] = best;
        ready[best] += matrix_at(matrix, best, rank);
    }
}

int replan_tree(const struct old_plan *old, const struct request *req, const struct matrix *matrix,
                int *parent)
{
    int n = req->ranks, lost = 0;
    bool *safe = calloc((size_t)n, sizeof *safe);
    hn_time *ready = malloc((size_t)n * sizeof *ready);
    bool ok = safe && ready;
    for (int rank = 0; rank < n && ok; rank++)
        parent[rank] = -1;
    for (int rank = 0; rank < old->plan->ranks && ok; rank++)
        if (now_of(old, rank) >= 0 && now_of(old, rank) != req->root)
            parent[now_of(old, rank)] = parent_now(old, req->op, rank);
    for (int rank = 0; rank < n && ok; rank++)
        lost += rank != req->root && !is_safe(parent, rank, req->root, safe, n);
    if (ok)
        hang_lost(matrix, req->root, safe, ready, parent);
    free(safe);
    free(ready);
    return !ok ? HN_ENOMEM : lost == n - 1 && n > 1 ? HN_EPLAN : HN_OK;
}

/* ---- its order of messages ---------------------------------------------------------------------
 */

/* The next step of a rank at or after `at` that sends (receives). */
static int32_t next_step(const struct plan *plan, int rank, int32_t at, bool sends)
{
    while (at < plan->first[rank + 1] && (plan->steps[at].kind == PLAN_SEND) != sends)
        at++;
    return at;
}

struct ports {
    const struct plan *plan;
    int32_t *send, *recv; /* [rank]: the next step of each port */
};

static bool is_own_message(const struct plan *plan, const struct plan_step *step, int rank)
{
    int block = plan->lists[step->list];
    return step->count == 1 && plan->blocks[block].part == rank * plan->ranks + step->peer;
}

/* The next message of a sender, when its receiver takes it next, too. */
static bool take_next(struct ports *p, int rank, struct exchange_event *event)
{
    const struct plan *plan = p->plan;
    int32_t send = p->send[rank];
    if (send >= plan->first[rank + 1])
        return false;
    int to = plan->steps[send].peer;
    int32_t recv = plan->steps[send].match;
    if (recv < 0 || p->recv[to] != recv)
        return false;
    *event = (struct exchange_event){rank, to, 0, 0};
    p->send[rank] = next_step(plan, rank, send + 1, true);
    p->recv[to] = next_step(plan, to, recv + 1, false);
    return true;
}

/* All messages, in the order of both ports of everybody; returns how many there are. */
static int list_messages(struct ports *p, struct exchange_event *events)
{
    int count = 0, ranks = p->plan->ranks;
    for (int before = -1; before < count;) {
        before = count;
        for (int rank = 0; rank < ranks; rank++)
            count += take_next(p, rank, &events[count]);
    }
    return count;
}

static bool every_message_goes_by_itself(const struct plan *plan)
{
    int count = 0;
    for (int rank = 0; rank < plan->ranks; rank++)
        for (int32_t i = plan->first[rank]; i < plan->first[rank + 1]; i++)
            if (plan->steps[i].kind == PLAN_SEND) {
                if (!is_own_message(plan, &plan->steps[i], rank))
                    return false;
                count++;
            }
    return count == plan->ranks * (plan->ranks - 1);
}

/* Leaves out those whom somebody is missing for; the others get their ranks of today. */
static int rename_events(const struct old_plan *old, struct exchange_event *events, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int from = now_of(old, events[i].from), to = now_of(old, events[i].to);
        if (from >= 0 && to >= 0)
            events[kept++] = (struct exchange_event){from, to, 0, 0};
    }
    return kept;
}

int replan_events(const struct old_plan *old, struct exchange_event *events)
{
    const struct plan *plan = old->plan;
    size_t ranks = (size_t)plan->ranks;
    struct ports p = {plan, malloc(ranks * sizeof *p.send), malloc(ranks * sizeof *p.recv)};
    int count = -1;
    if (p.send && p.recv && every_message_goes_by_itself(plan)) {
        for (int rank = 0; rank < plan->ranks; rank++) {
            p.send[rank] = next_step(plan, rank, plan->first[rank], true);
            p.recv[rank] = next_step(plan, rank, plan->first[rank], false);
        }
        count = rename_events(old, events, list_messages(&p, events));
    }
    free(p.send);
    free(p.recv);
    return count;
}

/* ---- its decisions -----------------------------------------------------------------------------
 */

/* The sends of a rank, up to the first receive whose message has not been sent yet. */
static int pass_rank(const struct plan *plan, int rank, int32_t *at,
                     struct multicast_decision *decisions)
{
    int count = 0;
    for (; at[rank] < plan->first[rank + 1]; at[rank]++) {
        const struct plan_step *step = &plan->steps[at[rank]];
        if (step->kind != PLAN_SEND && at[step->peer] <= step->match)
            break;
        if (step->kind == PLAN_SEND)
            decisions[count++] =
                (struct multicast_decision){plan->lists[step->list], rank, step->peer, 0, 0};
    }
    return count;
}

int replan_decisions(const struct old_plan *old, struct multicast_decision *decisions)
{
    const struct plan *plan = old->plan;
    int32_t *at = malloc((size_t)plan->ranks * sizeof *at);
    int count = 0, kept = 0;
    if (!at)
        return -1;
    memcpy(at, plan->first, (size_t)plan->ranks * sizeof *at);
    for (int before = -1; before < count;) {
        before = count;
        for (int rank = 0; rank < plan->ranks; rank++)
            count += pass_rank(plan, rank, at, &decisions[count]);
    }
    for (int i = 0; i < count; i++) {
        struct multicast_decision d = decisions[i];
        d.from = now_of(old, d.from);
        d.to = now_of(old, d.to);
        if (d.to >= 0)
            decisions[kept++] = d;
    }
    free(at);
    return kept;
}
