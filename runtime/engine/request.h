/* request.h - a pending send or receive, as seen by matching, links and the engine.  Also the
 * request of an activity (activity.h), so that a program can wait for both in the same way. */
#pragma once

#include "hnow.h"
#include "base/list.h"

#include <stdatomic.h>

struct activity;
struct inbound;
struct link;

/* The program holds the handle, and the library may use the struct until `done`. The engine's lock
 * protects all fields except `done`. */
struct hn_request {
    struct list_node node; /* receive: on the list of posted receives, */
    struct list_node same; /* and in a bucket of its index, if it has one (match_index.h) */
    atomic_bool done;      /* written last: a thread that reads true may free the request */
    int result;            /* HN_OK or HN_E..., once done */
    hn_info info;
    uint64_t number;           /* of the message from its sender to its receiver, from 1 */
    struct activity *activity; /* the activity that owns this request; NULL: it is a message */
    bool is_transfer;          /* counted in engine.transfers */

    /* Fields of a receive. */
    hn_tid from; /* or HN_ANY */
    int tag;     /* or HN_ANY */
    hn_context context;
    void *data;
    size_t count; /* capacity in elements of `type` */
    hn_type type;
    unsigned ticks;           /* age while it is posted, in ticks of argument_check.h */
    struct inbound *arriving; /* the matched message while it is incomplete */
    bool cuts;                /* accepts any message and truncates it */
    bool whole;               /* does not accept a message that is still arriving */

    /* Fields of a send. */
    hn_tid to;
    /* Frames in the caller's buffer that are not acknowledged. */
    unsigned pieces;
    struct link *link;      /* the link with these frames */
    struct list_node *last; /* the last of them; valid while pieces > 0 */
};

/* Allocates a request. checked: result of the argument check, which is returned if it is an error.
 * HN_OK, that error, or HN_ENOMEM. */
int request_new(int checked, hn_request **made);
void request_free(hn_request *r);

/* Initialises a request that is neither a send nor a receive.  Assigns each field: to clear the
 * whole struct, compilers use an instruction whose start-up takes longer than all of this. */
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

/* Marks a request as done.  A thread that waits notices it after the current loop iteration
 * (engine.c), or when it begins to wait, without the lock. */
static inline void request_finish(struct hn_request *r, int result)
{
    r->result = result;
    atomic_store_explicit(&r->done, true, memory_order_release);
}

/* send.c: whether the request is done.  If a send is not, and the rest of it is short, copies the
 * bytes in flight if there is room for them.  Never blocks. */
bool request_try_complete(struct hn_request *r);
