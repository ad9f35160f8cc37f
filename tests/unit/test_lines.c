/* The lexer of hosts and network files, exact decimals, ranges and the table of names. */
#include "base/decimal.h"
#include "base/lines.h"
#include "base/names.h"
#include "base/range.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct arena arena;

static void done(void)
{
    arena_free(&arena);
}

/* Lexes the text and returns what the last call of lines_next() said; words joined as <key|value>,
 * lines as NUMBER: ... */
static int lex(const char *text, size_t length, char *shown, size_t room)
{
    struct lines lines;
    struct line line;
    int code;
    size_t used = 0;
    *shown = 0;
    lines_open(&lines, "file", text, length);
    while ((code = lines_next(&lines, &arena, &line)) > 0) {
        used += (size_t)snprintf(shown + used, room - used, "%d:", line.number);
        for (int i = 0; i < line.count; i++)
            used += (size_t)snprintf(shown + used, room - used, "<%s|%s>",
                                     line.word[i].key ? line.word[i].key : "", line.word[i].value);
    }
    return code;
}

TestSuite(lines, .fini = done);

Test(lines, words_and_comments)
{
    static const struct {
        const char *text, *want;
    } row[] = {
        {"", ""},
        {"\n\n  \t\n# only a comment\n", ""},
        {"a", "1:<|a>"},
        {"\n a  b=1\tc=\n", "2:<|a><b|1><c|>"},
        {"a b=x#y # z=1\n", "1:<|a><b|x#y>"},
        {"a ssh=\"-F my conf\" e=K=V\r\n", "1:<|a><ssh|-F my conf><e|K=V>"},
        {"a b=\"say \\\"hi\\\" \\\\ \\n\"", "1:<|a><b|say \"hi\" \\ \\n>"},
        {"a b=x\" y\"z", "1:<|a><b|x yz>"},
        {"\xef\xbb\xbfh1\nh2", "1:<|h1>2:<|h2>"},
        {"=x a.b=c", "1:<|=x><|a.b=c>"},
        {"h1 \"# no comment\"", "1:<|h1><|# no comment>"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char shown[256];
        cr_expect_eq(lex(row[i].text, strlen(row[i].text), shown, sizeof shown), 0);
        cr_expect_str_eq(shown, row[i].want);
    }
}

Test(lines, bad_text_is_named_with_its_line)
{
    char shown[256];
    cr_expect_eq(lex("a\nb \"c\n", 7, shown, sizeof shown), HN_ESYNTAX);
    cr_expect(strstr(hn_error_text(), "file:2: a quote is not closed"));
    cr_expect_eq(lex("a\nb\0c\n", 6, shown, sizeof shown), HN_ESYNTAX);
    cr_expect(strstr(hn_error_text(), "file:2: the line holds byte 0"));
}

Test(lines, long_line_is_refused)
{
    char shown[64];
    size_t length = LINES_LONGEST + 1;
    char *text = malloc(length);
    cr_assert(text);
    memset(text, 'x', length);
    cr_expect_eq(lex(text, length, shown, sizeof shown), HN_ESYNTAX);
    cr_expect(strstr(hn_error_text(), "file:1: the line is longer"));
    free(text);
}

/* The last line ends with the text, whether a newline is there or not, at every cut. */
Test(lines, every_prefix_lexes)
{
    static const char text[] = "h1 a=1\n# c\n* slots=2\nh2:4 b=x\n";
    for (size_t n = 0; n < sizeof text; n++) {
        char shown[256];
        cr_expect_eq(lex(text, n, shown, sizeof shown), 0);
    }
}

Test(decimal, exact)
{
    static const struct {
        const char *text;
        int64_t value; /* -1: no number */
        const char *printed;
    } row[] = {
        {"0", 0, "0"},
        {"1", 1000000, "1"},
        {"0.000001", 1, "0.000001"},
        {".5", 500000, "0.5"},
        {"12.", 12000000, "12"},
        {"80.1234560000", 80123456, "80.123456"},
        {"9223372036854.775807", INT64_MAX, "9223372036854.775807"},
        {"9223372036854.775808", -1, NULL},
        {"92233720368547758070", -1, NULL},
        {"0.0000001", -1, NULL},
        {"", -1, NULL},
        {".", -1, NULL},
        {"-1", -1, NULL},
        {"+1", -1, NULL},
        {"1e3", -1, NULL},
        {"1 ", -1, NULL},
        {"0x10", -1, NULL},
        {"nan", -1, NULL},
        {"1.2.3", -1, NULL},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        int64_t value = -2;
        char text[DECIMAL_TEXT];
        bool good = decimal_parse(row[i].text, INT64_MAX, &value);
        cr_expect_eq(good, row[i].value >= 0, "%s", row[i].text);
        if (good) {
            cr_expect_eq(value, row[i].value, "%s gives %" PRId64, row[i].text, value);
            cr_expect_str_eq(decimal_print(text, value), row[i].printed);
        }
    }
    int64_t value;
    cr_expect_not(decimal_parse("1.000001", 1000000, &value));
}

Test(decimal, whole_numbers)
{
    int64_t value = 0;
    cr_expect(decimal_integer("007", 1, 7, &value));
    cr_expect_eq(value, 7);
    cr_expect_not(decimal_integer("8", 1, 7, &value));
    cr_expect_not(decimal_integer("0", 1, 7, &value));
    cr_expect_not(decimal_integer("", 0, 7, &value));
    cr_expect_not(decimal_integer("3x", 1, 7, &value));
    cr_expect_not(decimal_integer("99999999999999999999", 0, INT64_MAX, &value));
}

static void expect_range(const char *pattern, const char *want)
{
    struct range range;
    char joined[256] = "";
    const char *wrong = range_expand(pattern, 1000, &arena, &range);
    cr_expect_null(wrong, "%s: %s", pattern, wrong ? wrong : "");
    for (int i = 0; i < range.count; i++) {
        strcat(joined, i ? " " : "");
        strcat(joined, range.name[i]);
    }
    cr_expect_str_eq(joined, want);
}

TestSuite(range, .fini = done);

Test(range, expands)
{
    expect_range("node", "node");
    expect_range("node[1-3]", "node1 node2 node3");
    expect_range("n[08-11].lan", "n08.lan n09.lan n10.lan n11.lan");
    expect_range("n[9-11]", "n9 n10 n11");
    expect_range("n[1,3,7-8]", "n1 n3 n7 n8");
    expect_range("r[1-2]n[0-1]", "r1n0 r1n1 r2n0 r2n1");
    expect_range("10.0.0.[1-2]", "10.0.0.1 10.0.0.2");
}

Test(range, refuses)
{
    static const char *const bad[] = {
        "n[",    "n[]",   "n[1",       "n[1-",   "n[1-]",           "n[a]",     "n[3-1]",
        "n[1,]", "n[-1]", "n[1-1001]", "n[1;2]", "n[1-9999999999]", "n[1-2-3]", "n[1-999999999]"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct range range;
        cr_expect_not_null(range_expand(bad[i], 1000, &arena, &range), "%s", bad[i]);
    }
}

Test(range, refuses_long_names)
{
    struct range range;
    char name[300];
    memset(name, 'n', sizeof name);
    strcpy(name + 254, "[1-2]");
    cr_expect_null(range_expand(name, 10, &arena, &range));
    strcpy(name + 254, "[9-11]");
    cr_expect_not_null(range_expand(name, 10, &arena, &range));
}

Test(range, splits_lists)
{
    char list[] = "a,b[1,2],,c";
    char *rest = list;
    cr_expect_str_eq(range_split(&rest), "a");
    cr_expect_str_eq(range_split(&rest), "b[1,2]");
    cr_expect_str_eq(range_split(&rest), "");
    cr_expect_str_eq(range_split(&rest), "c");
    cr_expect_null(range_split(&rest));
}

Test(names, finds_what_was_added)
{
    enum { N = 3000 };
    static char name[N][8];
    struct names names = {0};
    cr_expect_eq(names_find(&names, "h0"), -1);
    for (int i = 0; i < N; i++) {
        snprintf(name[i], sizeof name[i], "h%d", i);
        cr_assert_eq(names_add(&names, name[i], i), -1);
    }
    cr_expect_eq(names_add(&names, "h7", 99), 7);
    for (int i = 0; i < N; i++)
        cr_assert_eq(names_find(&names, name[i]), i);
    cr_expect_eq(names_find(&names, "h3000"), -1);
    names_free(&names);
}

Test(arena, remembers_that_an_array_had_no_memory)
{
    struct arena a = {0};
    int *one = arena_array(&a, 3, sizeof *one), *none = arena_array(&a, 0, sizeof *none);
    cr_assert(one && none && !a.failed && one[0] == 0 && one[2] == 0);
    cr_assert_null(arena_array(&a, SIZE_MAX / 2, sizeof *one));
    char *next = arena_array(&a, 10000, 1);
    cr_assert(next && a.failed, "later arrays do not hide it");
    arena_free(&a);
    cr_assert_not(a.failed);
}
