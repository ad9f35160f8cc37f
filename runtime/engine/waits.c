/* waits.c - records what the threads of a task wait for; see waits.h. */
#include "engine/waits.h"

#include <stddef.h>

static _Thread_local struct wait_reason the_reason;

/* It is a thread's own, so no lock is needed; engine_wait_until() copies it for others to read. */
struct wait_reason *wait_reason(void)
{
    return &the_reason;
}

/* `operation`, `number` and `step` stay: a collective sets them once for all its waits. */
void wait_because(enum control_wait kind, hn_tid peer, int tag, hn_context context)
{
    struct wait_reason *r = &the_reason;

    r->kind = kind;
    r->peer = peer;
    r->tag = tag;
    r->context = context;
    r->activity = NULL;
}
