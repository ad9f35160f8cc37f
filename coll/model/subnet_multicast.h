/* subnet_multicast.h - multicasts in the model: which sends of a plan are one message to many.
 *
 * A plan says so of sends that are joined (plan.h). It is true where the network carries it: on
 * other networks, and to ranks of other subnets and of one's own host, they are sent one by one.
 */
#pragma once

#include "model/model.h"
#include "plan/plan.h"

/* Payload of a packet: IP cuts a datagram into such, each of which every receiver takes by itself.
 */
enum { MULTICAST_PACKET = 1472 };

/* The time that each receiver of a multicast takes of a machine on which all its hosts are, where a
 * message by itself takes `message`: as much, and a third for each further packet (measured: eight
 * hosts, 8 bytes to 1 MB; packets of a connection pass such machines many at a time). */
static inline hn_time subnet_multicast_machine_time(hn_time message, int64_t bytes)
{
    return (2 + bytes / MULTICAST_PACKET + 1) * message / 3;
}

/* Whether a step of a rank goes out together with the send before it. */
static inline bool subnet_multicast_joins(const struct plan *plan, const struct model *model,
                                          int rank, int32_t at)
{
    const struct plan_step *step = &plan->steps[at];
    return step->joined && model_multicasts(model, rank, step->peer) &&
           model_multicasts(model, rank, step[-1].peer);
}
