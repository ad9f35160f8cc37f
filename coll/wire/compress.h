/* compress.h - compresses messages of operations (deflate) where that is faster.
 *
 * The sender decides alone, for each message. If a byte takes long on the route (in the model), it
 * deflates a sample of the data. The sample shows the ratio and the speed of this processor. The
 * time saved on the route must exceed the time of deflating and inflating; this is checked again
 * while the message is being deflated. If the sample does not shrink, the next messages on that
 * route are sent without a sample, until they have taken a hundred times as long as it did. The
 * type of a message shows that it is deflated; its head contains the original length.
 */
#pragma once

#include "model/model.h"

#include <stdint.h>

struct compress; /* one for each group state; thread-safe */

/* NULL: out of memory, or disabled by the environment (HNOW_COMPRESS=0). */
struct compress *compress_new(int ranks);
void compress_free(struct compress *compress);

/* Deflates a message to rank `to` if that is worth the time. `nth`: it is the n-th message,
 * from 1 on, that this rank deflates and sends without a receive between, so it waits for those
 * before. The caller owns the result, *length bytes to be sent as HN_PACKED. NULL: send the message
 * as it is. compress may be NULL. */
uint8_t *compress_message(struct compress *compress, const struct model *model, int from, int to,
                          int nth, const void *data, size_t bytes, hn_type type, size_t *length);
/* Inflates a message into data: `bytes` bytes of the receiver's type. HN_EPROTO: not a deflated
 * message of this length; HN_ETYPE: a value does not fit; HN_ENOMEM. */
int compress_inflate(const uint8_t *message, size_t length, void *data, size_t bytes, hn_type type);
