/* test_hmd_progress.c - the progress line fits into the terminal, and says what matters in any. */
#include <criterion/criterion.h>
#include <string.h>

#include "progress.h"

static const struct progress_now now = {.step = 123456,
                                        .done = 23456,
                                        .steps = 900000,
                                        .ns_per_day = 12.3456,
                                        .left = 7384.2,
                                        .temperature = 301.23,
                                        .energy = -123456.789};

Test(hmd_progress, the_line_fits)
{
    char line[128];
    for (size_t columns = 2; columns < 140; columns++) {
        size_t n = progress_line(&now, columns, line, sizeof line);
        cr_expect_eq(n, strlen(line));
        cr_expect_lt(n, columns, "'%s' in %zu columns", line, columns);
    }
}

Test(hmd_progress, what_it_says)
{
    static const struct {
        size_t columns;
        const char *line;
    } row[] = {
        {100, "step 123456 of 1000000 ( 3%)  12.35 ns/day  2 h 03 left  T 301.2 K  E -123456.79 "
              "kcal/mol"},
        {80, "step 123456 of 1000000 ( 3%)  12.35 ns/day  2 h 03 left  T 301.2 K"},
        {50, "123456/1000000 12.35 ns/day 2 h 03 left 301.2 K"},
        {40, "123456/1000000 12.35 ns/day 2 h 03 left"},
    };
    char line[128];
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        progress_line(&now, row[k].columns, line, sizeof line);
        cr_expect_str_eq(line, row[k].line);
    }
}

Test(hmd_progress, small_numbers)
{
    const struct progress_now begun = {.step = 40,
                                       .done = 40,
                                       .steps = 800,
                                       .ns_per_day = 6.98,
                                       .left = 19,
                                       .temperature = 309.8,
                                       .energy = -3816.94};
    char line[128];
    progress_line(&begun, 80, line, sizeof line);
    cr_expect_str_eq(
        line, "step 40 of 800 ( 5%)  6.98 ns/day  0:19 left  T 309.8 K  E -3816.94 kcal/mol");
    progress_line(&begun, 40, line, sizeof line);
    cr_expect_str_eq(line, "40/800 6.98 ns/day 0:19 left 309.8 K");
}
