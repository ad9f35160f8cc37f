/* select.c - see select.h.
 *
 * A selection is a formula of sets: OR of ANDs of terms.  A term is a factor followed by any number
 * of .AROUND. r and .SUBSET. range.  A factor is a word that names atoms, a formula in brackets, or
 * an operator (.NOT. .BYRES. .BYSEG. .BONDED.) before a factor.  These operators bind closest, so
 * .BYRES. a .AROUND. 3 is everything near whole residues.  Four characters of an operator are
 * significant, as in any word: .AND is .AND., and select.doc writes it so.  Each level is a
 * function that fills a set; nesting is limited, because the text is untrusted.  Words that name
 * atoms are rows of a table.  Cost: O(atoms) per operator; for .AROUND. the product of selected and
 * all atoms.
 */
#include "select.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coor.h"
#include "mem.h"

/* Limits; more is an error: nested brackets and operators, which use stack; words and brackets;
 * bytes of these, as many as a line has. */
enum { SELECT_DEPTH = 40, SELECT_TOKENS = 512, SELECT_TEXT = 4096 };

/* Units in which atoms are numbered, from 1. */
enum select_number { SELECT_ATOM, SELECT_RESIDUE, SELECT_SEGMENT, SELECT_NUMBERS };

/* On the heap, because of its texts. After the first error the functions return quickly. */
struct select {
    const struct select_world *w;
    int natom;
    int *number[SELECT_NUMBERS]; /* of each atom */
    char text[SELECT_TEXT];      /* the words, with brackets separated */
    char *token[SELECT_TOKENS];  /* ... */
    int word[SELECT_TOKENS];     /* index of the word that a token is from */
    int n, at, depth;
    const char *why; /* the first error */
};

static void select_formula(struct select *s, int any, unsigned char *set);

/* The first reason counts. */
static void select_fail(struct select *s, const char *why)
{
    s->why = s->why ? s->why : why;
}

/* The current token, "" after the last one. */
static const char *select_token(const struct select *s)
{
    return s->at < s->n ? s->token[s->at] : "";
}

static const char *select_take(struct select *s)
{
    if (s->at == s->n)
        select_fail(s, "the selection ends too early");
    return s->at < s->n ? s->token[s->at++] : "";
}

/* Takes the token if it is this one, abbreviated to no less than `least` letters. */
static int select_next(struct select *s, const char *operator, size_t least)
{
    if (s->at == s->n || !text_key(s->token[s->at], operator, least))
        return 0;
    s->at++;
    return 1;
}

static double select_number(struct select *s)
{
    double v = 0;
    if (!text_double(select_take(s), &v))
        select_fail(s, "a number is missing in the selection");
    return v;
}

/* ---- words that name atoms -------------------------------------------------------------- */

/* Matches "a:b" of names, in lexical order, or a pattern. A range compares names as text. */
static int select_among(const char *range, const char *name)
{
    const char *colon = strchr(range, ':');
    if (!colon)
        return text_match(range, name);
    size_t n = (size_t)(colon - range);
    int low = strncmp(name, range, n); /* with equal beginnings the longer name is later */
    return low >= 0 && strcmp(name, colon + 1) <= 0;
}

/* Matches "a:b" with numbers, or a pattern. A text that is no number is in no range. */
static int select_in(const char *range, const char *name)
{
    const char *colon = strchr(range, ':');
    char *stop;
    long low, high, v;
    if (!colon)
        return text_match(range, name);
    low = strtol(range, &stop, 10);
    int good = stop == colon && text_long(colon + 1, &high);
    v = strtol(name, &stop, 10); /* 27A is in 20:30 */
    return good && stop != name && v >= low && v <= high;
}

static int select_in_number(const char *range, long v)
{
    char text[24];
    snprintf(text, sizeof text, "%ld", v);
    return select_in(range, text);
}

/* These test whether atom i matches the words after a row's name; `at`: index of the row. */
static int is_constant(const struct select *s, int i, char *const *word, size_t at)
{
    (void)s, (void)i, (void)word;
    return (int)at;
}

static const char *select_name(const struct select *s, int i, size_t at)
{
    return (const char *)&s->w->psf->atom[i] + at;
}

static int is_named(const struct select *s, int i, char *const *word, size_t at)
{
    return select_among(word[0], select_name(s, i, at));
}

static int is_resid(const struct select *s, int i, char *const *word, size_t at)
{
    return select_in(word[0], select_name(s, i, at));
}

