/* values.h - numbers put in order, and the one in their middle, which a few wild ones cannot move;
 * edges of a graph in the order of their costs. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* From the least to the largest. */
void values_sort(int64_t *value, int64_t count);
/* Sorts them, and returns the middle one, of an even number the larger one; 0: there are none. */
int64_t values_middle(int64_t *value, int64_t count);
/* root[i] is the smallest member of the set of i: becomes the set's number, in the order of the
 * roots.  Returns how many sets there are. */
int values_number_roots(int n, int *root);

/* Between two hosts, or sets of hosts. */
struct values_edge {
    int64_t cost;
    int a, b;
};
/* The cheapest first; equal ones by .a, then .b. */
void values_sort_edges(struct values_edge *edge, size_t count);
