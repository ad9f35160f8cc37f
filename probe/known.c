/* known.c - samples out of a model (known.h).
 *
 * What is stated is turned back into what would have been measured: round trips and larger messages
 * of all pairs, series of sends and receives, transfers at once on what is shared.  So known and
 * new hosts go the same way through derive.c, and end up in the same subnets.  The constants that a
 * way back needs (sizes, shares) do not matter: the model's lines go through all their points.
 */
#include "known.h"
#include "error.h"
#include "net.h"

#include <stdlib.h>

enum { SIZES = 5, TYPICAL = 65536, COUNT = 3 };
/* The bytes of a message that tells of a shared wire take so many times what one byte takes. */
enum { LONGER = 8, LARGEST = 1 << 28 };
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

static int64_t nanoseconds(hn_time time)
{
    int64_t ns = (time + 500) / 1000;
    return ns > 0 ? ns : 1;
}

static int put(struct samples *samples, enum sample_kind kind, int from, int to, int64_t bytes,
               int64_t ns)
{
    struct sample sample = {kind, from, to, bytes, ns, ns, COUNT};
    return samples_add(samples, &sample);
}

/* One-way, of two ranks. */
static int64_t time_of(const hn_net *net, const int *host, int from, int to, int64_t bytes)
{
    return nanoseconds(net_time_awake(net, host[from], host[to], bytes));
}

static int64_t round_trip(const hn_net *net, const int *host, int a, int b, int64_t bytes)
{
    return time_of(net, host, a, b, bytes) + time_of(net, host, b, a, bytes);
}

static int put_pair(const hn_net *net, const int *host, int a, int b, struct samples *samples)
{
    static const int64_t small[] = {1, 1024};
    hn_time wake = hn_net_host(net, host[b])->wake;
    int code = HN_OK;
    for (int i = 0; code == HN_OK && i < 2 && a < b; i++)
        code = put(samples, SAMPLE_PING, a, b, small[i], round_trip(net, host, a, b, small[i]) / 2);
    if (code == HN_OK && wake > 0)
        code =
            put(samples, SAMPLE_WAKE, a, b, 1, round_trip(net, host, a, b, 1) + nanoseconds(wake));
    int64_t answer = (time_of(net, host, a, b, 1) + time_of(net, host, b, a, 1)) / 2;
    for (int i = 0; code == HN_OK && i < SIZES; i++)
        code =
            put(samples, SAMPLE_WAY, a, b, sizes[i], time_of(net, host, a, b, sizes[i]) + answer);
    return code;
}

/* A message's time in a port, or, when that is less, at the host. */
static int64_t gap_of(hn_time constant, hn_per_byte gap, int64_t bytes)
{
    hn_time port = hn_cost_time(0, gap, bytes);
    return nanoseconds(port > constant ? port : constant);
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
            code = put(samples, SAMPLE_OUT, rank, 1, bytes,
                       gap_of(cost->send_const + message, cost->send_gap, bytes));
        if (code == HN_OK)
            code = put(samples, SAMPLE_SEND, rank, 1, bytes,
                       nanoseconds(hn_cost_time(message ? cost->send_const : 1000,
                                                cost->send_per_byte, bytes)));
        if (code == HN_OK && (bytes == small || cost->recv_gap))
            code = put(samples, SAMPLE_IN, 1, rank, bytes,
                       gap_of(cost->recv_const + message, cost->recv_gap, bytes));
    }
    if (code == HN_OK && cost->speed > 0)
        code = put(samples, SAMPLE_SPEED, rank, 0, 0, INT64_C(2000000000000) / cost->speed + 1);
    return code;
}

/* Two of one subnet whose medium is known. */
static int put_medium(const hn_net *net, const int *host, int a, int b, struct samples *samples)
{
    hn_medium medium = hn_net_subnet_medium(net, hn_net_subnet_of(net, host[a]));
    int64_t alone = time_of(net, host, a, b, TYPICAL), small = time_of(net, host, a, b, 1);
    if (medium == HN_MEDIUM_UNKNOWN)
        return HN_OK;
    int code = put(samples, SAMPLE_WAY, a, b, TYPICAL, alone + small);
    int64_t both = medium == HN_MEDIUM_BUS ? 2 * alone : alone;
    return code == HN_OK ? put(samples, SAMPLE_BOTH, a, b, TYPICAL, both) : code;
}

