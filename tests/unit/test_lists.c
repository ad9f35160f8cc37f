/* test_lists.c - multicasts to many different lists: no list's data are taken for another one's,
 * whatever is under way and in whatever order, and what is kept of lists is bounded.
 *
 * HNOW_LISTS=N: the long ones use N lists instead of LISTS. */
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "random.h"
#include "resident.h"
#include "watched.h"
#include "job/subset.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS = 7, MANY = 400, COUNT = 1024, LISTS = 3000, AGAIN = 3 * SUBSETS_KEPT, ROUNDS = 3 };

struct members {
    int root, to[TASKS], n;
};

static const hn_group *world;
static int me;
static uint64_t shared_seed, own_seed; /* the same at all tasks, and not */

static void begin(void)
{
    world = hn_world();
    me = hn_rank();
    shared_seed = random_seed();
    own_seed = shared_seed + (uint64_t)me + 1;
}

static int below(uint64_t *seed, int n)
{
    return (int)random_below(seed, n);
}

/* Some in some order; all tasks draw the same. */
static struct members draw(int root)
{
    struct members m = {.root = root < 0 ? below(&shared_seed, TASKS) : root};
    int all[TASKS], count = 0;
    for (int i = 0; i < TASKS; i++)
        if (i != m.root)
            all[count++] = i;
    for (int i = count - 1; i > 0; i--) {
        int k = below(&shared_seed, i + 1), swap = all[i];
        all[i] = all[k];
        all[k] = swap;
    }
    m.n = 2 + below(&shared_seed, TASKS - 2);
    memcpy(m.to, all, sizeof all);
    return m;
}

static _Bool takes_part(const struct members *m)
{
    _Bool in = m->root == me;
    for (int i = 0; i < m->n; i++)
        in |= m->to[i] == me;
    return in;
}

static void multicast(const struct members *m, int64_t salt)
{
    int64_t value = me == m->root ? salt : -1;
    if (!takes_part(m))
        return;
    job_check(hn_bcast_to(&value, 1, HN_INT64, m->root, m->to, m->n, world) == HN_OK);
    job_check(value == salt);
}

/* ---- at the same time ------------------------------------------------------------------------ */

static int64_t data[MANY][COUNT];

/* Each member begins them in an order of its own: among so many lists, some have whatever short
 * hash in common. */
static void all_at_once(const struct members *lists, int many)
{
    static hn_request *requests[MANY];
    int order[MANY];
    for (int i = 0; i < many; i++) {
        order[i] = i;
        for (int k = 0; k < COUNT; k++)
            data[i][k] = me == lists[i].root ? i : -1;
    }
    for (int i = many - 1; i > 0; i--) {
        int k = below(&own_seed, i + 1), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
    for (int i = 0; i < many; i++) {
        int at = order[i];
        const struct members *m = &lists[at];
        requests[at] = NULL;
        if (takes_part(m))
            job_check(hn_ibcast_to(data[at], COUNT, HN_INT64, m->root, m->to, m->n, world,
                                   &requests[at]) == HN_OK);
    }
    for (int i = 0; i < many; i++) {
        if (requests[i])
            job_check(hn_wait(requests[i], NULL) == HN_OK);
        for (int k = 0; k < COUNT && requests[i]; k++)
            job_check(data[i][k] == i);
    }
}

static _Bool is_new(const struct members *lists, int i)
{
    for (int k = 0; k < i; k++)
        if (lists[k].root == lists[i].root && lists[k].n == lists[i].n &&
            memcmp(lists[k].to, lists[i].to, (size_t)lists[i].n * sizeof *lists[i].to) == 0)
            return 0;
    return 1;
}

static _Bool together(void)
{
    static struct members lists[MANY];
    int many = random_rounds(MANY);
    begin();
    job_check(hn_set_plan(world, "chain/1024") == HN_OK);
    for (int i = 0; i < many; i++)
        do
            lists[i] = draw(i % 2 ? 0 : -1);
        while (!is_new(lists, i));
    all_at_once(lists, many);
    all_at_once(lists, many);
    return hn_barrier(world) == HN_OK;
}

Test(lists, many_at_the_same_time)
{
    cr_assert_eq(job_run(TASKS, 30, together), 0);
}

/* Lists whose 15-bit hash was the same once. */
static _Bool alike(void)
{
    static const struct members lists[] = {{0, {2, 1, 5, 4, 3, 6}, 6}, {0, {2, 6, 5, 4, 3}, 5}};
    enum { LONG = 1 << 16 };
    static char one[LONG], two[LONG];
    char *data_of[] = {one, two};
    hn_request *requests[2] = {NULL};
    begin();
    job_check(hn_set_plan(world, "chain/2048") == HN_OK);
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 2; i++) {
            const struct members *m = &lists[i];
            memset(data_of[i], me ? 0 : i + 1, LONG);
            if (takes_part(m))
                job_check(hn_ibcast_to(data_of[i], LONG, HN_BYTE, 0, m->to, m->n, world,
                                       &requests[i]) == HN_OK);
        }
        for (int i = 0; i < 2; i++) {
            if (!requests[i])
                continue;
            job_check(hn_wait(requests[i], NULL) == HN_OK);
            for (int k = 0; k < LONG; k++)
                job_check(data_of[i][k] == i + 1);
        }
    }
    return hn_barrier(world) == HN_OK;
}

Test(lists, of_equal_hash)
{
    cr_assert_eq(job_run(TASKS, 10, alike), 0);
}

