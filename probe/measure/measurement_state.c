/* measurement_state.c - allocates the state of a measurement, and answers queries about it. */
#include "measure/measurement_state.h"

/* ---- allocation --------------------------------------------------------------------------- */

/* All times begin with the largest value, so that a minimum needs no first case. */
static void begin_times(struct measurement_times *times, struct arena *room, size_t n)
{
    ARENA_ARRAYS(room, n * n, times->page, times->small, times->final);
    ARENA_ARRAYS(room, n * n, times->floor[0], times->floor[1], times->least);
    for (size_t i = 0; !room->failed && i < n * n; i++)
        times->page[i] = times->small[i] = HN_TIME_MOST;
}

/* Room for the pairs of one phase and the jobs of the rounds ahead. */
static void begin_list(struct measurement_list *list, struct arena *room, size_t n)
{
    size_t most = n * n * 4 + 1; /* pairs: two between any two, both ways */
    list->busy = arena_array(room, rounds_scratch(n), sizeof *list->busy);
    ARENA_ARRAYS(room, most, list->pair, list->zones, list->chosen);
    /* n/2 pairs, two sizes each */
    list->job = arena_array(room, ROUNDS_AHEAD * n + 1, sizeof *list->job);
}

int measurement_begin(struct measurement *m, const struct measurement_plan *plan, int n)
{
    size_t hosts = (size_t)n, pairs = hosts * hosts;
    struct arena *room = &m->room;
    *m = (struct measurement){.plan = plan, .n = n};
    begin_times(&m->times, room, hosts);
    begin_list(&m->list, room, hosts);
    ARENA_ARRAYS(room, pairs, m->rates.large, m->rates.bytes, m->rates.best);
    for (int i = 0; i < MEASUREMENT_GAPS; i++) {
        ARENA_ARRAYS(room, hosts, m->ports.gap[i], m->ports.doubt[i]);
    }
    ARENA_ARRAYS(room, hosts, m->group, m->site, m->bus, m->machine, m->cores, m->known);
    return room->failed ? HN_ENOMEM : HN_OK;
}

void measurement_free(struct measurement *m)
{
    arena_free(&m->room);
}

/* ---- queries ------------------------------------------------------------------------------ */

/* The total is an estimate, so the count stops at it. */
void measurement_progress(struct measurement *m, const char *what)
{
    if (m->done < m->total)
        m->done++;
    coordinator_progress(&m->coordinator, m->done, m->total, what);
}

/* A fact is a sample that was not measured: its times are 1. */
void measurement_state_fact(const struct measurement *m, enum sample_kind kind, int from, int to,
                            int64_t bytes, enum sample_about about)
{
    const struct sample fact = {.kind = kind,
                                .from = from,
                                .to = to,
                                .bytes = bytes,
                                .best = 1,
                                .median = 1,
                                .count = 1,
                                .about = about,
                                .at_once = 1};
    sample_print(&fact, m->coordinator.out);
}

/* Whether a pair is to be measured: both hosts have answered, the file does not have the costs of
 * both, and they can reach each other. */
bool measurement_is_wanted(const struct measurement *m, int a, int b)
{
    return measurement_is_present(m, a) && measurement_is_present(m, b) &&
           !(m->known[a] && m->known[b]) && !coordinator_is_cut(&m->coordinator, a, b);
}

/* Hosts of one site are near. */
bool measurement_is_near(const struct measurement *m, int a, int b)
{
    return m->site[m->group[a]] == m->site[m->group[b]];
}

int64_t measurement_patience(const struct measurement *m, int a, int b, int64_t bytes)
{
    /* A pair without any time may be lost, or very far: a fixed patience. */
    int64_t page = m->times.page[a * m->n + b],
            per_byte = m->rates.large[a * m->n + b]; /* ns; ps */
    if (page >= HN_TIME_MOST)
        return PATIENCE_MS;
    /* As long as no rate is known, the time of 1 KiB is used for it. */
    if (!per_byte)
        per_byte = page * 1000 / PAGE_BYTES;
    int64_t expected_ns = page + per_byte * bytes / 1000;
    int64_t ms = PATIENCE_LEAST_MS + expected_ns * PATIENCE_TIMES / 1000000;
    return ms < PATIENCE_MOST_MS ? ms : PATIENCE_MOST_MS;
}

/* The index wraps around, so that rings need no special case. */
int measurement_member(const struct measurement *m, int group, int index)
{
    int size = measurement_group_size(m, group);
    if (size == 0)
        return -1;
    index %= size;
    for (int i = 0; i < m->n; i++)
        if (m->group[i] == group && measurement_is_present(m, i) && index-- == 0)
            return i;
    return -1;
}

int measurement_group_size(const struct measurement *m, int group)
{
    int size = 0;
    for (int i = 0; i < m->n; i++)
        size += m->group[i] == group && measurement_is_present(m, i);
    return size;
}

/* Successive members of a site come from different subnets: transfers between two sites should not
 * meet at one subnet's uplink before they reach what the sites share. */
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

/* The fastest rate of a host with its own group, in ps per byte; 0: none was measured. */
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
