/* persistent.h - adaptation of a persistent operation.
 *
 * Members start it equally often, but in any order among other operations. So it has its own copy
 * of what a group's operations share (adapt.h): it counts its own starts, agrees at its own ends,
 * and has its own view of the network. Cost: some kilobytes, and its own network measurements.
 */
#pragma once

#include "wire/call.h"

struct persistent;

/* For a call that has been planned. *persistent is NULL if its plan does not follow the network.
 * The plan may change here: for repeated use a longer search is worth its time. */
int persistent_begin(struct call *call, struct persistent **persistent);
void persistent_free(struct persistent *persistent);
/* Records a run of the call. true: the members have to agree. */
bool persistent_note(struct persistent *persistent, const struct call *call);
struct agreement persistent_agreement(struct persistent *persistent, const struct call *call);
/* The agreement has ended with this outcome: the call gets its new plan. */
int persistent_agreed(struct persistent *persistent, struct call *call, enum agreed outcome);
