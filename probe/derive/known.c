/* known.c - samples out of a model (known.h).
 *
 * What is stated is turned back into what would have been measured: round trips and larger messages
 * of all pairs, series of sends and receives, transfers at once on what is shared.  So known and
 * new hosts go the same way through derive.c, and end up in the same subnets.  The constants that a
 * way back needs (sizes, shares) do not matter: the model's lines go through all their points.
 */
#include "known_parts.h"
#include "base/error.h"
#include "net.h"
#include "wide.h"

#include <stdlib.h>

enum { SIZES = 5, TYPICAL = 65536, COUNT = 3 };
static const int64_t sizes[SIZES] = {4096, 16384, 65536, 262144, 1048576};

int known_hosts(const hn_net *net, const int *host, int n, bool *known)
{
    int count = 0;
    for (int rank = 0; rank < n; rank++) {
        const hn_host_cost *cost = hn_net_host(net, host[rank]);
        known[rank] =
            cost->send_const | cost->send_per_byte | cost->recv_const | cost->recv_per_byte;
        count += known[rank];
    }
    for (int rank = 0; rank < n && count == n; rank++)
        known[rank] = false;
    return count == n ? 0 : count;
}

int64_t known_nanoseconds(hn_time time)
{
    int64_t ns = (time + 500) / 1000;
    return ns > 0 ? ns : 1;
}

int known_put(struct samples *samples, enum sample_kind kind, int from, int to, int64_t bytes,
              int64_t ns)
{
    struct sample sample = {kind, from, to, bytes, ns, ns, COUNT};
    return samples_add(samples, &sample);
}

int64_t known_time(const hn_net *net, const int *host, int from, int to, int64_t bytes)
{
    return known_nanoseconds(net_time_awake(net, host[from], host[to], bytes));
}

static int64_t round_trip(const hn_net *net, const int *host, int a, int b, int64_t bytes)
{
    return known_time(net, host, a, b, bytes) + known_time(net, host, b, a, bytes);
}

static int put_pair(const hn_net *net, const int *host, int a, int b, struct samples *samples)
{
    static const int64_t small[] = {1, 1024};
    hn_time wake = hn_net_host(net, host[b])->wake;
    int code = HN_OK;
    for (int i = 0; code == HN_OK && i < 2 && a < b; i++)
        code = known_put(samples, SAMPLE_PING, a, b, small[i],
                         round_trip(net, host, a, b, small[i]) / 2);
    if (code == HN_OK && wake > 0)
        code = known_put(samples, SAMPLE_WAKE, a, b, 1,
                         round_trip(net, host, a, b, 1) + known_nanoseconds(wake));
    int64_t answer = (known_time(net, host, a, b, 1) + known_time(net, host, b, a, 1)) / 2;
    for (int i = 0; code == HN_OK && i < SIZES; i++)
        code = known_put(samples, SAMPLE_WAY, a, b, sizes[i],
                         known_time(net, host, a, b, sizes[i]) + answer);
    return code;
}

/* A message's time in a port, or, when that is less, at the host. */
static int64_t gap_of(hn_time constant, hn_time port_constant, hn_per_byte gap, int64_t bytes)
{
    hn_time port = hn_cost_time(port_constant, gap, bytes);
    return known_nanoseconds(port > constant ? port : constant);
}

/* A message whose bytes take a port out about as long as each message does besides. */
static int put_middle(const hn_host_cost *cost, int rank, struct samples *samples)
{
    if (!cost->send_gap_const || !cost->send_gap)
        return HN_OK;
    int64_t bytes = wide_ratio(cost->send_gap_const, 1000, cost->send_gap) + 2;
    bytes = bytes < TYPICAL / 2 ? bytes : TYPICAL / 2;
    return known_put(samples, SAMPLE_OUT, rank, 1, bytes,
                     gap_of(cost->send_const, cost->send_gap_const, cost->send_gap, bytes));
}

static hn_time message_of(const hn_net *net, int host)
{
    const struct net_subnet *subnet = &net->subnet[hn_net_subnet_of(net, host)];
    return subnet->medium == HN_MEDIUM_BUS ? subnet->message : 0;
}

/* message: what each takes of the bus that the host is on, which has no port then. */
static int put_host(const hn_host_cost *cost, hn_time message, int rank, struct samples *samples)
{
    static const int64_t small = 1;
    int code = HN_OK;
    for (int i = 0; code == HN_OK && i < 2; i++) {
        int64_t bytes = i ? TYPICAL : small;
        if (bytes == small || cost->send_gap)
            code = known_put(
                samples, SAMPLE_OUT, rank, 1, bytes,
                gap_of(cost->send_const + message, cost->send_gap_const, cost->send_gap, bytes));
        if (code == HN_OK)
            code = known_put(samples, SAMPLE_SEND, rank, 1, bytes,
                             known_nanoseconds(hn_cost_time(message ? cost->send_const : 1000,
                                                            cost->send_per_byte, bytes)));
        if (code == HN_OK && (bytes == small || cost->recv_gap))
            code = known_put(samples, SAMPLE_IN, 1, rank, bytes,
                             gap_of(cost->recv_const + message, 0, cost->recv_gap, bytes));
    }
    if (code == HN_OK)
        code = put_middle(cost, rank, samples);
    if (code == HN_OK && cost->speed > 0)
        code =
            known_put(samples, SAMPLE_SPEED, rank, 0, 0, INT64_C(2000000000000) / cost->speed + 1);
    return code;
}

/* Two of one subnet whose medium is known. */
static int put_medium(const hn_net *net, const int *host, int a, int b, struct samples *samples)
{
    hn_medium medium = hn_net_subnet_medium(net, hn_net_subnet_of(net, host[a]));
    int64_t alone = known_time(net, host, a, b, TYPICAL), small = known_time(net, host, a, b, 1);
    if (medium == HN_MEDIUM_UNKNOWN)
        return HN_OK;
    int code = known_put(samples, SAMPLE_WAY, a, b, TYPICAL, alone + small);
    int64_t both = medium == HN_MEDIUM_BUS ? 2 * alone : alone;
    return code == HN_OK ? known_put(samples, SAMPLE_BOTH, a, b, TYPICAL, both) : code;
}

/* Two of one subnet. */
static int put_reach(const hn_net *net, const int *host, int a, int b, struct samples *samples)
{
    if (!hn_net_subnet_multicast(net, hn_net_subnet_of(net, host[a])))
        return HN_OK;
    int code = known_put(samples, SAMPLE_REACH, a, b, 0, 1);
    return code == HN_OK ? known_put(samples, SAMPLE_REACH, b, a, 0, 1) : code;
}

int known_samples(const hn_net *net, const int *host, int n, const bool *known,
                  struct samples *samples)
{
    int code = HN_OK;
    for (int a = 0; code == HN_OK && a < n; a++) {
        if (known[a])
            code = put_host(hn_net_host(net, host[a]), message_of(net, host[a]), a, samples);
        for (int b = 0; code == HN_OK && known[a] && b < n; b++)
            if (a != b && known[b])
                code = put_pair(net, host, a, b, samples);
    }
    for (int a = 0; code == HN_OK && a < n; a++)
        for (int b = a + 1; code == HN_OK && b < n; b++)
            if (known[a] && known[b] &&
                hn_net_subnet_of(net, host[a]) == hn_net_subnet_of(net, host[b])) {
                code = put_medium(net, host, a, b, samples);
                if (code == HN_OK)
                    code = put_reach(net, host, a, b, samples);
            }
    return code == HN_OK ? known_shared(net, host, n, known, samples) : code;
}
