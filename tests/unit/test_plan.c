/* test_plan.c - building plans, and the checker: each way in which a plan can be wrong is found and
 * named. */
#include "plan/check.h"
#include "plan/operation.h"
#include "plan/plan.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <string.h>

static struct request bcast(int ranks)
{
    return (struct request){.op = OP_BCAST, .ranks = ranks, .bytes = 100, .grain = 1};
}

static struct request allreduce(int ranks)
{
    return (struct request){.op = OP_ALLREDUCE, .ranks = ranks, .bytes = 64, .grain = 8};
}

/* Finishes a plan, checks it, and expects the fault's text to contain `text` (NULL: no fault). */
static void expect(struct plan *plan, const struct request *req, int rank, const char *text)
{
    struct check_fault fault;
    cr_assert_eq(plan_finish(plan), HN_OK);
    int error = plan_check(plan, req, &fault);
    if (!text) {
        cr_assert_eq(error, HN_OK, "%s", fault.text);
    } else {
        cr_assert_eq(error, HN_EPLAN, "not found: %s", text);
        cr_assert(strstr(fault.text, text), "'%s' instead of '%s'", fault.text, text);
        cr_assert_eq(fault.rank, rank, "%s", fault.text);
    }
    plan_free(plan);
}

static struct plan *start(const struct request *req, int64_t segment)
{
    struct plan *plan = plan_new(req->ranks);
    plan_cut(plan, req, segment);
    return plan;
}

Test(plan, cutting_respects_the_element)
{
    struct request req = allreduce(3);
    req.bytes = 80;
    struct plan *plan = start(&req, 20);
    cr_assert_eq(plan->block_count, 5);
    int64_t offset = 0;
    for (int b = 0; b < plan->block_count; b++) {
        cr_assert_eq(plan->blocks[b].offset, offset);
        cr_assert_eq(plan->blocks[b].bytes % 8, 0);
        cr_assert_leq(plan->blocks[b].bytes, 20);
        offset += plan->blocks[b].bytes;
    }
    cr_assert_eq(offset, 80);
    plan_free(plan);
    plan = plan_new(3);
    plan_cut_pieces(plan, &req, 3); /* 10 elements: 4 + 3 + 3 */
    cr_assert_eq(plan->blocks[0].bytes, 32);
    cr_assert_eq(plan->blocks[2].bytes, 24);
    plan_free(plan);
}

Test(plan, errors_stick)
{
    struct request req = bcast(3);
    struct plan *plan = start(&req, 0);
    plan_message(plan, 0, 3, PLAN_RECV, 0, 1);
    cr_assert_eq(plan_finish(plan), HN_EPLAN);
    plan_free(plan);
    plan = start(&req, 0);
    plan_message(plan, 0, 1, PLAN_RECV, 0, 2);
    cr_assert_eq(plan_finish(plan), HN_EPLAN);
    plan_free(plan);
    plan = plan_new(2);
    cr_assert_eq(plan_finish(plan), HN_EPLAN);
    plan_free(plan);
}

Test(check, a_good_broadcast_passes)
{
    struct request req = bcast(3);
    struct plan *plan = start(&req, 0);
    plan_message(plan, 0, 1, PLAN_RECV, 0, 1);
    plan_message(plan, 1, 2, PLAN_RECV, 0, 1);
    expect(plan, &req, -1, NULL);
}

/* One multicast of block 0 to all of these. */
static void add_multicast(struct plan *plan, int from, const int *to, int count)
{
    for (int i = 0; i < count; i++) {
        plan_step(plan, from, PLAN_SEND, to[i], 0, 1);
        if (i > 0)
            plan_join(plan);
    }
    for (int i = 0; i < count; i++)
        plan_step(plan, to[i], PLAN_RECV, from, 0, 1);
}

Test(check, a_multicast_is_one_message)
{
    struct request req = bcast(4);
    struct plan *plan = start(&req, 0);
    add_multicast(plan, 0, (int[]){2, 3, 1}, 3);
    expect(plan, &req, -1, NULL);
    plan = start(&req, 0);
    plan_message(plan, 0, 1, PLAN_RECV, 0, 1);
    add_multicast(plan, 1, (int[]){2, 3}, 2);
    cr_assert_eq(plan_finish(plan), HN_OK);
    cr_expect_eq(plan_message_count(plan), 3);
    cr_expect_eq(plan_message_quarters(plan), 4 + 4 + 1);
    cr_expect_not(plan->steps[plan->first[1] + 1].joined);
    cr_expect(plan->steps[plan->first[1] + 2].joined);
    plan_free(plan);
}

