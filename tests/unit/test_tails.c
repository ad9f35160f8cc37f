/* test_tails.c - a tree under random changes: its tail is always the makespan of the tree with
 * everybody's children in their best order, and changing back gives the same tails again. */
#include "random.h"
#include "planners/tails.h"

#include <criterion/criterion.h>
#include <string.h>

enum { RANKS = 12, CHANGES = 300 };

struct costs {
    hn_time busy[RANKS * RANKS], deliver[RANKS * RANKS], local[RANKS];
    struct broadcast b;
};

static void draw_costs(struct costs *c, uint64_t *state)
{
    for (int i = 0; i < RANKS * RANKS; i++) {
        c->busy[i] = random_below(state, 20);
        c->deliver[i] = c->busy[i] + random_below(state, 20);
    }
    for (int i = 0; i < RANKS; i++)
        c->local[i] = random_below(state, 4) ? 0 : random_below(state, 50);
    c->b = (struct broadcast){RANKS, 0, c->busy, c->deliver, c->local};
}

/* The tail of the root, computed by the other way: the sorted tree, played. */
static hn_time played(const struct costs *c, const int *parent)
{
    struct tree *plain = tree_new(RANKS, 0), *sorted = tree_new(RANKS, 0);
    for (bool in[RANKS] = {true}, more = true; more;) {
        more = false;
        for (int rank = 1; rank < RANKS; rank++)
            if (!in[rank] && in[parent[rank]]) {
                tree_add(plain, parent[rank], rank);
                in[rank] = more = true;
            }
    }
    cr_assert_eq(tree_finish(plain), 0);
    cr_assert_eq(broadcast_sort(&c->b, plain, sorted), 0);
    hn_time makespan = broadcast_makespan(&c->b, sorted);
    tree_free(plain);
    tree_free(sorted);
    return makespan;
}

/* One random change that is allowed; its reverse, when `back`. */
static bool change(struct tails *t, int kind, int a, int b, int *old, bool back)
{
    if (!back)
        *old = t->parent[a];
    if (kind == 0 && (back || !tails_is_below(t, b, a)))
        tails_hang(t, a, back ? *old : b);
    else if (kind == 1 && (back || (b && a != b && t->parent[a] != b && t->parent[b] != a)))
        tails_swap(t, a, b);
    else
        return false;
    return true;
}

static void expect_right(const struct tails *t, const struct costs *c, uint64_t seed)
{
    cr_assert_eq(t->tail[0], played(c, t->parent), "HNOW_SEED=%llu: tail %lld, played %lld",
                 (unsigned long long)seed, (long long)t->tail[0], (long long)played(c, t->parent));
}

Test(tails, follow_every_change)
{
    uint64_t seed = random_seed(), state = seed;
    int made = 0;
    for (int run = 0; run < 20; run++) {
        struct costs c;
        struct tails t;
        int parent[RANKS] = {0}, old;
        hn_time before[RANKS];
        draw_costs(&c, &state);
        cr_assert_eq(tails_begin(&t, &c.b), 0);
        for (int rank = 1; rank < RANKS; rank++)
            parent[rank] = (int)random_below(&state, rank);
        tails_load(&t, parent);
        for (int i = 0; i < CHANGES; i++) {
            int kind = (int)random_below(&state, 2), a = 1 + (int)random_below(&state, RANKS - 1),
                b = (int)random_below(&state, RANKS);
            bool back = random_below(&state, 2);
            memcpy(before, t.tail, sizeof before);
            if (!change(&t, kind, a, b, &old, false))
                continue;
            made++;
            expect_right(&t, &c, seed);
            if (back && change(&t, kind, a, b, &old, true))
                cr_assert_arr_eq(t.tail, before, sizeof before, "HNOW_SEED=%llu",
                                 (unsigned long long)seed);
        }
        tails_end(&t);
    }
    cr_assert_gt(made, 1000);
}

Test(tails, store_gives_the_sorted_tree)
{
    uint64_t seed = random_seed(), state = seed;
    struct costs c;
    struct tails t;
    int parent[RANKS] = {0};
    draw_costs(&c, &state);
    cr_assert_eq(tails_begin(&t, &c.b), 0);
    for (int rank = 1; rank < RANKS; rank++)
        parent[rank] = (int)random_below(&state, rank);
    tails_load(&t, parent);
    struct tree *tree = tree_new(RANKS, 0);
    tails_store(&t, tree);
    cr_assert_eq(tree_finish(tree), 0);
    cr_assert_eq(broadcast_makespan(&c.b, tree), t.tail[0], "HNOW_SEED=%llu",
                 (unsigned long long)seed);
    tree_free(tree);
    tails_end(&t);
}
