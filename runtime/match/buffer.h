/* buffer.h - what the library itself does with message buffers (public ones: hnow.h). */
#pragma once

#include "hnow.h"

#include <stdbool.h>
#include <stdint.h>

/* The bytes of a buffer as they travel; never NULL. */
const uint8_t *buffer_data(const hn_buffer *buffer);
/* Replaces what a buffer holds by bytes that came from elsewhere, and checks them: HN_OK, HN_EPROTO
 * or HN_ENOMEM; then it is empty. */
int buffer_set(hn_buffer *buffer, const void *bytes, size_t n);
/* The same with one piece: count elements as their sender had them. */
int buffer_set_piece(hn_buffer *buffer, const void *data, size_t count, hn_type type,
                     bool big_endian);