/* One send of rank 0 to `first`, one to `second`, and that one joined. */
static struct plan *joined(const struct request *req, int first, int second, int list)
{
    struct plan *plan = start(req, 50);
    plan_step(plan, 0, PLAN_SEND, first, 0, 1);
    plan_step(plan, 0, PLAN_SEND, second, list, 1);
    plan_join(plan);
    plan_step(plan, first, PLAN_RECV, 0, 0, 1);
    plan_step(plan, second, PLAN_RECV, 0, list, 1);
    return plan;
}

Test(check, what_is_joined_to_nothing)
{
    struct request req = bcast(3);
    expect(joined(&req, 1, 2, 1), &req, 0, "joins a send of other blocks");
    expect(joined(&req, 1, 1, 0), &req, 0, "sends twice to rank 1");
    expect(joined(&req, 1, 0, 0), &req, 0, "or to itself");
    expect(joined(&req, 0, 1, 0), &req, 0, "or to itself");
    struct plan *plan = start(&req, 0);
    plan_step(plan, 0, PLAN_SEND, 1, 0, 1);
    plan_join(plan);
    plan_step(plan, 1, PLAN_RECV, 0, 0, 1);
    expect(plan, &req, 0, "joins no send");
    plan = start(&req, 0);
    plan_message(plan, 0, 1, PLAN_RECV, 0, 1);
    plan_step(plan, 1, PLAN_SEND, 2, 0, 1);
    plan_join(plan);
    plan_step(plan, 2, PLAN_RECV, 1, 0, 1);
    expect(plan, &req, 1, "joins no send");
}

Test(check, somebody_is_left_out)
{
    struct request req = bcast(3);
    struct plan *plan = start(&req, 0);
    plan_message(plan, 0, 1, PLAN_RECV, 0, 1);
    expect(plan, &req, 2, "ends without block 0");
}

Test(check, nobody_forwards_what_it_has_not)
{
    struct request req = bcast(3);
    struct plan *plan = start(&req, 0);
    plan_message(plan, 1, 2, PLAN_RECV, 0, 1);
    plan_message(plan, 0, 1, PLAN_RECV, 0, 1);
    expect(plan, &req, 1, "without having it");
}

Test(check, messages_without_the_other_end)
{
    struct request req = bcast(2);
    struct plan *plan = start(&req, 0);
    plan_step(plan, 0, PLAN_SEND, 1, 0, 1);
    expect(plan, &req, 0, "does not receive it");
    plan = start(&req, 0);
    plan_step(plan, 1, PLAN_RECV, 0, 0, 1);
    expect(plan, &req, 1, "does not send");
}

Test(check, waiting_in_a_circle)
{
    struct request req = allreduce(2);
    struct plan *plan = start(&req, 0);
    plan_step(plan, 0, PLAN_FOLD_RIGHT, 1, 0, 1);
    plan_step(plan, 1, PLAN_FOLD_LEFT, 0, 0, 1);
    plan_step(plan, 0, PLAN_SEND, 1, 0, 1);
    plan_step(plan, 1, PLAN_SEND, 0, 0, 1);
    expect(plan, &req, 0, "waits for ever");
}

/* Rank 2 keeps its own value until it has the sum of the others before it. */
static void three_in_order(struct plan *plan, bool keeps)
{
    for (int from = 0; from < 3; from++)
        for (int to = 0; to < 3; to++)
            if (from != to)
                plan_step(plan, from, PLAN_SEND, to, 0, 1);
    if (keeps)
        plan_step(plan, 2, PLAN_SEND, 2, 0, 1);
    plan_step(plan, 0, PLAN_FOLD_RIGHT, 1, 0, 1);
    plan_step(plan, 0, PLAN_FOLD_RIGHT, 2, 0, 1);
    plan_step(plan, 1, PLAN_FOLD_LEFT, 0, 0, 1);
    plan_step(plan, 1, PLAN_FOLD_RIGHT, 2, 0, 1);
    plan_step(plan, 2, keeps ? PLAN_RECV : PLAN_FOLD_LEFT, keeps ? 0 : 1, 0, 1);
    plan_step(plan, 2, keeps ? PLAN_FOLD_RIGHT : PLAN_FOLD_LEFT, keeps ? 1 : 0, 0, 1);
    if (keeps)
        plan_step(plan, 2, PLAN_FOLD_RIGHT, 2, 0, 1);
}

Test(check, what_is_kept_comes_when_it_is_its_turn)
{
    struct request req = allreduce(3);
    req.ordered = true;
    struct plan *plan = start(&req, 0);
    three_in_order(plan, true);
    expect(plan, &req, -1, NULL);
    plan = start(&req, 0);
    three_in_order(plan, false);
    expect(plan, &req, 2, "in another order than others");
    plan = start(&req, 0);
    plan_step(plan, 2, PLAN_FOLD_RIGHT, 2, 0, 1);
    plan_step(plan, 2, PLAN_SEND, 2, 0, 1);
    expect(plan, &req, 2, "waits for ever for rank 2");
}

