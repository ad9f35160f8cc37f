/* test_hmd_script.c - the parts of CHARMM's language that need no molecule: CALC's expressions, and
 * names in lines. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "script_line.h"
#include "script_value.h"

Test(hmd_script, expressions_have_values)
{
    static const struct {
        const char *text;
        double value;
    } row[] = {{"1", 1},
               {" -2 + 3 ", 1},
               {"1+2*3", 7},
               {"(1+2)*3", 9},
               {"2**3**2", 64}, /* from the left */
               {"2*3**2/6-1", 2},
               {"-2**2", 4}, /* the sign is the number's */
               {"8/2/2", 2},
               {"1.5e2", 150},
               {"sqrt(16) + ABS(-3)", 7},
               {"int(-2.7)", -2},
               {"exp(log(5))", 5},
               {"nint(2.6)+LN(1)", 3},
               {"atan(tan(.5))", .5},
               {"acos(cos(1))+tanh(0)", 1}};
    double v;
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        cr_expect(script_value(row[k].text, &v), "%s", row[k].text);
        cr_expect_float_eq(v, row[k].value, 1e-12, "%s: %g", row[k].text, v);
    }
}

Test(hmd_script, what_is_no_expression_is_refused)
{
    static const char *const bad[] = {"",       "1 +",     "(1",   "1)",  "1 2",    "x",
                                      "sqrt 4", "1/0",     "**",   "2**", "sqr(4)", ".",
                                      "1e999",  "log(-1)", "2*/3", "()",  "--+-",   "1..2"};
    double v;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        cr_expect(!script_value(bad[k], &v), "%s", bad[k]);
    char *deep = malloc(200001);
    memset(deep, '(', 200000);
    deep[200000] = 0;
    cr_expect(!script_value(deep, &v));
    memset(deep, '-', 200000);
    cr_expect(!script_value(deep, &v));
    free(deep);
}

Test(hmd_script, names_stand_for_values)
{
    char text[] = "* title\nenergy @a @{B}x ?ener ? - ! comment\n @a\nwrite @nothing\n";
    struct script_line *l = mem_new(1, sizeof *l);
    struct err e = {0};
    int status = 0;
    text_open(&l->t, "inp", text, strlen(text));
    script_line_set(l, "A", "1");
    script_line_set(l, "A", "2");
    script_line_set(l, "B", "b");
    script_line_set(l, "?ENER", "-7.5");
    cr_assert(script_line_next(l, &e, &status));
    static const char *const want[] = {"energy", "2", "bx", "-7.5", "?", "2"};
    cr_assert_eq(l->raw.n, 6);
    for (int k = 0; k < 6; k++)
        cr_expect_str_eq(l->raw.at[k], want[k]);
    cr_expect_str_eq(l->word.at[2], "BX");
    cr_expect_eq(l->first, 2);
    cr_expect_str_eq(script_line_get(l, "A"), "2");
    cr_expect_null(script_line_get(l, "C"));
    cr_expect_eq(script_line_next(l, &e, &status), 0);
    cr_expect_eq(status, ERR_INPUT);
    cr_expect(strncmp(e.text, "inp:4: ", 7) == 0, "%s", e.text);
    mem_free(l);
}

/* Where a command is not carried out its names need not be known: the IF has to see to that. */
Test(hmd_script, names_of_an_if_may_have_no_value)
{
    char text[] = "set y @{max-temp}k @15 @17\nif @?z eq 1 set b @z@@y ?ener\n if 1 eq 1 echo @A\n";
    static const char *const set[] = {"set", "y", "300.5k", "rdie5", "rdie7"},
                             *const cond[] = {"if", "0", "eq", "1", "set", "b", "@z@@y", "?ener"};
    struct script_line *l = mem_new(1, sizeof *l);
    struct err e = {0};
    int status = 0;
    text_open(&l->t, "inp", text, strlen(text));
    script_line_set(l, "MAX-TEMP", "300.5");
    script_line_set(l, "1", "rdie");
    script_line_set(l, "A", "a");
    cr_assert(script_line_next(l, &e, &status), "%s", e.text);
    for (int k = 0; k < 5; k++)
        cr_expect_str_eq(l->raw.at[k], set[k]);
    cr_expect_str_empty(l->missing);
    cr_assert(script_line_next(l, &e, &status), "%s", e.text);
    for (int k = 0; k < 8; k++)
        cr_expect_str_eq(l->raw.at[k], cond[k]);
    cr_expect_str_eq(l->missing, "Y");
    cr_assert(script_line_next(l, &e, &status), "%s", e.text);
    cr_expect_str_eq(l->raw.at[5], "a");
    cr_expect_str_empty(l->missing);
    mem_free(l);
}

/* A '-' in the last line joins nothing, but what stands before it counts. */
Test(hmd_script, commands_at_the_end_of_a_file)
{
    static const char *const text[] = {"energy", "energy -", "energy -\n", "energy -\n! more\n",
                                       "ener-\ngy"};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
        char copy[32], out[64];
        struct text t;
        int first;
        strcpy(copy, text[k]);
        text_open(&t, "inp", copy, strlen(copy));
        cr_assert_eq(text_command(&t, out, sizeof out, &first), 1, "%s", text[k]);
        cr_expect(strncmp(out, "ener", 4) == 0 && first == 1, "%s: %s, line %d", text[k], out,
                  first);
        cr_expect_eq(text_command(&t, out, sizeof out, &first), 0);
    }
}
