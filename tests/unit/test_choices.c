/* test_choices.c - how much is tried before a plan is chosen that stays (choices.h). */
#include "select/auto.h"
#include "wire/choices.h"
#include "hnow.h"
#include "hnow_net.h"
#include "makespan.h"
#include "model/model.h"
#include "random.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { RANKS = 16, CALLS = 2 };

/* Four shared wires of four hosts, on a machine with one processor: so there is not time for all.
 */
static hn_net *slow_net(void)
{
    static const char text[] =
        "@network version=5\n"
        "* send_us=5 recv_us=5 send_ns_per_byte=1 recv_ns_per_byte=1\n"
        "n[0-15]\n"
        "@subnet a medium=bus latency_us=100 ns_per_byte=900 hosts=n[0-3]\n"
        "@subnet b medium=bus latency_us=100 ns_per_byte=800 hosts=n[4-7]\n"
        "@subnet c medium=bus latency_us=100 ns_per_byte=850 hosts=n[8-11]\n"
        "@subnet d medium=bus latency_us=100 ns_per_byte=950 hosts=n[12-15]\n"
        "@machine m message_us=10 ns_per_byte=0 cores=1 hosts=n[0-15]\n"
        "@link a b latency_us=200 ns_per_byte=900\n@link a c latency_us=200 ns_per_byte=900\n"
        "@link a d latency_us=200 ns_per_byte=900\n@link b c latency_us=200 ns_per_byte=900\n"
        "@link b d latency_us=200 ns_per_byte=900\n@link c d latency_us=200 ns_per_byte=900\n";
    hn_net *net;
    cr_assert_eq(hn_net_parse("slow", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    return net;
}

/* What is found in the time of so many halves of an operation. */
static struct shortlist found_in(const struct request *req, const struct model *model, int calls)
{
    struct choice choice;
    struct shortlist shortlist;
    struct plan *plan;
    cr_assert_eq(planner_best_quick(req, model, calls, &choice, &plan, NULL, &shortlist), HN_OK);
    plan_free(plan);
    return shortlist;
}

/* The plan of a rounded sum stays: more is tried where the operation takes long, by all members the
 * same, and not where it is short. */
Test(choices, sums_that_take_long_are_planned_longer)
{
    static struct choices kept, others;
    hn_net *net = slow_net();
    struct model model;
    model_of_net(&model, net, NULL, RANKS, PORT_MEDIA);
    struct circumstances now = {.model = &model, .measured = true};
    int more = 0;
    for (int64_t bytes = 8; bytes <= 1 << 18; bytes *= 2) {
        struct request req = {
            .op = OP_ALLREDUCE, .ranks = RANKS, .bytes = bytes, .grain = 8, .steady = true};
        struct decision *d, *same;
        cr_assert_eq(choices_find(&kept, &now, &req, &d), HN_OK);
        cr_assert_eq(choices_find(&others, &now, &req, &same), HN_OK);
        cr_assert(choice_same(&d->choice, &same->choice));
        cr_assert_eq(d->again, INT64_MAX, "it stays");
        struct shortlist usual = found_in(&req, &model, CALLS);
        bool is_long = usual.makespan >= 100000000000;
        cr_assert(is_long ? d->shortlist.plans >= usual.plans : d->shortlist.plans == usual.plans,
                  "%lld bytes: %d plans, %d in the usual time", (long long)bytes,
                  d->shortlist.plans, usual.plans);
        more += d->shortlist.plans > usual.plans;
        cr_assert(bytes > 8 || !is_long);
        cr_assert(bytes < 1 << 18 || is_long);
    }
    cr_assert_gt(more, 0, "for the longest, there is time for all in any case");
    hn_net_free(net);
}

/* The first plan of an allreduce of 64 KiB among so many tasks of one host. */
static struct shortlist first_plan(int ranks, int ranks_per_core, struct choice *choice)
{
    struct request req = {.op = OP_ALLREDUCE, .ranks = ranks, .bytes = 1 << 16, .grain = 8};
    hn_net *net = hn_net_new(1);
    const hn_host_cost end = {5000000, 200000, 5000000, 200000, 0};
    int host[64] = {0};
    struct model model;
    struct plan *plan;
    struct shortlist shortlist;
    cr_assert_eq(hn_net_set_host(net, 0, &end), HN_OK);
    model_of_net(&model, net, host, ranks, PORT_MEDIA);
    model.ranks_per_core = ranks_per_core;
    cr_assert_eq(planner_best_quick(&req, &model, 1, choice, &plan, NULL, &shortlist), HN_OK);
    plan_free(plan);
    hn_net_free(net);
    return shortlist;
}

/* Tasks that share cores do not begin with a plan of thousands of messages, which each of them
 * would have to look at; those that have cores of their own do. */
Test(choices, shared_cores_begin_with_few_messages)
{
    struct choice crowded, alone, small;
    first_plan(64, 32, &crowded);
    cr_assert_str_eq(crowded.planner->name, "binomial");
    struct shortlist rest = first_plan(64, 1, &alone);
    cr_assert_str_neq(alone.planner->name, "binomial");
    cr_assert_gt(rest.plans, 0);
    cr_assert_gt(first_plan(4, 2, &small).plans, 1, "few tasks have time for more");
}

/* The plan of a short operation among 8 tasks of one host. */
static const char *short_plan(enum operation op, int64_t bytes, int ranks_per_core, bool measured)
{
    struct choices choices = {0};
    struct request req = {.op = op, .ranks = 8, .bytes = bytes, .grain = 8};
    const hn_host_cost end = {10000000, 500000, 10000000, 500000, 0};
    hn_net *net = hn_net_new(1);
    int host[8] = {0};
    struct model model;
    struct decision *d;
    bool changed;
    cr_assert_eq(hn_net_set_host(net, 0, &end), HN_OK);
    model_of_net(&model, net, host, 8, PORT_MEDIA);
    model.ranks_per_core = ranks_per_core;
    struct circumstances now = {.model = &model, .measured = measured};
    cr_assert_eq(choices_call(&choices, &now, &req, &d, &changed), HN_OK);
    const char *name = d->choice.planner->name;
    choices_free(&choices);
    hn_net_free(net);
    return name;
}

Test(choices, short_operations_of_tasks_that_share_cores_wake_few)
{
    cr_assert_str_eq(short_plan(OP_BARRIER, 0, 4, false), "flat");
    cr_assert_str_eq(short_plan(OP_ALLREDUCE, 1024, 3, false), "flat");
    cr_assert_str_neq(short_plan(OP_ALLREDUCE, 8192, 4, false), "flat");
    cr_assert_str_neq(short_plan(OP_BARRIER, 0, 2, false), "flat");
    cr_assert_str_neq(short_plan(OP_BARRIER, 0, 4, true), "flat");
}

/* Calls of an allreduce among so many tasks of one host that share its cores: at which one the
 * model has been asked; 0: at none of sixteen. */
static int asked_at(int ranks, int64_t bytes, bool steady)
{
    struct choices choices = {0};
    struct request req = {
        .op = OP_ALLREDUCE, .ranks = ranks, .bytes = bytes, .grain = 8, .steady = steady};
    const hn_host_cost end = {5000000, 200000, 5000000, 200000, 0};
    hn_net *net = hn_net_new(1);
    int host[64] = {0}, asked = 0;
    struct model model;
    struct decision *d;
    bool changed;
    cr_assert_eq(hn_net_set_host(net, 0, &end), HN_OK);
    model_of_net(&model, net, host, ranks, PORT_MEDIA);
    model.ranks_per_core = ranks / 2;
    struct circumstances now = {.model = &model, .measured = true};
    for (int call = 1; call <= 16 && !asked; call++) {
        cr_assert_eq(choices_call(&choices, &now, &req, &d, &changed), HN_OK);
        asked = d->why == WHY_BEST ? call : 0;
        cr_assert(asked || (d->why == WHY_FIRST && d->shortlist.plans == 0 && d->choice.planner));
    }
    choices_free(&choices);
    hn_net_free(net);
    return asked;
}

/* Where planning takes longer than the operation, it waits until there have been some. */
Test(choices, shared_cores_plan_later)
{
    cr_expect_eq(asked_at(64, 8, false), 8);
    cr_expect_eq(asked_at(64, 8, true), 0, "a rounded sum has one plan");
    cr_expect_eq(asked_at(64, 1 << 20, false), 1, "which takes longer than planning");
    cr_expect_eq(asked_at(8, 8, false), 1);
}

/* Eight hosts on a switch, for which a ring and halving take the same in the model. */
static struct choice large_sum(int ranks_per_core)
{
    static const char text[] =
        "@network version=5\n"
        "* send_us=7.7 send_ns_per_byte=0.08 recv_us=2.3 recv_ns_per_byte=0 "
        "send_gap_ns_per_byte=8.9 recv_gap_ns_per_byte=8.9\n"
        "n[0-7]\n"
        "@subnet a medium=switch latency_us=20 ns_per_byte=8.2 hosts=n[0-7]\n";
    struct request req = {.op = OP_ALLREDUCE, .ranks = 8, .bytes = 1 << 20, .grain = 8};
    hn_net *net;
    struct model model;
    struct choice choice;
    struct plan *plan;
    cr_assert_eq(hn_net_parse("lan", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    model_of_net(&model, net, NULL, 8, PORT_MEDIA);
    model.ranks_per_core = ranks_per_core;
    cr_assert_eq(planner_best_quick(&req, &model, CALLS_ALL, &choice, &plan, NULL, NULL), HN_OK);
    plan_free(plan);
    hn_net_free(net);
    return choice;
}

/* On shared cores, exchanges of long messages in pairs come later than the model says. */
Test(choices, shared_cores_do_not_exchange_long_messages_in_pairs)
{
    struct choice alone = large_sum(1);
    char text[CHOICE_TEXT_ROOM];
    cr_expect_str_eq(large_sum(4).planner->name, "ring");
    cr_expect(strstr(choice_text(&alone, text, sizeof text), "halving"), "%s", text);
}

/* Twenty hosts of one machine with two cores, in four rooms, of which rank 0 has the farthest:
 * there is time for a few plans, and the best of them is among the first. */
Test(choices, shared_cores_meet_in_the_middle)
{
    static const char text[] =
        "n[1-20] send_us=10 recv_us=10\n"
        "@subnet a medium=switch latency_us=40 ns_per_byte=870 hosts=n[1-5]\n"
        "@subnet b medium=switch latency_us=8 ns_per_byte=85 hosts=n[6-10]\n"
        "@subnet c medium=switch latency_us=40 ns_per_byte=870 hosts=n[11-15]\n"
        "@subnet d medium=switch latency_us=40 ns_per_byte=870 hosts=n[16-20]\n"
        "@link a b latency_us=120 ns_per_byte=870\n@link a c latency_us=240 ns_per_byte=870\n"
        "@link a d latency_us=240 ns_per_byte=870\n@link b c latency_us=20 ns_per_byte=870\n"
        "@link b d latency_us=20 ns_per_byte=870\n@link c d latency_us=40 ns_per_byte=870\n"
        "@machine m cores=2 hosts=n[1-20]\n";
    struct request req = {.op = OP_ALLREDUCE, .ranks = 20, .bytes = 8, .grain = 8, .steady = true};
    hn_net *net;
    struct model model;
    struct choice choice;
    struct plan *plan;
    cr_assert_eq(hn_net_parse("rooms", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    model_of_net(&model, net, NULL, 20, PORT_MEDIA);
    cr_assert_eq(planner_best_quick(&req, &model, 2, &choice, &plan, NULL, NULL), HN_OK);
    cr_expect_str_eq(choice.planner->name, "reduce+bcast");
    cr_expect_neq(choice.root, 0);
    plan_free(plan);
    hn_net_free(net);
}

static hn_time soon_in(const struct request *req, const struct model *model, hn_time work)
{
    struct choice choice;
    struct plan *plan;
    struct timing timing;
    cr_assert_eq(planner_best_within(req, model, work, &choice, &plan, &timing), HN_OK);
    hn_time makespan = timing.makespan;
    plan_free(plan);
    timing_free(&timing);
    return makespan;
}

/* Three racks with a cable between each two: the first plan of long data is a pipeline, and not the
 * best of all trees of whole messages, for which there would be time, too. */
Test(choices, long_data_are_cut_at_the_first_call)
{
    static const char text[] =
        "@network version=5\n"
        "* send_us=40 recv_us=40 send_gap_ns_per_byte=80 recv_gap_ns_per_byte=80\n"
        "n[1-18]\n"
        "@subnet a medium=switch latency_us=20 ns_per_byte=80 hosts=n[1-6]\n"
        "@subnet b medium=switch latency_us=20 ns_per_byte=80 hosts=n[7-12]\n"
        "@subnet c medium=switch latency_us=20 ns_per_byte=80 hosts=n[13-18]\n"
        "@link a b latency_us=30 ns_per_byte=80 wire_ns_per_byte=80\n"
        "@link a c latency_us=30 ns_per_byte=80 wire_ns_per_byte=80\n"
        "@link b c latency_us=30 ns_per_byte=80 wire_ns_per_byte=80\n";
    enum { HOSTS = 18 };
    static const hn_time ms = 1000000000;
    hn_net *net;
    struct model model;
    cr_assert_eq(hn_net_parse("racks", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    model_of_net(&model, net, NULL, HOSTS, PORT_MEDIA);
    struct request req = {.op = OP_BCAST, .ranks = HOSTS, .bytes = 1 << 18, .grain = 1};
    hn_time all = soon_in(&req, &model, 1000 * ms);
    cr_expect_leq(soon_in(&req, &model, 4 * ms), all + all / 3, "%lld of %lld",
                  (long long)soon_in(&req, &model, 4 * ms), (long long)all);
    hn_net_free(net);
}

static hn_net *net_of(const char *text, int ranks, struct model *model)
{
    hn_net *net;
    cr_assert_eq(hn_net_parse("text", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    model_of_net(model, net, NULL, ranks, PORT_MEDIA);
    return net;
}

/* Eight hosts on one slow switch, on a machine with two processors. */
static hn_net *switch_net(struct model *model)
{
    static const char text[] = "@network version=5\n"
                               "* send_us=106 send_ns_per_byte=1 recv_us=80 recv_ns_per_byte=4 "
                               "send_gap_ns_per_byte=861 recv_gap_ns_per_byte=859\n"
                               "n[0-7]\n"
                               "@subnet a medium=switch latency_us=3 ns_per_byte=863 "
                               "first_bytes=1448 first_ns_per_byte=1621 hosts=n[0-7]\n"
                               "@machine m message_us=0 ns_per_byte=0 cores=2 hosts=n[0-7]\n";
    return net_of(text, 8, model);
}

/* Who gathers to all knows at the first call that all may send to all at once. */
Test(choices, gathering_on_one_switch_is_direct_at_the_first_call)
{
    struct request req = {.op = OP_ALLGATHER, .ranks = 8, .bytes = 4600, .grain = 8};
    struct model model;
    hn_net *net = switch_net(&model);
    struct choice choice;
    struct plan *plan;
    char name[CHOICE_TEXT_ROOM];
    cr_assert_eq(planner_best_quick(&req, &model, 1, &choice, &plan, NULL, NULL), HN_OK);
    cr_expect_str_eq(choice_text(&choice, name, sizeof name), "as_alltoall:direct");
    plan_free(plan);
    hn_net_free(net);
}

/* Where there is little time, plans in which everybody sends at once are among the first that are
 * tried of a total exchange. */
Test(choices, exchanges_without_turns_are_tried_soon)
{
    static const char text[] = "@network version=5\n"
                               "* send_us=5 recv_us=5\n"
                               "n[0-19]\n"
                               "@subnet a medium=bus latency_us=90 ns_per_byte=865 hosts=n[0-6]\n"
                               "@subnet b medium=bus latency_us=90 ns_per_byte=865 hosts=n[7-13]\n"
                               "@subnet c medium=bus latency_us=90 ns_per_byte=865 hosts=n[14-19]\n"
                               "@machine m message_us=20 ns_per_byte=0 cores=2 hosts=n[0-19]\n";
    struct request req = {.op = OP_ALLTOALL, .ranks = 20, .bytes = 1024, .grain = 1};
    struct model model;
    hn_net *net = net_of(text, 20, &model);
    struct choice choice;
    struct plan *plan;
    char name[CHOICE_TEXT_ROOM];
    cr_assert_eq(planner_best_quick(&req, &model, 1, &choice, &plan, NULL, NULL), HN_OK);
    cr_expect_str_eq(choice_text(&choice, name, sizeof name), "direct");
    plan_free(plan);
    hn_net_free(net);
}

/* A plan that leaves hardly anything to gain is looked for once more, and then not; others are. */
Test(choices, who_is_near_the_bound_plans_no_more)
{
    struct choices choices = {0};
    struct model model;
    hn_net *net = switch_net(&model);
    struct circumstances now = {.model = &model, .measured = true};
    struct request gather = {.op = OP_ALLGATHER, .ranks = 8, .bytes = 4600, .grain = 8};
    struct request bcast = {.op = OP_BCAST, .ranks = 8, .bytes = 46000, .grain = 8};
    struct decision *d;
    bool changed;
    int64_t again;
    cr_assert_eq(choices_find(&choices, &now, &gather, &d), HN_OK);
    again = d->again;
    cr_expect_lt(again, INT64_MAX, "at first there is no time to see what there is");
    for (int64_t call = 0; call < again; call++)
        cr_assert_eq(choices_call(&choices, &now, &gather, &d, &changed), HN_OK);
    cr_expect(!d->shortlist.complete, "there has not been time for all");
    cr_expect_eq(d->again, INT64_MAX);
    for (int64_t call = 0; call < again; call++)
        cr_assert_eq(choices_call(&choices, &now, &bcast, &d, &changed), HN_OK);
    cr_expect(!d->shortlist.complete);
    cr_expect_lt(d->again, INT64_MAX);
    choices_free(&choices);
    hn_net_free(net);
}

/* Two groups with the same members: the second one gets what the first one has found, although its
 * model, contrary to the rule, is another one. Requests that differ in one field get their own. */
Test(choices, a_second_group_does_not_choose_again)
{
    static struct choices alone, first, second;
    static struct first_choices known;
    struct model model, other;
    hn_net *net = switch_net(&model), *slow = slow_net();
    struct circumstances now = {.measured = true};
    model_of_net(&other, slow, NULL, 8, PORT_MEDIA);
    first_choices_init(&known);
    for (int64_t i = 0; i < FIRST_CHOICES + 2; i++) {
        struct request req = {.op = i % 2 ? OP_ALLREDUCE : OP_BCAST,
                              .ranks = 8,
                              .root = i == 2,
                              .bytes = 64 + 8 * (i / 4),
                              .grain = 8,
                              .ordered = i == 3};
        struct decision *d, *remembered, *expected;
        now.model = &model;
        now.first = NULL;
        cr_assert_eq(choices_find(&alone, &now, &req, &expected), HN_OK);
        now.first = &known;
        cr_assert_eq(choices_find(&first, &now, &req, &d), HN_OK);
        now.model = &other;
        cr_assert_eq(choices_find(&second, &now, &req, &remembered), HN_OK);
        cr_expect(choice_same(&remembered->choice, &expected->choice));
        cr_expect_eq(remembered->shortlist.makespan, expected->shortlist.makespan);
        cr_expect_eq(remembered->again, expected->again);
    }
    first_choices_free(&known);
    choices_free(&alone);
    choices_free(&first);
    choices_free(&second);
    hn_net_free(net);
    hn_net_free(slow);
}

/* Thirty-two hosts on one switch: by relays a thousand messages are under way at once, and their
 * wires shared among all of them again and again. */
static hn_net *wide_net(struct model *model)
{
    static const char text[] =
        "n[0-31] send_us=10 recv_us=10 send_gap_ns_per_byte=4 recv_gap_ns_per_byte=4\n"
        "@subnet a medium=switch latency_us=30 ns_per_byte=8 hosts=n[0-31]\n";
    return net_of(text, 32, model);
}

/* A first call has no time to play that to the end; and what it takes to see this leaves time for
 * others. */
Test(choices, no_plan_takes_all_the_time_of_a_first_call)
{
    struct request req = {.op = OP_ALLGATHER, .ranks = 32, .bytes = 32768, .grain = 8};
    struct model model;
    hn_net *net = wide_net(&model);
    struct shortlist first = found_in(&req, &model, 1);
    hn_time relays = makespan_by("relays", &req, &model);
    cr_expect(!first.complete);
    cr_expect_gt(first.makespan, relays);
    cr_expect_lt(first.makespan, 2 * relays, "%g ms", (double)first.makespan / 1e9);
    hn_net_free(net);
}

/* With more time, other plans are begun, and may take all of it. */
Test(choices, what_was_found_is_kept_until_there_is_a_better_one)
{
    struct request req = {.op = OP_ALLGATHER, .ranks = 32, .bytes = 32768, .grain = 8};
    struct model model;
    hn_net *net = wide_net(&model);
    struct candidate first = {0};
    struct choice choice;
    struct shortlist shortlist;
    struct plan *plan;
    cr_assert_eq(planner_best_quick(&req, &model, 1, &first.choice, &plan, NULL, &shortlist),
                 HN_OK);
    plan_free(plan);
    first.makespan = shortlist.makespan;
    cr_expect_gt(found_in(&req, &model, 4).makespan, first.makespan, "what is to be avoided");
    cr_assert_eq(planner_best_again(&req, &model, 4, &first, &choice, &plan, NULL, &shortlist),
                 HN_OK);
    plan_free(plan);
    cr_expect_eq(shortlist.makespan, first.makespan);
    cr_expect(choice_same(&choice, &first.choice));
    if (!random_short()) {
        cr_assert_eq(
            planner_best_again(&req, &model, CALLS_ALL, &first, &choice, &plan, NULL, &shortlist),
            HN_OK);
        plan_free(plan);
        cr_expect_lt(shortlist.makespan, first.makespan);
    }
    hn_net_free(net);
}

/* Many kinds of operations: those that are called again and again are kept, with what is known. */
enum { ROOTS = 1000, OFTEN = 3 };

static struct request broadcast_from(int root)
{
    return (struct request){.op = OP_BCAST, .ranks = ROOTS, .root = root, .bytes = 64, .grain = 1};
}

Test(choices, those_called_least_recently_go)
{
    static struct choices kept;
    hn_net *net = slow_net();
    struct model model;
    model_of_net(&model, net, NULL, RANKS, PORT_MEDIA);
    struct circumstances now = {.model = &model}; /* a rule of thumb: planning costs nothing */
    struct decision *d, *often[OFTEN];
    bool changed;
    for (int root = 0; root < ROOTS; root++) {
        struct request req = broadcast_from(root);
        cr_assert_eq(choices_call(&kept, &now, &req, &d, &changed), HN_OK);
        for (int i = 0; i < OFTEN && root > CHOICES / 2; i++) {
            struct request again = broadcast_from(i);
            cr_assert_eq(choices_call(&kept, &now, &again, &often[i], &changed), HN_OK);
            cr_assert_eq(often[i]->root, i);
            cr_assert_eq(often[i]->calls, root - CHOICES / 2 + 1, "its calls are forgotten");
        }
        for (int other = 0; other <= root; other++) {
            struct request one = broadcast_from(other);
            const struct decision *found = choices_kept(&kept, &one);
            bool stays = other < OFTEN || other > root - (CHOICES - OFTEN);
            cr_assert_eq(found != NULL, stays || root < CHOICES, "%d after %d", other, root);
            cr_assert(!found || found->root == other);
        }
    }
    choices_forget(&kept);
    struct request req = broadcast_from(0);
    cr_expect_null(choices_kept(&kept, &req));
    choices_free(&kept);
    hn_net_free(net);
}
