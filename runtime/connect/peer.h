/* peer.h - the other tasks that this one has to do with, and the connection to each.
 *
 *      IDLE ----- something to send ----> DIALLING ---- handshake done ----> OPEN
 *        ^ \                                 |                                |
 *        |  `---- the other side dials ------+----------> OPEN                |
 *        +------- connection breaks, nothing unacknowledged ------------------+
 *
 * The happy path: the first message to a task dials it; once open, bytes are written as soon as
 * they are queued, and what the network does not take waits for the loop.  The failure modes: the
 * connection breaks (dialled again by the side with something unacknowledged; the link resumes
 * where it was); the other task ends (its messages are still read to the end of the stream, then
 * receives from it fail with HN_EDEAD); it cannot be reached for PEER_PATIENCE seconds (sends fail
 * with HN_ELINK and the agent is notified).
 *
 * The peers of tasks of the world stay.  That of another task, which was spawned, is freed when the
 * task has ended and no thread has to do with it any more: only how it ended is kept (tids.h).
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

enum peer_state { PEER_IDLE, PEER_DIALLING, PEER_OPEN };
enum {
    PEER_PATIENCE = 30 /* s */,
    PEER_SCRATCH = 16 << 10 /* bytes read at once, but for large payloads */
};

/* State of mtu.h. */
struct mtu {
    bool watched;       /* something has been sent and is not known to have arrived */
    bool seen;          /* the next two are of this connection: */
    uint64_t confirmed; /* bytes that had arrived at the last look, */
    uint64_t since;     /* and since when it has been so many (engine_now) */
    unsigned stalls;    /* so many connections have stalled, */
    uint64_t began;     /* the first one since then */
};

struct peer {
    struct peer *next;       /* in its bucket */
    struct list_node buried; /* in peer_table.buried: freed when nothing holds it */
    unsigned holders;        /* calls that wait and will use it again */
    struct task *task;
    struct link link;
    enum peer_state state;
    int fd;                            /* -1 unless OPEN */
    const struct transport *transport; /* carries the bytes of the link; ... */
    union {                            /* ... and its state, which it alone uses */
        struct seal *seal;
        struct parallel *parallel;
        struct shared *shared;
    };
    ev_io readable, writable;
    bool of_world, met;  /* in this world group; was connected once */
    bool no_cross_reads; /* reading its memory has failed: what it sends goes through the ring */
    struct dial dial;
    struct list_node undelivered; /* sent before the task ended (undelivered.h) */
    bool ended;                   /* the agent has reported its end ... */
    bool lost;                    /* ... by a failure */
    int failed;                   /* HN_OK, or why nothing can be sent any more */
    struct {                      /* small messages, one behind the other */
        uint64_t last_sent;       /* time of the last small message (engine_now) */
        unsigned burst;           /* small messages in close succession */
        bool collecting;          /* some are held back to be written together */
        uint64_t observed;        /* time of the last observe_pace() (engine_now) */
    } sending;
    uint64_t come; /* link.received when late acknowledgements were last sent */

    struct {                   /* what may be lost (tail_probe.h) */
        bool unsure;           /* something was written and is not known to have arrived */
        unsigned tail_probes;  /* probes sent since then */
        uint32_t packets_lost; /* the highest count of the connection (observe.h) */
        uint64_t confirmed;    /* bytes that have arrived, as the kernel counts them */
        uint64_t lossy;        /* until then its path counts as lossy (engine_now) */
    } loss;

    struct mtu mtu; /* whether only small packets arrive */

    struct {                  /* datagrams (cast.h) */
        int interface;        /* of its connection, if datagrams may arrive by it, else 0 */
        bool casts;           /* some have arrived */
        struct replay replay; /* which of them are new */
        uint8_t datagram_key[DATAGRAM_KEY]; /* of the other side's */
        uint64_t missing; /* since when something is missing (engine_now); 0: nothing */
        uint64_t hole;    /* the first place that is missing */
        unsigned asks;    /* how often it was asked for */
        uint64_t deaf;    /* until then no report says that its datagrams arrive */
        unsigned losses;  /* how often something never arrived */
    } cast;
};

/* Functions of the layers above that are called for events; all with the engine's lock. */
struct peer_events {
    void (*opened)(struct peer *p);  /* there is a connection */
    void (*came)(struct peer *p);    /* something has arrived, perhaps acknowledgements */
    void (*missing)(struct peer *p); /* its stream continues behind a hole (link_misses()) */
    void (*over)(struct peer *p, int result); /* nothing more will come, and nothing can be sent */
};

