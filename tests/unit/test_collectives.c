/* test_collectives.c - the public collectives, executed by real tasks over real sockets (job.h). */
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "planners/planner.h"
#include "random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 5000 };

static double term(int rank, size_t i)
{
    return sin((double)i * 0.37 + rank) / (rank + 3.0);
}

/* Sums in doubles agree to rounding, and to the bit between members. */
static void check_allreduce(size_t count, const hn_group *world)
{
    int n = hn_size(), me = hn_rank();
    double *in = malloc((count + 1) * sizeof *in), *out = malloc((count + 1) * sizeof *out);
    uint64_t bits = 0, least, most;
    for (size_t i = 0; i < count; i++)
        in[i] = term(me, i);
    job_check(hn_allreduce(in, out, count, HN_DOUBLE, HN_SUM, world) == HN_OK);
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        uint64_t word;
        for (int r = 0; r < n; r++)
            sum += term(r, i);
        job_check(fabs(out[i] - sum) < 1e-12 && in[i] == term(me, i));
        memcpy(&word, &out[i], sizeof word);
        bits = (bits ^ word) * 1099511628211u;
    }
    job_check(hn_allreduce(&bits, &least, 1, HN_UINT64, HN_MIN, world) == HN_OK);
    job_check(hn_allreduce(&bits, &most, 1, HN_UINT64, HN_MAX, world) == HN_OK);
    job_check(least == bits && most == bits);
    job_check(hn_allreduce(HN_IN_PLACE, in, count, HN_DOUBLE, HN_SUM, world) == HN_OK);
    job_check(memcmp(in, out, count * sizeof *in) == 0);
    free(in);
    free(out);
}

static void check_bcast(size_t count, int root, const hn_group *world)
{
    int32_t *data = malloc((count + 1) * sizeof *data);
    for (size_t i = 0; i < count; i++)
        data[i] = hn_rank() == root ? (int32_t)(i * 7 + (size_t)root) : -1;
    job_check(hn_bcast(data, count, HN_INT32, root, world) == HN_OK);
    for (size_t i = 0; i < count; i++)
        job_check(data[i] == (int32_t)(i * 7 + (size_t)root));
    free(data);
}

static void check_reduce(size_t count, int root, const hn_group *world)
{
    int64_t *in = malloc((count + 1) * sizeof *in), *out = malloc((count + 1) * sizeof *out);
    for (size_t i = 0; i < count; i++) {
        in[i] = (int64_t)(i + 1) * (hn_rank() + 1);
        out[i] = -5;
    }
    job_check(hn_reduce(in, out, count, HN_INT64, HN_MAX, root, world) == HN_OK);
    for (size_t i = 0; i < count; i++) {
        job_check(in[i] == (int64_t)(i + 1) * (hn_rank() + 1));
        job_check(out[i] == (hn_rank() == root ? (int64_t)(i + 1) * hn_size() : -5));
    }
    free(in);
    free(out);
}

/* Parts of different sizes, some empty, with gaps between them that must stay as they were. */
static void check_allgatherv(size_t unit, const hn_group *world)
{
    int n = hn_size();
    size_t counts[JOB_MAX], displs[JOB_MAX], total = 0;
    for (int r = 0; r < n; r++) {
        counts[r] = unit * (size_t)(r % 3);
        displs[r] = total + 1;
        total += counts[r] + 1;
    }
    float *in = malloc((2 * unit + 1) * sizeof *in), *out = malloc((total + 1) * sizeof *out);
    for (size_t i = 0; i < 2 * unit; i++)
        in[i] = (float)(hn_rank() * 1000) + (float)i;
    for (size_t i = 0; i <= total; i++)
        out[i] = -1;
    job_check(hn_allgatherv(in, out, counts, displs, HN_FLOAT, world) == HN_OK);
    for (int r = 0; r < n; r++) {
        job_check(out[displs[r] - 1] == -1);
        for (size_t i = 0; i < counts[r]; i++)
            job_check(out[displs[r] + i] == (float)(r * 1000) + (float)i);
    }
    free(in);
    free(out);
}

static void check_allgather(size_t count, const hn_group *world)
{
    int n = hn_size();
    uint8_t *in = malloc(count + 1), *out = malloc(count * (size_t)n + 1);
    memset(in, 'a' + hn_rank(), count);
    job_check(hn_allgather(in, count, out, HN_BYTE, world) == HN_OK);
    for (size_t i = 0; i < count * (size_t)n; i++)
        job_check(out[i] == 'a' + (int)(i / count));
    free(in);
    free(out);
}

