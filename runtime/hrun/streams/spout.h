/* spout.h - writes struct output to hrun's own standard output or error, and never blocks.
 *
 * The descriptor may be shared with other programs (a terminal, a pipe), so it is not made
 * nonblocking.  It is only written to when it is writable, and then so few bytes that it cannot
 * block.  A writable pipe takes at least a page.  A terminal is opened again, nonblocking.
 */
#pragma once

#include "hrun/streams/output.h"

#include <ev.h>

/* One of hrun's two outputs.  `sent` counts inside output.ready, which is refilled only when all of
 * it is written. */
struct spout {
    struct ev_loop *loop;
    ev_io writable;
    ev_timer patience;
    int fd;
    size_t portion; /* bytes of a write */
    struct output output;
    size_t sent; /* bytes of output.ready that are written */
    bool moved;  /* something was written since the last spout_discard_if_stuck() */
    bool broken; /* a write has failed, or it is stuck: all later output is discarded */
    int error;   /* errno of that */
    void (*on_broken)(struct spout *spout);
    void (*on_empty)(struct spout *spout); /* everything was written */
    void *user;
};

/* The caller keeps the descriptor, and sets on_broken, on_empty and user before the call. */
void spout_open(struct spout *spout, struct ev_loop *loop, int fd);
void spout_add(struct spout *spout, struct output_source *source, const void *data, size_t n);
void spout_source_ended(struct spout *spout, struct output_source *source);
/* If nothing could be written since the last call, discards all output from now on. */
void spout_discard_if_stuck(struct spout *spout);
bool spout_is_empty(const struct spout *spout);
/* Blocks until everything is written. */
void spout_close(struct spout *spout);
