/* match.h - which message goes to which receive.
 *
 * Pure bookkeeping, no I/O and no locks (the engine's lock is held by every caller).  Two queues:
 * receives that wait for a message (posted), and messages, whole or still arriving, that wait for a
 * receive (unexpected).  Both are in order of time, and the first match wins; so messages of equal
 * sender, tag and context never overtake each other.
 *
 * Handlers stand before the receives: a message that one of them wants goes to a queue of its own,
 * which receives and probes do not see.  So does what members of a group ask each other behind
 * their programs' backs (argument_check.h).
 */
#pragma once

#include "protocol/control.h"
#include "link/frame.h"
#include "link/outbox.h"
#include "engine/pool.h"
#include "engine/request.h"

/* Which messages a handler wants; the first one that does gets the message. */
struct match_handler {
    struct list_node node;
    hn_tid from; /* or HN_ANY */
    int tag;     /* or HN_ANY */
    hn_context context;
    bool drops; /* nobody wants them */
};

/* A message on its way into memory. Its bytes go to data[got...]. */
struct inbound {
    struct list_node node; /* on match.unexpected while no receive has it, or on match.handled */
    hn_info info;
    hn_context context;
    bool big_endian;
    size_t total, got;             /* bytes */
    uint64_t number;               /* among the messages from its sender; 0: made here */
    uint8_t *data;                 /* the receiver's own buffer, or one of ours */
    size_t room;                   /* bytes of data, where it was allocated here */
    bool owned;                    /* it was */
    bool asks;                     /* its sender waits until a receive has taken it */
    bool dropped;                  /* nobody gets it: it goes when all of it has arrived */
    struct hn_request *claim;      /* the receive that gets it, or ... */
    struct match_handler *handler; /* ... the handler */
};

/* A message that will come from elsewhere than its sender, who may have ended: a notice. */
struct match_due {
    struct list_node node; /* on match.due */
    hn_tid from;
    int tag;
    hn_context context;
};

/* A message that a receive has matched, whose sender waits for the acknowledgement. */
struct match_ssend_ack {
    struct list_node node; /* on match.ssend_acks */
    hn_tid from;
    int tag;
    hn_context context;
};

struct match {
    struct list_node posted, unexpected;
    struct list_node handlers, handled;    /* by time; messages for handlers */
    struct list_node argument_checks;      /* messages in the contexts of match_argument_checks() */
    struct match_handler argument_checker; /* which has them */
    bool waits; /* a receive in an operation's context has been posted; argument_check.c takes it
                   back */
    struct list_node ssend_acks; /* due: struct match_ssend_ack */
    struct list_node due;        /* receives for them wait, even if a sender has ended */
    unsigned ready;              /* how many of handled are whole */
    uint64_t kept;               /* messages for which no receive was there, so far */
    size_t incoming;             /* bytes of memory in messages that no receive has taken */
    size_t outgoing;   /* bytes of memory in copies of messages that wait to be sent or confirmed */
    uint64_t finished; /* receives that have been served so far */
    struct pool pool;  /* memory for messages, also for those that wait to be sent, ... */
    struct outbox outbox; /* ... where the agent does not share any for these */
};

/* In a context with this bit, acknowledgements of synchronous sends in the context without it
 * travel; no group or hn_context_new() gets a context that has it. */
enum { MATCH_SSEND_ACK = (int)0x80000000 };

/* The context in which is asked about messages in this one: the last of the group that it is of. */
static inline hn_context match_argument_checks(hn_context context)
{
    return context | (CONTROL_STEP - 1);
}

void match_init(struct match *m);
/* Frees all unexpected messages and fails all posted receives with HN_ESTATE. */
void match_clear(struct match *m);

/* The first frame of a message has arrived: NULL when there is no memory for it. */
struct inbound *match_begin(struct match *m, hn_tid from, const struct frame *f);
/* A frame with the next `bytes` of it has arrived.  False: no memory for them. */
bool match_make_room(struct inbound *in, size_t bytes);
/* All of its bytes are there.  in may be freed by this call. */
void match_complete(struct match *m, struct inbound *in);
/* The frame is a whole message and data all of its bytes, number its number (struct inbound): the
 * same in one call, with nothing allocated where a receive waits for it.  HN_OK or HN_ENOMEM. */
int match_whole(struct match *m, hn_tid from, const struct frame *f, uint64_t number,
                const void *data);
/* A whole message from this process itself or from the runtime: HN_OK or HN_ENOMEM. */
int match_put(struct match *m, const hn_info *info, hn_context context, const void *data);
/* Its sender is gone before the end of it; frees in. A receive from anyone that had it waits for
 * another message. */
void match_abort(struct match *m, struct inbound *in, int result);

/* From now on the handler gets what it wants, also what has arrived and is not received yet. */
void match_add_handler(struct match *m, struct match_handler *h);
/* Its messages go to the next one that wants them, or wait for receives. */
void match_remove_handler(struct match *m, struct match_handler *h);
/* The first whole message for a handler; NULL: there is none. */
struct inbound *match_first_handled(struct match *m);
/* Frees that message. */
void match_drop(struct match *m, struct inbound *in);

/* Nobody will receive this one of the unexpected: it counts no more, and is freed when it is whole.
 */
void match_drop_unexpected(struct match *m, struct inbound *in);

/* The first whole message in such a context with one of these tags; NULL: there is none.  Frees it.
 */
struct inbound *match_first_argument_check(struct match *m, int least, int most);
void match_drop_argument_check(struct match *m, struct inbound *in);

/* Gives the receive r the first message that matches (r->whole: the first that is all there), or
 * puts it on the posted queue.  Where the first match does not fit, r is done with HN_ETRUNC or
 * HN_ETYPE and the message stays. */
void match_post(struct match *m, struct hn_request *r);
/* Takes r back: true when it was still posted; false when it is done or a message is arriving. */
bool match_cancel(struct match *m, struct hn_request *r);
/* Takes r back although its message is arriving, which waits for another receive then. false: it is
 * done, or there is no memory for what has arrived. */
bool match_release(struct match *m, struct hn_request *r);
/* The first message that a receive of these would take; `whole`: that is all there. NULL: none. */
const struct inbound *match_find(const struct match *m, hn_tid from, int tag, hn_context context,
                                 bool whole);
/* Whether a receive of these would take one of the messages that are due. */
bool match_is_due(const struct match *m, hn_tid from, int tag, hn_context context);
/* Fails the posted receives that can only be served by `from`, who is lost: result says why.  With
 * HN_EDEAD those for which a message is due keep waiting. */
void match_sender_ended(struct match *m, hn_tid from, int result);
/* Fails the posted receives of a context, as if they were from `from`, who is lost. */
void match_fail_context(struct match *m, hn_context context, hn_tid from, int result);
/* Whether a receive of exactly these is posted, for which no message has arrived. */
bool match_is_posted(const struct match *m, hn_tid from, int tag, hn_context context);
/* Fails the posted receives of exactly these. */
void match_fail_receives(struct match *m, hn_tid from, int tag, hn_context context, int result);
/* Fails all posted receives. */
void match_fail_all(struct match *m, int result);
