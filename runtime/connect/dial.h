/* dial.h - making and accepting connections between tasks.
 *
 * A task on the same host is dialled by the local path (local.h).  Otherwise, or when that fails,
 * the agent is asked, and the task is dialled at all of its candidate addresses, in the order and
 * with the pauses of address_order.h, or as soon as the one before has failed; the first
 * to answer *and* to prove that it is the task that was meant wins (an address like 172.17.0.1 may
 * exist on both hosts). The last candidate is the relay through the agents (relay.h).  When all
 * have failed, the round begins again after a pause that doubles, for PEER_PATIENCE seconds.  Where
 * the task itself is reached, by the local path or the relay, and only says nothing (it is stopped,
 * or a debugger holds it), there is no such limit: the agents would say so if it had ended.
 *
 * When two tasks dial each other at the same time, the connection of the lower tid is kept: it
 * answers BUSY to the other's, who then waits for the call and tries again if none comes.
 *
 * A task that gives up, or takes the relay, reports for each address why it failed: in the text of
 * HN_ELINK, and to hrun.
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
    DIAL_ATTEMPTS = 8, /* addresses, hrun's first ones; one more is the host's own path */
    DIAL_TIMEOUT = 5 /* s */,
    DIAL_STAGGER = 250 /* ms */,
    DIAL_AGAIN = 3 /* so often are silent addresses dialled again before the relay is */,
    DIAL_AGAIN_AFTER = 400 /* ms; the last time, and the relay, after twice as long */,
    DIAL_BARREN = 8 /* connections in a row that break before anything new has passed are too many,
                       if they have taken PEER_PATIENCE */
    ,
    LISTEN_TURN = 64 /* connections accepted in a turn of the loop, then others get theirs */,
    LISTEN_PAUSE = 100 /* ms, while there are no descriptors */
};

/* A connection whose ends do not know each other yet (set_up.c). */
struct set_up {
    struct list_node node; /* in dial.set_ups or listener.set_ups */
    struct task *task;
    struct peer *peer; /* dialled; NULL: accepted */
    int fd;
    bool connecting;
    ev_io io;
    ev_timer deadline;
    struct handshake handshake;
    bool local;                   /* dialled or accepted by the local path */
    bool joins;                   /* dialled to be a further socket of p's connection */
    unsigned address;             /* which one of dial.address was dialled */
    bool meant;                   /* dialled where only the task that is meant can be, if anybody */
    struct pending pending;       /* of an accepted one */
    struct pending_source source; /* where it came from; not local */
    int memory;                   /* descriptor of memory to share, on its way; -1: none */
    struct shared *shared;        /* what of it is mapped; NULL: nothing is */
};

struct dial_address {
    struct sockaddr_storage at; /* AF_UNIX, or AF_INET6 (IPv4 as mapped addresses) */
    socklen_t length;
    unsigned after;  /* ms after the one before it, unless that has failed (address_order.h) */
    const char *why; /* the last attempt has failed, a constant; NULL: there was none */
};

struct dial {
    struct peer *peer;
    struct dial_address address[DIAL_ATTEMPTS + 1];
    unsigned addresses, next;
    unsigned relay;           /* which of them is the relay; known when answered */
    unsigned again;           /* so often have they been dialled again in this round */
    bool busy;                /* in this round an address of the network has answered BUSY */
    bool silent;              /* in this round the task was reached, and said nothing */
    bool asked, answered;     /* the agent has been asked for them, and has answered */
    struct list_node set_ups; /* attempts under way */
    struct list_node joining; /* those of further sockets for the connection that there is */
    ev_timer timer;           /* the next attempt, or the next round */
    uint64_t since;           /* when it began, for PEER_PATIENCE; 0: not dialling */
    unsigned rounds;

    /* Connections that break. */
    uint64_t passed;       /* bytes of the streams, both ways, when the last one broke */
    uint64_t barren_since; /* since then (engine_now) no byte has passed; 0: none has broken */
    unsigned barren;       /* so many have broken since */

    struct route_rate rate; /* whether another route, or several sockets, may carry more */
};

struct listener {
    struct ports ports;
    int local_fd; /* UNIX (local.h), -1 where there is none */
    ev_io readable[PORTS_SOCKETS], local_readable;
    bool started;
    ev_timer pause;
    struct list_node set_ups;     /* accepted */
    struct pending_table pending; /* the same: who of them gives way */
    struct strangers strangers;   /* refused connections */
};

/* The address of an end of a connection, or of a listening socket. */
union dial_name {
    struct sockaddr any;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
};
/* Our own end's; false: it has no name. */
bool dial_own_name(int fd, union dial_name *name);
void listener_init(struct task *t);
/* Opens the sockets as hrun's -ports and -iface say: HN_OK or HN_ESYS. */
int listener_open(struct task *t);
/* From now on the job has other machines, too (ports.h). */
void listener_widen(struct task *t);
/* Counts a refused connection; why: a constant. */
void listener_note(struct task *t, const char *source, const char *why);
/* Notifies hrun of those that it does not know of yet. */
void listener_report(struct task *t);
void listener_start(struct task *t);
void listener_close(struct task *t);

void dial_init(struct dial *d, struct peer *p);
/* A connection has broken; until then so many bytes of the streams had passed, both ways.  False:
 * too many have broken, for too long, before anything new passed.  No I/O. */
bool dial_note_break(struct dial *d, uint64_t passed, uint64_t now);
/* For that reason: says so to hrun, and fails the peer. */
void dial_give_up(struct dial *d);
/* Begins to dial, unless it is doing so; a little later where connections break again and again. */
void dial_start(struct dial *d);
/* The agent's answer: a list of addresses as in control.h. */
void dial_addresses(struct dial *d, struct unpack *list);
/* Every address that was tried and why it failed last: "ADDRESS port PORT (why), ...", cut behind
 * a whole one, with "...", when it is longer than size. */
void dial_describe(const struct dial *d, char *text, size_t size);
/* The reason of all addresses of the network for which none is known; a constant. */
void dial_note(struct dial *d, const char *why);
/* A connection to that address is made; one through the relay is reported to hrun. */
void dial_succeeded(struct dial *d, unsigned address);
/* The connection fd is slow: other interfaces than its own are dialled first from now on. False:
 * there is none, or the addresses are not known yet; then they are asked for. */
bool dial_leave(struct dial *d, int fd);
/* An address of the network has answered BUSY: the relay is dialled later. */
void dial_busy(struct dial *d);
/* Whether the other end of the connection fd can be dialled once more, as far as is known: then
 * addresses are asked for. */
bool dial_can_join(struct dial *d, int fd);
/* Dials further sockets for the parallel connection whose first one is fd, so that there are n. */
void dial_join(struct dial *d, int fd, unsigned n);
/* The connection is gone: ends what was to join it. */
void dial_stop_joining(struct dial *d);
/* Ends all attempts to make a connection. */
void dial_stop(struct dial *d);
