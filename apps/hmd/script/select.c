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
 *
 * The result of each function is a set of one byte an atom, in memory of the caller. An error is a
 * constant text in s->why and the position of the current token; nothing is printed here.
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

/* Units in which atoms are numbered, from 1. (All three are made for each selection: O(atoms).) */
enum select_number { SELECT_ATOM, SELECT_RESIDUE, SELECT_SEGMENT, SELECT_NUMBERS };

/* On the heap, because of its texts. After the first error the functions return quickly. It lives
 * for one call of select_atoms(). w belongs to the caller. */
struct select {
    const struct select_world *w;
    int natom;
    int *number[SELECT_NUMBERS]; /* of each atom */
    char text[SELECT_TEXT];      /* the words, with brackets separated */
    /* In order; at is the current one, n their number. */
    char *token[SELECT_TOKENS]; /* ... */
    int word[SELECT_TOKENS];    /* index of the word that a token is from */
    int n, at, depth;
    const char *why; /* the first error */
};

/* any: an OR of ANDs, or one AND of terms. */
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

/* At the end it returns "" and sets the error; the position does not move any more. */
static const char *select_take(struct select *s)
{
    if (s->at == s->n)
        select_fail(s, "the selection ends too early");
    return s->at < s->n ? s->token[s->at++] : "";
}

/* Takes the token if it is this one, abbreviated to no less than `least` letters. Words are in
 * upper case already. */
static int select_next(struct select *s, const char *operator, size_t least)
{
    if (s->at == s->n || !text_key(s->token[s->at], operator, least))
        return 0;
    s->at++;
    return 1;
}

/* 0 after an error. */
static double select_number(struct select *s)
{
    double v = 0;
    if (!text_double(select_take(s), &v))
        select_fail(s, "a number is missing in the selection");
    return v;
}

/* ---- words that name atoms -------------------------------------------------------------- */

/* Matches "a:b" of names, in lexical order, or a pattern. A range compares names as text. `name` is
 * in the range if it is between both ends, or begins with the first. */
static int select_among(const char *range, const char *name)
{
    const char *colon = strchr(range, ':');
    if (!colon)
        return text_match(range, name);
    size_t n = (size_t)(colon - range);
    /* Comparison of n characters only: "A1" is not below "A". */
    int low = strncmp(name, range, n); /* with equal beginnings the longer name is later */
    return low >= 0 && strcmp(name, colon + 1) <= 0;
}

/* Matches "a:b" with numbers, or a pattern. A text that is no number is in no range. The number may
 * be followed by letters, as an insertion code of a residue. */
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

/* Numbers are compared by their text, so patterns such as 1% work as well. */
static int select_in_number(const char *range, long v)
{
    char text[24];
    snprintf(text, sizeof text, "%ld", v);
    return select_in(range, text);
}

/* These test whether atom i matches the words after a row's name; `at`: index of the row. Each has
 * the type of select_words[].holds. `word` points to the tokens after the row's name; s has
 * everything else. */
static int is_constant(const struct select *s, int i, char *const *word, size_t at)
{
    (void)s, (void)i, (void)word;
    return (int)at;
}

/* A name at this offset within the atom. */
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

/* True if it has a position. Positions from COOR_UNKNOWN on are none, in any coordinate. */
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

/* ATOM segid resid type. Segment and name by name, the residue also by number. */
static int is_atom(const struct select *s, int i, char *const *word, size_t at)
{
    (void)at;
    return is_named(s, i, word, SELECT_SEGID) && is_resid(s, i, word + 1, SELECT_RESID) &&
           is_named(s, i, word + 2, SELECT_NAME);
}

/* By mass; lone pairs are none. The limit includes hydrogens of about three times their mass, as
 * mass repartitioning makes them. */
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

/* holds() is called for each atom; `at` is its last argument. The words that name atoms. Other
 * files know none of them, except PROP and POINT below. */
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

/* The words after the name are consumed also if they match nothing. */
static void select_word(struct select *s, const struct select_word *w, unsigned char *set)
{
    char *const *word = s->token + s->at;
    if (s->at + w->words > s->n) {
        select_fail(s, "the selection ends too early");
        return;
    }
    /* The first atom decides: either all have types by name, or none. */
    if (w->at == SELECT_TYPE && !s->w->psf->atom[0].type[0])
        select_fail(s, "the PSF has types by number: CHEM needs a PSF with names (XPLOR)");
    for (int i = 0; !s->why && i < s->natom; i++)
        set[i] = (unsigned char)w->holds(s, i, word, w->at);
    s->at += w->words;
}

