/* execute.h - carrying out a plan: this member's steps, as real messages. */
#ifndef HNOW_COLL_EXECUTE_H
#define HNOW_COLL_EXECUTE_H

#include "fold.h"
#include "plan.h"

#include "hnow.h"

struct execution {
    const struct plan *plan;
    const hn_tid *tids; /* [rank of the plan] */
    int rank;           /* the caller's */
    int tag;       /* of all messages; no other operation of the group has it at the same time */
    hn_type type;  /* of the elements; blocks are whole numbers of them */
    uint8_t *data; /* part p begins at data + (displs ? displs[p] * size of type : stride * p) */
    const size_t *displs;
    size_t stride;
    uint8_t **places; /* or: [part] where it is; those without a place pass through, and get one */
    const struct fold *fold; /* NULL when nothing is combined */
};

/* Runs the caller's steps. Sends do not wait, receives are taken in the order of the plan; returns
 * when the buffers may be used again. The context of the calling thread is the one of the messages.
 * HN_OK, or the error of the message that failed; then sends to members that still run may be under
 * way, and data must stay until they have been taken. */
int plan_execute(const struct execution *execution);

#endif
