/* task.h - the one task context: all that the library knows in a process.
 *
 * It exists from hn_enrol() to hn_exit(); everything in it is guarded by engine.lock, save what is
 * constant in between (tid, secret, world, hosts).
 */
#ifndef HNOW_TASK_H
#define HNOW_TASK_H

#include "agent.h"
#include "engine.h"
#include "handshake.h"
#include "match.h"
#include "peer.h"

#include <sys/types.h>

struct hn_group {
    int size;
    hn_tid *tid; /* by rank */
};

struct task {
    pid_t pid; /* a child that was forked off is not the task */
    hn_tid tid, parent;
    int rank;
    struct hn_group world;
    uint8_t secret[HANDSHAKE_SECRET];

    struct engine engine;
    struct match match;
    struct peer_table peers;
    struct agent agent;
    struct listener listener;
    size_t outbox_limit;        /* of match.outgoing: more, and hn_send() waits (HNOW_OUTBOX) */
    size_t inbox_limit;         /* of match.incoming: more, and nothing is read (HNOW_INBOX) */
    unsigned probing;           /* threads inside hn_probe() */
    bool grown;                 /* the job has more tasks than the world, and ... */
    bool alone;                 /* ... all others have ended */
    struct list_node questions; /* asked and not yet answered, struct question */
    uint32_t question_count;
    int quitting; /* HN_OK, or the reason why all calls fail: the job is ending */
};

/* The context, or NULL when this process is not enrolled (the thread's error text says so). */
struct task *task_get(void);

#endif
