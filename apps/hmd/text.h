/* text.h - reading CHARMM's line-oriented text files.
 *
 * A file is read whole (by rank 0, see comm.h) into memory that the reader owns; struct text walks
 * over it and knows the line number for messages.  Lines are made into words in place: the memory
 * is changed, nothing is copied, and no line is too long.
 */
#pragma once

#include <stddef.h>

struct text {
    const char *name; /* of the file, for messages */
    char *pos, *end;  /* what has not been read yet; *end is 0 */
    int line;         /* number of the line last given out, from 1 */
};

enum { TEXT_WORDS = 256 }; /* a line of 512 characters has no more */

struct words {
    int n;                /* words of the line, at most TEXT_WORDS (what follows is dropped) */
    char *at[TEXT_WORDS]; /* each ends with 0 */
};

/* data[length] must be 0 and stays the caller's. */
void text_open(struct text *t, const char *name, char *data, size_t length);
/* The next line without its end of line ("\n" or "\r\n"), or NULL at the end. */
char *text_line(struct text *t);

/* The next line that says something, as CHARMM reads: titles ('*') are left out and comments ('!')
 * cut off, a '-' at the end joins the next line; in out[room], with the number of its first line in
 * *first.  1; 0 at the end; -1 when there is no room for it. */
int text_command(struct text *t, char *out, size_t room, int *first);

/* Splits a line at blanks. */
void words_split(struct words *w, char *line);
/* Makes lower-case letters upper-case, as CHARMM does with all it reads. */
void text_upper(char *s);
/* Whether a word is a keyword, both in upper case: its first four letters are, as CHARMM compares;
 * a shorter keyword is the whole word. */
int text_same(const char *word, const char *key);
/* Whether it is one of some keywords, which are separated by blanks. */
int text_among(const char *word, const char *keys);
/* True when word begins with the first `least` letters of key and is no longer than it spells:
 * CHARMM's words may be cut short ("NONB" for "NONBONDED"). Both in upper case. */
int text_key(const char *word, const char *key, size_t least);

/* Whether a name of less than 64 characters fits CHARMM's pattern: '*' matches anything, '%'
 * matches one character, '#' for digits, '+' for one digit. */
int text_match(const char *pattern, const char *name);
/* The whole word as a finite number (Fortran's D exponent too): 1 when it is one, else 0. */
int text_double(const char *word, double *value);
int text_long(const char *word, long *value);

enum { TEXT_EQ, TEXT_NE }; /* what a word can be to another one */
/* The relation that a word names, in either case, between dots or not: EQ NE GT GE LT LE, or AE:
 * nearly equal (CHARMM's miscom.doc); -1: it is none. */
int text_relation(const char *word);
/* Whether a and b have the relation. */
int text_holds(int relation, double a, double b);

/* Copies the columns first ... first+width-1 (from 0) of a line, without blanks at either end, into
 * out[width+1]; empty where the line is shorter. */
void text_columns(const char *line, size_t first, size_t width, char *out);
