/* param_flow.c - see param_flow.h.
 *
 * Names and conditions are those of CHARMM's command language (script_line.h).  Streams ask for
 * much that is not known here ("if ?NATC ..." with quotes that CHARMM's parser takes apart in its
 * own way) only to say APPEND or to set CHARMM's manners, which changes nothing: an IF with one
 * command that cannot be decided is passed over.  A block must be decided.
 */
#include "param_flow.h"

#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "script_value.h"

struct param_flow *param_flow_new(const struct script_set *names, int n, size_t types)
{
    struct param_flow *f = mem_new(1, sizeof *f);
    char count[32];
    for (int k = 0; k < n; k++)
        script_line_set(&f->line, names[k].name, names[k].value);
    snprintf(count, sizeof count, "%zu", types);
    script_line_set(&f->line, "?NATC", count);
    return f;
}

static int flow_bad(const struct param_flow *f, const char *why, struct err *e)
{
    return err_set(e, ERR_INPUT, "%s:%d: %s: %s", f->line.t.name, f->line.first, f->line.raw.at[0],
                   why);
}

static int flow_is(const struct param_flow *f, const char *word)
{
    const char *is = f->line.word.at[0];
    return strlen(word) < 4 ? strcmp(is, word) == 0 : strncmp(is, word, 4) == 0;
}

/* Drops the first n words. */
static void flow_shift(struct param_flow *f, int n)
{
    struct words *both[] = {&f->line.raw, &f->line.word};
    for (int k = 0; k < 2; k++) {
        both[k]->n -= n;
        memmove(both[k]->at, both[k]->at + n, (size_t)both[k]->n * sizeof *both[k]->at);
    }
}

/* Passes over commands and sections up to the ELSE (where wanted) or ENDIF of this depth. */
static int flow_skip(struct param_flow *f, int to_else, struct err *e)
{
    char line[SCRIPT_LINE];
    struct words w;
    int first, depth = 1;
    while (text_command(&f->line.t, line, sizeof line, &first) > 0) {
        text_upper(line);
        words_split(&w, line);
        depth += strcmp(w.at[0], "IF") == 0 && strcmp(w.at[w.n - 1], "THEN") == 0;
        depth -= strncmp(w.at[0], "ENDI", 4) == 0;
        if (depth == 1 && to_else && strcmp(w.at[0], "ELSE") == 0)
            return 0;
        if (depth == 0) {
            f->open--;
            return 0;
        }
    }
    return flow_bad(f, "there is no ENDIF to it in this file", e);
}

/* 1 or 0; -1: it cannot be decided, as where a word that is no number and no name is compared with
 * a number. */
static int flow_holds(const struct param_flow *f)
{
    double number;
    const struct words *w = &f->line.word;
    for (int k = 1; f->line.missing[0] && k < w->n && k < 4; k++)
        if (strpbrk(w->at[k], "@?"))
            return -1;
    if (w->n < 4)
        return -1;
    int named = script_line_get(&f->line, w->at[1]) != NULL || text_double(w->at[1], &number);
    return named || !text_double(w->at[3], &number) ? script_line_holds(&f->line) : -1;
}

/* A block, or one command: *obey says whether what is in the words now is to be obeyed. */
static int flow_if(struct param_flow *f, int *obey, struct err *e)
{
    const struct words *w = &f->line.word;
    int holds = flow_holds(f), block = w->n == 5 && strcmp(w->at[4], "THEN") == 0;
    *obey = 0;
    if (block && holds < 0)
        return flow_bad(f,
                        "expected a value or a name that SET has given one, EQ NE GT GE LT LE or "
                        "AE, a value, and THEN: SET it in an input before STREAM",
                        e);
    if (block) {
        f->open++;
        return holds ? 0 : flow_skip(f, 1, e);
    }
    *obey = holds > 0;
    if (*obey)
        flow_shift(f, 4 + (w->n > 4 && strcmp(w->at[4], "THEN") == 0));
    return 0;
}

/* SET name [=] value; CALC name [=] expression. */
static int flow_set(struct param_flow *f, struct err *e)
{
    struct script_line *l = &f->line;
    char text[SCRIPT_LINE] = "";
    double number;
    size_t n = 0;
    int from = l->raw.n > 2 && strcmp(l->raw.at[2], "=") == 0 ? 3 : 2, calc = flow_is(f, "CALC");
    for (int k = from; k < l->raw.n; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? " " : "", l->raw.at[k]);
    if (l->missing[0] || l->raw.n < 2)
        return 0;
    if (calc && !script_value(text, &number))
        return flow_bad(f, "expected an expression of numbers", e);
    if (calc)
        snprintf(text, sizeof text, "%.12g", number);
    return script_line_set(l, l->word.at[1], text)
               ? 0
               : flow_bad(f, "too many names are set, or one is too long", e);
}

/* Commands that have no meaning here. */
static int flow_ignored(const struct param_flow *f)
{
    static const char *const word[] = {"BOMLEV",   "BOMBLEV", "PRNLEV", "WRNLEV",
                                       "IOFORMAT", "ECHO",    "OPEN",   "CLOSE",
                                       "LOWER",    "UPPER",   "END",    "FASTER"};
    for (size_t k = 0; k < sizeof word / sizeof *word; k++)
        if (flow_is(f, word[k]))
            return 1;
    return 0;
}

/* One command: 1 where it is for the caller. */
static int flow_obey(struct param_flow *f, struct err *e, int *status)
{
    while (f->line.word.n && strcmp(f->line.word.at[0], "IF") == 0) {
        int obey;
        *status = flow_if(f, &obey, e);
        if (*status || !obey)
            return 0;
    }
    if (!f->line.word.n || flow_ignored(f))
        return 0;
    if (flow_is(f, "SET") || flow_is(f, "CALC"))
        *status = flow_set(f, e);
    else if (f->open && flow_is(f, "ELSE"))
        *status = flow_skip(f, 0, e);
    else if (f->open && flow_is(f, "ENDIF"))
        f->open--;
    else
        return 1;
    return 0;
}

int param_flow_next(struct param_flow *f, struct text *t, const struct words **w, struct err *e,
                    int *status)
{
    int mine = 0;
    f->line.t = *t;
    *w = &f->line.word;
    while (!mine && !*status && script_line_next_lenient(&f->line, e, status))
        mine = flow_obey(f, e, status);
    *t = f->line.t;
    if (!mine && !*status && f->open)
        *status = err_set(e, ERR_INPUT, "%s:%d: an IF ... THEN has no ENDIF in this file", t->name,
                          t->line);
    return mine;
}

int param_flow_leaves(struct param_flow *f, struct text *t, const char *word, struct err *e,
                      int *status)
{
    int other = strcmp(word, "ELSE") == 0;
    if (!f->open || (!other && strncmp(word, "ENDI", 4) != 0))
        return 0;
    f->line.t = *t;
    if (other)
        *status = flow_skip(f, 0, e);
    else
        f->open--;
    *t = f->line.t;
    return 1;
}