Test(check, a_contribution_twice_or_never)
{
    struct request req = allreduce(3);
    req.op = OP_REDUCE;
    struct plan *plan = start(&req, 0);
    plan_message(plan, 1, 0, PLAN_FOLD_RIGHT, 0, 1);
    expect(plan, &req, 0, "lacks rank 2");
    plan = start(&req, 0);
    plan_message(plan, 1, 0, PLAN_FOLD_RIGHT, 0, 1);
    plan_message(plan, 1, 0, PLAN_FOLD_RIGHT, 0, 1);
    expect(plan, &req, 0, "twice");
}

Test(check, the_order_of_ranks)
{
    struct request req = allreduce(3);
    req.op = OP_REDUCE;
    for (int ordered = 0; ordered < 2; ordered++) {
        req.ordered = ordered;
        struct plan *plan = start(&req, 0);
        plan_message(plan, 2, 0, PLAN_FOLD_RIGHT, 0, 1);
        plan_message(plan, 1, 0, PLAN_FOLD_RIGHT, 0, 1);
        expect(plan, &req, 0, ordered ? "combines rank 2 before rank 1" : NULL);
    }
    struct plan *plan = start(&req, 0);
    plan_message(plan, 2, 1, PLAN_FOLD_RIGHT, 0, 1);
    plan_message(plan, 1, 0, PLAN_FOLD_RIGHT, 0, 1);
    expect(plan, &req, -1, NULL);
}

Test(check, everybody_gets_the_same_bits)
{
    struct request req = allreduce(2);
    for (int same = 0; same < 2; same++) {
        struct plan *plan = start(&req, 0);
        plan_step(plan, 0, PLAN_SEND, 1, 0, 1);
        plan_step(plan, 1, PLAN_SEND, 0, 0, 1);
        plan_step(plan, 0, PLAN_FOLD_RIGHT, 1, 0, 1);
        plan_step(plan, 1, same ? PLAN_FOLD_LEFT : PLAN_FOLD_RIGHT, 0, 0, 1);
        expect(plan, &req, 1, same ? NULL : "in another order than others");
    }
}

Test(check, blocks_are_not_exchanged)
{
    struct request req = bcast(2);
    struct plan *plan = start(&req, 50);
    int list = plan_list(plan, (int[]){1, 0}, 2);
    plan_step(plan, 0, PLAN_SEND, 1, 0, 2);
    plan_step(plan, 1, PLAN_RECV, 0, list, 2);
    expect(plan, &req, 1, "in the place of");
    plan = start(&req, 50);
    plan_step(plan, 0, PLAN_SEND, 1, 0, 2);
    plan_step(plan, 1, PLAN_RECV, 0, 0, 1);
    expect(plan, &req, 1, "expects 1 blocks");
}

Test(check, folding_needs_something_to_combine)
{
    struct request req = bcast(2);
    struct plan *plan = start(&req, 0);
    plan_message(plan, 0, 1, PLAN_FOLD_LEFT, 0, 1);
    expect(plan, &req, 1, "nothing is to be combined");
}

Test(check, another_number_of_ranks)
{
    struct request req = bcast(2);
    struct plan *plan = start(&req, 0);
    plan_message(plan, 0, 1, PLAN_RECV, 0, 1);
    req.ranks = 3;
    expect(plan, &req, -1, "is for 2 ranks");
}

/* What it would take is known before there is a plan: 2^28 values are the most. */
Test(check, too_large_a_request_is_known)
{
    struct request req = {.op = OP_ALLTOALL, .ranks = 645, .bytes = 1, .grain = 1};
    cr_expect(plan_check_fits(&req));
    req.ranks = 646;
    cr_expect(!plan_check_fits(&req));
    req = (struct request){.op = OP_SCATTER, .ranks = 16384, .bytes = 1, .grain = 1};
    cr_expect(plan_check_fits(&req));
    req.ranks = 16385;
    cr_expect(!plan_check_fits(&req));
    req = (struct request){.op = OP_BCAST, .ranks = 1000000, .bytes = 1, .grain = 1};
    cr_expect(plan_check_fits(&req));
}

Test(operation, bad_requests_are_refused)
{
    const char *what;
    struct request req = bcast(2);
    cr_assert_eq(request_check(&req, &what), HN_OK);
    req.root = 2;
    cr_assert_eq(request_check(&req, &what), HN_EARG);
    req = bcast(0);
    cr_assert_eq(request_check(&req, &what), HN_EARG);
    req = bcast(2);
    req.bytes = -1;
    cr_assert_eq(request_check(&req, &what), HN_EARG);
    req = allreduce(2);
    req.bytes = 12;
    cr_assert_eq(request_check(&req, &what), HN_EARG);
    req = (struct request){.op = OP_ALLGATHER, .ranks = 8, .bytes = INT64_MAX / 8, .grain = 1};
    cr_assert_eq(request_check(&req, &what), HN_EARG);
}
