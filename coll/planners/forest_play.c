/* forest_play.c - transfers put into an order by playing them: of what an idle sender can send to
 * an idle receiver, it takes what is most urgent; who has nothing to send helps out where most is
 * left to send. At every rank a receive is listed when it has ended, a send when it begins.
 *
 * Cost for k segments: O(k n (n + w)), where w is the size of all subtrees that a rank could serve
 * next, at most k n at the root; and for those who help the segments that others lack.
 */
#include "forest.h"

#include "hnow.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };

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

/* ---- who has to send what ----------------------------------------------------------------------
 */

/* Lists a rank and all below it from place `at` on; returns the place behind them. */
static int list_subtree(struct forest *f, size_t base, int rank, int at)
{
    int from = at;
    f->place[base + (size_t)rank] = at;
    f->order[base + (size_t)at++] = rank;
    for (int child = 0; child < f->n; child++)
        if (child != f->root && f->parent[base + (size_t)child] == rank) {
            f->in_left[child] += f->cost[rank * f->n + child];
            f->out_left[rank] += f->cost[rank * f->n + child];
            at = list_subtree(f, base, child, at);
        }
    f->size[base + (size_t)rank] = at - from;
    return at;
}

/* The rank has got the block: it has to send it to its children. */
static void offer(struct forest *f, int block, int rank)
{
    size_t base = (size_t)block * (size_t)f->n;
    int *order = &f->order[base + (size_t)f->place[base + (size_t)rank]];
    int size = f->size[base + (size_t)rank];
    put_in(f, f->holds, rank, block);
    for (int i = 1; i < size; i += f->size[base + (size_t)order[i]]) {
        size_t at = base + (size_t)order[i];
        f->next[at] = f->first[rank];
        f->first[rank] = (int)at;
    }
}

/* What the receive ports in the subtree that a transfer serves have left to do. */
static hn_time urgency(const struct forest *f, int transfer)
{
    const int *order = &f->order[transfer - transfer % f->n + f->place[transfer]];
    hn_time most = 0, sum = 0;
    if (f->rule == FOREST_MOST_PORTS)
        return f->size[transfer];
    for (int i = 0; i < f->size[transfer]; i++) {
        hn_time left = f->in_left[order[i]];
        sum += left;
        most = left > most ? left : most;
    }
    return f->rule == FOREST_ALL_LEFT ? sum : most;
}

/* ---- beginning ---------------------------------------------------------------------------------
 */

/* The most urgent transfer that a rank can begin now, of equal ones the earliest segment's; -1:
 * none. What others have sent in its place leaves its list. */
static int most_urgent(struct forest *f, int rank)
{
    int best = -1;
    hn_time most = -1;
    for (int *link = &f->first[rank]; *link >= 0;) {
        int transfer = *link, to = transfer % f->n;
        if (!is_in(f, f->lacks, to, transfer / f->n)) {
            *link = f->next[transfer];
            continue;
        }
        link = &f->next[transfer];
        if (f->receiving[to] >= 0)
            continue;
        hn_time own = urgency(f, transfer);
        if (own > most || (own == most && transfer < best)) {
            most = own;
            best = transfer;
        }
    }
    return best;
}

/* Whether a rank may send a transfer in place of its parent. */
static bool may_help(const struct forest *f, int from, int transfer, hn_time now)
{
    int to = transfer % f->n, parent = f->parent[transfer];
    hn_time own = f->cost[parent * f->n + to];
    if (f->cost[from * f->n + to] - own > own / 8 * f->help)
        return false;
    return f->out[parent] > now || !is_in(f, f->holds, parent, transfer / f->n);
}

/* What a rank can begin now in place of the parent with the most left to send; -1: nothing. */
static int most_helpful(const struct forest *f, int from, hn_time now)
{
    const uint64_t *holds = &f->holds[from * f->words];
    int best = -1;
    hn_time most = -1;
    for (int to = 0; to < f->n && f->help >= 0; to++)
        for (int word = 0; word < f->words && f->receiving[to] < 0 && to != from; word++) {
            uint64_t set = holds[word] & f->lacks[to * f->words + word];
            for (; set; set &= set - 1) {
                int transfer = (word * WORD + __builtin_ctzll(set)) * f->n + to;
                hn_time left = f->out_left[f->parent[transfer]];
                if (left > most && may_help(f, from, transfer, now)) {
                    most = left;
                    best = transfer;
                }
            }
        }
    return best;
}

static void begin_transfer(struct forest *f, int from, int transfer, hn_time now)
{
    int block = transfer / f->n, to = transfer % f->n, parent = f->parent[transfer];
    hn_time planned = f->cost[parent * f->n + to], end = now + f->cost[from * f->n + to];
    f->in_left[to] -= planned;
    f->out_left[parent] -= planned;
    f->parent[transfer] = from;
    f->out[from] = f->in[to] = end;
    f->receiving[to] = f->count;
    take_out(f, f->lacks, to, block);
    f->events[f->event_count++] = 2 * f->count + PLAYED_BEGINS;
    f->done[f->count++] = (struct played){from, to, block, 1, end};
}

