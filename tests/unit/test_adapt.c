/* test_adapt.c - plans that follow their network: windows and trials (lookout.h), and what explains
 * that some measured ways have become slower (drift.h). */
#include "drift.h"
#include "hnow.h"
#include "random.h"
#include "lookout.h"
#include "outlook.h"
#include "rivals.h"

#include <criterion/criterion.h>

enum { ROUNDS = 300, MILLISECOND = 1000000 };

/* ---- windows -----------------------------------------------------------------------------------
 */

/* One window of operations that take so long; what comes of it. */
static enum verdict window_of(struct lookout *w, int64_t took, const struct entries *entries,
                              bool may_try, struct choice *choice)
{
    bool over = false;
    for (int count = 1; !over; count++) {
        over = lookout_count(w);
        lookout_note(w, took + (count % 3) * MILLISECOND);
    }
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
    struct lookout w = {0};
    lookout_begin(&w, 10000000, entries.makespan);
    cr_assert_eq(window(&w, 2 * MILLISECOND, &entries, &choice), VERDICT_KEEP);
    cr_assert_eq(w.phase, LOOKOUT_ON);
    for (int i = 0; i < 5; i++)
        cr_assert_eq(window(&w, 3 * MILLISECOND, &entries, &choice), VERDICT_KEEP);
}

/* The model may be wrong about the others; where they are dear to try, only those that promise
 * nearly the same are tried. */
Test(adapt, those_that_are_nearly_as_good_are_tried)
{
    for (int scale = 1; scale <= 100; scale *= 100)
        for (int percent = 120; percent <= 140; percent += 20) {
            struct choice choice, flat;
            struct entries entries = three_plans(&choice);
            struct lookout w = {0};
            bool tried = scale == 1 || percent == 120;
            choice_parse("flat", &flat);
            entries.makespan *= scale;
            for (int i = 0; i < 3; i++)
                entries.rivals[i].makespan *= scale;
            entries.rivals[0].makespan = entries.makespan / 100 * percent;
            lookout_begin(&w, 10000000, entries.makespan);
            enum verdict verdict = window(&w, 2 * scale * MILLISECOND, &entries, &choice);
            cr_assert_eq(verdict, tried ? VERDICT_SWITCH : VERDICT_KEEP);
            cr_assert_eq(choice.planner == flat.planner, tried);
            if (!tried)
                continue;
            cr_assert_eq(window(&w, scale * MILLISECOND, &entries, &choice), VERDICT_KEEP);
            cr_assert_eq(w.phase, LOOKOUT_ON);
            cr_assert(choice.planner == flat.planner, "it was twice as quick");
            cr_assert_eq(window(&w, scale * MILLISECOND, &entries, &choice), VERDICT_KEEP);
        }
}

/* Four operations of seconds by a plan that is a fifth slower are a high price for a doubt. */
Test(adapt, of_operations_that_take_seconds_hardly_any_other_is_tried)
{
    for (int percent = 108; percent <= 112; percent += 4) {
        struct choice choice;
        struct entries entries = three_plans(&choice);
        struct lookout w = {0};
        for (int i = 0; i < 3; i++)
            entries.rivals[i].makespan *= 1000;
        entries.makespan *= 1000;
        entries.rivals[0].makespan = entries.makespan / 100 * percent;
        lookout_begin(&w, 10000000, entries.makespan);
        cr_expect_eq(window(&w, 2000 * MILLISECOND, &entries, &choice),
                     percent < 110 ? VERDICT_SWITCH : VERDICT_KEEP, "%d %%", percent);
    }
}

Test(adapt, one_that_is_nearly_as_good_by_another_planner_is_tried_once)
{
    struct choice choice, flat;
    struct entries entries = three_plans(&choice);
    struct lookout w = {0};
    choice_parse("flat", &flat);
    entries.makespan = entries.rivals[1].makespan = 40 * (int64_t)MILLISECOND * 1000;
    entries.rivals[0].makespan = entries.makespan / 100 * 124;
    entries.rivals[3] = entries.rivals[0]; /* it is the best in two ways, and tried once */
    entries.rivals[2].makespan = entries.makespan / 100 * 126;
    lookout_begin(&w, 10000000, entries.makespan);
    cr_assert_eq(window(&w, 40 * MILLISECOND, &entries, &choice), VERDICT_SWITCH);
    cr_assert(choice_same(&choice, &flat));
    cr_assert_eq(w.count, 2);
    cr_assert_eq(window(&w, 36 * MILLISECOND, &entries, &choice), VERDICT_KEEP);
    cr_assert(choice_same(&choice, &flat));
}

