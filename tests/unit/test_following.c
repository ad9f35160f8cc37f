/* test_following.c - plans that change while operations are under way: blocking, nonblocking and
 * persistent ones mixed at random, on a network file that is wrong, so that plans are tried and the
 * network is measured all the time. Real tasks over real sockets (job.h). */
#include "wire/adapt.h"
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "quick_net.h"
#include "random.h"
#include "wire/group_state.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 30000, FLIGHT = 6, ROUNDS = 240, MEMBERS = 5, MEETINGS = 20000 };

/* ---- one operation -----------------------------------------------------------------------------
 */

struct mover {
    bool sums;
    int root, salt;
    int64_t *data;
    hn_request *request, *lasting;
};

static int64_t value(const struct mover *o, int rank, int i)
{
    return (int64_t)i * 7 + rank + o->salt;
}

static void fill(struct mover *o, int salt)
{
    o->salt = salt;
    for (int i = 0; i < ELEMENTS; i++)
        o->data[i] = o->sums || hn_rank() == o->root ? value(o, hn_rank(), i) : -1;
}

static void check(const struct mover *o)
{
    int n = hn_size();
    for (int i = 0; i < ELEMENTS; i++)
        job_check(o->data[i] ==
                  (o->sums ? n * value(o, 0, i) + n * (n - 1) / 2 : value(o, o->root, i)));
}

static int start(struct mover *o)
{
    if (o->sums)
        return hn_iallreduce(HN_IN_PLACE, o->data, ELEMENTS, HN_INT64, HN_SUM, hn_world(),
                             &o->request);
    return hn_ibcast(o->data, ELEMENTS, HN_INT64, o->root, hn_world(), &o->request);
}

static int block(struct mover *o)
{
    if (o->sums)
        return hn_allreduce(HN_IN_PLACE, o->data, ELEMENTS, HN_INT64, HN_SUM, hn_world());
    return hn_bcast(o->data, ELEMENTS, HN_INT64, o->root, hn_world());
}

static void make(struct mover *o, bool sums, int root)
{
    *o = (struct mover){.sums = sums, .root = root};
    o->data = malloc(ELEMENTS * sizeof *o->data);
    job_check(o->data);
}

/* ---- many --------------------------------------------------------------------------------------
 */

/* Some at the same time, some of them by blocking calls in between; waited for in each task's own
 * order. */
static void fly(struct mover *flight, uint64_t *shared, uint64_t *own)
{
    struct mover *left[FLIGHT];
    int count = 0, many = 1 + (int)random_below(shared, FLIGHT);
    for (int i = 0; i < many; i++) {
        struct mover *o = &flight[i];
        fill(o, (int)random_below(shared, 1000));
        if (random_below(shared, 3) == 0) {
            job_check(block(o) == HN_OK);
            check(o);
        } else {
            job_check(start(o) == HN_OK);
            left[count++] = o;
        }
    }
    while (count > 0) {
        int i = (int)random_below(own, count);
        job_check(hn_wait(left[i]->request, NULL) == HN_OK);
        check(left[i]);
        left[i] = left[--count];
    }
}

/* Two persistent ones, in an order that differs from task to task. */
static void repeat(struct mover *two, uint64_t *shared, uint64_t *own)
{
    int first = (int)random_below(own, 2);
    for (int i = 0; i < 2; i++)
        fill(&two[i], (int)random_below(shared, 1000));
    for (int i = 0; i < 2; i++)
        job_check(hn_start(two[i ^ first].lasting) == HN_OK);
    first = (int)random_below(own, 2);
    for (int i = 0; i < 2; i++)
        job_check(hn_wait(two[i ^ first].lasting, NULL) == HN_OK);
    for (int i = 0; i < 2; i++)
        check(&two[i]);
}

static struct decision decision_of(struct request req)
{
    struct group_state *state;
    req.ranks = hn_size();
    job_check(group_state_get(hn_world(), &state) == HN_OK);
    struct decision *copy = group_state_decision(state, &req);
    job_check(copy);
    struct decision decision = *copy;
    free(copy);
    return decision;
}

static struct decision decision_of_bcast(int root)
{
    return decision_of((struct request){.op = OP_BCAST,
                                        .root = root,
                                        .bytes = ELEMENTS * (int64_t)sizeof(int64_t),
                                        .grain = sizeof(int64_t)});
}

