/* test_route_rate.c - connections of a simulated host with two routes, of which rates change; and
 * on paths of which each socket carries so much, all of them no more than the line. */
#include "connect/route_rate.h"

#include "random.h"
#include "transport/parallel.h"

#include <criterion/criterion.h>

#define LOOK UINT64_C(500000000) /* ns */
#define MEGA UINT64_C(1000000)
enum { SECOND = 2 /* looks */ };

/* ---- routes ------------------------------------------------------------------------------- */

struct connection {
    struct route_rate seen;
    struct flight flight;
    uint64_t now, rate[2];
    int used, left; /* the route in use; how often one was left */
    bool known;
};

static void use(struct connection *c, int looks)
{
    for (; looks > 0; looks--) {
        c->now += LOOK;
        c->flight.confirmed += c->rate[c->used] / SECOND;
        bool leaves = route_rate_look(&c->seen, c->now, &c->flight, c->known) & ROUTE_RATE_LEAVE;
        c->known = !leaves;
        if (leaves) {
            route_rate_leave(&c->seen);
            c->used = 1 - c->used;
            c->flight.confirmed = 0;
            c->left++;
        }
    }
}

static struct connection begun(uint64_t first, uint64_t second)
{
    struct connection c = {.rate = {first, second}};
    use(&c, 10 * SECOND);
    cr_assert(c.left == 1 || c.rate[c.used] > c.rate[1 - c.used]);
    if (c.used == 1) { /* the tests call the one in use 0 */
        uint64_t rate = c.rate[0];
        c.rate[0] = c.rate[1];
        c.rate[1] = rate;
        c.used = 0;
    }
    c.left = 0;
    return c;
}

Test(route_rate, is_left_within_seconds)
{
    struct connection c = begun(100 * MEGA, 50 * MEGA);
    c.rate[0] = 5 * MEGA;
    use(&c, 3 * SECOND - 1);
    cr_assert_eq(c.used, 0);
    use(&c, 1);
    cr_assert_eq(c.used, 1);
    use(&c, 3600 * SECOND);
    cr_assert_eq(c.left, 1, "the better one is kept");
    c.rate[1] = MEGA;
    use(&c, 3 * SECOND - 1);
    cr_assert_eq(c.left, 1, "no longer unproven");
    use(&c, 1);
    cr_assert_eq(c.used, 0);
}

Test(route_rate, short_dips_are_no_reason)
{
    struct connection c = begun(100 * MEGA, 100 * MEGA);
    for (int i = 0; i < 10; i++) {
        c.rate[0] = MEGA;
        use(&c, 3 * SECOND - 1);
        c.rate[0] = 100 * MEGA;
        use(&c, 1);
    }
    cr_assert_eq(c.left, 0);
}

Test(route_rate, a_worse_one_is_tried_for_a_second)
{
    struct connection c = begun(100 * MEGA, 1 * MEGA);
    c.rate[0] = 5 * MEGA;
    use(&c, 3 * SECOND);
    cr_assert_eq(c.used, 1);
    use(&c, SECOND + 1);
    cr_assert_eq(c.used, 0, "left %d times", c.left);
    use(&c, 3600 * SECOND);
    cr_assert_eq(c.used, 0);
}

/* Of two routes that do not change, the faster one is found. */
Test(route_rate, the_faster_one_is_found)
{
    for (int first = 0; first < 2; first++) {
        struct connection c = {.rate = {100 * MEGA, 110 * MEGA}, .used = first};
        use(&c, 5 * SECOND);
        cr_assert_eq(c.left, 0);
        use(&c, 3600 * SECOND);
        cr_assert_eq(c.used, 1);
        cr_assert_leq(c.left, 2);
    }
}

/* Rates that change once, whatever to. */
Test(route_rate, routes_do_not_take_turns)
{
    uint64_t random = random_seed();
    for (int round = 0; round < 500; round++) {
        struct connection c = begun(100 * MEGA, 100 * MEGA);
        c.rate[0] = MEGA / 4 << random_below(&random, 10);
        c.rate[1] = round % 2 ? c.rate[0] : MEGA / 4 << random_below(&random, 10);
        use(&c, 600 * SECOND);
        cr_assert_leq(c.left, 2);
        cr_assert(c.rate[c.used] >= c.rate[1 - c.used] / 8);
        cr_assert(c.rate[0] >= 100 * MEGA / 8 || c.rate[c.used] >= c.rate[1 - c.used]);
    }
}

