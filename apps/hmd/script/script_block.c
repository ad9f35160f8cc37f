/* script_block.c - see script_block.h.
 *
 * Nothing is evaluated in a block that is skipped: its lines are only looked at for IF, ELSE and
 * ENDIF. So it may contain names without values and commands that hmd does not have.
 */
#include "script_block.h"

#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "script_value.h"

/* ---- names ----------------------------------------------------------------------------------- */

/* value is copied, so it may be a part of the line. */
int block_name(struct script_line *l, const char *value, struct err *e)
{
    return script_line_set(l, l->word.at[1], value)
               ? 0
               : script_line_fail(l, 1, "too many names are set, or one is too long", e);
}

/* Copies the text after "name [=]", with blanks between the words. Returns its length. The '=' is
 * optional. Several blanks between words become one. The result has at most the length of the line,
 * which fits. */
static size_t block_text(const struct script_line *l, char text[SCRIPT_LINE])
{
    size_t n = 0;
    text[0] = 0;
    for (int k = l->raw.n > 2 && strcmp(l->raw.at[2], "=") == 0 ? 3 : 2; k < l->raw.n; k++)
        n += (size_t)snprintf(text + n, SCRIPT_LINE - n, "%s%s", n ? " " : "", l->raw.at[k]);
    return n;
}

/* SET a=b without blanks is a name alone, hence an error. Quotes are removed only if they enclose
 * the whole text. */
int block_set(struct script_line *l, struct err *e)
{
    const struct words *w = &l->raw;
    char text[SCRIPT_LINE];
    if (w->n < 2 || (w->n == 2 && strchr(w->at[1], '=')))
        return script_line_fail(l, 1, "expected a name and its value, with a blank between them",
                                e);
    size_t n = block_text(l, text);
    int quoted = n > 1 && text[0] == '"' && strchr(text + 1, '"') == text + n - 1;
    text[n - (size_t)quoted] = 0;
    return block_name(l, text + quoted, e);
}

/* The name must not be the only word; the expression is parsed as a whole. */
int block_calc(struct script_line *l, struct err *e)
{
    char text[SCRIPT_LINE], number[SCRIPT_VALUE];
    double v;
    block_text(l, text);
    if (l->raw.n < 3 || !script_value(text, &v))
        return script_line_fail(l, 0,
                                "expected a name and an expression of numbers, + - * / ** ( ) and "
                                "SQRT EXP LN LOG ABS INT NINT SIN COS TAN ASIN ACOS ATAN SINH COSH "
                                "TANH",
                                e);
    script_line_number(l, v, number);
    return block_name(l, number, e);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Skips commands up to the ELSE (with to_else) or ENDIF of this depth. Counts nested blocks: an IF
 * with THEN as its last word opens one. *ended is true at ENDIF. The depth begins at 1, inside of
 * the IF that has been read. */
static int block_skip(struct script_line *l, int to_else, int *ended, struct err *e)
{
    char line[SCRIPT_LINE];
    struct words w;
    int first, depth = 1;
    while (text_command(&l->t, line, sizeof line, &first) > 0) {
        text_upper(line);
        words_split(&w, line);
        if (w.n == 0)
            continue;
        int other = strncmp(w.at[0], "ELSE", 4) == 0;
        depth += strcmp(w.at[0], "IF") == 0 && text_same(w.at[w.n - 1], "THEN");
        depth -= strncmp(w.at[0], "ENDI", 4) == 0;
        /* "ELSE IF" would be a block without an end of its own. */
        if (depth == 1 && other && (w.n > 1 || strcmp(w.at[0], "ELSE") != 0))
            return err_set(
                e, ERR_INPUT,
                "%s:%d: ELSE is alone on its line: put the IF on a line behind it, with an "
                "ENDIF of its own",
                l->t.name, first);
        *ended = depth == 0;
        if (*ended || (depth == 1 && to_else && other))
            return 0;
    }
    return script_line_fail(l, 0, "there is no ENDIF to it in this file", e);
}

/* Checks that the block that begins here ends in this file; skips nothing. The text is restored,
 * because reading cuts it into lines. Otherwise a missing ENDIF would be found only after the block
 * has run, or never. */
static int block_check(struct script_line *l, struct err *e)
{
    struct text here = l->t;
    size_t left = (size_t)(here.end - here.pos);
    char *copy = mem_new(left + 1, 1);
    int ended;
    memcpy(copy, here.pos, left);
    int status = block_skip(l, 0, &ended, e);
    /* The position and the cut text are both put back. */
    l->t = here;
    memcpy(here.pos, copy, left);
    mem_free(copy);
    return status;
}

/* True if the condition uses a name without a value. Names in the command after the condition do
 * not count. */
static int block_unnamed(const struct script_line *l)
{
    for (int k = 1; l->missing[0] && k < l->raw.n && k < 4; k++)
        if (strpbrk(l->raw.at[k], "@?"))
            return 1;
    return 0;
}

/* Returns 1 or 0; -1: it cannot be evaluated. In a stream this includes comparing a word that is
 * neither number nor name with a number: streams do so to test CHARMM's own variables. */
static int block_holds(const struct script_line *l, int lenient)
{
    const struct words *w = &l->word;
    double number;
    /* IF, three words, and at least one word after these. */
    if (w->n < 5 || block_unnamed(l))
        return -1;
    int named = script_line_get(l, w->at[1]) != NULL || text_double(w->at[1], &number);
    return lenient && !named && text_double(w->at[3], &number) ? -1 : script_line_holds(l);
}

/* lenient: in a stream of parameters, where names without a value may occur. A command after the
 * condition is left in the words, and the caller executes it. */
int block_if(struct script_line *l, int lenient, enum block_outcome *outcome, struct err *e)
{
    /* THEN as the last word begins a block; THEN and a command is the same as the command alone. */
    int holds = block_holds(l, lenient), ended = 0, then = l->word.n > 4;
    then = then && text_same(l->word.at[4], "THEN");
    int block = then && l->word.n == 5;
    *outcome = BLOCK_PASSED;
    /* A true condition makes the command necessary, and so a name in it. */
    if (!lenient && (block_unnamed(l) || (holds > 0 && !block && l->missing[0])))
        return script_line_bad(l, l->missing, e);
    if (holds < 0 && (block || !lenient))
        return script_line_fail(l, 0,
                                "expected a value or a name that SET has given one, EQ NE GT GE LT "
                                "LE or AE, a value, and a command or THEN; words that are no "
                                "numbers can only be EQ or NE (a stream has the names that its "
                                "input SETs before STREAM)",
                                e);
    /* A false block is skipped to its ELSE, whose commands then run; block_else() skips them after
     * a true one. */
    if (block) {
        int status = holds ? block_check(l, e) : block_skip(l, 1, &ended, e);
        *outcome = ended ? BLOCK_PASSED : BLOCK_OPEN;
        return status;
    }
    /* What remains of the words is the command. */
    if (holds > 0) {
        script_line_cut(l, 0, 3 + then);
        *outcome = BLOCK_COMMAND;
    }
    return 0;
}

/* Reached after the commands of a true IF only. */
int block_else(struct script_line *l, struct err *e)
{
    int ended;
    return block_skip(l, 0, &ended, e);
}
