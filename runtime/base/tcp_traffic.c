/* tcp_traffic.c - the kernel's counters of TCP (RFC 4022: tcpInSegs, tcpOutSegs, tcpRetransSegs).
 */
#include "base/tcp_traffic.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    /* Segments each way, from which the network counts as busy: 60 a second in a silence of 8 s
     * (pulse.h).  A host that is cut off receives none.  Of one that is gone, a few connections
     * repeat some segments each, which is a small part of so many. */
    TRAFFIC_BUSY = 500,
    /* Loss: one in so many was sent again.  On three buses of 10 Mb/s on which eight hosts send to
     * all others at once, 4 to 40 of 100 are. */
    TRAFFIC_LOSSY_PART = 20,
};

/* The first line that begins with "Tcp:" has names, the second one numbers. */
struct tcp_traffic tcp_traffic_now(void)
{
    FILE *file = fopen("/proc/net/snmp", "re");
    struct tcp_traffic now = {0};
    char line[1024];

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line,
                   "Tcp: %*d %*d %*d %*d %*d %*d %*d %*d %*d %" SCNu64 " %" SCNu64 " %" SCNu64,
                   &now.in, &now.out, &now.again) == 3)
            break;
    if (file)
        fclose(file);
    return now;
}

bool tcp_traffic_is_busy(const struct tcp_traffic *before, const struct tcp_traffic *now)
{
    return now->in - before->in >= TRAFFIC_BUSY && now->out - before->out >= TRAFFIC_BUSY;
}

bool tcp_traffic_is_lossy(const struct tcp_traffic *before, const struct tcp_traffic *now)
{
    return tcp_traffic_is_busy(before, now) &&
           now->again - before->again >= (now->out - before->out) / TRAFFIC_LOSSY_PART;
}
