/* test_guidelines.c - `auto` against itself on random networks: an operation takes no longer than
 * others that do the same together.
 *
 * A plan is made of at most two others, but the best plan for a stage may be made of two itself: so
 * not every case holds to the last picosecond. The seed of a case that does not is printed.
 */
#include "guidelines.h"
#include "random_net.h"

#include "hnow.h"

#include <criterion/criterion.h>

enum { ROUNDS = 12, RANKS_MOST = 7, SLACK = 100 /* parts of the right side */ };

struct tally {
    int cases, broken;
};

static void compare(const struct model *model, int root, int64_t bytes, uint64_t seed,
                    struct tally *tally)
{
    for (int i = 0; i < guideline_count; i++) {
        char text[64];
        hn_time left, right;
        cr_assert_eq(guideline_sides(i, model, root, bytes, &left, &right), HN_OK,
                     "seed %llu: no plan for %s", (unsigned long long)seed,
                     guideline_text(i, text, sizeof text));
        tally->cases++;
        tally->broken += left > right + right / SLACK;
        cr_expect_leq(left, right + right / 2,
                      "seed %llu: %d ranks, root %d, %lld bytes: %s: %lld, %lld",
                      (unsigned long long)seed, model->ranks, root, (long long)bytes,
                      guideline_text(i, text, sizeof text), (long long)left, (long long)right);
    }
}

static struct tally play(enum port port, int rounds, int64_t bytes_most)
{
    uint64_t state = random_seed();
    struct tally tally = {0};
    for (int round = 0; round < random_rounds(rounds); round++) {
        uint64_t seed = state;
        int host[RANKS_MOST];
        hn_net *net = random_net(&state);
        struct model model;
        int ranks = 1 + (int)random_below(&state, RANKS_MOST);
        random_group(net, &state, host, ranks);
        model_of_net(&model, net, host, ranks, port);
        int root = (int)random_below(&state, ranks);
        int64_t most[] = {1, 100, 5000, bytes_most};
        int64_t bytes = random_below(&state, most[random_below(&state, 4)]);
        compare(&model, root, bytes, seed, &tally);
        hn_net_free(net);
    }
    return tally;
}

/* Two of a hundred, and what a small sample may have by chance. */
static int few(const struct tally *tally)
{
    return 3 + tally->cases / 50;
}

Test(guidelines, no_operation_is_slower_than_others_that_do_the_same)
{
    struct tally tally = play(PORT_NONBLOCKING, 4 * ROUNDS, 30000);
    cr_assert_leq(tally.broken, few(&tally), "%d of %d", tally.broken, tally.cases);
}

Test(guidelines, nor_where_media_are_shared)
{
    struct tally tally = play(PORT_MEDIA, ROUNDS, 10000);
    cr_assert_leq(tally.broken, few(&tally), "%d of %d", tally.broken, tally.cases);
}
