/* dial.h - making and accepting connections between tasks.
 *
 * A task on the same host is dialled by the local path (local.h).  Otherwise, or if that fails,
 * this task asks the agent for the addresses of the other task.  It dials all of them, in the order
 * and with the delays of address_order.h.  If an address fails, the next one is dialled at once.
 * The first one to answer *and* to prove that it is the right task wins.  The proof is necessary,
 * because an address like 172.17.0.1 may exist on both hosts.  The last address is the relay
 * through the agents (relay.h).
 *
 * If all addresses fail, the next round begins after a pause that doubles, until PEER_PATIENCE
 * seconds have passed.  If the local path or the relay reaches the task and it does not answer,
 * there is no such limit: it is stopped, or a debugger holds it.  The agents would report its end.
 *
 * When two tasks dial each other at the same time, the connection of the lower tid is kept.  That
 * task answers BUSY to the other one, which then waits to be dialled, and dials again if that does
 * not happen.
 *
 * A task that gives up or uses the relay reports why each address failed: in the text of HN_ELINK,
 * and to hrun.
 */
#pragma once

#include "connect/handshake.h"
#include "base/list.h"
#include "base/pack.h"
#include "connect/pending.h"
#include "connect/ports.h"
#include "connect/strangers.h"
#include "connect/route_rate.h"

#include <ev.h>
#include <netinet/in.h>
#include <sys/socket.h>

struct peer;
struct task;

enum {
    DIAL_ATTEMPTS = 8, /* the first ones of hrun's list, without the local path */
    DIAL_TIMEOUT = 5 /* s until an attempt has failed */,
    DIAL_STAGGER = 250 /* ms between attempts to addresses of one route */,
    DIAL_AGAIN = 3 /* repetitions of silent addresses before the relay is dialled */,
    DIAL_AGAIN_AFTER = 400 /* ms before that; twice as much before the last one, and the relay */,
    DIAL_BARREN = 8 /* connections in a row that break before a new byte has passed; the link fails
                       if they have also taken PEER_PATIENCE */
    ,
    LISTEN_TURN = 64 /* connections accepted before other events are handled */,
    LISTEN_PAUSE = 100 /* ms without accept(), while descriptors are missing */
};

/* A connection during the handshake, when the ends have not proven who they are (set_up.c). */
struct set_up {
    struct list_node node; /* in dial.set_ups or listener.set_ups */
    struct task *task;
    struct peer *peer; /* that was dialled; NULL: the connection was accepted */
    int fd;
    bool connecting;
    ev_io io;
    ev_timer deadline;
    struct handshake handshake;
    bool local;                   /* uses the local path */
    bool joins;                   /* becomes a further socket of the peer's parallel connection */
    unsigned address;             /* index in dial.address */
    bool meant;                   /* only the right task, if any, can listen at this address */
    struct pending pending;       /* of an accepted connection */
    struct pending_source source; /* the other end's address; unused on the local path */
    int memory;                   /* descriptor of the shared memory in transit; -1: none */
    struct shared *shared;        /* the mapped memory; NULL: none */
};

/* One address and what became of the last attempt.  Owned by struct dial. */
struct dial_address {
    struct sockaddr_storage at; /* AF_UNIX, or AF_INET6 (IPv4 as mapped addresses) */
    socklen_t length;
    unsigned after;  /* ms after the previous address, unless that has failed (address_order.h) */
    const char *why; /* why the last attempt failed (a constant string); NULL: none failed */
};

/* Part of struct peer.  `address[0]` is the local path, if there is one, then the network's
 * addresses, then the relay.  Addresses are kept after a success, as the connection may break. */