Test(adapt, rivals_are_the_best_of_their_kind)
{
    static const struct {
        const char *name;
        int messages;
        hn_time makespan;
    } played[] = {{"binomial", 1, 50}, {"chain/1024", 9, 40}, {"binomial/4096", 4, 45},
                  {"chain", 1, 60},    {"chain/4096", 5, 30}, {"fef", 1, 35}};
    struct rivals rivals = {0};
    struct entries entries = {0};
    struct choice choice;
    char text[CHOICE_TEXT_ROOM];
    for (size_t i = 0; i < sizeof played / sizeof *played; i++) {
        cr_assert_eq(choice_parse(played[i].name, &choice), HN_OK);
        rivals_note(&rivals, &choice, played[i].messages, played[i].makespan);
    }
    choice_parse("chain/4096", &choice);
    rivals_tell(&rivals, &choice, &entries);
    static const char *const wanted[] = {"fef", NULL, "chain/4096", "chain/1024", NULL, "fef"};
    for (int i = 0; i < RIVALS; i++) {
        const struct choice *found = &entries.rivals[i].choice;
        cr_assert_eq(found->planner != NULL, wanted[i] != NULL);
        if (wanted[i])
            cr_assert_str_eq(choice_text(found, text, sizeof text), wanted[i]);
    }
    choice_parse("fef", &choice);
    rivals_tell(&rivals, &choice, &entries);
    cr_assert_str_eq(choice_text(&entries.rivals[RIVALS - 1].choice, text, sizeof text),
                     "chain/4096");
}

Test(adapt, a_wrong_one_is_tried_against_others)
{
    struct choice choice, flat;
    struct entries entries = three_plans(&choice);
    struct lookout w = {0};
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
    struct lookout w = {0};
    first = choice;
    lookout_begin(&w, 10000000, entries.makespan);
    cr_assert_eq(window(&w, 5 * MILLISECOND, &entries, &choice), VERDICT_SWITCH);
    cr_assert_eq(window(&w, 49 * MILLISECOND / 10, &entries, &choice), VERDICT_SWITCH);
    cr_assert_eq(window(&w, 48 * MILLISECOND / 10, &entries, &choice), VERDICT_SWITCH);
    cr_assert(choice.planner == first.planner && choice.segment == first.segment);
}

/* Long operations repeat to a percent: three percent are a difference there, not of brief ones. */
Test(adapt, of_long_operations_little_is_a_difference)
{
    for (int times = 1; times <= 10; times += 9) {
        struct choice choice;
        struct entries entries = three_plans(&choice);
        struct lookout w = {0};
        entries.makespan *= times;
        for (int i = 0; i < 3; i++)
            entries.rivals[i].makespan = (i == 0 ? 11 : 10) * entries.makespan / 10 + i;
        entries.rivals[2].choice.planner = NULL;
        lookout_begin(&w, 10000000, entries.makespan);
        int64_t first = 2 * times * MILLISECOND;
        cr_assert_eq(window(&w, first, &entries, &choice), VERDICT_SWITCH);
        bool long_ones = times > 1;
        cr_expect_eq(window(&w, first - first * 3 / 100, &entries, &choice),
                     long_ones ? VERDICT_KEEP : VERDICT_SWITCH, "x %d", times);
        cr_expect(choice_same(&choice, &entries.rivals[long_ones ? 0 : 1].choice), "x %d", times);
    }
}

