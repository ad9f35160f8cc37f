/* script_scalar.c - SCALAR: a number for each atom (CHARMM's scalar.doc).
 *
 *   SCALAR a = b | SUM b | PROD b | SET x | ADD x | MULT x | DIVI x | MIN x | MAX x | POWER x
 *   SCALAR a SIGN | INTE | RECI | LOG | EXP | ABS | NORM | POW2 | SQRT | IPOW n
 *   SCALAR a SHOW | STAT [MASS] [WEIGHT n] | STORE n | +STORE n | *STORE n | RECALL n
 *   SCALAR a AVERAGE [ALL|BYSEG|BYRES] [MASS] [WEIGHT n]
 *
 * each with SELE ... END, for the arrays a and b of the table below.  An array is copied, the copy
 * is computed with, and what has changed is put back: coordinates where they are, charges and
 * masses into numbers that take the place of the structure's, friction (FBETA, 1/ps, of all atoms 0
 * before) into numbers for Langevin's dynamics.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "script_run.h"

/* ---- arrays ---------------------------------------------------------------------------------- */

enum scalar_kind {
    SCALAR_PLACE,
    SCALAR_WEIGHT,
    SCALAR_CHARGE,
    SCALAR_MASS,
    SCALAR_FRICTION,
    SCALAR_STORE,
    SCALAR_RADIUS, /* Rmin / 2 of the parameters; to be read only, as SAME */
    SCALAR_SAME
};

struct scalar_array {
    enum scalar_kind kind;
    int comp, which; /* of the second set; x, y, z or the store's number from 0 */
    double same;     /* ONE, ZERO */
};

