/* timetable.c - reservations of ports and media (timetable.h). */
#include "planners/timetable.h"

#include "planners/busy.h"

#include "hnow.h"
#include "probe/internal.h"

enum { SPARE = 4 }; /* a mean that was rounded down may be half of the true one */

static hn_time scaled(const struct timetable *t, int64_t full, int64_t bytes)
{
    if (bytes == t->bytes) /* the usual case: saves a 128-bit division */
        return bytes ? full : 0;
    return t->bytes ? wide_ratio(full, bytes, t->bytes) : 0;
}

/* Time for which a message occupies the i-th use of the table: a fixed part, and one in proportion
 * to its length. */
static hn_time used(const struct timetable *t, int i, int64_t bytes)
{
    hn_time none = t->none.usage[i].time << t->none.shift;
    return none + scaled(t, (t->full.usage[i].time << t->full.shift) - none, bytes);
}

hn_time timetable_find(const struct timetable *t, int e, int64_t bytes, hn_time at, bool fills)
{
    hn_time before;
    /* A resource that delays the message may move it into a reservation of another one, so all are
     * asked again until the time stays.  It only grows, and reservations end, hence this ends. */
    do {
        before = at;
        for (int i = t->full.first[e]; i < t->full.first[e + 1]; i++) {
            const struct busy *busy = &t->busy[t->full.usage[i].resource];
            at = fills ? busy_until(busy, at, used(t, i, bytes)) : time_later(at, busy_last(busy));
        }
    } while (at > before);
    return at;
}

hn_time timetable_arrival(const struct timetable *t, int e, int64_t bytes, hn_time begin)
{
    hn_time end = begin + t->start[e] + scaled(t, t->each[e], bytes);
    /* A slow resource may be occupied beyond the arrival; the next message of this route cannot
     * begin before. */
    for (int i = t->full.first[e]; i < t->full.first[e + 1]; i++)
        end = time_later(end, begin + used(t, i, bytes));
    return end;
}

bool timetable_reserve(struct timetable *t, int e, int64_t bytes, hn_time begin)
{
    bool taken = true;
    for (int i = t->full.first[e]; i < t->full.first[e + 1]; i++)
        taken = busy_add(&t->busy[t->full.usage[i].resource], begin, used(t, i, bytes)) && taken;
    return taken;
}

void timetable_clear(struct timetable *t)
{
    for (int i = 0; i < t->full.resources; i++)
        t->busy[i].count = 0;
}

/* Sets the costs of all routes; returns the longest time of a message of `bytes` bytes. */
static hn_time set_costs(struct timetable *t, const struct model *model)
{
    hn_time longest = 0;
    for (int from = 0; from < t->n; from++)
        for (int to = 0; to < t->n; to++) {
            int e = from * t->n + to;
            if (from == to)
                continue;
            t->start[e] = model_deliver(model, from, to, 0);
            t->each[e] = model_deliver(model, from, to, t->bytes) - t->start[e];
            longest = time_later(longest, timetable_arrival(t, e, t->bytes, 0));
        }
    return longest;
}

int timetable_begin(struct timetable *t, const struct model *model, int64_t bytes, int64_t messages)
{
    size_t n = (size_t)model->ranks;
    *t = (struct timetable){.n = (int)n, .bytes = bytes};
    int error = prices_begin(&t->none, model, 0, 0, false, false);
    if (!error)
        error = prices_begin(&t->full, model, 0, bytes, false, false);
    ARENA_ARRAYS(&t->arena, n * n, t->start, t->each);
    t->busy = arena_array(&t->arena, (size_t)t->full.resources, sizeof *t->busy);
    if (error || t->arena.failed)
        return error ? error : HN_ENOMEM;
    return set_costs(t, model) < INT64_MAX / SPARE / (messages + 1) ? HN_OK : HN_EPLAN;
}

void timetable_end(struct timetable *t)
{
    for (int i = 0; t->busy && i < t->full.resources; i++)
        busy_end(&t->busy[i]);
    prices_end(&t->none);
    prices_end(&t->full);
    arena_free(&t->arena);
}
