/* test_freeing.c - groups and operators that a program frees while operations with them are under
 * way, at some members before others have begun: the operations go on to their right end. Real
 * tasks over real sockets (job.h). */
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "random.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 30, COUNT = 3000, STARTS = 4 };

/* All tasks; the last rank is rank 0. */
static hn_group *new_group(unsigned number)
{
    hn_tid tids[JOB_MAX];
    hn_group *group;
    for (int i = 0; i < hn_size(); i++)
        tids[i] = hn_group_tid(hn_world(), hn_size() - 1 - i);
    job_check(hn_group_new(tids, hn_size(), 0x40000000 + 4 * number, &group) == HN_OK);
    return group;
}

/* Some come late, so that others have freed their group before these begin. */
static void come_late(uint64_t *own)
{
    if (random_below(own, 3) == 0)
        usleep((useconds_t)random_below(own, 3000));
}

/* What was written over a freed group is found by AddressSanitizer, and here by groups that take
 * its place. */
static _Bool groups(void)
{
    static int64_t in[COUNT], sum[COUNT], all[JOB_MAX], moved[JOB_MAX], gathered[JOB_MAX];
    size_t one[JOB_MAX], places[JOB_MAX], bytes[JOB_MAX];
    hn_type types[JOB_MAX];
    int n = hn_size();
    uint64_t own = random_seed() + (uint64_t)hn_rank();
    for (int i = 0; i < n; i++) {
        one[i] = 1;
        places[i] = (size_t)i;
        bytes[i] = (size_t)i * sizeof(int64_t);
        types[i] = HN_INT64;
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        hn_request *requests[5];
        hn_group *group = new_group(round);
        int me = hn_group_rank(group, hn_mytid());
        int64_t mine = 100 * me + round;
        for (int i = 0; i < COUNT; i++)
            in[i] = me * i + round;
        come_late(&own);
        job_check(hn_iallreduce(in, sum, COUNT, HN_INT64, HN_SUM, group, &requests[0]) == HN_OK);
        job_check(hn_igatherv(&mine, 1, gathered, one, places, HN_INT64, 0, group, &requests[1]) ==
                  HN_OK);
        job_check(hn_iallgather(&mine, 1, all, HN_INT64, group, &requests[2]) == HN_OK);
        job_check(hn_ialltoallw(in, one, bytes, types, moved, one, bytes, types, group,
                                &requests[3]) == HN_OK);
        job_check(hn_ibarrier(group, &requests[4]) == HN_OK);
        hn_group_free(group);
        hn_group_free(new_group(ROUNDS + round));
        for (int k = 0; k < 5; k++)
            job_check(hn_wait(requests[k], NULL) == HN_OK);
        for (int i = 0; i < COUNT; i++)
            job_check(sum[i] == (int64_t)n * (n - 1) / 2 * i + n * round);
        for (int i = 0; i < n; i++) {
            job_check(all[i] == 100 * i + round && moved[i] == i * me + round);
            job_check(me > 0 || gathered[i] == 100 * i + round);
        }
    }
    return 1;
}

Test(freeing, groups_of_what_is_under_way)
{
    for (int n = 1; n <= 5; n += 2)
        cr_assert_eq(job_run(n, 60, groups), 0, "%d tasks, HNOW_SEED=%llu", n,
                     (unsigned long long)random_seed());
}

/* A persistent operation outlives its group, and can be started after that. */
static _Bool lasting(void)
{
    int64_t in[2] = {0}, out[2] = {0};
    int n = hn_size(), me = hn_rank();
    hn_group *group = new_group(1);
    hn_request *sum, *moved;
    size_t one[JOB_MAX], places[JOB_MAX];
    hn_type types[JOB_MAX];
    int64_t from[JOB_MAX], to[JOB_MAX];
    for (int i = 0; i < n; i++) {
        one[i] = 1;
        places[i] = (size_t)i * sizeof(int64_t);
        types[i] = HN_INT64;
    }
    job_check(hn_allreduce_init(in, out, 2, HN_INT64, HN_MAX, group, &sum) == HN_OK);
    job_check(hn_alltoallw_init(from, one, places, types, to, one, places, types, group, &moved) ==
              HN_OK);
    hn_group_free(group);
    for (int k = 0; k < STARTS; k++) {
        in[0] = me + k;
        in[1] = -me;
        for (int i = 0; i < n; i++)
            from[i] = me * 10 + k;
        job_check(hn_start(sum) == HN_OK && hn_start(moved) == HN_OK);
        job_check(hn_wait(moved, NULL) == HN_OK && hn_wait(sum, NULL) == HN_OK);
        job_check(out[0] == n - 1 + k && out[1] == 0);
        for (int i = 0; i < n; i++)
            job_check(to[i] == (n - 1 - i) * 10 + k);
    }
    job_check(hn_request_free(sum) == HN_OK);
    return me % 2 || hn_request_free(moved) == HN_OK; /* hn_exit() frees the others' */
}

