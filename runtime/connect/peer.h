/* peer.h - the other tasks that this one exchanges messages with, and the connection to each.
 *
 *      IDLE ----- something to send ----> DIALLING ---- handshake done ----> OPEN
 *        ^ \                                 |                                |
 *        |  `---- the other side dials ------+----------> OPEN                |
 *        +------- connection breaks, nothing unacknowledged ------------------+
 *
 * The happy path: the first message to a task dials it.  Once the connection is open, bytes are
 * written as soon as they are queued.  Bytes that the network does not take wait for the event
 * loop.
 *
 * The failure modes:
 *   * The connection breaks: a side with unacknowledged bytes dials again, and the link resumes.
 *   * The other task ends: its messages are read to the end of the stream.  Then receives from it
 *     fail with HN_EDEAD.
 *   * It cannot be reached for PEER_PATIENCE seconds: sends fail with HN_ELINK and the agent is
 *     notified.
 *
 * Peers of tasks of the same world group are never freed.  The peer of a spawned task is freed when
 * the task has ended and no thread uses it any more; only how it ended is kept (tids.h).
 */
#pragma once

#include "multicast/datagram.h"
#include "connect/dial.h"
#include "link/link.h"
#include "link/replay.h"
#include "transport/parallel.h"
#include "transport/shared.h"
#include "transport/transport.h"

struct task;

/* IDLE also holds for a peer that has failed.  Accepted set-ups do not change the state before
 * their handshake is complete. */
enum peer_state { PEER_IDLE, PEER_DIALLING, PEER_OPEN };
enum {
    PEER_PATIENCE = 30 /* s */,
    PEER_SCRATCH = 16 << 10 /* bytes of a read, except large payloads */
};

/* State of mtu.h. */
struct mtu {
    bool watched;       /* something was sent and may not have arrived */
    bool seen;          /* confirmed and since belong to this connection */
    uint64_t confirmed; /* bytes acknowledged at the last check, */
    uint64_t since;     /* unchanged since this time (engine_now) */
    unsigned stalls;    /* connections in a row that have stalled, */
    uint64_t began;     /* time of the first one */
};

/* Owned by peer_table.  The link outlives every connection; `fd`, the transport and its private
 * state belong to the present one.  Fields are grouped by the file that uses them. */
struct peer {
    struct peer *next;       /* in its hash bucket */
    struct list_node buried; /* in peer_table.buried: freed when nothing holds it */
    unsigned holders;        /* waiting calls that will use it again */
    struct task *task;
    struct link link;
    enum peer_state state;
    int fd;                            /* -1 unless OPEN */
    const struct transport *transport; /* carries the bytes of the link */
    union {                            /* the transport's private state */
        struct seal *seal;
        struct parallel *parallel;
        struct shared *shared;
    };
    ev_io readable, writable;
    bool of_world, met;  /* of_world: in this task's world group; met: was connected once */
    bool no_cross_reads; /* reading its memory has failed: all its messages use the ring */
    struct dial dial;
    struct list_node undelivered; /* messages sent before the task ended (undelivered.h) */
    bool ended;                   /* the agent has reported that the task ended ... */
    bool lost;                    /* ... by a failure */
    int failed;                   /* HN_OK, or why sending is impossible */
    struct {                      /* batching of small messages */
        uint64_t last_sent;       /* time of the last small message (engine_now) */
        unsigned burst;           /* small messages in quick succession */
        bool collecting;          /* some are held back to be written together */
        uint64_t observed;        /* time of the last observe_pace() (engine_now) */
    } sending;
    struct {
        uint64_t late; /* link.received when delayed acknowledgements were last sent */
        int awaits;    /* bytes from which fd counts as readable (socket_await()) */
    } receiving;

    struct {                   /* loss detection (tail_probe.h) */
        bool unsure;           /* something was written and may not have arrived */
        unsigned tail_probes;  /* probes sent since then */
        uint32_t packets_lost; /* highest count of the connection's lost packets (observe.h) */
        uint64_t confirmed;    /* bytes that have arrived, as the kernel counts them */
        uint64_t lossy;        /* the path counts as lossy until then (engine_now) */
    } loss;

    struct mtu mtu; /* detects paths that lose large packets */

    struct {                  /* datagrams (cast.h) */
        int interface;        /* of the connection, if datagrams can arrive by it; else 0 */
        bool casts;           /* some have arrived */
        struct replay replay; /* accepts each datagram once */
        uint8_t datagram_key[DATAGRAM_KEY]; /* decrypts the other side's datagrams */
        uint64_t missing; /* since when a frame is missing (engine_now); 0: none is */
        uint64_t gap;     /* position of the first missing frame */
        unsigned asks;    /* requests for it so far */
        uint64_t deaf;    /* until then it is not reported that its datagrams arrive */
        unsigned losses;  /* datagrams that never arrived */
    } cast;
};

/* Callbacks of the layers above.  All are called with the engine's lock. */
struct peer_events {
    void (*opened)(struct peer *p);   /* a connection is open */
    void (*received)(struct peer *p); /* bytes have arrived, perhaps only acknowledgements */
    void (*missing)(struct peer *p);  /* its stream continues behind a gap (link_misses()) */
    void (*ended)(struct peer *p, int result); /* nothing more will arrive or can be sent */
};

