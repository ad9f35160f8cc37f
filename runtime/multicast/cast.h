/* cast.h - messages to several tasks of one subnet at once, by IP multicast.
 *
 * Most networks carry a datagram to a group of hosts as cheaply as one to a single host: on a bus
 * every host receives it anyway, and a switch makes the copies.  So a message to many is handed
 * over once, and for its receivers it is a message like any other: it has its place in the byte
 * stream between the two tasks (link.h), so that order, acknowledgement and recovery are those of
 * the connection, which stays open beside it.
 *
 * The happy path: cast_send() queues the message in the streams to all who are within reach,
 * cast_pump() sends a datagram for each frame as long as no receiver has too much that it has not
 * acknowledged; it arrives, is genuine (datagram.h), finds its place, and is matched.  The failure
 * modes: a datagram is lost (the next one shows it, or the connection, which says soon that
 * something went in one, at the latest after CAST_REPORT; the receiver asks for it in a datagram,
 * after CAST_GRACE if only the connection has shown it, and it is sent again, for all who lack it;
 * smaller ones are sent from then on, for of many packets one is lost more easily: cast_repair.c);
 * datagrams do not get through, or not any more (after some questions the receiver breaks the
 * connection, and the next one carries all; a receiver that misses some reports less and less often
 * that datagrams arrive, and without such reports the sender uses the connection); a receiver does
 * not acknowledge for CAST_PATIENCE (it gets the rest by its connection, and the others need not
 * wait for it).
 *
 * A task finds out which others are within reach: before it sends to many it says hello to the
 * group, and tasks that hear this and have a connection with it answer there.  The group's address
 * and port are made of the job's secret (the port lies within hrun's -ports, if these are given).
 * Datagrams do not pass routers (their time to live is 1); tasks on one host and relayed
 * connections do without them, and so does a job with HNOW_MULTICAST=0 in its environment.
 * A datagram is encrypted when the connection of one of its receivers is.
 *
 * Source: recovery from the sender by acknowledgements that travel anyway, as in the reliable
 * multicasts of the field (Floyd and others 1997 name the alternatives); datagrams for collective
 * operations: Apon, Chen and Carrasco 2000.
 */
#pragma once

#include "multicast/datagram.h"
#include "link/link.h"

#include <ev.h>
#include <netinet/in.h>

struct peer;
struct task;

#define CAST_REPORT       0.01  /* s for each receiver: then a report says what went in datagrams */
#define CAST_SAY_HELLO    0.005 /* s after a connection has been made: then hello is said */
#define CAST_REPORT_OFTEN 0.002 /* s, for all receivers: the same, where datagrams get lost */
#define CAST_GRACE        0.001 /* s: so late may a datagram be before which others have arrived */
#define CAST_PATIENCE     1.0   /* s: without acknowledgement */

enum {
    CAST_LIST = 512,       /* of tasks, that hn_multicast() looks through */
    CAST_HELLO = 20000000, /* ns between the first two hellos */
    CAST_INTERFACES = 8,
    CAST_PART_LEAST = 8 << 10, /* a datagram's payload is half a window, or this; IP cuts it */
    CAST_PACKET = 1472,        /* bytes of a datagram that is not cut */
    CAST_WINDOW = 64 << 10,    /* under way, at most */
    CAST_AHEAD = 256 << 10     /* not acknowledged, at most: receivers hold it behind a hole */
};

struct casts {
    int fd;   /* -1: none */
    bool off; /* there is no use in trying */
    struct sockaddr_in group;
    uint8_t key[DATAGRAM_KEY]; /* of our datagrams */
    uint64_t number;           /* of the next datagram */
    ev_io readable, writable;
    struct {
        bool expected; /* messages to many will come: hello is said beforehand */
        uint64_t next; /* when the next one may be said (engine_now) */
        unsigned sent; /* since a connection was made */
    } hello;
    ev_timer report, grace, patience, hello_timer;
    struct list_node queue;     /* struct outgoing (cast_queue.c) */
    int buffer;                 /* bytes that the kernel keeps for us */
    struct {                    /* how long datagrams are */
        uint32_t most;          /* payload of a datagram: the less, the more get lost */
        bool lossy;             /* some got lost, and since then it has not grown to a window */
        unsigned whole;         /* datagrams since the last one that was lost */
        unsigned tried, missed; /* datagrams sent, and asked for, since their length was judged */
        uint64_t stay_long;     /* until then losses do not make them shorter (engine_now) */
        uint64_t may_be_long;   /* from then on short ones that many miss may become long */
    } length;
    struct again *again; /* one that is being sent again (cast_repair.c) */
    uint8_t *in, *out;   /* for a datagram that comes in, and for one that goes out */
    struct cast_interface {
        struct in_addr address;
        int index;
    } interface[CAST_INTERFACES];
    int interfaces;
};

void cast_init(struct task *t);
void cast_clear(struct task *t);
/* Messages to many will be sent: it is found out now, and whenever a connection is made, who is
 * within reach, so that already the first ones go in datagrams. */
void cast_expect(void);
/* A connection over a network has been made: datagrams may come beside it. */
void cast_adopt(struct peer *p);

/* Called when data from p have arrived, perhaps acknowledgements: resumes sends that wait for them.
 */
void cast_go_on(struct peer *p);
/* There is room for messages again. */
void cast_resume(struct task *t);
/* Says hello by all interfaces, if it is time. */
void cast_say_hello(struct task *t);

/* cast_repair.c: what is missing is asked for, and sent again. */
void cast_repair_init(struct task *t);
void cast_repair_clear(struct task *t);
/* Something has arrived from p, and what is before it may be missing. */
void cast_look(struct peer *p);
/* The same: a datagram, whose sender wants to know what has arrived, or does not. */
void cast_look_behind(struct peer *p, uint64_t number, bool wants_answer);
/* p lacks what went to it in datagrams from that place on: DATAGRAM_ASKED bytes (datagram.h). */
void cast_asked(struct peer *p, uint64_t place, const uint8_t *asked);
/* One has gone out, and nobody has missed it yet. */
void cast_lengthen(struct casts *c);
/* Between cast.c, cast_queue.c and cast_repair.c. */
/* Takes all datagrams that have arrived. */
void cast_read(struct task *t);
void cast_queue_init(struct task *t);
void cast_queue_clear(struct task *t);
/* When nothing else has said so until then, receivers get a report that a datagram went to them. */
void cast_report_later(struct task *t, int receivers);
/* Sends a datagram whose targets (d->count) are in c->out already (datagram_target()), with what
 * is to follow them: whether the network has taken it; if not, errno says why.  Its number is used,
 * whether or not. */
bool cast_transmit(struct casts *c, int interface, struct datagram *d, const struct iovec *parts,
                   int n);

/* For multicasts and collective operations: as hn_isend() to each of n tasks, as far as datagrams
 * reach them, if these are more than one; went[i] says to whom, once for each task.  Their number;
 * 0 also where the arguments are wrong, as each send will say. */
int cast_send(const hn_tid *to, int n, int tag, const void *data, size_t count, hn_type type,
              bool *went);