/* ---- one after the other ------------------------------------------------------------------- */

static int how_many(void)
{
    const char *text = getenv("HNOW_LISTS");
    return text && atoi(text) > 0 ? atoi(text) : random_rounds(LISTS);
}

/* A list that was forgotten at some members or all comes back now and then. */
static _Bool soak(void)
{
    enum { KNOWN = 100, GROWTH = 8 << 10 /* KB; 38 KB a list would be 70 MB */ };
    static struct members before[KNOWN];
    int count = how_many();
    long settled = 0;
    begin();
    for (int i = 0; i < count; i++) {
        int at = below(&shared_seed, KNOWN);
        if (i < KNOWN || below(&shared_seed, 4))
            before[i < KNOWN ? i : at] = draw(-1);
        multicast(&before[i < KNOWN ? i : at], i);
        if (i == count / 3)
            settled = resident_kb();
    }
    if (!WATCHED_ADDRESS)
        job_check(resident_kb() - settled < GROWTH);
    return hn_barrier(world) == HN_OK;
}

Test(lists, memory_is_bounded)
{
    cr_assert_eq(job_run(TASKS, 60, soak), 0);
}

/* One list more than are kept, again and again: each has been given up when it comes. */
static _Bool in_turns(void)
{
    static struct members lists[AGAIN];
    begin();
    for (int i = 0; i < AGAIN; i++)
        lists[i] = draw(i % 3 ? 0 : -1);
    for (int round = 0; round < random_rounds(ROUNDS); round++)
        for (int i = 0; i < AGAIN; i++)
            multicast(&lists[i], AGAIN * round + i);
    return hn_barrier(world) == HN_OK;
}

Test(lists, come_back)
{
    cr_assert_eq(job_run(TASKS, 30, in_turns), 0);
}

/* The root has long given a list up when a member begins the first of its calls. */
static _Bool late(void)
{
    static struct members lists[AGAIN];
    enum { LATE = 3 };
    begin();
    for (int i = 0; i < AGAIN; i++)
        lists[i] = draw(0);
    job_check(hn_set_plan(world, "flat") == HN_OK);
    if (me == LATE) /* the others have done all of it */
        job_check(hn_recv(hn_group_tid(world, 0), 1, NULL, 0, HN_BYTE, NULL) == HN_OK);
    for (int round = 0; round < random_rounds(ROUNDS); round++)
        for (int i = 0; i < AGAIN; i++)
            multicast(&lists[i], AGAIN * round + i);
    if (me == 0)
        job_check(hn_send(hn_group_tid(world, LATE), 1, NULL, 0, HN_BYTE) == HN_OK);
    return hn_barrier(world) == HN_OK;
}

Test(lists, late_member)
{
    cr_assert_eq(job_run(TASKS, 30, late), 0);
}

/* A root that has done its part may leave before others begin theirs. */
static _Bool leaves(void)
{
    static const int to[] = {1, 2};
    int64_t value = hn_rank() == 0 ? 42 : -1;
    begin();
    job_check(hn_set_plan(world, "flat") == HN_OK);
    if (me != 0)
        job_check(hn_recv(hn_group_tid(world, 0), 1, NULL, 0, HN_BYTE, NULL) == HN_EDEAD);
    job_check(hn_bcast_to(&value, 1, HN_INT64, 0, to, 2, world) == HN_OK && value == 42);
    return 1;
}

Test(lists, root_leaves)
{
    cr_assert_eq(job_run(3, 10, leaves), 0);
}

/* All members of a list pass the same wrong argument, at each of many lists: who counts such calls
 * gives the lists up all the same. */
static _Bool mistaken(void)
{
    static struct members lists[AGAIN];
    int64_t value = 0;
    begin();
    for (int i = 0; i < AGAIN; i++)
        lists[i] = draw(-1);
    for (int i = 0; i < AGAIN; i++) {
        const struct members *m = &lists[i];
        if (takes_part(m))
            job_check(hn_bcast_to(&value, 1, 77, m->root, m->to, m->n, world) == HN_EARG);
    }
    for (int i = 0; i < AGAIN; i++)
        multicast(&lists[i], i);
    return hn_barrier(world) == HN_OK;
}

Test(lists, mistakes_count)
{
    cr_assert_eq(job_run(TASKS, 30, mistaken), 0);
}

/* Requests that live keep their list, however many others come. */
static _Bool lasting(void)
{
    static const struct members kept = {1, {0, 2, 3}, 3};
    int64_t value = -1;
    hn_request *request = NULL;
    begin();
    if (takes_part(&kept))
        job_check(hn_bcast_to_init(&value, 1, HN_INT64, kept.root, kept.to, kept.n, world,
                                   &request) == HN_OK);
    for (int round = 0; round < random_rounds(ROUNDS); round++) {
        for (int i = 0; i < AGAIN; i++) {
            struct members m = draw(-1);
            multicast(&m, i);
        }
        value = me == kept.root ? round : -1;
        if (request)
            job_check(hn_start(request) == HN_OK && hn_wait(request, NULL) == HN_OK &&
                      value == round);
    }
    multicast(&kept, 77);
    job_check(!request || hn_request_free(request) == HN_OK);
    multicast(&kept, 78);
    return hn_barrier(world) == HN_OK;
}

Test(lists, persistent_requests)
{
    cr_assert_eq(job_run(TASKS, 30, lasting), 0);
}
