/* tcp_traffic.h - whether the network of this host loses many packets at present.
 *
 * Where a medium is congested, packets of a quiet connection are lost as often as those of busy
 * ones, and TCP doubles its timeout after each loss.  So the connection is silent for long,
 * although both ends are alive.  The connection's own numbers do not show that, as it sends too
 * little.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Segments of all TCP connections of this network namespace, since it exists. */
struct tcp_traffic {
    uint64_t in, out, again; /* again: sent again, not counted in out */
};

/* As the kernel counts now (/proc/net/snmp); zeros without /proc. */
struct tcp_traffic tcp_traffic_now(void);
/* Whether, between the two, much has arrived and left; ... */
bool tcp_traffic_is_busy(const struct tcp_traffic *before, const struct tcp_traffic *now);
/* ... and a part of it was lost. */
bool tcp_traffic_is_lossy(const struct tcp_traffic *before, const struct tcp_traffic *now);
