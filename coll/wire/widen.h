/* widen.h - longs of 4 bytes in collective operations.
 *
 * A plan counts bytes, so elements must have the same size at all members. A long has 8 bytes on
 * most machines and 4 on some, and programs use HN_LONG on both. So a long is transferred as 8
 * bytes everywhere. A member with 4-byte longs (type_carried()) uses copies of its buffers with
 * wide elements, and writes the result back when the operation has ended. Plans, executor and other
 * members need no special case.
 */
#pragma once

#include "hnow.h"

#include <stdint.h>

struct call;

struct widened {
    hn_type type;   /* type of the caller's elements; 0: not widened */
    const void *in; /* the caller's buffers */
    void *out;      /* (call->in and call->out point to the copies) */
    uint8_t *in_copy, *out_copy;
};

/* Sets the call's type to the carried one. To be called before the type is used. */
void widen_open(struct call *call);
/* Copies the caller's buffers. To be called before each layout of the call. HN_OK or HN_ENOMEM. */
int widen_in(struct call *call);
/* Writes the result back after a successful execution. HN_OK, or HN_ETYPE with a text: a value does
 * not fit into a long. */
int widen_out(const struct call *call);
void widen_end(struct call *call);
