/* test_adapt.c - plans that follow their network: what explains that some measured ways have become
 * slower (drift.h), and how often one looks (model_update.h). */
#include "wire/drift.h"
#include "hnow.h"
#include "random.h"
#include "wire/model_update.h"

#include <criterion/criterion.h>

enum { ROUNDS = 300, MILLISECOND = 1000000 };

/* ---- drift -------------------------------------------------------------------------------------
 */

/* Three subnets of four hosts on switches, with ports, joined by links. */
static hn_net *three_subnets(void)
{
    hn_net *net = hn_net_new(12);
    for (int h = 0; h < 12; h++)
        hn_net_set_host(
            net, h,
            &(hn_host_cost){.send_const = 1000000, .send_gap = 80000000, .recv_gap = 80000000});
    for (int s = 0; s < 3; s++) {
        int members[] = {4 * s, 4 * s + 1, 4 * s + 2, 4 * s + 3};
        char name[] = {(char)('a' + s), '\0'};
        hn_net_add_subnet(net, name, HN_MEDIUM_SWITCH, members, 4);
    }
    for (int s = 0; s < 3; s++) {
        hn_net_set_subnet_cost(net, s, (hn_pair_cost){50000000, 80000000});
        for (int t = 0; t < 3; t++)
            if (s != t)
                hn_net_set_link(net, s, t, (hn_pair_cost){1000000000, 160000000}, 160000000);
    }
    return net;
}

enum cause { PORT_OUT, PORT_IN, LINK, WAY, CAUSES };

/* Whether a way is slow for this reason: of hosts a and b, or of their subnets. */
static bool suffers(enum cause cause, int a, int b, int from, int to)
{
    switch (cause) {
    case PORT_OUT:
        return from == a;
    case PORT_IN:
        return to == a;
    case LINK:
        return from / 4 == a / 4 && to / 4 == b / 4;
    default:
        return from == a && to == b;
    }
}

/* Measures a way: a byte takes `factor` thousandths of what is stated, all messages come `late`. */
static void measure(const struct model *model, struct drift_route *w, int64_t factor, hn_time late)
{
    hn_time small = model_deliver(model, w->from, w->to, 1),
            back = model_deliver(model, w->to, w->from, 1);
    hn_time bytes = model_deliver(model, w->from, w->to, w->bytes) - small;
    int64_t trip = (small + back + 2 * late) / 1000;
    drift_set(model, w, trip, trip + bytes / 1000 * factor / 1000);
}

/* How many times as slow a way is, in thousandths: a slow port, as a slow wire, has a rate of its
 * own, so ways that took twice as long for a byte before have become slower by half as much. */
static int64_t slower(enum cause cause, int from, int to)
{
    bool leaves = from / 4 != to / 4, port = cause == PORT_OUT || cause == PORT_IN;
    return port && leaves ? 5000 : 10000;
}

enum what { SLOW, LATE, BOTH };
static const hn_time late = 7000000000;

/* That port alone is ten times as slow which is the cause. */
static void check_ports(const hn_net *net, const hn_net *changed, enum cause cause, int a,
                        uint64_t seed)
{
    for (int h = 0; h < 12; h++) {
        const hn_host_cost *was = hn_net_host(net, h), *is = hn_net_host(changed, h);
        int64_t out = was->send_gap * (cause == PORT_OUT && h == a ? 10 : 1);
        int64_t in = was->recv_gap * (cause == PORT_IN && h == a ? 10 : 1);
        cr_assert(is->send_gap >= out - out / 10 && is->send_gap <= out + out / 10 &&
                      is->recv_gap >= in - in / 10 && is->recv_gap <= in + in / 10,
                  "seed %llu: cause %d of %d: port of %d", (unsigned long long)seed, (int)cause, a,
                  h);
    }
}