static int is_numbered(const struct select *s, int i, char *const *word, size_t at)
{
    return select_in_number(word[0], s->number[at][i]);
}

/* True if it has a position. */
static int is_initial(const struct select *s, int i, char *const *word, size_t at)
{
    const double *x = s->w->x + 3 * (size_t)i;
    (void)word, (void)at;
    return x[0] < COOR_UNKNOWN && x[1] < COOR_UNKNOWN && x[2] < COOR_UNKNOWN;
}

/* Places of names within an atom, so that one function serves all. */
enum {
    SELECT_SEGID = offsetof(struct psf_atom, segid),
    SELECT_RESID = offsetof(struct psf_atom, resid),
    SELECT_RESNAME = offsetof(struct psf_atom, resname),
    SELECT_NAME = offsetof(struct psf_atom, name),
    SELECT_TYPE = offsetof(struct psf_atom, type)
};

/* ATOM segid resid type. */
static int is_atom(const struct select *s, int i, char *const *word, size_t at)
{
    (void)at;
    return is_named(s, i, word, SELECT_SEGID) && is_resid(s, i, word + 1, SELECT_RESID) &&
           is_named(s, i, word + 2, SELECT_NAME);
}

/* By mass; lone pairs are none. */
static int is_hydrogen(const struct select *s, int i, char *const *word, size_t at)
{
    const struct psf_atom *a = &s->w->psf->atom[i];
    (void)word, (void)at;
    return !a->lonepair && a->mass < 3.6;
}

static int is_lonepair(const struct select *s, int i, char *const *word, size_t at)
{
    (void)word, (void)at;
    return s->w->psf->atom[i].lonepair;
}

/* holds() is called for each atom; `at` is its last argument. */
static const struct select_word {
    const char *name;
    int words; /* number of following words */
    int (*holds)(const struct select *s, int i, char *const *word, size_t at);
    size_t at;
} select_words[] = {{"ALL", 0, is_constant, 1},
                    {"NONE", 0, is_constant, 0},
                    {"INITIAL", 0, is_initial, 0},
                    {"SEGID", 1, is_named, SELECT_SEGID},
                    {"RESID", 1, is_resid, SELECT_RESID},
                    {"RESNAME", 1, is_named, SELECT_RESNAME},
                    {"TYPE", 1, is_named, SELECT_NAME},
                    {"CHEMICAL", 1, is_named, SELECT_TYPE},
                    {"BYNUMBER", 1, is_numbered, SELECT_ATOM},
                    {"IRES", 1, is_numbered, SELECT_RESIDUE},
                    {"ATOM", 3, is_atom, 0},
                    {"HYDROGEN", 0, is_hydrogen, 0},
                    {"LONEPAIR", 0, is_lonepair, 0},
                    {"ISEG", 1, is_numbered, SELECT_SEGMENT}};

static void select_word(struct select *s, const struct select_word *w, unsigned char *set)
{
    char *const *word = s->token + s->at;
    if (s->at + w->words > s->n) {
        select_fail(s, "the selection ends too early");
        return;
    }
    if (w->at == SELECT_TYPE && !s->w->psf->atom[0].type[0])
        select_fail(s, "the PSF has types by number: CHEM needs a PSF with names (XPLOR)");
    for (int i = 0; !s->why && i < s->natom; i++)
        set[i] = (unsigned char)w->holds(s, i, word, w->at);
    s->at += w->words;
}

/* "PROP [ABS] array .GT. value" */
static void select_property(struct select *s, unsigned char *set)
{
    int absolute = select_next(s, "ABS", 3);
    const char *name = select_take(s);
    int relation = text_relation(select_take(s));
    double bound = select_number(s), *value = mem_new((size_t)s->natom, sizeof *value);
    absolute |= select_next(s, "ABS", 3);
    if (!s->why && (relation < 0 || !s->w->array(s->w->of, name, value)))
        select_fail(s, "PROP takes an array of SCALAR (X, WMAIN, MASS, CHARGE ...), .LT. .LE. .EQ. "
                       ".NE. .GE. .GT. or .AE., and a number");
    for (int i = 0; !s->why && i < s->natom; i++)
        set[i] = (unsigned char)text_holds(relation, absolute ? fabs(value[i]) : value[i], bound);
    mem_free(value);
}

