/* stream.h - one output stream of a task, as its agent reads it.
 *
 * The task's output is forwarded in whole lines.  A line longer than STREAM_PIECE is forwarded in
 * pieces.  An unfinished line (a prompt) is forwarded when nothing follows it for STREAM_IDLE
 * seconds, or when the stream ends.  At most STREAM_WINDOW bytes are not acknowledged by hrun.
 * Then reading stops, the pipe fills and the task waits, so memory is bounded everywhere.  While
 * reading is stopped, an unfinished line is not forwarded as a prompt, because its rest may be in
 * the pipe.
 */
#pragma once

#include "base/pack.h"

#include <ev.h>

/* Bytes: the capacity of a pipe; four of them, so that a round trip to hrun does not stop the
 * task. */
enum { STREAM_PIECE = 64 * 1024, STREAM_WINDOW = 256 * 1024 };
#define STREAM_IDLE 0.2 /* seconds: longer than a program takes between two writes of a line */

/* Embedded in struct hnowd_task.  `held` contains less than a line, or bytes that wait for
 * credit. */
struct stream {
    struct ev_loop *loop;
    ev_io readable;
    ev_timer idle;
    int fd;           /* -1: ended */
    struct pack held; /* read, but no complete line yet */
    size_t unacked;   /* forwarded, but not acknowledged */
    /* Processes n > 0 bytes; must not close the stream. */
    void (*pass)(struct stream *stream, const uint8_t *data, size_t n);
    void (*ended)(struct stream *stream); /* end of file; everything was forwarded */
    void *user;
};

/* Takes ownership of the descriptor.  The caller sets pass, ended and user before the call. */
void stream_open(struct stream *stream, struct ev_loop *loop, int fd);
/* hrun has acknowledged n bytes. */
void stream_credit(struct stream *stream, size_t n);
/* Forwards the available bytes and ends the stream, even if other processes hold its other end
 * open.  False: hrun has not acknowledged enough yet: try again later. */
bool stream_finish(struct stream *stream);
/* Closes it at once, without calling ended(). */
void stream_close(struct stream *stream);
