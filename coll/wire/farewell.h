/* farewell.h - what a member that has met a mistake sends to those who wait for its messages,
 * instead of them: who has made the mistake, which may be another member, and which error it was.
 *
 * It travels as deflated messages do, as HN_PACKED in an operation on other types.
 */
#ifndef HNOW_COLL_FAREWELL_H
#define HNOW_COLL_FAREWELL_H

#include "hnow.h"

#include <stdbool.h>
#include <stdint.h>

enum { FAREWELL_SIZE = 16 };

void farewell_put(uint8_t bytes[FAREWELL_SIZE], hn_tid who, int error);
/* False: it is none.  *error is one, whatever has come. */
bool farewell_read(const uint8_t *bytes, size_t length, hn_tid *who, int *error);

#endif
