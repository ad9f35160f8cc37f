/* forest_sim.c - orders transfers by list scheduling: an idle sender begins the most urgent
 * transfer to an idle receiver. A rank with nothing to send helps the parent with the most work
 * left. In the steps of a rank a receive is placed at the time of its end, a send at the time of
 * its start.
 *
 * Cost for k segments: O(k n (n + w)), where w is the total size of the subtrees that a rank could
 * serve next, at most k n at the root. Help adds, for each transfer, a look at the parents of n
 * receivers, or at their segments if these are fewer, and O(n) for most events while a rank is
 * idle.
 */
#include "planners/forest.h"

#include "hnow.h"

#include <stdbool.h>
#include <string.h>

enum { WORD = 64 }; /* bits of a uint64_t: sets of blocks and of ranks are arrays of these */

static bool is_in(const struct forest *f, const uint64_t *set, int rank, int block)
{
    return set[rank * f->words + block / WORD] >> block % WORD & 1;
}

static void put_in(const struct forest *f, uint64_t *set, int rank, int block)
{
    set[rank * f->words + block / WORD] |= UINT64_C(1) << block % WORD;
}

static void take_out(const struct forest *f, uint64_t *set, int rank, int block)
{
    set[rank * f->words + block / WORD] &= ~(UINT64_C(1) << block % WORD);
}

/* ---- who has to send what --------------------------------------------------------------- */

/* Lists the children of every rank in a block's tree, in the order of ranks. Prepended in
 * descending order, so the lists are in ascending order. */
static void list_children(struct forest *f, size_t base)
{
    for (int rank = 0; rank < f->n; rank++)
        f->sim.child[rank] = -1;
    for (int rank = f->n - 1; rank >= 0; rank--) {
        if (rank == f->root)
            continue;
        int parent = f->parent[base + (size_t)rank];
        f->sim.sibling[rank] = f->sim.child[parent];
        f->sim.child[parent] = rank;
    }
}

/* Records that a parent has a block to send to a child. */
static void engage(struct forest *f, int block, int parent, int child)
{
    hn_time takes = f->cost[parent * f->n + child];
    f->sim.in_left[child] += takes;
    f->sim.out_left[parent] += takes;
    put_in(f, f->sim.serves, parent * f->n + child, block);
    f->sim.children[parent * f->rank_words + child / WORD] |= UINT64_C(1) << child % WORD;
}

/* Lists a rank and its subtree from position `at` on; returns the position after them. */
static int list_subtree(struct forest *f, int block, int rank, int at)
{
    size_t base = (size_t)block * (size_t)f->n;
    int from = at;
    f->sim.place[base + (size_t)rank] = at;
    f->sim.order[base + (size_t)at++] = rank;
    for (int child = f->sim.child[rank]; child >= 0; child = f->sim.sibling[child]) {
        engage(f, block, rank, child);
        at = list_subtree(f, block, child, at);
    }
    f->sim.size[base + (size_t)rank] = at - from;
    return at;
}

/* Adds the transfers to the children of a rank that has received the block. The rank holds the
 * block from now on. `order` lists its subtree in preorder, so a step by the size of a child's
 * subtree leads to the next child. */
static void offer(struct forest *f, int block, int rank)
{
    size_t base = (size_t)block * (size_t)f->n;
    int *order = &f->sim.order[base + (size_t)f->sim.place[base + (size_t)rank]];
    int size = f->sim.size[base + (size_t)rank];
    put_in(f, f->sim.holds, rank, block);
    for (int i = 1; i < size; i += f->sim.size[base + (size_t)order[i]]) {
        size_t at = base + (size_t)order[i];
        f->sim.next[at] = f->sim.first[rank];
        f->sim.first[rank] = (int)at;
    }
}

/* Work left for the receive ports in the subtree that a transfer serves. The work left for the
 * receive ports in the subtree that a transfer serves, by the chosen rule. A transfer is the number
 * block * n + receiver, which is also an index of the arrays of subtrees. */
