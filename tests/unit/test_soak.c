/* test_soak.c - a task that runs for long: what it keeps of groups, sizes, requests and topologies
 * that it uses no more does not grow. (Of lists: test_lists.c.)
 *
 * HNOW_SOAK=N: N rounds of each instead of ROUNDS. */
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "quick_net.h"
#include "random.h"
#include "resident.h"
#include "watched.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

enum { MEMBERS = 5, ROUNDS = 600, GROWTH = 3 << 10 /* KB */, LARGEST = 2000 };

static uint64_t seed;

static _Bool is_flat(void (*round)(int))
{
    const char *text = getenv("HNOW_SOAK");
    int rounds = text && atoi(text) > 0 ? atoi(text) : random_rounds(ROUNDS);
    long settled = 0, now;
    seed = random_seed();
    for (int i = 0; i < rounds; i++) {
        round(i);
        if (i == rounds / 3)
            settled = resident_kb();
    }
    now = resident_kb();
    if (!WATCHED_ADDRESS && now - settled >= GROWTH)
        fprintf(stderr, "task %d: %ld KB, %ld KB after a third\n", hn_rank(), now, settled);
    job_check(WATCHED_ADDRESS || now - settled < GROWTH);
    return hn_barrier(hn_world()) == HN_OK;
}

/* A group, with operations and a multicast to a list, and what the program has sent in it. */
static void use_group(int i)
{
    hn_group *group;
    job_check(hn_group_split(hn_world(), hn_rank() % 2, (hn_rank() * 7 + i) % 5, &group) == HN_OK);
    int n = hn_group_size(group), to[] = {1};
    int64_t value = i, sum;
    job_check(hn_allreduce(&value, &sum, 1, HN_INT64, HN_SUM, group) == HN_OK &&
              sum == (int64_t)n * i);
    if (hn_group_rank(group, hn_mytid()) <= 1)
        job_check(hn_bcast_to(&value, 1, HN_INT64, 0, to, 1, group) == HN_OK);
    hn_group_free(group);
}

static _Bool groups(void)
{
    return is_flat(use_group);
}

/* Sizes and roots that have not been before, each with its plan. */
static void use_plan(int i)
{
    static uint8_t in[MEMBERS * LARGEST], out[MEMBERS * LARGEST];
    size_t counts[MEMBERS], displs[MEMBERS], at = 0;
    size_t bytes = (size_t)random_below(&seed, LARGEST);
    for (int r = 0; r < MEMBERS; r++) {
        counts[r] = (size_t)random_below(&seed, LARGEST);
        displs[r] = at;
        at += counts[r];
    }
    job_check(hn_bcast(in, bytes, HN_BYTE, i % MEMBERS, hn_world()) == HN_OK);
    job_check(hn_allgatherv(in, out, counts, displs, HN_BYTE, hn_world()) == HN_OK);
}

static _Bool plans(void)
{
    return is_flat(use_plan);
}

static void use_request(int i)
{
    int64_t value = hn_rank(), sum;
    hn_request *request;
    job_check(hn_allreduce_init(&value, &sum, 1, HN_INT64, HN_SUM, hn_world(), &request) == HN_OK);
    for (int k = 0; k < i % 3; k++)
        job_check(hn_start(request) == HN_OK && hn_wait(request, NULL) == HN_OK);
    job_check(hn_request_free(request) == HN_OK);
}

static _Bool requests(void)
{
    return is_flat(use_request);
}

static void use_topology(int i)
{
    int size = MEMBERS - i % 2, periodic = 1;
    hn_topology *mesh;
    job_check(hn_topology_mesh(hn_world(), 1, &size, &periodic, &mesh) == HN_OK);
    hn_topology_free(mesh);
}

static _Bool topologies(void)
{
    return is_flat(use_topology);
}

Test(soak, groups_that_are_freed)
{
    cr_assert_eq(job_run_on(MEMBERS, 3, quick_net, 60, groups), 0);
}

Test(soak, plans_for_ever_other_sizes)
{
    cr_assert_eq(job_run_on(MEMBERS, 3, quick_net, 60, plans), 0);
}

Test(soak, persistent_requests)
{
    cr_assert_eq(job_run_on(MEMBERS, 3, quick_net, 60, requests), 0);
}

Test(soak, topologies)
{
    cr_assert_eq(job_run_on(MEMBERS, 3, quick_net, 60, topologies), 0);
}