/* "PROP [ABS] array .GT. value" ABS may precede the array or follow the value, as CHARMM accepts
 * both. The array is copied, O(atoms). */
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

/* Marks atoms nearer to p than r. Without nearest images. r is in Angstrom. */
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

/* Handles a word of the table, abbreviated, or with other letters after the fourth. Returns 1 if it
 * was such a word, also after an error in it. */
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

/* As in CHARMM (select.doc), names of DEFINE precede the words of the table. The name must be
 * whole: abbreviations are those of the table only. */
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
                                  /* One message for an unknown word, as its place in the line is
                                   * reported with it. */
                                  "BYNUM INITIAL HYDROGEN LONE PROP POINT"
                                : "the selection ends too early");
}

/* ---- operators ------------------------------------------------------------------------------
 * They change a complete set, so each is one pass over the atoms or bonds. */

static void select_not(struct select *s, int unused, unsigned char *set)
{
    (void)unused;
    for (int i = 0; i < s->natom; i++)
        set[i] = !set[i];
}

/* Adds all atoms of the residues, or segments, of those in the set. Residues and segments are
 * contiguous, so one pass suffices. which: SELECT_RESIDUE or SELECT_SEGMENT. */
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
    /* Each bond is looked at once, in both directions. */
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

/* The atoms themselves are near, so they stay selected. O(selected atoms * all atoms): a cell list
 * would not pay for a command that runs once. */
static void select_around(struct select *s, double r, unsigned char *set)
{
    unsigned char *from = mem_new((size_t)s->natom, 1);
    memcpy(from, set, (size_t)s->natom);
    for (int i = 0; !s->why && i < s->natom; i++)
        if (from[i])
            select_near(s, s->w->x + 3 * (size_t)i, r, set);
    mem_free(from);
}

/* Keeps the atoms of the set that are in the range, counted within the set. Positions within the
 * set count from 1, in the order of the atoms. */
static void select_subset(struct select *s, unsigned char *set)
{
    const char *range = select_take(s);
    for (int i = 0, k = 0; !s->why && i < s->natom; i++)
        if (set[i])
            set[i] = (unsigned char)select_in_number(range, ++k);
}

/* Four characters decide: ".AND" is ".AND.". */
static int select_operator(struct select *s, const char *name)
{
    if (strncmp(select_token(s), name, 4) != 0)
        return 0;
    s->at++;
    return 1;
}

/* One level of the recursion: an operator, a bracket or a word. */
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
    /* Brackets and prefix operators count, so the depth of the stack is bounded. */
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

/* AROUND and SUBSET follow their operand. They may be repeated, and each applies to the result so
 * far. */
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
    /* Both levels have their own second set, so a formula uses at most two sets for each bracket.
     */
    unsigned char *part = set, *other = mem_new((size_t)s->natom, 1);
    do {
        if (any)
            select_formula(s, 0, part);
        else
            select_term(s, part);
        for (int i = 0; part == other && i < s->natom; i++)
            /* Not evaluated for the first operand, which is already in `set`. */
            set[i] = any ? set[i] | other[i] : set[i] & other[i];
        /* From the second operand on. */
        part = other;
    } while (!s->why && select_operator(s, any ? ".OR." : ".AND."));
    mem_free(other);
}

/* ---- tokens --------------------------------------------------------------------------------- */

/* Brackets may be adjacent to other words, and ':' may be between blanks. A token that joins
 * overwrites the terminating 0 of the one before. Words are copied, because they are cut anew and
 * joined across blanks. */
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
            /* A token that ends in ':' or begins with it belongs to the one before: "1 : 5" is
             * "1:5". */
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

/* From 1. Each once, as ranges are compared for every atom. Residues are counted through all
 * segments. */
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

/* *at is valid also without an error. s->n may be 0 for an empty selection, which the formula
 * reports as ending too early. */
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
    /* The word at which parsing stopped; the last one if it stopped behind the end. */
    int last = s->at < s->n ? s->at : s->n - 1;
    *at = last < 0 ? 0 : s->word[last];
    const char *why = s->why;
    for (int k = 0; k < SELECT_NUMBERS; k++)
        mem_free(s->number[k]);
    mem_free(s);
    return why;
}