/* All members follow the same plan. */
static void compare(int root)
{
    struct decision decision = decision_of_bcast(root);
    char mine[CHOICE_TEXT_ROOM] = "", first[CHOICE_TEXT_ROOM];
    choice_text(&decision.choice, mine, sizeof mine);
    memcpy(first, mine, sizeof first);
    job_check(hn_bcast(first, sizeof first, HN_CHAR, 0, hn_world()) == HN_OK);
    job_check(strcmp(first, mine) == 0);
}

/* Barriers are watched like all others, when all plans for them have been tried. */
static _Bool meets(void)
{
    bool watched = false;
    for (int i = 0; i < MEETINGS && !watched; i++) {
        hn_request *request;
        job_check(hn_barrier(hn_world()) == HN_OK);
        job_check(hn_ibarrier(hn_world(), &request) == HN_OK);
        job_check(hn_wait(request, NULL) == HN_OK);
        struct decision d = decision_of((struct request){.op = OP_BARRIER, .grain = 1});
        watched = d.monitor.phase != MONITOR_OFF && d.monitor.phase != MONITOR_FIRST;
    }
    job_check(watched);
    return 1;
}

Test(following, barriers)
{
    cr_assert_eq(job_run_on(MEMBERS, 3, quick_net, 60, meets), 0);
}

static _Bool follows(void)
{
    struct mover flight[FLIGHT], two[2];
    const int rounds = random_short() ? ROUNDS / 3 : ROUNDS;
    bool watched = false;
    uint64_t shared = random_seed(), own = shared + (uint64_t)hn_rank();
    for (int i = 0; i < FLIGHT; i++)
        make(&flight[i], i % 2, 0);
    for (int i = 0; i < 2; i++)
        make(&two[i], i, 1);
    job_check(hn_bcast_init(two[0].data, ELEMENTS, HN_INT64, 1, hn_world(), &two[0].lasting) ==
              HN_OK);
    job_check(hn_allreduce_init(HN_IN_PLACE, two[1].data, ELEMENTS, HN_INT64, HN_SUM, hn_world(),
                                &two[1].lasting) == HN_OK);
    for (int round = 0; round < rounds; round++) {
        fly(flight, &shared, &own);
        repeat(two, &shared, &own);
        watched = watched || decision_of_bcast(0).monitor.phase != MONITOR_OFF;
        if (round == rounds / 2) { /* with nothing under way, and then with something */
            job_check(hn_coll_adapt(hn_world(), 0) == HN_OK);
            fly(flight, &shared, &own);
            job_check(hn_coll_adapt(hn_world(), 1) == HN_OK);
        }
    }
    compare(0);
    job_check(watched);
    for (int i = 0; i < 2; i++) {
        job_check(hn_request_free(two[i].lasting) == HN_OK);
        free(two[i].data);
    }
    for (int i = 0; i < FLIGHT; i++)
        free(flight[i].data);
    return 1;
}

Test(following, random_mixes)
{
    cr_assert_eq(job_run_on(MEMBERS, 3, quick_net, 60, follows), 0, "HNOW_SEED=%llu",
                 (unsigned long long)random_seed());
}

/* ---- sums that are rounded ---------------------------------------------------------------------
 */

/* How many plans have been tried for an allreduce of a double, after so many calls at most; every
 * member has the same sum. */
static int tried_for_sums(bool steady, int calls)
{
    int most = 0;
    for (int i = 0; i < calls && most < 2; i++) {
        double sum, first;
        job_check(hn_allreduce(&(double){1.0 / (3 + i + hn_rank())}, &sum, 1, HN_DOUBLE, HN_SUM,
                               hn_world()) == HN_OK);
        first = sum;
        job_check(hn_bcast(&first, 1, HN_DOUBLE, 0, hn_world()) == HN_OK);
        job_check(memcmp(&first, &sum, sizeof sum) == 0);
        struct decision d = decision_of(
            (struct request){.op = OP_ALLREDUCE, .bytes = 8, .grain = 8, .steady = steady});
        most = d.monitor.count > most ? d.monitor.count : most;
    }
    return most;
}

static _Bool sums(void)
{
    job_check(tried_for_sums(true, 2000) == 0);
    job_check(hn_coll_adapt(hn_world(), HN_ADAPT_SUMS) == HN_OK);
    job_check(tried_for_sums(false, MEETINGS) > 1);
    job_check(hn_coll_adapt(hn_world(), 1) == HN_OK);
    job_check(tried_for_sums(true, 100) == 0);
    return 1;
}

Test(following, sums_follow_when_they_may)
{
    cr_assert_eq(job_run_on(MEMBERS, 3, quick_net, 60, sums), 0);
}
