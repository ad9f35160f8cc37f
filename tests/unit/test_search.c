/* test_search.c - `search` on networks whose wires are shared: never later than any other planner's
 * tree, and sooner than all of them where they do not look at what is shared. */
#include "makespan.h"
#include "planners/planner.h"
#include "random_net.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <string.h>

enum { ROUNDS = 40, RANKS_MOST = 9 };

/* The least of all trees but those that are searched for. */
static hn_time best_tree(const struct request *req, const struct model *model)
{
    hn_time best = INT64_MAX;
    for (int i = 0; i < planner_count; i++) {
        const struct planner *p = &planners[i];
        for (int arity = p->arity; p->tree && !p->search && arity <= p->arity_most; arity++) {
            struct choice choice = {.planner = p, .arity = arity};
            hn_time time = planner_serves(p, req) ? makespan_of(&choice, req, model) : INT64_MAX;
            best = time < best ? time : best;
        }
    }
    return best;
}

Test(search, no_later_than_any_tree)
{
    static const enum operation ops[] = {OP_BCAST,   OP_BARRIER,   OP_REDUCE,
                                         OP_SCATTER, OP_ALLGATHER, OP_REDUCE_SCATTER};
    uint64_t state = random_seed();
    for (int round = 0; round < random_rounds(ROUNDS); round++) {
        uint64_t seed = state;
        int host[RANKS_MOST], ranks = 1 + (int)random_below(&state, RANKS_MOST);
        hn_net *net = random_net(&state);
        struct model model;
        random_group(net, &state, host, ranks);
        model_of_net(&model, net, host, ranks, PORT_MEDIA);
        struct request req = {.op = ops[random_below(&state, 6)],
                              .ranks = ranks,
                              .bytes = random_below(&state, 5000),
                              .grain = 1};
        if (operation_rooted(req.op))
            req.root = (int)random_below(&state, ranks);
        req.ordered = req.op == OP_REDUCE && random_below(&state, 2);
        hn_time least = best_tree(&req, &model), ours = makespan_by("search", &req, &model);
        cr_assert_leq(ours, least, "seed %llu: %s: %lld, best of the others %lld",
                      (unsigned long long)seed, operation_name(req.op), (long long)ours,
                      (long long)least);
        hn_net_free(net);
    }
}

/* Three hosts on each of two buses with a slow way between; the first host is slow, too. */
static const char two_buses[] =
    "a1 send_us=200 recv_us=300\na2 send_us=10\na3 send_us=10\nb1 send_us=10\nb2 send_us=10\nb3 "
    "send_us=10\n"
    "@subnet a medium=bus latency_us=50 ns_per_byte=800 hosts=a1,a2,a3\n"
    "@subnet b medium=bus latency_us=50 ns_per_byte=800 hosts=b1,b2,b3\n"
    "@link a b latency_us=400 ns_per_byte=1600\n";

Test(search, sees_what_is_shared)
{
    hn_net *net;
    struct model model;
    cr_assert_eq(hn_net_parse("two buses", two_buses, strlen(two_buses), &net), HN_OK, "%s",
                 hn_error_text());
    model_of_net(&model, net, NULL, hn_net_size(net), PORT_MEDIA);
    struct request req = {.op = OP_BCAST, .ranks = hn_net_size(net), .bytes = 16384, .grain = 1};
    /* Alone, the message from the root to b1 is as cheap as one from anywhere; what ecef does not
     * see is that it keeps both buses. */
    cr_expect_lt(makespan_by("search", &req, &model), makespan_by("ecef", &req, &model));
    cr_expect_leq(makespan_by("search", &req, &model), makespan_by("eco", &req, &model));
    /* Nobody has to be the root of a barrier, least of all the slow one, as in the trees of others.
     */
    req = (struct request){.op = OP_BARRIER, .ranks = hn_net_size(net), .grain = 1};
    cr_expect_lt(makespan_by("search", &req, &model), best_tree(&req, &model));
    hn_net_free(net);
}
