/* measurement.c - the sequence of the measurements, on rank 0.
 *
 *     0. Roll call: presence, and names of the same machine (the second one is dismissed).
 *     1. A first round trip of every pair, self-timed: rough distances.
 *     2. ECO's passes over all pairs, as many concurrently as do not disturb each other.
 *     3. Larger messages, both directions: between neighbours in a subnet; between all its hosts at
 *        once, which separates switches joined by a cable; two pairs between any two subnets.
 *     4. In each subnet two neighbours send to each other at once: a bus or a switch? Then two
 *        transfers between the same two subnets or sites, and two out of one: shared links.
 *     5. Consecutive sends from each host to its nearest ones, and from these to it at once.
 *     6. The compute kernel on each host.
 *     7. Where hosts share a machine: messages of all its hosts at once.
 *     8. A multicast from each host: which hosts does it reach?
 *
 * Each part has a file of its own.  Steps: O(p) rounds if pairs do not disturb each other, else up
 * to O(p^2) short ones.  A lost task is excluded from then on.
 */
#include "measure/measurement_state.h"
#include "derive/previous.h"
#include "derive/site.h"
#include "derive/subnet.h"

#include <stdlib.h>

/* ---- the whole ---------------------------------------------------------------------------- */

/* A host under two names would be measured against itself: a very fast route that is none. Also
 * asks for the machines and cores of all hosts. */
static void call_roll(struct measurement *m)
{
    int64_t *host = m->rates.large; /* not used yet */
    coordinator_roll_call(&m->coordinator, host, m->machine, m->cores);
    for (int b = 0; b < m->n && !m->plan->twins; b++)
        for (int a = 0; a < b; a++)
            if (host[b] && host[a] == host[b] && measurement_is_present(m, b))
                coordinator_dismiss(&m->coordinator, b, a);
    for (int i = 0; i < m->n; i++)
        host[i] = 0;
}

/* Computes subnets and sites from the times so far; false: out of memory. */
static bool partition(struct measurement *m)
{
    m->groups = subnet_partition_measured(m->n, m->times.page, SUBNET_TOLERANCE, m->group);
    if (m->groups >= 0)
        m->sites = site_partition(m->n, m->times.small, m->groups, m->group, m->site);
    return m->groups >= 0 && m->sites >= 0;
}

/* Fills in times that the job's network file already defines. */
static void fill_known(struct measurement *m, const hn_net *net, const int *host)
{
    for (int a = 0; a < m->n; a++)
        for (int b = 0; b < m->n; b++)
            if (a != b && m->known[a] && m->known[b]) {
                int at = a * m->n + b;
                m->times.page[at] = hn_net_time(net, host[a], host[b], PAGE_BYTES) / 1000 + 1;
                m->times.small[at] = hn_net_time(net, host[a], host[b], SMALL_BYTES) / 1000 + 1;
                m->rates.large[at] = hn_net_pair(net, host[a], host[b]).per_byte / 1000 + 1;
            }
}

/* Without a file, or if a host is missing in it, all hosts are measured. */
static void find_known(struct measurement *m)
{
    const char *text;
    size_t length;
    hn_net *net = NULL;
    int *host = calloc((size_t)m->n, sizeof *host);
    bool good = host && hn_job_text("hosts", &text, &length) == HN_OK && length > 0 &&
                hn_net_parse("hosts", text, length, &net) == HN_OK;
    for (int rank = 0; good && rank < m->n; rank++) {
        const char *name = hn_host_of(hn_group_tid(hn_world(), rank));
        host[rank] = name ? hn_net_host_index(net, name) : -1;
        good = host[rank] >= 0;
    }
    if (good && previous_hosts(net, host, m->n, m->known) > 0)
        fill_known(m, net, host);
    hn_net_free(net);
    free(host);
}

/* The first round trips come before everything else: without distances nothing is known about how
 * long to wait, and which pairs may be measured concurrently.  Subnets are computed again whenever
 * better times may have changed them, because all later parts choose their hosts by subnet.  Media
 * come before ports: on a bus a port shows only the bus.  What transfers share comes before hosts
 * and machines, which keep all processors busy. */
static void run(struct measurement *m)
{
    int passes = m->plan->passes, rounds = rounds_count(m->n);
    m->total = rounds * (1 + passes) + m->n;
    call_roll(m);
    find_known(m);
    measure_first_pings(m);
    if (!partition(m))
        return;
    for (int pass = 0; pass < passes; pass++)
        measure_pings(m, pass);
    if (!partition(m))
        return;
    /* A disturbance may outlast one repetition.  When no subnets were joined, the next one would
     * find the same pairs. */
    bool again = true;
    for (int groups = 0, times = 0; times < DOUBT_TIMES && again; times++) {
        groups = m->groups;
        again = measure_doubtful(m);
        if (!partition(m))
            return;
        again |= m->groups < groups;
    }
    measure_rates_inside(m);
    if (!m->plan->quick && measure_switches(m))
        measure_rates_inside(m);
    measure_rates_between(m);
    if (!m->plan->quick) {
        measure_media(m);
        measure_shared(m);
        measure_machines(m);
        measure_hosts(m);
    }
    measure_multicast(m);
}

/* Returns an exit status. */
static int command(const struct measurement_plan *plan, unsigned char *buffer, FILE *out)
{
    struct measurement m;
    int code = measurement_begin(&m, plan, hn_size());
    if (code == HN_OK)
        code = coordinator_begin(&m.coordinator, m.n, buffer, out);
    if (code == HN_OK) {
        run(&m);
        coordinator_end(&m.coordinator);
    }
    measurement_free(&m);
    return code == HN_OK ? 0 : 1;
}

/* All messages of the measurement have a context of their own, so they do not meet others. */
int measurement_task(const struct measurement_plan *plan, FILE *out)
{
    unsigned char *buffer = calloc(1, EXPERIMENT_BYTES);
    if (!buffer)
        return 1;
    hn_context before = hn_set_context(COORDINATOR_CONTEXT);
    int status = hn_rank() == 0 ? command(plan, buffer, out) : coordinator_serve(buffer);
    hn_set_context(before);
    free(buffer);
    return status;
}