/* Begins what every rank can begin now, first its own, then what helps; whether there was
 * something. */
static bool begin_transfers(struct forest *f, hn_time now)
{
    int before = f->count;
    for (int helps = 0; helps < 2; helps++)
        for (int from = 0; from < f->n; from++) {
            int transfer = -1;
            if (f->out[from] <= now)
                transfer = helps ? most_helpful(f, from, now) : most_urgent(f, from);
            if (transfer >= 0)
                begin_transfer(f, from, transfer, now);
        }
    return f->count > before;
}

/* ---- playing -----------------------------------------------------------------------------------
 */

/* The next time at which a port becomes free. */
static hn_time next_event(const struct forest *f, hn_time now)
{
    hn_time next = INT64_MAX;
    for (int rank = 0; rank < f->n; rank++)
        if (f->in[rank] > now && f->in[rank] < next)
            next = f->in[rank];
    return next;
}

/* Those who have got a block can send it on. */
static void end_transfers(struct forest *f, hn_time now)
{
    for (int rank = 0; rank < f->n; rank++) {
        int i = f->receiving[rank];
        if (i < 0 || f->done[i].end > now)
            continue;
        f->receiving[rank] = -1;
        f->events[f->event_count++] = 2 * i + PLAYED_ENDS;
        offer(f, f->done[i].list, rank);
    }
}

static void prepare(struct forest *f)
{
    f->count = f->event_count = 0;
    memset(f->holds, 0, (size_t)f->n * (size_t)f->words * sizeof *f->holds);
    memset(f->lacks, 0, (size_t)f->n * (size_t)f->words * sizeof *f->lacks);
    for (int rank = 0; rank < f->n; rank++) {
        f->first[rank] = f->receiving[rank] = -1;
        f->out[rank] = f->in[rank] = f->out_left[rank] = f->in_left[rank] = 0;
        for (int block = 0; block < f->blocks && rank != f->root; block++)
            put_in(f, f->lacks, rank, block);
    }
    for (int block = 0; block < f->blocks; block++)
        list_subtree(f, (size_t)block * (size_t)f->n, f->root, 0);
    for (int block = 0; block < f->blocks; block++)
        offer(f, block, f->root);
}

hn_time forest_play(struct forest *f, enum forest_rule rule, int help)
{
    hn_time last = 0;
    f->rule = rule;
    f->help = help;
    prepare(f);
    for (hn_time now = 0; now < INT64_MAX; now = next_event(f, now)) {
        last = now;
        do /* again: some take no time */
            end_transfers(f, now);
        while (begin_transfers(f, now));
    }
    return last;
}

/* ---- memory ------------------------------------------------------------------------------------
 */

int forest_begin(struct forest *f, int ranks, int root, int blocks)
{
    size_t n = (size_t)ranks, cells = n * (size_t)blocks;
    *f = (struct forest){.n = ranks, .root = root, .blocks = blocks};
    f->words = (blocks + WORD - 1) / WORD;
    f->cost = calloc(n * n, sizeof *f->cost);
    f->parent = malloc(cells * sizeof *f->parent);
    f->done = malloc(cells * sizeof *f->done);
    f->events = malloc(2 * cells * sizeof *f->events);
    f->order = malloc(cells * sizeof *f->order);
    f->place = malloc(cells * sizeof *f->place);
    f->size = malloc(cells * sizeof *f->size);
    f->first = malloc(n * sizeof *f->first);
    f->next = malloc(cells * sizeof *f->next);
    f->holds = malloc(n * (size_t)f->words * sizeof *f->holds);
    f->lacks = malloc(n * (size_t)f->words * sizeof *f->lacks);
    f->out = malloc(n * sizeof *f->out);
    f->in = malloc(n * sizeof *f->in);
    f->out_left = malloc(n * sizeof *f->out_left);
    f->in_left = malloc(n * sizeof *f->in_left);
    f->receiving = malloc(n * sizeof *f->receiving);
    bool there = f->cost && f->parent && f->done && f->events && f->order && f->place && f->size &&
                 f->first && f->next && f->holds && f->lacks && f->out && f->in && f->out_left &&
                 f->in_left && f->receiving;
    return there ? HN_OK : HN_ENOMEM;
}

void forest_end(struct forest *f)
{
    free(f->cost);
    free(f->parent);
    free(f->done);
    free(f->events);
    free(f->order);
    free(f->place);
    free(f->size);
    free(f->first);
    free(f->next);
    free(f->holds);
    free(f->lacks);
    free(f->out);
    free(f->in);
    free(f->out_left);
    free(f->in_left);
    free(f->receiving);
}
