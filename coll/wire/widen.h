/* widen.h - longs of 4 bytes in collective operations.
 *
 * A plan counts bytes, so all members must have elements of one size.  A long has 8 bytes on most
 * machines and 4 on some, and programs say HN_LONG on both.  So a long travels as 8 bytes
 * everywhere: a member whose own have 4 (type_carried()) works on copies of its buffers with wide
 * elements, and what has arrived is written back when the operation has ended.  To all else, plans,
 * executor and other members, it is a member like all others.
 */
#pragma once

#include "hnow.h"

#include <stdint.h>

struct call;

struct widened {
    hn_type type;   /* of the caller's elements; 0: they are carried as they are */
    const void *in; /* the caller's buffers ... */
    void *out;      /* (call->in and call->out are the copies) */
    uint8_t *in_copy, *out_copy;
};

/* Before anything is made of the call's type: it becomes that which is carried. */
void widen_open(struct call *call);
/* Before the call is laid out, each time: copies what the caller's buffers hold.  HN_OK or
 * HN_ENOMEM. */
int widen_in(struct call *call);
/* After an execution that went well: writes what has arrived.  HN_ETYPE with its text set: some of
 * it does not fit. */
int widen_out(const struct call *call);
void widen_end(struct call *call);
