/* derive_access.c - access lines: what a host that is far from all others has of its own.
 *
 * One at home has a line to everybody, and all that it sends, to whomever, shares it.  No two
 * messages of one host are tried at the same time, and they need not be: if hosts of two other
 * places take from it at one rate, the greatest that it has shown, though both of them take more
 * from somebody else, what is slow is at its own end.  Where each pair has a line of its own, that
 * would be a coincidence.  It becomes the gap of the host's port, unless one was measured (as of
 * near hosts, derive_costs.c); receiving likewise.
 */
#include "derive/derivation.h"
#include "derive/site.h"

enum { ALIKE_PERCENT = 115, FASTER_PERCENT = 80 };

static bool is_lone(const struct derivation *d, int host)
{
    for (int other = 0; other < d->n; other++)
        if (other != host && d->matrix[host * d->n + other] < SITE_FAR_NS)
            return false;
    return d->n > 1;
}

/* Of messages between two hosts, one of whose ends is looked at. */
static hn_per_byte cost(const struct derivation *d, int own, int other, bool out)
{
    int at = out ? own * d->n + other : other * d->n + own;
    bool measured = derivation_has_large(&d->pair[at]) && d->way[at].residual >= 0;
    return measured ? d->way[at].per_byte : HN_PER_BYTE_MOST;
}

/* The least of a host's with all others but one. */
static hn_per_byte least_cost(const struct derivation *d, int own, int but, bool out)
{
    hn_per_byte least = HN_PER_BYTE_MOST;
    for (int other = 0; other < d->n; other++)
        if (other != own && other != but && cost(d, own, other, out) < least)
            least = cost(d, own, other, out);
    return least;
}

/* Whether with this one the host is as fast as ever, and this one faster with somebody else. */
static bool is_witness(const struct derivation *d, int own, int other, bool out, hn_per_byte least)
{
    return own != other && cost(d, own, other, out) < least / 100 * ALIKE_PERCENT &&
           least_cost(d, other, own, !out) < least / 100 * FASTER_PERCENT;
}

static hn_per_byte access_cost(const struct derivation *d, int own, bool out)
{
    hn_per_byte least = least_cost(d, own, own, out);
    int first = -1;
    if (least == HN_PER_BYTE_MOST)
        return 0;
    for (int other = 0; other < d->n; other++) {
        if (!is_witness(d, own, other, out, least))
            continue;
        if (first >= 0 && d->matrix[first * d->n + other] >= SITE_FAR_NS)
            return least;
        first = other;
    }
    return 0;
}

void derive_access(struct derivation *d)
{
    for (int host = 0; host < d->n; host++) {
        if (!is_lone(d, host))
            continue;
        if (!d->cost[host].send_gap)
            d->cost[host].send_gap = access_cost(d, host, true);
        if (!d->cost[host].recv_gap)
            d->cost[host].recv_gap = access_cost(d, host, false);
    }
}
