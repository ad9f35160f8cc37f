/* receivers.h - the receivers of a multicast, and a limit for concurrent multicasts. */
#pragma once

#include "model/model.h"
#include "plan/plan.h"

/* Most bytes that the members of a subnet multicast at the same time. Datagrams of several senders
 * queue at the receiver's switch port, and are lost if the queue is full or the host is slow. */
enum { MULTICAST_AT_ONCE = 98304 };

/* Lists in to[] the members that a datagram of `from` reaches, and then the others, without `from`:
 * count - 1 entries, or `count` if `from` is not a member. Returns the number reached, or
 * HN_ENOMEM, which is negative. Ranks of one host are adjacent. The first one is on a host with the
 * longest latency, since the model delivers a multicast when the first receiver has it. Among
 * equals it is on the next host after the sender's, so that concurrent senders begin with different
 * hosts. O(n log n). */
int receivers_of(const struct model *model, int from, const int *member, int count, int *to);

/* Appends the sends of `from` only: one multicast to all members that it reaches, and a message to
 * each of the others. All receive the same blocks. */
void receivers_send(const struct model *model, int from, const int *member, int count, int list,
                    int blocks, struct plan *plan);
