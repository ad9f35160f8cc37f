/* test_hbench_operation.c - the benchmarks themselves, run by the tasks of a small job. */
#include "bench.h"
#include "hbench_collective.h"
#include "common_clock.h"
#include "followed.h"
#include "hnow.h"
#include "job.h"
#include "operation_request.h"
#include "ring_shift.h"
#include "traffic.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Every operation of the table works, on any size, and a wrong result does not pass as right. */
static _Bool operations_are_checked(void)
{
    static const int64_t sizes[] = {0, 1, 7, 8, 1000, 4096};

    for (int i = 0; i < collective_count; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            const struct collective *c = &collectives[i];
            struct load load = {0};
            if (c->sizes[0] == 0 && sizes[k] > 0)
                continue; /* a barrier */
            job_check(collective_named(c->name) == c);
            job_check(load_fill(&load, c, sizes[k]));
            job_check(c->run(&load) == HN_OK);
            job_check(load_is_correct(&load, c));
            if (sizes[k] > 0) {
                load.out[0] ^= 0x40;
                job_check(!load_is_correct(&load, c) ||
                          c->value(hn_rank(), 0, hn_size()) == COLLECTIVE_NOTHING);
            }
            load_free(&load);
        }
    return 1;
}

Test(hbench_operation, operations_are_checked)
{
    cr_assert_eq(job_run(5, 60, operations_are_checked), 0);
}

static const struct result *result_at(const struct results *all, size_t i)
{
    job_check(i < all->count);
    return &all->at[i];
}

/* As many samples as were asked for, in every case; nothing is invented without a network file. */
static _Bool samples_as_asked(void)
{
    struct command o = {.bench = "bcast", .bytes = {0, 1000}, .sizes = 2, .iters = 5, .seed = 3};
    struct results all = {0};

    job_check(bench_operation.run(&o, &all));
    job_check(all.count == (hn_rank() == 0 ? 2 : 0));
    for (size_t i = 0; i < all.count; i++) {
        const struct result *r = result_at(&all, i);
        job_check(r->samples.count == 5 && r->plan[0] && result_median(r) > 0);
        job_check(result_extra_of(r, "predicted") == 0);
        double since = result_extra_of(r, "since_begin"); /* nobody begins before the moment */
        job_check(since > 0 && since <= result_median(r));
        for (size_t k = 0; k < r->samples.count; k++)
            job_check(r->samples.at[k] > 0);
    }
    results_free(&all);
    return 1;
}

Test(hbench_operation, samples_as_asked)
{
    cr_assert_eq(job_run(4, 60, samples_as_asked), 0);
}

Test(hbench_operation, the_plan_of_most_calls)
{
    static const char *const calls[] = {"star", "eco", "chain/4096", "eco", "chain/4096", "star"};
    struct followed followed = {0};
    cr_assert_null(followed_most(&followed));
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        cr_assert(followed_note(&followed, calls[i]));
    cr_assert_str_eq(followed_most(&followed), "star", "of as many calls the first one counts");
    cr_assert(followed_note(&followed, "chain/4096"));
    cr_assert_str_eq(followed_most(&followed), "chain/4096");
    followed_free(&followed);
    cr_assert_null(followed_most(&followed));
}

static _Bool all_plans(void)
{
    struct command o = {
        .bench = "allreduce", .bytes = {4096}, .sizes = 1, .iters = 1, .plan = "all"};
    struct results all = {0};

    job_check(bench_operation.run(&o, &all));
    job_check(hn_rank() > 0 || all.count > 2);
    for (size_t i = 1; i < all.count; i++)
        job_check(strcmp(all.at[i].plan, all.at[i - 1].plan) != 0);
    results_free(&all);
    return 1;
}

Test(hbench_operation, all_plans)
{
    cr_assert_eq(job_run(3, 60, all_plans), 0);
}

static _Bool unsuitable_plans(void)
{
    struct command o = {.bench = "bcast", .plan = "ring"};
    char wrong[256];

    job_check(!bench_operation.suits(&o, wrong, sizeof wrong) && strstr(wrong, "ring"));
    o.plan = "pigeon";
    job_check(!bench_operation.suits(&o, wrong, sizeof wrong) && strstr(wrong, "pigeon"));
    o.plan = "binomial/64";
    job_check(bench_operation.suits(&o, wrong, sizeof wrong));
    o = (struct command){.bench = "barrier", .bytes = {8}, .sizes = 1};
    job_check(!bench_operation.suits(&o, wrong, sizeof wrong));
    o.sizes = 0;
    o.plan = "all";
    job_check(bench_operation.suits(&o, wrong, sizeof wrong));
    return 1;
}

