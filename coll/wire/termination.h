/* termination.h - the termination notice: a member with an error sends it in place of its messages.
 * It names the member that made the mistake, which may be another one, and the error.
 *
 * It has the type of deflated messages: HN_PACKED, or HN_INT8 in an operation on packed data. So a
 * receive of the operation's type does not take it for data.
 */
#pragma once

#include "hnow.h"

#include <stdbool.h>
#include <stdint.h>

enum { TERMINATION_SIZE = 16 }; /* bytes: termination_put() */

/* The type of a termination notice, and of deflated messages, in an operation on this type. */
static inline hn_type termination_type(hn_type operation)
{
    return operation == HN_PACKED ? HN_INT8 : HN_PACKED;
}

/* who: the member that made the mistake, not the one that sends this. */
void termination_put(uint8_t bytes[TERMINATION_SIZE], hn_tid who, int error);
/* false: not a termination notice. *error is set to an error in any case. */
bool termination_read(const uint8_t *bytes, size_t length, hn_tid *who, int *error);
