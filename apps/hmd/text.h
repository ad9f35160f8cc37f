/* text.h - reads CHARMM's line-oriented text files.
 *
 * A file is read as a whole (by rank 0, see comm.h) into memory that the reader owns. struct text
 * iterates over it and knows the line number for messages.  Lines are split into words in place:
 * the memory is modified, nothing is copied, and no line is too long.
 */
#pragma once

#include <stddef.h>

/* The reader's memory is changed while it is read: lines and words are terminated in place. */
struct text {
    const char *name; /* of the file, for messages */
    char *pos, *end;  /* unread text; *end is 0 */
    int line;         /* number of the last line returned, from 1 */
    int data;         /* the title is over: a line that begins with '*' is a command */
};

enum { TEXT_WORDS = 256 }; /* a line of 512 characters has no more */

/* The pointers refer to the line that was split. */
struct words {
    int n;                /* words of the line, at most TEXT_WORDS (further ones are dropped) */
    char *at[TEXT_WORDS]; /* each is terminated by 0 */
};

/* data[length] must be 0; data is still owned by the caller. */
void text_open(struct text *t, const char *name, char *data, size_t length);
/* Returns the next line without its line end ("\n" or "\r\n"), or NULL at the end. */
char *text_line(struct text *t);

/* Returns the next command as in CHARMM: titles ('*') are skipped unless t->data is set, comments
 * ('!') removed, a '-' at the end continues the line.  It is stored in out[room], and the number of
 * its first line in *first.  Returns 1; 0 at the end; -1 if there is no room. */
int text_command(struct text *t, char *out, size_t room, int *first);

/* Splits a line at blanks. */
void words_split(struct words *w, char *line);
/* Converts to upper case, as CHARMM does with all input. */
void text_upper(char *s);
/* True if a word is a keyword, both in upper case: the first four letters are compared, as in
 * CHARMM; a shorter keyword must be the whole word. */
int text_same(const char *word, const char *key);
/* True if it is one of the keywords, which are separated by blanks. */
int text_among(const char *word, const char *keys);
/* True if word is an abbreviation of key with at least `least` letters: CHARMM's words may be
 * abbreviated ("NONB" for "NONBONDED").  Both in upper case. */
int text_key(const char *word, const char *key, size_t least);

/* True if a name of less than 64 characters matches CHARMM's pattern: '*' matches anything, '%' one
 * character, '#' digits, '+' one digit. */
int text_match(const char *pattern, const char *name);
/* Parses the whole word as a finite number (also with Fortran's D exponent): 1; 0 if it is none. */
int text_double(const char *word, double *value);
int text_long(const char *word, long *value);

enum { TEXT_EQ, TEXT_NE }; /* relations between two words */
/* Returns the relation that a word names, in either case, with or without dots: EQ NE GT GE LT LE,
 * or AE: nearly equal (CHARMM's miscom.doc); -1: none. */
int text_relation(const char *word);
/* True if a and b have the relation. */
int text_holds(int relation, double a, double b);

/* Copies the columns first ... first+width-1 (from 0) of a line, without blanks at either end, into
 * out[width+1]; empty if the line is shorter. */
void text_columns(const char *line, size_t first, size_t width, char *out);
