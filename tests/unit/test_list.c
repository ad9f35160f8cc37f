/* test_list.c - hplan -list keeps its word: every planner makes a right plan for every operation
 * that its row claims, on networks that nobody would build; and no plan is faster than its bound.
 *
 * test_properties.c draws networks at random; these are the ones that random drawing misses.
 */
#include "bounds_kept.h"
#include "plan/check.h"
#include "planners/planner.h"
#include "random.h"
#include "model/simulate.h"

#include "hnow_net.h"

#include <criterion/criterion.h>
#include <string.h>

enum { NODES_MOST = 8 };

/* Text of a network file, and how many tasks go round on its hosts (0: one each). */
static const struct odd {
    const char *name, *text;
    int tasks;
} odds[] = {
    {"one host", "a send_us=10 recv_us=10\n", 0},
    {"two hosts",
     "a send_us=10 recv_us=1\nb send_us=1 recv_us=90\n"
     "@subnet s hosts=a,b latency_us=100 ns_per_byte=80\n",
     0},
    {"all equal",
     "* send_us=10 recv_us=10\nh[1-6]\n"
     "@subnet s hosts=h[1-6] medium=switch latency_us=100 ns_per_byte=80\n",
     0},
    {"nothing costs", "h[1-5]\n", 0},
    {"sends alone cost", "* send_us=1\nh[1-5]\n", 0},
    {"as dear as can be",
     "* send_us=9000000000 recv_us=9000000000 send_ns_per_byte=9000000\nh[1-5]\n"
     "@subnet s hosts=h[1-5] medium=bus latency_us=9000000000 ns_per_byte=9000000\n",
     0},
    {"a star",
     "* send_us=5 recv_us=5\nh[1-6]\n"
     "@subnet s hosts=h[1-6] latency_us=50000 ns_per_byte=800\n"
     "@pair h3 h1 latency_us=50 ns_per_byte=8\n@pair h3 h2 latency_us=50 ns_per_byte=8\n"
     "@pair h3 h4 latency_us=50 ns_per_byte=8\n@pair h3 h5 latency_us=50 ns_per_byte=8\n"
     "@pair h3 h6 latency_us=50 ns_per_byte=8\n",
     0},
    {"one way only",
     "* send_us=5 recv_us=5\nh[1-5]\n@subnet s hosts=h[1-5] latency_us=10\n"
     "@pair h1 h2 way=one latency_us=30000 ns_per_byte=8000\n"
     "@pair h2 h3 way=one latency_us=30000 ns_per_byte=8000\n"
     "@pair h5 h1 way=one latency_us=1 ns_per_byte=8000\n",
     0},
    {"sites, subnets, a machine, tasks",
     "* send_us=20 recv_us=20\na[1-2]\nb\nc[1-2]\nd[1-2]\n"
     "@subnet a hosts=a[1-2] medium=bus latency_us=60 ns_per_byte=800 site=S\n"
     "@subnet b hosts=b latency_us=60 ns_per_byte=80 site=S\n"
     "@subnet c hosts=c[1-2] medium=switch latency_us=60 ns_per_byte=80 site=T\n"
     "@subnet d hosts=d[1-2] medium=switch latency_us=60 ns_per_byte=80\n"
     "@uplink a latency_us=150 ns_per_byte=80\n@uplink b latency_us=150 ns_per_byte=80\n"
     "@uplink c latency_us=150 ns_per_byte=80\n@uplink d latency_us=9000 ns_per_byte=80\n"
     "@link S T latency_us=8000 ns_per_byte=800 wire_ns_per_byte=800\n"
     "@machine m hosts=c[1-2] message_us=5 ns_per_byte=1\n",
     10},
};

struct contention {
    const struct odd *odd;
    const struct planner *planner;
    struct request req;
    struct model model;
    struct bounds_kept bounds[OP_COUNT];
};

static void judge(struct contention *t, const struct plan *plan)
{
    struct check_fault fault;
    const char *op = operation_name(t->req.op), *name = t->planner->name;
    cr_assert_eq(plan_check(plan, &t->req, &fault), HN_OK, "%s: %s by %s: rank %d step %d %s",
                 t->odd->name, op, name, fault.rank, fault.step, fault.text);
    for (int port = PORT_NONBLOCKING; port <= PORT_MEDIA; port++) {
        if (port == PORT_BLOCKING && t->planner->eager)
            continue;
        struct timing timing;
        t->model.port = (enum port)port;
        cr_assert_eq(plan_simulate(plan, &t->model, &timing), HN_OK, "%s: %s by %s does not end",
                     t->odd->name, op, name);
        hn_time bound =
            bounds_of(&t->bounds[t->req.op], &t->req, &t->model, plan_segments(plan) > 1);
        cr_assert_leq(bound, timing.makespan,
                      "%s: %s by %s takes %lld, its bound is %lld (port %d)", t->odd->name, op,
                      name, (long long)timing.makespan, (long long)bound, port);
        timing_free(&timing);
    }
    t->model.port = PORT_MEDIA;
}