/* Who comes late from planning sees less of the operation than it takes. */
Test(adapt, the_operation_behind_planning_is_not_noted)
{
    struct lookout w = {0};
    lookout_planned(&w);
    lookout_begin(&w, 10000000, 2000000000);
    lookout_note(&w, MILLISECOND);
    cr_assert_eq(w.least, 0);
    lookout_note(&w, 2 * MILLISECOND);
    cr_assert_eq(w.least, 2 * MILLISECOND);
}

/* One quick operation among many says little: the window is longer than a trial. */
Test(adapt, plans_are_compared_by_as_many_operations)
{
    struct choice choice;
    struct entries entries = three_plans(&choice);
    struct choice first = choice;
    struct lookout w = {0};
    lookout_begin(&w, 2 * entries.makespan, entries.makespan);
    int64_t took = 4 * MILLISECOND;
    lookout_count(&w);
    lookout_note(&w, took / 2);
    while (!lookout_count(&w))
        lookout_note(&w, took);
    cr_assert_gt(w.seen, 32);
    lookout_note(&w, took);
    cr_assert_eq(w.least, took);
    lookout_agreed(&w, w.least, &entries, true, &choice);
    cr_assert_eq(w.phase, LOOKOUT_TRIAL);
    cr_assert(!choice_same(&choice, &first));
    cr_assert_eq(w.trial, 16);
    while (!lookout_count(&w))
        lookout_note(&w, took);
    cr_assert_eq(w.least, took);
}

/* Plans that were found later, when there was time for more, are tried, too; who has lost before is
 * not tried again. */
Test(adapt, plans_that_are_found_later_are_tried)
{
    for (int during = 0; during < 2; during++) { /* the trial of the first ones */
        struct choice choice;
        struct entries entries = three_plans(&choice);
        struct lookout w = {0};
        const struct choice first = choice, late = entries.rivals[2].choice;
        entries.rivals[0].makespan = 2100000000;
        entries.rivals[2].choice.planner = NULL;
        lookout_begin(&w, 10000000, entries.makespan);
        cr_assert_eq(window(&w, 2 * MILLISECOND, &entries, &choice), VERDICT_SWITCH);
        cr_assert(choice_same(&choice, &entries.rivals[0].choice));
        entries.rivals[2] = (struct rival){late, 2200000000};
        if (during)
            lookout_again(&w);
        cr_assert_eq(window(&w, 3 * MILLISECOND, &entries, &choice), VERDICT_SWITCH);
        cr_assert(choice_same(&choice, &first));
        if (!during)
            lookout_again(&w);
        cr_assert_eq(window(&w, 2 * MILLISECOND, &entries, &choice), VERDICT_SWITCH);
        cr_expect(choice_same(&choice, &late));
        cr_assert_eq(window(&w, 1 * MILLISECOND, &entries, &choice), VERDICT_KEEP);
        cr_expect(choice_same(&choice, &late));
        cr_expect_eq(w.phase, LOOKOUT_ON);
    }
}

Test(adapt, results_that_are_rounded_are_not_tried)
{
    struct choice choice;
    struct entries entries = three_plans(&choice);
    struct lookout w = {0};
    lookout_begin(&w, 10000000, entries.makespan);
    cr_assert_eq(window_of(&w, 4 * MILLISECOND, &entries, false, &choice), VERDICT_KEEP);
    cr_assert_eq(w.phase, LOOKOUT_ON);
}

