/* script_line.c - see script_line.h.
 *
 * As in CHARMM: '*' begins a title, '!' a comment, a '-' at the end continues the line, @NAME or
 * @{NAME} is the value that SET assigned to NAME, ?NAME a value that a command has computed.
 *
 * A name is looked up in a list of SETs by its whole text, in upper case. The replacement is done
 * on the line before it is split, so a value may have several words. Lengths are limited
 * everywhere, as the text is untrusted.
 */
#include "script_line.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Linear: a script has some dozen names. name and value are copied. Fails without a change. */
int script_line_set(struct script_line *l, const char *name, const char *value)
{
    int k = 0;
    while (k < l->sets && strcmp(l->set[k].name, name))
        k++;
    if (k == SCRIPT_SETS || strlen(name) >= SCRIPT_NAME || strlen(value) >= SCRIPT_VALUE)
        return 0;
    l->sets += k == l->sets;
    strcpy(l->set[k].name, name);
    strcpy(l->set[k].value, value);
    return 1;
}

/* O(names), as setting one. */
const char *script_line_get(const struct script_line *l, const char *name)
{
    for (int k = 0; k < l->sets; k++)
        if (strcmp(l->set[k].name, name) == 0)
            return l->set[k].value;
    return NULL;
}

/* Reads the name at *from after its '@' or '?' (which is part of the name); advances *from. Longer
 * names are cut, and then not found. Braces allow any character in a name up to the closing one. */
static void script_line_name(const char **from, char name[SCRIPT_NAME])
{
    size_t k = 0;
    int brace = (*from)[1] == '{';
    if (**from == '?')
        name[k++] = '?';
    if (**from == '@' && (*from)[1] == '?') { /* tests whether it is set */
        name[k++] = '@';
        ++*from;
    }
    for (*from += 1 + brace;
         k + 1 < SCRIPT_NAME &&
         (isalnum((unsigned char)**from) || **from == '_' || (brace && **from && **from != '}'));)
        name[k++] = (char)toupper((unsigned char)*(*from)++);
    name[k] = 0;
    *from += brace && **from == '}';
}

/* Returns the value of a name of the line; NULL: none. */
static const char *script_line_value(const struct script_line *l, const char *name)
{
    if (name[0] == '@')
        return script_line_get(l, name + 1) ? "1" : "0";
    /* Computed values may be made on demand. */
    if (name[0] == '?' && l->ask)
        l->ask(l->who, name);
    return script_line_get(l, name);
}

/* Returns the value of the name at *from, which is advanced.  If only its first letter is a name,
 * that is used, followed by the rest as text: CHARMM's names once had one letter. name: the whole
 * name, also if it has no value. */
static const char *script_line_found(const struct script_line *l, const char **from,
                                     char name[SCRIPT_NAME])
{
    const char *begin = *from, letter[2] = {(char)toupper((unsigned char)begin[1]), 0};
    script_line_name(from, name);
    const char *value = script_line_value(l, name);
    if (value || *begin != '@' || !isalnum((unsigned char)begin[1]))
        return value;
    value = script_line_get(l, letter);
    /* Two characters: '@' and the letter. */
    *from = value ? begin + 2 : *from;
    return value;
}

/* Copies a line to `to` and replaces its names: those after "@@", which are parts of other names
 * (@V@@N is @V3 if N is 3), or all others. lenient: a name without a value is kept. Returns as
 * script_line_replace(); in lenient mode 0 also says that the copy is complete but has such a name.
 */
static int script_line_pass(const struct script_line *l, int inner, int lenient, const char *from,
                            char *to, size_t room, char name[SCRIPT_NAME])
{
    size_t n = 0;
    char missing[SCRIPT_NAME] = "";
    while (*from && n + 1 < room) {
        /* '?' must be followed by a letter: otherwise it is an ordinary character. */
        int begins = inner ? from[0] == '@' && from[1] == '@'
                           : *from == '@' || (*from == '?' && isalpha((unsigned char)from[1]));
        if (!begins) {
            to[n++] = *from++;
            continue;
        }
        const char *begin = from;
        from += inner;
        const char *value = script_line_found(l, &from, name);
        if (!value && !lenient)
            return 0;
        if (!value && !missing[0])
            strcpy(missing, name);
        /* Two signs in a row would be no number. */
        if (value && *value == '-' && n && to[n - 1] == '-' && (n == 1 || to[n - 2] == ' ')) {
            to[n - 1] = '+'; /* -?XAVE of a negative number */
            value++;
        }
        n += value ? (size_t)snprintf(to + n, room - n, "%s", value)
                   /* A name that is kept is copied with its '@' or '?'. */
                   : (size_t)snprintf(to + n, room - n, "%.*s", (int)(from - begin), begin);
        if (n >= room)
            return -1;
    }
    /* The input is left over: `to` is full. */
    to[n] = 0;
    if (*from)
        return -1;
    if (missing[0])
        strcpy(name, missing);
    return !missing[0];
}

/* Two passes, since a value may complete another name: @V@@N. */
int script_line_replace(const struct script_line *l, const char *from, char *to, size_t room,
                        char name[SCRIPT_NAME])
{
    char half[SCRIPT_LINE];
    int got = script_line_pass(l, 1, 0, from, half, sizeof half, name);
    return got == 1 ? script_line_pass(l, 0, 0, half, to, room, name) : got;
}

