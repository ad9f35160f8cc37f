/* known_shared.c - samples of what transfers share, out of a model (known.h): links, uplinks and
 * lines.  Each becomes two ways at once that have nothing else in common, as far as the distances
 * of subnets and sites tell, because derive_shared.c will ask the distances, too. */
#include "derive/known_parts.h"

#include "base/error.h"
#include "splits.h"
#include "derive/bisections.h"

#include <stdlib.h>

enum { TYPICAL = 65536 };
/* The bytes of a message that tells of a shared wire take so many times what one byte takes. */
enum { LONGER = 8, LARGEST = 1 << 28 };

/* Units between which something is shared: the sites, or the subnets of one, or of none; and the
 * known ranks that stand for them. */
struct heads {
    const hn_net *net;
    const int *host;
    bool by_site;
    int *rank, count;
    int *unit_of; /* [rank]: if it is known, and of these */
    struct bisections tree;
    struct samples *samples;
};

/* Two ways at once, each of which takes twice what its bytes take of the shared wire; after each
 * alone, by a message whose bytes take longer than all else. */
static int put_couple(const struct heads *h, const int from[2], const int to[2], hn_per_byte wire)
{
    int64_t small[2], bytes = TYPICAL;
    int code = HN_OK;
    for (int i = 0; i < 2; i++) {
        small[i] = known_time(h->net, h->host, from[i], to[i], 1);
        while (bytes < LARGEST &&
               known_time(h->net, h->host, from[i], to[i], bytes) < LONGER * small[i])
            bytes *= 2;
    }
    for (int i = 0; code == HN_OK && i < 2; i++)
        code = known_put(h->samples, SAMPLE_WAY, from[i], to[i], bytes,
                         known_time(h->net, h->host, from[i], to[i], bytes) + small[i]);
    for (int i = 0; code == HN_OK && i < 2; i++)
        code = known_put(h->samples, SAMPLE_SHARED, from[i], to[i], bytes,
                         known_nanoseconds(hn_cost_time(0, 2 * wire, bytes)) + 2 * small[i]);
    return code;
}

/* ---- links -------------------------------------------------------------------------------- */

static int put_links(const struct heads *h)
{
    const struct pairs *links = h->by_site ? &h->net->trunks : &h->net->links;
    int code = HN_OK;
    for (int i = 0; i < h->count; i++)
        for (int k = i + 1; k < h->count && code == HN_OK; k++) {
            int from[2] = {h->rank[i], h->rank[i]}, to[2] = {h->rank[k], h->rank[k]};
            const struct pair *link = pairs_find(links, h->unit_of[from[0]], h->unit_of[to[0]]);
            if (link && link->wire)
                code = put_couple(h, from, to, link->wire);
        }
    return code;
}

/* ---- uplinks and lines -------------------------------------------------------------------- */

static int lines_shared(const struct heads *h, const int from[2], const int to[2], int *which)
{
    int a[2], b[2];
    for (int k = 0; k < 2; k++) {
        a[k] = bisections_place(&h->tree, h->unit_of[from[k]]);
        b[k] = bisections_place(&h->tree, h->unit_of[to[k]]);
        if (a[k] < 0 || b[k] < 0)
            return 0; /* there is no tree */
    }
    return bisections_shared(&h->tree, a, b, which);
}

/* So many ways out of a unit at once that together they take twice as long as one alone; they need
 * not be different ones (derive_uplinks.c). */
static int put_outflow(const struct heads *h, int from, int to, hn_per_byte wire)
{
    int64_t small = known_time(h->net, h->host, from, to, 1), bytes = TYPICAL, alone;
    while ((alone = known_time(h->net, h->host, from, to, bytes)) < LONGER * small &&
           bytes < LARGEST)
        bytes *= 2;
    int64_t share = known_nanoseconds(hn_cost_time(0, wire, bytes)), count = 2 * alone / share + 1;
    int code = known_put(h->samples, SAMPLE_WAY, from, to, bytes, alone + small);
    for (int64_t i = 0; code == HN_OK && i < count; i++)
        code = known_put(h->samples, SAMPLE_OUTFLOW, from, to, bytes, count * share + 2 * small);
    return code;
}

/* Two ways do not fill it. */
static bool is_wide(const struct heads *h, int from, int to, hn_per_byte wire)
{
    return wire < hn_net_pair(h->net, h->host[from], h->host[to]).per_byte / 4 * 3;
}

/* Two ways out of a unit that have as few lines in common as possible. */
static int put_uplink(const struct heads *h, int rank)
{
    int unit = h->unit_of[rank], least = BISECTIONS_MOST + 1, which, to[2] = {0};
    const int from[2] = {rank, rank};
    hn_per_byte wire =
        h->by_site ? h->net->site[unit].uplink.per_byte : h->net->subnet[unit].uplink.per_byte;
    int other = h->rank[h->rank[0] == rank && h->count > 1];
    if (wire && other != rank && is_wide(h, rank, other, wire))
        return put_outflow(h, rank, other, wire);
    for (int i = 0; i < h->count && wire; i++)
        for (int k = i + 1; k < h->count; k++) {
            int ends[2] = {h->rank[i], h->rank[k]};
            int shared = lines_shared(h, from, ends, &which);
            if (ends[0] == rank || ends[1] == rank || shared >= least)
                continue;
            least = shared;
            to[0] = ends[0];
            to[1] = ends[1];
        }
    return least > BISECTIONS_MOST ? HN_OK : put_couple(h, from, to, wire);
}

