/* tids.h - records which numbers are tids of this job.
 *
 * hrun numbers the tasks of each host from 1 on, in the order of their start.  So a tid implies
 * that all lower serials on its host exist, or have existed.  One number for each host is therefore
 * all that a task has to store.  For a higher tid the task asks hrun, once.  Serial 0 names the
 * host itself.
 *
 * When everything else about an ended task is freed, one byte about it is kept (peer.h).
 */
#pragma once

#include "protocol/control.h"
#include "hnow.h"

#include <stdatomic.h>
#include <stdbool.h>

/* By host; more do not fit into a positive tid. */
enum { TIDS_HOSTS = 1 << (31 - CONTROL_SERIAL_BITS) };

/* Part of the task context.  `below` is read without the lock, and only grows. */
struct tids {
    _Atomic uint32_t *below; /* by host: serials below this exist; 0: none is known */
    struct tids_ends {       /* by host, with the lock: */
        uint8_t *how;        /* by serial, enum tids_end */
        uint32_t size;
    } * ends;
    uint32_t hosts; /* entries of `ends`: later hosts are not recorded */
};
enum tids_end { TIDS_LIVES, TIDS_ENDED, TIDS_LOST /* by a failure */ };

int tids_init(struct tids *k);
void tids_clear(struct tids *k);
/* Records tids that others have reported as tasks. */
void tids_learn(struct tids *k, hn_tid tid);
void tids_learn_all(struct tids *k, const hn_tid *tids, int n);

/* Records how a task has ended, if there is memory for it. */
void tids_end(struct tids *k, hn_tid tid, enum tids_end how);
/* The recorded end. */
enum tids_end tids_end_of(const struct tids *k, hn_tid tid);

static inline bool tids_has(const struct tids *k, hn_tid tid)
{
    uint32_t host = control_host((uint32_t)tid);

    return host < TIDS_HOSTS && control_serial((uint32_t)tid) <
                                    atomic_load_explicit(&k->below[host], memory_order_relaxed);
}
