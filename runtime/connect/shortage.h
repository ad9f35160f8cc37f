/* shortage.h - what a task does that has no descriptor left for a connection.
 *
 * Its limit (ulimit -n) is raised as far as the system lets it (descriptors.h); when that is not
 * enough, the program has SHORTAGE_PATIENCE seconds to close some of its own.  Then the job ends
 * with a line that names the limit: some task would be waited for without end.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct task;

enum { SHORTAGE_PATIENCE = 3 /* s */ };

struct shortage {
    uint64_t missing; /* since when, by engine_now(); 0: nothing is missing */
    bool said;        /* to hrun, that they are */
};

/* A call has failed with this errno, or was successful (0): when descriptors have been missing for
 * too long, the job ends.  True: they are missing. */
bool shortage_note(struct task *t, int why);
