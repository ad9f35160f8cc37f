/* script_words.c - the words of a command, see script_run.h.
 *
 * Functions move s->at over the words: after a keyword with a number it is at the number. On an
 * error it is at the word that the message shows. A unit is a number from OPEN; hmd opens the file
 * by its name each time.
 */
#include <string.h>

#include "mem.h"
#include "script_help.h"
#include "script_run.h"

/* s->at is the word that the message shows. */
int script_bad(struct script *s, const char *why)
{
    return script_line_fail(&s->l, s->at, why, s->e);
}

/* Advice from the table of help has priority over the command's own text. */
int script_unknown_word(struct script *s, const char *why)
{
    int gone;
    const char *instead = help_of(&s->l.word, s->at, &gone);
    return gone ? err_set(s->e, ERR_INPUT, "%s:%d: %s%s%s is not part of hmd: %s", s->l.t.name,
                          s->l.first, s->l.word.at[0], s->at ? " " : "",
                          s->at ? s->l.word.at[s->at] : "", instead)
                : script_bad(s, why);
}

/* Also for commands that hmd leaves to other programs. */
int script_unknown(struct script *s)
{
    int gone;
    s->at = 0;
    return script_unknown_word(s, help_of(&s->l.word, 0, &gone));
}

/* The list grows until the script ends: a script makes few such blocks. */
void *script_own(struct script *s, void *block)
{
    *(void **)mem_add(&s->kept, s->nkept++, sizeof block) = block;
    return block;
}

/* ---- words -------------------------------------------------------------------------------- */

/* "" behind the last word. */
const char *script_word(const struct script *s, int at)
{
    return at < s->l.word.n ? s->l.word.at[at] : "";
}

/* By four letters, as all words of CHARMM. */
int script_is(const struct script *s, int at, const char *key)
{
    return text_same(script_word(s, at), key);
}

/* The word after NAME or UNIT is skipped. So a file called COMP is not taken for the word. */
int script_has(const struct script *s, const char *key)
{
    for (int at = 1; at < s->l.word.n; at++) {
        if (script_is(s, at, key))
            return 1;
        at += script_is(s, at, "NAME") || script_is(s, at, "UNIT"); /* a file may have that name */
    }
    return 0;
}

int script_real(struct script *s, double *v)
{
    /* text_double() accepts Fortran's D exponents. */
    if (s->at + 1 < s->l.word.n && text_double(s->l.word.at[s->at + 1], v)) {
        s->at++;
        return 0;
    }
    return script_bad(s, "expected a number behind it");
}

/* -1 is the least: CHARMM's units use it for none. */
int script_count(struct script *s, long *v)
{
    if (s->at + 1 < s->l.word.n && text_long(s->l.word.at[s->at + 1], v) && *v >= -1) {
        s->at++;
        return 0;
    }
    return script_bad(s, "expected a whole number behind it");
}

/* Quotes, which prevent CHARMM from changing a name's case, are removed. */
const char *script_name(struct script *s, int at)
{
    const char *name = s->l.raw.at[at];
    size_t n = strlen(name);
    int quoted = n > 1 && name[0] == '"' && name[n - 1] == '"';
    n -= 2 * (size_t)quoted;
    /* mem_new() has zeroed the block, so the copy is terminated. */
    return script_own(s, memcpy(mem_new(n + 1, 1), name + quoted, n));
}

/* Finds the file of "NAME file" or "UNIT n" at or after word `from`. */
int script_file(struct script *s, int from, const char **path)
{
    for (s->at = from; s->at + 1 < s->l.word.n; s->at++) {
        long unit;
        if (script_is(s, s->at, "NAME")) {
            *path = script_name(s, s->at + 1);
            return 0;
        }
        if (!script_is(s, s->at, "UNIT"))
            continue;
        if (script_count(s, &unit))
            return ERR_INPUT;
        if (unit < 0 || unit >= SCRIPT_UNITS || !s->units.path[unit])
            return script_bad(s, "no OPEN command has given this unit a file");
        *path = s->units.path[unit];
        return 0;
    }
    s->at = 0;
    return script_bad(s, "expected NAME and a file, or UNIT and a number that OPEN has given (what "
                         "is in the input itself goes into a file of its own)");
}

/* Finds the keyword equal to the word, or abbreviated by it; else the only one with its first four
 * letters (TIMESTP is TIMESTEP, NSAVV is not NSAVC). NULL: none, or the word fits two of them. */
