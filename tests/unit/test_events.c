/* test_events.c - events of the simulation: the earliest first, and ends that move. */
#include "model/events.h"
#include "random.h"

#include <criterion/criterion.h>

enum { LANES = 100, OTHERS = 200, STEPS = 3000 };

/* What events.h keeps, in lists without any order. */
struct expected {
    struct event others[OTHERS], ends[LANES]; /* ends: kind EVENT_BEGIN: none */
    int count;
    uint64_t order;
};

static bool earlier(const struct event *a, const struct event *b)
{
    return !b || a->time < b->time || (a->time == b->time && a->order < b->order);
}

/* NULL: there is none. */
static struct event *earliest(struct expected *e)
{
    struct event *found = NULL;
    for (int i = 0; i < e->count; i++)
        if (earlier(&e->others[i], found))
            found = &e->others[i];
    for (int i = 0; i < LANES; i++)
        if (e->ends[i].kind == EVENT_END && earlier(&e->ends[i], found))
            found = &e->ends[i];
    return found;
}

static void forget(struct expected *e, struct event *event)
{
    if (event->kind == EVENT_END)
        event->kind = EVENT_BEGIN;
    else
        *event = e->others[--e->count];
}

static void push(struct events *events, struct expected *e, hn_time time)
{
    struct event event = {
        .time = time, .message = (int32_t)e->order, .order = e->order, .kind = EVENT_ARRIVAL};
    e->others[e->count++] = event;
    e->order++;
    cr_assert(events_push(events, event));
}

static void end(struct events *events, struct expected *e, int32_t stream, hn_time time)
{
    e->ends[stream] =
        (struct event){.time = time, .stream = stream, .order = e->order++, .kind = EVENT_END};
    cr_assert(events_end(events, stream, time));
}

Test(events, the_earliest_comes_first)
{
    uint64_t seed = random_seed(), state = seed;
    for (int run = 0; run < 20; run++) {
        struct events events = {0};
        struct expected e = {.count = 0};
        for (int i = 0; i < STEPS; i++) {
            hn_time time = (hn_time)random_below(&state, run % 2 ? 1000 : 7);
            uint64_t what = random_below(&state, i < STEPS / 2 ? 4 : 8);
            struct event *next = earliest(&e);
            cr_assert_eq(events_any(&events), next != NULL);
            if (what == 0 && e.count < OTHERS) {
                push(&events, &e, time);
            } else if (what < 3) {
                end(&events, &e, (int32_t)random_below(&state, LANES), time);
            } else if (next) {
                struct event got = events_pop(&events);
                cr_assert_eq(got.order, next->order, "HNOW_SEED=%llu", (unsigned long long)seed);
                cr_assert_eq(got.kind, next->kind);
                cr_assert_eq(got.stream, next->stream);
                forget(&e, next);
            }
        }
        events_free(&events);
    }
}
