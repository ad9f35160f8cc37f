/* match.h - matches messages with receives.
 *
 * This module does no I/O and no locking; every caller holds the engine's lock.  There are two
 * queues: receives that wait for a message (posted), and complete or incomplete messages that wait
 * for a receive (unexpected).  Both are in order of time, and the first match wins.  So messages
 * with equal sender, tag and context never overtake each other.
 *
 * Handlers take precedence over receives.  A message that a handler wants goes to a separate queue,
 * which receives and probes do not see.  The same holds for the argument checks of groups, which
 * programs do not see (argument_check.h).
 */
#pragma once

#include "protocol/control.h"
#include "link/frame.h"
#include "link/outbox.h"
#include "engine/pool.h"
#include "engine/request.h"
#include "match/match_index.h"

/* Selects the messages of a handler; the first handler that matches gets the message. */
struct match_handler {
    struct list_node node;
    hn_tid from; /* or HN_ANY */
    int tag;     /* or HN_ANY */
    hn_context context;
    bool drops; /* its messages are dropped */
};

/* A message that is being received.  Its next bytes go to data[got]. */
struct inbound {
    struct list_node node; /* on match.unexpected while it has no receive, or on match.handled */
    struct list_node same; /* in a bucket of match.unexpected_index, if there is one */
    hn_info info;
    hn_context context;
    bool big_endian;
    bool owned;        /* data was allocated here */
    bool asks;         /* synchronous send: its sender waits until a receive has matched it */
    bool dropped;      /* freed when it is complete; nobody receives it */
    size_t total, got; /* bytes */
    uint64_t number;   /* among the messages from its sender; 0: created in this process */
    uint8_t *data;     /* the receiver's buffer, or allocated here */
    size_t room;       /* bytes of data, if it was allocated here */
    size_t counted;    /* of these in match.incoming */
    struct hn_request *claim;      /* the matching receive, or ... */
    struct match_handler *handler; /* ... the matching handler */
};

/* A message that another process than its sender will deliver, even if the sender has ended: a
 * notification. */
struct match_due {
    struct list_node node; /* on match.due */
    hn_tid from;
    int tag;
    hn_context context;
};

/* An acknowledgement of a synchronous send that a receive has matched. */
struct match_ssend_ack {
    struct list_node node; /* on match.ssend_acks */
    hn_tid from;
    int tag;
    hn_context context;
};

/* Part of the task context.  Lists hold what is in progress; the counters are statistics that other
 * files read to detect changes. */
struct match {
    struct list_node posted, unexpected;
    struct match_index posted_index, unexpected_index;
    struct list_node probing; /* struct hn_request: what threads inside hn_probe() wait for */
    struct list_node handlers, handled; /* both in order of time; handled: messages for handlers */
    struct list_node argument_checks;   /* messages in contexts of match_argument_checks() */
    struct match_handler argument_checker; /* the handler that selects them */
    bool waits;  /* set when a receive in an operation's context is posted; argument_check.c clears
                    it */
    bool closed; /* see match_close() */
    struct list_node ssend_acks; /* acknowledgements to send: struct match_ssend_ack */
    /* struct match_due: receives for these wait even after the sender's end */
    struct list_node due;
    unsigned ready;       /* complete messages on `handled` */
    uint64_t kept;        /* messages so far that arrived before a matching receive */
    size_t incoming;      /* bytes of messages that no receive has matched: see cost() */
    size_t outgoing;      /* bytes allocated for messages that wait to be sent or acknowledged */
    uint64_t finished;    /* receives completed so far */
    struct pool pool;     /* memory for messages, also outgoing ones ... */
    struct outbox outbox; /* ... unless the agent shares memory for those */
};

/* In a context with this bit, acknowledgements of synchronous sends are sent, for the context
 * without it.  No group and no hn_context_new() uses it. */
enum { MATCH_SSEND_ACK = (int)0x80000000 };

/* The context for argument checks of messages in this context: the last one of its group. */
static inline hn_context match_argument_checks(hn_context context)
{
    return context | (CONTROL_STEP - 1);
}

