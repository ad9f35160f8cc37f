/* multicast_search.c - our own: the decisions of the best algorithm, improved by local moves
 * (threshold accepting: Dueck and Scheuer 1990).
 *
 * A solution is a sequence of decisions. Each has a message, a receiver and optionally a sender. It
 * is executed with preemption. If a decision has no sender, or one that does not have the message
 * yet, the holder that can deliver it first sends it. So every sequence is a valid schedule. A move
 * changes the position of a decision (mostly of one that ends late, to an earlier position) or its
 * sender. It is accepted if the makespan grows by at most a threshold, which decreases to 0.
 *
 * Only the decisions after the first change are executed again, and only until one is too late.
 *
 * The result is never worse than the algorithm it starts from. The work is limited, not the time,
 * and the random numbers are deterministic. So all members find the same schedule. Cost: at most
 * WORK possible senders examined.
 */
#include "planners/multicast/algorithms.h"

#include "planners/random_number.h"

#include "hnow.h"
#include "probe/internal.h"

#include <string.h>

/* Both limit the search; work.c estimates its time from the same numbers. WORK: possible senders
 * examined. MOVES_MOST: moves tried, so that small instances end earlier than by WORK. */
enum { WORK = 40000000, MOVES_MOST = 40000 };

/* A sequence of all deliveries, each once. */
struct solution {
    struct multicast_decision *decision; /* .from -1: the best sender */
    int count;
};

/* One search. `done` mirrors the decisions executed in m, so that only those after the first
 * difference are executed again. */
struct hunt {
    struct multicast *m;
    struct solution now, trial, best;
    struct solution done; /* the decisions executed in m: a prefix of a solution */
    hn_time least;
    bool preemptive; /* the best solution is executed with preemption */
    int64_t work;    /* possible senders examined so far */
    uint64_t random;
    struct arena arena; /* of the arrays */
};

/* The holder that can deliver the message first; among equals the lowest. There is always one: the
 * source. */
static int best_holder(struct hunt *h, int k, int to)
{
    const struct multicast *m = h->m;
    int best = -1;
    hn_time soonest = INT64_MAX;
    for (int from = 0; from < m->nodes; from++) {
        if (!multicast_has(m, k, from))
            continue;
        hn_time end = multicast_complete(m, k, from, to);
        h->work++;
        if (end < soonest) {
            soonest = end;
            best = from;
        }
    }
    return best;
}

/* Times are not compared: they follow from the decisions before. */
static bool is_same(const struct multicast_decision *a, const struct multicast_decision *b)
{
    return a->message == b->message && a->from == b->from && a->to == b->to;
}

/* Removes all decisions from m. The work of clearing counts, too. */
static void clear(struct hunt *h, bool preemptive)
{
    multicast_clear(h->m, preemptive);
    h->done.count = 0;
    h->work += h->m->nodes * h->m->messages / 16;
}

/* Undoes the decisions in m from the first one on that differs from `s`. */
static void rewind_to(struct hunt *h, const struct solution *s)
{
    int same = 0;
    while (same < h->done.count && is_same(&s->decision[same], &h->done.decision[same]))
        same++;
    multicast_undo(h->m, same);
    h->done.count = same;
}

/* Executes a solution from the first decision on that differs from the last one executed. Stops
 * once the makespan exceeds `limit`. Returns the makespan so far. Decisions whose sender does not
 * have the message yet get the best holder. */
static hn_time execute(struct hunt *h, const struct solution *s, bool preemptive, hn_time limit)
{
    struct multicast *m = h->m;
    if (m->preemptive != preemptive)
        clear(h, preemptive);
    rewind_to(h, s);
    for (int i = h->done.count; i < s->count && m->makespan <= limit; i++) {
        const struct multicast_decision *d = &s->decision[i];
        int from = d->from;
        if (from < 0 || !multicast_has(m, d->message, from))
            from = best_holder(h, d->message, d->to);
        multicast_decide(m, d->message, from, d->to);
        h->done.decision[h->done.count++] = *d;
        h->work++;
    }
    return m->makespan;
}

/* Decisions are copied, since the two solutions change separately. `to` has room for all
 * deliveries. */
static void copy(const struct solution *from, struct solution *to)
{
    memcpy(to->decision, from->decision, (size_t)from->count * sizeof *to->decision);
    to->count = from->count;
}

/* Moves decision i to position `place`. The decisions between both places move by one. */
static void put(struct solution *s, int i, int place)
{
    struct multicast_decision d = s->decision[i];
    if (place < i)
        memmove(&s->decision[place + 1], &s->decision[place],
                (size_t)(i - place) * sizeof *s->decision);
    else
        memmove(&s->decision[i], &s->decision[i + 1], (size_t)(place - i) * sizeof *s->decision);
    s->decision[place] = d;
}

