/* Output of many tasks: lines whole, all bytes there, nothing grows. */
#include "hrun/streams/output.h"

#include "random.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t credited;

static void credit(struct output_source *source, size_t n)
{
    (void)source;
    credited += n;
}

static void add(struct output *output, struct output_source *source, const char *text)
{
    output_add(output, source, text, strlen(text));
}

static void written(struct output *output, const char *wanted)
{
    output_fill(output);
    pack_u8(&output->ready, 0);
    cr_assert_str_eq((char *)output->ready.data, wanted);
    output->ready.length = 0;
}

static void begin(struct output *output, struct output_source *source, int n, bool tags)
{
    output_init(output);
    for (int i = 0; i < n; i++) {
        char *tag = NULL;
        if (tags)
            cr_assert_geq(asprintf(&tag, "[%d] ", i), 0);
        output_source_init(&source[i], tag, credit);
    }
}

Test(output, a_line_begun_keeps_the_others_waiting)
{
    struct output output;
    struct output_source s[2];
    begin(&output, s, 2, false);
    add(&output, &s[0], "begin");
    written(&output, "begin");
    add(&output, &s[1], "other\n");
    written(&output, "");
    cr_assert(output_is_waiting(&output));
    add(&output, &s[0], " middle");
    written(&output, " middle");
    add(&output, &s[0], " end\nnext\n");
    written(&output, " end\nnext\nother\n");
    cr_assert_not(output_is_waiting(&output));
}

Test(output, nobody_waits_for_a_line_that_may_be_written_over)
{
    struct output output;
    struct output_source s[2];
    begin(&output, s, 2, false);
    add(&output, &s[0], "step 1\r");
    written(&output, "step 1\r");
    add(&output, &s[1], "other\n");
    written(&output, "other\n");
    add(&output, &s[0], "step 2\rstep 3");
    add(&output, &s[1], "other\n");
    written(&output, "step 2\rstep 3");
    cr_assert(output_is_waiting(&output));
}

Test(output, patience_ends)
{
    struct output output;
    struct output_source s[2];
    begin(&output, s, 2, true);
    add(&output, &s[0], "prompt: ");
    add(&output, &s[1], "line\n");
    written(&output, "[0] prompt: ");
    cr_assert(output_is_waiting(&output));
    output_impatient(&output);
    written(&output, "\n[1] line\n");
    add(&output, &s[0], "more\n");
    written(&output, "[0] more\n");
}

Test(output, the_end_of_a_source_frees_the_output_when_all_of_it_is_out)
{
    struct output output;
    struct output_source s[2];
    begin(&output, s, 2, false);
    add(&output, &s[0], "no end");
    written(&output, "no end");
    add(&output, &s[0], ", still none");
    add(&output, &s[1], "other\n");
    output_source_ended(&output, &s[0]);
    written(&output, ", still noneother\n");
}

/* Random pieces of random lines of several sources, taken at random moments: every line comes out
 * whole, every byte once, and each source's lines in their order. */
static void play(uint64_t seed)
{
    enum { SOURCES = 5, LINES = 40 };
    struct output output;
    struct output_source s[SOURCES];
    char *text[SOURCES], all[1 << 16] = "";
    size_t at[SOURCES] = {0}, total = 0;
    int next[SOURCES] = {0};
    uint64_t random = seed;
    credited = 0;
    begin(&output, s, SOURCES, false);
    for (int i = 0; i < SOURCES; i++) {
        text[i] = calloc(LINES, 64);
        for (int line = 0; line < LINES; line++)
            sprintf(text[i] + strlen(text[i]), "<%d %d %.*s>\n", i, line,
                    (int)random_below(&random, 40), "........................................");
        total += strlen(text[i]);
    }
    for (size_t sent = 0; sent < total || !list_empty(&output.waiting);) {
        int i = (int)random_below(&random, SOURCES);
        size_t left = strlen(text[i]) - at[i];
        size_t n = left ? 1 + (size_t)random_below(&random, left < 60 ? (int64_t)left : 60) : 0;
        output_add(&output, &s[i], text[i] + at[i], n);
        at[i] += n;
        sent += n;
        if (random_below(&random, 3) == 0 || sent == total) {
            output_fill(&output);
            strncat(all, (char *)output.ready.data, output.ready.length);
            output.ready.length = 0;
        }
    }
    cr_assert_eq(strlen(all), total, "seed %lu", (unsigned long)seed);
    cr_assert_eq(credited, total);
    for (char *line = strtok(all, "\n"); line; line = strtok(NULL, "\n")) {
        int source, number;
        cr_assert_eq(sscanf(line, "<%d %d ", &source, &number), 2, "seed %lu: %s",
                     (unsigned long)seed, line);
        cr_assert_eq(line[strlen(line) - 1], '>', "seed %lu: %s", (unsigned long)seed, line);
        cr_assert_eq(number, next[source]++, "seed %lu: %s", (unsigned long)seed, line);
    }
    for (int i = 0; i < SOURCES; i++) {
        output_source_free(&s[i]);
        free(text[i]);
    }
    output_free(&output);
}

Test(output, lines_stay_whole_whatever_the_pieces)
{
    for (uint64_t seed = random_seed(), end = seed + 300; seed < end; seed++)
        play(seed);
}
