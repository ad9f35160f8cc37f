/* plain.c - bytes of a peer's stream that do not come directly from its socket. */
#include "job/task.h"

#include <string.h>

/* Copies in the pieces that link_input() requests, as if they had been read from a socket.  If a
 * frame is missing, the rest is stored until datagrams have delivered it. */
int peer_receive_plain(struct peer *p, const uint8_t *plain, size_t length)
{
    uint8_t *scratch = p->task->peers.scratch;
    int result = HN_OK;

    while (length > 0 && result == HN_OK && !link_misses(&p->link)) {
        struct iovec iov[2];
        int n = link_input(&p->link, iov, scratch, PEER_SCRATCH);
        size_t taken = 0;

        /* Fills the entries in order, as recvmsg(2) would. */
        for (int i = 0; i < n && taken < length; i++) {
            size_t left = length - taken, part = iov[i].iov_len < left ? iov[i].iov_len : left;
            memcpy(iov[i].iov_base, plain + taken, part);
            taken += part;
        }
        plain += taken;
        length -= taken;
        result = link_received(&p->link, scratch, taken);
    }
    return result == HN_OK && length > 0 ? link_stash(&p->link, plain, length) : result;
}
