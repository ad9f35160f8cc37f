/* test_line_planner.c - the line through the subnets: how many messages it puts on the busiest
 * segment, whatever the order of ranks. */
#include "plan/check.h"
#include "planners/planner.h"
#include "random.h"

#include "hnow.h"

#include <criterion/criterion.h>

enum { MOST = 24, SEGMENTS_MOST = 4, BYTES = 1000 };

/* Segments of 10 Mb/s with so many hosts each, 0 at the end. */
static hn_net *make_segments(const int *sizes)
{
    static const char *const names[SEGMENTS_MOST] = {"a", "b", "c", "d"};
    int hosts = 0, members[MOST];
    for (int s = 0; sizes[s]; s++)
        hosts += sizes[s];
    hn_net *net = hn_net_new(hosts);
    for (int s = 0, first = 0; sizes[s]; first += sizes[s], s++) {
        for (int i = 0; i < sizes[s]; i++)
            members[i] = first + i;
        hn_net_add_subnet(net, names[s], HN_MEDIUM_BUS, members, sizes[s]);
        hn_net_set_subnet_cost(net, hn_net_subnet_of(net, first),
                               (hn_pair_cost){.per_byte = 800000000});
    }
    return net;
}

static void shuffle(int *host, int n, uint64_t *state)
{
    for (int i = 0; i < n; i++)
        host[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int k = (int)random_below(state, i + 1), kept = host[i];
        host[i] = host[k];
        host[k] = kept;
    }
}

/* The messages that pass the busiest segment; those between two segments pass both. */
static int busiest(const struct plan *plan, const struct model *model)
{
    int passed[MOST + 1] = {0}, most = 0;
    for (int rank = 0; rank < plan->ranks; rank++)
        for (int32_t at = plan->first[rank]; at < plan->first[rank + 1]; at++) {
            const struct plan_step *step = &plan->steps[at];
            int here = model_subnet(model, rank), there = model_subnet(model, step->peer);
            if (step->kind != PLAN_SEND)
                continue;
            passed[here]++;
            passed[there] += there != here;
        }
    for (int s = 0; s <= MOST; s++)
        most = passed[s] > most ? passed[s] : most;
    return most;
}

static int busiest_of(const char *name, enum operation op, const int *sizes, uint64_t *state)
{
    hn_net *net = make_segments(sizes);
    int host[MOST], n = hn_net_size(net);
    struct model model;
    struct choice choice;
    struct plan *plan;
    struct check_fault fault;
    struct request req = {.op = op, .ranks = n, .bytes = BYTES, .grain = 1};
    shuffle(host, n, state);
    model_of_net(&model, net, host, n, PORT_MEDIA);
    cr_assert_eq(choice_parse(name, &choice), HN_OK);
    cr_assert_eq(choice_plan(&choice, &req, &model, &plan), HN_OK);
    cr_assert_eq(plan_check(plan, &req, &fault), HN_OK, "%s", fault.text);
    int most = busiest(plan, &model);
    plan_free(plan);
    hn_net_free(net);
    return most;
}

/* ECO's three segments: everybody needs 7 parts there, and the parts from there leave once. */
Test(line_planner, has_the_fewest_messages_on_ecos_segments)
{
    uint64_t state = random_seed();
    const int eco[] = {3, 3, 2, 0};
    for (int round = 0; round < random_rounds(20); round++) {
        cr_expect_eq(busiest_of("line", OP_ALLGATHER, eco, &state), 24);
        cr_expect_eq(busiest_of("line", OP_REDUCE_SCATTER, eco, &state), 24);
        cr_expect_eq(busiest_of("line", OP_ALLREDUCE, eco, &state), 48);
        cr_expect_eq(busiest_of("ring", OP_ALLGATHER, eco, &state), 28);
    }
}

/* The crowded segments are where the line ends: k messages for each of the n ranks there. */
Test(line_planner, ends_in_the_crowded_segments)
{
    uint64_t state = random_seed();
    for (int round = 0; round < random_rounds(20); round++) {
        cr_expect_eq(busiest_of("line", OP_ALLGATHER, (int[]){2, 5, 2, 4, 0}, &state), 5 * 13);
        cr_expect_eq(busiest_of("line", OP_ALLGATHER, (int[]){6, 2, 1, 6, 0}, &state), 6 * 15);
        cr_expect_eq(busiest_of("line", OP_ALLGATHER, (int[]){3, 2, 0}, &state), 3 * 5);
    }
}
