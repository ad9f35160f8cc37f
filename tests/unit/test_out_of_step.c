/* test_out_of_step.c - plans follow the network while one member has made calls with wrong
 * arguments, so that it has planned fewer operations than the others: what then fails names that
 * member, no result is wrong, nobody waits for ever, and in the end all goes well again. */
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "quick_net.h"
#include "wire/open_table.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MEMBERS = 5, CULPRIT = 3, ELEMENTS = 500, ROUNDS = 1200, GOOD = 300 };

static int64_t data[ELEMENTS];

static int sum(bool right, int salt)
{
    for (int i = 0; i < ELEMENTS; i++)
        data[i] = hn_rank() + salt + i;
    int error = hn_allreduce(HN_IN_PLACE, data, ELEMENTS, HN_INT64, right ? HN_SUM : (hn_op)12345,
                             hn_world());
    for (int i = 0; i < ELEMENTS && !error; i++)
        job_check(data[i] == MEMBERS * (salt + i) + MEMBERS * (MEMBERS - 1) / 2);
    return error;
}

static int hand_out(bool right, int salt)
{
    for (int i = 0; i < ELEMENTS; i++)
        data[i] = hn_rank() == 0 ? salt + i : -1;
    int error = hn_bcast(data, ELEMENTS, HN_INT64, right ? 0 : -1, hn_world());
    for (int i = 0; i < ELEMENTS && !error; i++)
        job_check(data[i] == salt + i);
    return error;
}

static void check_named(int error)
{
    char task[40];
    snprintf(task, sizeof task, "task %d on host ", hn_group_tid(hn_world(), CULPRIT));
    job_check(error == HN_EARG || error == HN_ETRUNC || error == HN_ETYPE);
    job_check(hn_rank() == CULPRIT || strstr(hn_error_text(), task));
}

static _Bool goes_on(void)
{
    int failed = 0;
    for (int i = 0; i < ROUNDS; i++) {
        bool right = hn_rank() != CULPRIT || (i != 5 && i != 100 && i != 101);
        int error = i % 2 ? sum(right, i) : hand_out(right, i);
        if (error) {
            check_named(error);
            job_check(i < ROUNDS - GOOD);
            failed++;
        }
    }
    job_check(failed < 40);
    return 1;
}

Test(out_of_step, while_plans_follow_the_network)
{
    cr_assert_eq(job_run_on(MEMBERS, 3, quick_net, 25, goes_on), 0);
}

/* ---- another plan ------------------------------------------------------------------------------
 */

/* Messages of most plans are as long as each other, and mean something else: next to the root of a
 * chain a member sends the sum of all behind it, in a flat tree its own. */
enum { SECOND = 1 };

static _Bool another_plan(void)
{
    static const char *const plans[] = {"flat", "chain", "binomial", "butterfly"};
    enum { PLANS = sizeof plans / sizeof *plans };
    for (int i = 0; i < PLANS * PLANS; i++) {
        bool culprit = hn_rank() == SECOND, agreed = i / PLANS == i % PLANS;
        job_check(hn_set_plan(hn_world(), plans[culprit ? i / PLANS : i % PLANS]) == HN_OK);
        int error = sum(true, i);
        job_check(agreed ? error == HN_OK : !error || error == HN_EARG);
    }
    job_check(hn_set_plan(hn_world(), NULL) == HN_OK);
    return hn_barrier(hn_world()) == HN_OK;
}

/* Who has made a mistake waits for long before the others come, and so mostly notices first: by
 * asking at the second tick or the fourth (argument_check.c). */
static _Bool culprit_notices(void)
{
    char task[40];
    bool culprit = hn_rank() == SECOND;
    snprintf(task, sizeof task, "task %d on host ", hn_group_tid(hn_world(), SECOND));
    job_check(hn_set_plan(hn_world(), "flat") == HN_OK);
    job_check(sum(!culprit, 0) != HN_OK);
    job_check(hn_set_plan(hn_world(), culprit ? "chain" : "flat") == HN_OK);
    if (!culprit)
        usleep(1800000);
    int error = sum(true, 1);
    job_check(culprit ? error == HN_EARG : !error || strstr(hn_error_text(), task));
    job_check(hn_set_plan(hn_world(), NULL) == HN_OK);
    return hn_barrier(hn_world()) == HN_OK;
}

Test(out_of_step, who_was_mistaken_before_takes_the_blame)
{
    cr_assert_eq(job_run(MEMBERS, 40, culprit_notices), 0);
}

Test(out_of_step, one_follows_another_plan)
{
    cr_assert_eq(job_run(MEMBERS, 40, another_plan), 0);
}

/* ---- tags --------------------------------------------------------------------------------------
 */

enum { OPERATIONS = 4096 };

static int tag_of(struct open_table *table, int root, const char *plan)
{
    struct slot slot = {0};
    open_table_step(table, &slot, (enum kind)OP_BCAST, root);
    return open_table_planned(&slot, 1, plan);
}

/* Two members, each with its root and plan: in how many operations their tags are equal. */
static int equal_tags(int root, const char *plan, int other_root, const char *other_plan)
{
    struct open_tables *all = open_tables_new(), *others = open_tables_new();
    struct open_table *here, *there;
    int equal = 0;
    open_table_open(all, &here, 1, NULL); /* HN_ESTATE: it is in no job */
    open_table_open(others, &there, 1, NULL);
    cr_assert(here && there);
    for (int i = 0; i < OPERATIONS; i++)
        equal += tag_of(here, root, plan) == tag_of(there, other_root, other_plan);
    open_table_close(here);
    open_table_close(there);
    open_tables_free(all);
    open_tables_free(others);
    return equal;
}

Test(out_of_step, tags_of_other_roots_and_plans)
{
    enum { FEW = OPERATIONS / 64, ROOTS = 300 };
    cr_expect_eq(equal_tags(3, "chain/2048", 3, "chain/2048"), OPERATIONS);
    cr_expect_eq(equal_tags(200, "flat", 200, "flat"), OPERATIONS);
    for (int root = 1; root < 128; root++)
        cr_expect_eq(equal_tags(0, "flat", root, "flat"), 0, "root %d", root);
    for (int root = 128; root < ROOTS; root++) {
        int equal = equal_tags(0, "flat", root, "flat");
        cr_expect_leq(equal, FEW, "root %d: %d", root, equal);
    }
    for (int segment = 1; segment < ROOTS; segment++) {
        char plan[40];
        snprintf(plan, sizeof plan, "chain/%d", 2048 + segment);
        int equal = equal_tags(0, "chain/2048", 0, plan);
        cr_expect_leq(equal, FEW, "%s: %d", plan, equal);
    }
}