/* Some ways have become ten times as slow, or come 7 ms later; the changed network must say so. */
static void try_cause(enum cause cause, enum what what, int a, int b, uint64_t seed)
{
    hn_net *net = three_subnets(), *changed = three_subnets();
    struct model model;
    struct drift drift;
    model_of_net(&model, net, NULL, 12, PORT_MEDIA);
    cr_assert_eq(drift_routes(&model, &drift), HN_OK);
    cr_assert_leq(drift.count, 2 * (2 * 12 + 3));
    bool seen = false;
    for (int i = 0; i < drift.count; i++) {
        struct drift_route *w = &drift.routes[i];
        bool hit = suffers(cause, a, b, w->from, w->to);
        int64_t factor = hit && what != LATE ? slower(cause, w->from, w->to) : 1250;
        measure(&model, w, factor, hit && what != SLOW ? late : 0);
        seen = seen || hit;
    }
    cr_assert_eq(drift_decide(&model, &drift, NULL), seen);
    cr_assert_eq(drift_apply(&drift, &model, changed), HN_OK);
    for (int from = 0; from < 12; from++)
        for (int to = 0; to < 12; to++) {
            hn_pair_cost was = hn_net_pair(net, from, to), is = hn_net_pair(changed, from, to);
            bool hit = from != to && seen && suffers(cause, a, b, from, to);
            bool slow = hit && what != LATE, comes_late = hit && what != SLOW;
            int64_t right = was.per_byte / 1000 * (slow ? slower(cause, from, to) : 1000);
            cr_assert(slow ? is.per_byte > right - right / 10 && is.per_byte < right + right / 10
                           : is.per_byte == was.per_byte,
                      "seed %llu: cause %d of %d, %d: from %d to %d", (unsigned long long)seed,
                      (int)cause, a, b, from, to);
            hn_time more = is.latency - was.latency;
            cr_assert(comes_late ? more > late - 10000 && more < late + 10000 : more == 0,
                      "seed %llu: cause %d of %d, %d: from %d to %d %lld later",
                      (unsigned long long)seed, (int)cause, a, b, from, to, (long long)more);
        }
    check_ports(net, changed, what == LATE ? CAUSES : cause, a, seed);
    drift_free(&drift);
    hn_net_free(net);
    hn_net_free(changed);
}

Test(adapt, measured_ways_tell_which_port_link_or_way_is_slow)
{
    uint64_t state = random_seed();
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t seed = state;
        int cause = (int)random_below(&state, CAUSES), a = (int)random_below(&state, 12);
        int b = (a + 4 * (1 + (int)random_below(&state, 2))) % 12;
        if (cause == WAY)
            b = a / 4 * 4 + (a + 1) % 4; /* of the same subnet */
        try_cause((enum cause)cause, (enum what)random_below(&state, 3), a, b, seed);
    }
}

/* ---- noise -------------------------------------------------------------------------------------
 */

/* Whatever a way has become (but for what is near the limit itself), measurements that are up to a
 * fifth and 0.4 ms above it move nothing when it is believed once; and when it is as it was, that
 * is believed again. */
Test(adapt, noise_moves_nothing)
{
    uint64_t state = random_seed();
    hn_net *net = three_subnets();
    struct model model;
    model_of_net(&model, net, NULL, 12, PORT_MEDIA);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t seed = state;
        struct drift before, now;
        int64_t factor =
            round % 2 ? 1000 + random_below(&state, 250) : 1800 + random_below(&state, 30000);
        hn_time is_late =
            random_below(&state, 2) ? 0 : 4000000000 + random_below(&state, 40000000000);
        cr_assert_eq(drift_routes(&model, &before), HN_OK);
        for (int i = 0; i < before.count; i++)
            measure(&model, &before.routes[i], factor, is_late);
        drift_decide(&model, &before, NULL);
        for (int again = 0; again < 20; again++) {
            cr_assert_eq(drift_routes(&model, &now), HN_OK);
            for (int i = 0; i < now.count; i++)
                measure(&model, &now.routes[i], factor * (1000 + random_below(&state, 200)) / 1000,
                        is_late + random_below(&state, 400000000));
            cr_assert(!drift_decide(&model, &now, &before), "seed %llu", (unsigned long long)seed);
            drift_free(&now);
        }
        cr_assert_eq(drift_routes(&model, &now), HN_OK);
        for (int i = 0; i < now.count; i++)
            measure(&model, &now.routes[i], 1000 + random_below(&state, 200),
                    random_below(&state, 400000000));
        bool was_slow = drift_is_slow(&before.routes[0]);
        cr_assert_eq(drift_decide(&model, &now, &before), was_slow, "seed %llu",
                     (unsigned long long)seed);
        for (int i = 0; i < now.count; i++)
            cr_assert(!drift_is_slow(&now.routes[i]), "seed %llu", (unsigned long long)seed);
        drift_free(&now);
        drift_free(&before);
    }
    hn_net_free(net);
}

/* ---- how often one looks -----------------------------------------------------------------------
 */

/* The drift of all ways being as they are stated, but for one. */
static struct drift one_route(const struct model *model, int64_t factor)
{
    struct drift drift;
    cr_assert_eq(drift_routes(model, &drift), HN_OK);
    for (int i = 0; i < drift.count; i++)
        measure(model, &drift.routes[i], i == 3 ? factor : 1000, 0);
    return drift;
}

static bool look(struct model_update *o, int64_t factor)
{
    struct drift drift = one_route(o->stated, factor);
    bool moved;
    cr_assert_eq(model_update_measured(o, &drift, NULL, false, 100 * MILLISECOND, NULL, &moved),
                 HN_OK);
    drift_free(&drift);
    return moved;
}

