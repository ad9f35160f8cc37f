/* relay.h - how an agent forwards connections of its tasks that cannot be made directly.
 *
 *     task A - UNIX socket - agent of A ---- hrun ---- agent of B - UNIX socket - task B
 *
 * For a task the relay is the last address at which another task can be dialled: a UNIX socket of
 * its agent.  Only tasks of the job can compute its name (local.h; the agent has the tid of serial
 * 0).  The agent reads the addressed task from the first bytes of the handshake.  It asks that
 * task's agent, through hrun, to connect to the task's own UNIX socket.  From then on the agents
 * forward bytes without interpreting them.  The tasks prove who they are, and resume a broken
 * stream, as over any other connection.
 *
 * Memory is bounded: in each direction at most RELAY_WINDOW bytes are in flight.  Then the agent
 * stops reading until the other agent has written some and returns credit (RELAY_CREDIT).  It
 * returns credit for a quarter of the window at a time, because a frame for every message would
 * delay the answers behind a gateway (pulse.h).  A stream is identified by its two hosts, a number
 * that the opening host assigned, and which host opened it. hrun has no state for streams: it
 * forwards the frames, and replaces the destination host by the source host.
 *
 * Cost: five copies through sockets instead of one.  The relay is for networks where nothing else
 * works.
 */
#pragma once

#include "protocol/channel.h"
#include "base/list.h"
#include "connect/strangers.h"

/* RELAY_WINDOW: bytes, see above.  RELAY_PIECE: bytes of a frame; on a slow channel later frames
 * wait for it.  RELAY_STREAMS: of one agent; further ones are refused. */
enum { RELAY_WINDOW = 512 * 1024, RELAY_PIECE = 32 * 1024, RELAY_STREAMS = 4096 };
enum { RELAY_TURN = 64 };   /* connections accepted in an iteration of the loop */
enum { RELAY_PAUSE = 100 }; /* ms until accept() is tried again after a failure */

/* One for each agent.  It owns its streams and their sockets; `up` belongs to the agent. */
struct relay {
    struct channel *up; /* to hrun */
    const uint8_t *secret;
    uint32_t host; /* own number */
    int fd;        /* listening socket; -1: none */
    ev_io readable;
    ev_timer pause;
    struct list_node streams;
    unsigned count;
    uint32_t last;              /* the last stream number assigned */
    struct strangers strangers; /* other users who tried to connect */
};

/* Starts to listen.  If there is no descriptor, tasks have no relay, and everything else works. */
void relay_open(struct relay *relay, struct channel *up, uint32_t host, const uint8_t *secret);
/* Processes a frame RELAY_...; its first field is the source host. */
void relay_frame(struct relay *relay, struct control_frame *frame);
/* Notifies hrun of refused connections that were not reported yet. */
void relay_report(struct relay *relay);
/* Closes all streams. */
void relay_close(struct relay *relay);
