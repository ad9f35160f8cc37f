/* channel.h - a control channel: frames over two descriptors, driven by libev.
 *
 * The channel calls frame() for every received frame.  Written frames are sent before the loop
 * blocks, so one write carries all answers to the frames that have arrived.  Bytes that the
 * descriptor does not take are sent later.  A channel that waits for the agent's first line
 * (channel_expect_sync()) calls synced() when the line has arrived; frames follow it.
 *
 * A channel may also be forwarded inside frames of another channel.  That one passes received bytes
 * to channel_feed(), and forward() gets the bytes to send.
 *
 * Failures: end of file, an error of the descriptor, bytes that are no frames.  All end in one call
 * of ended(), after which the channel is closed.  Callbacks may close the channel: the frame that
 * they process stays valid until they return.  They must not free the channel, nor open it again.
 */
#pragma once

#include "protocol/control.h"
#include "protocol/sync.h"

#include <ev.h>

struct channel;
/* The owner's functions, constant. synced may be NULL for a channel that expects no sync line. */
struct channel_events {
    void (*frame)(struct channel *channel, struct control_frame *frame);
    void (*ended)(struct channel *channel, const char *why); /* why NULL: end of file */
    void (*synced)(struct channel *channel, const char *version);
};

/* Embedded in the struct of its owner, whose callbacks find the owner by the channel's address. */
struct channel {
    struct ev_loop *loop;
    const struct channel_events *events;
    ev_io readable, writable; /* of in and out, which may be the same descriptor */
    ev_prepare pausing;       /* active while bytes wait to be written */
    int in, out;              /* -1: closed, or forwarded */
    void (*forward)(struct channel *channel, const void *data, size_t n); /* NULL: not forwarded */
    bool syncing;
    struct sync sync;
    struct control_decoder decoder;
    bool taking;          /* callbacks run, and their frame lies in the decoder */
    struct pack outgoing; /* bytes not yet written, from offset `sent` on */
    size_t sent;
    uint64_t bytes_in, bytes_out; /* bytes received and written so far */
};

/* Takes ownership of both descriptors and makes them nonblocking. */
void channel_open(struct channel *channel, struct ev_loop *loop, int in, int out,
                  const struct channel_events *events);
/* Opens a channel without descriptors: forward() gets the bytes to send.  The caller passes
 * received bytes to channel_feed(), and 0 bytes at the end of file. */
void channel_open_forwarded(struct channel *channel, struct ev_loop *loop,
                            void (*forward)(struct channel *channel, const void *data, size_t n),
                            const struct channel_events *events);
void channel_feed(struct channel *channel, const void *data, size_t n);
/* Called directly after channel_open(). */
void channel_expect_sync(struct channel *channel);
/* The buffer for frames (control_put() ...), which channel_send() sends.  Writing to a closed
 * channel is allowed and has no effect. */
struct pack *channel_out(struct channel *channel);
void channel_send(struct channel *channel);
/* Both for one frame: control_put(), then channel_send(). */
void channel_put(struct channel *channel, enum control_kind kind, ...);
/* Receives everything that the other side has written until now. */
void channel_read_now(struct channel *channel);
/* Tries to write everything, and blocks up to this time for the other side to read.  For the last
 * frames before exit. */
void channel_drain(struct channel *channel, int milliseconds);
bool channel_is_open(const struct channel *channel);
void channel_close(struct channel *channel);