void match_init(struct match *m);
/* Frees all unexpected messages.  Posted receives fail with HN_ESTATE. */
void match_clear(struct match *m);

/* The first frame of a message has arrived.  NULL: out of memory. */
struct inbound *match_begin(struct match *m, hn_tid from, const struct frame *f);
/* A frame with the next `bytes` of the message has arrived: makes room for them.  False: out of
 * memory. */
bool match_make_room(struct match *m, struct inbound *in, size_t bytes);
/* The message is complete.  May free `in`. */
void match_complete(struct match *m, struct inbound *in);
/* Receives a message that consists of one frame; number: as in struct inbound.  Allocates nothing
 * if a receive is posted.  HN_OK or HN_ENOMEM. */
int match_whole(struct match *m, hn_tid from, const struct frame *f, uint64_t number,
                const void *data);
/* Delivers a complete message that this process or the runtime has created: HN_OK or HN_ENOMEM. */
int match_put(struct match *m, const hn_info *info, hn_context context, const void *data);
/* The rest of the message will not arrive: frees it.  If its receive accepts any sender, that waits
 * for another message; otherwise it fails with `result`. */
void match_abort(struct match *m, struct inbound *in, int result);

/* Registers a handler.  It also gets messages that have arrived and were not received. */
void match_add_handler(struct match *m, struct match_handler *h);
/* Unregisters a handler.  Its messages go to the next handler that matches, or wait for
 * receives. */
void match_remove_handler(struct match *m, struct match_handler *h);
/* The first complete message for a handler; NULL: there is none. */
struct inbound *match_first_handled(struct match *m);
/* Frees a message of match_first_handled(). */
void match_drop(struct match *m, struct inbound *in);

/* Drops all unexpected messages, and those that will arrive: no receive will be posted any more. */
void match_close(struct match *m);
/* Drops an unexpected message: it is no longer counted, and freed when it is complete. */
void match_drop_unexpected(struct match *m, struct inbound *in);

/* The first complete argument check with a tag from `least` to `most`; NULL: there is none.
 * match_drop_argument_check() frees it. */
struct inbound *match_first_argument_check(struct match *m, int least, int most);
void match_drop_argument_check(struct match *m, struct inbound *in);

/* Gives r the first matching message (r->whole: the first complete one), or appends r to the posted
 * queue.  If the first match does not fit, r is done with HN_ETRUNC or HN_ETYPE and the message
 * stays. */
void match_post(struct match *m, struct hn_request *r);
/* Cancels r.  True: it was still posted.  False: it is done, or its message is arriving. */
bool match_cancel(struct match *m, struct hn_request *r);
/* Cancels r even if its message is arriving; that then waits for another receive.  False: r is
 * done, or there is no memory for the bytes that have arrived. */
bool match_release(struct match *m, struct hn_request *r);
/* The first message that such a receive would match; `whole`: the first complete one.  NULL:
 * none. */
const struct inbound *match_find(struct match *m, hn_tid from, int tag, hn_context context,
                                 bool whole);
/* Whether such a receive would match a message on match.due. */
bool match_is_due(const struct match *m, hn_tid from, int tag, hn_context context);
/* Fails the posted receives that only `from` could serve, which has ended or failed; result: why.
 * With HN_EDEAD, receives that match a message on match.due keep waiting. */
void match_sender_ended(struct match *m, hn_tid from, int result);
/* Fails all posted receives in a context, as if they were receives from `from`, which has
 * failed. */
void match_fail_context(struct match *m, hn_context context, hn_tid from, int result);
/* Whether a receive with exactly these values is posted and has no message yet. */
bool match_is_posted(const struct match *m, hn_tid from, int tag, hn_context context);
/* Fails the posted receives with exactly these values. */
void match_fail_receives(struct match *m, hn_tid from, int tag, hn_context context, int result);
/* Fails all posted receives. */
void match_fail_all(struct match *m, int result);
