/* options.h - table-driven parsing of command lines.
 *
 * A tool describes its options as rows: name, argument, help text, and where the value is stored,
 * or a function that stores it.  The parser, the help text and the messages for wrong usage all use
 * the table.  Long options have one or two dashes, and a value may be joined by '=': -np 4, --np 4,
 * --np=4.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One option.  A row either has a function take(), or a kind and the place of a member. */
struct option_row {
    const char *name;     /* without dashes */
    const char *argument; /* name of its value in the help text; NULL: no value */
    const char *help;     /* description; '\n' begins another line */
    /* Stores the value (NULL: none) in the tool's structure.  HN_OK, or HN_EARG after error_set()
     * with what is wrong. */
    int (*take)(void *to, const char *value);
    bool pair; /* its value is two words, NAME VALUE, which take() gets as NAME=VALUE */
    enum {
        OPTION_TAKES, /* take() stores the value; the other kinds need no function */
        OPTION_KEEPS_TEXT,
        OPTION_KEEPS_NUMBER,
        OPTION_KEEPS_REAL,
        OPTION_KEEPS_WORD,
        OPTION_IS_NOTED,
        OPTION_SETS
    } kind;
    size_t at, size;   /* of the member, in the tool's structure */
    long least, most;  /* range of a number; a real must be positive if least is 1 */
    const char *words; /* separated by blanks; or why an option is only noted */
};

/* The rest of a row that stores its value in a member of a struct: a nonempty string, an integer, a
 * real, the index in a list of words.  An option without a value sets the member to 1 or true. */
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

/* A word that users of other programs try, and the option here: its name, or a sentence that names
 * the equivalent. */
struct option_hint {
    const char *word, *name, *how;
};

/* All of a tool's options; constant.  The tables alias, habit and hint are optional. */
struct option_table {
    const char *tool;
    const char *usage; /* the lines after "usage: " */
    const char *about; /* one line: the purpose of the tool */
    const struct option_row *row;
    size_t n;
    const struct option_row *alias; /* other names; `help` is the option's name here. NULL: none */
    size_t aliases;
    const struct option_row
        *habit; /* options of other programs, not in the help text. NULL: none */
    size_t habits;
    const struct option_hint *hint; /* NULL: none */
    size_t hints;
};

enum { OPTIONS_HELP = 1000001, OPTIONS_VERSION }; /* greater than the index of any word */

/* Parses options up to the first word that is none (or after "--").  Returns the index of that
 * word, OPTIONS_HELP or OPTIONS_VERSION if requested, or HN_EARG. hn_error_text() then explains
 * what is wrong and what to do.  For an unknown option it suggests the one in the hints, or one
 * with a similar name. */
int options_parse(const struct option_table *table, int argc, char *const *argv, void *to);
/* Number of words that the option argv[0] uses, including its value; 0: there is no such option. */
int options_words(const struct option_table *table, int argc, char *const *argv);
/* Stores a value for a row, as options_parse() does. */
int options_store(const struct option_row *row, void *to, const char *value);
/* Appends the line "-NAME VALUE has no effect: WHY" to *lines, which the caller frees, as a row of
 * kind OPTION_IS_NOTED does: HN_OK or HN_ENOMEM.  value NULL: there is none. */
int options_note(char **lines, const char *name, const char *value, const char *why);
/* Prints usage, purpose and all rows. */
void options_help(const struct option_table *table, FILE *out);
/* Parses an integer from lo to hi, for take functions: HN_OK or HN_EARG. */
int options_number(const char *value, long lo, long hi, long *number);
/* Parses a size, "64K" -> 65536; K, M, G are powers of 1024.  False: invalid, or above `most`. */
bool options_size(const char *text, int64_t most, int64_t *bytes);