struct dial {
    struct peer *peer;
    struct dial_address address[DIAL_ATTEMPTS + 1];
    unsigned addresses, next;
    unsigned relay;           /* index of the relay; valid when answered */
    unsigned again;           /* repetitions of silent addresses in this round */
    bool busy;                /* in this round an address of the network answered BUSY */
    bool silent;              /* in this round the task was reached and did not answer */
    bool asked, answered;     /* the agent was asked for addresses, and has answered */
    struct list_node set_ups; /* attempts in progress */
    struct list_node joining; /* attempts to add sockets to the open connection */
    ev_timer timer;           /* starts the next attempt or the next round */
    uint64_t since;           /* start of dialling, for PEER_PATIENCE; 0: not dialling */
    unsigned rounds;

    /* Connections that break without progress. */
    uint64_t passed;       /* bytes of both streams when the last connection broke */
    uint64_t barren_since; /* time since when no byte has passed (engine_now); 0: no connection has
                              broken */
    unsigned barren;       /* connections that have broken since */

    struct route_rate rate; /* whether another route or more sockets may be faster */
};

/* Part of the task context.  `pending` and `set_ups` contain the same accepted connections. */
struct listener {
    struct ports ports;
    int local_fd; /* UNIX socket (local.h), or -1 */
    ev_io readable[PORTS_SOCKETS], local_readable;
    bool started;
    ev_timer pause;
    struct list_node set_ups;     /* accepted connections */
    struct pending_table pending; /* the same, ordered by which one is closed first */
    struct strangers strangers;   /* counts of refused connections */
};

/* The address of an end of a connection, or of a listening socket. */
union dial_name {
    struct sockaddr any;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
};
/* The address of our own end of a socket.  False: it has none. */
bool dial_own_name(int fd, union dial_name *name);
/* Initialises the listener without opening sockets. */
void listener_init(struct task *t);
/* Opens the sockets according to hrun's -ports and -iface: HN_OK or HN_ESYS. */
int listener_open(struct task *t);
/* The job now has other machines, too: listens on the network (ports.h). */
void listener_widen(struct task *t);
/* Counts a refused connection; why: a constant string. */
void listener_note(struct task *t, const char *source, const char *why);
/* Notifies hrun of refused connections that were not reported yet. */
void listener_report(struct task *t);
/* Begins to accept connections. */
void listener_start(struct task *t);
void listener_close(struct task *t);

void dial_init(struct dial *d, struct peer *p);
/* Records that a connection has broken, and how many bytes of both streams had passed until then.
 * False: too many connections have broken without progress, for too long.  No I/O. */
bool dial_note_break(struct dial *d, uint64_t passed, uint64_t now);
/* In that case: notifies hrun, and fails the peer. */
void dial_give_up(struct dial *d);
/* Begins to dial, unless dialling already.  Delayed if connections break repeatedly. */
void dial_start(struct dial *d);
/* Takes the agent's answer: a list of addresses as in control.h. */
void dial_addresses(struct dial *d, struct unpack *list);
/* Writes every address that was tried and why it failed last, as "ADDRESS port PORT (why), ...".
 * If the text is longer than `size`, it ends after a whole entry with "...". */
void dial_describe(const struct dial *d, char *text, size_t size);
/* Sets the reason for all network addresses that have none yet; why: a constant string. */
void dial_note(struct dial *d, const char *why);
/* A connection to the address with this index is open.  Reports to hrun if it is the relay. */
void dial_succeeded(struct dial *d, unsigned address);
/* The connection fd is slow: dials other interfaces first from now on.  False: there is no other,
 * or the addresses are unknown; then the agent is asked for them. */
bool dial_leave(struct dial *d, int fd);
/* An address of the network has answered BUSY: delays the relay. */
void dial_busy(struct dial *d);
/* Whether another socket to the other end of the connection fd can be dialled.  False also if the
 * addresses are unknown; then the agent is asked for them. */
bool dial_can_join(struct dial *d, int fd);
/* Dials more sockets for the parallel connection whose first socket is fd, up to n in all. */
void dial_join(struct dial *d, int fd, unsigned n);
/* The connection is gone: ends the attempts to add sockets to it. */
void dial_stop_joining(struct dial *d);
/* Ends all attempts to make a connection. */
void dial_stop(struct dial *d);
