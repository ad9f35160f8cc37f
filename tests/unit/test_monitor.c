/* test_monitor.c - plans that follow their network: windows and trials (monitor.h). */
#include "hnow.h"
#include "wire/monitor.h"
#include "select/candidates.h"

#include <criterion/criterion.h>

enum { MILLISECOND = 1000000 };

/* One window of operations that take so long; what comes of it. */
static enum verdict window_of(struct monitor *w, int64_t took, const struct shortlist *shortlist,
                              bool may_try, struct choice *choice)
{
    bool over = false;
    for (int count = 1; !over; count++) {
        over = monitor_count(w);
        monitor_note(w, took + (count % 3) * MILLISECOND);
    }
    cr_assert_leq(w->least, took + MILLISECOND);
    return monitor_agreed(w, took, shortlist, may_try, choice);
}

/* The same where the network is known to be that of its file. */
static enum verdict window(struct monitor *w, int64_t took, const struct shortlist *shortlist,
                           struct choice *choice)
{
    w->checked = true;
    return window_of(w, took, shortlist, true, choice);
}

/* Predicted 2 ms for the best, 3 ms for one of fewer messages, 9 ms for one of more. */
static struct shortlist three_plans(struct choice *choice)
{
    struct shortlist shortlist = {.makespan = 2000000000};
    static const char *const names[] = {"flat", "chain/4096", "chain/1024"};
    static const hn_time makespans[] = {3000000000, 2000000000, 9000000000};
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(choice_parse(names[i], &shortlist.candidates[i].choice), HN_OK);
        shortlist.candidates[i].makespan = makespans[i];
    }
    *choice = shortlist.candidates[1].choice;
    return shortlist;
}

Test(monitor, a_right_prediction_is_believed)
{
    struct choice choice;
    struct shortlist shortlist = three_plans(&choice);
    struct monitor w = {0};
    monitor_begin(&w, 10000000, shortlist.makespan);
    cr_assert_eq(window(&w, 2 * MILLISECOND, &shortlist, &choice), VERDICT_KEEP);
    cr_assert_eq(w.phase, MONITOR_ON);
    for (int i = 0; i < 5; i++)
        cr_assert_eq(window(&w, 3 * MILLISECOND, &shortlist, &choice), VERDICT_KEEP);
}

/* The model may be wrong about the others; where they are dear to try, only those that promise
 * nearly the same are tried. */
Test(monitor, those_that_are_nearly_as_good_are_tried)
{
    for (int scale = 1; scale <= 100; scale *= 100)
        for (int percent = 120; percent <= 140; percent += 20) {
            struct choice choice, flat;
            struct shortlist shortlist = three_plans(&choice);
            struct monitor w = {0};
            bool tried = scale == 1 || percent == 120;
            choice_parse("flat", &flat);
            shortlist.makespan *= scale;
            for (int i = 0; i < 3; i++)
                shortlist.candidates[i].makespan *= scale;
            shortlist.candidates[0].makespan = shortlist.makespan / 100 * percent;
            monitor_begin(&w, 10000000, shortlist.makespan);
            enum verdict verdict = window(&w, 2 * scale * MILLISECOND, &shortlist, &choice);
            cr_assert_eq(verdict, tried ? VERDICT_SWITCH : VERDICT_KEEP);
            cr_assert_eq(choice.planner == flat.planner, tried);
            if (!tried)
                continue;
            for (int windows = scale == 1 ? 1 : 2; windows > 0; windows--)
                cr_assert_eq(window(&w, scale * MILLISECOND, &shortlist, &choice), VERDICT_KEEP);
            cr_assert_eq(w.phase, MONITOR_ON);
            cr_assert(choice.planner == flat.planner, "it was twice as quick");
            cr_assert_eq(window(&w, scale * MILLISECOND, &shortlist, &choice), VERDICT_KEEP);
        }
}

