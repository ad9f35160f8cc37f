/* values.c - numbers in order (values.h). */
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

int values_number_roots(int n, int *root)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        root[i] = root[i] == i ? count++ : root[root[i]];
    return count;
}
