/* gossip_sim.c - orders the transfers of an allgather by their ends (gossip_sim.h). */
#include "planners/gossip_sim.h"

#include "hnow.h"

#include <string.h>

struct transfer {
    int block; /* -1: there is nothing to send */
    hn_time begin, end;
};

/* ---- the next transfer ------------------------------------------------------------------ */

static int64_t bytes_of(const struct gossip_sim *g, int block)
{
    return g->block[block].bytes;
}

/* The blocks of a 64-bit word that a rank has (or will have) and another one lacks. */
static uint64_t word_of(const struct gossip_sim *g, int from, int to, int word)
{
    return g->kept[from * g->words + word] & ~g->kept[to * g->words + word];
}

/* Of the blocks that a rank has and another one lacks, the one that it has had longest; -1: none.
 * Those that the rank will have at a later time count, too. */
static int oldest(const struct gossip_sim *g, int from, int to)
{
    const hn_time *has = &g->has[from * g->blocks];
    int best = -1;
    for (int word = 0; word < g->words; word++)
        for (uint64_t left = word_of(g, from, to, word); left; left &= left - 1) {
            int block = 64 * word + __builtin_ctzll(left);
            best = best < 0 || has[block] < has[best] ? block : best;
        }
    return best;
}

/* Breaks ties: one variant prefers the oldest block, the other one the first, so that two different
 * orders are tried. */
static bool is_rarer(const struct gossip_sim *g, int block, int than)
{
    int more = g->copies[block] - g->copies[than];
    return more < 0 || (more == 0 && !g->fills && block < than);
}

/* Of the blocks that `from` has at time `by` and `to` lacks, the one that the fewest ranks have. */
static int rarest(const struct gossip_sim *g, int from, int to, hn_time by, int best)
{
    const hn_time *has = &g->has[from * g->blocks];
    for (int word = 0; word < g->words; word++)
        for (uint64_t left = word_of(g, from, to, word); left; left &= left - 1) {
            int block = 64 * word + __builtin_ctzll(left);
            if (has[block] <= by && is_rarer(g, block, best))
                best = block;
        }
    return best;
}

/* The transfer that can begin first on a route; among equals that of the block that the fewest
 * ranks have. The begin is found for the oldest block, and then the rarest of those available then
 * is taken. */
static struct transfer next_on(const struct gossip_sim *g, int from, int to)
{
    int e = from * g->n + to;
    struct transfer t = {oldest(g, from, to), INT64_MAX, INT64_MAX};
    if (t.block < 0)
        return t;
    t.begin = timetable_find(&g->table, e, bytes_of(g, t.block),
                             time_later(g->has[from * g->blocks + t.block], g->begun[e]), g->fills);
    t.block = rarest(g, from, to, t.begin, t.block);
    int64_t bytes = bytes_of(g, t.block); /* lengths may differ */
    t.begin = timetable_find(&g->table, e, bytes, t.begin, g->fills);
    t.end = time_later(g->last[e], timetable_arrival(&g->table, e, bytes, t.begin));
    return t;
}

/* ---- the simulation --------------------------------------------------------------------- */

/* Keeps the minimum of the row without a search, unless the former minimum has grown. */
static void set_soonest(struct gossip_sim *g, int from, int to, hn_time soonest)
{
    hn_time *row = &g->soonest[from * g->n];
    int best = g->best[from];
    row[to] = soonest;
    if (to != best)
        best = soonest < row[best] ? to : best;
    else
        for (int i = 0; i < g->n; i++)
            best = row[i] < row[best] ? i : best;
    g->best[from] = best;
    g->next[from] = row[best];
}

static void keep(struct gossip_sim *g, int rank, int block, hn_time since)
{
    g->has[rank * g->blocks + block] = since;
    g->kept[rank * g->words + block / 64] |= (uint64_t)1 << block % 64;
}

