/* test_slow_route.c - connections of a simulated host with two routes, of which rates change. */
#include "connect/slow_route.h"

#include "random.h"

#include <criterion/criterion.h>

#define LOOK UINT64_C(500000000) /* ns */
#define MEGA UINT64_C(1000000)
enum { SECOND = 2 /* looks */ };

struct connection {
    struct slow_route slow;
    struct flight flight;
    uint64_t now, rate[2];
    int used, left; /* the route in use; how often one was left */
    bool known;
};

static void play(struct connection *c, int looks)
{
    for (; looks > 0; looks--) {
        c->now += LOOK;
        c->flight.confirmed += c->rate[c->used] / SECOND;
        bool leaves = slow_route_look(&c->slow, c->now, &c->flight, c->known);
        c->known = !leaves;
        if (leaves) {
            slow_route_leave(&c->slow);
            c->used = 1 - c->used;
            c->flight.confirmed = 0;
            c->left++;
        }
    }
}

static struct connection begun(uint64_t first, uint64_t second)
{
    struct connection c = {.rate = {first, second}};
    play(&c, 10 * SECOND);
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

Test(slow_route, is_left_within_seconds)
{
    struct connection c = begun(100 * MEGA, 50 * MEGA);
    c.rate[0] = 5 * MEGA;
    play(&c, 3 * SECOND - 1);
    cr_assert_eq(c.used, 0);
    play(&c, 1);
    cr_assert_eq(c.used, 1);
    play(&c, 3600 * SECOND);
    cr_assert_eq(c.left, 1, "the better one is kept");
    c.rate[1] = MEGA;
    play(&c, 3 * SECOND - 1);
    cr_assert_eq(c.left, 1, "no trial any more");
    play(&c, 1);
    cr_assert_eq(c.used, 0);
}

Test(slow_route, short_dips_are_no_reason)
{
    struct connection c = begun(100 * MEGA, 100 * MEGA);
    for (int i = 0; i < 10; i++) {
        c.rate[0] = MEGA;
        play(&c, 3 * SECOND - 1);
        c.rate[0] = 100 * MEGA;
        play(&c, 1);
    }
    cr_assert_eq(c.left, 0);
}

Test(slow_route, a_worse_one_is_tried_for_a_second)
{
    struct connection c = begun(100 * MEGA, 1 * MEGA);
    c.rate[0] = 5 * MEGA;
    play(&c, 3 * SECOND);
    cr_assert_eq(c.used, 1);
    play(&c, SECOND + 1);
    cr_assert_eq(c.used, 0, "left %d times", c.left);
    play(&c, 3600 * SECOND);
    cr_assert_eq(c.used, 0);
}

/* Of two routes that do not change, the faster one is found. */
Test(slow_route, the_faster_one_is_found)
{
    for (int first = 0; first < 2; first++) {
        struct connection c = {.rate = {100 * MEGA, 110 * MEGA}, .used = first};
        play(&c, 5 * SECOND);
        cr_assert_eq(c.left, 0);
        play(&c, 3600 * SECOND);
        cr_assert_eq(c.used, 1);
        cr_assert_leq(c.left, 2);
    }
}

/* Rates that change once, whatever to. */
Test(slow_route, routes_do_not_take_turns)
{
    uint64_t random = random_seed();
    for (int round = 0; round < 500; round++) {
        struct connection c = begun(100 * MEGA, 100 * MEGA);
        c.rate[0] = MEGA / 4 << random_below(&random, 10);
        c.rate[1] = round % 2 ? c.rate[0] : MEGA / 4 << random_below(&random, 10);
        play(&c, 600 * SECOND);
        cr_assert_leq(c.left, 2);
        cr_assert(c.rate[c.used] >= c.rate[1 - c.used] / 8);
        cr_assert(c.rate[0] >= 100 * MEGA / 8 || c.rate[c.used] >= c.rate[1 - c.used]);
    }
}

/* What waits for the program, or for the receiver, says nothing. */
Test(slow_route, only_the_network_counts)
{
    for (int why = 0; why < 3; why++) {
        struct connection c = begun(100 * MEGA, 100 * MEGA);
        c.rate[0] = MEGA;
        for (int i = 0; i < 100; i++) {
            c.flight.all = why == 0 || (why == 1 && i % 2);
            c.flight.limited_us += why == 2 ? 60000 : 0;
            play(&c, 1);
        }
        cr_assert_eq(c.left, 0, "%d", why);
    }
}
