/* group_task.c - tasks that use contexts and static groups, for the tests of services: group_task
 * WHAT.  Rank 0 prints WHAT when everything was as it should be.
 *     contexts     every task draws many contexts: no two are equal
 *     apart        messages of equal source and tag are kept apart by their contexts
 *     split        groups by colour and key, of different sizes; colour below 0 gets none
 *     same         four groups of the same members, operations and messages interleaved
 *     parts        groups of lists, in an order of their own, made at the same time
 *     many         a thousand groups are made and freed
 *     wrong        lists that make no group
 *     missing      a group with a member that leaves instead
 *     siblings     children spawned together have a world of their own, and groups in it
 */
#include "check.h"
#include "hnow_coll.h"

#include <stdlib.h>
#include <string.h>

static int rank, size;
static const char *self;

static int by_number(const void *a, const void *b)
{
    hn_context x = *(const hn_context *)a, y = *(const hn_context *)b;
    return (x > y) - (x < y);
}

static void contexts(void)
{
    enum { EACH = 300 };
    size_t n = (size_t)size * EACH;
    hn_context *all = calloc(n, sizeof *all);
    CHECK(all);
    for (int i = 0; i < EACH; i++)
        CHECK(hn_context_new(&all[rank * EACH + i]) == HN_OK);
    CHECK(hn_allgather(HN_IN_PLACE, EACH, all, HN_UINT32, hn_world()) == HN_OK);
    qsort(all, n, sizeof *all, by_number);
    for (size_t i = 1; i < n; i++)
        CHECK(all[i] >= all[i - 1] + 4 && all[i] < 0x80000000u);
    free(all);
}

static void apart(void)
{
    hn_tid next = hn_group_tid(hn_world(), (rank + 1) % size);
    hn_tid before = hn_group_tid(hn_world(), (rank + size - 1) % size);
    hn_context context = 0;
    int value = 1, got = 0;
    if (rank == 0)
        CHECK(hn_context_new(&context) == HN_OK);
    CHECK(hn_bcast(&context, 1, HN_UINT32, 0, hn_world()) == HN_OK);
    CHECK(hn_send(next, 5, &value, 1, HN_INT) == HN_OK);
    CHECK(hn_set_context(context) == 0);
    value = 2;
    CHECK(hn_send(next, 5, &value, 1, HN_INT) == HN_OK);
    CHECK(hn_recv(before, HN_ANY, &got, 1, HN_INT, NULL) == HN_OK && got == 2);
    CHECK(hn_iprobe(HN_ANY, HN_ANY, NULL) == 0);
    CHECK(hn_barrier(hn_world()) == HN_OK); /* to probe where all have ended is an error */
    CHECK(hn_set_context(0) == context);
    CHECK(hn_recv(before, 5, &got, 1, HN_INT, NULL) == HN_OK && got == 1);
}

/* The members' ranks in the world, summed up and in the order of the group. */
static void check_group(const hn_group *group, int members, int sum)
{
    int total = 0, mine = hn_group_rank(group, hn_mytid()), here = -1;
    CHECK(hn_group_size(group) == members && mine >= 0);
    CHECK(hn_allreduce(&rank, &total, 1, HN_INT, HN_SUM, group) == HN_OK && total == sum);
    CHECK(hn_exscan(&mine, &here, 1, HN_INT, HN_MAX, group) == HN_OK && here == mine - 1);
}

static void split(void)
{
    hn_group *third, *half, *none;
    int n = 0, sum = 0;
    for (int i = rank % 3; i < size; i += 3, n++)
        sum += i;
    CHECK(hn_group_split(hn_world(), rank % 3, -rank, &third) == HN_OK);
    check_group(third, n, sum);
    CHECK(hn_group_tid(third, n - 1) == hn_group_tid(hn_world(), rank % 3));
    CHECK(hn_group_split(third, hn_group_rank(third, hn_mytid()) < n / 2, 0, &half) == HN_OK);
    CHECK(hn_group_size(half) == n / 2 || hn_group_size(half) == n - n / 2);
    CHECK(hn_barrier(half) == HN_OK);
    CHECK(hn_group_split(hn_world(), rank ? -1 : 7, 0, &none) == HN_OK);
    CHECK(rank ? !none : hn_group_size(none) == 1);
    CHECK(rank || hn_barrier(none) == HN_OK);
    hn_group_free(half);
    hn_group_free(third);
    hn_group_free(none);
}

