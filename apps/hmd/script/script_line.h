/* script_line.h - reads lines of CHARMM's language as commands that consist of words.
 *
 * Also used for streams of topology and parameters, which have names, IF and SET as well. There are
 * no error messages of commands here.
 */
#pragma once

#include "err.h"
#include "text.h"

/* Bytes of a line with its continuation lines; number of names; bytes of a name, and of its value.
 * More is an error. */
enum { SCRIPT_LINE = 4096, SCRIPT_SETS = 512, SCRIPT_NAME = 64, SCRIPT_VALUE = 256 };

/* A name and its value. Names of computed values begin with '?'. */
struct script_set {
    char name[SCRIPT_NAME], value[SCRIPT_VALUE];
};

/* raw and word have the same words; word is for comparing, raw for names of files and texts. Both
 * are cut in place from line and upper, so they are valid until the next command. */
struct script_line {
    struct text t;          /* the remaining text */
    struct words raw, word; /* the command as written, and in upper case */
    int first;              /* line number of its beginning */
    /* The command with all names replaced; the copy in upper case. */
    char line[SCRIPT_LINE], upper[SCRIPT_LINE];
    struct script_set set[SCRIPT_SETS];
    int sets;
    int digits;                /* decimals of numbers assigned to names; -1: all */
    char missing[SCRIPT_NAME]; /* a name without a value in an IF; it remains in the words */
    void (*ask)(void *who, const char *name); /* may set ?NAME before it is looked up; NULL */
    void *who;
};

/* Reads the next command.  Returns 1; or 0 at the end, or after *status became ERR_INPUT. *e must
 * be empty. */
int script_line_next(struct script_line *l, struct err *e, int *status);
/* The same, but names without a value remain in the words; the first is stored in l->missing. */
int script_line_next_lenient(struct script_line *l, struct err *e, int *status);
/* Evaluates the comparison of an IF in words 1 to 3: 1 or 0; -1: no comparison, or not for words
 * that are no numbers. */
int script_line_holds(const struct script_line *l);
/* Assigns a value to @name (in upper case), or to ?name if it begins with '?'.  Returns 0 if there
 * is no room. */
int script_line_set(struct script_line *l, const char *name, const char *value);
/* Copies a line to `to` and replaces each @NAME, @{NAME} and ?NAME (@@NAME within another name
 * first); @?NAME becomes 1 or 0: whether it is set; @15 is @1 followed by 5 if 15 is no name.
 * Returns 1; 0 for a name without a value, which is stored in `name`; -1: no room. */
int script_line_replace(const struct script_line *l, const char *from, char *to, size_t room,
                        char name[SCRIPT_NAME]);
/* Returns ERR_INPUT with file and line: `name` has no value, or (NULL) the command is too long. */
int script_line_bad(const struct script_line *l, const char *name, struct err *e);
/* Returns ERR_INPUT with file, line and the word at an index, followed by why. */
int script_line_fail(const struct script_line *l, int at, const char *why, struct err *e);
/* Removes the words `from` to `to`. */
void script_line_cut(struct script_line *l, int from, int to);
/* Formats a number according to FORMAT (l->digits). */
void script_line_number(const struct script_line *l, double v, char text[SCRIPT_VALUE]);
/* Returns the value of a name; NULL: not set. Valid until the name is set again. */
const char *script_line_get(const struct script_line *l, const char *name);