Test(hbench_operation, unsuitable_plans)
{
    cr_assert_eq(job_run(2, 60, unsuitable_plans), 0);
}

/* Random rings have every task once; a shift goes all the way round. */
static _Bool rings(void)
{
    int32_t ring[5], seen;
    uint64_t seed = 1;
    struct common_clock clock = {0};
    struct samples samples = {0};

    if (hn_rank() > 0)
        return common_clock_answer() && ring_shift_follow(100);
    for (int i = 0; i < 20; i++) {
        job_check(ring_random(ring, &seed));
        seen = 0;
        for (int k = 0; k < 5; k++)
            seen |= 1 << ring[k];
        job_check(seen == 31);
    }
    job_check(common_clock_compare(&clock));
    job_check(ring_shift_lead(ring, 100, 3, &clock, &samples) && samples.count == 3);
    common_clock_free(&clock);
    samples_free(&samples);
    return 1;
}

Test(hbench_operation, rings)
{
    cr_assert_eq(job_run(5, 60, rings), 0);
}

/* Traffic that is stopped at once has all been answered; the tasks can go on. */
static _Bool traffic(void)
{
    int64_t sent;

    for (uint64_t seed = 1; seed <= 3; seed++)
        job_check(hn_rank() > 0 ? traffic_make(1000000, seed) : traffic_stop(&sent) && sent >= 0);
    return hn_barrier(hn_world()) == HN_OK;
}

Test(hbench_operation, traffic)
{
    cr_assert_eq(job_run(4, 60, traffic), 0);
}

static _Bool plan_lists(void)
{
    struct operation_request w;
    char text[32 * OPERATION_PLANS] = "";

    job_check(operation_read_plans(&w, NULL) && w.plans == 1 && strcmp(w.plan[0], "auto") == 0);
    job_check(operation_read_plans(&w, "a:2,b*") && w.plans == 2 && strcmp(w.plan[1], "b*") == 0);
    job_check(operation_read_plans(&w, "flat,reduce+bcast@10:ecef/4096,kary:4/65536,auto") &&
              w.plans == 3 && strcmp(w.plan[1], "reduce+bcast@10:ecef/4096,kary:4/65536") == 0 &&
              strcmp(w.plan[2], "auto") == 0);
    job_check(operation_read_plans(&w, "reduce+bcast,as_allreduce:flat,reduce+bcast:flat,flat") &&
              w.plans == 3 && strcmp(w.plan[2], "reduce+bcast:flat,flat") == 0);
    job_check(!operation_read_plans(&w, "a,") && !operation_read_plans(&w, ""));
    for (int i = 0; i < OPERATION_PLANS; i++)
        strcat(text, i ? ",eco" : "eco");
    job_check(operation_read_plans(&w, text) && w.plans == OPERATION_PLANS);
    strcat(text, ",eco");
    job_check(!operation_read_plans(&w, text));
    return 1;
}

Test(hbench_operation, plan_lists)
{
    cr_assert_eq(job_run(1, 60, plan_lists), 0);
}

/* Tasks on one clock: offsets within the error that is claimed. */
static _Bool clocks_agree(void)
{
    struct common_clock c = {0};

    if (hn_rank() > 0)
        return common_clock_answer();
    job_check(common_clock_compare(&c));
    for (int rank = 0; rank < hn_size(); rank++)
        job_check(llabs(c.offset[rank]) <= c.error);
    common_clock_free(&c);
    return 1;
}

Test(hbench_operation, clocks_agree)
{
    cr_assert_eq(job_run(3, 60, clocks_agree), 0);
}

static _Bool pairs(void)
{
    struct command o = {.bytes = {1, 70000}, .sizes = 2, .iters = 3, .seed = 1};
    struct results all = {0};

    job_check(bench_p2p.run(&o, &all));
    for (size_t i = 0; i < all.count; i++)
        job_check(result_at(&all, i)->samples.count == 3);
    /* latency and stream of two sizes, with messages and sockets in two moods */
    job_check(all.count == (hn_rank() == 0 ? 2 * 2 * 3 : 0));
    results_free(&all);
    return 1;
}

Test(hbench_operation, pairs)
{
    cr_assert_eq(job_run(2, 60, pairs), 0);
}
