/* farewell.h - what a member that has met a mistake sends to those who wait for its messages,
 * instead of them: who has made the mistake, which may be another member, and which error it was.
 *
 * It travels as deflated messages do, as HN_PACKED, or in an operation on packed data as HN_INT8: a
 * receive of the operation's type does not take it for data.
 */
#ifndef HNOW_COLL_FAREWELL_H
#define HNOW_COLL_FAREWELL_H

#include "hnow.h"

#include <stdbool.h>
#include <stdint.h>

enum { FAREWELL_SIZE = 16 };

/* The type of a farewell, and of deflated messages, in an operation on this type. */
static inline hn_type farewell_type(hn_type operation)
{
    return operation == HN_PACKED ? HN_INT8 : HN_PACKED;
}

void farewell_put(uint8_t bytes[FAREWELL_SIZE], hn_tid who, int error);
/* False: it is none.  *error is one, whatever has come. */
bool farewell_read(const uint8_t *bytes, size_t length, hn_tid *who, int *error);

#endif
