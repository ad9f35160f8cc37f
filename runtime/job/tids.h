/* tids.h - which numbers are tids of this job.
 *
 * hrun numbers the tasks of each host from 1 on, in the order in which they are started.  So a tid
 * that is learned of shows that those with lower serials on its host exist, too, or have existed:
 * one number for each host holds all that a task knows.  Of a tid above it the task asks hrun,
 * once. What has serial 0 names the host itself.
 *
 * Of tasks that have ended one byte is kept when all else about them is freed (peer.h).
 */
#pragma once

#include "protocol/control.h"
#include "hnow.h"

#include <stdatomic.h>
#include <stdbool.h>

/* By host; more do not fit into a positive tid. */
enum { TIDS_HOSTS = 1 << (31 - CONTROL_SERIAL_BITS) };

struct tids {
    _Atomic uint32_t *below; /* serials below this exist; 0: nothing is known of the host */
    struct tids_ends {       /* by host, with the lock: */
        uint8_t *how;        /* by serial, enum tids_end */
        uint32_t size;
    } * ends;
    uint32_t hosts; /* of `ends`: nothing is noted from this one on */
};
enum tids_end { TIDS_LIVES, TIDS_ENDED, TIDS_LOST /* by a failure */ };

int tids_init(struct tids *k);
void tids_clear(struct tids *k);
/* Tids that others have named as tasks. */
void tids_learn(struct tids *k, hn_tid tid);
void tids_learn_all(struct tids *k, const hn_tid *tids, int n);

/* A task has ended: notes how, if there is memory for it. */
void tids_end(struct tids *k, hn_tid tid, enum tids_end how);
/* The end that was noted. */
enum tids_end tids_end_of(const struct tids *k, hn_tid tid);

static inline bool tids_has(const struct tids *k, hn_tid tid)
{
    uint32_t host = control_host((uint32_t)tid);

    return host < TIDS_HOSTS && control_serial((uint32_t)tid) <
                                    atomic_load_explicit(&k->below[host], memory_order_relaxed);
}