struct peer_table {
    const struct peer_events *events;
    struct peer *bucket[256];
    struct peer *last;       /* that was asked for: mostly it is the next one, too */
    struct list_node buried; /* peers of tasks that have ended */
    bool paused;             /* nothing is read: see peer_resume() */
    ev_timer late;           /* acknowledges what nothing else has acknowledged */
    ev_timer look;           /* at what may be lost (tail_probe.h) */
    uint64_t lossy;          /* until then ways count as such (engine_now) */
    ev_timer mtu;            /* looks at what does not arrive (mtu.h) */
    uint8_t *scratch;        /* where bytes from connections go first */
    struct shared_table memory;
    unsigned acks_wanted; /* threads that wait for acknowledgements */
};

static inline struct peer *peer_of(struct link *l)
{
    return (struct peer *)((char *)l - offsetof(struct peer, link));
}

int peer_table_init(struct task *t, const struct peer_events *events);
/* Closes everything and frees all peers. */
void peer_table_clear(struct task *t);

/* The peer of that name, when there is one. */
struct peer *peer_find(struct task *t, hn_tid tid);
/* The peer of that name, made when it is new; NULL: out of memory.  peer_get() (task.h) is the
 * same, and quick for the one that was asked for last. */
struct peer *peer_look_up(struct task *t, hn_tid tid);
/* Writes what can be written now; dials when there is no connection. */
void peer_flush(struct peer *p);
/* The same, but the next thread that drives the loop writes (shared memory: as peer_flush()). */
void peer_flush_later(struct peer *p);
/* Writes what an open connection takes now. */
void peer_write(struct peer *p);
/* flush.c: attends to the connection alone as long as r (a send on it) is not done and the network
 * takes its bytes at a pace at which going on is better than copying them. */
void flush_until_done(struct peer *p, const struct hn_request *r);
/* The same after a small message, or (lent) one that need not be copied: when these come thick and
 * fast, they are left for the loop to write many at a time. */
void peer_flush_burst(struct peer *p, bool lent);
/* When messages that nobody has asked for fill the inbox (task.h: inbox_limit), reading stops and
 * the senders feel it, until this is called after a receive has been posted or served. */
void peer_resume(struct task *t);
/* Whether the inbox is full; while a receive waits it may have twice as much, then that one fails.
 */
bool peer_inbox_is_full(struct task *t);
/* Whether it has more than its limit, so that it may become full before what arrives is whole. */
bool peer_inbox_is_crowded(const struct task *t);
/* engine_wait() for something that acknowledgements bring about. */
void peer_wait_acks(struct task *t, bool (*done)(void *), void *arg);
/* Between these two, the other sides acknowledge at once what they have received. */
void peer_want_acks(struct task *t);
void peer_stop_wanting(struct task *t);
/* Reads what has arrived on an open connection, without waiting. */
void peer_read(struct peer *p);
/* Gives the link bytes of p's stream.  HN_OK, or as link_received(). */
int peer_receive_plain(struct peer *p, const uint8_t *plain, size_t length);
/* Whether a connection may still bring bytes of p's stream. */
bool peer_is_heard(const struct peer *p);
/* None does: takes what has arrived by the agents instead. */
void peer_receive_undelivered(struct peer *p);
/* Something of p's stream has arrived in a datagram; result is what the link said of it. */
void peer_took(struct peer *p, int result);
/* Closes the connection as if it had been cut: another one continues where it was. */
void peer_break(struct peer *p);
/* A connection that both sides have proven, and whose transport is chosen; the other side has
 * peer_received bytes of ours. */
void peer_adopt(struct peer *p, int fd, uint64_t peer_received);
/* Sets the options of each socket of a connection. */
void peer_set_options(int fd);
/* Closes the connection, if any; the streams stay. */
void peer_disconnect(struct peer *p);
/* The task behind it is no more. host_lost: nothing more can come from there either. */
void peer_ended(struct peer *p, bool host_lost);
/* Gives up: sends in flight and later ones fail. */
void peer_fail(struct peer *p, int result);
/* turn.c: one turn of the loop for all that have shared memory with us: true when something has
 * moved.  Otherwise, if the loop is about to block, asks for doorbells. */
bool peer_turn(struct task *t, bool before_sleep);
/* Frees the peers that are not needed any more.  Between turns of the loop, for no caller but those
 * that hold peers (peer.holders) has one then. */
void peer_free_buried(struct task *t);
/* Calls f for every peer until it says false; returns whether all said true. */
bool peer_all(struct task *t, bool (*f)(struct peer *));