static hn_time urgency(const struct forest *f, int transfer)
{
    const int *order = &f->sim.order[transfer - transfer % f->n + f->sim.place[transfer]];
    hn_time most = 0, sum = 0;
    if (f->sim.rule == FOREST_MOST_PORTS)
        return f->sim.size[transfer];
    for (int i = 0; i < f->sim.size[transfer]; i++) {
        hn_time left = f->sim.in_left[order[i]];
        sum += left;
        most = left > most ? left : most;
    }
    return f->sim.rule == FOREST_ALL_LEFT ? sum : most;
}

/* ---- beginning -------------------------------------------------------------------------- */

/* The most urgent transfer that a rank can begin now, among equals that of the earliest segment;
 * -1: none. Transfers that helpers have done are removed from its list. */
static int most_urgent(struct forest *f, int rank)
{
    int best = -1;
    hn_time most = -1;
    /* A list of links, so that entries can be removed while it is traversed. */
    for (int *link = &f->sim.first[rank]; *link >= 0;) {
        int transfer = *link, to = transfer % f->n;
        if (!is_in(f, f->sim.lacks, to, transfer / f->n)) {
            *link = f->sim.next[transfer];
            continue;
        }
        link = &f->sim.next[transfer];
        if (f->sim.receiving[to] >= 0)
            continue;
        hn_time own = urgency(f, transfer);
        if (own > most || (own == most && transfer < best)) {
            most = own;
            best = transfer;
        }
    }
    return best;
}

/* ---- helping -----------------------------------------------------------------------------------
 *
 * A rank that has found nothing to help with finds something later only because of what has begun
 * or ended since: then a segment has arrived there, a receiver has become free, or a parent busy.
 */

/* The best transfer for a helper. */
struct help {
    int transfer; /* -1: none */
    hn_time left; /* work left for its parent */
};

/* Prefers the parent with the most work left; among equals the first receiver and its earliest
 * segment. */
static void consider(const struct forest *f, int block, int to, hn_time left, struct help *best)
{
    int transfer = block * f->n + to, other = best->transfer % f->n;
    if (left == best->left && best->transfer >= 0 &&
        (to > other || (to == other && transfer >= best->transfer)))
        return;
    *best = (struct help){transfer, left};
}

/* Considers the transfers of one parent to a receiver. Only the first suitable segment counts,
 * since consider() prefers the earliest one among equals. */
static void consider_parent(const struct forest *f, int from, int parent, int to, hn_time now,
                            struct help *best)
{
    const uint64_t *holds = &f->sim.holds[from * f->words], *lacks = &f->sim.lacks[to * f->words],
                   *there = &f->sim.holds[parent * f->words],
                   *serves = &f->sim.serves[(parent * f->n + to) * f->words];
    /* A parent that is busy could not send any of its segments now; an idle one sends those that it
     * holds itself. */
    uint64_t busy = f->sim.out[parent] > now ? UINT64_MAX : 0;
    /* Less work left than the best found so far, or too slow a route: no help here. */
    hn_time left = f->sim.out_left[parent], own = f->cost[parent * f->n + to];
    if (left < best->left || f->cost[from * f->n + to] - own > own / 8 * f->sim.help)
        return;
    for (int word = 0; word < f->words; word++) {
        uint64_t set = holds[word] & lacks[word] & serves[word] & (busy | ~there[word]);
        if (set) {
            consider(f, word * WORD + __builtin_ctzll(set), to, left, best);
            return;
        }
    }
}

/* Considers the transfer of one segment to a receiver. */
static void consider_block(const struct forest *f, int from, int block, int to, hn_time now,
                           struct help *best)
{
    int parent = f->parent[block * f->n + to];
    hn_time left = f->sim.out_left[parent], own = f->cost[parent * f->n + to];
    if (left < best->left || f->cost[from * f->n + to] - own > own / 8 * f->sim.help)
        return;
    if (f->sim.out[parent] > now || !is_in(f, f->sim.holds, parent, block))
        consider(f, block, to, left, best);
}

/* Considers all transfers to a receiver, by segments or by parents, whichever are fewer. */
static void consider_receiver(const struct forest *f, int from, int to, hn_time now,
                              struct help *best)
{
    const uint64_t *holds = &f->sim.holds[from * f->words], *lacks = &f->sim.lacks[to * f->words];
    int count = 0;
    for (int word = 0; word < f->words; word++)
        count += __builtin_popcountll(holds[word] & lacks[word]);
    for (int parent = 0; parent < f->n && count > f->n; parent++)
        consider_parent(f, from, parent, to, now, best);
    for (int word = 0; word < f->words && count <= f->n; word++)
        for (uint64_t set = holds[word] & lacks[word]; set; set &= set - 1)
            consider_block(f, from, word * WORD + __builtin_ctzll(set), to, now, best);
}

