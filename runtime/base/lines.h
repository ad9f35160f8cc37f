/* lines.h - the lexer of all line-oriented files of hnow: hosts files and network files.
 *
 * A line consists of words separated by blanks; a word is `name` or `key=value`.  `#` at the
 * beginning of a word starts a comment.  If a word contains a blank or a #, that part is in double
 * quotes, in which \" and \\ mean " and \.  Lines without words are skipped.
 */
#pragma once

#include "base/arena.h"
#include "hnow.h"

#include <stdio.h>

/* Bytes of a line, of a file.  Lines are long: a network file lists the hosts of a subnet in
 * one. */
enum { LINES_LONGEST = 1 << 27, LINES_FILE = 1 << 28 };

struct word {
    char *key;   /* NULL: the word has no key */
    char *value; /* the word, or the part after the first = */
};

/* Valid as long as the arena from which lines_next() has allocated it. */
struct line {
    int number; /* from 1 */
    int count;  /* number of words, at least 1 */
    struct word *word;
};

/* The reader's position in the text, which it does not change. */
struct lines {
    const char *name; /* of the file, for messages */
    const char *at, *end;
    int number;
};

/* Starts at the first line of text, which must outlive the struct. */
void lines_open(struct lines *lines, const char *name, const char *text, size_t length);
/* Reads the next line with words, allocated from the arena: returns 1; at the end 0.  HN_ESYNTAX:
 * control characters, an open quote or a line that is too long.  HN_ENOMEM. */
int lines_next(struct lines *lines, struct arena *arena, struct line *line);

/* Reads a whole file into memory that the caller frees, with a terminating 0.  HN_ESYS: it cannot
 * be read.  HN_ESYNTAX: it is larger than LINES_FILE. */
int lines_load(const char *path, char **text, size_t *length);

/* Sets the error text "NAME:NUMBER: text" (without the number if it is 0) and returns
 * HN_ESYNTAX. */
int lines_error(const char *name, int number, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes a value so that lines_next() can read it, quoted if necessary. */
void lines_write(FILE *file, const char *value);

/* Bytes: 68 characters, "..." and a 0.  So a message with a quotation stays readable. */
enum { LINES_QUOTED = 72 };
/* Prepares a text for a message: unprintable bytes become ?, and long texts are truncated. */
const char *lines_quote(char quoted[LINES_QUOTED], const char *text);