/* The four best by other planners, of which brief operations try one; and how often each. */
Test(monitor, long_operations_try_more_planners)
{
    static const char *const others[CANDIDATE_PLANNERS] = {"flat", "binomial", "fef", "ecef"};
    static const struct {
        int64_t milliseconds;
        int candidates, each;
    } kinds[] = {{2, 1, 4}, {40, CANDIDATE_PLANNERS, 8}, {2000, CANDIDATE_PLANNERS, 4}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int64_t time = kinds[k].milliseconds * MILLISECOND;
        struct shortlist shortlist = {.makespan = time * 1000};
        struct choice choice;
        struct monitor w = {0};
        cr_assert_eq(choice_parse("chain/4096", &choice), HN_OK);
        shortlist.candidates[0] = (struct candidate){choice, shortlist.makespan};
        for (int i = 0; i < CANDIDATE_PLANNERS; i++) {
            struct candidate *candidate = &shortlist.candidates[CANDIDATES_BY_KIND + i];
            cr_assert_eq(choice_parse(others[i], &candidate->choice), HN_OK);
            candidate->makespan = shortlist.makespan / 100 * (102 + i);
        }
        monitor_begin(&w, 10000000, shortlist.makespan);
        cr_assert_eq(window(&w, time, &shortlist, &choice), VERDICT_SWITCH);
        cr_expect_eq(w.count - 1, kinds[k].candidates, "%d ms", (int)kinds[k].milliseconds);
        int each = w.trial;
        while (window(&w, time, &shortlist, &choice) == VERDICT_KEEP && w.phase == MONITOR_TRIAL)
            each += w.trial;
        cr_expect_eq(each, kinds[k].each, "%d ms", (int)kinds[k].milliseconds);
    }
}

/* One that is quick once in sixteen times, and slow else, is not the quicker one; once plans are
 * not compared any more, the least tells whether the network is as before. */
Test(monitor, plans_are_compared_by_what_they_mostly_take)
{
    struct choice choice;
    struct shortlist shortlist = three_plans(&choice);
    struct monitor w = {0};
    monitor_begin(&w, 10000000, shortlist.makespan);
    enum monitor_phase phases[] = {MONITOR_FIRST, MONITOR_TRIAL, MONITOR_ON};
    for (int i = 0; i < 16; i++)
        monitor_note(&w, (i == 7 ? 1 : 3) * MILLISECOND);
    for (int i = 0; i < 3; i++) {
        w.phase = phases[i];
        cr_expect_eq(monitor_time(&w), (w.phase == MONITOR_ON ? 1 : 3) * MILLISECOND);
    }
}

/* Four operations of seconds by a plan that is a fifth slower are a high price for a doubt. */
Test(monitor, of_operations_that_take_seconds_hardly_any_other_is_tried)
{
    for (int percent = 108; percent <= 112; percent += 4) {
        struct choice choice;
        struct shortlist shortlist = three_plans(&choice);
        struct monitor w = {0};
        for (int i = 0; i < 3; i++)
            shortlist.candidates[i].makespan *= 1000;
        shortlist.makespan *= 1000;
        shortlist.candidates[0].makespan = shortlist.makespan / 100 * percent;
        monitor_begin(&w, 10000000, shortlist.makespan);
        cr_expect_eq(window(&w, 2000 * MILLISECOND, &shortlist, &choice),
                     percent < 110 ? VERDICT_SWITCH : VERDICT_KEEP, "%d %%", percent);
    }
}

/* A plan that is predicted to take less than the first one has taken is promising. */
Test(monitor, what_promises_to_be_faster_than_measured_is_tried)
{
    for (int percent = 108; percent <= 124; percent += 16) {
        struct choice choice;
        struct shortlist shortlist = three_plans(&choice);
        struct monitor w = {0};
        for (int i = 0; i < 3; i++)
            shortlist.candidates[i].makespan *= 1000;
        shortlist.makespan *= 1000;
        shortlist.candidates[0].makespan = shortlist.makespan / 100 * 120;
        monitor_begin(&w, 10000000, shortlist.makespan);
        int64_t took = 20 * (int64_t)percent * MILLISECOND;
        cr_expect_eq(window(&w, took, &shortlist, &choice),
                     percent > 120 ? VERDICT_SWITCH : VERDICT_KEEP, "%d %%", percent);
    }
}

