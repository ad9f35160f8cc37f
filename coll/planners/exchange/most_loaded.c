/* most_loaded.c - our own: total exchange by the rule "longest total remaining processing" of open
 * shop scheduling. The port with the most work left is served first.
 *
 * The work left of a port is a lower bound on the rest of the makespan, so the most loaded port
 * must not idle. Whenever ports are free, the most loaded of them, sender or receiver, begins an
 * event with its most loaded free partner; then the next one.
 *
 * Disturbed loads give other schedules of the same kind, from which exchange_search.c selects the
 * best. Cost: O(n^3).
 */
#include "planners/exchange/heuristics.h"

#include "model/timed.h"
#include "planners/random_number.h"

#include "hnow.h"

#include <stdlib.h>

/* State of the schedule at one time.  Port i < n sends for rank i; port n + i receives for it.
 * Times in x are those of the schedule so far. */
struct shop {
    struct exchange *x;
    bool *owes;         /* [from * ranks + to]: the message has not been sent yet */
    hn_time *left;      /* [port]: work left; senders, then receivers */
    struct timed *idle; /* work left of the free ports, and their numbers */
    int undone;
    int disturbance;
    uint64_t *random;
    struct arena arena; /* of the arrays */
};

/* When a port has finished its events. */
static hn_time free_at(const struct exchange *x, int port)
{
    return port < x->ranks ? x->send[port] : x->recv[port - x->ranks];
}

/* A random part of up to disturbance / 64 is added. Integers only, so that all members compute the
 * same. */
static hn_time disturbed(const struct shop *s, hn_time left)
{
    if (s->disturbance == 0)
        return left;
    return left + left / 64 * random_number(s->random, s->disturbance + 1);
}

/* The next time after `time` at which some port becomes free; INT64_MAX: none. */
static hn_time next_time(const struct shop *s, hn_time time)
{
    hn_time next = INT64_MAX;
    for (int port = 0; port < 2 * s->x->ranks; port++) {
        hn_time then = free_at(s->x, port);
        if (then > time && then < next)
            next = then;
    }
    return next;
}

/* Ports with work left that are free at this time, the most loaded first. */
static int list_idle(struct shop *s, hn_time time)
{
    int count = 0;
    for (int port = 0; port < 2 * s->x->ranks; port++)
        if (s->left[port] > 0 && free_at(s->x, port) <= time)
            s->idle[count++] = (struct timed){disturbed(s, s->left[port]), port};
    qsort(s->idle, (size_t)count, sizeof *s->idle, timed_descending);
    return count;
}

/* Begins an event now. Both ports are free. */
static void start(struct shop *s, int from, int to, hn_time time)
{
    struct exchange *x = s->x;
    /* The event begins at `time`, even if both ports have been free earlier. */
    x->send[from] = x->send[from] > time ? x->send[from] : time;
    exchange_add(x, from, to);
    hn_time cost = exchange_cost(x, from, to);
    s->owes[(size_t)from * (size_t)x->ranks + (size_t)to] = false;
    s->left[from] -= cost;
    s->left[x->ranks + to] -= cost;
    s->undone--;
}

/* The most loaded free partner with which a port still has an event; -1: none. A listed port may
 * have been occupied since. */
static int partner_of(const struct shop *s, int port, int count, hn_time time)
{
    int n = s->x->ranks;
    bool sends = port < n;
    for (int i = 0; i < count; i++) {
        int other = s->idle[i].number;
        if ((other < n) == sends || free_at(s->x, other) > time)
            continue;
        int from = sends ? port : other, to = (sends ? other : port) - n;
        if (s->owes[(size_t)from * (size_t)n + (size_t)to])
            return other;
    }
    return -1;
}

/* Serves the ports that are free at `time`.  An event that begins here occupies two of the listed
 * ports, so each is checked again. */
static void serve(struct shop *s, hn_time time)
{
    int count = list_idle(s, time), n = s->x->ranks;
    for (int i = 0; i < count; i++) {
        int port = s->idle[i].number;
        if (free_at(s->x, port) > time)
            continue;
        int other = partner_of(s, port, count, time);
        if (other >= 0)
            start(s, port < n ? port : other, (port < n ? other : port) - n, time);
    }
}

/* Initializes the loads. Events that take no time are appended at once. Events of a rank with
 * itself count if they take time. */
static void begin(struct shop *s)
{
    int n = s->x->ranks;
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++) {
            hn_time cost = exchange_cost(s->x, from, to);
            s->owes[(size_t)from * (size_t)n + (size_t)to] = cost > 0;
            s->left[from] += cost;
            s->left[n + to] += cost;
            s->undone += cost > 0;
            if (cost == 0 && from != to)
                exchange_add(s->x, from, to);
        }
}

/* disturbance 0: the plain rule, without random numbers. */
int exchange_most_loaded_with(struct exchange *x, int disturbance, uint64_t *random)
{
    size_t n = (size_t)x->ranks;
    struct shop s = {.x = x, .disturbance = disturbance, .random = random};
    s.owes = arena_array(&s.arena, n * n, sizeof *s.owes);
    ARENA_ARRAYS(&s.arena, 2 * n, s.left, s.idle);
    bool ok = !s.arena.failed;
    exchange_clear(x);
    /* Time goes from one end of an event to the next: in between nothing can begin. */
    if (ok) {
        begin(&s);
        for (hn_time time = 0; s.undone > 0; time = next_time(&s, time))
            serve(&s, time);
    }
    arena_free(&s.arena);
    return ok ? HN_OK : HN_ENOMEM;
}

int exchange_most_loaded(struct exchange *x)
{
    uint64_t random = 1;
    return exchange_most_loaded_with(x, 0, &random);
}
