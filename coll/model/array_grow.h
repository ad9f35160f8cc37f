/* array_grow.h - arrays that grow by more than one entry at a time. */
#pragma once

#include "runtime/internal.h"

/* Room for one entry more than `count`: it doubles, and grows by `least`. */
#define ARRAY_GROW(array, count, room, least)                                                      \
    ((count) < (room) ||                                                                           \
     (ARRAY_ROOM(array, 2 * (room) + (least)) && ((room) = 2 * (room) + (least), true)))
