/* test_radix.c - plans in stages of a radix: how many stages and messages these are, which orders
 * of operands they keep, and that everybody sums in the same one. */
#include "select/auto.h"
#include "makespan.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEND_US = 3, RECV_US = 5, WAY_US = 40, MOST = 40 };
static const hn_time us = 1000000;

static hn_net *make_switch(int hosts)
{
    char text[160];
    hn_net *net;
    snprintf(text, sizeof text,
             "h[1-%d] send_us=%d recv_us=%d\n@subnet a medium=switch latency_us=%d hosts=h[1-%d]\n",
             hosts, SEND_US, RECV_US, WAY_US, hosts);
    cr_assert_eq(hn_net_parse("switch", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    return net;
}

static hn_time time_of(const char *planner, int radix, enum operation op, int hosts)
{
    char name[32];
    snprintf(name, sizeof name, "%s:%d", planner, radix);
    return makespan_on(make_switch(hosts), name, (struct request){.op = op, .bytes = 8, .grain = 8},
                       PORT_NONBLOCKING);
}

/* What comes in the order in which it was sent: a stage is one way, and then everybody still has
 * radix - 1 receives, of which the first may wait. */
static hn_time stage(int radix)
{
    return (SEND_US + WAY_US + (radix - 1) * RECV_US) * us;
}

static const struct {
    const char *planner;
    enum operation op;
} staged[] = {{"dissemination", OP_BARRIER},
              {"doubling", OP_ALLGATHER},
              {"bruck", OP_ALLTOALL},
              {"scan_doubling", OP_SCAN}};

Test(radix, makes_fewer_stages)
{
    static const struct {
        int hosts, radix, stages;
    } cases[] = {{8, 2, 3}, {8, 8, 1}, {16, 4, 2}, {12, 12, 1}, {64, 2, 6}, {64, 4, 3}, {64, 8, 2}};
    for (size_t k = 0; k < sizeof staged / sizeof *staged; k++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            cr_expect_eq(time_of(staged[k].planner, cases[i].radix, staged[k].op, cases[i].hosts),
                         cases[i].stages * stage(cases[i].radix), "%s:%d of %d hosts",
                         staged[k].planner, cases[i].radix, cases[i].hosts);
}

/* On a switch with a way that is long beside what messages occupy, the best plan of all used to
 * take 1.5 to 2 times as long. */
Test(radix, is_what_auto_takes_where_ways_are_long)
{
    static const enum operation ops[] = {OP_BARRIER, OP_ALLREDUCE, OP_ALLGATHER, OP_ALLTOALL,
                                         OP_SCAN};
    enum { HOSTS = 36 };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        hn_net *net = make_switch(HOSTS);
        struct request req = {.op = ops[i], .ranks = HOSTS, .bytes = 8, .grain = 8};
        struct model model;
        struct choice choice;
        struct plan *plan;
        struct timing timing;
        model_of_net(&model, net, NULL, HOSTS, PORT_NONBLOCKING);
        cr_assert_eq(planner_best(&req, &model, NULL, &choice, &plan, &timing), HN_OK);
        cr_expect_leq(timing.makespan, 2 * stage(8) + stage(8) / 4, "%s by %s",
                      operation_name(ops[i]), choice.planner->name);
        timing_free(&timing);
        plan_free(plan);
        hn_net_free(net);
    }
}

/* Who waits for a first plan gets one of few stages, too. */
Test(radix, that_is_likely_is_tried_at_once)
{
    hn_net *net = make_switch(16);
    struct request req = {.op = OP_ALLTOALL, .ranks = 16, .bytes = 8, .grain = 8};
    struct model model;
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    model_of_net(&model, net, NULL, 16, PORT_NONBLOCKING);
    cr_assert_eq(planner_best_quick(&req, &model, 1, &choice, &plan, &timing, NULL), HN_OK);
    cr_expect_leq(timing.makespan, 2 * stage(4) + stage(4) / 8, "%s", choice.planner->name);
    timing_free(&timing);
    plan_free(plan);
    hn_net_free(net);
}

/* Four unequal hosts of each kind (hnow8m, 1 KB): an estimate of few numbers would stay with 2. */
Test(radix, of_four_is_tried_at_once)
{
    static const char text[] =
        "h[1-4] send_us=39 send_ns_per_byte=1 recv_us=84 send_gap_ns_per_byte=86 "
        "recv_gap_ns_per_byte=86\n"
        "h[5-8] send_us=72 send_ns_per_byte=1 recv_us=117 send_gap_ns_per_byte=192 "
        "recv_gap_ns_per_byte=99\n"
        "@subnet a medium=switch latency_us=60 ns_per_byte=181 first_bytes=1448 "
        "first_ns_per_byte=335 hosts=h[1-8]\n";
    struct request req = {.op = OP_SCAN, .ranks = 8, .bytes = 1024, .grain = 8};
    struct model model;
    struct choice choice;
    struct plan *plan;
    hn_net *net;
    char name[CHOICE_TEXT_ROOM];
    cr_assert_eq(hn_net_parse("switch", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    model_of_net(&model, net, NULL, 8, PORT_MEDIA);
    cr_assert_eq(planner_best_quick(&req, &model, 1, &choice, &plan, NULL, NULL), HN_OK);
    cr_expect_str_eq(choice_text(&choice, name, sizeof name), "scan_doubling:4");
    plan_free(plan);
    hn_net_free(net);
}

/* Of eight bytes; NULL: it does not do this. */
static struct plan *plan_by(const char *name, enum operation op, int ranks, bool ordered)
{
    struct request req = {.op = op, .ranks = ranks, .bytes = 8, .grain = 8, .ordered = ordered};
    struct model model;
    struct choice choice;
    struct plan *plan;
    hn_net *net = make_switch(ranks);
    model_of_net(&model, net, NULL, ranks, PORT_NONBLOCKING);
    cr_assert_eq(choice_parse(name, &choice), HN_OK, "%s", name);
    if (choice_plan(&choice, &req, &model, &plan) != HN_OK)
        plan = NULL;
    hn_net_free(net);
    return plan;
}

static int messages_of(const char *name, enum operation op, int hosts)
{
    struct plan *plan = plan_by(name, op, hosts, false);
    cr_assert_not_null(plan, "%s", name);
    int count = plan_message_count(plan);
    plan_free(plan);
    return count;
}

/* What a rank keeps for later is no message. */
Test(radix, has_so_many_messages)
{
    cr_expect_eq(messages_of("doubling:4", OP_ALLREDUCE, 16), 16 * 6);
    cr_expect_eq(messages_of("doubling:4", OP_ALLREDUCE, 12), 12 * 5);
    cr_expect_eq(messages_of("doubling:4", OP_ALLREDUCE, 13), 12 * 5 + 2);
    cr_expect_eq(messages_of("doubling:3", OP_ALLGATHER, 8), 8 * 3);
    cr_expect_eq(messages_of("dissemination:3", OP_BARRIER, 9), 9 * 4);
    cr_expect_eq(messages_of("dissemination:8", OP_BARRIER, 5), 5 * 4);
    cr_expect_eq(messages_of("bruck:5", OP_ALLTOALL, 5), 5 * 4);
}

Test(radix, keeps_the_order_of_ranks_where_it_is_a_product)
{
    for (int n = 2; n <= MOST; n++) {
        struct plan *plan = plan_by("doubling:5", OP_ALLREDUCE, n, true);
        int rest = n;
        for (int factor = 2; factor <= 5; factor++)
            while (rest % factor == 0)
                rest /= factor;
        cr_expect_eq(plan != NULL, rest == 1, "%d ranks", n);
        plan_free(plan);
    }
}

Test(radix, of_less_than_two_is_refused)
{
    for (size_t k = 0; k < sizeof staged / sizeof *staged; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s:1", staged[k].planner);
        cr_expect_null(plan_by(name, staged[k].op, 4, false), "%s", name);
    }
}

/* ---- sums --------------------------------------------------------------------------------------
 */

/* Values under way: from one to another, in order. */
struct flight {
    double value[2 * MOST];
    int sent, taken;
};

/* Takes a step; false: what it waits for has not been sent. */
static bool take(const struct plan *plan, int rank, const struct plan_step *step, double *own,
                 struct flight *flights)
{
    if (step->kind == PLAN_SEND) {
        struct flight *out = &flights[rank * plan->ranks + step->peer];
        out->value[out->sent++] = own[rank];
        return true;
    }
    struct flight *in = &flights[step->peer * plan->ranks + rank];
    if (in->taken == in->sent)
        return false;
    double value = in->value[in->taken++];
    own[rank] = step->kind == PLAN_RECV        ? value
                : step->kind == PLAN_FOLD_LEFT ? value + own[rank]
                                               : own[rank] + value;
    return true;
}

static void sum_up(const struct plan *plan, double *own)
{
    struct flight *flights = calloc((size_t)(plan->ranks * plan->ranks), sizeof *flights);
    int32_t at[MOST];
    cr_assert_not_null(flights);
    memcpy(at, plan->first, sizeof *at * (size_t)plan->ranks);
    for (bool moved = true; moved;) {
        moved = false;
        for (int rank = 0; rank < plan->ranks; rank++)
            while (at[rank] < plan->first[rank + 1] &&
                   take(plan, rank, &plan->steps[at[rank]], own, flights)) {
                at[rank]++;
                moved = true;
            }
    }
    free(flights);
}

Test(radix, everybody_gets_the_same_bits)
{
    uint64_t state = random_seed();
    for (int n = 2; n <= MOST; n++)
        for (int radix = 2; radix <= 16; radix++) {
            char name[32];
            double own[MOST];
            snprintf(name, sizeof name, "doubling:%d", radix);
            struct plan *plan = plan_by(name, OP_ALLREDUCE, n, false);
            cr_assert_not_null(plan, "%s of %d ranks", name, n);
            for (int rank = 0; rank < n; rank++)
                own[rank] = (double)random_below(&state, 1 << 30) / 7;
            sum_up(plan, own);
            for (int rank = 1; rank < n; rank++)
                cr_expect(memcmp(&own[rank], own, sizeof *own) == 0, "%s of %d ranks", name, n);
            plan_free(plan);
        }
}
