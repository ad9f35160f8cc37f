/* spout.h - hrun's own standard output or error: writes what struct output gives, never blocks.
 *
 * The descriptor may be shared with other programs (a terminal, a pipe), so it is not made
 * nonblocking: it is only written to when it is writable, and then so little that it cannot block
 * (a pipe that is writable takes a page).
 */
#pragma once

#include "hrun/streams/output.h"

#include <ev.h>

struct spout {
    struct ev_loop *loop;
    ev_io writable;
    ev_timer patience;
    int fd;
    size_t portion; /* bytes a write */
    struct output output;
    size_t sent; /* bytes of output.ready that are written */
    bool broken; /* a write failed: everything is thrown away from then on */
    int error;   /* errno of that */
    void (*on_broken)(struct spout *spout);
    void (*on_empty)(struct spout *spout); /* all has been written */
    void *user;
};

/* The descriptor stays the caller's.  on_broken, on_empty and user are set by the caller before. */
void spout_open(struct spout *spout, struct ev_loop *loop, int fd);
void spout_add(struct spout *spout, struct output_source *source, const void *data, size_t n);
void spout_over(struct spout *spout, struct output_source *source);
bool spout_is_empty(const struct spout *spout);
void spout_close(struct spout *spout);
