/* bisections.h - the tree of lines between places, as their distances tell it.
 *
 * If places hang together by a tree of lines, each line parts them in two: a split.  Buneman (1971)
 * finds the splits from the distances alone: what two ways across a line take longer than the two
 * routes on its either side is twice its length, and no distance that is a little wrong makes up a
 * split, or hides one that is longer than that.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A tree of n places has at most 2 n - 3 lines; add_place() drops further ones. */
enum { BISECTIONS_UNITS = 24, BISECTIONS_MOST = 2 * BISECTIONS_UNITS };

struct bisection {
    uint32_t far;   /* bit i: place i is not on the side of place 0 */
    int64_t length; /* ns */
};

struct bisections {
    int units, count;
    int unit[BISECTIONS_UNITS]; /* of each place, as the caller numbers them; ascending */
    struct bisection split[BISECTIONS_MOST];
};

/* Of the units of n hosts (unit_of[host]; < 0: the host is none of these): cost[i * n + j] is the
 * time of a single byte, ns.  Units are as far as their nearest pair, less half of what neighbours
 * inside each are apart: that is the hosts' own.  Lines of less than 50 us, or a hundredth of the
 * longest way, are not told from noise.  None of less than three units, or more than
 * BISECTIONS_UNITS. O(n^2 + units^5). */
void bisections_of_hosts(struct bisections *s, int n, const int64_t *cost, const int *unit_of);

/* The place of a unit; -1: it has none. */
int bisections_place(const struct bisections *s, int unit);

/* A way between two places crosses a line. */
static inline bool bisections_cross(const struct bisection *split, int from, int to)
{
    return ((split->far >> from ^ split->far >> to) & 1) != 0;
}

/* How many lines two ways have in common, in one direction, that is all that they can share; *which
 * is one of them. */
int bisections_shared(const struct bisections *s, const int from[2], const int to[2], int *which);

/* The only place on one side of a split; -1: there are more on both. */
int bisections_single(const struct bisections *s, const struct bisection *split);