Test(adapt, looking_takes_a_small_part_of_the_time)
{
    hn_net *net = three_subnets();
    struct model model;
    struct model_update o;
    int way;
    int64_t looking = 0, passed = 0;
    model_of_net(&model, net, NULL, 12, PORT_MEDIA);
    model_update_init(&o, &model);
    cr_assert(model_update_may_look(&o), "nobody has looked yet");
    cr_assert(!look(&o, 1000));
    for (int i = 0; i < 100000; i++) { /* an alarm each millisecond */
        model_update_pass(&o, MILLISECOND);
        passed++;
        if (model_update_may_look(&o)) {
            cr_assert(!look(&o, 1100));
            looking += 100;
        }
        cr_assert(!model_update_should_visit(&o, &way), "nothing is slow");
    }
    cr_assert_leq(looking, passed / 10);
    cr_assert_geq(looking, passed / 20);
    model_update_pass(&o, 2000 * MILLISECOND);
    cr_assert(!look(&o, 1100));
    cr_assert(model_update_may_look(&o), "who has not looked for long may look twice");
    cr_assert(!look(&o, 1100));
    cr_assert(!model_update_may_look(&o), "but not more often");
    for (int hour = 0; hour < 3600; hour++)
        model_update_pass(&o, 1000 * MILLISECOND);
    int looks = 0;
    for (int i = 0; i < 10000; i++) { /* an alarm each millisecond for ten seconds */
        model_update_pass(&o, MILLISECOND);
        while (model_update_may_look(&o)) {
            cr_assert(!look(&o, 1100));
            looks++;
        }
    }
    cr_assert(looks > 10 && looks <= 12, "%d", looks);
    model_update_free(&o);
    hn_net_free(net);
}

/* One way is slow, and a look may take twice as long as a visit, a twentieth of a second here. */
Test(adapt, slow_ways_are_looked_at_again_when_that_is_cheap)
{
    hn_net *net = three_subnets();
    struct model model;
    struct model_update o;
    bool moved;
    model_of_net(&model, net, NULL, 12, PORT_MEDIA);
    model_update_init(&o, &model);
    o.drift = one_route(&model, 10000);
    o.saved = -1000 * (int64_t)MILLISECOND; /* a whole look would have to wait for 10 s */
    model_update_pass(&o, 1000 * MILLISECOND);
    cr_assert(!model_update_may_look(&o));
    cr_assert(!model_update_may_look_again(&o, 26 * MILLISECOND));
    cr_assert(model_update_may_look_again(&o, 20 * MILLISECOND));
    struct drift same = one_route(&model, 10000);
    cr_assert_eq(model_update_measured(&o, &same, NULL, true, 40 * MILLISECOND, NULL, &moved),
                 HN_OK);
    cr_assert(!moved);
    cr_assert(!model_update_may_look_again(&o, 20 * MILLISECOND), "there was one just now");
    drift_free(&same);
    model_update_free(&o);
    hn_net_free(net);
}

/* What is slow is visited, at most a twentieth of the time, until it is fast again. */
Test(adapt, slow_ways_are_visited)
{
    hn_net *net = three_subnets();
    struct model model;
    struct model_update o;
    int way, visits = 0;
    int64_t visiting = 0, passed = 0;
    model_of_net(&model, net, NULL, 12, PORT_MEDIA);
    model_update_init(&o, &model);
    o.drift = one_route(&model, 10000); /* `now` would take a job */
    cr_assert(drift_decide(&model, &o.drift, NULL));
    for (int i = 0; i < 100000; i++) {
        model_update_pass(&o, MILLISECOND);
        passed += MILLISECOND;
        if (!model_update_should_visit(&o, &way))
            continue;
        struct drift routes;
        cr_assert_eq(way, 3);
        cr_assert_eq(model_update_routes(&o, &routes), HN_OK);
        struct drift_route w = routes.routes[way];
        cr_assert_leq(w.bytes, o.drift.routes[way].bytes);
        measure(&model, &w, 9000, 0);
        visiting += model_deliver(&model, w.from, w.to, w.bytes) / 1000;
        visits++;
        drift_free(&routes);
        cr_assert(!model_update_visited(&o, &w, way));
    }
    cr_assert_gt(visits, 0);
    cr_assert_leq(visiting, passed / 20);
    cr_assert_geq(visiting, passed / 200);
    struct drift_route w = o.drift.routes[3];
    measure(&model, &w, 1100, 0);
    cr_assert(model_update_visited(&o, &w, 3));
    model_update_free(&o);
    hn_net_free(net);
}
