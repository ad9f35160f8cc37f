/* test_fair.c - fair rates: known cases, and after any comings and goings what max-min fairness
 * means: no channel carries too much, and nobody could have more without taking it from one who has
 * less. */
#include "model/fair.h"
#include "random.h"

#include <criterion/criterion.h>

enum { CHANNELS = 6, USERS = 12, UNIT = 1000000000, PER_BYTE_MOST = 100 };

struct user {
    bool here;
    int64_t own;
    int shares, count;
    hn_channel way[HN_WAY_MOST];
};

static void join(struct fair *f, struct user *u, int number)
{
    u->here = true;
    cr_assert(fair_join(f, number, u->own, u->shares, u->way, u->count, UNIT));
}

Test(fair, shares_of_one_wire)
{
    struct fair *f = fair_new(1);
    struct user fast = {
        .own = UNIT, .shares = 1, .count = 1, .way = {{0, 10}}}; /* the wire: UNIT / 10 */
    struct user slow = {.own = UNIT / 100, .shares = 1, .count = 1, .way = {{0, 10}}};
    join(f, &fast, 0);
    cr_assert_eq(fair_rate(f, 0), UNIT / 10);
    cr_assert_eq(fair_limit(f, 0), 0);
    cr_assert_eq(fair_limit(f, 2), -1, "it uses nothing");
    join(f, &fast, 1);
    cr_assert_eq(fair_rate(f, 0), UNIT / 20);
    join(f, &slow, 2);
    cr_assert_eq(fair_rate(f, 2), UNIT / 100);
    cr_assert_eq(fair_limit(f, 2), -1, "it has its own rate");
    cr_assert_eq(fair_rate(f, 1), (UNIT / 10 - UNIT / 100) / 2);
    fair_leave(f, 0);
    cr_assert_eq(fair_limit(f, 0), -1, "it uses nothing any more");
    cr_assert_eq(fair_rate(f, 1), UNIT / 10 - UNIT / 100);
    fair_free(f);
}

/* Those of a channel are told where they want more than it has. */
Test(fair, users_of_a_crowded_channel)
{
    struct fair *f = fair_new(2);
    struct user both = {.own = UNIT / 15, .shares = 1, .count = 2, .way = {{0, 10}, {1, 1}}};
    bool seen[3] = {false};
    join(f, &both, 0);
    cr_assert_eq(fair_first(f, 0), -1);
    join(f, &both, 2);
    for (int u = fair_first(f, 0); u >= 0; u = fair_next(f, 0, u)) {
        cr_assert_not(seen[u]);
        seen[u] = true;
    }
    cr_assert(seen[0] && !seen[1] && seen[2]);
    cr_assert_eq(fair_first(f, 1), -1);
    fair_leave(f, 0);
    cr_assert_eq(fair_first(f, 0), -1);
    fair_free(f);
}

/* Who takes half as much of a channel for each byte leaves more to others. */
Test(fair, half_of_a_machine)
{
    struct fair *f = fair_new(1);
    struct user inside = {.own = UNIT, .shares = 1, .count = 1, .way = {{0, 20}}};
    struct user leaves = {.own = UNIT, .shares = 1, .count = 1, .way = {{0, 10}}};
    join(f, &inside, 0);
    join(f, &leaves, 1);
    cr_assert_eq(fair_rate(f, 0), UNIT / 30);
    cr_assert_eq(fair_rate(f, 1), UNIT / 30);
    fair_leave(f, 1);
    cr_assert_eq(fair_rate(f, 0), UNIT / 20);
    fair_free(f);
}

/* Who has two shares has twice as much, as far as that can be used; and so when they change. */
Test(fair, more_than_one_share)
{
    struct fair *f = fair_new(1);
    struct user one = {.own = UNIT, .shares = 1, .count = 1, .way = {{0, 10}}};
    struct user two = {.own = UNIT, .shares = 2, .count = 1, .way = {{0, 10}}};
    struct user slow = {.own = UNIT / 100, .shares = 2, .count = 1, .way = {{0, 10}}};
    join(f, &one, 0);
    join(f, &two, 1);
    cr_assert_eq(fair_rate(f, 0), UNIT / 30);
    cr_assert_eq(fair_rate(f, 1), 2 * (UNIT / 30));
    join(f, &slow, 2);
    cr_assert_eq(fair_rate(f, 2), UNIT / 100);
    cr_assert_eq(fair_rate(f, 0), (UNIT / 10 - UNIT / 100) / 3);
    fair_change(f, 1, 1);
    cr_assert_eq(fair_rate(f, 0), (UNIT / 10 - UNIT / 100) / 2);
    fair_leave(f, 1);
    cr_assert_eq(fair_rate(f, 0), UNIT / 10 - UNIT / 100);
    fair_free(f);
}

static int64_t load_of(const struct fair *f, const struct user *users, int channel, int64_t *most)
{
    int64_t load = 0;
    *most = 0;
    for (int u = 0; u < USERS; u++)
        for (int i = 0; users[u].here && i < users[u].count; i++)
            if (users[u].way[i].id == channel) {
                load += fair_rate(f, u) * users[u].way[i].per_byte;
                int64_t each = fair_rate(f, u) / users[u].shares;
                *most = each > *most ? each : *most;
            }
    return load;
}

/* A user has its own rate, or one of its channels is full and nobody has more there for a share
 * (rounding: the users of a channel lose less than one each for each share). */
static void expect_fair(const struct fair *f, const struct user *users, uint64_t seed)
{
    for (int u = 0; u < USERS; u++) {
        bool content = !users[u].here || fair_rate(f, u) == users[u].own;
        for (int i = 0; users[u].here && i < users[u].count; i++) {
            int64_t most, load = load_of(f, users, users[u].way[i].id, &most);
            int64_t room = UNIT - load;
            cr_assert_geq(room, 0, "seed %llu: too much", (unsigned long long)seed);
            int64_t each = fair_rate(f, u) / users[u].shares;
            content = content || (room <= USERS * 2 * PER_BYTE_MOST && most - each <= USERS);
        }
        cr_assert(content, "seed %llu: user %d could have more", (unsigned long long)seed, u);
    }
}

static void leave(struct fair *f, struct user *u, int number)
{
    u->here = false;
    fair_leave(f, number);
}

static void change(struct fair *f, struct user *u, int number)
{
    u->shares = 3 - u->shares;
    fair_change(f, number, u->shares);
}

Test(fair, comings_and_goings)
{
    uint64_t state = random_seed(), seed = state;
    for (int round = 0; round < 300; round++) {
        struct fair *f = fair_new(CHANNELS);
        struct user users[USERS] = {0};
        hn_per_byte per_byte[CHANNELS];
        for (int c = 0; c < CHANNELS; c++)
            per_byte[c] = 1 + random_below(&state, PER_BYTE_MOST / 2);
        for (int u = 0; u < USERS; u++) {
            users[u].own = 1 + random_below(&state, UNIT / 10);
            users[u].shares = 1 + (int)random_below(&state, 2);
            for (int c = 0; c < CHANNELS; c++)
                if (random_below(&state, 3) == 0)
                    users[u].way[users[u].count++] =
                        (hn_channel){c, per_byte[c] * (1 + random_below(&state, 2))};
        }
        for (int event = 0; event < 30; event++) {
            int u = (int)random_below(&state, USERS);
            if (!users[u].here)
                join(f, &users[u], u);
            else if (random_below(&state, 2) == 0)
                change(f, &users[u], u);
            else
                leave(f, &users[u], u);
            expect_fair(f, users, seed);
        }
        fair_free(f);
    }
}