/* The end of a line at which a unit is: 0 or 1; -1: at neither. */
static int end_of(const struct heads *h, int unit, int line)
{
    const uint64_t *at = h->by_site ? h->net->site[unit].line : h->net->subnet[unit].line;
    return at[0] >> line & 1 ? 0 : at[1] >> line & 1 ? 1 : -1;
}

/* Two ways that have a split in common and nothing else; false: there are none. */
static bool find_couple(const struct heads *h, int split, int from[2], int to[2])
{
    int which;
    for (int i = 0; i < h->count; i++)
        for (int j = i; j < h->count; j++)
            for (int k = 0; k < h->count; k++)
                for (int l = 0; l < h->count; l++) {
                    from[0] = h->rank[i], from[1] = h->rank[j];
                    to[0] = h->rank[k], to[1] = h->rank[l];
                    if ((i != j || k != l) && lines_shared(h, from, to, &which) == 1 &&
                        which == split)
                        return true;
                }
    return false;
}

static int put_line(const struct heads *h, int line)
{
    for (int s = 0; s < h->tree.count; s++) {
        bool same = true, other = true;
        int from[2], to[2];
        for (int i = 0; i < h->tree.units; i++) {
            int end = end_of(h, h->tree.unit[i], line), far = h->tree.split[s].far >> i & 1;
            same &= end == far;
            other &= end == !far;
        }
        if ((same || other) && find_couple(h, s, from, to))
            return put_couple(h, from, to, h->net->line[line].per_byte);
    }
    return HN_OK;
}

/* ---- racks -------------------------------------------------------------------------------- */

static bool shares(const struct heads *h, int subnet)
{
    bool shared = h->net->subnet[subnet].uplink.per_byte > 0;
    for (int i = 0; i < h->count && !shared; i++) {
        const struct pair *link = pairs_find(&h->net->links, subnet, h->unit_of[h->rank[i]]);
        shared = link && link->wire;
    }
    return shared;
}

/* A subnet that shares its way out may have come apart from others by that alone (switches.h). */
static int put_racks(const struct heads *h, int n)
{
    int code = HN_OK;
    for (int i = 0; i < h->count; i++)
        for (int rank = 0; rank < n && code == HN_OK; rank++)
            if (h->unit_of[rank] == h->unit_of[h->rank[i]] && shares(h, h->unit_of[rank]))
                code = known_put(h->samples, SAMPLE_RACK, rank, h->rank[i], 0, 1);
    return code;
}

/* ---- the whole ---------------------------------------------------------------------------- */

/* Sites, or the subnets of one (`site`; -1: of none). */
static void find_heads(struct heads *h, int n, const bool *known, bool by_site, int site)
{
    h->by_site = by_site;
    h->count = 0;
    for (int rank = 0; rank < n; rank++) {
        int subnet = hn_net_subnet_of(h->net, h->host[rank]), its = h->net->subnet[subnet].site;
        int unit = by_site ? its : its == site ? subnet : -1;
        bool first = known[rank] && unit >= 0;
        h->unit_of[rank] = known[rank] ? unit : -1;
        for (int i = 0; i < h->count && first; i++)
            first = h->unit_of[h->rank[i]] != h->unit_of[rank];
        if (first)
            h->rank[h->count++] = rank;
    }
}

static int put_units(struct heads *h, int n, const int64_t *cost)
{
    bisections_of_hosts(&h->tree, n, cost, h->unit_of);
    int code = put_links(h);
    for (int i = 0; i < h->count && code == HN_OK; i++)
        code = put_uplink(h, h->rank[i]);
    for (int line = 0; line < h->net->nline && code == HN_OK; line++)
        code = put_line(h, line);
    return code < 0 || h->by_site ? code : put_racks(h, n);
}

int known_shared(const hn_net *net, const int *host, int n, const bool *known,
                 struct samples *samples)
{
    size_t ranks = (size_t)n;
    struct heads h = {.net = net, .host = host, .samples = samples};
    h.rank = malloc((ranks + 1) * sizeof *h.rank);
    h.unit_of = malloc((ranks + 1) * sizeof *h.unit_of);
    int64_t *cost = calloc(ranks * ranks + 1, sizeof *cost);
    int code = HN_OK;
    if (!h.rank || !h.unit_of || !cost)
        code = error_set(HN_ENOMEM, "no memory for the samples of %d hosts", n);
    for (int a = 0; a < n && code == HN_OK; a++)
        for (int b = 0; b < n; b++)
            if (a != b && known[a] && known[b])
                cost[a * n + b] = known_time(net, host, a, b, 1);
    for (int site = -1; site < net->nsite && code == HN_OK; site++) {
        find_heads(&h, n, known, false, site);
        code = put_units(&h, n, cost);
    }
    if (code == HN_OK) {
        find_heads(&h, n, known, true, 0);
        code = put_units(&h, n, cost);
    }
    free(h.rank);
    free(h.unit_of);
    free(cost);
    return code;
}
