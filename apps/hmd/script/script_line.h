/* script_line.h - the lines of an input in CHARMM's language, as commands made of words. */
#pragma once

#include "err.h"
#include "text.h"

/* Bytes of a line with its continuation lines; names that are set; bytes of a name, and of its
 * value.  More of each is an error. */
enum { SCRIPT_LINE = 4096, SCRIPT_SETS = 512, SCRIPT_NAME = 64, SCRIPT_VALUE = 256 };

struct script_set {
    char name[SCRIPT_NAME], value[SCRIPT_VALUE];
};

struct script_line {
    struct text t;          /* what is still to come */
    struct words raw, word; /* the command as written, and in upper case */
    int first;              /* number of its first line */
    char line[SCRIPT_LINE], upper[SCRIPT_LINE];
    struct script_set set[SCRIPT_SETS];
    int sets;
    int digits;                /* behind the point of numbers that names get; -1: all */
    char missing[SCRIPT_NAME]; /* a name in an IF that nothing stands for; it stays in the words */
    void (*ask)(void *who, const char *name); /* may set ?NAME before it is looked for; NULL */
    void *who;
};

/* The next command: 1; 0 at the end, also when *status has become ERR_INPUT with its message. *e
 * has none before. */
int script_line_next(struct script_line *l, struct err *e, int *status);
/* The same, but names that nothing stands for stay in the words; the first is in l->missing. */
int script_line_next_lenient(struct script_line *l, struct err *e, int *status);
/* Whether words 1 to 3 of the command compare as an IF says: 1 or 0; -1: it is no comparison, or
 * not one for words that are no numbers. */
int script_line_holds(const struct script_line *l);
/* From now on @name (in upper case) stands for `value`, or ?name where it begins with '?'; 0 when
 * there is no room. */
int script_line_set(struct script_line *l, const char *name, const char *value);
/* Copies a line to `to`, each @NAME or @{NAME} and each ?NAME replaced (@@NAME within another name
 * first), @?NAME by 1 or 0: whether there is one; @15 is @1 and a 5 where 15 is no name.  1; 0 when
 * nothing stands for a name, which is then in `name`; -1: no room. */
int script_line_replace(const struct script_line *l, const char *from, char *to, size_t room,
                        char name[SCRIPT_NAME]);
/* ERR_INPUT with file and line: nothing stands for `name`, or (NULL) the command is too long. */
int script_line_bad(const struct script_line *l, const char *name, struct err *e);
/* ERR_INPUT with file, line and the word at a place before why. */
int script_line_fail(const struct script_line *l, int at, const char *why, struct err *e);
/* The words `from` to `to` go. */
void script_line_cut(struct script_line *l, int from, int to);
/* A number as FORMAT says (l->digits). */
void script_line_number(const struct script_line *l, double v, char text[SCRIPT_VALUE]);
/* Value of a name; NULL: nothing has set it. */
const char *script_line_get(const struct script_line *l, const char *name);
