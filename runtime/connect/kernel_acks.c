/* kernel_acks.c - tells the kernel that acknowledgements may wait (kernel_acks.h). */
#include "connect/kernel_acks.h"

#include "job/task.h"

#include <netinet/tcp.h>
#include <sys/socket.h>

/* Nanoseconds for which it is taken to remember that: half of what it waits. */
#define REMEMBERED UINT64_C(20000000)

void kernel_acks_wait(struct peer *p)
{
    uint64_t now = engine_now();
    int off = 0;

    if (now < p->acks_wait || now < p->lossy)
        return;
    p->acks_wait = now + REMEMBERED;
    setsockopt(p->fd, IPPROTO_TCP, TCP_QUICKACK, &off, sizeof off);
}