/* What waits for the program, or for the receiver, says nothing. */
Test(route_rate, only_the_network_counts)
{
    for (int why = 0; why < 3; why++) {
        struct connection c = begun(100 * MEGA, 100 * MEGA);
        c.rate[0] = MEGA;
        for (int i = 0; i < 100; i++) {
            c.flight.all = why == 0 || (why == 1 && i % 2);
            c.flight.limited_us += why == 2 ? 60000 : 0;
            use(&c, 1);
        }
        cr_assert_eq(c.left, 0, "%d", why);
    }
}

/* ---- sockets ------------------------------------------------------------------------------ */

struct path {
    struct route_rate seen;
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
    return p->seen.sockets.wanted ? p->seen.sockets.wanted : 1;
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
        bool more = route_rate_look(&p->seen, p->now, &p->flight, p->known) & ROUTE_RATE_WIDEN;
        p->known = true;
        if (!more)
            continue;
        if (p->seen.sockets.wanted == 0) {
            p->made++;
            p->flight.confirmed = 0;
            p->known = false;
        }
        route_rate_widen(&p->seen);
    }
}

Test(route_rate, as_many_as_fill_the_line)
{
    for (uint64_t each = MEGA / 4; each <= 8 * MEGA; each *= 2) {
        struct path p = path_of(12 * MEGA, each);
        play(&p, 30 * SECOND);
        cr_assert_eq(p.made, 1);
        cr_assert(rate(&p) == p.line || sockets(&p) == PARALLEL_MOST, "%u for %lu", sockets(&p),
                  (unsigned long)each);
        cr_assert(sockets(&p) <= 2 * ROUTE_RATE_FEW || sockets(&p) / 4 * each < p.line,
                  "%u for %lu", sockets(&p), (unsigned long)each);
    }
}

Test(route_rate, one_where_more_do_not_help)
{
    struct path p = path_of(12 * MEGA, 12 * MEGA);
    play(&p, 3600 * SECOND);
    cr_assert_eq(sockets(&p), ROUTE_RATE_FEW, "and what was tried stays");
    cr_assert_eq(p.made, 1);
}

Test(route_rate, first_seconds_are_the_best)
{
    struct path p = path_of(12 * MEGA, 3 * MEGA);
    play(&p, 10 * SECOND);
    cr_assert_leq(sockets(&p), 8);
    p.each = MEGA / 2;
    play(&p, 20 * SECOND);
    cr_assert_eq(rate(&p), p.line);
}

/* Short messages, paths that are short or lose nothing, programs that send little, and receivers
 * that are slow. */
Test(route_rate, none_without_a_reason)
{
    for (int why = 0; why < 6; why++) {
        struct path p = path_of(12 * MEGA, MEGA);
        for (int i = 0; i < 1000; i++) {
            p.flight.lost = why != 0;
            p.flight.round_trip_us = why == 1 ? ROUTE_RATE_LONG - 1 : 100000;
            p.flight.all = why == 2 ? i % 6 == 5 : why == 3;
            p.flight.limited_us += why == 5 ? 60000 : 0;
            p.known = p.known && (why != 4 || i % 5);
            play(&p, 1);
        }
        cr_assert_eq(p.seen.sockets.wanted, 0, "%d", why);
    }
}

Test(route_rate, rates_that_vary_open_no_more_than_the_most)
{
    uint64_t random = random_seed();
    for (int round = 0; round < 500; round++) {
        struct path p = path_of(12 * MEGA, MEGA);
        for (int i = 0; i < 1000; i++) {
            p.line = MEGA / 4 << random_below(&random, 8);
            p.each = MEGA / 4 << random_below(&random, 4);
            play(&p, 1);
            cr_assert_leq(p.seen.sockets.wanted, PARALLEL_MOST);
        }
    }
}