Test(monitor, one_that_is_nearly_as_good_by_another_planner_is_tried_once)
{
    struct choice choice, flat;
    struct shortlist shortlist = three_plans(&choice);
    struct monitor w = {0};
    choice_parse("flat", &flat);
    shortlist.makespan = shortlist.candidates[1].makespan = 40 * (int64_t)MILLISECOND * 1000;
    shortlist.candidates[0].makespan = shortlist.makespan / 100 * 124;
    shortlist.candidates[3] =
        shortlist.candidates[0]; /* it is the best in two ways, and tried once */
    shortlist.candidates[2].makespan = shortlist.makespan / 100 * 126;
    monitor_begin(&w, 10000000, shortlist.makespan);
    cr_assert_eq(window(&w, 40 * MILLISECOND, &shortlist, &choice), VERDICT_SWITCH);
    cr_assert(choice_same(&choice, &flat));
    cr_assert_eq(w.count, 2);
    cr_assert_eq(window(&w, 36 * MILLISECOND, &shortlist, &choice), VERDICT_KEEP);
    cr_assert(choice_same(&choice, &flat));
}

Test(monitor, candidates_are_the_best_of_their_kind)
{
    static const struct {
        const char *name;
        int messages;
        hn_time makespan;
    } played[] = {{"binomial", 1, 50},  {"chain/1024", 9, 40}, {"binomial/4096", 4, 45},
                  {"chain", 1, 60},     {"chain/4096", 5, 30}, {"fef", 1, 35},
                  {"cast/1024", 2, 29}, {"cast", 1, 28},       {"cast/512", 2, 33}};
    struct candidates candidates = {0};
    struct shortlist shortlist = {0};
    struct choice choice;
    char text[CHOICE_TEXT_ROOM];
    for (size_t i = 0; i < sizeof played / sizeof *played; i++) {
        cr_assert_eq(choice_parse(played[i].name, &choice), HN_OK);
        bool casts = choice.planner == planner_named("cast");
        candidates_note(&candidates, &choice, played[i].messages, casts, played[i].makespan);
    }
    choice_parse("cast", &choice);
    candidates_list(&candidates, &choice, &shortlist);
    static const char *const wanted[CANDIDATES] = {
        "fef", NULL, "chain/4096", "chain/1024", NULL,  "cast",         "cast/1024",
        NULL,  NULL, NULL,         "chain/4096", "fef", "binomial/4096"};
    for (int i = 0; i < CANDIDATES; i++) {
        const struct choice *found = &shortlist.candidates[i].choice;
        cr_assert_eq(found->planner != NULL, wanted[i] != NULL);
        if (wanted[i])
            cr_assert_str_eq(choice_text(found, text, sizeof text), wanted[i]);
    }
    choice_parse("fef", &choice);
    candidates_list(&candidates, &choice, &shortlist);
    cr_assert_str_eq(
        choice_text(&shortlist.candidates[CANDIDATES_BY_KIND].choice, text, sizeof text), "cast");
}

Test(monitor, a_wrong_one_is_tried_against_others)
{
    struct choice choice, flat;
    struct shortlist shortlist = three_plans(&choice);
    struct monitor w = {0};
    choice_parse("flat", &flat);
    monitor_begin(&w, 10000000, shortlist.makespan);
    cr_assert_eq(window(&w, 4 * MILLISECOND, &shortlist, &choice), VERDICT_SWITCH);
    cr_assert(choice.planner == flat.planner);
    cr_assert_eq(window(&w, 3 * MILLISECOND, &shortlist, &choice), VERDICT_KEEP,
                 "9 ms are hopeless: flat was the only one to try");
    cr_assert(choice.planner == flat.planner);
    cr_assert_eq(w.phase, MONITOR_ON);
}

Test(monitor, the_first_one_stays_unless_another_is_really_quicker)
{
    struct choice choice, first;
    struct shortlist shortlist = three_plans(&choice);
    struct monitor w = {0};
    first = choice;
    monitor_begin(&w, 10000000, shortlist.makespan);
    cr_assert_eq(window(&w, 5 * MILLISECOND, &shortlist, &choice), VERDICT_SWITCH);
    cr_assert_eq(window(&w, 49 * MILLISECOND / 10, &shortlist, &choice), VERDICT_SWITCH);
    cr_assert_eq(window(&w, 48 * MILLISECOND / 10, &shortlist, &choice), VERDICT_SWITCH);
    cr_assert(choice.planner == first.planner && choice.segment == first.segment);
}