/* Marks atoms nearer to p than r. Without nearest images. */
static void select_near(struct select *s, const double p[3], double r, unsigned char *set)
{
    for (int i = 0; i < s->natom; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++)
            square += (s->w->x[3 * i + k] - p[k]) * (s->w->x[3 * i + k] - p[k]);
        set[i] |= square <= r * r;
    }
}

/* "POINT x y z [CUT r]" */
static void select_point(struct select *s, unsigned char *set)
{
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = select_number(s);
    double r = select_next(s, "CUT", 3) ? select_number(s) : 8; /* select.doc */
    memset(set, 0, (size_t)s->natom);
    if (!s->why)
        select_near(s, p, r, set);
}

/* Handles a word of the table, abbreviated, or with other letters after the fourth. */
static int select_listed(struct select *s, unsigned char *set)
{
    for (size_t k = 0; k < sizeof select_words / sizeof *select_words; k++) {
        if (!text_same(select_token(s), select_words[k].name))
            continue;
        s->at++;
        select_word(s, &select_words[k], set);
        return 1;
    }
    return 0;
}

/* As in CHARMM (select.doc), names of DEFINE precede the words of the table. */
static void select_named(struct select *s, unsigned char *set)
{
    for (int k = 0; k < s->w->nknown; k++)
        if (strcmp(s->w->known[k].name, select_token(s)) == 0) {
            memcpy(set, s->w->known[k].set, (size_t)s->natom);
            s->at++;
            return;
        }
    if (select_listed(s, set))
        return;
    if (select_next(s, "PROPERTY", 4)) {
        select_property(s, set);
        return;
    }
    if (select_next(s, "POINT", 4)) {
        select_point(s, set);
        return;
    }
    select_fail(s, s->at < s->n ? "no word of a selection, nor a name that DEFINE has given: known "
                                  "are ALL NONE SEGID ISEG RESID IRES RESNAME TYPE CHEM ATOM "
                                  "BYNUM INITIAL HYDROGEN LONE PROP POINT"
                                : "the selection ends too early");
}

/* ---- operators ------------------------------------------------------------------------------ */

static void select_not(struct select *s, int unused, unsigned char *set)
{
    (void)unused;
    for (int i = 0; i < s->natom; i++)
        set[i] = !set[i];
}

/* Adds all atoms of the residues, or segments, of those in the set. Residues and segments are
 * contiguous, so one pass suffices. */
static void select_whole(struct select *s, int which, unsigned char *set)
{
    const int *number = s->number[which];
    for (int first = 0, last; first < s->natom; first = last) {
        int any = 0;
        for (last = first; last < s->natom && number[last] == number[first]; last++)
            any |= set[last];
        memset(set + first, any, (size_t)(last - first));
    }
}

/* Neighbours of the atoms, not the atoms themselves. */
static void select_bonded(struct select *s, int unused, unsigned char *set)
{
    const struct psf_terms *bond = &s->w->psf->bond;
    unsigned char *from = mem_new((size_t)s->natom, 1);
    (void)unused;
    memcpy(from, set, (size_t)s->natom);
    memset(set, 0, (size_t)s->natom);
    for (int k = 0; k < bond->count; k++) {
        int i = bond->atom[2 * k], j = bond->atom[2 * k + 1];
        set[i] |= from[j];
        set[j] |= from[i];
    }
    mem_free(from);
}

/* The atoms themselves are near, so they stay selected. */
static void select_around(struct select *s, double r, unsigned char *set)
{
    unsigned char *from = mem_new((size_t)s->natom, 1);
    memcpy(from, set, (size_t)s->natom);
    for (int i = 0; !s->why && i < s->natom; i++)
        if (from[i])
            select_near(s, s->w->x + 3 * (size_t)i, r, set);
    mem_free(from);
}

/* Keeps the atoms of the set that are in the range, counted within the set. */
static void select_subset(struct select *s, unsigned char *set)
{
    const char *range = select_take(s);
    for (int i = 0, k = 0; !s->why && i < s->natom; i++)
        if (set[i])
            set[i] = (unsigned char)select_in_number(range, ++k);
}

static int select_operator(struct select *s, const char *name)
{
    if (strncmp(select_token(s), name, 4) != 0)
        return 0;
    s->at++;
    return 1;
}