Test(freeing, groups_of_persistent_operations)
{
    cr_assert_eq(job_run(4, 60, lasting), 0);
}

/* Nobody waits: hn_exit() finishes the operation, and frees it with its group. */
static _Bool left(void)
{
    static int64_t data[COUNT];
    hn_request *request;
    hn_group *group = new_group(1);
    job_check(hn_ibcast(data, COUNT, HN_INT64, 0, group, &request) == HN_OK);
    hn_group_free(group);
    return 1;
}

Test(freeing, groups_of_what_nobody_waits_for)
{
    cr_assert_eq(job_run(4, 60, left), 0);
}

/* ---- operators ---------------------------------------------------------------------------------
 */

static void add(const void *left, const void *right, void *result, size_t count, hn_type type,
                void *data)
{
    const int64_t *l = left, *r = right;
    (void)type;
    for (size_t i = 0; i < count; i++)
        ((int64_t *)result)[i] = l[i] + r[i] + *(int64_t *)data;
}

/* The next operator gets the number of the one that was freed, and does something else. */
static _Bool operators(void)
{
    static int64_t none = 0, thousand = 1000, in[2][COUNT], out[2][COUNT];
    int64_t *data[2] = {&none, &thousand};
    hn_request *requests[2];
    int n = hn_size();
    for (int k = 0; k < 2; k++) {
        hn_op op;
        for (int i = 0; i < COUNT; i++)
            in[k][i] = i + k;
        job_check(hn_op_new(add, data[k], 1, 1, &op) == HN_OK);
        job_check(hn_iallreduce(in[k], out[k], COUNT, HN_INT64, op, hn_world(), &requests[k]) ==
                  HN_OK);
        job_check(hn_op_free(op) == HN_OK);
    }
    for (int k = 0; k < 2; k++)
        job_check(hn_wait(requests[k], NULL) == HN_OK);
    for (int i = 0; i < COUNT; i++)
        job_check(out[0][i] == n * i && out[1][i] == n * (i + 1) + (n - 1) * 1000);
    return 1;
}

Test(freeing, operators_of_what_is_under_way)
{
    cr_assert_eq(job_run(4, 60, operators), 0);
}

enum { THREADS = 8 };

static void *make_operator(void *op)
{
    return hn_op_new(add, NULL, 1, 1, op) == HN_OK ? op : NULL;
}

/* Operators are the task's: none before it enrols, none of a job before, and threads that make the
 * first ones at the same time share one table. */
Test(freeing, operators_of_the_task)
{
    hn_op op[THREADS];
    pthread_t thread[THREADS];
    void *good;
    cr_assert_eq(hn_op_new(add, NULL, 1, 1, op), HN_ESTATE);
    for (int job = 0; job < 20; job++) {
        cr_assert_eq(hn_enrol(), HN_OK);
        cr_assert_eq(hn_op_free((hn_op)256), HN_EARG);
        for (int i = 0; i < THREADS; i++)
            cr_assert_eq(pthread_create(&thread[i], NULL, make_operator, &op[i]), 0);
        for (int i = 0; i < THREADS; i++) {
            pthread_join(thread[i], &good);
            cr_assert(good);
        }
        for (int i = 0; i < THREADS; i++)
            cr_assert_eq(hn_op_free(op[i]), HN_OK, "a number was given out twice");
        cr_assert_eq(hn_op_new(add, NULL, 1, 1, op), HN_OK);
        cr_assert_eq(hn_exit(), HN_OK);
    }
}
