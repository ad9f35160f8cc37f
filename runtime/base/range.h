/* range.h - expands patterns of names: `node[01-16]`, `rack[1-4]n[1,3,5-9]`, `a,b[1-2],c`.
 *
 * A pair of brackets is replaced by each of its numbers; with several pairs the last one varies
 * fastest.  Numbers are padded with zeros to the width of a range's first number if that begins
 * with 0.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

enum { RANGE_LONGEST = 255 }; /* characters of a name, as of a DNS name (RFC 1035, 2.3.4) */

/* Names in the arena that was passed.  On an error it may contain some of them. */
struct range {
    int count;
    char **name;
};

/* Expands a pattern into at most `limit` names, allocated from the arena.  Returns NULL, or what is
 * wrong with the pattern (a constant string). */
const char *range_expand(const char *pattern, int limit, struct arena *arena, struct range *range);

/* Removes the first element from a list separated by commas; commas in brackets do not count.
 * Returns it, with a 0 in place of the comma, and advances *list; NULL at the end. */
char *range_split(char **list);
