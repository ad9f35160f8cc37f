/* span.h - the time of a step of a plan. */
#pragma once

#include "hnow_net.h"

/* Of a send: from its begin until the sender is free again. Of a receive: from the time at which
 * the receiver begins to take the message until it has it. */
struct span {
    hn_time begin, end;
    hn_time arrived; /* of a receive: when the message became available */
};
