/* options.h - command lines from one table.
 *
 * A tool describes its options as rows: name, argument, help text, and where the value goes, or a
 * function that takes it.  Parsing, the help text and the messages for wrong usage all follow the
 * table.  Long options have one or two dashes, a value may be joined by '=': -np 4, --np 4, --np=4.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct option_row {
    const char *name;     /* without dashes */
    const char *argument; /* name of its value in the help text; NULL: it has none */
    const char *help;     /* what it does; '\n' begins another line */
    /* Stores the value (NULL when there is none) in the tool's structure: HN_OK, or HN_EARG with
     * error_set() saying what is wrong with it. */
    int (*take)(void *to, const char *value);
    bool pair; /* its value is two words, NAME VALUE, which take() gets as NAME=VALUE */
    enum {
        OPTION_TAKES, /* take() does it; the other kinds need none */
        OPTION_KEEPS_TEXT,
        OPTION_KEEPS_NUMBER,
        OPTION_KEEPS_REAL,
        OPTION_KEEPS_WORD,
        OPTION_SETS
    } kind;
    size_t at, size;   /* of the member, in the tool's structure */
    long least, most;  /* of a number; a real is above 0 if least is 1 */
    const char *words; /* separated by blanks */
};

/* The rest of a row whose value goes into a member of a struct: a text that is not empty, a whole
 * number, a real, the index of one of some words; an option without value makes it 1 or true. */
#define OPTION_MEMBER(type, member)                                                                \
    .at = offsetof(struct type, member), .size = sizeof((struct type *)0)->member
#define OPTION_TEXT(type, member) .kind = OPTION_KEEPS_TEXT, OPTION_MEMBER(type, member)
#define OPTION_NUMBER(type, member, lo, hi)                                                        \
    .kind = OPTION_KEEPS_NUMBER, OPTION_MEMBER(type, member), .least = (lo), .most = (hi)
#define OPTION_REAL(type, member, positive)                                                        \
    .kind = OPTION_KEEPS_REAL, OPTION_MEMBER(type, member), .least = (positive)
#define OPTION_WORD(type, member, list)                                                            \
    .kind = OPTION_KEEPS_WORD, OPTION_MEMBER(type, member), .words = (list)
#define OPTION_SET(type, member) .kind = OPTION_SETS, OPTION_MEMBER(type, member)

/* A word that users of other programs try, and the option here: its name, or a sentence that
 * says what does the same. */
struct option_hint {
    const char *word, *name, *how;
};

struct option_table {
    const char *tool;
    const char *usage; /* the lines behind "usage: " */
    const char *about; /* one line: what the tool is for */
    const struct option_row *row;
    size_t n;
    const struct option_row *alias; /* other names; help: that of the option here.  NULL: none */
    size_t aliases;
    const struct option_row
        *habit; /* options of other programs, not in the help text.  NULL: none */
    size_t habits;
    const struct option_hint *hint; /* NULL: none */
    size_t hints;
};

enum { OPTIONS_HELP = 1000001, OPTIONS_VERSION }; /* above the index of any word */

/* Takes options up to the first word that is none (or behind "--").  Returns the index of that
 * word, or OPTIONS_HELP or OPTIONS_VERSION when that was asked for, or HN_EARG (hn_error_text()
 * says what is wrong and what to do: for a word that is no option it names the one that the hints
 * have for it, or that it looks like). */
int options_parse(const struct option_table *table, int argc, char *const *argv, void *to);
/* How many of the words the option argv[0] takes, its value included; 0: there is no such option.
 */
int options_words(const struct option_table *table, int argc, char *const *argv);
/* Stores a value for a row, as options_parse() does. */
int options_store(const struct option_row *row, void *to, const char *value);
/* Usage, purpose and all rows. */
void options_help(const struct option_table *table, FILE *out);
/* A whole number in lo ... hi, for take functions: HN_OK or HN_EARG. */
int options_number(const char *value, long lo, long hi, long *number);
/* A size, "64K" -> 65536; K, M, G are powers of 1024.  False: it is none, or above `most`. */
bool options_size(const char *text, int64_t most, int64_t *bytes);