static void same(void)
{
    enum { GROUPS = 4 };
    hn_group *group[GROUPS];
    int value[GROUPS], *order = calloc((size_t)size, sizeof *order);
    CHECK(order);
    for (int i = 0; i < size; i++)
        order[i] = i;
    for (int g = 0; g < GROUPS; g++) {
        if (g % 2)
            CHECK(hn_group_split(hn_world(), 0, 0, &group[g]) == HN_OK);
        else
            CHECK(hn_group_from_ranks(hn_world(), order, size, &group[g]) == HN_OK);
        for (int k = 0; k < g; k++)
            CHECK(hn_group_context(group[g]) != hn_group_context(group[k]));
    }
    for (int round = 0; round < 20; round++) {
        /* Root 0 sends in all groups at once; the others take the groups in another order. */
        for (int i = 0; i < GROUPS; i++) {
            int g = rank == 0 ? i : GROUPS - 1 - i;
            value[g] = rank == 0 ? 10 * round + g : -1;
            CHECK(hn_bcast(&value[g], 1, HN_INT, 0, group[g]) == HN_OK);
            CHECK(value[g] == 10 * round + g);
        }
    }
    for (int g = 0; g < GROUPS; g++)
        hn_group_free(group[g]);
    free(order);
}

/* All tasks but one, backwards, and all pairs of neighbours. */
static void parts(void)
{
    hn_group *group = NULL;
    int *ranks = calloc((size_t)size, sizeof *ranks);
    CHECK(ranks && size >= 4);
    for (int i = 0; i < size - 1; i++)
        ranks[i] = size - 2 - i;
    if (rank < size - 1) {
        CHECK(hn_group_from_ranks(hn_world(), ranks, size - 1, &group) == HN_OK);
        CHECK(hn_group_rank(group, hn_mytid()) == size - 2 - rank);
        check_group(group, size - 1, (size - 1) * (size - 2) / 2);
        hn_group_free(group);
    }
    for (int first = 0; first + 1 < size; first++) {
        if (rank != first && rank != first + 1)
            continue;
        hn_tid pair[2] = {hn_group_tid(hn_world(), first + 1), hn_group_tid(hn_world(), first)};
        CHECK(hn_group_from_tids(pair, 2, &group) == HN_OK);
        check_group(group, 2, 2 * first + 1);
        hn_group_free(group);
    }
    free(ranks);
}

static void many(void)
{
    for (int i = 0; i < 1000; i++) {
        hn_group *group;
        CHECK(hn_group_split(hn_world(), rank % 2, 0, &group) == HN_OK);
        if (i % 100 == 0)
            CHECK(hn_barrier(group) == HN_OK);
        hn_group_free(group);
    }
}

static void wrong(void)
{
    hn_tid me = hn_mytid(), other = hn_group_tid(hn_world(), !rank), tids[3] = {me, other, me};
    int outside = size;
    hn_group *group = NULL;
    CHECK(hn_group_from_tids(tids, 3, &group) == HN_EARG);
    CHECK(hn_group_from_tids(&other, 1, &group) == HN_EARG);
    CHECK(hn_group_from_tids(tids, 0, &group) == HN_EARG);
    CHECK(hn_group_from_ranks(hn_world(), &outside, 1, &group) == HN_EARG);
    CHECK(hn_group_new(&me, 1, 77, &group) == HN_EARG);
    tids[1] = 77;
    CHECK(hn_group_from_tids(tids, 2, &group) == HN_ENOTASK);
    CHECK(!group && hn_group_from_tids(&me, 1, &group) == HN_OK);
    CHECK(hn_barrier(group) == HN_OK);
    hn_group_free(NULL);
}

static void missing(void)
{
    hn_group *group = NULL;
    int *ranks = calloc((size_t)size, sizeof *ranks);
    CHECK(ranks);
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    if (rank == size - 1) {
        CHECK(hn_exit() == HN_OK);
        exit(0);
    }
    CHECK(hn_group_from_ranks(hn_world(), ranks, size, &group) == HN_EDEAD && !group);
    CHECK(hn_group_from_ranks(hn_world(), ranks, size - 1, &group) == HN_OK);
    CHECK(hn_barrier(group) == HN_OK);
    free(ranks);
}

static void siblings(void)
{
    static const char *const words[] = {"children", NULL};
    hn_tid tids[3];
    const hn_tid *list;
    hn_group *both;
    if (hn_parent() == HN_ENOTASK)
        CHECK(hn_spawn(self, words, 3, NULL, tids) == 3);
    CHECK(hn_siblings(&list) == size && list[rank] == hn_mytid());
    CHECK(hn_group_split(hn_world(), 0, -rank, &both) == HN_OK);
    check_group(both, size, size * (size - 1) / 2);
    if (hn_parent() == HN_ENOTASK)
        for (int i = 0; i < 3; i++)
            CHECK(hn_recv(tids[i], 1, NULL, 0, HN_INT, NULL) == HN_OK);
    else
        CHECK(hn_send(hn_parent(), 1, NULL, 0, HN_INT) == HN_OK);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"contexts", contexts}, {"apart", apart},       {"split", split}, {"same", same},
    {"parts", parts},       {"many", many},         {"wrong", wrong}, {"missing", missing},
    {"siblings", siblings}, {"children", siblings},
};

int main(int argc, char **argv)
{
    self = argv[0];
    CHECK(argc == 2 && hn_enrol() == HN_OK);
    rank = hn_rank();
    size = hn_size();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, argv[1]) == 0)
            cases[i].run();
    if (rank == 0 && hn_parent() == HN_ENOTASK)
        puts(argv[1]);
    return 0;
}
