/* persistent.h - how a persistent operation follows the network.
 *
 * Its members start it equally often, but in any order among others.  So it has all that a group's
 * operations share (adapt.h) for itself: it counts its own starts, is settled at its own ends, and
 * has its own view of the network.  Cost: some kilobytes, and looks at the network of its own.
 */
#pragma once

#include "wire/call.h"

struct persistent;

/* For a call that has been planned.  *persistent is NULL when its plan does not follow the network.  A
 * plan that comes again and again may be looked for longer than one for a single operation, so it
 * may be another one now. */
int persistent_begin(struct call *call, struct persistent **persistent);
void persistent_free(struct persistent *persistent);
/* The call has run once more; true: something is to be settled. */
bool persistent_note(struct persistent *persistent, const struct call *call);
struct settling persistent_settling(struct persistent *persistent, const struct call *call);
/* That is over, with an outcome: the call gets its new plan. */
int persistent_settled(struct persistent *persistent, struct call *call, enum settled outcome);