/* Part of the task context.  Lookup takes O(1) for the last peer, else O(peers / 256). */
struct peer_table {
    const struct peer_events *events;
    struct peer *bucket[256];
    struct peer *last; /* the last result of peer_look_up(), which is usually needed next, too */
    struct list_node buried; /* peers of tasks that have ended */
    bool paused;             /* reading has stopped: see peer_resume() */
    ev_timer late;           /* sends delayed acknowledgements */
    ev_timer look;           /* checks for lost packets (tail_probe.h) */
    uint64_t lossy;          /* until then paths count as lossy (engine_now) */
    ev_timer mtu;            /* checks for MTU black holes (mtu.h) */
    uint8_t *scratch;        /* buffer for bytes from connections */
    struct shared_table memory;
    unsigned acks_wanted; /* threads that wait for acknowledgements */
};

static inline struct peer *peer_of(struct link *l)
{
    return (struct peer *)((char *)l - offsetof(struct peer, link));
}

int peer_table_init(struct task *t, const struct peer_events *events);
/* Closes all connections and frees all peers. */
void peer_table_clear(struct task *t);

/* The peer for a tid, or NULL. */
struct peer *peer_find(struct task *t, hn_tid tid);
/* The peer for a tid, created if necessary.  NULL: out of memory. peer_get() (task.h) does the
 * same, and is fast for the last result. */
struct peer *peer_look_up(struct task *t, hn_tid tid);
/* Writes as much as possible now; dials if there is no connection. */
void peer_flush(struct peer *p);
/* The same, but the next thread that drives the loop writes.  With shared memory: as
 * peer_flush(). */
void peer_flush_later(struct peer *p);
/* Writes to an open connection as much as it takes now. */
void peer_write(struct peer *p);
/* flush.c: serves only this connection while r (a send on it) is not done, and while the network
 * takes the bytes faster than they could be copied. */
void flush_until_done(struct peer *p, const struct hn_request *r);
/* As peer_flush() after a small message, or (lent) a message that needs no copy.  Messages in quick
 * succession are left to the loop, which writes many at a time. */
void peer_flush_burst(struct peer *p, bool lent);
/* Resumes reading.  When unexpected messages fill the inbox (task.h: inbox_limit), reading stops,
 * and flow control stops the senders.  Call this after a receive has been posted or served. */
void peer_resume(struct task *t);
/* Whether the inbox is full for messages from p; NULL: from any task.  It is not, up to twice its
 * limit, while a receive, a probe or a send waits for what p sends; beyond that, receives fail.
 * What a receive has matched is always read.  If handlers are about to take messages away, the
 * inbox waits for them, unless the handler itself waits for a message. */
bool peer_inbox_is_full(struct task *t, const struct peer *p);
/* Whether the inbox exceeds 1 or 2 times its limit: above the first it may be full before the
 * message that is arriving is complete; above the second nothing is read, even for a probe.  The
 * second is counted from the moment when the first was exceeded, perhaps by a long message. */
bool peer_inbox_exceeds(const struct task *t, int limits);
/* As engine_wait(), for a condition that acknowledgements bring about. */
void peer_wait_acks(struct task *t, bool (*done)(void *), void *arg);
/* Between these two calls, the other sides acknowledge received bytes at once. */
void peer_want_acks(struct task *t);
void peer_stop_wanting(struct task *t);
/* Reads what has arrived on an open connection, without blocking. */
void peer_read(struct peer *p);
/* Passes bytes of p's stream to the link.  HN_OK, or as link_received(). */
int peer_receive_plain(struct peer *p, const uint8_t *plain, size_t length);
/* Whether a connection may still deliver bytes of p's stream. */
bool peer_may_receive(const struct peer *p);
/* No connection does: receives the bytes that arrived through the agents instead. */
void peer_receive_undelivered(struct peer *p);
/* A datagram has brought a part of p's stream; result: as the link returned. */
void peer_received(struct peer *p, int result);
/* Closes the connection as if it had been cut; another one continues the streams. */
void peer_break(struct peer *p);
/* Starts to use a connection whose handshake is complete and whose transport is chosen.  The other
 * side has received peer_received bytes of our stream. */
void peer_adopt(struct peer *p, int fd, uint64_t peer_received);
/* Sets the options of a socket of a connection. */
void peer_set_options(int fd);
/* Closes the connection, if any; the streams are kept. */
void peer_disconnect(struct peer *p);
/* The task has ended. host_lost: nothing more can arrive from it either. */
void peer_ended(struct peer *p, bool host_lost);
/* Gives up on the peer: sends in flight and later ones fail with `result`. */
void peer_fail(struct peer *p, int result);
/* turn.c: one iteration of the loop for all peers with shared memory.  True: bytes were moved.
 * Otherwise, if the loop is about to block, requests doorbells. */
bool peer_turn(struct task *t, bool before_sleep);
/* Frees the peers that are not needed any more.  Called between iterations of the loop, when only
 * calls that hold peers (peer.holders) have pointers to them. */
void peer_free_buried(struct task *t);
/* Calls f for every peer until it returns false.  Returns whether all returned true. */
bool peer_all(struct task *t, bool (*f)(struct peer *));
