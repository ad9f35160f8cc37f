/* test_replay.c - the replay window against one that remembers everything: numbers come in any
 * order, get lost, come twice, and are recorded and sent again, however far the sender has got
 * meanwhile. */
#include "random.h"
#include "link/replay.h"

#include <criterion/criterion.h>
#include <string.h>

enum { NUMBERS = 20000, LATE = 3 * REPLAY_WINDOW };

/* What has been accepted, from `base` on. */
static char accepted[NUMBERS + LATE];
static uint64_t base, top;
static bool any;

static void expect(struct replay *r, uint64_t first, uint64_t number)
{
    bool is_new = number >= first && !accepted[number - base];
    bool near = !any || number > top || top - number < REPLAY_WINDOW;
    bool far = any && number < top && top - number >= REPLAY_WINDOW + REPLAY_WORD;
    bool taken = replay_accept(r, number);

    cr_assert(!taken || is_new, "number %llu is accepted twice, or too early",
              (unsigned long long)number);
    cr_assert(taken || !is_new || !near, "number %llu is refused", (unsigned long long)number);
    cr_assert(!taken || !far, "number %llu is too late", (unsigned long long)number);
    if (!taken)
        return;
    accepted[number - base] = 1;
    top = any && top > number ? top : number;
    any = true;
}

/* Numbers from `first` on, of which the sender has used as many as it says. */
static void play(uint64_t first, uint64_t *random)
{
    struct replay r;
    uint64_t used = 0;

    memset(accepted, 0, sizeof accepted);
    base = first < 100 ? 0 : first - 100;
    any = false;
    replay_start(&r, first);
    while (used < NUMBERS / 2) {
        switch (random_below(random, 40)) {
        case 0: /* much is lost */
            used += (uint64_t)random_below(random, LATE);
            break;
        case 1: /* recorded at any time */
            for (int i = 0; i < 20; i++)
                expect(&r, first, first + (uint64_t)random_below(random, (int64_t)used + 1));
            break;
        case 2: /* of a connection before this one */
            expect(&r, first, base + (uint64_t)random_below(random, (int64_t)(first - base) + 1));
            break;
        default: { /* a little late, and now and then twice */
            uint64_t late = (uint64_t)random_below(random, 30);
            expect(&r, first, first + (used > late ? used - late : 0));
            used += (uint64_t)random_below(random, 3);
        }
        }
    }
}

Test(replay, as_one_that_remembers_everything)
{
    uint64_t random = random_seed();
    const uint64_t first[] = {0,
                              1,
                              REPLAY_WORD,
                              REPLAY_WORD * REPLAY_WORDS - 1,
                              (1u << 26) - 500,
                              UINT64_C(0xffffff00),
                              UINT64_C(0x7fffffffffffff00)};

    for (int round = 0; round < 200; round++) {
        size_t i = (size_t)random_below(&random, sizeof first / sizeof *first);
        play(first[i] + (uint64_t)random_below(&random, 200), &random);
    }
}

Test(replay, jumps_and_the_last_number)
{
    struct replay r;

    replay_start(&r, 5);
    cr_assert(replay_accept(&r, 5) && !replay_accept(&r, 5) && !replay_accept(&r, 4));
    cr_assert(replay_accept(&r, UINT64_MAX) && !replay_accept(&r, UINT64_MAX));
    cr_assert(replay_accept(&r, UINT64_MAX - REPLAY_WINDOW));
    cr_assert_not(replay_accept(&r, UINT64_MAX - REPLAY_WINDOW - REPLAY_WORD));
    cr_assert_not(replay_accept(&r, 6));
}

/* Another connection: what was new before it is not any more, whether it has come or not. */
Test(replay, starts_again)
{
    struct replay r;

    replay_start(&r, 0);
    cr_assert(replay_accept(&r, 10));
    replay_start(&r, 20);
    for (uint64_t n = 0; n < 20; n++)
        cr_assert_not(replay_accept(&r, n));
    cr_assert(replay_accept(&r, 20));
}
