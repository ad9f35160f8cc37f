/* search.c - our own: the best algorithm's decisions, improved by local moves.
 *
 * A solution is the decisions in an order, each saying who is to receive which message, and
 * perhaps from whom. It is executed with preemption; a decision without a sender, or with one who
 * does not have the message yet, takes the holder from whom the message comes first. So every order
 * is a schedule. A move puts a decision elsewhere (most often one that ends late, to
 * an earlier place), or changes its sender; it is kept when the makespan does not grow by more than
 * a threshold that shrinks to nothing.
 *
 * Never worse than the algorithm it starts from. The work, not the time, is limited, and the random
 * numbers are always the same, so that all members find the same schedule. Cost: at most WORK
 * looks at a possible sender; a fiftieth of that to repair an old schedule.
 */
#include "algorithms.h"

#include "hnow.h"
#include "wide.h"

#include <stdlib.h>
#include <string.h>

enum { WORK = 40000000, MOVES_MOST = 40000, REPAIR_SHARE = 16 /* of both, for an old schedule */ };

struct solution {
    struct multicast_decision *decision; /* from: -1, whoever is best */
    int count;
};

struct hunt {
    struct multicast *m;
    struct solution now, trial, best;
    hn_time least;
    bool preemptive; /* how the best is executed */
    int64_t work;    /* so far */
    int share;       /* of the work is done */
    uint64_t random;
};

static int below(struct hunt *h, int n)
{
    h->random = h->random * 6364136223846793005u + 1442695040888963407u;
    return (int)((h->random >> 33) % (uint64_t)n);
}

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

static hn_time execute(struct hunt *h, const struct solution *s, bool preemptive)
{
    struct multicast *m = h->m;
    multicast_clear(m, preemptive);
    h->work += m->nodes * m->messages / 16 + s->count;
    for (int i = 0; i < s->count; i++) {
        const struct multicast_decision *d = &s->decision[i];
        int from = d->from;
        if (from < 0 || !multicast_has(m, d->message, from))
            from = best_holder(h, d->message, d->to);
        multicast_decide(m, d->message, from, d->to);
    }
    return m->makespan;
}

static void copy(const struct solution *from, struct solution *to)
{
    memcpy(to->decision, from->decision, (size_t)from->count * sizeof *to->decision);
    to->count = from->count;
}

/* Takes decision i out and puts it in at `place`. */
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

/* A decision; of three drawn, the one whose message came last. h->m holds an executed solution, not
 * always the present one: this is only a preference. */
static int pick(struct hunt *h)
{
    int best = below(h, h->now.count);
    for (int i = 0; i < 2; i++) {
        int other = below(h, h->now.count);
        if (h->m->order[other].recv_end > h->m->order[best].recv_end)
            best = other;
    }
    return best;
}

static void change(struct hunt *h)
{
    struct solution *s = &h->trial;
    int i = pick(h), kind = below(h, 8);
    copy(&h->now, s);
    if (kind < 2) {
        s->decision[i].from = kind == 0 ? below(h, h->m->nodes) : -1;
        return;
    }
    int place = kind < 6 ? below(h, i + 1) : below(h, s->count);
    put(s, i, place);
    if (below(h, 2))
        s->decision[place].from = -1;
}

static void climb(struct hunt *h)
{
    h->work = 0;
    hn_time now = execute(h, &h->now, true);
    int64_t each = h->work + 1, moves = WORK / each;
    moves = (moves < MOVES_MOST ? moves : MOVES_MOST) / h->share;
    for (int64_t i = 0; i < moves && h->work < WORK / h->share; i++) {
        int64_t heat = moves * 3 / 4 - i;
        hn_time slack = heat > 0 ? wide_ratio(now / 40, heat, moves) / h->share : 0;
        change(h);
        hn_time time = execute(h, &h->trial, true);
        if (time > now + slack)
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
    return error || m->makespan == least ? error : multicast_algorithms[best].run(m);
}

static bool allocate(struct hunt *h, int decisions)
{
    size_t n = (size_t)decisions + 1;
    h->now.decision = malloc(n * sizeof *h->now.decision);
    h->trial.decision = malloc(n * sizeof *h->trial.decision);
    h->best.decision = malloc(n * sizeof *h->best.decision);
    return h->now.decision && h->trial.decision && h->best.decision;
}

static void release(struct hunt *h)
{
    free(h->now.decision);
    free(h->trial.decision);
    free(h->best.decision);
}

/* Takes the schedule that m holds, when it is the best so far. */
static void take(struct hunt *h)
{
    struct solution made = {h->m->order, h->m->decision_count};
    if (h->m->makespan >= h->least)
        return;
    h->least = h->m->makespan;
    h->preemptive = h->m->preemptive;
    copy(&made, &h->best);
}

/* Improves the best schedule so far; m holds what becomes of it. */
static void improve(struct hunt *h)
{
    copy(&h->best, &h->now);
    climb(h);
    execute(h, &h->best, h->preemptive);
}

int multicast_search(struct multicast *m)
{
    struct hunt h = {.m = m, .random = 1, .share = 1, .least = INT64_MAX};
    int error = run_best(m);
    if (!error && !allocate(&h, m->decision_count))
        error = HN_ENOMEM;
    if (!error && m->decision_count > 0) {
        take(&h);
        improve(&h);
    }
    release(&h);
    return error;
}

/* ---- an old schedule ---------------------------------------------------------------------------
 */

/* Into `now`: the old decisions that are still needed, each once, then those that are missing. */
static int adopt(struct hunt *h, const struct multicast_decision *old, int count)
{
    struct multicast *m = h->m;
    size_t n = (size_t)m->nodes;
    bool *served = calloc(n * (size_t)m->messages + 1, sizeof *served);
    struct solution *s = &h->now;
    if (!served)
        return HN_ENOMEM;
    for (int i = 0; i < count; i++) {
        int k = old[i].message, to = old[i].to;
        bool *done = &served[(size_t)k * n + (size_t)to];
        if (!m->message[k].wants[to] || *done)
            continue;
        *done = true;
        s->decision[s->count++] = old[i];
    }
    for (int k = 0; k < m->messages; k++)
        for (int to = 0; to < m->nodes; to++)
            if (m->message[k].wants[to] && !served[(size_t)k * n + (size_t)to])
                s->decision[s->count++] = (struct multicast_decision){.message = k, -1, to, 0, 0};
    free(served);
    return HN_OK;
}

/* The adopted decisions as they were, with preemption and without, and with the senders that are
 * best today. */
static void try_adopted(struct hunt *h)
{
    for (int preemptive = 0; preemptive < 2; preemptive++) {
        execute(h, &h->now, preemptive);
        take(h);
    }
    for (int i = 0; i < h->now.count; i++)
        h->now.decision[i].from = -1;
    execute(h, &h->now, true);
    take(h);
}

int multicast_repair(struct multicast *m, const struct multicast_decision *old, int count)
{
    struct hunt h = {.m = m, .random = 1, .share = REPAIR_SHARE, .least = INT64_MAX};
    multicast_clear(m, true);
    int error = allocate(&h, m->missing) ? adopt(&h, old, count) : HN_ENOMEM;
    if (!error) {
        try_adopted(&h);
        error = run_best(m);
    }
    if (!error && m->decision_count > 0) {
        take(&h);
        improve(&h);
    }
    release(&h);
    return error;
}
