/* test_large.c - large data and few messages among many: what could take for ever, or be refused,
 * and need not. */
#include "planners/multicast/algorithms.h"
#include "planners/planners.h"
#include "model/table.h"
#include "planners/defaults.h"

#include "hnow.h"

#include <criterion/criterion.h>

static int64_t whole_data(const struct request *req)
{
    int64_t bytes = 0;
    for (int part = 0; part < request_parts(req); part++)
        bytes += request_part_bytes(req, part);
    return bytes;
}

/* A plan for a terabyte has no more steps than one for a gigabyte. */
Test(large, rules_of_thumb_cut_into_few_segments)
{
    for (int64_t bytes = 1 << 20; bytes <= (int64_t)1 << 40; bytes *= 2)
        for (int ranks = 2; ranks <= 512; ranks *= 2) {
            struct request req = {.op = OP_BCAST, .ranks = ranks, .bytes = bytes, .grain = 1};
            struct choice choice;
            cr_assert(defaults_choose(&req, true, &choice));
            cr_assert_gt(choice.segment, 0);
            cr_expect_leq(whole_data(&req) / choice.segment, 1 << 16, "%lld bytes, %d ranks",
                          (long long)bytes, ranks);
        }
}

/* The usual segments stay where data are not that large. */
Test(large, usual_segments_are_as_before)
{
    struct request req = {.op = OP_BCAST, .ranks = 64, .bytes = 200 << 20, .grain = 1};
    struct choice choice;
    cr_assert(defaults_choose(&req, true, &choice));
    cr_expect_eq(choice.segment, 65536);
}

/* One message to four of 40: who has nothing to do with it is no reason to give up. */
Test(large, best_of_few_deliveries_among_many_nodes)
{
    enum { N = 40, TO = 4 };
    struct table *table = table_new(N);
    bool wants[N] = {false};
    struct multicast_message message = {.source = N - 1, .bytes = 1, .wants = wants};
    struct model model;
    struct multicast m;
    for (int i = 0; i < N * N; i++) {
        table->constant[TABLE_SEND][i] = 10;
        table->constant[TABLE_RECV][i] = 1;
    }
    for (int i = 0; i < TO; i++)
        wants[7 * i] = true;
    model_of_table(&model, table, PORT_NONBLOCKING);
    cr_assert_eq(multicast_begin(&m, &model, &message, 1), HN_OK);
    cr_assert_eq(multicast_exact(&m), HN_OK);
    cr_expect_eq(m.makespan, 31, "11 to the first; 21 and 22 to two more, 31 to the last");
    multicast_end(&m);
    table_free(table);
}

/* The fastest ranks are informed first, also if all sends of a slow one together take longer than
 * 64 bits can say (ps). */
Test(large, fastest_nodes_first_of_the_slowest_hosts)
{
    enum { N = 300 };
    struct table *table = table_new(N);
    struct model model;
    struct request req = {.op = OP_BCAST, .ranks = N, .grain = 1};
    struct problem problem = {.req = &req, .model = &model};
    for (int from = 0; from < N; from++)
        for (int to = 0; to < N; to++)
            table->constant[TABLE_SEND][from * N + to] =
                from % 3 ? HN_COST_MOST - 1 : HN_COST_MOST / 100;
    model_of_table(&model, table, PORT_NONBLOCKING);
    struct matrix *matrix = matrix_new(&model, 0);
    struct tree *tree = tree_new(N, 0);
    problem.matrix = matrix;
    cr_assert_eq(planner_fnf(&problem, tree), HN_OK);
    for (int i = 1; i < N; i++)
        cr_expect_eq(tree->order[i] % 3 == 0, i < N / 3, "rank %d is informed as number %d",
                     tree->order[i], i);
    tree_free(tree);
    matrix_free(matrix);
    table_free(table);
}
