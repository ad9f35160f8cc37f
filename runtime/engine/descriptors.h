/* descriptors.h - what a task does that has no descriptor left for a connection.
 *
 * Its limit (ulimit -n) is raised as far as the system lets it; when that is not enough, the
 * program has DESCRIPTORS_PATIENCE seconds to close some of its own.  Then the job ends with a line
 * that names the limit: some task would be waited for without end.
 */
#ifndef HNOW_DESCRIPTORS_H
#define HNOW_DESCRIPTORS_H

#include <stdbool.h>
#include <stdint.h>

struct task;

enum { DESCRIPTORS_PATIENCE = 3 /* s */ };

struct descriptors {
    uint64_t missing; /* since when, by engine_now(); 0: nothing is missing */
    bool said;        /* to hrun, that they are */
};

/* A call has failed with this errno.  True: it was for want of descriptors and there may be more by
 * now, so that it is worth trying again at once. */
bool descriptors_more(int why);
/* Whether there are enough for an event loop and for waking it: libev ends the process where it
 * finds none.  False: errno says why. */
bool descriptors_for_loop(void);
/* It has failed, or was successful (why 0): when descriptors have been missing for too long, the
 * job ends.  True: they are missing. */
bool descriptors_note(struct task *t, int why);

#endif
