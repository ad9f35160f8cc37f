/* derive_multicast.c - finds subnets that carry multicasts: each member has reached all others.
 *
 * One member that cannot send or receive multicasts excludes the whole subnet. Otherwise a
 * collective operation that multicasts data would have to wait for this member, and send again.
 */
#include "derive/derivation.h"

#include <stdlib.h>

/* Of a subnet: it has no two members; every member has reached every other; some have not. */
enum verdict { ALONE, ALL_REACHED, SOME_MISSED };

static void mark_reached(const struct derivation *d, bool *reached)
{
    const struct samples *samples = d->input.samples;
    for (int i = 0; i < samples->count; i++) {
        const struct sample *s = &samples->sample[i];
        if (s->kind == SAMPLE_REACH && s->count && s->from < d->n && s->to < d->n)
            reached[s->from * d->n + s->to] = true;
    }
}

/* As the file defines it. */
static void mark_previous(const struct derivation *d, bool *reached)
{
    for (int i = 0; i < d->n * d->n; i++) {
        int from = i / d->n, to = i % d->n;
        if (!previous_states(d->previous, from, to))
            continue;
        const struct net_host *host = d->previous->net->host;
        int a = host[d->previous->host[from]].subnet, b = host[d->previous->host[to]].subnet;
        reached[i] = a == b && hn_net_subnet_multicast(d->previous->net, a);
    }
}

/* One pair that was not reached decides, whatever the order of pairs. */
static void judge(const struct derivation *d, const bool *reached, enum verdict *verdict)
{
    for (int a = 0; a < d->n; a++)
        for (int b = 0; b < d->n; b++) {
            enum verdict *its = &verdict[d->subnet_of[a]];
            if (a == b || d->subnet_of[a] != d->subnet_of[b])
                continue;
            if (!reached[a * d->n + b])
                *its = SOME_MISSED;
            else if (*its == ALONE)
                *its = ALL_REACHED;
        }
}

int derive_multicast(struct derivation *d)
{
    hn_net *net = d->input.net;
    size_t n = (size_t)d->n;
    bool *reached = calloc(n * n, sizeof *reached);
    enum verdict *verdict = calloc(n, sizeof *verdict);
    int code = HN_OK;
    if (!reached || !verdict) {
        code = error_set(HN_ENOMEM, "no memory for the multicasts of %d hosts", d->n);
    } else {
        mark_reached(d, reached);
        mark_previous(d, reached);
        judge(d, reached, verdict);
    }
    for (int i = 0; code == HN_OK && i < d->n; i++)
        code = hn_net_set_multicast(net, hn_net_subnet_of(net, d->input.host[i]),
                                    verdict[d->subnet_of[i]] == ALL_REACHED);
    free(reached);
    free(verdict);
    return code;
}