/* Many operations, one right after the other, in an order that all members draw alike. */
static _Bool one_after_the_other(void)
{
    const hn_group *world = hn_world();
    uint64_t state = random_seed();
    for (int round = 0; round < 60; round++) {
        size_t count = (size_t)random_below(&state, 4) ? (size_t)random_below(&state, COUNT) : 0;
        int root = (int)random_below(&state, hn_size());
        switch (random_below(&state, 6)) {
        case 0:
            check_bcast(count, root, world);
            break;
        case 1:
            check_reduce(count, root, world);
            break;
        case 2:
            check_allreduce(count, world);
            break;
        case 3:
            check_allgatherv(count / 10, world);
            break;
        case 4:
            check_allgather(count / 10, world);
            break;
        default:
            job_check(hn_barrier(world) == HN_OK);
        }
    }
    return 1;
}

Test(collectives, every_number_of_tasks)
{
    for (int n = 1; n <= 9; n++)
        cr_assert_eq(job_run(n, 60, one_after_the_other), 0, "%d tasks", n);
}

static _Bool large(void)
{
    check_bcast(3 << 20, hn_size() - 1, hn_world());
    check_allreduce(1 << 18, hn_world());
    check_allgather(1 << 20, hn_world());
    return 1;
}

Test(collectives, large_data)
{
    cr_assert_eq(job_run(4, 60, large), 0);
}

/* Nobody leaves a barrier before the last has come: the slowest has sent before. */
static _Bool barrier_holds(void)
{
    int n = hn_size(), me = hn_rank(), token = me;
    for (int late = 0; late < n; late++) {
        if (me == late)
            for (int to = 0; to < n; to++)
                job_check(to == me ||
                          hn_send(hn_group_tid(hn_world(), to), 9, &token, 1, HN_INT) == HN_OK);
        job_check(hn_barrier(hn_world()) == HN_OK);
        if (me != late) {
            job_check(hn_recv(hn_group_tid(hn_world(), late), 9, &token, 1, HN_INT, NULL) == HN_OK);
            job_check(token == late);
            token = me;
        }
    }
    return 1;
}

/* The program's own messages do not mix with those of the operations. */
Test(collectives, barrier_and_own_messages)
{
    cr_assert_eq(job_run(5, 60, barrier_holds), 0);
}

static _Bool bad_arguments(void)
{
    int value = 1;
    const hn_group *world = hn_world();
    job_check(hn_bcast(&value, 1, HN_INT, hn_size(), world) == HN_EARG);
    job_check(hn_bcast(&value, 1, HN_INT, -1, world) == HN_EARG);
    job_check(hn_bcast(&value, 1, 77, 0, world) == HN_EARG);
    job_check(hn_bcast(&value, SIZE_MAX / 2, HN_INT, 0, world) == HN_EARG);
    job_check(hn_barrier(NULL) == HN_EARG);
    job_check(hn_allreduce(HN_IN_PLACE, &value, 1, HN_FLOAT, HN_BAND, world) == HN_ETYPE);
    job_check(hn_allreduce(HN_IN_PLACE, &value, 1, HN_INT, (hn_op)99, world) == HN_ETYPE);
    job_check(strcmp(hn_error_text(), "allreduce: 99 is no operator") == 0);
    job_check(hn_reduce(HN_IN_PLACE, &value, 4, HN_BYTE, HN_MAX, hn_rank(), world) == HN_ETYPE);
    job_check(strcmp(hn_error_text(), "reduce: operator HN_MAX means nothing for HN_BYTE") == 0);
    return 1;
}

Test(collectives, bad_arguments)
{
    cr_assert_eq(job_run(2, 30, bad_arguments), 0);
}

/* Forecasts name the plan that is followed; a plan that was set is followed, and gone again. */
static _Bool plans_by_name(void)
{
    const hn_group *world = hn_world();
    hn_forecast first, best, f;
    int sum, one = 1;
    job_check(hn_forecast_plan(world, "bcast", 100000, HN_BYTE, 0, NULL, &first) == HN_OK);
    job_check(first.makespan >= first.lower_bound && first.lower_bound > 0 && !first.measured);
    for (int i = 0; hn_planner_name(i); i++) {
        if (!random_turn((size_t)i, 4))
            continue;
        char any[64];
        snprintf(any, sizeof any, "%s*", hn_planner_name(i));
        int error = hn_forecast_plan(world, "bcast", 100000, HN_BYTE, 0, any, &best);
        job_check(error == HN_OK || error == HN_EPLAN);
        /* A call does not wait for those that search longer than it takes itself. */
        bool waits = !planner_named(hn_planner_name(i))->search;
        job_check(error || !waits || best.makespan >= first.makespan);
        job_check(error || hn_forecast_plan(world, "bcast", 100000, HN_BYTE, 0, best.plan, &f) ||
                  f.makespan == best.makespan);
        job_check(hn_set_plan(world, error ? hn_planner_name(i) : best.plan) == HN_OK);
        job_check(hn_forecast_plan(world, "bcast", 100000, HN_BYTE, 0, NULL, &f) == HN_OK);
        job_check(strcmp(f.plan, error ? first.plan : best.plan) == 0);
        job_check(hn_allreduce(&one, &sum, 1, HN_INT, HN_SUM, world) == HN_OK && sum == hn_size());
        check_bcast(25000, 0, world);
    }
    job_check(hn_set_plan(world, NULL) == HN_OK);
    job_check(hn_forecast_plan(world, "bcast", 100000, HN_BYTE, 0, NULL, &f) == HN_OK);
    job_check(strcmp(f.plan, first.plan) == 0);
    job_check(hn_set_plan(world, "carrier-pigeon") == HN_EARG);
    job_check(hn_forecast_plan(world, "bcast", 1, HN_BYTE, 0, "ring", &f) == HN_EPLAN);
    job_check(hn_forecast_plan(world, "bcast", SIZE_MAX, HN_INT, 0, NULL, &f) == HN_EARG);
    return 1;
}

