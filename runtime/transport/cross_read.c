/* cross_read.c - single copies between processes (method: cross_read.h).
 *
 * Security: the reader uses only addresses that the lender has published, and copies into its own
 * buffer of known length.  A lender can make it read other bytes of the lender's own memory, which
 * harms no third party.  The key detects a PID that was reused.
 */
#include "transport/cross_read.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* Attempts.  An honest lender changes the address of a loan once, and revokes it once.  More
 * changes are an attack. */
enum { MOVES = 3 };

/* Publishes where this process's key is, so that readers can check whether they read the right
 * process. */
void cross_read_show(struct cross_read_shared *s, const uint8_t key[CROSS_READ_KEY])
{
    memcpy(s->key, key, CROSS_READ_KEY);
    s->key_at = (uintptr_t)key;
    s->pointer = sizeof(void *);
}

/* After the fence, a reader that has copied meanwhile sees the change and discards its copy. */
void cross_read_revoke(struct cross_read_shared *s)
{
    for (int i = 0; i < LINK_LOANS; i++)
        atomic_store_explicit(&s->loans[i], 0, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
}

/* Reads bytes at that address, and then the key. */
static bool read_with_key(const struct cross_read *p, uint64_t at, struct iovec to)
{
    uint8_t key[CROSS_READ_KEY];
    struct iovec here[2] = {to, {key, CROSS_READ_KEY}};
    struct iovec there[2] = {{(void *)(uintptr_t)at, to.iov_len},
                             {(void *)(uintptr_t)p->shared->key_at, CROSS_READ_KEY}};

    return process_vm_readv(p->pid, here, 2, there, 2, 0) == (ssize_t)to.iov_len + CROSS_READ_KEY &&
           memcmp(key, p->shared->key, CROSS_READ_KEY) == 0;
}

/* Reads the key once, as every payload will be read.  So what forbids it later forbids it here:
 * Yama, containers, another user, another PID namespace. */
bool cross_read_try(struct cross_read *p, struct cross_read_shared *s, int fd)
{
    struct ucred other = {0};
    socklen_t size = sizeof other;
    uint8_t key[CROSS_READ_KEY];

    *p = (struct cross_read){.shared = s};
    /* A program with another size of pointers may have addresses beyond ours.  SO_PEERCRED yields
     * the PID at the time of connect(2), in this process's namespace; 0 means that the process is
     * outside it. */
    if (s->pointer != sizeof(void *) ||
        getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &other, &size) < 0 || other.pid <= 0)
        return false;
    p->pid = other.pid;
    return read_with_key(p, s->key_at, (struct iovec){key, CROSS_READ_KEY});
}

/* Reads between two loads of the address, as a sequence lock does.  Only an address that is equal
 * before and after proves that the bytes were stable. */
int cross_read_payload(const struct cross_read *p, unsigned slot, struct iovec to)
{
    const _Atomic uint64_t *loan = &p->shared->loans[slot];

    for (int i = 0; i < MOVES; i++) {
        uint64_t at = atomic_load(loan);
        bool got = at != 0 && read_with_key(p, at, to);

        atomic_thread_fence(memory_order_seq_cst);
        /* The lender has moved or revoked the loan while it was read, so the bytes may be wrong.
         * The fence keeps the copy before this load. */
        if (atomic_load(loan) != at)
            continue;
        if (at == 0)
            return HN_ELINK;
        return got ? HN_OK : HN_ESYS;
    }
    return HN_ESYS;
}
