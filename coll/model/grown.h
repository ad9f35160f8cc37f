/* grown.h - arrays that grow. */
#ifndef HNOW_COLL_GROWN_H
#define HNOW_COLL_GROWN_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Gives *array (a pointer to any type) room for so many entries; false: it is as it was. */
static inline bool grown_to(void *array, size_t entries, size_t size)
{
    void *old;
    memcpy(&old, array, sizeof old);
    void *grown = realloc(old, entries * size);
    if (grown)
        memcpy(array, &grown, sizeof grown);
    return grown;
}

#define GROWN_TO(array, entries) grown_to(&(array), (size_t)(entries), sizeof *(array))

/* Room for one entry more than `count`: it doubles, and grows by `least`. */
#define GROWN_FOR(array, count, room, least)                                                       \
    ((count) < (room) ||                                                                           \
     (GROWN_TO(array, 2 * (room) + (least)) && ((room) = 2 * (room) + (least), true)))

#endif
