/* persistent.h - adaptation of a persistent operation.
 *
 * Members start it equally often, but in any order among other operations. So it has its own copy
 * of what a group's operations share (adapt.h): it counts its own starts, settles at its own ends,
 * and has its own view of the network. Cost: some kilobytes, and its own network measurements.
 */
#pragma once

#include "wire/call.h"

struct persistent;

/* For a call that has been planned. *persistent is NULL if its plan does not follow the network.
 * The plan may change here: for repeated use a longer search is worth its time. */
int persistent_begin(struct call *call, struct persistent **persistent);
void persistent_free(struct persistent *persistent);
/* Records a run of the call. true: there is something to settle. */
bool persistent_note(struct persistent *persistent, const struct call *call);
struct settling persistent_settling(struct persistent *persistent, const struct call *call);
/* Settling has ended with this outcome: the call gets its new plan. */
int persistent_settled(struct persistent *persistent, struct call *call, enum settled outcome);