static const struct script_key *key_of(const struct script *s, const struct script_key *key,
                                       size_t n)
{
    const struct script_key *like = NULL;
    for (size_t k = 0; k < n; k++) {
        size_t length = strlen(key[k].name);
        /* First pass: a keyword that the word abbreviates. Keywords of fewer than four letters must
         * be whole. */
        if (text_key(s->l.word.at[s->at], key[k].name, length < 4 ? length : 4))
            return &key[k];
    }
    for (size_t k = 0; k < n; k++)
        if (script_is(s, s->at, key[k].name)) {
            /* Two keywords begin alike: the word must say which. */
            if (like)
                return NULL;
            like = &key[k];
        }
    return like;
}

/* Reads the file of the unit after the current word; in CHARMM a negative number means none. *path
 * is unchanged then. */
static int key_unit(struct script *s, const char **path)
{
    long number;
    if (script_count(s, &number))
        return ERR_INPUT;
    if (number < 0)
        return 0;
    if (number >= SCRIPT_UNITS || !s->units.path[number])
        return script_bad(s, "no OPEN command has given this unit a file");
    *path = s->units.path[number];
    return 0;
}

/* Handles the keyword at the current word; *found: it was one of these. A keyword without any place
 * to store is accepted and has no effect. */
int script_key(struct script *s, const struct script_key *key, size_t n, int *found)
{
    const struct script_key *k = key_of(s, key, n);
    if (!k)
        return 0;
    *found = 1;
    if (k->flag)
        *k->flag = k->is;
    return k->real    ? script_real(s, k->real)
           : k->count ? script_count(s, k->count)
           : k->unit  ? key_unit(s, k->unit)
                      : 0;
}

int script_only_keys(struct script *s, int from, const struct script_key *key, size_t n,
                     const char *usage)
{
    for (s->at = from; s->at < s->l.word.n; s->at++) {
        int found = 0;
        if (script_key(s, key, n, &found))
            return ERR_INPUT;
        if (!found)
            return script_unknown_word(s, usage);
    }
    return 0;
}

/* Known words are taken out; what remains is for the caller. The words of a keyword are itself and
 * its number, if it has one. */
int script_cut_keys(struct script *s, int from, const struct script_key *key, size_t n)
{
    for (s->at = from; s->at < s->l.word.n;) {
        int at = s->at, found = 0;
        if (script_key(s, key, n, &found))
            return ERR_INPUT;
        if (found)
            script_line_cut(&s->l, at, s->at);
        s->at = found ? at : s->at + 1;
    }
    return 0;
}

/* DOMDEC and its words specify CHARMM's domain decomposition, which has no meaning here. It may
 * have any number of words and numbers after it, until the first that belongs to something else. */
static void cut_domdec(struct script *s)
{
    static const char *const word[] = {"GPU", "DLB", "SPLIT", "NDIR", "ON", "OFF", "ONLY"};
    int at = 1, to, more = 1;
    double number;
    while (at < s->l.word.n && !script_is(s, at, "DOMDEC"))
        at++;
    for (to = at; more && to + 1 < s->l.word.n; to += more) {
        more = text_double(s->l.word.at[to + 1], &number);
        for (size_t k = 0; k < sizeof word / sizeof *word; k++)
            more |= script_is(s, to + 1, word[k]);
    }
    if (at < s->l.word.n)
        script_line_cut(&s->l, at, to);
}

/* Adds words of a NONBONDED line to those of earlier commands. */
static int script_nonbonded(struct script *s, const struct words *rest)
{
    /* Cutoffs that this line does not name must stay as they were: -1 marks them. */
    struct param_options *o = &s->o.pairs.nonbonded, before = *o;
    o->cutnb = o->ctofnb = o->ctonnb = -1;
    if (param_options_words(o, rest, 0, s->l.t.name, s->l.first, s->e))
        return ERR_INPUT;
    /* Cutoffs of -1 get the former values back, unless others follow from the new ones. */
    param_options_forget(o, &before);
    s->changed = 1;
    return 0;
}

/* Handles all words from `from` on: keywords of the command, or words of a NONBONDED line. What is
 * left is a NONBONDED line as a whole, so its words may stand anywhere. */
int script_keys(struct script *s, int from, const struct script_key *key, size_t n)
{
    struct words rest = {.n = 0};
    int gone;
    cut_domdec(s);
    for (s->at = from; s->at < s->l.word.n; s->at++) {
        int found = 0;
        if (script_key(s, key, n, &found))
            return ERR_INPUT;
        if (found)
            continue;
        /* Advice for words of CHARMM that would otherwise be called unknown words of NONBONDED. */
        const char *why = help_of(&s->l.word, s->at, &gone);
        if (why)
            return script_bad(s, why);
        rest.at[rest.n++] = s->l.word.at[s->at];
    }
    if (rest.n > 0 && script_nonbonded(s, &rest))
        return ERR_INPUT;
    /* The combination of all words so far must be possible, also without a new one. */
    return param_options_check(&s->o.pairs.nonbonded, 1, s->e);
}