/* Long operations repeat to a percent: three percent are a difference there, not of brief ones,
 * once the first plan has taken as long again. */
Test(monitor, of_long_operations_little_is_a_difference)
{
    for (int times = 1; times <= 10; times += 9) {
        struct choice choice;
        struct shortlist shortlist = three_plans(&choice);
        struct monitor w = {0};
        shortlist.makespan *= times;
        for (int i = 0; i < 3; i++)
            shortlist.candidates[i].makespan = (i == 0 ? 11 : 10) * shortlist.makespan / 10 + i;
        shortlist.candidates[2].choice.planner = NULL;
        monitor_begin(&w, 10000000, shortlist.makespan);
        int64_t first = 2 * times * MILLISECOND;
        cr_assert_eq(window(&w, first, &shortlist, &choice), VERDICT_SWITCH);
        bool long_ones = times > 1;
        if (long_ones)
            cr_assert_eq(window(&w, first, &shortlist, &choice), VERDICT_KEEP, "more is tried");
        cr_expect_eq(window(&w, first - first * 3 / 100, &shortlist, &choice), VERDICT_SWITCH,
                     "x %d", times);
        cr_expect(choice_same(&choice, &shortlist.candidates[1].choice), "x %d", times);
        if (!long_ones)
            continue;
        cr_assert_eq(w.phase, MONITOR_TRIAL);
        cr_assert_eq(window(&w, first, &shortlist, &choice), VERDICT_KEEP,
                     "and the first one again");
        cr_assert_eq(window(&w, first, &shortlist, &choice), VERDICT_SWITCH);
        cr_assert_eq(w.phase, MONITOR_ON);
        cr_expect(choice_same(&choice, &shortlist.candidates[0].choice), "x %d", times);
    }
}

/* What disturbs the first plan alone makes no other one the quicker. */
Test(monitor, a_first_plan_that_was_disturbed_is_measured_again)
{
    struct choice choice, first;
    struct shortlist shortlist = three_plans(&choice);
    struct monitor w = {0};
    first = choice;
    shortlist.candidates[0].makespan = shortlist.makespan / 100 * 110;
    monitor_begin(&w, 10000000, shortlist.makespan);
    cr_assert_eq(window(&w, 24 * MILLISECOND / 10, &shortlist, &choice), VERDICT_SWITCH);
    cr_assert_eq(window(&w, 21 * MILLISECOND / 10, &shortlist, &choice), VERDICT_SWITCH);
    cr_assert(choice_same(&choice, &first));
    cr_assert_eq(w.phase, MONITOR_TRIAL);
    cr_assert_eq(window(&w, 2 * MILLISECOND, &shortlist, &choice), VERDICT_KEEP);
    cr_assert_eq(w.phase, MONITOR_ON);
    cr_assert_eq(w.usual, 2 * MILLISECOND);
    cr_assert(choice_same(&choice, &first));
}

/* Whose first operations take clearly longer is not tried on. */
Test(monitor, of_long_operations_the_slow_ones_are_soon_given_up)
{
    struct choice choice, first;
    struct shortlist shortlist = three_plans(&choice);
    struct monitor w = {0};
    shortlist.makespan *= 50;
    for (int i = 0; i < 3; i++)
        shortlist.candidates[i].makespan = shortlist.makespan + i;
    first = choice;
    int64_t took = 100 * MILLISECOND;
    monitor_begin(&w, 10000000, shortlist.makespan);
    cr_assert_eq(window(&w, took, &shortlist, &choice), VERDICT_SWITCH);
    int others = w.count - 1;
    for (int i = 0; i < others; i++) {
        cr_assert_eq(w.trial, 2);
        cr_assert_eq(window(&w, took / 100 * 103, &shortlist, &choice), VERDICT_SWITCH);
    }
    cr_assert_eq(w.phase, MONITOR_ON);
    cr_assert(choice_same(&choice, &first));
}

