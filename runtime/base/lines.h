/* lines.h - the lexer of every line-oriented file of hnow: hosts files and network files.
 *
 * A line is words separated by blanks; a word is `name` or `key=value`.  `#` at the beginning of a
 * word starts a comment.  Where a blank (or a #) belongs to the word, the part that holds it is
 * in double quotes, in which \" and \\ mean " and \.  Lines without words are skipped.
 */
#pragma once

#include "base/arena.h"
#include "hnow.h"

#include <stdio.h>

/* Bytes of a line, of a file: a network file lists the hosts of a subnet in one line. */
enum { LINES_LONGEST = 1 << 27, LINES_FILE = 1 << 28 };

struct word {
    char *key;   /* NULL: a bare word */
    char *value; /* the word, or what is behind the first = */
};

struct line {
    int number; /* 1 is the first line of the file */
    int count;  /* of words, at least 1 */
    struct word *word;
};

struct lines {
    const char *name; /* of the file, for messages */
    const char *at, *end;
    int number;
};

/* Starts at the first line of text, which must outlive the struct. */
void lines_open(struct lines *lines, const char *name, const char *text, size_t length);
/* The next line that has words, allocated from arena: 1; at the end 0; HN_ESYNTAX for control
 * characters, an open quote or a line that is too long; HN_ENOMEM. */
int lines_next(struct lines *lines, struct arena *arena, struct line *line);

/* Reads a whole file into memory that the caller frees (a 0 follows the last byte): HN_ESYS when it
 * cannot be read, HN_ESYNTAX when it is larger than LINES_FILE. */
int lines_load(const char *path, char **text, size_t *length);

/* Sets "NAME:NUMBER: text" (without the number when it is 0) and returns HN_ESYNTAX. */
int lines_error(const char *name, int number, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes a value as lines_next() reads it, in quotes where needed. */
void lines_write(FILE *file, const char *value);

/* Bytes: 68 characters, "..." and a 0.  So a message with a quote is read at a glance. */
enum { LINES_QUOTED = 72 };
/* The text fit for a message: unprintable bytes shown as ?, cut when long. */
const char *lines_quote(char quoted[LINES_QUOTED], const char *text);
