/* type.h - what the receiver does to make data right (public part: HN_TYPE in hnow.h). */
#ifndef HNOW_TYPE_H
#define HNOW_TYPE_H

#include "hnow.h"

#include <stdbool.h>

/* Whether elements sent as `from` may be received as `to`: equal classes, or bytes on either side
 * of equal size. */
bool type_compatible(hn_type from, hn_type to);

/* Whether data sent as `from` with the given byte order stands as it is in a buffer of `to`. */
bool type_same_layout(hn_type from, bool big_endian, hn_type to);

/* Converts count elements from the sender's layout to this machine's.  in and out may be the same
 * buffer when the element sizes are equal.  HN_ETYPE when a value does not fit the narrower type.
 */
int type_convert(const void *in, hn_type from, bool big_endian, void *out, hn_type to,
                 size_t count);

/* This machine's byte order. */
bool type_machine_is_big_endian(void);

#endif
