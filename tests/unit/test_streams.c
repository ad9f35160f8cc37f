/* test_streams.c - how many connections are opened on simulated paths: each connection carries so
 * much, all of them no more than the line. */
#include "connect/streams.h"

#include "random.h"
#include "transport/parallel.h"

#include <criterion/criterion.h>

#define LOOK UINT64_C(500000000) /* ns */
#define MEGA UINT64_C(1000000)
enum { SECOND = 2 /* looks */ };

struct path {
    struct streams streams;
    struct flight flight;
    uint64_t now, line, each; /* bytes a second: of all, of one connection */
    bool known;
    int made; /* anew, to have several sockets */
};

static struct path path_of(uint64_t line, uint64_t each)
{
    struct path p = {.flight = {.round_trip_us = 100000, .lost = 1}, .line = line, .each = each};
    return p;
}

static unsigned sockets(const struct path *p)
{
    return p->streams.wanted ? p->streams.wanted : 1;
}

static uint64_t rate(const struct path *p)
{
    uint64_t all = sockets(p) * p->each;
    return all < p->line ? all : p->line;
}

static void play(struct path *p, int looks)
{
    for (; looks > 0; looks--) {
        p->now += LOOK;
        p->flight.confirmed += rate(p) / SECOND;
        bool more = streams_look(&p->streams, p->now, &p->flight, p->known);
        p->known = true;
        if (!more)
            continue;
        if (p->streams.wanted == 0) {
            p->made++;
            p->flight.confirmed = 0;
            p->known = false;
        }
        streams_add(&p->streams);
    }
}

Test(streams, as_many_as_fill_the_line)
{
    for (uint64_t each = MEGA / 4; each <= 8 * MEGA; each *= 2) {
        struct path p = path_of(12 * MEGA, each);
        play(&p, 30 * SECOND);
        cr_assert_eq(p.made, 1);
        cr_assert(rate(&p) == p.line || sockets(&p) == PARALLEL_MOST, "%u for %lu", sockets(&p),
                  (unsigned long)each);
        cr_assert(sockets(&p) <= 2 * STREAMS_FEW || sockets(&p) / 4 * each < p.line, "%u for %lu",
                  sockets(&p), (unsigned long)each);
    }
}

Test(streams, one_where_more_do_not_help)
{
    struct path p = path_of(12 * MEGA, 12 * MEGA);
    play(&p, 3600 * SECOND);
    cr_assert_eq(sockets(&p), STREAMS_FEW, "and what was tried stays");
    cr_assert_eq(p.made, 1);
}

Test(streams, first_seconds_are_the_best)
{
    struct path p = path_of(12 * MEGA, 3 * MEGA);
    play(&p, 10 * SECOND);
    cr_assert_leq(sockets(&p), 8);
    p.each = MEGA / 2;
    play(&p, 20 * SECOND);
    cr_assert_eq(rate(&p), p.line);
}

/* Short messages, paths that are short or lose nothing, and programs that send little. */
Test(streams, none_without_a_reason)
{
    for (int why = 0; why < 5; why++) {
        struct path p = path_of(12 * MEGA, MEGA);
        for (int i = 0; i < 1000; i++) {
            p.flight.lost = why != 0;
            p.flight.round_trip_us = why == 1 ? STREAMS_LONG - 1 : 100000;
            p.flight.all = why == 2 ? i % 6 == 5 : why == 3;
            p.known = p.known && (why != 4 || i % 5);
            play(&p, 1);
        }
        cr_assert_eq(p.streams.wanted, 0, "%d", why);
    }
}

Test(streams, rates_that_vary_open_no_more_than_the_most)
{
    uint64_t random = random_seed();
    for (int round = 0; round < 500; round++) {
        struct path p = path_of(12 * MEGA, MEGA);
        for (int i = 0; i < 1000; i++) {
            p.line = MEGA / 4 << random_below(&random, 8);
            p.each = MEGA / 4 << random_below(&random, 4);
            play(&p, 1);
            cr_assert_leq(p.streams.wanted, PARALLEL_MOST);
        }
    }
}
