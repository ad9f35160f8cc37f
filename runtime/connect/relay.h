/* relay.h - how an agent carries connections of its tasks that cannot be made directly.
 *
 *     task A - UNIX socket - agent of A ---- hrun ---- agent of B - UNIX socket - task B
 *
 * To a task the relay is one more address at which another task can be dialled, the last one: a
 * UNIX socket of its agent, whose name only tasks of the job can work out (local.h; the agent has
 * the tid of serial 0).  The agent reads from the first bytes of the handshake which task is meant
 * and asks that task's agent, over hrun, to connect to the task's own UNIX socket.  From then on
 * bytes are carried, whatever they are: the tasks prove to each other who they are, and resume a
 * broken stream, as over any other connection.
 *
 * Memory is bounded: at most RELAY_WINDOW bytes of a direction are on their way, then the agent
 * does not read on until the other one has written them (RELAY_CREDIT), which is said of a quarter
 * of them at once: a frame for every message would hold up the answers to it behind a gateway
 * (pulse.h). A stream is named by its two hosts, a number that the opening one has given, and who
 * that was. hrun keeps nothing about streams: it passes the frames on, and puts the host that they
 * come from in the place of the one that they go to.
 *
 * Cost: five copies through sockets instead of one; it is for networks where nothing else works.
 */
#pragma once

#include "protocol/channel.h"
#include "base/list.h"
#include "connect/strangers.h"

/* RELAY_WINDOW: bytes, see above.  RELAY_PIECE: bytes of a frame; what follows one on a slow
 * channel waits for it.  RELAY_STREAMS: of one agent; a task that opens more is refused. */
enum { RELAY_WINDOW = 512 * 1024, RELAY_PIECE = 32 * 1024, RELAY_STREAMS = 4096 };
enum { RELAY_TURN = 64 };   /* connections accepted in a turn of the loop */
enum { RELAY_PAUSE = 100 }; /* ms until accept() is tried again after it has failed */

struct relay {
    struct channel *up; /* to hrun */
    const uint8_t *secret;
    uint32_t host; /* own number */
    int fd;        /* listens; -1: it does not */
    ev_io readable;
    ev_timer pause;
    struct list_node streams;
    unsigned count;
    uint32_t last;              /* number given last */
    struct strangers strangers; /* other users who have tried to use it */
};

/* Begins to listen.  Without it (no descriptor), tasks have no relay; nothing else changes. */
void relay_open(struct relay *relay, struct channel *up, uint32_t host, const uint8_t *secret);
/* Takes a frame RELAY_...; its first field is the host from which it comes. */
void relay_frame(struct relay *relay, struct control_frame *frame);
/* Notifies hrun of refused connections that it does not know of yet. */
void relay_report(struct relay *relay);
/* Ends all streams. */
void relay_close(struct relay *relay);
