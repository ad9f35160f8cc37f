/* bisections.h - finds the tree of lines between places from their distances.
 *
 * If places are connected by a tree of lines, each line splits them in two.  Buneman (1971) finds
 * the splits from the distances alone.  Take two places on each side: the two routes across the
 * line exceed the two routes within the sides by twice its length.  Small errors of distances add
 * no split, and hide only those shorter than the error.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A tree of n places has at most 2 n - 3 lines; add_place() drops further ones. */
enum { BISECTIONS_UNITS = 24, BISECTIONS_MOST = 2 * BISECTIONS_UNITS };

struct bisection {
    uint32_t far;   /* bit i: place i is on the other side than place 0 */
    int64_t length; /* ns */
};

struct bisections {
    int units, count;
    int unit[BISECTIONS_UNITS]; /* the caller's number of each place's unit; ascending */
    struct bisection split[BISECTIONS_MOST];
};

/* Finds the lines between the units of n hosts. unit_of[host] < 0: the host belongs to none. cost[i
 * * n + j] is the time of a single byte, ns.  The distance of two units is that of their nearest
 * pair, less half of the distance of neighbours inside each, which belongs to the hosts
 * themselves.  Lines shorter than 50 us, or than a hundredth of the longest route, are not
 * distinguishable from noise.  With fewer than three units, or more than BISECTIONS_UNITS, there
 * are none.  O(n^2 + units^5). */
void bisections_of_hosts(struct bisections *s, int n, const int64_t *cost, const int *unit_of);

/* Returns the place of a unit; -1: it has none. */
int bisections_place(const struct bisections *s, int unit);

/* True if a route between two places crosses the line. */
static inline bool bisections_cross(const struct bisection *split, int from, int to)
{
    return ((split->far >> from ^ split->far >> to) & 1) != 0;
}

/* Counts the lines that two routes cross in the same direction: only these can be shared. *which
 * receives one of them. */
int bisections_shared(const struct bisections *s, const int from[2], const int to[2], int *which);

/* Returns the only place on one side of a split; -1: both sides have more. */
int bisections_single(const struct bisections *s, const struct bisection *split);