/* While a sanitizer watches, an operation is cut into segments on every other network, and whole on
 * those between; and of arities there are the least and the most. */
static bool is_left_out(const struct contention *t, int64_t segment)
{
    return random_short() && t->planner->segments &&
           (segment > 0) == ((t->odd - odds + t->req.op) % 2 > 0);
}

static void try_planner(struct contention *t)
{
    const struct planner *p = t->planner;
    struct choice choice = {.planner = p, .arity = p->arity};
    struct plan *plan;
    int step = random_short() && p->arity_most > p->arity ? p->arity_most - p->arity : 1;
    for (; choice.arity <= p->arity_most; choice.arity += step)
        for (choice.segment = 0; choice.segment <= (p->segments ? 700 : 0); choice.segment += 700) {
            if (is_left_out(t, choice.segment))
                continue;
            int error = choice_plan(&choice, &t->req, &t->model, &plan);
            cr_assert_eq(error, HN_OK, "%s: %s by %s: error %d", t->odd->name,
                         operation_name(t->req.op), p->name, error);
            judge(t, plan);
            plan_free(plan);
        }
}

/* Few enough for `exact`: from the first rank to the next, and from the last to the first. */
static void give_messages(struct request *req, bool *wants, struct multicast_message *messages)
{
    int n = req->ranks;
    memset(wants, 0, 2 * (size_t)n);
    messages[0] = (struct multicast_message){0, 2000, wants};
    messages[1] = (struct multicast_message){n - 1, 400, wants + n};
    if (n > 1)
        wants[1] = wants[n] = true;
    req->messages = messages;
    req->message_count = 2;
}

static void try_all(struct contention *t, int ranks)
{
    struct multicast_message messages[2];
    bool wants[8 * NODES_MOST];
    for (int op = 0; op < OP_COUNT; op++)
        bounds_forget(&t->bounds[op]);
    for (int i = 0; i < planner_count; i++)
        for (int op = 0; op < OP_COUNT; op++) {
            t->planner = &planners[i];
            if (!random_turn((size_t)(i + op + (t->odd - odds)), 8))
                continue;
            t->req = (struct request){
                .op = (enum operation)op, .ranks = ranks, .bytes = 2000, .grain = 8};
            if (operation_rooted(t->req.op))
                t->req.root = ranks / 2;
            if (op == OP_MULTIMULTICAST)
                give_messages(&t->req, wants, messages);
            if (planners[i].operations & OP_BIT(op) && planner_can(&planners[i], &t->model))
                try_planner(t);
        }
}

Test(list, every_planner_does_what_its_row_says)
{
    for (size_t i = 0; i < sizeof odds / sizeof *odds; i++) {
        struct contention t = {.odd = &odds[i]};
        int host[4 * NODES_MOST];
        hn_net *net;
        cr_assert_eq(hn_net_parse(odds[i].name, odds[i].text, strlen(odds[i].text), &net), HN_OK,
                     "%s", hn_error_text());
        int hosts = hn_net_size(net), ranks = odds[i].tasks ? odds[i].tasks : hosts;
        for (int r = 0; r < ranks; r++)
            host[r] = r % hosts;
        model_of_net(&t.model, net, host, ranks, PORT_MEDIA);
        try_all(&t, ranks);
        hn_net_free(net);
    }
}

/* Names and sources say something, and are not said twice. */
Test(list, rows_are_told_apart)
{
    for (int i = 0; i < planner_count; i++) {
        cr_expect(planners[i].operations && *planners[i].source, "%s", planners[i].name);
        cr_expect(planners[i].composed || planners[i].multicast ||
                      !!planners[i].tree + !!planners[i].plan + !!planners[i].exchange == 1,
                  "%s", planners[i].name);
        cr_expect(!planners[i].multicast || (planners[i].operations & OP_BIT(OP_MULTIMULTICAST)),
                  "%s", planners[i].name);
        cr_expect_eq(planner_named(planners[i].name), &planners[i], "%s twice", planners[i].name);
    }
}

/* What composed planners say is usual are stages that they have. */
Test(list, usual_stages_can_be_read)
{
    for (int i = 0; i < planner_count; i++) {
        const char *const *usual = planners[i].candidate.usual;
        for (; usual && *usual; usual++) {
            char text[CHOICE_TEXT_ROOM];
            struct choice choice;
            enum usual mark = usual_mark(*usual);
            snprintf(text, sizeof text, "%s:%s", planners[i].name, *usual + (mark != USUAL_ALWAYS));
            cr_expect_eq(choice_parse(text, &choice), HN_OK, "%s", text);
            cr_expect(mark != USUAL_MIDDLE || planner_roots(&planners[i]), "%s: has no middle",
                      text);
        }
    }
}