/* Of three random decisions, the one whose receive ends last. The times in h->m may be those of
 * another solution; this is only a preference. The latest of three: late decisions are the ones
 * worth moving. */
static int pick(struct hunt *h)
{
    int best = random_number(&h->random, h->now.count);
    for (int i = 0; i < 2; i++) {
        int other = random_number(&h->random, h->now.count);
        if (h->m->order[other].recv_end > h->m->order[best].recv_end)
            best = other;
    }
    return best;
}

/* A quarter of the moves changes the sender, half moves a decision forward, a quarter anywhere.
 * Half of the moved decisions get the best sender again. */
static void change(struct hunt *h)
{
    struct solution *s = &h->trial;
    int i = pick(h), kind = random_number(&h->random, 8);
    copy(&h->now, s);
    if (kind < 2) {
        s->decision[i].from = kind == 0 ? random_number(&h->random, h->m->nodes) : -1;
        return;
    }
    int place = kind < 6 ? random_number(&h->random, i + 1) : random_number(&h->random, s->count);
    put(s, i, place);
    if (random_number(&h->random, 2))
        s->decision[place].from = -1;
}

/* The threshold of acceptance (ps); it decreases as moves and work are used up. At first it is
 * 3/160 of the makespan: 768/1024 of a 40th. */
static hn_time slack_of(const struct hunt *h, hn_time now, int64_t moved)
{
    int64_t used = 1024 * h->work / WORK, done = 1024 * moved / MOVES_MOST;
    int64_t heat = 768 - (used > done ? used : done);
    return heat > 0 ? wide_ratio(now / 40, heat, 1024) : 0;
}

/* A worse solution is accepted within the threshold; the best one is kept apart. Trials are
 * executed only until they exceed the limit. */
static void climb(struct hunt *h)
{
    hn_time now = execute(h, &h->now, true, INT64_MAX);
    h->work = 0;
    for (int64_t i = 0; i < MOVES_MOST && h->work < WORK; i++) {
        hn_time limit = now + slack_of(h, now, i);
        change(h);
        hn_time time = execute(h, &h->trial, true, limit);
        if (time > limit)
            continue;
        copy(&h->trial, &h->now);
        now = time;
        if (now < h->least) {
            h->least = now;
            h->preemptive = true;
            copy(&h->now, &h->best);
        }
    }
}

/* Runs all algorithms, and leaves the best result in m. */
static int run_best(struct multicast *m)
{
    int best = -1, error = HN_OK;
    hn_time least = INT64_MAX;
    for (int i = 0; i < multicast_algorithm_count && !error; i++) {
        const struct multicast_algorithm *a = &multicast_algorithms[i];
        if (a->run == multicast_search || a->run == multicast_exact)
            continue;
        error = a->run(m);
        if (!error && m->makespan < least) {
            least = m->makespan;
            best = i;
        }
    }
    /* The last algorithm may have been the best: then m is as needed. */
    return error || m->makespan == least ? error : multicast_algorithms[best].run(m);
}

static bool allocate(struct hunt *h, int decisions)
{
    size_t n = (size_t)decisions + 1;
    ARENA_ARRAYS(&h->arena, n, h->now.decision, h->trial.decision, h->best.decision,
                 h->done.decision);
    return !h->arena.failed;
}

/* Stores the schedule in m if it is the best so far. m's decisions are copied, so m can be used for
 * trials. */
static void take(struct hunt *h)
{
    struct solution made = {h->m->order, h->m->decision_count};
    if (h->m->makespan >= h->least)
        return;
    h->least = h->m->makespan;
    h->preemptive = h->m->preemptive;
    copy(&made, &h->best);
}

/* Improves a schedule by moves. In the end m is executed with the best solution. */
static void improve(struct hunt *h, const struct solution *begin)
{
    copy(begin, &h->now);
    clear(h, true);
    climb(h);
    execute(h, &h->best, h->preemptive, INT64_MAX);
}

/* Improves the best schedule; in the end m has the best one. */
int multicast_search(struct multicast *m)
{
    struct hunt h = {.m = m, .random = 1, .least = INT64_MAX};
    int error = run_best(m);
    if (!error && !allocate(&h, m->decision_count))
        error = HN_ENOMEM;
    if (!error && m->decision_count > 0) {
        take(&h);
        improve(&h, &h.best);
    }
    arena_free(&h.arena);
    return error;
}
