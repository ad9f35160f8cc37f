/* play_link.h - bytes that come to a link as through a connection. */
#pragma once

#include "link/link.h"

#include <string.h>

/* Gives the link the bytes, `part` of them at a time, as long as nothing is missing: then nobody
 * reads the connection.  What link_received() says. */
static inline int play_link(struct link *link, const uint8_t *data, size_t size, size_t part)
{
    uint8_t scratch[64];
    struct iovec iov[2];
    int code = HN_OK;
    while (size > 0 && code == HN_OK && !link_misses(link)) {
        int n = link_input(link, iov, scratch, sizeof scratch);
        size_t want = part < size ? part : size, total = 0;
        for (int k = 0; k < n && total < want; k++) {
            size_t step = iov[k].iov_len < want - total ? iov[k].iov_len : want - total;
            memcpy(iov[k].iov_base, data + total, step);
            total += step;
        }
        code = link_received(link, scratch, total);
        data += total;
        size -= total;
    }
    return code;
}
