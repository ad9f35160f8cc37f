/* shortage.h - what a task does when it has no descriptor left for a connection.
 *
 * It raises its limit (ulimit -n) as far as the system allows (descriptors.h).  If that is not
 * enough, the program has SHORTAGE_PATIENCE seconds to close some of its own descriptors.  Then the
 * job ends with a message that names the limit, because otherwise some task would wait forever.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct task;

enum { SHORTAGE_PATIENCE = 3 /* s */ };

/* One for each task; zeros mean that no descriptor was missing yet. */
struct shortage {
    uint64_t missing; /* since when (engine_now); 0: no descriptors are missing */
    bool reported;    /* hrun was notified */
};

/* Reports that a call failed with this errno, or succeeded (0).  If descriptors have been missing
 * for too long, ends the job. */
void shortage_note(struct task *t, int why);
