/* pull.c - single copies between processes (method: pull.h). */
#include "transport/pull.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* A loan moves once, and is taken back once; who sees more is being fooled. */
enum { MOVES = 3 };

void pull_show(struct pull_shared *s, const uint8_t key[PULL_KEY])
{
    memcpy(s->key, key, PULL_KEY);
    s->key_at = (uintptr_t)key;
    s->pointer = sizeof(void *);
}

void pull_revoke(struct pull_shared *s)
{
    for (int i = 0; i < LINK_LOANS; i++)
        atomic_store_explicit(&s->loans[i], 0, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
}

/* Bytes from there, and the key behind them. */
static bool read_with_key(const struct pull *p, uint64_t at, struct iovec to)
{
    uint8_t key[PULL_KEY];
    struct iovec here[2] = {to, {key, PULL_KEY}};
    struct iovec there[2] = {{(void *)(uintptr_t)at, to.iov_len},
                             {(void *)(uintptr_t)p->shared->key_at, PULL_KEY}};

    return process_vm_readv(p->pid, here, 2, there, 2, 0) == (ssize_t)to.iov_len + PULL_KEY &&
           memcmp(key, p->shared->key, PULL_KEY) == 0;
}

bool pull_try(struct pull *p, struct pull_shared *s, int fd)
{
    struct ucred other = {0};
    socklen_t size = sizeof other;
    uint8_t key[PULL_KEY];

    *p = (struct pull){.shared = s};
    if (s->pointer != sizeof(void *) ||
        getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &other, &size) < 0 || other.pid <= 0)
        return false;
    p->pid = other.pid;
    return read_with_key(p, s->key_at, (struct iovec){key, PULL_KEY});
}

int pull_read(const struct pull *p, unsigned place, struct iovec to)
{
    const _Atomic uint64_t *loan = &p->shared->loans[place];

    for (int i = 0; i < MOVES; i++) {
        uint64_t at = atomic_load(loan);
        bool got = at != 0 && read_with_key(p, at, to);

        atomic_thread_fence(memory_order_seq_cst);
        if (atomic_load(loan) != at)
            continue;
        if (at == 0)
            return HN_ELINK;
        return got ? HN_OK : HN_ESYS;
    }
    return HN_ESYS;
}