static void select_factor(struct select *s, unsigned char *set)
{
    static const struct {
        const char *name;
        void (*apply)(struct select *s, int which, unsigned char *set);
        int which;
    } table[] = {{".NOT.", select_not, 0},
                 {".BYRES.", select_whole, SELECT_RESIDUE},
                 {".BYSEG.", select_whole, SELECT_SEGMENT},
                 {".BONDED.", select_bonded, 0}};
    size_t k = 0, n = sizeof table / sizeof *table;
    if (++s->depth > SELECT_DEPTH)
        select_fail(s, "the selection is nested too deeply");
    if (s->why)
        return;
    while (k < n && !select_operator(s, table[k].name))
        k++;
    /* Operators before an operand apply from right to left. */
    if (k < n) {
        select_factor(s, set);
        table[k].apply(s, table[k].which, set);
    } else if (select_next(s, "(", 1)) {
        select_formula(s, 1, set);
        if (!select_next(s, ")", 1))
            select_fail(s, "a bracket is not closed, or words stand between two operators");
    } else
        select_named(s, set);
    s->depth--;
}

/* AROUND and SUBSET follow their operand. */
static void select_term(struct select *s, unsigned char *set)
{
    select_factor(s, set);
    while (!s->why)
        if (select_operator(s, ".AROUND."))
            select_around(s, select_number(s), set);
        else if (select_operator(s, ".SUBSET."))
            select_subset(s, set);
        else
            break;
}

/* ANDs of terms; `any`: ORs of these. The first operand is computed in the set itself, later ones
 * in `other`. */
static void select_formula(struct select *s, int any, unsigned char *set)
{
    unsigned char *part = set, *other = mem_new((size_t)s->natom, 1);
    do {
        if (any)
            select_formula(s, 0, part);
        else
            select_term(s, part);
        for (int i = 0; part == other && i < s->natom; i++)
            set[i] = any ? set[i] | other[i] : set[i] & other[i];
        /* From the second operand on. */
        part = other;
    } while (!s->why && select_operator(s, any ? ".OR." : ".AND."));
    mem_free(other);
}

/* ---- tokens --------------------------------------------------------------------------------- */

/* Brackets may be adjacent to other words, and ':' may be between blanks. A token that joins
 * overwrites the terminating 0 of the one before. */
static void select_split(struct select *s, char *const *word, int n)
{
    size_t used = 0;
    for (int k = 0; k < n; k++) {
        for (const char *c = word[k]; *c;) {
            size_t length = *c == '(' || *c == ')' ? 1 : strcspn(c, "()");
            if (used + length + 2 > sizeof s->text || s->n == SELECT_TOKENS) {
                select_fail(s, "the selection is too long");
                return;
            }
            int joins = s->n && (*c == ':' || s->text[used - 2] == ':');
            if (joins)
                used--; /* overwrites the 0 of the previous token */
            else {
                s->word[s->n] = k;
                s->token[s->n++] = s->text + used;
            }
            memcpy(s->text + used, c, length);
            used += length;
            s->text[used++] = 0;
            c += length;
        }
    }
}

/* From 1. Each once, as ranges are compared for every atom. */
static void select_numbers(struct select *s)
{
    const struct psf_atom *a = s->w->psf->atom;
    for (int k = 0; k < SELECT_NUMBERS; k++)
        s->number[k] = mem_new((size_t)s->natom, sizeof *s->number[k]);
    for (int i = 0, residue = 0, segment = 0; i < s->natom; i++) {
        residue += psf_residue_begins(s->w->psf, i);
        segment += !i || strcmp(a[i].segid, a[i - 1].segid);
        s->number[SELECT_ATOM][i] = i + 1;
        s->number[SELECT_RESIDUE][i] = residue;
        s->number[SELECT_SEGMENT][i] = segment;
    }
}

/* *at is valid also without an error. */
const char *select_atoms(const struct select_world *w, char *const *word, int n, unsigned char *set,
                         int *at)
{
    struct select *s = mem_new(1, sizeof *s);
    s->w = w;
    s->natom = w->psf->natom;
    select_numbers(s);
    select_split(s, word, n);
    if (!s->why)
        select_formula(s, 1, set);
    if (!s->why && s->at < s->n)
        select_fail(s, "expected .AND., .OR., .AROUND., .SUBSET. or END before it");
    int last = s->at < s->n ? s->at : s->n - 1;
    *at = last < 0 ? 0 : s->word[last];
    const char *why = s->why;
    for (int k = 0; k < SELECT_NUMBERS; k++)
        mem_free(s->number[k]);
    mem_free(s);
    return why;
}
