/* buffer.h - internal functions of message buffers (the public ones: hnow.h). */
#pragma once

#include "hnow.h"

#include <stdbool.h>
#include <stdint.h>

/* The encoded bytes of a buffer; never NULL. */
const uint8_t *buffer_data(const hn_buffer *buffer);
/* Replaces the content of a buffer by received bytes, and validates them: HN_OK, HN_EPROTO or
 * HN_ENOMEM.  After an error the buffer is empty. */
int buffer_set(hn_buffer *buffer, const void *bytes, size_t n);
/* The same with one piece: `count` elements, as their sender encoded them. */
int buffer_set_piece(hn_buffer *buffer, const void *data, size_t count, hn_type type,
                     bool big_endian);
