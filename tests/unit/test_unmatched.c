/* test_unmatched.c - a member calls a multicast to a list with wrong arguments, also if the
 * intended list cannot be known. Members that wait for it are told whose mistake it was, and the
 * next multicast to the list is the next one everywhere.
 */
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { MEMBERS = 5, LISTED = 3 };

enum mistake {
    NO_ROOT,
    ROOT_BEYOND,
    TWICE,
    BEYOND,
    NOT_I,
    NO_LIST,
    NEGATIVE,
    TYPE,
    BUFFER,
    NO_REQUEST,
    MISTAKES
};

/* The root, and along a chain those after it. */
static const int chain[LISTED + 1] = {2, 0, 4, 3};

static const hn_group *world;
static int me;

static void begin(void)
{
    world = hn_world();
    me = hn_rank();
    job_check(hn_set_plan(world, "chain") == HN_OK);
}

/* Where the caller stands in it; -1: nowhere. */
static int place_of(int rank)
{
    for (int i = 0; i <= LISTED; i++)
        if (chain[i] == rank)
            return i;
    return -1;
}

static int wrong(enum mistake mistake, int64_t *value)
{
    int to[LISTED], n = LISTED, root = chain[0];
    hn_type type = HN_INT64;
    hn_request *request, **place = &request;
    memcpy(to, chain + 1, sizeof to);
    switch (mistake) {
    case NO_ROOT:
        root = -1;
        break;
    case ROOT_BEYOND:
        root = INT_MAX;
        break;
    case TWICE:
        to[LISTED - 1] = to[0];
        break;
    case BEYOND:
        to[1] = MEMBERS;
        break;
    case NOT_I: /* a root that lists itself has done that twice */
        n = 0;
        for (int i = 1; i <= LISTED; i++)
            if (chain[i] != me)
                to[n++] = chain[i];
        if (me == root)
            to[0] = me;
        break;
    case NO_LIST:
        return hn_bcast_to(value, 1, type, root, NULL, n, world);
    case NEGATIVE:
        n = -1;
        break;
    case TYPE:
        type = 77;
        break;
    case BUFFER:
        value = NULL;
        break;
    default:
        place = NULL;
    }
    int error = hn_ibcast_to(value, 1, type, root, to, n, world, place);
    return error ? error : hn_wait(request, NULL);
}

static void check_named(int error, int culprit)
{
    char task[40];
    snprintf(task, sizeof task, "task %d on host ", hn_group_tid(world, culprit));
    job_check(error == HN_EARG && strstr(hn_error_text(), task));
}

static void go_well(int64_t salt)
{
    int64_t value = me == chain[0] ? salt : -1;
    job_check(hn_bcast_to(&value, 1, HN_INT64, chain[0], chain + 1, LISTED, world) == HN_OK);
    job_check(value == salt);
}

/* The one at this place of the chain makes the mistake: who comes behind it has no data. */
static void one(enum mistake mistake, int at)
{
    int64_t value = me == chain[0] ? 7 : -1;
    int place = place_of(me);
    if (place < 0)
        return;
    if (place == at) {
        job_check(wrong(mistake, &value) == HN_EARG && !strstr(hn_error_text(), "task"));
    } else {
        hn_request *request;
        int error = hn_ibcast_to(&value, 1, HN_INT64, chain[0], chain + 1, LISTED, world, &request);
        job_check(error == HN_OK);
        error = hn_wait(request, NULL);
        if (place > at)
            check_named(error, chain[at]);
        else
            job_check(error == HN_OK && value == 7);
    }
    go_well(10 * (int)mistake + at);
    go_well(10 * (int)mistake + at + 1);
}

/* At the root, and in the middle of the chain. */
static _Bool each(void)
{
    begin();
    for (int mistake = 0; mistake < MISTAKES; mistake++)
        one((enum mistake)mistake, mistake % 2);
    return hn_barrier(world) == HN_OK;
}

Test(strays, each_is_told)
{
    cr_assert_eq(job_run(MEMBERS, 30, each), 0);
}

/* Nobody waits for the last one of the chain: its next call is the next one all the same. */
static _Bool leaf(void)
{
    begin();
    one(NO_ROOT, LISTED);
    one(BEYOND, LISTED);
    one(NEGATIVE, LISTED);
    one(TYPE, LISTED);
    return hn_barrier(world) == HN_OK;
}

Test(strays, nobody_asks)
{
    cr_assert_eq(job_run(MEMBERS, 12, leaf), 0);
}

/* A mistake that all have made alike is none between them. */
static _Bool alike(void)
{
    begin();
    int64_t value = 0;
    int twice[LISTED] = {chain[1], chain[2], chain[1]};
    job_check(hn_bcast_to(&value, 1, HN_INT64, chain[0], twice, LISTED, world) == HN_EARG);
    job_check(hn_bcast_to(&value, 1, HN_INT64, -1, chain + 1, LISTED, world) == HN_EARG);
    job_check(hn_bcast_to(&value, 1, HN_INT64, chain[0], NULL, LISTED, world) == HN_EARG);
    if (place_of(me) >= 0)
        go_well(5);
    return hn_barrier(world) == HN_OK;
}

Test(strays, alike_at_all)
{
    cr_assert_eq(job_run(MEMBERS, 12, alike), 0);
}

/* The mistake is met where a persistent one is started. */
static _Bool lasting(void)
{
    int64_t value = 1;
    hn_request *request;
    begin();
    int place = place_of(me), error = HN_OK;
    if (place == 1) {
        error = hn_bcast_to_init(&value, 1, HN_INT64, chain[0], chain + 1, -3, world, &request);
        job_check(error == HN_EARG);
    } else if (place >= 0) {
        error = hn_bcast_to_init(&value, 1, HN_INT64, chain[0], chain + 1, LISTED, world, &request);
        job_check(error == HN_OK && hn_start(request) == HN_OK);
        error = hn_wait(request, NULL);
        if (place > 1)
            check_named(error, chain[1]);
        job_check(hn_request_free(request) == HN_OK);
    }
    if (place >= 0)
        go_well(3); /* these have numbers of their own */
    return hn_barrier(world) == HN_OK;
}

Test(strays, persistent)
{
    cr_assert_eq(job_run(MEMBERS, 12, lasting), 0);
}
