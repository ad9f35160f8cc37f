/* values.h - sorting, medians (which a few outliers cannot shift), and sorting of graph edges. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Sorts ascending. */
void values_sort(int64_t *value, int64_t count);
/* Sorts, and returns the median (of an even count, the upper one); 0 if count is 0. */
int64_t values_middle(int64_t *value, int64_t count);
/* set[i] >= 0 is any name of the set of i.  Replaces names by numbers, in the order of the sets'
 * smallest members.  Returns the number of sets.  O(n * sets). */
int values_number(int n, int *set);

/* Between two hosts, or sets of hosts. */
struct values_edge {
    int64_t cost;
    int a, b;
};
/* Ascending by cost, then .a, then .b. */
void values_sort_edges(struct values_edge *edge, size_t count);
