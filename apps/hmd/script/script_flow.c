/* script_flow.c - names and control flow: SET, CALC, INCR etc., IF, GOTO, LABEL (CHARMM's
 * miscom.doc).
 *
 *     SET name [=] value        CALC name [=] expression        INCR|DECR|MULT|DIVI name BY number
 *     IF a .GT. b command       IF a EQ b THEN / commands / ELSE / commands / ENDIF
 *     LABEL name ... GOTO name  (in the same file)
 *     TRIM name [FROM n] [TO n]      GET name UNIT n      FORMAT (Fw.d)|(Iw)
 *
 * The original text of a file is kept, so that GOTO can search for the label from its top. The
 * position in a file is s->l.t, which all of these change only by reading on, and GOTO by starting
 * again.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "mem.h"
#include "script_block.h"
#include "script_run.h"

enum { FLOW_JUMPS = 1000000 }; /* maximum number of GOTOs: an infinite loop is an error */

/* ---- names ----------------------------------------------------------------------------------- */

int script_set_name(struct script *s)
{
    return block_set(&s->l, s->e);
}

int script_calc(struct script *s)
{
    return block_calc(&s->l, s->e);
}

/* The name is the word after the command. */
static int flow_set(struct script *s, const char *value)
{
    return block_name(&s->l, value, s->e);
}

static int flow_number(struct script *s, double v)
{
    char text[SCRIPT_VALUE];
    script_line_number(&s->l, v, text);
    return flow_set(s, text);
}

/* FORMAT (F12.5), (I5): format of numbers assigned to names from now on; FORMAT alone: all
 * digits. The width is accepted and not used: a value has no blanks in front. */
int script_format(struct script *s)
{
    long width, digits = 0;
    int used = 0;
    const char *word = s->l.word.n > 1 ? s->l.word.at[1] : "";
    s->l.digits = -1;
    if (s->l.word.n == 1)
        return 0;
    s->at = 1;
    /* %n: the whole word must have been read. */
    int real = sscanf(word, "(F%ld.%ld)%n", &width, &digits, &used) == 2;
    if ((!real && sscanf(word, "(I%ld)%n", &width, &used) != 1) || !used || word[used] ||
        width < 1 || digits < 0 || digits > 15)
        return script_bad(s, "hmd knows formats like (F15.5) and (I5), without blanks");
    s->l.digits = (int)digits;
    return 0;
}

/* INCREMENT, DECREMENT, MULTIPLY, DIVIDE. The second letter distinguishes DIVI from DECR. Dividing
 * by 0 is an error. The name must have a value that is a number. */
int script_step_name(struct script *s)
{
    const char *now = s->l.word.n > 1 ? script_line_get(&s->l, s->l.word.at[1]) : NULL;
    int by = 2 + script_is(s, 2, "BY"), given = by < s->l.word.n;
    double a, b = 1;
    if (!now || !text_double(now, &a) || (given && !text_double(s->l.word.at[by], &b)) ||
        (s->l.word.at[0][1] == 'I' && b == 0))
        return script_bad(s, "expected a name that holds a number, and BY and a number (else 1)");
    switch (s->l.word.at[0][0]) {
    case 'I':
        return flow_number(s, a + b);
    case 'M':
        return flow_number(s, a * b);
    /* DIVIDE and DECREMENT have 'D' in common. */
    default:
        return flow_number(s, s->l.word.at[0][1] == 'I' ? a / b : a - b);
    }
}

/* TRIM name [FROM n] [TO n]: removes blanks at the ends of the value, or takes these characters of
 * it. Characters count from 1, both ends included. */
int script_trim(struct script *s)
{
    const char *value = s->l.word.n > 1 ? script_line_get(&s->l, s->l.word.at[1]) : NULL;
    long from = 1, to = SCRIPT_VALUE;
    char text[SCRIPT_VALUE];
    const struct script_key key[] = {{"FROM", .count = &from}, {"TO", .count = &to}};
    s->at = 1;
    if (!value)
        return script_bad(s, "expected a name that SET has given a value");
    if (script_only_keys(s, 2, key, 2, "TRIM takes a name, FROM n and TO n"))
        return ERR_INPUT;
    from = from < 1 ? 1 : from;
    /* Beyond the value there are no characters: an empty text. */
    to = to < (long)strlen(value) ? to : (long)strlen(value);
    value += from - 1 < to ? from - 1 : to;
    snprintf(text, sizeof text, "%.*s", (int)(to - from + 1 > 0 ? to - from + 1 : 0), value);
    return flow_set(s, text);
}