/* Who comes late from planning sees less of the operation than it takes. */
Test(monitor, the_operation_behind_planning_is_not_noted)
{
    struct monitor w = {0};
    monitor_planned(&w);
    monitor_begin(&w, 10000000, 2000000000);
    monitor_note(&w, MILLISECOND);
    cr_assert_eq(w.least, 0);
    monitor_note(&w, 2 * MILLISECOND);
    cr_assert_eq(w.least, 2 * MILLISECOND);
}

/* One quick operation among many says little: the window is longer than a trial. */
Test(monitor, plans_are_compared_by_as_many_operations)
{
    struct choice choice;
    struct shortlist shortlist = three_plans(&choice);
    struct choice first = choice;
    struct monitor w = {0};
    monitor_begin(&w, 2 * shortlist.makespan, shortlist.makespan);
    int64_t took = 4 * MILLISECOND;
    monitor_count(&w);
    monitor_note(&w, took / 2);
    while (!monitor_count(&w))
        monitor_note(&w, took);
    cr_assert_gt(w.seen, 32);
    monitor_note(&w, took);
    cr_assert_eq(w.least, took);
    monitor_agreed(&w, w.least, &shortlist, true, &choice);
    cr_assert_eq(w.phase, MONITOR_TRIAL);
    cr_assert(!choice_same(&choice, &first));
    cr_assert_eq(w.trial, 16);
    while (!monitor_count(&w))
        monitor_note(&w, took);
    cr_assert_eq(w.least, took);
}

/* Plans that were found later, when there was time for more, are tried, too; who has lost before is
 * not tried again. */
Test(monitor, plans_that_are_found_later_are_tried)
{
    for (int during = 0; during < 2; during++) { /* the trial of the first ones */
        struct choice choice;
        struct shortlist shortlist = three_plans(&choice);
        struct monitor w = {0};
        const struct choice first = choice, late = shortlist.candidates[2].choice;
        shortlist.candidates[0].makespan = 2100000000;
        shortlist.candidates[2].choice.planner = NULL;
        monitor_begin(&w, 10000000, shortlist.makespan);
        cr_assert_eq(window(&w, 2 * MILLISECOND, &shortlist, &choice), VERDICT_SWITCH);
        cr_assert(choice_same(&choice, &shortlist.candidates[0].choice));
        shortlist.candidates[2] = (struct candidate){late, 2200000000};
        if (during)
            monitor_again(&w);
        cr_assert_eq(window(&w, 3 * MILLISECOND, &shortlist, &choice), VERDICT_SWITCH);
        cr_assert(choice_same(&choice, &first));
        if (!during)
            monitor_again(&w);
        cr_assert_eq(window(&w, 2 * MILLISECOND, &shortlist, &choice), VERDICT_SWITCH);
        cr_expect(choice_same(&choice, &late));
        cr_assert_eq(window(&w, 1 * MILLISECOND, &shortlist, &choice), VERDICT_KEEP);
        cr_expect(choice_same(&choice, &late));
        cr_expect_eq(w.phase, MONITOR_ON);
    }
}

Test(monitor, results_that_are_rounded_are_not_tried)
{
    struct choice choice;
    struct shortlist shortlist = three_plans(&choice);
    struct monitor w = {0};
    monitor_begin(&w, 10000000, shortlist.makespan);
    cr_assert_eq(window_of(&w, 4 * MILLISECOND, &shortlist, false, &choice), VERDICT_KEEP);
    cr_assert_eq(w.phase, MONITOR_ON);
}

Test(monitor, a_file_that_is_far_off_is_compared_with_the_network_first)
{
    struct choice choice;
    struct shortlist shortlist = three_plans(&choice);
    struct monitor w = {0};
    monitor_begin(&w, 10000000, shortlist.makespan);
    cr_assert_eq(window_of(&w, 9 * MILLISECOND, &shortlist, true, &choice), VERDICT_DRIFT);
    cr_assert_eq(w.phase, MONITOR_FIRST);
    cr_assert_eq(window(&w, 9 * MILLISECOND, &shortlist, &choice), VERDICT_SWITCH);
    cr_assert_eq(w.phase, MONITOR_TRIAL);
}