/* The same for an IF, which may contain names without a value if its condition is false: *l keeps
 * the first such name, and the line is unchanged there. The words of the condition are looked at in
 * block_if(), where such a name is an error. */
static int script_line_if(struct script_line *l, const char *from)
{
    char half[SCRIPT_LINE], name[SCRIPT_NAME];
    int got = script_line_pass(l, 1, 1, from, half, sizeof half, l->missing);
    if (got < 0)
        return got;
    /* The first pass may have found a name already; then a second one is not stored. */
    char *to = got ? l->missing : name;
    return script_line_pass(l, 0, 1, half, l->line, sizeof l->line, to) < 0 ? -1 : 1;
}

/* name NULL: the line has grown too long by its values. */
int script_line_bad(const struct script_line *l, const char *name, struct err *e)
{
    if (e->text[0]) /* the function that provides the value has reported why */
        return ERR_INPUT;
    if (!name)
        return err_set(e, ERR_INPUT, "%s:%d: the command is too long", l->t.name, l->first);
    return name[0] == '?'
               ? err_set(e, ERR_INPUT,
                         "%s:%d: %s: nothing has computed it: ?ENER comes after ENERGY, ?RMS after "
                         "COOR RMS, ?SELATOM after a selection of some, and so on",
                         l->t.name, l->first, name)
               : err_set(e, ERR_INPUT,
                         "%s:%d: @%s: no SET has given this name a value, nor the command line "
                         "(hmd -i FILE NAME=VALUE)",
                         l->t.name, l->first, name);
}

/* The line is copied first, so that l->line has room for the values. */
static int script_line_take(struct script_line *l, int lenient, struct err *e, int *status)
{
    char joined[SCRIPT_LINE], name[SCRIPT_NAME];
    /* The begin of the command may be several lines before its end. */
    int got = text_command(&l->t, joined, sizeof joined, &l->first);
    l->missing[0] = 0;
    if (got == 0)
        return 0;
    if (got > 0)
        got = script_line_replace(l, joined, l->line, sizeof l->line, name);
    size_t blank = strspn(joined, " \t");
    /* IF may ask for a name that is not set. */
    if (got == 0 && !e->text[0] && (lenient || strncasecmp(joined + blank, "IF ", 3) == 0))
        got = script_line_if(l, joined);
    /* From here on 0 is a missing name, and -1 a line that is too long. */
    if (got <= 0) {
        *status = script_line_bad(l, got ? NULL : name, e);
        return 0;
    }
    snprintf(l->upper, sizeof l->upper, "%s", l->line);
    text_upper(l->upper);
    words_split(&l->raw, l->line);
    words_split(&l->word, l->upper);
    /* The last word may have been cut off. */
    if (l->raw.n == TEXT_WORDS)
        *status = script_line_fail(l, 0, "the command has too many words", e);
    return !*status;
}

int script_line_next(struct script_line *l, struct err *e, int *status)
{
    return script_line_take(l, 0, e, status);
}

int script_line_next_lenient(struct script_line *l, struct err *e, int *status)
{
    return script_line_take(l, 1, e, status);
}

/* Returns the value of a name; any other word is returned unchanged.  So is a number that results
 * from @name, even if there is a name like it. */
static const char *line_word(const struct script_line *l, int at)
{
    double number;
    const char *value = script_line_get(l, l->word.at[at]);
    return value && !text_double(l->word.at[at], &number) ? value : l->raw.at[at];
}

/* Returns 1 or 0: a compared with b; -1: there is no such comparison, or not for words.  As in
 * CHARMM, EQ and NE compare texts: 2.0 is not 2.00 (miscom.doc). text_relation() knows the
 * operators with and without dots. */
static int line_compare(const char *a, const char *how, const char *b)
{
    int relation = text_relation(how);
    double x, y;
    if (relation == TEXT_EQ || relation == TEXT_NE)
        return text_holds(relation, strcasecmp(a, b) == 0, 1);
    return relation >= 0 && text_double(a, &x) && text_double(b, &y) ? text_holds(relation, x, y)
                                                                     : -1;
}

/* Numbers are compared as numbers, everything else as words without case. An IF has the words IF a
 * relation b ... */
int script_line_holds(const struct script_line *l)
{
    return l->raw.n < 4 ? -1 : line_compare(line_word(l, 1), l->raw.at[2], line_word(l, 3));
}

int script_line_fail(const struct script_line *l, int at, const char *why, struct err *e)
{
    /* Beyond the end the last word is shown. */
    return err_set(e, ERR_INPUT, "%s:%d: %s: %s", l->t.name, l->first,
                   l->raw.at[at < l->raw.n ? at : l->raw.n - 1], why);
}

/* Words from `from` to `to`, both included, in both forms. */
void script_line_cut(struct script_line *l, int from, int to)
{
    struct words *both[] = {&l->word, &l->raw};
    for (int k = 0; k < 2; k++) {
        struct words *w = both[k];
        memmove(w->at + from, w->at + to + 1, (size_t)(w->n - to - 1) * sizeof *w->at);
        w->n -= to + 1 - from;
    }
}

/* 12 digits unless FORMAT has set decimals. */
void script_line_number(const struct script_line *l, double v, char text[SCRIPT_VALUE])
{
    if (l->digits >= 0)
        snprintf(text, SCRIPT_VALUE, "%.*f", l->digits, v);
    else
        snprintf(text, SCRIPT_VALUE, "%.12g", v);
}
