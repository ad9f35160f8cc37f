/* subnet_multicast.h - multicasts in the model: which sends of a plan are one datagram to several
 * ranks.
 *
 * Joined sends of a plan (plan.h) are one multicast only where the network carries it. On other
 * networks, to other subnets and to the sender's own host they are separate messages.
 */
#pragma once

#include "model/model.h"
#include "plan/plan.h"

/* Payload bytes of an IP fragment on Ethernet. Each receiver pays for each fragment of a
 * datagram. */
enum { MULTICAST_PACKET = 1472 };

/* Processor time of one receiver of a multicast, if all its hosts share a machine. `message` is the
 * time of a single message. A multicast costs as much, plus a third for each further fragment,
 * since a TCP connection passes many packets at a time. (Measured: eight hosts, 8 bytes to 1
 * MB.) */
static inline hn_time multicast_machine_time(hn_time message, int64_t bytes)
{
    return (2 + bytes / MULTICAST_PACKET + 1) * message / 3;
}

/* Whether a step of a rank is one multicast with the send before it. */
static inline bool multicast_joins(const struct plan *plan, const struct model *model, int rank,
                                   int32_t at)
{
    const struct plan_step *step = &plan->steps[at];
    return step->joined && model_multicasts(model, rank, step->peer) &&
           model_multicasts(model, rank, step[-1].peer);
}
