/* Command lines from a table. */
#include "base/options.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

struct wish {
    const char *word;
    bool flag;
    long number;
    int small, set;
    int64_t large;
    double real;
    enum { RED, GREEN, BLUE } colour;
};

static int take_word(void *to, const char *value)
{
    ((struct wish *)to)->word = value;
    return HN_OK;
}

static const struct option_row rows[] = {
    {"word", "W", "a word\nof two lines", take_word},
    {"flag", NULL, "a flag", OPTION_SET(wish, flag)},
    {"n", "N", "a number", OPTION_NUMBER(wish, number, 1, 9)},
    {"small", "N", "", OPTION_NUMBER(wish, small, -3, 3)},
    {"large", "N", "", OPTION_NUMBER(wish, large, 0, LONG_MAX)},
    {"set", NULL, "", OPTION_SET(wish, set)},
    {"text", "T", "", OPTION_TEXT(wish, word)},
    {"real", "X", "", OPTION_REAL(wish, real, 0)},
    {"positive", "X", "", OPTION_REAL(wish, real, 1)},
    {"colour", "C", "", OPTION_WORD(wish, colour, "red green blue")}};
static const struct option_hint hints[] = {{"txt", "word"}};
static const struct option_table table = {"tool",    "tool [-word W]",           "is a tool",
                                          rows,      sizeof rows / sizeof *rows, .hint = hints,
                                          .hints = 1};

static int parse(struct wish *wish, int argc, char **argv)
{
    *wish = (struct wish){0};
    return options_parse(&table, argc, argv, wish);
}
#define PARSE(wish, ...)                                                                           \
    parse(wish, sizeof((char *[]){"tool", __VA_ARGS__}) / sizeof(char *),                          \
          (char *[]){"tool", __VA_ARGS__, NULL})

Test(options, one_or_two_dashes_and_joined_values)
{
    struct wish wish;
    cr_assert_eq(PARSE(&wish, "-word", "a", "--flag", "--n=7", "rest", "-flag"), 5);
    cr_assert_str_eq(wish.word, "a");
    cr_assert(wish.flag);
    cr_assert_eq(wish.number, 7);
    cr_assert_eq(PARSE(&wish, "--word=", "-"), 2);
    cr_assert_str_eq(wish.word, "");
    cr_assert_eq(PARSE(&wish, "--", "-flag"), 2);
    cr_assert_not(wish.flag);
}

Test(options, values_go_into_members_of_any_size)
{
    struct wish wish;
    cr_assert_eq(PARSE(&wish, "-small", "-2", "-large", "2147483647", "-set", "-text=x"), 7);
    cr_assert(wish.small == -2 && wish.large == 2147483647 && wish.set == 1 && wish.number == 0);
    cr_assert_str_eq(wish.word, "x");
    cr_assert_eq(PARSE(&wish, "-colour", "blue", "-real", "0", "-positive", "2.5e-3"), 7);
    cr_assert(wish.colour == BLUE && wish.real == 2.5e-3);
}

static void refused(int result, const char *part)
{
    cr_assert_eq(result, HN_EARG);
    cr_assert_not_null(strstr(hn_error_text(), part), "'%s' does not say '%s'", hn_error_text(),
                       part);
}

Test(options, wrong_usage_is_named)
{
    struct wish wish;
    refused(PARSE(&wish, "-nosuch"), "'-nosuch'");
    refused(PARSE(&wish, "-wor", "x"), "'-wor'");
    refused(PARSE(&wish, "-flag=1"), "takes no value");
    refused(PARSE(&wish, "-word"), "needs a value");
    refused(PARSE(&wish, "-n", "10"), "1 to 9");
    refused(PARSE(&wish, "-n", "99999999999999999999"), "1 to 9");
    refused(PARSE(&wish, "-n", "3x"), "-n 3x: ");
    refused(PARSE(&wish, "-large", "-1"), "a whole number from 0 on");
    refused(PARSE(&wish, "-text="), "-text needs a value: -text T");
    refused(PARSE(&wish, "-real", "-1"), "-real -1: give a number that is not negative");
    refused(PARSE(&wish, "-real", "nan"), "-real nan");
    refused(PARSE(&wish, "-positive", "0"), "above 0");
    refused(PARSE(&wish, "-colour", "re"), "-colour re: give one of: red green blue");
}

Test(options, help_and_version_come_from_the_table)
{
    struct wish wish;
    char text[1000] = "";
    cr_assert_eq(PARSE(&wish, "-flag", "-h"), OPTIONS_HELP);
    cr_assert_eq(PARSE(&wish, "--help"), OPTIONS_HELP);
    cr_assert_eq(PARSE(&wish, "-version"), OPTIONS_VERSION);
    FILE *out = fmemopen(text, sizeof text, "w");
    options_help(&table, out);
    fclose(out);
    cr_assert_not_null(strstr(text, "usage: tool [-word W]\nis a tool\n"));
    cr_assert_not_null(
        strstr(text, "  -word W                 a word\n                          of"));
}

Test(options, what_was_meant)
{
    struct wish wish;
    cr_assert_eq(PARSE(&wish, "-txt", "a"), HN_EARG);
    cr_assert(strstr(hn_error_text(), "'-txt': did you mean -word?"), "%s", hn_error_text());
    cr_assert_eq(PARSE(&wish, "--flga"), HN_EARG);
    cr_assert(strstr(hn_error_text(), "'--flga': did you mean -flag?") == NULL,
              "two of four letters");
    cr_assert_eq(PARSE(&wish, "--flags=1"), HN_EARG);
    cr_assert(strstr(hn_error_text(), "did you mean -flag?"), "%s", hn_error_text());
    cr_assert_eq(PARSE(&wish, "-wrd", "x"), HN_EARG);
    cr_assert(strstr(hn_error_text(), "did you mean -word?"), "%s", hn_error_text());
    cr_assert_eq(PARSE(&wish, "-quite-another-and-a-very-long-one"), HN_EARG);
    cr_assert(strstr(hn_error_text(), "tool -help lists them"), "%s", hn_error_text());
    cr_assert_eq(PARSE(&wish, "-"), 1);
}

Test(options, sizes)
{
    const int64_t most = INT64_C(1) << 40;
    int64_t n;
    cr_assert(options_size("0", most, &n) && n == 0);
    cr_assert(options_size("64K", most, &n) && n == 65536);
    cr_assert(options_size("3M", most, &n) && n == 3 << 20);
    cr_assert(options_size("1024G", most, &n) && n == INT64_C(1) << 40);
    static const char *const bad[] = {"",
                                      "K",
                                      "-1",
                                      "1 ",
                                      "1k",
                                      "1KK",
                                      "1.5",
                                      "0x10",
                                      "+1",
                                      "1025G",
                                      "1099511627777",
                                      "99999999999999999999",
                                      "9999999999999999G"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_assert(!options_size(bad[i], most, &n), "%s", bad[i]);
}
