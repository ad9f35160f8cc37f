/* receivers.h - who hears a multicast of a rank, and how much of several. */
#pragma once

#include "model/model.h"
#include "plan/plan.h"

/* Bytes that members of a subnet multicast at the same time, at most: datagrams of several senders
 * queue at the receiver's port of the switch. If that queue is full, or the host is slow, they are
 * lost. */
enum { MULTICAST_AT_ONCE = 98304 };

/* Of some ranks, those whom one datagram of `from` reaches, and then the others, without `from`:
 * to[0 ... count - 2], or all `count` where it is none of them. Returns how many hear it. Ranks of
 * one host stand together. The first one is on a host to which the way is longest, since a message
 * is as late in the model as it is there; among equals on the one behind the sender's, so that
 * those who send at the same time begin with different hosts. HN_ENOMEM is below 0. O(n log n). */
int receivers_of(const struct model *model, int from, const int *member, int count, int *to);

/* Appends the sends of `from` alone: one multicast to all members that hear it, and one message to
 * each of the others. All get the same blocks. */
void receivers_send(const struct model *model, int from, const int *member, int count, int list,
                    int blocks, struct plan *plan);
