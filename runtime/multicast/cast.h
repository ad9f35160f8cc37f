/* cast.h - messages to several tasks of one subnet at once, by IP multicast.
 *
 * Most networks deliver a datagram to a group of hosts at the cost of one to a single host.  On a
 * bus every host receives it anyway, and a switch makes the copies.  So a message to many is sent
 * once.  For each receiver it is a message like any other, with a position in the byte stream
 * between the two tasks (link.h).  Order, acknowledgement and recovery are those of the connection,
 * which stays open beside the datagrams.
 *
 * The happy path: cast_send() queues the message in the streams to all reachable receivers.
 * cast_pump() sends a datagram for each frame, as long as no receiver has too many unacknowledged
 * bytes.  Each receiver authenticates the datagram (datagram.h), finds its position in the stream,
 * and matches the message.
 *
 * The failure modes:
 *   * A datagram is lost.  A later datagram shows that, or an ACK frame of the connection, after
 *     CAST_REPORT at the latest.  The receiver requests it in a datagram, after CAST_GRACE if only
 *     the connection has shown the loss.  The sender sends it again, for all who lack it.  Later
 *     datagrams are smaller, because of many packets one is lost more easily (cast_repair.c).
 *   * Datagrams do not arrive, or no longer.  After some requests the receiver breaks the
 *     connection, and the next one carries everything.  A receiver that misses datagrams reports
 *     less and less often that they arrive.  Without such reports the sender uses the connection.
 *   * A receiver does not acknowledge for CAST_PATIENCE.  It gets the rest through its connection,
 *     and the other receivers need not wait for it.
 *
 * A task discovers which others are reachable: before it sends to many, it sends HELLO to the
 * group.  Tasks that receive it and have a connection with the sender report that there.  The
 * group's address and port are derived from the job's secret; the port lies within hrun's -ports,
 * if given.  Datagrams do not pass routers (their time to live is 1).  Tasks on one host, relayed
 * connections, and jobs with HNOW_MULTICAST=0 in the environment do not use them.  A datagram is
 * encrypted if the connection of one of its receivers is.
 *
 * Source: retransmission by the sender on acknowledgements that are sent anyway, as in the reliable
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

#define CAST_REPORT       0.01  /* s for each receiver until an ACK frame announces datagrams */
#define CAST_HELLO_DELAY  0.005 /* s after a connection was made until HELLO is sent */
#define CAST_REPORT_OFTEN 0.002 /* s for all receivers: CAST_REPORT where datagrams get lost */
#define CAST_GRACE        0.001 /* s that a datagram may arrive later than its successors */
#define CAST_PATIENCE     1.0   /* s without acknowledgement */

enum {
    CAST_LIST = 512,       /* maximum number of tasks that hn_multicast() checks */
    CAST_HELLO = 20000000, /* ns between the first two HELLOs */
    CAST_INTERFACES = 8,
    CAST_PART_LEAST = 8 << 10, /* a datagram's payload is half a window, or this; IP fragments it */
    CAST_PACKET = 1472,        /* bytes of a datagram that is not fragmented */
    CAST_WINDOW = 64 << 10,    /* maximum in flight */
    CAST_AHEAD = 256 << 10     /* maximum unacknowledged: receivers hold it behind a gap */
};

/* Part of the task context.  `queue` holds frames that wait to be sent in datagrams; their payloads
 * are also pieces of the receivers' links. fd is -1 until a connection leads over a network with
 * multicast. */
struct casts {
    int fd;   /* multicast does not work here */
    bool off; /* there is no use in trying */
    struct sockaddr_in group;
    uint8_t key[DATAGRAM_KEY]; /* encrypts our datagrams */
    uint64_t number;           /* of the next datagram */
    ev_io readable, writable;
    struct {
        bool expected; /* messages to many are expected: HELLO is sent beforehand */
        uint64_t next; /* earliest time of the next one (engine_now) */
        unsigned sent; /* since a connection was made */
    } hello;
    ev_timer report, grace, patience, hello_timer;
    struct list_node queue;     /* struct outgoing (cast_queue.c) */
    int buffer;                 /* bytes of the kernel's receive buffer */
    struct {                    /* adapts the length of datagrams */
        uint32_t most;          /* maximum payload of a datagram; it shrinks with losses */
        bool lossy;             /* some got lost, and since then it has not grown to a window */
        unsigned whole;         /* datagrams since the last loss */
        unsigned tried, missed; /* datagrams sent, and requested again, since the last decision */
        uint64_t stay_long;     /* until then losses do not shorten datagrams (engine_now) */
        uint64_t may_be_long;   /* from then on short datagrams that many miss may become long */
    } length;
    struct again *again; /* the datagram that is being sent again (cast_repair.c) */
    uint8_t *in, *out;   /* buffers for incoming and outgoing datagrams */
    struct cast_interface {
        struct in_addr address;
        int index;
    } interface[CAST_INTERFACES];
    int interfaces;
};

void cast_init(struct task *t);
void cast_clear(struct task *t);
/* The program will send messages to many: discovers now, and whenever a connection is made, which
 * tasks are reachable.  So even the first messages are sent in datagrams. */
void cast_expect(void);
/* A connection over a network was made: datagrams may arrive beside it. */
void cast_adopt(struct peer *p);

/* Data from p have arrived, perhaps acknowledgements: resumes sends that wait for them. */
void cast_continue(struct peer *p);
/* There is room for messages again. */
void cast_resume(struct task *t);
/* Sends HELLO by all interfaces, if it is time. */
void cast_send_hello(struct task *t);

/* ---- cast_repair.c: requests and retransmits lost datagrams ------------------------------- */
void cast_repair_init(struct task *t);
void cast_repair_clear(struct task *t);
/* Something has arrived from p: checks whether earlier frames are missing. */
void cast_look(struct peer *p);
/* The same after a datagram with this number; wants_answer: its sender requests a report of what
 * has arrived. */
void cast_look_behind(struct peer *p, uint64_t number, bool wants_answer);
/* p lacks what was sent to it in datagrams from that position on; asked: the DATAGRAM_ASKED bytes
 * of its request (datagram.h). */
void cast_asked(struct peer *p, uint64_t position, const uint8_t *asked);
/* A datagram was sent and no loss is known: may lengthen the next ones. */
void cast_lengthen(struct casts *c);
/* ---- shared by cast.c, cast_queue.c and cast_repair.c -------------------------------------- */
/* Receives all datagrams that have arrived. */
void cast_read(struct task *t);
void cast_queue_init(struct task *t);
void cast_queue_clear(struct task *t);
/* Schedules a report to receivers that a datagram was sent to them, unless a later frame shows
 * that. */
void cast_report_later(struct task *t, int receivers);
/* Sends a datagram whose d->count targets are in c->out already (datagram_target()), with the
 * content `parts`.  Returns whether the network accepted it; if not, see errno.  Uses up its number
 * in either case. */
bool cast_transmit(struct casts *c, int interface, struct datagram *d, const struct iovec *parts,
                   int n);

/* For multicasts and collective operations: as hn_isend() to each of n tasks, for those that
 * datagrams reach, if these are more than one.  Sets went[i] for these, once for each task, and
 * returns their number.  Returns 0 also if the arguments are wrong, which each later send will
 * report. */
int cast_send(const hn_tid *to, int n, int tag, const void *data, size_t count, hn_type type,
              bool *went);
