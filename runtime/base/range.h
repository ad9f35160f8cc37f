/* range.h - many names in one word: `node[01-16]`, `rack[1-4]n[1,3,5-9]`, `a,b[1-2],c`.
 *
 * A pair of brackets means each of its numbers; of several pairs the last one counts fastest.
 * Numbers are padded with zeros to the width of a range's first number when that begins with 0.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

struct range {
    int count;
    char **name;
};

/* Expands one pattern into names allocated from arena, at most limit of them.  NULL when that went
 * well, else what is wrong with the pattern (a fixed text). */
const char *range_expand(const char *pattern, int limit, struct arena *arena, struct range *range);

/* Cuts the first element off a list separated by commas (those in brackets do not separate):
 * returns it, with a 0 in place of the comma, and moves *list behind it; NULL at the end. */
char *range_split(char **list);