Test(adapt, a_file_that_is_far_off_is_compared_with_the_network_first)
{
    struct choice choice;
    struct entries entries = three_plans(&choice);
    struct lookout w = {0};
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
    struct lookout w = {0};
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
    struct lookout w = {0};
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

/* Measures a way: a byte takes `factor` thousandths of what is stated, all messages come `late`. */
static void measure(const struct model *model, struct drift_way *w, int64_t factor, hn_time late)
{
    hn_time small = model_deliver(model, w->from, w->to, 1),
            back = model_deliver(model, w->to, w->from, 1);
    hn_time bytes = model_deliver(model, w->from, w->to, w->bytes) - small;
    int64_t trip = (small + back + 2 * late) / 1000;
    drift_measured(model, w, trip, trip + bytes / 1000 * factor / 1000);
}

enum what { SLOW, LATE, BOTH };
static const hn_time late = 7000000000;

/* Some ways have become ten times as slow, or come 7 ms later; the changed network must say so. */
static void try_cause(enum cause cause, enum what what, int a, int b, uint64_t seed)
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
        bool hit = suffers(cause, a, b, w->from, w->to);
        measure(&model, w, hit && what != LATE ? 10000 : 1250, hit && what != SLOW ? late : 0);
        seen = seen || hit;
    }
    cr_assert_eq(drift_settle(&model, &drift, NULL), seen);
    cr_assert_eq(drift_apply(&drift, &model, changed), HN_OK);
    for (int from = 0; from < 12; from++)
        for (int to = 0; to < 12; to++) {
            hn_pair_cost was = hn_net_pair(net, from, to), is = hn_net_pair(changed, from, to);
            bool hit = from != to && seen && suffers(cause, a, b, from, to);
            bool slow = hit && what != LATE, comes_late = hit && what != SLOW;
            cr_assert(slow ? is.per_byte > 9 * was.per_byte && is.per_byte < 11 * was.per_byte
                           : is.per_byte == was.per_byte,
                      "seed %llu: cause %d of %d, %d: from %d to %d", (unsigned long long)seed,
                      (int)cause, a, b, from, to);
            hn_time more = is.latency - was.latency;
            cr_assert(comes_late ? more > late - 10000 && more < late + 10000 : more == 0,
                      "seed %llu: cause %d of %d, %d: from %d to %d %lld later",
                      (unsigned long long)seed, (int)cause, a, b, from, to, (long long)more);
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
        cr_assert_eq(drift_ways(&model, &before), HN_OK);
        for (int i = 0; i < before.count; i++)
            measure(&model, &before.ways[i], factor, is_late);
        drift_settle(&model, &before, NULL);
        for (int again = 0; again < 20; again++) {
            cr_assert_eq(drift_ways(&model, &now), HN_OK);
            for (int i = 0; i < now.count; i++)
                measure(&model, &now.ways[i], factor * (1000 + random_below(&state, 200)) / 1000,
                        is_late + random_below(&state, 400000000));
            cr_assert(!drift_settle(&model, &now, &before), "seed %llu", (unsigned long long)seed);
            drift_free(&now);
        }
        cr_assert_eq(drift_ways(&model, &now), HN_OK);
        for (int i = 0; i < now.count; i++)
            measure(&model, &now.ways[i], 1000 + random_below(&state, 200),
                    random_below(&state, 400000000));
        bool was_slow = drift_is_slow(&before.ways[0]);
        cr_assert_eq(drift_settle(&model, &now, &before), was_slow, "seed %llu",
                     (unsigned long long)seed);
        for (int i = 0; i < now.count; i++)
            cr_assert(!drift_is_slow(&now.ways[i]), "seed %llu", (unsigned long long)seed);
        drift_free(&now);
        drift_free(&before);
    }
    hn_net_free(net);
}

/* ---- how often one looks -----------------------------------------------------------------------
 */

/* The drift of all ways being as they are stated, but for one. */
static struct drift one_way(const struct model *model, int64_t factor)
{
    struct drift drift;
    cr_assert_eq(drift_ways(model, &drift), HN_OK);
    for (int i = 0; i < drift.count; i++)
        measure(model, &drift.ways[i], i == 3 ? factor : 1000, 0);
    return drift;
}

static bool look(struct outlook *o, int64_t factor)
{
    struct drift drift = one_way(o->stated, factor);
    bool moved;
    cr_assert_eq(outlook_measured(o, &drift, NULL, false, 100 * MILLISECOND, NULL, &moved), HN_OK);
    drift_free(&drift);
    return moved;
}

