/* whole.c - box vectors that make molecules whole.
 *
 * Bonded terms use nearest images, so the box may divide molecules.  The virial of such terms is
 * the sum of x_i f_i only if x is that of whole molecules.  Atoms are followed along the excluded
 * pairs, which connect everything that bonded terms do.  Coordinates are never wrapped during a
 * run, so the vectors are valid for all of it.  Cost: O(N).
 */
#include <string.h>

#include "mem.h"
#include "system.h"

/* Places j next to i, which already has its vector. */
static void whole_join(const struct system *s, const double *x, double *shift, int i, int j)
{
    double d[3], image[3];
    for (int k = 0; k < 3; k++)
        d[k] = x[3 * j + k] - x[3 * i + k] - shift[3 * i + k];
    cell_nearest(&s->cell, d, image);
    for (int k = 0; k < 3; k++)
        shift[3 * j + k] = -image[k];
}

/* Breadth-first search; each molecule's first atom keeps its place. */
void system_whole(const struct system *s, const double *x, double *shift)
{
    char *seen = mem_new((size_t)s->natom, 1);
    int *queue = mem_new((size_t)s->natom, sizeof *queue);
    memset(shift, 0, 3 * (size_t)s->natom * sizeof *shift);
    for (int start = 0; start < s->natom; start++) {
        int n = 0;
        if (seen[start])
            continue;
        seen[start] = 1;
        queue[n++] = start;
        for (int at = 0; at < n; at++)
            for (int k = s->excluded_first[queue[at]]; k < s->excluded_first[queue[at] + 1]; k++) {
                int j = s->excluded[k];
                if (seen[j])
                    continue;
                seen[j] = 1;
                whole_join(s, x, shift, queue[at], j);
                queue[n++] = j;
            }
    }
    mem_free(seen);
    mem_free(queue);
}
