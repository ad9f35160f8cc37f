/* inlet.h - the standard input of a task, as its agent writes it.
 *
 * Bytes from hrun are written into the pipe as the task reads it. hrun never sends more than the
 * room that was reported, so at most INLET_ROOM bytes wait here.
 */
#pragma once

#include "base/pack.h"

#include <ev.h>

/* bytes in flight; with less, a busy host would wait for each report */
enum { INLET_ROOM = 256 * 1024 };

/* Embedded in the struct of a task or of a launched command. */
struct inlet {
    struct ev_loop *loop;
    ev_io writable;
    int fd; /* -1: closed */
    struct pack waiting;
    size_t written; /* bytes of `waiting` that are written */
    bool ending;    /* end of file follows the waiting bytes */
    /* There is room for n more bytes; 0: the task has closed its input. */
    void (*room)(struct inlet *inlet, size_t n);
    void *user;
};

/* Takes ownership of the descriptor.  The caller sets room and user before the call. */
void inlet_open(struct inlet *inlet, struct ev_loop *loop, int fd);
/* Appends bytes for the task; n = 0: end of file. */
void inlet_put(struct inlet *inlet, const void *data, size_t n);
void inlet_close(struct inlet *inlet);
