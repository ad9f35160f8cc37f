/* values.c - sorting and medians (values.h). */
#include "derive/values.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void values_sort(int64_t *value, int64_t count)
{
    qsort(value, (size_t)count, sizeof *value, by_value);
}

int64_t values_middle(int64_t *value, int64_t count)
{
    values_sort(value, count);
    return count ? value[count / 2] : 0;
}

static int by_cost(const void *x, const void *y)
{
    const struct values_edge *e = x, *f = y;
    if (e->cost != f->cost)
        return e->cost < f->cost ? -1 : 1;
    return e->a != f->a ? e->a - f->a : e->b - f->b;
}

void values_sort_edges(struct values_edge *edge, size_t count)
{
    qsort(edge, count, sizeof *edge, by_cost);
}

/* Numbers sets 0, 1, ... in the order of their first members.  Sets that have a number already are
 * marked by its complement, which is negative. */
int values_number(int n, int *set)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (set[i] < 0)
            continue;
        count++;
        for (int k = i, name = set[i]; k < n; k++)
            set[k] = set[k] == name ? -count : set[k];
    }
    for (int i = 0; i < n; i++)
        set[i] = -set[i] - 1;
    return count;
}