/* Considers what has become possible by an event since the rank was last idle. */
static void consider_event(const struct forest *f, int from, int event, hn_time now,
                           struct help *best)
{
    const struct scheduled *t = &f->done[event / 2];
    const uint64_t *children = &f->sim.children[t->from * f->rank_words];
    bool ends = event % 2 == SCHED_ENDS, busy = !ends && f->sim.out[t->from] > now,
         came = ends && t->to == from;
    if (ends && f->sim.receiving[t->to] < 0)
        consider_receiver(f, from, t->to, now, best);
    for (int word = 0; word < f->rank_words && (busy || came); word++)
        for (uint64_t set = f->sim.idle[word] & (came ? UINT64_MAX : children[word]); set;
             set &= set - 1) {
            int to = word * WORD + __builtin_ctzll(set);
            if (busy)
                consider_parent(f, from, t->from, to, now, best);
            else if (is_in(f, f->sim.lacks, to, t->list))
                consider_block(f, from, t->list, to, now, best);
        }
}

/* The transfer that a rank can begin now in place of a parent; -1: none. */
static int most_helpful(struct forest *f, int from, hn_time now)
{
    struct help best = {-1, 0};
    if (f->sim.help < 0)
        return -1;
    for (int to = 0; to < f->n && f->sim.idle_since[from] < 0; to++)
        if (f->sim.receiving[to] < 0)
            consider_receiver(f, from, to, now, &best);
    for (int i = f->sim.idle_since[from]; i >= 0 && i < f->event_count; i++)
        consider_event(f, from, f->events[i], now, &best);
    f->sim.idle_since[from] = f->event_count;
    return best.transfer;
}

/* ---- beginning what is best ------------------------------------------------------------- */

/* Begins a transfer: both ports become busy, and the parent of the receiver is corrected if another
 * rank helps. */
static void begin_transfer(struct forest *f, int from, int transfer, hn_time now)
{
    int block = transfer / f->n, to = transfer % f->n, parent = f->parent[transfer];
    hn_time planned = f->cost[parent * f->n + to], end = now + f->cost[from * f->n + to];
    /* The work of the planned route leaves both accounts, whichever rank sends the segment. */
    f->sim.in_left[to] -= planned;
    f->sim.out_left[parent] -= planned;
    f->parent[transfer] = from;
    f->sim.out[from] = f->sim.in[to] = end;
    f->sim.receiving[to] = f->count;
    f->sim.idle[to / WORD] &= ~(UINT64_C(1) << to % WORD);
    f->sim.idle_since[from] = -1;
    take_out(f, f->sim.lacks, to, block);
    f->events[f->event_count++] = 2 * f->count + SCHED_BEGINS;
    f->done[f->count++] = (struct scheduled){from, to, block, 1, end};
}

/* Begins the transfers that every rank can begin now: its own first, then help. Returns whether
 * there were any. */
static bool begin_transfers(struct forest *f, hn_time now)
{
    int before = f->count;
    for (int helps = 0; helps < 2; helps++)
        for (int from = 0; from < f->n; from++) {
            int transfer = -1;
            if (f->sim.out[from] <= now)
                transfer = helps ? most_helpful(f, from, now) : most_urgent(f, from);
            if (transfer >= 0)
                begin_transfer(f, from, transfer, now);
        }
    return f->count > before;
}

/* ---- simulation ------------------------------------------------------------------------- */

/* The next time at which a port becomes free. */
static hn_time next_event(const struct forest *f, hn_time now)
{
    hn_time next = INT64_MAX;
    for (int rank = 0; rank < f->n; rank++)
        if (f->sim.in[rank] > now && f->sim.in[rank] < next)
            next = f->sim.in[rank];
    return next;
}

/* Ends transfers; receivers can then forward the blocks. Among transfers that end at the same time
 * those of lower ranks come first. */
