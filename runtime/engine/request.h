/* request.h - a pending send or receive, as matching, links and the engine see it; or an activity
 * (activity.h), for which a program waits in the same way. */
#pragma once

#include "hnow.h"
#include "base/list.h"

#include <stdatomic.h>

struct activity;
struct inbound;
struct link;

struct hn_request {
    struct list_node node; /* receive: on the list of posted receives */
    atomic_bool done;      /* the last thing that is written: who sees it may free the request */
    int result;            /* HN_OK or HN_E..., once done */
    hn_info info;
    uint64_t number;           /* of the message between its sender and its receiver, from 1 */
    struct activity *activity; /* that this is the request of; NULL: a message */
    bool is_transfer;          /* the engine counts it among its transfers */

    /* A receive. */
    hn_tid from; /* or HN_ANY */
    int tag;     /* or HN_ANY */
    hn_context context;
    void *data;
    size_t count; /* room, in elements of type */
    hn_type type;
    unsigned ticks;           /* while it is posted, as argument_check.h counts */
    struct inbound *arriving; /* its message, while a part of that is there */
    bool cuts;                /* it takes any message, and as much of it as there is room for */
    bool whole;               /* it does not take one of which only a part is there already */

    /* A send. */
    hn_tid to;
    /* Frames that refer to the caller's buffer and are not acknowledged yet. */
    unsigned pieces;
    struct link *link;      /* that they are on */
    struct list_node *last; /* the last of them; valid while there are any */
};

/* A request for a call whose arguments have been checked: HN_OK, what that said, or HN_ENOMEM. */
int request_new(int checked, hn_request **made);
void request_free(hn_request *r);

/* Neither a send nor a receive yet.  One field after the other: compilers clear as much at once
 * with an instruction that takes longer to begin than all of this. */
static inline void request_init(hn_request *r)
{
    list_init(&r->node);
    atomic_init(&r->done, false);
    r->result = HN_OK;
    r->info = (hn_info){0};
    r->number = 0;
    r->activity = NULL;
    r->is_transfer = false;
    r->from = r->to = 0;
    r->tag = 0;
    r->context = 0;
    r->data = NULL;
    r->count = 0;
    r->type = HN_BYTE;
    r->ticks = 0;
    r->arriving = NULL;
    r->cuts = false;
    r->whole = false;
    r->pieces = 0;
    r->link = NULL;
    r->last = NULL;
}

/* Marks a request as done; the thread that waits for it sees it after the current loop iteration
 * (engine.c), or when it begins to wait, without the lock. */
static inline void request_finish(struct hn_request *r, int result)
{
    r->result = result;
    atomic_store_explicit(&r->done, true, memory_order_release);
}

/* send.c: whether the request is done; a send that is not gets a copy of what is on its way,
 * when there is room for it and it is not long.  Never waits. */
bool request_settled(struct hn_request *r);
