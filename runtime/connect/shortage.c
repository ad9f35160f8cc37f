/* shortage.c - handles a lack of descriptors for connections (rules: shortage.h). */
#include "connect/shortage.h"

#include "job/task.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Either this process or the whole system has no descriptor left. */
static bool is_missing(int why)
{
    return why == EMFILE || why == ENFILE;
}

/* The text names the limit, because raising it is what the user can do. */
static void report(struct task *t, int why)
{
    struct rlimit files = {0};
    char text[160];

    getrlimit(RLIMIT_NOFILE, &files);
    snprintf(text, sizeof text,
             "has no descriptor left for a connection: %s (its limit, ulimit -n, is %llu)",
             strerror(why), (unsigned long long)files.rlim_cur);
    agent_put(t, CONTROL_FAULT, (unsigned)t->tid, (unsigned)CONTROL_FAULT_OWN, text);
}

/* A success ends the shortage.  Other errors neither begin nor end it. hrun ends the job when it
 * gets this fault. */
void shortage_note(struct task *t, int why)
{
    struct shortage *d = &t->door.shortage;
    uint64_t now = engine_now();

    if (why == 0)
        d->missing = 0;
    if (!is_missing(why))
        return;
    if (d->missing == 0)
        d->missing = now;
    if (!d->reported && now - d->missing > SHORTAGE_PATIENCE * UINT64_C(1000000000)) {
        d->reported = true;
        report(t, why);
    }
}
