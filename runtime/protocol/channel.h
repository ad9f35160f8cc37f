/* channel.h - a control channel: frames over two descriptors, fed by libev.
 *
 * Reading calls frame() for every frame.  What is written goes to the descriptor before the loop
 * waits, in one write for all frames that answer what has arrived; what it does not take goes when
 * it can.  A channel that is waiting for the agent's first line (channel_expect_sync()) calls
 * synced() when that line is there, and frames follow.
 *
 * A channel may also be forwarded inside frames of another one: these bring its bytes to
 * channel_feed(), and forward() gets what it sends.
 *
 * Failure: end of file, an error of the descriptor, bytes that are no frames.  All end in one call
 * of ended(), after which the channel is closed.  The callbacks may close the channel themselves:
 * the frame that they were given stays valid until they return.  They must not free the channel,
 * nor open it again.
 */
#pragma once

#include "protocol/control.h"
#include "protocol/sync.h"

#include <ev.h>

struct channel;
struct channel_events {
    void (*frame)(struct channel *channel, struct control_frame *frame);
    void (*ended)(struct channel *channel, const char *why); /* why NULL: end of file */
    void (*synced)(struct channel *channel, const char *version);
};

struct channel {
    struct ev_loop *loop;
    const struct channel_events *events;
    ev_io readable, writable; /* of in and out, which may be one descriptor */
    ev_prepare pausing;       /* active while something is to be written */
    int in, out;              /* -1: closed, or forwarded */
    void (*forward)(struct channel *channel, const void *data, size_t n); /* NULL: not forwarded */
    bool syncing;
    struct sync sync;
    struct control_decoder decoder;
    bool taking;          /* callbacks run: the frame that they read lies in the decoder */
    struct pack outgoing; /* bytes not yet written, from sent on */
    size_t sent;
    uint64_t heard, said; /* bytes so far */
};

/* Takes over both descriptors and makes them nonblocking. */
void channel_open(struct channel *channel, struct ev_loop *loop, int in, int out,
                  const struct channel_events *events);
/* A channel without descriptors: forward() gets what is written.  What comes is given to
 * channel_feed(), 0 bytes for the end of file. */
void channel_open_forwarded(struct channel *channel, struct ev_loop *loop,
                            void (*forward)(struct channel *channel, const void *data, size_t n),
                            const struct channel_events *events);
void channel_feed(struct channel *channel, const void *data, size_t n);
/* Called right behind channel_open(). */
void channel_expect_sync(struct channel *channel);
/* Where to write frames (control_put() ...); channel_send() then sends them.  Writing to a closed
 * channel is allowed and has no effect. */
struct pack *channel_out(struct channel *channel);
void channel_send(struct channel *channel);
/* Both, for one frame: control_put(), then channel_send(). */
void channel_put(struct channel *channel, enum control_kind kind, ...);
/* Takes all that the other side has written until now. */
void channel_read_now(struct channel *channel);
/* Tries to write everything, waiting up to the given time for the other side to read; for the last
 * words before exit. */
void channel_drain(struct channel *channel, int milliseconds);
bool channel_is_open(const struct channel *channel);
void channel_close(struct channel *channel);