/* Resets the bounds on a rank's next transfers. 0 is a lower bound for any transfer. A rank's own
 * entry is never chosen. */
static void reset_bounds(struct gossip_sim *g, int from)
{
    hn_time *row = &g->soonest[from * g->n];
    for (int to = 0; to < g->n; to++)
        row[to] = to == from ? INT64_MAX : 0;
    g->best[from] = from == 0 && g->n > 1 ? 1 : 0;
    g->next[from] = row[g->best[from]];
}

/* Sets the initial state: every rank has its own blocks. */
static void initialize(struct gossip_sim *g)
{
    size_t n = (size_t)g->n;
    memset(g->begun, 0, n * n * sizeof *g->begun);
    memset(g->last, 0, n * n * sizeof *g->last);
    memset(g->copies, 0, (size_t)g->blocks * sizeof *g->copies);
    timetable_clear(&g->table);
    memset(g->kept, 0, n * (size_t)g->words * sizeof *g->kept);
    for (int block = 0; block < g->blocks; block++)
        keep(g, g->block[block].part, block, 0);
    for (int from = 0; from < g->n; from++)
        reset_bounds(g, from);
    g->count = 0;
}

/* false: out of memory for the reservation. */
static bool note(struct gossip_sim *g, int from, int to, const struct transfer *t)
{
    int e = from * g->n + to;
    bool noted = timetable_reserve(&g->table, e, bytes_of(g, t->block), t->begin);
    g->begun[e] = t->begin;
    g->last[e] = t->end;
    keep(g, to, t->block, t->end);
    g->copies[t->block]++;
    reset_bounds(g, to); /* it may now have a block to send */
    g->notes[g->count] =
        (struct gossip_note){{t->begin, g->count}, {from, to, t->block, 1, t->end}};
    g->count++;
    return noted;
}

/* Repeatedly chooses the transfer that ends first. Reservations only grow, so the earlier result
 * for a route is a lower bound unless its sender has received a block since. */
int gossip_simulate(struct gossip_sim *g, bool fills)
{
    g->fills = fills;
    initialize(g);
    for (;;) {
        int from = 0;
        for (int i = 1; i < g->n; i++)
            if (g->next[i] < g->next[from])
                from = i;
        int to = g->best[from];
        hn_time soonest = g->next[from];
        if (soonest == INT64_MAX)
            return HN_OK;
        /* If the result is later than its bound, it becomes the bound, and another route may be
         * first. */
        struct transfer t = next_on(g, from, to);
        if (t.end != soonest)
            set_soonest(g, from, to, t.end);
        else if (!note(g, from, to, &t))
            return HN_ENOMEM;
    }
}

/* ---- the interface ---------------------------------------------------------------------- */

int gossip_sim_begin(struct gossip_sim *g, const struct model *model, const struct plan *cut)
{
    size_t n = (size_t)model->ranks, blocks = (size_t)cut->block_count;
    *g = (struct gossip_sim){.n = (int)n, .blocks = cut->block_count, .block = cut->blocks};
    int64_t bytes = 0;
    for (int block = 0; block < g->blocks; block++)
        bytes += g->block[block].bytes / g->blocks;
    g->words = (g->blocks + 63) / 64;
    int error = timetable_begin(&g->table, model, bytes, (int64_t)(n * blocks));
    ARENA_ARRAYS(&g->arena, n * n, g->last, g->begun, g->soonest);
    ARENA_ARRAYS(&g->arena, n, g->best, g->next);
    ARENA_ARRAYS(&g->arena, n * blocks, g->has, g->notes);
    g->kept = arena_array(&g->arena, n * (size_t)g->words + 1, sizeof *g->kept);
    g->copies = arena_array(&g->arena, blocks, sizeof *g->copies);
    return !error && g->arena.failed ? HN_ENOMEM : error;
}

void gossip_sim_end(struct gossip_sim *g)
{
    timetable_end(&g->table);
    arena_free(&g->arena);
}
