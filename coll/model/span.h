/* span.h - when a step of a plan happens. */
#pragma once

#include "hnow_net.h"

/* A step's time: of a send, when it begins and when the sender is free again; of a receive, when
 * the receiver begins to take the message out, and when it has it. */
struct span {
    hn_time begin, end;
    hn_time arrived; /* of a receive: when the message was there to be taken */
};