/* GET name UNIT n: assigns the unit's next line; END-OF-FILE after the last one. The file is read
 * and broadcast each time; only the position is kept. Blanks at the begin of the line are not a
 * part of the value. */
int script_get(struct script *s)
{
    const char *path;
    char *data = NULL;
    size_t length;
    long unit = -1;
    /* The position is stored by the unit's number, which script_file() does not return. */
    int status = s->l.word.n == 4 ? script_file(s, 2, &path) : ERR_INPUT;
    if (status || !text_long(s->l.word.at[3], &unit) || unit < 0) {
        s->at = 0;
        return script_bad(s, "expected GET, a name, UNIT and a number that OPEN has given");
    }
    status = script_blame(s, comm_file(s->comm, path, &data, &length, s->e));
    if (status)
        return status;
    size_t from = s->units.got[unit] < length ? s->units.got[unit] : length;
    size_t n = strcspn(data + from, "\r\n"), next = from + n;
    /* A line ends with CR, LF or both. */
    next += data[next] == '\r';
    s->units.got[unit] = next + (data[next] == '\n');
    data[from + n] = 0;
    const char *line = data + from;
    /* A line of the file is cut at its end, in the text that has been read for this command. */
    line += strspn(line, " \t");
    status = flow_set(s, from == length ? "END-OF-FILE" : line);
    mem_free(data);
    return status;
}

/* ---- control flow --------------------------------------------------------------------------- */

/* Restarts the innermost file from its original text. The copy is restored, because its lines have
 * been cut. GOTO may go back as well as forward. */
static void flow_rewind(struct script *s)
{
    struct script_level *v = &s->level[s->depth - 1];
    const char *name = s->l.t.name;
    memcpy(v->work, v->data, v->length + 1);
    text_open(&s->l.t, name, v->work, v->length);
}

/* O(length of the file) for each jump. The label is compared without case. The first one in the
 * file counts. */
int script_goto(struct script *s)
{
    char label[SCRIPT_NAME], line[SCRIPT_LINE];
    struct words w;
    int first, from = s->l.first;
    s->at = 1;
    if (s->l.word.n < 2 || ++s->jumps > FLOW_JUMPS)
        return script_bad(s, s->jumps > FLOW_JUMPS ? "a million jumps: does this loop ever end?"
                                                   : "expected a label");
    snprintf(label, sizeof label, "%s", s->l.word.at[1]);
    /* The search begins at the top of the file. All tasks do the same, so no message is needed. */
    flow_rewind(s);
    while (text_command(&s->l.t, line, sizeof line, &first) > 0) {
        words_split(&w, line);
        if (w.n > 1 && strncasecmp(w.at[0], "LABE", 4) == 0 && strcasecmp(w.at[1], label) == 0)
            return 0;
    }
    s->l.first = from;
    return script_bad(s, "there is no LABEL of that name in this file");
}

/* Unknown commands are errors, since a missing one would change results. The first row of the table
 * with that name counts. */
int script_obey(struct script *s)
{
    s->at = 0;
    for (size_t k = 0; k < s->commands; k++)
        if (text_among(script_word(s, 0), s->command[k].names))
            return s->command[k].run(s);
    return script_unknown(s);
}

/* The command after the condition may be any, also another IF. block_if() has left the command in
 * the words, so it is executed like one of its own line. */
int script_if(struct script *s)
{
    enum block_outcome outcome;
    int status = block_if(&s->l, 0, &outcome, s->e);
    return status || outcome != BLOCK_COMMAND ? status : script_obey(s);
}

int script_else(struct script *s)
{
    return block_else(&s->l, s->e);
}
