/* array.c - growable arrays from malloc(); see array.h.
 *
 * The pointer is read and written by memcpy(), because its type is unknown here: an access as void
 * ** would violate C's aliasing rules.
 */
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* On failure the old array is unchanged. */
bool array_resize(void *list, size_t n, size_t size)
{
    void *array;
    size_t bytes;
    memcpy(&array, list, sizeof array);
    array = __builtin_mul_overflow(n, size, &bytes) ? NULL : realloc(array, bytes);
    if (array)
        memcpy(list, &array, sizeof array);
    return array;
}