Test(collectives, plans_by_name)
{
    cr_assert_eq(job_run(5, 60, plans_by_name), 0);
}

/* A program started by hand is a job of one task. */
Test(collectives, alone)
{
    double in[3] = {1, 2, 3}, out[3] = {0};
    cr_assert_eq(hn_enrol(), HN_OK);
    cr_assert_eq(hn_barrier(hn_world()), HN_OK);
    cr_assert_eq(hn_bcast(in, 3, HN_DOUBLE, 0, hn_world()), HN_OK);
    cr_assert_eq(hn_allreduce(in, out, 3, HN_DOUBLE, HN_SUM, hn_world()), HN_OK);
    cr_assert(memcmp(in, out, sizeof in) == 0);
    cr_assert_eq(hn_allgather(in, 3, out, HN_DOUBLE, hn_world()), HN_OK);
    cr_assert_eq(hn_exit(), HN_OK);
}

/* ---- sites -------------------------------------------------------------------------------------
 */

/* Four sites, three of them of two hosts: their heads sum in the order of ranks. */
static const char sites_text[] =
    "@network version=5\n"
    "* send_us=5 recv_us=5 send_ns_per_byte=1 recv_ns_per_byte=1\n"
    "h0\nh1\nh2\nh3\nh4\nh5\nh6\n"
    "@subnet a medium=switch latency_us=50 ns_per_byte=8 site=A hosts=h0,h4\n"
    "@subnet b medium=switch latency_us=50 ns_per_byte=8 site=B hosts=h1,h5\n"
    "@subnet c medium=switch latency_us=50 ns_per_byte=8 site=C hosts=h2,h6\n"
    "@subnet d medium=switch latency_us=50 ns_per_byte=8 site=D hosts=h3\n"
    "@uplink A latency_us=5000\n"
    "@uplink B latency_us=5000\n"
    "@uplink C latency_us=5000\n"
    "@uplink D latency_us=5000\n";

/* Nonblocking, and a persistent one twice: what was kept is there each time. */
static void check_later(size_t count, const hn_group *world)
{
    int64_t *data = malloc((count + 1) * sizeof *data);
    hn_request *request;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < count; i++)
            data[i] = (int64_t)i * round + hn_rank();
        if (round == 0)
            job_check(hn_iallreduce(HN_IN_PLACE, data, count, HN_INT64, HN_SUM, world, &request) ==
                      HN_OK);
        if (round == 1)
            job_check(hn_allreduce_init(HN_IN_PLACE, data, count, HN_INT64, HN_SUM, world,
                                        &request) == HN_OK);
        if (round > 0)
            job_check(hn_start(request) == HN_OK);
        job_check(hn_wait(request, NULL) == HN_OK);
        for (size_t i = 0; i < count; i++)
            job_check(data[i] ==
                      (int64_t)i * round * hn_size() + (int64_t)hn_size() * (hn_size() - 1) / 2);
    }
    job_check(hn_request_free(request) == HN_OK);
    free(data);
}

static _Bool sites_sum(void)
{
    static const size_t counts[] = {0, 1, 700, 40000};
    char name[80], brief[4];
    job_check(hn_plan_followed(hn_world(), name, sizeof name) == HN_OK && !name[0]);
    job_check(hn_set_plan(hn_world(), "levels_exchange") == HN_OK);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        check_allreduce(counts[i], hn_world());
        check_later(counts[i], hn_world());
        job_check(hn_plan_followed(hn_world(), name, sizeof name) == HN_OK);
        job_check(strcmp(name, "levels_exchange") == 0);
    }
    job_check(hn_barrier(hn_world()) == HN_OK);
    job_check(hn_set_plan(hn_world(), NULL) == HN_OK);
    job_check(hn_plan_followed(hn_world(), brief, sizeof brief) == HN_OK &&
              strcmp(brief, "lev") == 0);
    job_check(hn_plan_followed(hn_world(), brief, 0) == HN_EARG);
    return 1;
}

Test(collectives, sites_sum_in_the_order_of_ranks)
{
    cr_assert_eq(job_run_on(7, 7, sites_text, 60, sites_sum), 0);
}