/* ---- what transfers share ----------------------------------------------------------------------
 */

/* Two ways at once, each of which takes twice what its bytes take of the shared wire; after each
 * alone, by a message whose bytes take longer than all else. */
static int put_shared(const hn_net *net, const int *host, int from, int to, int third,
                      hn_per_byte wire, struct samples *samples)
{
    int ends[2] = {to, third}, code = HN_OK;
    int64_t small[2], bytes = TYPICAL;
    for (int i = 0; i < 2; i++) {
        small[i] = time_of(net, host, from, ends[i], 1);
        while (bytes < LARGEST && time_of(net, host, from, ends[i], bytes) < LONGER * small[i])
            bytes *= 2;
    }
    for (int i = 0; code == HN_OK && i < 2; i++)
        code = put(samples, SAMPLE_WAY, from, ends[i], bytes,
                   time_of(net, host, from, ends[i], bytes) + small[i]);
    for (int i = 0; code == HN_OK && i < 2; i++)
        code = put(samples, SAMPLE_SHARED, from, ends[i], bytes,
                   nanoseconds(hn_cost_time(0, 2 * wire, bytes)) + 2 * small[i]);
    return code;
}

/* The known ranks that stand for their subnets, or for their sites. */
struct heads {
    const hn_net *net;
    const int *host;
    bool by_site;
    int *rank, count;
};

static int unit_of(const struct heads *h, int rank)
{
    int subnet = hn_net_subnet_of(h->net, h->host[rank]);
    return h->by_site ? h->net->subnet[subnet].site : subnet;
}

static void find_heads(struct heads *h, int n, const bool *known)
{
    for (int rank = 0; rank < n; rank++) {
        bool first = known[rank] && unit_of(h, rank) >= 0;
        for (int i = 0; i < h->count && first; i++)
            first = unit_of(h, h->rank[i]) != unit_of(h, rank);
        if (first)
            h->rank[h->count++] = rank;
    }
}

static hn_per_byte wire_between(const struct heads *h, int a, int b)
{
    const struct pair *link =
        pairs_find(h->by_site ? &h->net->trunks : &h->net->links, unit_of(h, a), unit_of(h, b));
    return link ? link->wire : 0;
}

static hn_per_byte uplink_of(const struct heads *h, int a)
{
    int unit = unit_of(h, a);
    return h->by_site ? h->net->site[unit].uplink.per_byte : h->net->subnet[unit].uplink.per_byte;
}

/* Two subnets of a site, or subnets that have none, or two sites. */
static bool is_between(const struct heads *h, int a, int b)
{
    const struct net_subnet *subnet = h->net->subnet;
    return a != b && (h->by_site || subnet[unit_of(h, a)].site == subnet[unit_of(h, b)].site);
}

static int put_uplink(const struct heads *h, int from, struct samples *samples)
{
    int to[2], count = 0;
    for (int i = 0; i < h->count && count < 2; i++)
        if (is_between(h, from, h->rank[i]))
            to[count++] = h->rank[i];
    if (count < 2 || !uplink_of(h, from))
        return HN_OK;
    return put_shared(h->net, h->host, from, to[0], to[1], uplink_of(h, from), samples);
}

static int put_links(const hn_net *net, const int *host, int n, const bool *known, bool by_site,
                     struct samples *samples)
{
    struct heads h = {net, host, by_site, malloc(((size_t)n + 1) * sizeof *h.rank), 0};
    if (!h.rank)
        return error_set(HN_ENOMEM, "no memory for the samples of %d hosts", n);
    int code = HN_OK;
    find_heads(&h, n, known);
    for (int i = 0; i < h.count && code == HN_OK; i++) {
        int a = h.rank[i];
        code = put_uplink(&h, a, samples);
        for (int k = i + 1; k < h.count && code == HN_OK; k++) {
            int b = h.rank[k];
            if (is_between(&h, a, b) && wire_between(&h, a, b))
                code = put_shared(net, host, a, b, b, wire_between(&h, a, b), samples);
        }
    }
    free(h.rank);
    return code;
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
                hn_net_subnet_of(net, host[a]) == hn_net_subnet_of(net, host[b]))
                code = put_medium(net, host, a, b, samples);
    for (int by_site = 0; by_site < 2 && code == HN_OK; by_site++)
        code = put_links(net, host, n, known, by_site, samples);
    return code;
}
