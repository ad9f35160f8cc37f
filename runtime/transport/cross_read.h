/* cross_read.h - reads payloads from the memory of another task on this host (process_vm_readv(2)).
 *
 * A large message is copied once, by the receiver, from the sender's buffer to its own.  The sender
 * only publishes the address (a loan, link.h), and may compute or sleep meanwhile.
 *
 * The system permits this between processes of a user, unless ptrace is restricted or they are in
 * different containers or PID namespaces.  Each connection tests it once: each side publishes the
 * address of a random key, and the other one reads the key.  The reader reads the key again with
 * every payload.  So it never reads from another process that has the PID of an ended one.
 *
 * A sender that needs its buffer back copies the lent bytes and then changes the address.  So the
 * reader checks the address again after reading.  If it is unchanged, the bytes were not modified
 * meanwhile.  An address of 0 means that the loan was revoked.
 */
#pragma once

#include "link/link.h"

#include <sys/types.h>

enum { CROSS_READ_KEY = 16 }; /* random bytes; too many to guess, or to be equal by chance */

/* In the shared memory; the lender writes all fields except `fetches`. */
struct cross_read_shared {
    uint64_t key_at;
    uint8_t key[CROSS_READ_KEY];
    uint32_t pointer;         /* bytes of a pointer */
    _Atomic uint32_t fetches; /* written by the reader: bit mask of the size classes that it reads
                                 (copy_mode.h) */
    _Atomic uint64_t loans[LINK_LOANS];
};

/* The reader's view of the other side's loans. */
struct cross_read {
    struct cross_read_shared *shared;
    pid_t pid; /* of the lender, in this process's namespace */
};

/* Lender: publishes the key, whose address must not change. */
void cross_read_show(struct cross_read_shared *s, const uint8_t key[CROSS_READ_KEY]);
/* Lender: revokes all loans; a reader that is reading one detects it. */
void cross_read_revoke(struct cross_read_shared *s);

/* Reader: tests access to the process at the other end of the socket.  False: not permitted. */
bool cross_read_try(struct cross_read *p, struct cross_read_shared *s, int fd);
/* Reader: reads the payload whose address is in that slot.  HN_ELINK: the loan was revoked.
 * HN_ESYS: the read failed. */
int cross_read_payload(const struct cross_read *p, unsigned slot, struct iovec to);
