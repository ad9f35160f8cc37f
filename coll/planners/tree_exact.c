/* tree_exact.c - our own: the optimal broadcast tree by branch and bound, for few ranks.
 *
 * Any schedule can be generated in the order of the senders' ready times: the informed rank that is
 * ready first either sends to one of the waiting ranks or never sends again (it retires). A branch
 * is cut if its lower bound is not below the best makespan so far. The bound uses that each waiting
 * rank must be reached on a shortest path from an active rank, and that k ranks cannot be informed
 * faster than by sends of the lowest cost.
 *
 * If two states have the same informed ranks and one is nowhere later, it dominates the other,
 * which is dropped. Some of the states of each informed set are stored for this test. Cost:
 * exponential; some milliseconds for 9 ranks, so the limit is EXACT_RANKS_MOST.
 */
#include "planners/planners.h"

#include "planners/broadcast.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

/* KEPT: states stored for each of the 2^ranks informed sets; the oldest is replaced. A state has
 * some 100 bytes, so they take 2.4 MB at 10 ranks. Fewer would cut fewer branches. */
enum { EXACT_MOST = EXACT_RANKS_MOST, KEPT = 24 };

static const hn_time never = INT64_MAX / 4; /* the ready time of a rank that will not send again */

/* A state of the search: who has the message, and when each is free. Small, so it is copied. */
struct state {
    hn_time ready[EXACT_MOST]; /* of informed ranks; `never`: the rank has retired */
    hn_time done;              /* latest end of the retired ranks' local parts */
    unsigned informed;
};

struct kept {
    struct state state[KEPT];
    int count, next;
};

/* The search. edges[] is the path to the present state, best_edges[] that to the best end. */
struct exact {
    struct broadcast b;
    hn_time path[EXACT_MOST][EXACT_MOST]; /* shortest paths with the delivery times as lengths */
    hn_time best;
    int edge_count, best_edges[EXACT_MOST][2], edges[EXACT_MOST][2];
    struct kept *kept; /* [set of informed ranks] */
};

/* Floyd and Warshall's algorithm. */
static void all_paths(struct exact *e)
{
    int n = e->b.ranks;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            e->path[i][k] = i == k ? 0 : e->b.deliver[broadcast_at(&e->b, i, k)];
    for (int via = 0; via < n; via++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                if (e->path[i][via] + e->path[via][k] < e->path[i][k])
                    e->path[i][k] = e->path[i][via] + e->path[via][k];
}

/* Lower bound on the makespan of all completions of a state. */
static hn_time bound(const struct exact *e, const struct state *s)
{
    hn_time bound = s->done;
    int n = e->b.ranks;
    for (int rank = 0; rank < n; rank++) {
        hn_time soonest = never;
        if (s->informed >> rank & 1) {
            soonest = s->ready[rank] == never ? 0 : s->ready[rank];
        } else {
            for (int from = 0; from < n; from++)
                if (s->informed >> from & 1 && s->ready[from] < never &&
                    s->ready[from] + e->path[from][rank] < soonest)
                    soonest = s->ready[from] + e->path[from][rank];
        }
        bound = time_later(bound, soonest + e->b.local[rank]);
    }
    return bound;
}

/* Whether a, which has the same informed ranks as b, is nowhere later than b. */
static bool dominates(const struct exact *e, const struct state *a, const struct state *b)
{
    if (a->done > b->done)
        return false;
    for (int rank = 0; rank < e->b.ranks; rank++) {
        hn_time x = a->ready[rank], y = b->ready[rank];
        /* An active rank may retire as in b, but then its local part counts. */
        if (x > y || (y == never && x < never && x + e->b.local[rank] > b->done))
            return false;
    }
    return true;
}

/* Whether a stored state dominates this one; else stores it. O(KEPT) comparisons; some dominated
 * states are missed, which costs only time. */
static bool is_useless(struct exact *e, const struct state *s)
{
    struct kept *kept = &e->kept[s->informed];
    for (int i = 0; i < kept->count; i++)
        if (dominates(e, &kept->state[i], s))
            return true;
    kept->state[kept->next] = *s;
    kept->next = (kept->next + 1) % KEPT;
    kept->count += kept->count < KEPT;
    return false;
}

/* All ranks are informed. Active ranks have only their local parts left. */
static void finish(struct exact *e, const struct state *s)
{
    hn_time makespan = s->done;
    for (int rank = 0; rank < e->b.ranks; rank++)
        if (s->ready[rank] < never && s->ready[rank] + e->b.local[rank] > makespan)
            makespan = s->ready[rank] + e->b.local[rank];
    if (makespan < e->best) {
        e->best = makespan;
        memcpy(e->best_edges, e->edges, sizeof e->edges);
    }
}

/* The active rank that is ready first. -1: all have retired. */
static int first_ready(const struct exact *e, const struct state *s)
{
    int first = -1;
    for (int rank = 0; rank < e->b.ranks; rank++)
        if (s->informed >> rank & 1 && s->ready[rank] < never &&
            (first < 0 || s->ready[rank] < s->ready[first]))
            first = rank;
    return first;
}

/* Examines all completions of a state. fresh: a rank has just been informed. A state in which a
 * rank has just retired is dominated by the state before, so it must not be compared with stored
 * ones. */
static void branch(struct exact *e, const struct state *s, bool fresh)
{
    int n = e->b.ranks;
    if (s->informed == (1u << n) - 1) {
        finish(e, s);
        return;
    }
    int from = first_ready(e, s);
    if (from < 0 || bound(e, s) >= e->best || (fresh && is_useless(e, s)))
        return;
    /* The rank sends to each of the waiting ranks in turn, or retires. */
    for (int to = 0; to < n; to++) {
        if (s->informed >> to & 1)
            continue;
        struct state next = *s;
        size_t at = broadcast_at(&e->b, from, to);
        next.informed |= 1u << to;
        next.ready[to] = s->ready[from] + e->b.deliver[at];
        next.ready[from] += e->b.busy[at];
        e->edges[e->edge_count][0] = from;
        e->edges[e->edge_count++][1] = to;
        branch(e, &next, true);
        e->edge_count--;
    }
    struct state retired = *s;
    retired.done = time_later(retired.done, retired.ready[from] + e->b.local[from]);
    retired.ready[from] = never;
    branch(e, &retired, false);
}

int planner_exact(const struct problem *problem, struct tree *tree)
{
    struct exact e = {.best = never};
    struct state start = {.informed = 1u << tree->root};
    int error = broadcast_begin(&e.b, problem);
    e.kept = calloc((size_t)1 << tree->ranks, sizeof *e.kept);
    if (!error && !e.kept)
        error = HN_ENOMEM;
    if (!error) {
        all_paths(&e);
        branch(&e, &start, true);
        for (int i = 0; i < tree->ranks - 1; i++)
            tree_add(tree, e.best_edges[i][0], e.best_edges[i][1]);
    }
    broadcast_end(&e.b);
    free(e.kept);
    return error;
}