static void end_transfers(struct forest *f, hn_time now)
{
    for (int rank = 0; rank < f->n; rank++) {
        int i = f->sim.receiving[rank];
        if (i < 0 || f->done[i].end > now)
            continue;
        f->sim.receiving[rank] = -1;
        f->sim.idle[rank / WORD] |= UINT64_C(1) << rank % WORD;
        f->events[f->event_count++] = 2 * i + SCHED_ENDS;
        offer(f, f->done[i].list, rank);
    }
}

/* Resets the state for the trees of parent[]. The root holds all blocks, so it lacks none. */
static void prepare(struct forest *f)
{
    f->count = f->event_count = 0;
    memset(f->sim.holds, 0, (size_t)f->n * (size_t)f->words * sizeof *f->sim.holds);
    memset(f->sim.lacks, 0, (size_t)f->n * (size_t)f->words * sizeof *f->sim.lacks);
    memset(f->sim.serves, 0,
           (size_t)f->n * (size_t)f->n * (size_t)f->words * sizeof *f->sim.serves);
    memset(f->sim.children, 0, (size_t)f->n * (size_t)f->rank_words * sizeof *f->sim.children);
    for (int rank = 0; rank < f->n; rank++) {
        f->sim.idle[rank / WORD] |= UINT64_C(1) << rank % WORD;
        f->sim.first[rank] = f->sim.receiving[rank] = f->sim.idle_since[rank] = -1;
        f->sim.out[rank] = f->sim.in[rank] = f->sim.out_left[rank] = f->sim.in_left[rank] = 0;
        for (int block = 0; block < f->blocks && rank != f->root; block++)
            put_in(f, f->sim.lacks, rank, block);
    }
    for (int block = 0; block < f->blocks; block++) {
        list_children(f, (size_t)block * (size_t)f->n);
        list_subtree(f, block, f->root, 0);
    }
    for (int block = 0; block < f->blocks; block++)
        offer(f, block, f->root);
}

/* Time advances from one end of a transfer to the next. Ports are one-port: a rank sends and
 * receives at most one segment at a time. */
hn_time forest_simulate(struct forest *f, enum forest_rule rule, int help)
{
    hn_time last = 0;
    f->sim.rule = rule;
    f->sim.help = help;
    prepare(f);
    for (hn_time now = 0; now < INT64_MAX; now = next_event(f, now)) {
        last = now;
        do /* repeated, since some transfers take no time */
            end_transfers(f, now);
        while (begin_transfers(f, now));
    }
    return last;
}

/* ---- memory ----------------------------------------------------------------------------- */

/* Memory: n^2 * blocks / 64 words for `serves`, and some arrays of n * blocks elements. */
int forest_begin(struct forest *f, int ranks, int root, int blocks)
{
    size_t n = (size_t)ranks, cells = n * (size_t)blocks;
    *f = (struct forest){.n = ranks, .root = root, .blocks = blocks};
    f->words = (blocks + WORD - 1) / WORD;
    f->rank_words = (ranks + WORD - 1) / WORD;
    f->cost = arena_array(&f->arena, n * n, sizeof *f->cost);
    ARENA_ARRAYS(&f->arena, cells, f->parent, f->done, f->sim.order, f->sim.place, f->sim.size,
                 f->sim.next);
    f->events = arena_array(&f->arena, 2 * cells, sizeof *f->events);
    ARENA_ARRAYS(&f->arena, n, f->sim.child, f->sim.sibling, f->sim.first, f->sim.out, f->sim.in,
                 f->sim.out_left, f->sim.in_left, f->sim.receiving);
    f->sim.idle_since = arena_array(&f->arena, n, sizeof *f->sim.idle_since);
    ARENA_ARRAYS(&f->arena, n * (size_t)f->words, f->sim.holds, f->sim.lacks);
    f->sim.serves = arena_array(&f->arena, n * n * (size_t)f->words, sizeof *f->sim.serves);
    f->sim.idle = arena_array(&f->arena, (size_t)f->rank_words, sizeof *f->sim.idle);
    f->sim.children = arena_array(&f->arena, n * (size_t)f->rank_words, sizeof *f->sim.children);
    return f->arena.failed ? HN_ENOMEM : HN_OK;
}

void forest_end(struct forest *f)
{
    arena_free(&f->arena);
}
