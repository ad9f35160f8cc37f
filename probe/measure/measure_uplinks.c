/* measure_uplinks.c - finds uplinks that only several transfers fill.
 *
 * Racks of hosts often share an uplink that is faster than one or two hosts, and slower than all of
 * them.  So as many hosts of a unit as an order holds send to different hosts of other units at
 * once, after each alone.
 */
#include "measure/contention_pairs.h"
#include "measure/contention.h"

/* All hosts are different. */
struct routes {
    int from[CONTENTION_MOST], to[CONTENTION_MOST], count;
};

/* ---- which routes --------------------------------------------------------------------------- */

/* On a bus one host fills the wire, which is what is shared. */
static bool is_usable(const struct measurement *m, int host)
{
    return measurement_is_present(m, host) && !m->bus[m->group[host]];
}

/* The next usable host of a unit from member number *index on; -1: none. */
static int next_member(const struct measurement *m, const struct contention_level *level, int unit,
                       int *index)
{
    for (int host; (host = measurement_unit_member(m, level->by_site, unit, (*index)++)) >= 0;)
        if (is_usable(m, host))
            return host;
    return -1;
}

/* Cost between the first hosts of two units, ps per byte; 0: unknown. */
static int64_t unit_cost(const struct measurement *m, const struct contention_level *level,
                         int from, int to)
{
    int a = measurement_unit_member(m, level->by_site, from, 0),
        b = measurement_unit_member(m, level->by_site, to, 0);
    return a < 0 || b < 0 || !contention_is_between(m, level, from, to)
               ? 0
               : m->rates.large[a * m->n + b];
}

/* Lists routes from a unit to all others that it reaches about as fast as the fastest, in turn. One
 * route for each unit in turn, until hosts or room run out. */
static void list_routes_out(const struct measurement *m, const struct contention_level *level,
                            int unit, struct routes *routes, int *next)
{
    int64_t least = INT64_MAX;
    int sender = 0;
    bool more = true;
    for (int v = 0; v < level->units; v++) {
        int64_t cost = unit_cost(m, level, unit, v);
        least = cost && cost < least ? cost : least;
        next[v] = 0;
    }
    routes->count = 0;
    while (more) {
        more = false;
        for (int v = 0; v < level->units && routes->count < CONTENTION_MOST; v++) {
            int64_t cost = unit_cost(m, level, unit, v);
            /* Slow routes would not fill an uplink. */
            int to = cost && cost <= least / 100 * UPLINK_LIKE_PERCENT
                         ? next_member(m, level, v, &next[v])
                         : -1;
            int from = to >= 0 ? next_member(m, level, unit, &sender) : -1;
            if (from < 0)
                continue;
            routes->from[routes->count] = from;
            routes->to[routes->count++] = to;
            more = true;
        }
    }
}

/* Routes between known hosts only would show nothing new. */
static bool is_wanted(const struct measurement *m, const struct routes *routes)
{
    bool wanted = false;
    for (int i = 0; i < routes->count; i++) {
        if (m->times.page[routes->from[i] * m->n + routes->to[i]] >= HN_TIME_MOST)
            return false;
        wanted |= measurement_is_wanted(m, routes->from[i], routes->to[i]);
    }
    return wanted && routes->count >= UPLINK_LEAST;
}

/* ---- measuring ---------------------------------------------------------------------------- */

/* A single test at a time: its routes fill what they share. */
static void measure(struct measurement *m, const struct routes *routes)
{
    struct contention test = {.about = ABOUT_UPLINK};
    int64_t bytes = contention_bytes(m, routes->from[0], routes->to[0]);
    for (int i = 0; i < routes->count; i++)
        contention_add(m, &test, routes->from[i], routes->to[i], bytes);
    contention_alone(m, &test, 1);
    if (contention_prepare(m, &test))
        contention_together(m, &test, 1);
}

void measure_uplinks(struct measurement *m, const struct contention_level *level)
{
    for (int unit = 0; unit < level->units; unit++) {
        struct routes routes;
        if (level->narrow[unit])
            continue;
        list_routes_out(m, level, unit, &routes, m->list.chosen);
        if (!is_wanted(m, &routes))
            continue;
        measure(m, &routes);
        measurement_progress(m, "uplinks");
    }
}
