/* test_centre.c - plans that meet in the middle of a network, where rank 0 lies at its edge. */
#include "select/auto.h"
#include "planners/centre.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const hn_time us = 1000000;

/* Three rooms of five ranks in a row: neighbours are 5 ms apart, the outer ones 10. */
static int room_of(int rank)
{
    return rank / 5;
}

static struct cost rooms_in_a_row(const struct model *model, int from, int to, int64_t bytes)
{
    int apart = abs(room_of(from) - room_of(to));
    (void)model;
    return (struct cost){10 * us, apart * 5000 * us + bytes * us / 100, 10 * us};
}

static const struct model row = {.ranks = 15, .cost = rooms_in_a_row};

static struct request asked(enum operation op)
{
    return (struct request){.op = op, .ranks = 15, .bytes = 8, .grain = 8, .steady = true};
}

Test(centre, the_least_far_ranks_come_first)
{
    struct matrix *matrix = matrix_new(&row, 0);
    struct timed *order = centre_order(matrix);
    cr_assert(order);
    for (int i = 0; i < 5; i++)
        cr_assert_eq(order[i].number, 5 + i, "%d", order[i].number);
    cr_assert_eq(order[5].number, 0);
    cr_assert_eq(order[0].time, 2 * 5020 * us);
    cr_assert_eq(order[14].time, 2 * 10020 * us);
    free(order);
    matrix_free(matrix);
}

/* All that meet at rank 0 take twice the longest way, 20 ms. */
Test(centre, the_first_call_meets_there)
{
    static const enum operation ops[] = {OP_BARRIER, OP_ALLREDUCE};
    for (int i = 0; i < 2; i++) {
        struct request req = asked(ops[i]);
        struct choice choice;
        struct plan *plan;
        struct timing timing;
        cr_assert_eq(planner_best_quick(&req, &row, 1, &choice, &plan, &timing, NULL), HN_OK);
        cr_assert_eq(room_of(choice.root), 1, "root %d", choice.root);
        cr_assert_leq(timing.makespan, 11000 * us);
        timing_free(&timing);
        plan_free(plan);
    }
}

/* Where rank 0 is as near as any, no time is lost on it. */
Test(centre, is_not_looked_at_from_the_middle)
{
    struct model model = {.ranks = 5, .cost = rooms_in_a_row};
    struct request req = asked(OP_ALLREDUCE);
    struct choice choice;
    struct plan *plan;
    req.ranks = 5;
    cr_assert_eq(planner_best_quick(&req, &model, 1, &choice, &plan, NULL, NULL), HN_OK);
    cr_assert_eq(choice.root, 0);
    plan_free(plan);
}
