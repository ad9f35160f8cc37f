/* range.c - expands bracketed ranges, recursively from left to right.
 *
 * Cost: linear in the length of the output.
 */
#include "base/range.h"
#include "base/decimal.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_NUMBER = 9 }; /* digits of a number that fits an int */

/* `name` holds the part of a name that the present recursion has made.  The depth is the number of
 * bracket pairs. */
struct expansion {
    struct arena *arena;
    struct range *range;
    int limit;
    char name[RANGE_LONGEST + 1];
};

static const char *expand(struct expansion *e, size_t used, const char *pattern);

/* Appends the present name to the result.  The old array remains unused in the arena, which costs
 * at most as much as the last one. */
static const char *put_name(struct expansion *e, size_t used)
{
    struct range *range = e->range;
    if (range->count == e->limit)
        return "the ranges give too many names: make them smaller";
    if ((range->count & (range->count - 1)) == 0) { /* the capacity is a power of two: double it */
        size_t room = range->count ? 2 * (size_t)range->count : 1;
        char **larger = arena_alloc(e->arena, room * sizeof *larger);
        if (!larger)
            return "no memory for the names";
        if (range->count)
            memcpy(larger, range->name, (size_t)range->count * sizeof *larger);
        range->name = larger;
    }
    char *name = arena_strndup(e->arena, e->name, used);
    if (!name)
        return "no memory for the names";
    range->name[range->count++] = name;
    return NULL;
}

/* Parses the number at *at.  The width is that of the digits if the first is 0, else 1, which pads
 * nothing. */
static bool take_number(const char **at, int64_t *number, int *width)
{
    char digits[LONGEST_NUMBER + 1];
    size_t n = strspn(*at, "0123456789");
    if (n == 0 || n > LONGEST_NUMBER)
        return false;
    memcpy(digits, *at, n);
    digits[n] = 0;
    *width = digits[0] == '0' ? (int)n : 1;
    *at += n;
    return decimal_integer(digits, 0, INT64_MAX, number);
}

/* Each number is followed by all expansions of the rest, so the last brackets vary fastest. */
static const char *put_numbers(struct expansion *e, size_t used, int64_t low, int64_t high,
                               int width, const char *rest)
{
    for (int64_t number = low; number <= high; number++) {
        size_t room = sizeof e->name - used;
        int n = snprintf(e->name + used, room, "%0*lld", width, (long long)number);
        if (n < 0 || (size_t)n >= room)
            return "the name is too long";
        const char *wrong = expand(e, used + (size_t)n, rest);
        if (wrong)
            return wrong;
    }
    return NULL;
}

/* at: after the opening bracket. */
static const char *expand_brackets(struct expansion *e, size_t used, const char *at)
{
    static const char form[] = "the range is not understood: write it as [1-16] or [01-16,20]";
    const char *end = strchr(at, ']');
    if (!end)
        return "a [ has no ]: write ranges as [1-16]";
    for (;; at++) {
        int64_t low, high;
        int width, ignored;
        if (!take_number(&at, &low, &width))
            return form;
        high = low;
        if (*at == '-' && (at++, !take_number(&at, &high, &ignored)))
            return form;
        if (high < low)
            return "the range runs backwards: put the smaller number first";
        const char *wrong = put_numbers(e, used, low, high, width, end + 1);
        if (wrong)
            return wrong;
        if (at == end)
            return NULL;
        if (*at != ',')
            return form;
    }
}

static const char *expand(struct expansion *e, size_t used, const char *pattern)
{
    for (; *pattern && *pattern != '['; pattern++) {
        if (used == RANGE_LONGEST)
            return "the name is too long";
        e->name[used++] = *pattern;
    }
    return *pattern ? expand_brackets(e, used, pattern + 1) : put_name(e, used);
}

const char *range_expand(const char *pattern, int limit, struct arena *arena, struct range *range)
{
    struct expansion e = {.arena = arena, .range = range, .limit = limit};
    *range = (struct range){0};
    return expand(&e, 0, pattern);
}

/* Unbalanced brackets do no harm here: range_expand() reports them. */
char *range_split(char **list)
{
    char *first = *list;
    int depth = 0;
    if (!first)
        return NULL;
    for (char *c = first; *c; c++) {
        depth += (*c == '[') - (*c == ']');
        if (*c == ',' && depth <= 0) {
            *c = 0;
            *list = c + 1;
            return first;
        }
    }
    *list = NULL;
    return first;
}