Test(monitor, a_drift_is_seen_and_a_false_one_asked_about_less_often)
{
    struct choice choice;
    struct shortlist shortlist = three_plans(&choice);
    struct monitor w = {0};
    monitor_begin(&w, 10000000, shortlist.makespan);
    window(&w, 2 * MILLISECOND, &shortlist, &choice);
    cr_assert_eq(window(&w, 9 * MILLISECOND, &shortlist, &choice), VERDICT_DRIFT);
    int before = w.need;
    monitor_calm(&w, 9 * MILLISECOND);
    cr_assert_gt(w.need, before);
    cr_assert_eq(window(&w, 9 * MILLISECOND, &shortlist, &choice), VERDICT_KEEP);
}

/* As broadcasts one after the other, whose root does not wait. */
Test(monitor, data_that_were_there_before_are_no_measure)
{
    struct choice choice, chain, flat;
    struct shortlist shortlist = three_plans(&choice);
    struct monitor w = {0};
    chain = choice;
    choice_parse("flat", &flat);
    monitor_begin(&w, 10000000, shortlist.makespan);
    window(&w, MILLISECOND / 5, &shortlist, &choice);
    cr_assert_eq(w.phase, MONITOR_ON);
    cr_expect_eq(window(&w, 2 * MILLISECOND, &shortlist, &choice), VERDICT_KEEP, "as predicted");
    cr_expect_eq(window(&w, 9 * MILLISECOND, &shortlist, &choice), VERDICT_DRIFT);

    shortlist.candidates[0].makespan = shortlist.makespan / 10 * 12;
    monitor_begin(&w, 10000000, shortlist.makespan);
    cr_assert_eq(window(&w, 2 * MILLISECOND, &shortlist, &choice), VERDICT_SWITCH);
    cr_assert(choice_same(&choice, &flat));
    cr_assert_eq(window(&w, MILLISECOND / 5, &shortlist, &choice), VERDICT_SWITCH);
    cr_expect(choice_same(&choice, &chain), "the other was not measured in the same way");

    choice = chain;
    monitor_begin(&w, 10000000, shortlist.makespan);
    cr_assert_eq(window(&w, MILLISECOND / 2, &shortlist, &choice), VERDICT_SWITCH);
    cr_assert_eq(window(&w, MILLISECOND / 5, &shortlist, &choice), VERDICT_KEEP);
    cr_expect(choice_same(&choice, &flat), "both were");
}

Test(monitor, agreeing_is_a_small_part_of_the_time)
{
    struct monitor w = {0};
    for (int64_t agreement = 1; agreement < 100000; agreement *= 10)
        for (int64_t operation = 100; operation < 1000000; operation *= 10) {
            monitor_begin(&w, agreement, operation);
            cr_assert(w.need >= 4096 || w.need * operation >= 40 * agreement);
            cr_assert_geq(w.need, 4);
        }
}

/* Operations that take so many milliseconds, in turn, until the window is over. */
static enum verdict window_in_turn(struct monitor *w, const int *took, int count,
                                   const struct shortlist *shortlist, struct choice *choice)
{
    int turn = 0;
    w->checked = true;
    for (bool over = false; !over;) {
        over = monitor_count(w);
        monitor_note(w, (int64_t)took[turn++ % count] * MILLISECOND);
    }
    return monitor_agreed(w, monitor_time(w), shortlist, true, choice);
}

/* Full queues drop packets of one plan now and then: its least time is the least of all, but one
 * operation in four takes no longer. */
Test(monitor, of_long_operations_the_usual_time_counts)
{
    static const int varied[] = {600, 320, 900, 640}, steady[] = {500, 510, 490, 505};
    struct choice choice, steady_one;
    struct shortlist shortlist = three_plans(&choice);
    struct monitor w = {0};
    choice_parse("flat", &steady_one);
    shortlist.makespan *= 160; /* 320 ms */
    for (int i = 0; i < 3; i++)
        shortlist.candidates[i].makespan *= 160;
    monitor_begin(&w, 10000000, shortlist.makespan);
    cr_assert_eq(window_in_turn(&w, varied, 4, &shortlist, &choice), VERDICT_SWITCH);
    while (w.phase == MONITOR_TRIAL) {
        bool is_steady = choice_same(&choice, &steady_one);
        window_in_turn(&w, is_steady ? steady : varied, 4, &shortlist, &choice);
    }
    cr_assert(choice_same(&choice, &steady_one));
}