static int scalar_find(const char *word, struct scalar_array *a)
{
    static const struct {
        const char *name;
        struct scalar_array array;
    } row[] = {{"X", {SCALAR_PLACE, 0, 0, 0}},        {"Y", {SCALAR_PLACE, 0, 1, 0}},
               {"Z", {SCALAR_PLACE, 0, 2, 0}},        {"WMAIN", {SCALAR_WEIGHT, 0, 0, 0}},
               {"XCOMP", {SCALAR_PLACE, 1, 0, 0}},    {"YCOMP", {SCALAR_PLACE, 1, 1, 0}},
               {"ZCOMP", {SCALAR_PLACE, 1, 2, 0}},    {"WCOMP", {SCALAR_WEIGHT, 1, 0, 0}},
               {"MASS", {SCALAR_MASS, 0, 0, 0}},      {"CHARGE", {SCALAR_CHARGE, 0, 0, 0}},
               {"FBETA", {SCALAR_FRICTION, 0, 0, 0}}, {"ONE", {SCALAR_SAME, 0, 0, 1}},
               {"ZERO", {SCALAR_SAME, 0, 0, 0}},      {"RADIUS", {SCALAR_RADIUS, 0, 0, 0}}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        if (script_same(word, row[k].name)) {
            *a = row[k].array;
            return 1;
        }
    *a = (struct scalar_array){.kind = SCALAR_STORE,
                               .which = strlen(word) == 4 ? word[3] - '1' : -1};
    return !strncmp(word, "SCA", 3) && a->which >= 0 && a->which < SCRIPT_STORES;
}

/* Where the numbers lie, every `step`-th of them; NULL: they are the structure's, or all alike. */
static double *scalar_memory(struct script *s, const struct scalar_array *a, int *step)
{
    if (a->comp)
        script_compare(s);
    *step = a->kind == SCALAR_PLACE ? 3 : 1;
    if (a->kind == SCALAR_PLACE)
        return (a->comp ? s->compare.x : s->session.in.x) + a->which;
    if (a->kind == SCALAR_WEIGHT)
        return a->comp ? s->compare.w : s->session.in.w;
    if (a->kind != SCALAR_STORE && a->kind != SCALAR_FRICTION)
        return NULL;
    double **store = a->kind == SCALAR_FRICTION ? &s->atoms.friction : &s->atoms.store[a->which];
    if (!*store)
        *store = mem_new((size_t)s->atoms.natom, sizeof **store);
    return *store;
}

static void scalar_get(struct script *s, const struct scalar_array *a, double *v)
{
    int step;
    const double *from = scalar_memory(s, a, &step);
    for (int i = 0; i < s->atoms.natom; i++) {
        const struct psf_atom *p = &s->session.in.psf.atom[i];
        v[i] = from                       ? from[step * i]
               : a->kind == SCALAR_CHARGE ? p->charge
               : a->kind == SCALAR_MASS   ? p->mass
               : a->kind == SCALAR_RADIUS ? s->session.in.system.rmin2[i]
                                          : a->same;
    }
}

int script_scalar_array(void *script, const char *name, double *v)
{
    struct scalar_array a;
    if (!scalar_find(name, &a))
        return 0;
    scalar_get(script, &a, v);
    return 1;
}

/* Charges and masses: every number must be one that can be computed with. */
static int scalar_put_structure(struct script *s, const struct scalar_array *a, const double *v)
{
    int mass = a->kind == SCALAR_MASS;
    double **to = mass ? &s->atoms.mass : &s->atoms.charge;
    for (int i = 0; mass && i < s->atoms.natom; i++)
        if (!s->session.in.psf.atom[i].lonepair && !(v[i] > 0))
            return script_bad(s, "a mass would not be above 0");
    if (!*to)
        *to = mem_new((size_t)s->atoms.natom, sizeof **to);
    memcpy(*to, v, (size_t)s->atoms.natom * sizeof **to);
    s->o.charge = mass ? s->o.charge : *to;
    s->o.mass = mass ? *to : s->o.mass;
    s->o.atoms = s->atoms.natom;
    s->changed = 1;
    return 0;
}

static int scalar_put(struct script *s, const struct scalar_array *a, const double *v)
{
    int step;
    double *to = scalar_memory(s, a, &step);
    for (int i = 0; i < s->atoms.natom; i++)
        if (!isfinite(v[i]))
            return script_bad(s, "no finite number comes out for an atom");
    for (int i = 0; a->kind == SCALAR_FRICTION && i < s->atoms.natom; i++)
        if (v[i] < 0)
            return script_bad(s, "a friction would be below 0");
    if (a->kind == SCALAR_SAME || a->kind == SCALAR_RADIUS)
        return script_bad(s, "this array cannot be changed");
    if (!to)
        return scalar_put_structure(s, a, v);
    for (int i = 0; i < s->atoms.natom; i++)
        to[step * i] = v[i];
    return 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

typedef double scalar_rule(double a, double b);

static double rule_take(double a, double b)
{
    (void)a;
    return b;
}

static double rule_sum(double a, double b)
{
    return a + b;
}

static double rule_product(double a, double b)
{
    return a * b;
}

static double rule_quotient(double a, double b)
{
    return a / b;
}

static double rule_sign(double a, double b)
{
    (void)b;
    return a < 0 ? -1 : 1;
}

static double rule_trunc(double a, double b)
{
    (void)b;
    return trunc(a);
}

static double rule_reciprocal(double a, double b)
{
    (void)b;
    return a == 0 ? 0 : 1 / a;
}

static double rule_log(double a, double b)
{
    (void)b;
    return log(a);
}

static double rule_exp(double a, double b)
{
    (void)b;
    return exp(a);
}

static double rule_abs(double a, double b)
{
    (void)b;
    return fabs(a);
}

static double rule_square(double a, double b)
{
    (void)b;
    return a * a;
}

static double rule_sqrt(double a, double b)
{
    (void)b;
    return sqrt(a);
}

static double rule_whole_power(double a, double b)
{
    return pow(a, trunc(b));
}

static const struct scalar_verb {
    const char *name;
    scalar_rule *rule;
    enum { SCALAR_ALONE, SCALAR_NUMBER, SCALAR_ARRAY } takes;
} scalar_verbs[] = {{"=", rule_take, SCALAR_ARRAY},
                    {"COPY", rule_take, SCALAR_ARRAY},
                    {"SUM", rule_sum, SCALAR_ARRAY},
                    {"PROD", rule_product, SCALAR_ARRAY},
                    {"SET", rule_take, SCALAR_NUMBER},
                    {"ADD", rule_sum, SCALAR_NUMBER},
                    {"MULTIPLY", rule_product, SCALAR_NUMBER},
                    {"DIVIDE", rule_quotient, SCALAR_NUMBER},
                    {"MIN", fmin, SCALAR_NUMBER},
                    {"MAX", fmax, SCALAR_NUMBER},
                    {"POWER", pow, SCALAR_NUMBER},
                    {"IPOW", rule_whole_power, SCALAR_NUMBER},
                    {"SIGN", rule_sign, SCALAR_ALONE},
                    {"INTEGER", rule_trunc, SCALAR_ALONE},
                    {"RECIPROCAL", rule_reciprocal, SCALAR_ALONE},
                    {"LOG", rule_log, SCALAR_ALONE},
                    {"EXP", rule_exp, SCALAR_ALONE},
                    {"ABS", rule_abs, SCALAR_ALONE},
                    {"POW2", rule_square, SCALAR_ALONE},
                    {"SQRT", rule_sqrt, SCALAR_ALONE}};

static const struct scalar_verb *scalar_verb(const struct script *s)
{
    for (size_t k = 0; k < sizeof scalar_verbs / sizeof *scalar_verbs; k++)
        if (script_is(s, 2, scalar_verbs[k].name))
            return &scalar_verbs[k];
    return NULL;
}

/* What stands to the right of the verb, for each atom, into b; the word at hand is its last. */
static int scalar_right(struct script *s, const struct scalar_verb *verb, double *b)
{
    struct scalar_array other;
    double number = 0;
    if (verb->takes == SCALAR_NUMBER && script_real(s, &number))
        return ERR_INPUT;
    for (int i = 0; i < s->atoms.natom; i++)
        b[i] = number;
    if (verb->takes != SCALAR_ARRAY)
        return 0;
    if (!scalar_find(script_word(s, ++s->at), &other))
        return script_bad(s, "expected an array behind it: X, Y, Z, WMAIN, XCOMP, YCOMP, ZCOMP, "
                             "WCOMP, MASS, CHARGE, FBETA, RADIUS, ONE, ZERO or SCA1 to SCA9");
    scalar_get(s, &other, b);
    return 0;
}

static int scalar_compute(struct script *s, const struct scalar_verb *verb,
                          const struct scalar_array *a, const unsigned char *set, double *v)
{
    double *b = mem_new((size_t)s->atoms.natom, sizeof *b);
    int status = scalar_right(s, verb, b);
    if (!status && s->at != s->l.word.n - 1) {
        s->at++;
        status = script_bad(s, "SCALAR does not know this word here");
    }
    for (int i = 0; !status && i < s->atoms.natom; i++)
        v[i] = set[i] ? verb->rule(v[i], b[i]) : v[i];
    mem_free(b);
    s->at = 1;
    return status ? status : scalar_put(s, a, v);
}

/* Divides by the length that the numbers have as a vector. */
static int scalar_norm(struct script *s, const struct scalar_array *a, const unsigned char *set,
                       double *v)
{
    double sum = 0;
    for (int i = 0; i < s->atoms.natom; i++)
        sum += set[i] ? v[i] * v[i] : 0;
    for (int i = 0; i < s->atoms.natom; i++)
        v[i] = set[i] ? v[i] / sqrt(sum) : v[i];
    return scalar_put(s, a, v);
}

/* ---- stores ---------------------------------------------------------------------------------- */

static int scalar_store(struct script *s, const struct scalar_array *a, const unsigned char *set,
                        double *v)
{
    const char *how = s->l.word.at[2];
    struct scalar_array store = {.kind = SCALAR_STORE};
    long number;
    s->at = 2;
    if (script_count(s, &number))
        return ERR_INPUT;
    if (number < 1 || number > SCRIPT_STORES || s->at != s->l.word.n - 1)
        return script_bad(s, "expected the number of a store, 1 to 9");
    store.which = (int)number - 1;
    double *kept = mem_new((size_t)s->atoms.natom, sizeof *kept);
    int recall = *how == 'R';
    scalar_get(s, &store, kept);
    for (int i = 0; i < s->atoms.natom; i++) {
        double *to = recall ? &v[i] : &kept[i], from = recall ? kept[i] : v[i];
        if (set[i])
            *to = *how == '+' ? *to + from : *how == '*' ? *to * from : from;
    }
    s->at = 1;
    int status = recall ? scalar_put(s, a, v) : scalar_put(s, &store, kept);
    mem_free(kept);
    return status;
}

/* ---- what is told ---------------------------------------------------------------------------- */

static void scalar_show(const struct script *s, const unsigned char *set, const double *v)
{
    for (int i = 0; s->comm->rank == 0 && i < s->atoms.natom; i++) {
        const struct psf_atom *a = &s->session.in.psf.atom[i];
        if (set[i])
            printf(" ( %-8s %-8s %-8s %-8s)%16.5f\n", a->segid, a->resname, a->resid, a->name,
                   v[i]);
    }
}

/* MASS, WEIGHT n: how much each atom counts; 0 where it is not selected. */
static int scalar_weights(struct script *s, const unsigned char *set, double *weight, int *whole)
{
    int mass = 0;
    long number = 0;
    const struct script_key key[] = {{"MASS", .flag = &mass, .is = 1},
                                     {"WEIGHT", .count = &number},
                                     {"ALL", .flag = whole, .is = 0},
                                     {"BYSEGMENT", .flag = whole, .is = 1},
                                     {"BYRESIDUE", .flag = whole, .is = 2}};
    for (s->at = 3; s->at < s->l.word.n; s->at++) {
        int found = 0;
        if (script_key(s, key, whole ? 5 : 2, &found))
            return ERR_INPUT;
        if (!found)
            return script_bad(s, "SCALAR does not know this word here");
    }
    s->at = 2;
    if (number < 0 || number > SCRIPT_STORES)
        return script_bad(s, "expected WEIGHT and the number of a store, 1 to 9");
    struct scalar_array store = {.kind = SCALAR_STORE, .which = (int)number - 1};
    if (number)
        scalar_get(s, &store, weight);
    for (int i = 0; i < s->atoms.natom; i++)
        weight[i] =
            !set[i] ? 0 : (number ? weight[i] : 1) * (mass ? s->session.in.psf.atom[i].mass : 1);
    return 0;
}

static void scalar_statistics(struct script *s, const unsigned char *set, const double *v,
                              const double *weight)
{
    double low = HUGE_VAL, high = -HUGE_VAL, sum = 0, square = 0, all = 0;
    int n = 0;
    for (int i = 0; i < s->atoms.natom; i++) {
        low = set[i] ? fmin(low, v[i]) : low;
        high = set[i] ? fmax(high, v[i]) : high;
        sum += weight[i] * v[i];
        all += weight[i];
        n += set[i];
    }
    double mean = all != 0 ? sum / all : 0;
    for (int i = 0; i < s->atoms.natom; i++)
        square += weight[i] * (v[i] - mean) * (v[i] - mean);
    const struct {
        const char *name;
        double v;
    } row[] = {
        {"?NSEL", n},           {"?STOT", sum},          {"?SAVE", mean},
        {"?SMIN", n ? low : 0}, {"?SMAX", n ? high : 0}, {"?SVAR", all != 0 ? square / all : 0},
        {"?SWEI", all}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        script_result(s, row[k].name, row[k].v);
    if (s->comm->rank == 0)
        printf(" STATISTICS FOR %d SELECTED ATOMS:\n       minimum = %12.6f  maximum = %12.6f  "
               "weight   = %12.6f\n       average = %12.6f  total   = %12.6f  variance = %12.6f\n",
               n, n ? low : 0, n ? high : 0, all, mean, sum, all != 0 ? square / all : 0);
}

static int scalar_same(const char *a, const char *b)
{
    return strncmp(a, b, PSF_NAME) == 0;
}

/* Whether two atoms belong to one residue (2), or segment (1), or are just atoms (0). */
static int scalar_together(const struct psf_atom *a, const struct psf_atom *b, int whole)
{
    if (whole == 0)
        return 1;
    if (whole == 1)
        return scalar_same(a->segid, b->segid);
    return scalar_same(a->segid, b->segid) && scalar_same(a->resid, b->resid) &&
           scalar_same(a->resname, b->resname);
}

static int scalar_average(struct script *s, const struct scalar_array *a, const unsigned char *set,
                          double *v, const double *weight, int whole)
{
    const struct psf_atom *atom = s->session.in.psf.atom;
    for (int first = 0, last; first < s->atoms.natom; first = last) {
        double sum = 0, all = 0;
        for (last = first; last < s->atoms.natom; last++) {
            if (!scalar_together(&atom[first], &atom[last], whole))
                break;
            sum += weight[last] * v[last];
            all += weight[last];
        }
        for (int i = first; i < last; i++)
            v[i] = set[i] && all != 0 ? sum / all : v[i];
    }
    return scalar_put(s, a, v);
}

/* STAT and AVERAGE. */
static int scalar_weighted(struct script *s, const struct scalar_array *a, const unsigned char *set,
                           double *v)
{
    int average = script_is(s, 2, "AVERAGE"), whole = 0;
    double *weight = mem_new((size_t)s->atoms.natom, sizeof *weight);
    int status = scalar_weights(s, set, weight, average ? &whole : NULL);
    if (!status && average)
        status = scalar_average(s, a, set, v, weight, whole);
    else if (!status)
        scalar_statistics(s, set, v, weight);
    mem_free(weight);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int scalar_run(struct script *s, const struct scalar_array *a, const unsigned char *set,
                      double *v)
{
    const struct scalar_verb *verb = scalar_verb(s);
    int alone = s->l.word.n == 3;
    s->at = 2;
    scalar_get(s, a, v);
    if (verb)
        return scalar_compute(s, verb, a, set, v);
    if (script_is(s, 2, "STATISTICS") || script_is(s, 2, "AVERAGE"))
        return scalar_weighted(s, a, set, v);
    if (script_is(s, 2, "STORE") || script_is(s, 2, "RECALL") || script_is(s, 2, "+STORE") ||
        script_is(s, 2, "*STORE"))
        return scalar_store(s, a, set, v);
    if (script_is(s, 2, "NORM") && alone)
        return scalar_norm(s, a, set, v);
    if (script_is(s, 2, "SHOW") && alone) {
        scalar_show(s, set, v);
        return 0;
    }
    return script_bad(s,
                      "SCALAR has =, COPY, SUM, PROD, SET, ADD, MULT, DIVI, MIN, MAX, POWER, IPOW, "
                      "SIGN, INTE, RECI, LOG, EXP, ABS, NORM, POW2, SQRT, SHOW, STAT, STORE, "
                      "+STORE, *STORE, RECALL and AVERAGE");
}

int script_scalar(struct script *s)
{
    struct scalar_array a;
    unsigned char *set;
    double *v = NULL;
    int status = script_select(s, &set);
    s->at = 1;
    if (!status && !scalar_find(script_word(s, 1), &a))
        status =
            script_bad(s, "hmd has SCALAR for X, Y, Z, WMAIN, XCOMP, YCOMP, ZCOMP, WCOMP, MASS, "
                          "CHARGE, FBETA, SCA1 to SCA9, RADIUS, ONE and ZERO");
    else if (!status) {
        v = mem_new((size_t)s->atoms.natom, sizeof *v);
        status = scalar_run(s, &a, set, v);
    }
    mem_free(v);
    mem_free(set);
    return status;
}
