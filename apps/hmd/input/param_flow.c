/* param_flow.c - see param_flow.h.
 *
 * Names and conditions are those of CHARMM's command language (script_block.h).  Streams test many
 * things that are unknown here ("if ?NATC ..." with quotes that CHARMM's parser handles in its own
 * way), only to use APPEND or to set CHARMM's modes, which has no effect.  So an IF with a single
 * command that cannot be evaluated is skipped.  A block must be evaluated.
 *
 * The words of a section's lines are not executed here: param_read.c reads them, and asks only
 * whether a line ends the block.
 */
#include "param_flow.h"

#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "script_block.h"

/* Without the names of an input only ?NATC is known. */
struct param_flow *param_flow_new(const struct script_set *names, int n, size_t types)
{
    struct param_flow *f = mem_new(1, sizeof *f);
    char count[32];
    for (int k = 0; k < n; k++)
        script_line_set(&f->line, names[k].name, names[k].value);
    f->line.digits = -1;
    snprintf(count, sizeof count, "%zu", types);
    script_line_set(&f->line, "?NATC", count);
    return f;
}

/* By four letters. There must be a word. */
static int flow_is(const struct param_flow *f, const char *word)
{
    return text_same(f->line.word.at[0], word);
}

/* SET and CALC.  If they use a name without a value they are skipped; a condition on their result
 * then cannot be evaluated. Fails only for a text that is too long or an expression that cannot be
 * computed. */
static int flow_set(struct param_flow *f, struct err *e)
{
    struct script_line *l = &f->line;
    if (l->missing[0] || l->raw.n < 2)
        return 0;
    return flow_is(f, "CALC") ? block_calc(l, e) : block_set(l, e);
}

/* Reached after the commands of a true IF: the rest of the block is skipped. */
static int flow_else(struct param_flow *f, struct err *e)
{
    f->open--;
    return block_else(&f->line, e);
}

/* Commands without a meaning here. They are those of CHARMM's streams. */
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

/* Executes one command.  Returns 1 if the caller must handle it. An IF whose command is again an IF
 * is evaluated in the loop. 0 also after an error, which *status has. */
static int flow_obey(struct param_flow *f, struct err *e, int *status)
{
    while (f->line.word.n && strcmp(f->line.word.at[0], "IF") == 0) {
        enum block_outcome outcome;
        *status = block_if(&f->line, 1, &outcome, e);
        f->open += outcome == BLOCK_OPEN;
        if (*status || outcome != BLOCK_COMMAND)
            return 0;
    }
    if (!f->line.word.n || flow_ignored(f))
        return 0;
    if (flow_is(f, "SET") || flow_is(f, "CALC"))
        *status = flow_set(f, e);
    else if (f->open && flow_is(f, "ELSE"))
        *status = flow_else(f, e);
    else if (f->open && flow_is(f, "ENDIF"))
        f->open--;
    else
        return 1;
    return 0;
}

/* The text is passed by value and back, because both readers advance it. The words are valid until
 * the next call. */
int param_flow_next(struct param_flow *f, struct text *t, const struct words **w, struct err *e,
                    int *status)
{
    int mine = 0;
    f->line.t = *t;
    *w = &f->line.word;
    while (!mine && !*status && script_line_next_lenient(&f->line, e, status))
        mine = flow_obey(f, e, status);
    *t = f->line.t;
    return mine;
}

/* A section's text has been read by the caller up to this line. */
int param_flow_leaves(struct param_flow *f, struct text *t, const char *word, struct err *e,
                      int *status)
{
    int other = strcmp(word, "ELSE") == 0;
    if (!f->open || (!other && strncmp(word, "ENDI", 4) != 0))
        return 0;
    f->line.t = *t;
    if (other)
        *status = flow_else(f, e);
    else
        f->open--;
    *t = f->line.t;
    return 1;
}