Test(adapt, looking_takes_a_small_part_of_the_time)
{
    hn_net *net = three_subnets();
    struct model model;
    struct outlook o;
    int way;
    int64_t looking = 0, passed = 0;
    model_of_net(&model, net, NULL, 12, PORT_MEDIA);
    outlook_init(&o, &model);
    cr_assert(outlook_may_look(&o), "nobody has looked yet");
    cr_assert(!look(&o, 1000));
    for (int i = 0; i < 100000; i++) { /* an alarm each millisecond */
        outlook_pass(&o, MILLISECOND);
        passed++;
        if (outlook_may_look(&o)) {
            cr_assert(!look(&o, 1100));
            looking += 100;
        }
        cr_assert(!outlook_should_visit(&o, &way), "nothing is slow");
    }
    cr_assert_leq(looking, passed / 10);
    cr_assert_geq(looking, passed / 20);
    outlook_pass(&o, 2000 * MILLISECOND);
    cr_assert(!look(&o, 1100));
    cr_assert(outlook_may_look(&o), "who has not looked for long may look twice");
    cr_assert(!look(&o, 1100));
    cr_assert(!outlook_may_look(&o), "but not more often");
    for (int hour = 0; hour < 3600; hour++)
        outlook_pass(&o, 1000 * MILLISECOND);
    int looks = 0;
    for (int i = 0; i < 10000; i++) { /* an alarm each millisecond for ten seconds */
        outlook_pass(&o, MILLISECOND);
        while (outlook_may_look(&o)) {
            cr_assert(!look(&o, 1100));
            looks++;
        }
    }
    cr_assert(looks > 10 && looks <= 12, "%d", looks);
    outlook_free(&o);
    hn_net_free(net);
}

/* One way is slow, and a look may take twice as long as a visit, a twentieth of a second here. */
Test(adapt, slow_ways_are_looked_at_again_when_that_is_cheap)
{
    hn_net *net = three_subnets();
    struct model model;
    struct outlook o;
    bool moved;
    model_of_net(&model, net, NULL, 12, PORT_MEDIA);
    outlook_init(&o, &model);
    o.drift = one_way(&model, 10000);
    o.saved = -1000 * (int64_t)MILLISECOND; /* a whole look would have to wait for 10 s */
    outlook_pass(&o, 1000 * MILLISECOND);
    cr_assert(!outlook_may_look(&o));
    cr_assert(!outlook_may_look_again(&o, 26 * MILLISECOND));
    cr_assert(outlook_may_look_again(&o, 20 * MILLISECOND));
    struct drift same = one_way(&model, 10000);
    cr_assert_eq(outlook_measured(&o, &same, NULL, true, 40 * MILLISECOND, NULL, &moved), HN_OK);
    cr_assert(!moved);
    cr_assert(!outlook_may_look_again(&o, 20 * MILLISECOND), "there was one just now");
    drift_free(&same);
    outlook_free(&o);
    hn_net_free(net);
}

/* What is slow is visited, at most a twentieth of the time, until it is fast again. */
Test(adapt, slow_ways_are_visited)
{
    hn_net *net = three_subnets();
    struct model model;
    struct outlook o;
    int way, visits = 0;
    int64_t visiting = 0, passed = 0;
    model_of_net(&model, net, NULL, 12, PORT_MEDIA);
    outlook_init(&o, &model);
    o.drift = one_way(&model, 10000); /* `now` would take a job */
    cr_assert(drift_settle(&model, &o.drift, NULL));
    for (int i = 0; i < 100000; i++) {
        outlook_pass(&o, MILLISECOND);
        passed += MILLISECOND;
        if (!outlook_should_visit(&o, &way))
            continue;
        struct drift ways;
        cr_assert_eq(way, 3);
        cr_assert_eq(outlook_ways(&o, &ways), HN_OK);
        struct drift_way w = ways.ways[way];
        cr_assert_leq(w.bytes, o.drift.ways[way].bytes);
        measure(&model, &w, 9000, 0);
        visiting += model_deliver(&model, w.from, w.to, w.bytes) / 1000;
        visits++;
        drift_free(&ways);
        cr_assert(!outlook_visited(&o, &w, way));
    }
    cr_assert_gt(visits, 0);
    cr_assert_leq(visiting, passed / 20);
    cr_assert_geq(visiting, passed / 200);
    struct drift_way w = o.drift.ways[3];
    measure(&model, &w, 1100, 0);
    cr_assert(outlook_visited(&o, &w, 3));
    outlook_free(&o);
    hn_net_free(net);
}
