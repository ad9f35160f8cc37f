/* test_adapt.c - plans that follow their network: windows and trials (lookout.h), and what explains
 * that some measured ways have become slower (drift.h). */
#include "drift.h"
#include "hnow.h"
#include "random.h"
#include "lookout.h"

#include <criterion/criterion.h>

enum { ROUNDS = 300, MILLISECOND = 1000000 };

/* ---- windows -----------------------------------------------------------------------------------
 */

/* One window of operations that take so long; what comes of it. */
static enum verdict window_of(struct lookout *w, int64_t took, const struct entries *entries,
                              bool may_try, struct choice *choice)
{
    int count = 1;
    while (!lookout_note(w, took + (count % 3) * MILLISECOND))
        count++;
    cr_assert_leq(w->least, took + MILLISECOND);
    return lookout_agreed(w, took, entries, may_try, choice);
}

/* The same where the network is known to be that of its file. */
static enum verdict window(struct lookout *w, int64_t took, const struct entries *entries,
                           struct choice *choice)
{
    w->surveyed = true;
    return window_of(w, took, entries, true, choice);
}

/* Predicted 2 ms for the best, 3 ms for one of fewer messages, 9 ms for one of more. */
static struct entries three_plans(struct choice *choice)
{
    struct entries entries = {.makespan = 2000000000};
    static const char *const names[] = {"flat", "chain/4096", "chain/1024"};
    static const hn_time makespans[] = {3000000000, 2000000000, 9000000000};
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(choice_parse(names[i], &entries.rivals[i].choice), HN_OK);
        entries.rivals[i].makespan = makespans[i];
    }
    *choice = entries.rivals[1].choice;
    return entries;
}

Test(adapt, a_right_prediction_is_believed)
{
    struct choice choice;
    struct entries entries = three_plans(&choice);
    struct lookout w;
    lookout_begin(&w, 10000000, entries.makespan);
    cr_assert_eq(window(&w, 2 * MILLISECOND, &entries, &choice), VERDICT_KEEP);
    cr_assert_eq(w.phase, LOOKOUT_ON);
    for (int i = 0; i < 5; i++)
        cr_assert_eq(window(&w, 3 * MILLISECOND, &entries, &choice), VERDICT_KEEP);
}

Test(adapt, a_wrong_one_is_tried_against_others)
{
    struct choice choice, flat;
    struct entries entries = three_plans(&choice);
    struct lookout w;
    choice_parse("flat", &flat);
    lookout_begin(&w, 10000000, entries.makespan);
    cr_assert_eq(window(&w, 4 * MILLISECOND, &entries, &choice), VERDICT_SWITCH);
    cr_assert(choice.planner == flat.planner);
    cr_assert_eq(window(&w, 3 * MILLISECOND, &entries, &choice), VERDICT_KEEP,
                 "9 ms are hopeless: flat was the only one to try");
    cr_assert(choice.planner == flat.planner);
    cr_assert_eq(w.phase, LOOKOUT_ON);
}

Test(adapt, the_first_one_stays_unless_another_is_really_quicker)
{
    struct choice choice, first;
    struct entries entries = three_plans(&choice);
    struct lookout w;
    first = choice;
    lookout_begin(&w, 10000000, entries.makespan);
    cr_assert_eq(window(&w, 5 * MILLISECOND, &entries, &choice), VERDICT_SWITCH);
    cr_assert_eq(window(&w, 49 * MILLISECOND / 10, &entries, &choice), VERDICT_SWITCH);
    cr_assert_eq(window(&w, 48 * MILLISECOND / 10, &entries, &choice), VERDICT_SWITCH);
    cr_assert(choice.planner == first.planner && choice.segment == first.segment);
}

Test(adapt, results_that_are_rounded_are_not_tried)
{
    struct choice choice;
    struct entries entries = three_plans(&choice);
    struct lookout w;
    lookout_begin(&w, 10000000, entries.makespan);
    cr_assert_eq(window_of(&w, 4 * MILLISECOND, &entries, false, &choice), VERDICT_KEEP);
    cr_assert_eq(w.phase, LOOKOUT_ON);
}

Test(adapt, a_file_that_is_far_off_is_compared_with_the_network_first)
{
    struct choice choice;
    struct entries entries = three_plans(&choice);
    struct lookout w;
    lookout_begin(&w, 10000000, entries.makespan);
    cr_assert_eq(window_of(&w, 9 * MILLISECOND, &entries, true, &choice), VERDICT_DRIFT);
    cr_assert_eq(w.phase, LOOKOUT_FIRST);
    cr_assert_eq(window(&w, 9 * MILLISECOND, &entries, &choice), VERDICT_SWITCH);
    cr_assert_eq(w.phase, LOOKOUT_TRIAL);
}

Test(adapt, a_drift_is_seen_and_a_false_one_asked_about_less_often)
{
    struct choice choice;
    struct entries entries = three_plans(&choice);
    struct lookout w;
    lookout_begin(&w, 10000000, entries.makespan);
    window(&w, 2 * MILLISECOND, &entries, &choice);
    cr_assert_eq(window(&w, 9 * MILLISECOND, &entries, &choice), VERDICT_DRIFT);
    int before = w.need;
    lookout_calm(&w, 9 * MILLISECOND);
    cr_assert_gt(w.need, before);
    cr_assert_eq(window(&w, 9 * MILLISECOND, &entries, &choice), VERDICT_KEEP);
}

Test(adapt, agreeing_is_a_small_part_of_the_time)
{
    struct lookout w;
    for (int64_t agreement = 1; agreement < 100000; agreement *= 10)
        for (int64_t operation = 100; operation < 1000000; operation *= 10) {
            lookout_begin(&w, agreement, operation);
            cr_assert(w.need >= 4096 || w.need * operation >= 40 * agreement);
            cr_assert_geq(w.need, 4);
        }
}

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

/* Measures what has become ten times as slow, and checks that the changed network says so. */
static void try_cause(enum cause cause, int a, int b, uint64_t seed)
{
    hn_net *net = three_subnets(), *changed = three_subnets();
    struct model model;
    struct drift drift;
    model_of_net(&model, net, NULL, 12, PORT_MEDIA);
    cr_assert_eq(drift_ways(&model, &drift), HN_OK);
    cr_assert_leq(drift.count, 2 * (2 * 12 + 3));
    bool seen = false;
    for (int i = 0; i < drift.count; i++) {
        struct drift_way *w = &drift.ways[i];
        bool slow = suffers(cause, a, b, w->from, w->to);
        int64_t stated = model_deliver(&model, w->from, w->to, w->bytes) / 1000;
        w->factor = drift_factor(&model, w, slow ? 10 * stated : stated + stated / 4);
        cr_assert_eq(w->factor > DRIFT_NONE, slow);
        seen = seen || slow;
    }
    cr_assert_eq(drift_apply(&drift, &model, changed), HN_OK);
    for (int from = 0; from < 12; from++)
        for (int to = 0; to < 12; to++) {
            hn_per_byte was = hn_net_pair(net, from, to).per_byte,
                        is = hn_net_pair(changed, from, to).per_byte;
            bool slow = from != to && seen && suffers(cause, a, b, from, to);
            cr_assert(slow ? is > 9 * was && is < 11 * was : is == was,
                      "seed %llu: cause %d of %d, %d: from %d to %d %lld is now %lld",
                      (unsigned long long)seed, (int)cause, a, b, from, to, (long long)was,
                      (long long)is);
        }
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
        try_cause((enum cause)cause, a, b, seed);
    }
}
