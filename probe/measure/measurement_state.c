/* measurement_state.c - room for a measurement, and what its parts ask of it. */
#include "measure/measurement_state.h"

#include <stdlib.h>

/* ---- room --------------------------------------------------------------------------------- */

static void *cells(size_t count, size_t size, bool *good)
{
    void *room = calloc(count, size);
    *good &= room != NULL;
    return room;
}

static bool begin_times(struct measurement_times *times, size_t n)
{
    bool good = true;
    times->page = cells(n * n, sizeof *times->page, &good);
    times->small = cells(n * n, sizeof *times->small, &good);
    times->settled = cells(n * n, sizeof *times->settled, &good);
    times->floor[0] = cells(n * n, sizeof *times->floor[0], &good);
    times->floor[1] = cells(n * n, sizeof *times->floor[1], &good);
    times->least = cells(n * n, sizeof *times->least, &good);
    for (size_t i = 0; good && i < n * n; i++)
        times->page[i] = times->small[i] = HN_TIME_MOST;
    return good;
}

static bool begin_rates(struct measurement_rates *rates, size_t n)
{
    bool good = true;
    rates->large = cells(n * n, sizeof *rates->large, &good);
    rates->bytes = cells(n * n, sizeof *rates->bytes, &good);
    rates->best = cells(n * n, sizeof *rates->best, &good);
    return good;
}

static bool begin_ports(struct measurement_ports *ports, size_t n)
{
    bool good = true;
    for (int i = 0; i < MEASUREMENT_GAPS; i++) {
        ports->gap[i] = cells(n, sizeof *ports->gap[i], &good);
        ports->doubt[i] = cells(n, sizeof *ports->doubt[i], &good);
    }
    return good;
}

static bool begin_list(struct measurement_list *list, size_t n)
{
    bool good = true;
    size_t most = n * n * 4 + 1; /* pairs: two between any two, both ways */
    list->busy = cells(rounds_scratch(n), sizeof *list->busy, &good);
    list->pair = cells(most, sizeof *list->pair, &good);
    list->zones = cells(most, sizeof *list->zones, &good);
    list->chosen = cells(most, sizeof *list->chosen, &good);
    /* n/2 pairs, two sizes each */
    list->job = cells(ROUNDS_AHEAD * n + 1, sizeof *list->job, &good);
    return good;
}

int measurement_begin(struct measurement *m, const struct measurement_plan *plan, int n)
{
    size_t hosts = (size_t)n;
    bool good = true;
    *m = (struct measurement){.plan = plan, .n = n};
    good &= begin_times(&m->times, hosts);
    good &= begin_rates(&m->rates, hosts);
    good &= begin_ports(&m->ports, hosts);
    good &= begin_list(&m->list, hosts);
    m->group = cells(hosts, sizeof *m->group, &good);
    m->site = cells(hosts, sizeof *m->site, &good);
    m->bus = cells(hosts, sizeof *m->bus, &good);
    m->machine = cells(hosts, sizeof *m->machine, &good);
    m->cores = cells(hosts, sizeof *m->cores, &good);
    m->known = cells(hosts, sizeof *m->known, &good);
    return good ? HN_OK : HN_ENOMEM;
}

void measurement_free(struct measurement *m)
{
    void *const room[] = {
        m->times.page,  m->times.small, m->times.settled, m->times.floor[0], m->times.floor[1],
        m->times.least, m->rates.large, m->rates.bytes,   m->rates.best,     m->list.busy,
        m->list.pair,   m->list.zones,  m->list.chosen,   m->list.job,       m->group,
        m->site,        m->bus,         m->machine,       m->cores,          m->known};
    for (size_t i = 0; i < sizeof room / sizeof *room; i++)
        free(room[i]);
    for (int i = 0; i < MEASUREMENT_GAPS; i++) {
        free(m->ports.gap[i]);
        free(m->ports.doubt[i]);
    }
}

/* ---- questions ---------------------------------------------------------------------------- */

void measurement_progress(struct measurement *m, const char *what)
{
    if (m->done < m->total)
        m->done++;
    coordinator_progress(&m->coordinator, m->done, m->total, what);
}

bool measurement_is_wanted(const struct measurement *m, int a, int b)
{
    return measurement_is_there(m, a) && measurement_is_there(m, b) &&
           !(m->known[a] && m->known[b]) && !coordinator_is_cut(&m->coordinator, a, b);
}

bool measurement_is_near(const struct measurement *m, int a, int b)
{
    return m->site[m->group[a]] == m->site[m->group[b]];
}

int64_t measurement_patience(const struct measurement *m, int a, int b, int64_t bytes)
{
    int64_t page = m->times.page[a * m->n + b],
            per_byte = m->rates.large[a * m->n + b]; /* ns; ps */
    if (page >= HN_TIME_MOST)
        return PATIENCE_MS;
    if (!per_byte)
        per_byte = page * 1000 / PAGE_BYTES;
    int64_t ms = 1500 + (page + per_byte * bytes / 1000) / 100000;
    return ms < 120000 ? ms : 120000;
}

int measurement_member(const struct measurement *m, int group, int index)
{
    int size = measurement_group_size(m, group);
    if (size == 0)
        return -1;
    index %= size;
    for (int i = 0; i < m->n; i++)
        if (m->group[i] == group && measurement_is_there(m, i) && index-- == 0)
            return i;
    return -1;
}

int measurement_group_size(const struct measurement *m, int group)
{
    int size = 0;
    for (int i = 0; i < m->n; i++)
        size += m->group[i] == group && measurement_is_there(m, i);
    return size;
}

int measurement_unit_member(const struct measurement *m, bool by_site, int unit, int index)
{
    int groups = 0, members = 0;
    if (!by_site)
        return index < measurement_group_size(m, unit) ? measurement_member(m, unit, index) : -1;
    for (int g = 0; g < m->groups; g++)
        groups += m->site[g] == unit && measurement_group_size(m, g) > 0;
    for (int g = 0; g < m->groups; g++) {
        if (m->site[g] != unit || measurement_group_size(m, g) == 0)
            continue;
        if (index % groups == members++)
            return index / groups < measurement_group_size(m, g)
                       ? measurement_member(m, g, index / groups)
                       : -1;
    }
    return -1;
}

int64_t measurement_near_cost(const struct measurement *m, int host, bool out)
{
    int64_t best = 0;
    for (int other = 0; other < m->n; other++) {
        int64_t cost =
            out ? m->rates.large[host * m->n + other] : m->rates.large[other * m->n + host];
        if (cost && m->group[other] == m->group[host] && (best == 0 || cost < best))
            best = cost;
    }
    return best;
}
