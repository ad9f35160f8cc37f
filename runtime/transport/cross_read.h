/* cross_read.h - reading payloads from the memory of another task on this host
 * (process_vm_readv(2)).
 *
 * A large message goes from the sender's buffer to the receiver's in one copy, which the receiver
 * makes.  The sender only publishes where its bytes are (a loan, link.h), and may compute or sleep
 * meanwhile.
 *
 * The system permits it among a user's processes, unless ptrace is restricted, or a container or a
 * process-id namespace is in between.  That is found out once a connection: each side publishes the
 * address of a random key, and the other one reads the key.  The key is read again with every
 * payload, so that a process that has taken the place of a dead one is never mistaken for it.
 *
 * A sender that needs its buffer back copies what is lent and then changes the address.  So the
 * reader checks the address again after reading: if it is the same, the bytes were not touched
 * meanwhile.  An address of 0 means that the loan has ended.
 */
#pragma once

#include "link/link.h"

#include <sys/types.h>

enum { CROSS_READ_KEY = 16 }; /* random bytes: none are guessed, nor the same by chance */

/* In the shared memory; the lender writes all but `fetches`. */
struct cross_read_shared {
    uint64_t key_at;
    uint8_t key[CROSS_READ_KEY];
    uint32_t pointer; /* bytes of one */
    _Atomic uint32_t
        fetches; /* by the reader: which messages it fetches (copy_mode.h), a bit each */
    _Atomic uint64_t loans[LINK_LOANS];
};

/* One side's view of what the other one lends. */
struct cross_read {
    struct cross_read_shared *shared;
    pid_t pid; /* of the lender, in this process's namespace */
};

/* Lender: shows the key, which stays where it is. */
void cross_read_show(struct cross_read_shared *s, const uint8_t key[CROSS_READ_KEY]);
/* Lender: takes all loans back; who is reading just now sees it. */
void cross_read_revoke(struct cross_read_shared *s);

/* Reader: tries it with the process at the other end of the socket.  False: not permitted. */
bool cross_read_try(struct cross_read *p, struct cross_read_shared *s, int fd);
/* Reader: the payload whose address is in that place.  HN_ELINK: the loan has been taken back;
 * HN_ESYS: it cannot be had this way. */
int cross_read_payload(const struct cross_read *p, unsigned place, struct iovec to);
