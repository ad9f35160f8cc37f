/* cross_read.h - reading payloads straight from the memory of another task on this host.
 *
 * A large message goes from the sender's buffer to the receiver's in one copy, which the receiver
 * makes (process_vm_readv(2)): the sender only says where its bytes are (link.h: loans), and may
 * compute, or sleep, meanwhile.
 *
 * Whether the system permits it (it does so among a user's processes, unless ptrace is restricted,
 * or a container or a process-id namespace is in between) is found out once a connection: each side
 * shows the address of a random key, and the other one reads it.  The key is read again with every
 * payload, so that a process that has come into the place of a dead one is never taken for it.
 *
 * A sender that needs its buffer back copies what is lent and then changes the address.  So the
 * reader looks at the address again when it has read: where it is the same, the bytes were not
 * touched in between.  An address of 0 says that the loan is no more.
 */
#ifndef HNOW_CROSS_READ_H
#define HNOW_CROSS_READ_H

#include "link/link.h"

#include <sys/types.h>

enum { CROSS_READ_KEY = 16 };

/* What both sides see, written by the lender but for `fetches`. */
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
    pid_t pid; /* of the lender, as we call it */
};

/* Lender: shows the key, which stays where it is. */
void cross_read_show(struct cross_read_shared *s, const uint8_t key[CROSS_READ_KEY]);
/* Lender: takes all loans back; who is reading just now sees it. */
void cross_read_revoke(struct cross_read_shared *s);

/* Reader: tries it with the process at the other end of the socket.  False: not permitted. */
bool cross_read_try(struct cross_read *p, struct cross_read_shared *s, int fd);
/* Reader: the payload whose address stands in that place.  HN_ELINK: the loan has been taken back;
 * HN_ESYS: it cannot be had this way. */
int cross_read_payload(const struct cross_read *p, unsigned place, struct iovec to);

#endif
