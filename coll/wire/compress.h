/* compress.h - messages of operations that travel deflated where that is quicker.
 *
 * The sender decides alone, for each message: where the way takes long for a byte (in the model), a
 * sample of the data is deflated, which says how small it gets and how fast this processor is;
 * what the way would save must be more than what deflating and inflating take; that is looked at
 * again while the message is deflated.  Data that do not shrink are noticed by the sample, and the
 * next messages on that way are sent without looking, until they have taken a hundred times as long
 * as that.  A deflated message says so by its type, and how long it will be by its head.
 */
#pragma once

#include "model/model.h"

#include <stdint.h>

struct compress; /* one for a group state; may be used by several threads */

/* NULL: out of memory, or the environment forbids it (HNOW_COMPRESS=0). */
struct compress *compress_new(int ranks);
void compress_free(struct compress *compress);

/* Deflates a message to rank `to`, when that is worth it, also where it is the turn-th that is
 * deflated one right after the other (from 1 on), so that it waits for those: the caller owns the
 * result, *length bytes to be sent as HN_PACKED.  NULL: it is to be sent as it is.  compress may be
 * NULL. */
uint8_t *compress_message(struct compress *compress, const struct model *model, int from, int to,
                          int turn, const void *data, size_t bytes, hn_type type, size_t *length);
/* Fills all of data with elements of the receiver's type, `bytes` bytes.  HN_EPROTO: it is no
 * deflated message of as many; HN_ETYPE: a value does not fit; HN_ENOMEM. */
int compress_inflate(const uint8_t *message, size_t length, void *data, size_t bytes, hn_type type);
