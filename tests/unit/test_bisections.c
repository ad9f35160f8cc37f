/* The tree of lines from the distances: random trees, with noise, and networks that are no trees.
 */
#include "random.h"
#include "derive/bisections.h"

#include <criterion/criterion.h>
#include <string.h>

enum { NODES = 40, HOSTS = 2 * BISECTIONS_UNITS };

/* Nodes 0 ... n-1, each joined to one before it; some of them are units. */
struct tree {
    int n, units, up[NODES], unit_at[BISECTIONS_UNITS];
    int64_t length[NODES]; /* of the line to up[] */
};

static void make_tree(struct tree *t, uint64_t *random)
{
    bool taken[NODES] = {false};
    t->n = 4 + (int)random_below(random, NODES - 4);
    t->units =
        3 + (int)random_below(random, t->n < BISECTIONS_UNITS ? t->n - 2 : BISECTIONS_UNITS - 2);
    for (int i = 1; i < t->n; i++) {
        t->up[i] = (int)random_below(random, i);
        t->length[i] = 2000000 + random_below(random, 20000000);
    }
    for (int u = 0; u < t->units;) {
        int node = (int)random_below(random, t->n);
        if (!taken[node])
            t->unit_at[u++] = node;
        taken[node] = true;
    }
}

static bool is_below(const struct tree *t, int node, int top)
{
    while (node > top)
        node = t->up[node];
    return node == top;
}

/* The units below a line, as a split; 0: all, or none. */
static uint32_t side_of(const struct tree *t, int line)
{
    uint32_t below = 0, all = ((uint32_t)1 << t->units) - 1;
    for (int u = 0; u < t->units; u++)
        below |= (uint32_t)is_below(t, t->unit_at[u], line) << u;
    return below == all ? 0 : below & 1 ? all & ~below : below;
}

static int64_t distance(const struct tree *t, int a, int b)
{
    int64_t sum = 0;
    for (int line = 1; line < t->n; line++)
        if (is_below(t, t->unit_at[a], line) != is_below(t, t->unit_at[b], line))
            sum += t->length[line];
    return sum;
}

/* Two hosts a unit, whose own times differ; up to 20 us of noise on each way. */
static void fill(const struct tree *t, uint64_t *random, int64_t *cost, int *unit_of)
{
    int n = 2 * t->units;
    for (int i = 0; i < n; i++)
        unit_of[i] = i / 2;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int64_t own = 50000 + 100000 * (int64_t)(i / 2 % 3 + j / 2 % 3);
            cost[i * n + j] = distance(t, i / 2, j / 2) + own + random_below(random, 20000);
        }
}

/* Lengths of lines with equal sides add up; those that are too short to tell may be there or not.
 */
Test(bisections, of_random_trees)
{
    uint64_t random = random_seed();
    static int64_t cost[HOSTS * HOSTS];
    int unit_of[HOSTS];
    for (int round = 0; round < random_rounds(300); round++) {
        struct tree t;
        struct bisections s;
        int found = 0, expected = 0;
        make_tree(&t, &random);
        fill(&t, &random, cost, unit_of);
        bisections_of_hosts(&s, 2 * t.units, cost, unit_of);
        cr_assert_eq(s.units, t.units);
        for (int line = 1; line < t.n; line++) {
            uint32_t side = side_of(&t, line);
            bool first = side != 0;
            int64_t length = t.length[line];
            for (int other = 1; other < t.n; other++) {
                first &= other >= line || side_of(&t, other) != side;
                length += other > line && side_of(&t, other) == side ? t.length[other] : 0;
            }
            expected += first;
            for (int i = 0; first && i < s.count; i++) {
                int64_t wrong = s.split[i].length - length;
                found += s.split[i].far == side;
                if (s.split[i].far == side)
                    cr_expect(wrong > -100000 && wrong < 100000, "round %d: length is wrong by %d",
                              round, (int)wrong);
            }
        }
        cr_expect_eq(found, s.count, "round %d: %d of %d splits are no lines", round,
                     s.count - found, s.count);
        cr_expect_eq(found, expected, "round %d: %d of %d lines were found", round, found,
                     expected);
    }
}

/* Where all are equally far, each has a way out of its own and no two have one together; where
 * the way past a third one is the longer one, there is no tree at all. */
Test(bisections, of_what_is_no_tree)
{
    enum { N = 4 };
    int64_t cost[N * N];
    int unit_of[N] = {7, 5, 2, 9}, which;
    struct bisections s;
    for (int i = 0; i < N * N; i++)
        cost[i] = 10000000;
    bisections_of_hosts(&s, N, cost, unit_of);
    cr_assert_eq(s.units, N);
    cr_expect_eq(s.unit[0], 2);
    cr_expect_eq(s.count, N);
    for (int i = 0; i < s.count; i++)
        cr_expect_geq(bisections_single(&s, &s.split[i]), 0);
    cr_expect_eq(bisections_shared(&s, (int[]){0, 0}, (int[]){1, 2}, &which), 1);
    cr_expect_eq(bisections_single(&s, &s.split[which]), 0);
    cr_expect_eq(bisections_shared(&s, (int[]){0, 3}, (int[]){1, 2}, &which), 0);
    for (int i = 0; i < 3; i++) /* 1 ms, 1 ms, 10 ms */
        for (int j = 0; j < 3; j++)
            cost[i * 3 + j] = i + j == 3 ? 10000000 : 1000000;
    bisections_of_hosts(&s, 3, cost, unit_of);
    for (int i = 0; i < s.count; i++)
        cr_expect_neq(bisections_single(&s, &s.split[i]), bisections_place(&s, 7),
                      "7 is in the middle");
    unit_of[1] = unit_of[0];
    bisections_of_hosts(&s, 3, cost, unit_of);
    cr_expect_eq(s.count, 0, "two units are no tree");
}
