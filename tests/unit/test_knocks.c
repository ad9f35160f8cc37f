/* test_knocks.c - counts of strangers: none is lost, memory and words are bounded. */
#include "connect/strangers.h"

#include "random.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { SOURCES = 200, WORDS = 40 /* of a source: it doubles no more often */ };

static unsigned told[SOURCES + 1], words;

static void tell(struct stranger *one)
{
    int source;
    unsigned n = strangers_reported(one);
    cr_assert_gt(n, 0);
    cr_assert_not_null(one->why);
    if (strcmp(one->source, "others") == 0)
        source = SOURCES;
    else
        cr_assert_eq(sscanf(one->source, "10.0.0.%d", &source), 1);
    told[source] += n;
    words++;
}

Test(knocks, all_are_counted)
{
    uint64_t random = random_seed();
    for (int round = 0; round < 50; round++) {
        struct strangers s = {.n = 0};
        unsigned came[SOURCES + 1] = {0}, sum = 0;
        int sources = 1 + (int)random_below(&random, SOURCES);
        memset(told, 0, sizeof told);
        words = 0;
        for (int64_t n = random_below(&random, 20000); n > 0; n--) {
            char text[STRANGERS_TEXT];
            int source = (int)random_below(&random, sources);
            snprintf(text, sizeof text, "10.0.0.%d", source);
            struct stranger *one = strangers_note(&s, text, "a reason");
            if (one)
                tell(one);
            came[source]++;
            sum++;
        }
        for (struct stranger *one; (one = strangers_rest(&s));)
            tell(one);
        for (int i = 0; i < SOURCES; i++) {
            cr_assert(told[i] == came[i] || (told[i] == 0 && sources > STRANGERS_SOURCES));
            sum -= told[i];
        }
        cr_assert_eq(sum, told[SOURCES]);
        cr_assert_leq(s.n, STRANGERS_SOURCES + 1);
        cr_assert_leq(words, WORDS * s.n);
    }
}
