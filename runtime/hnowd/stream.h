/* stream.h - one output stream of a task, as its agent reads it.
 *
 * What the task writes is passed on in whole lines.  A line longer than STREAM_PIECE goes in
 * pieces, and an unfinished line (a prompt) goes when nothing follows it for STREAM_IDLE seconds,
 * or when the stream ends.  At most STREAM_WINDOW bytes are read and not yet acknowledged by hrun:
 * then reading stops, the pipe fills and the task waits, so that no memory grows anywhere.  What
 * follows a line is not known then, so it is no prompt.
 */
#pragma once

#include "base/pack.h"

#include <ev.h>

/* Bytes: a pipe's capacity; four of them, so that a round trip to hrun does not stop the task. */
enum { STREAM_PIECE = 64 * 1024, STREAM_WINDOW = 256 * 1024 };
#define STREAM_IDLE 0.2 /* seconds: longer than a program takes between two writes of a line */

struct stream {
    struct ev_loop *loop;
    ev_io readable;
    ev_timer idle;
    int fd;           /* -1: ended */
    struct pack held; /* read, but no line yet */
    size_t unacked;   /* passed on, but not acknowledged */
    /* Takes n > 0 bytes; must not close the stream. */
    void (*pass)(struct stream *stream, const uint8_t *data, size_t n);
    void (*ended)(struct stream *stream); /* end of file; everything was passed on */
    void *user;
};

/* Takes over the descriptor; pass, ended and user are set by the caller before. */
void stream_open(struct stream *stream, struct ev_loop *loop, int fd);
/* hrun has passed on n bytes. */
void stream_credit(struct stream *stream, size_t n);
/* Passes on what is there now and ends the stream, though others may still hold its other end open.
 * False when hrun has not yet acknowledged enough: try again later. */
bool stream_finish(struct stream *stream);
/* Ends it at once, without a call of ended(). */
void stream_close(struct stream *stream);
