/* values.h - numbers put in order, and the one in their middle, which a few wild ones cannot move.
 */
#ifndef HNOW_PROBE_VALUES_H
#define HNOW_PROBE_VALUES_H

#include <stdint.h>

/* From the least to the largest. */
void values_sort(int64_t *value, int64_t count);
/* Sorts them, and returns the middle one, of an even number the larger one; 0: there are none. */
int64_t values_middle(int64_t *value, int64_t count);

#endif
