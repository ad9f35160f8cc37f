/* test_restart.c - persistent operations that fail at a start, are given up by one member while
 * others start them, or whose group is freed: everybody who waits in vain hears of it, with the
 * name of the task; nothing that one start has left is taken for another's. */
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { CULPRIT = 1 };

static const hn_group *world;
static int me, n;

static void begin(void)
{
    world = hn_world();
    me = hn_rank();
    n = hn_size();
}

/* By the culprit itself, or by another one who could not go on. */
static void check_told(int error, const char *what)
{
    const char *text = hn_error_text();
    char task[40];
    snprintf(task, sizeof task, "task %d on host ", hn_group_tid(world, CULPRIT));
    job_check(error == HN_EARG && strstr(text, task) &&
              (strstr(text, what) || strstr(text, "with an error: an argument is not valid")));
}

static int run(hn_request *request)
{
    int error = hn_start(request);
    return error ? error : hn_wait(request, NULL);
}

/* Started twice by all, then freed by one, and started once more by the others. */
static void give_up(hn_request *request, const int64_t *results, int64_t expected)
{
    for (int i = 0; i < 2; i++) {
        job_check(run(request) == HN_OK);
        job_check(results[CULPRIT] == expected);
    }
    if (me != CULPRIT)
        check_told(run(request), "has freed its request");
    if (me != CULPRIT) /* once more it is said at once */
        job_check(hn_start(request) == HN_ESTATE && strstr(hn_error_text(), "another request"));
    job_check(hn_request_free(request) == HN_OK);
    job_check(hn_barrier(world) == HN_OK);
}

static _Bool gives_up(void)
{
    begin();
    int64_t in[4] = {me, me, me, me}, out[4] = {0};
    size_t counts[4] = {1, 1, 1, 1}, places[4] = {0, 8, 16, 24}, displs[4] = {0, 1, 2, 3};
    hn_type types[4] = {HN_INT64, HN_INT64, HN_INT64, HN_INT64};
    hn_request *request;
    job_check(hn_allreduce_init(in, out, 4, HN_INT64, HN_SUM, world, &request) == HN_OK);
    give_up(request, out, n * (n - 1) / 2);
    job_check(hn_allgatherv_init(in, out, counts, displs, HN_INT64, world, &request) == HN_OK);
    give_up(request, out, CULPRIT);
    job_check(hn_alltoallv_init(in, counts, displs, out, counts, displs, HN_INT64, world,
                                &request) == HN_OK);
    give_up(request, out, CULPRIT);
    job_check(hn_alltoallw_init(in, counts, places, types, out, counts, places, types, world,
                                &request) == HN_OK);
    give_up(request, out, CULPRIT);
    return 1;
}

Test(restart, one_member_gives_it_up)
{
    cr_assert_eq(job_run(3, 20, gives_up), 0);
}

/* The culprit has no request, since its buffer is missing: without its data the start fails at
 * those who need it, and they cannot start it again; who has only to send may. */
static void fail(int made, hn_request *request, bool depends)
{
    job_check(made == (me == CULPRIT ? HN_EARG : HN_OK));
    if (me != CULPRIT) {
        int error = run(request);
        job_check(!depends || error);
        if (error)
            check_told(error, "with an error");
        for (int i = 0; i < 2; i++) {
            int again = run(request);
            job_check(error ? again == HN_ESTATE
                            : !again || again == HN_EARG || again == HN_ESTATE);
        }
        job_check(hn_request_free(request) == HN_OK);
    }
    job_check(hn_barrier(world) == HN_OK);
}

static _Bool fails(void)
{
    begin();
    int64_t in = 1, out[4];
    const void *data = me == CULPRIT ? NULL : &in;
    hn_request *request = NULL;
    int made = hn_allreduce_init(data, out, 1, HN_INT64, HN_SUM, world, &request);
    fail(made, request, true);
    made = hn_gather_init(data, 1, out, HN_INT64, 0, world, &request);
    fail(made, request, me == 0);
    made = hn_scan_init(data, out, 1, HN_INT64, HN_SUM, world, &request);
    fail(made, request, me > CULPRIT);
    return 1;
}

Test(restart, after_a_failed_start)
{
    cr_assert_eq(job_run(4, 20, fails), 0);
}

/* One member sends more than there is room for: what it has sent stays, and must not be taken for
 * the next start's. */
static _Bool too_long(void)
{
    begin();
    int64_t in[8] = {me, me, me, me, me, me, me, me}, out[8];
    size_t counts[4] = {1, 1, 1, 1}, more[4] = {2, 2, 2, 2}, places[4] = {0, 16, 32, 48};
    hn_type types[4] = {HN_INT64, HN_INT64, HN_INT64, HN_INT64};
    hn_request *request;
    job_check(hn_alltoallw_init(in, me == CULPRIT ? more : counts, places, types, out,
                                me == CULPRIT ? more : counts, places, types, world,
                                &request) == HN_OK);
    int error = run(request), again = run(request);
    job_check(error == (me == CULPRIT ? HN_OK : HN_ETRUNC));
    job_check(again == (error ? HN_ESTATE : HN_EARG));
    job_check(hn_request_free(request) == HN_OK);
    return hn_barrier(world) == HN_OK;
}

Test(restart, a_block_too_long)
{
    cr_assert_eq(job_run(4, 12, too_long), 0);
}

/* One member frees the group, the others go on with it. */
static _Bool frees(void)
{
    begin();
    int64_t sum = 1;
    int list[1] = {CULPRIT};
    hn_tid tids[3] = {hn_group_tid(world, 0), hn_group_tid(world, 1), hn_group_tid(world, 2)};
    hn_group *copy;
    job_check(hn_group_new(tids, 3, 0x40000000, &copy) == HN_OK);
    job_check(hn_allreduce(HN_IN_PLACE, &sum, 1, HN_INT64, HN_SUM, copy) == HN_OK && sum == n);
    if (me == 0 || me == CULPRIT)
        job_check(hn_bcast_to(&sum, 1, HN_INT64, 0, list, 1, copy) == HN_OK);
    if (me != CULPRIT)
        check_told(hn_allreduce(HN_IN_PLACE, &sum, 1, HN_INT64, HN_SUM, copy),
                   "has freed its group");
    list[0] = 0;
    if (me == 0)
        check_told(hn_bcast_to(&sum, 1, HN_INT64, CULPRIT, list, 1, copy), "has freed its group");
    hn_group_free(copy);
    return hn_barrier(world) == HN_OK;
}

Test(restart, one_member_frees_the_group)
{
    cr_assert_eq(job_run(3, 12, frees), 0);
}
