/* script_scalar.c - SCALAR: a number for each atom (CHARMM's scalar.doc), as far as needed to set
 * up a run: charges, masses, friction, force constants in the weights.
 *
 *     SCALAR a = b | SET x | ADD x | MULT x | DIVI x | STAT
 *
 * each with SELE ... END, for the arrays a and b of script_array.c.  An array is copied, modified,
 * and stored again. ?STOT, ?SAVE and others are results of STAT.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "script_array.h"

/* ---- numbers --------------------------------------------------------------------------------- */

/* The words after SCALAR and an array: rule is what is done with the operand. */
static const struct scalar_verb {
    const char *name;
    char rule;
    enum { SCALAR_NUMBER, SCALAR_ARRAY } takes;
} scalar_verbs[] = {{"=", '=', SCALAR_ARRAY},         {"COPY", '=', SCALAR_ARRAY},
                    {"SET", '=', SCALAR_NUMBER},      {"ADD", '+', SCALAR_NUMBER},
                    {"MULTIPLY", '*', SCALAR_NUMBER}, {"DIVIDE", '/', SCALAR_NUMBER}};

/* Any other rule takes the new number. (Division by 0 gives an infinity, which script_array_put()
 * refuses.) */
static double scalar_rule(char rule, double a, double b)
{
    return rule == '+' ? a + b : rule == '*' ? a * b : rule == '/' ? a / b : b;
}

/* NULL: STAT, or an unknown word. */
static const struct scalar_verb *scalar_verb(const struct script *s)
{
    for (size_t k = 0; k < sizeof scalar_verbs / sizeof *scalar_verbs; k++)
        if (script_is(s, 2, scalar_verbs[k].name))
            return &scalar_verbs[k];
    return NULL;
}

/* Reads the operand after the verb, for each atom, into b; the current word becomes its last
 * one. b has room for all atoms, selected or not. */
static int scalar_right(struct script *s, const struct scalar_verb *verb, double *b)
{
    struct script_array other;
    double number = 0;
    if (verb->takes == SCALAR_NUMBER && script_real(s, &number))
        return ERR_INPUT;
    for (int i = 0; i < s->atoms.natom; i++)
        b[i] = number;
    if (verb->takes != SCALAR_ARRAY)
        return 0;
    if (!script_array_find(script_word(s, ++s->at), &other))
        return script_bad(s, "expected an array behind it: X, Y, Z, WMAIN, XCOMP, YCOMP, ZCOMP, "
                             "WCOMP, MASS, CHARGE or FBETA");
    script_array_get(s, &other, b);
    return 0;
}

/* Atoms that are not selected keep their numbers. v has the array's numbers, and is stored as a
 * whole. */
static int scalar_compute(struct script *s, const struct scalar_verb *verb,
                          const struct script_array *a, const unsigned char *set, double *v)
{
    double *b = mem_new((size_t)s->atoms.natom, sizeof *b);
    int status = scalar_right(s, verb, b);
    /* The operand must be the last word. */
    if (!status && s->at != s->l.word.n - 1) {
        s->at++;
        status = script_bad(s, "SCALAR does not know this word here");
    }
    for (int i = 0; !status && i < s->atoms.natom; i++)
        v[i] = set[i] ? scalar_rule(verb->rule, v[i], b[i]) : v[i];
    mem_free(b);
    s->at = 1;
    return status ? status : script_array_put(s, a, v);
}

/* ---- output ---------------------------------------------------------------------------------- */

/* The variance is the mean square deviation, divided by n. Two passes, as the difference of large
 * sums would lose digits. */
static void scalar_statistics(struct script *s, const unsigned char *set, const double *v)
{
    double low = HUGE_VAL, high = -HUGE_VAL, sum = 0, square = 0;
    int n = 0;
    for (int i = 0; i < s->atoms.natom; i++) {
        low = set[i] ? fmin(low, v[i]) : low;
        high = set[i] ? fmax(high, v[i]) : high;
        sum += set[i] * v[i];
        n += set[i];
    }
    double mean = n ? sum / n : 0;
    for (int i = 0; i < s->atoms.natom; i++)
        square += set[i] * (v[i] - mean) * (v[i] - mean);
    const struct script_number row[] = {
        {"?NSEL", n},           {"?STOT", sum},          {"?SAVE", mean},
        {"?SMIN", n ? low : 0}, {"?SMAX", n ? high : 0}, {"?SVAR", n ? square / n : 0}};
    script_results(s, row, sizeof row / sizeof *row);
    if (s->comm->rank == 0)
        printf(" STATISTICS FOR %d SELECTED ATOMS:\n       minimum = %12.6f  maximum = %12.6f\n"
               "       average = %12.6f  total   = %12.6f  variance = %12.6f\n",
               n, n ? low : 0, n ? high : 0, mean, sum, n ? square / n : 0);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* set is the selection, v room for the array. */
static int scalar_run(struct script *s, const struct script_array *a, const unsigned char *set,
                      double *v)
{
    const struct scalar_verb *verb = scalar_verb(s);
    int alone = s->l.word.n == 3;
    s->at = 2;
    script_array_get(s, a, v);
    /* STAT is no verb of the table: it stores nothing. */
    if (verb)
        return scalar_compute(s, verb, a, set, v);
    if (!script_is(s, 2, "STATISTICS"))
        return script_unknown_word(s, "hmd has SCALAR =, COPY, SET, ADD, MULT, DIVI and STAT");
    s->at = 3;
    if (!alone)
        return script_bad(s, "SCALAR does not know this word here");
    scalar_statistics(s, set, v);
    return 0;
}

int script_scalar(struct script *s)
{
    struct script_array a;
    unsigned char *set;
    double *v = NULL;
    /* The selection first: it reads the files, and its words are gone afterwards. */
    int status = script_select(s, &set);
    s->at = 1;
    if (!status && !script_array_find(script_word(s, 1), &a))
        status =
            script_unknown_word(s, "hmd has SCALAR for X, Y, Z, WMAIN, XCOMP, YCOMP, ZCOMP, WCOMP, "
                                   "MASS, CHARGE and FBETA");
    else if (!status) {
        v = mem_new((size_t)s->atoms.natom, sizeof *v);
        status = scalar_run(s, &a, set, v);
    }
    mem_free(v);
    mem_free(set);
    return status;
}
