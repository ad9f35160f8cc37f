/* inlet.h - the standard input of a task, as its agent feeds it.
 *
 * What hrun sends is written into the pipe as the task reads it.  hrun never sends more than the
 * room that was reported to it, so at most INLET_ROOM bytes wait here.
 */
#pragma once

#include "base/pack.h"

#include <ev.h>

enum { INLET_ROOM = 256 * 1024 }; /* on the way; less makes a busy host wait for each answer */

struct inlet {
    struct ev_loop *loop;
    ev_io writable;
    int fd; /* -1: closed */
    struct pack waiting;
    size_t written; /* so many bytes of that have gone */
    bool ending;    /* the end of file follows what waits */
    /* There is room for n bytes more; 0: the task has closed its input. */
    void (*room)(struct inlet *inlet, size_t n);
    void *user;
};

/* Takes over the descriptor; room and user are set by the caller before. */
void inlet_open(struct inlet *inlet, struct ev_loop *loop, int fd);
/* Bytes for the task; n = 0: end of file. */
void inlet_put(struct inlet *inlet, const void *data, size_t n);
void inlet_close(struct inlet *inlet);
