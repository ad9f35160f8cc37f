/* contention_pairs.c - chooses the transfers that are tried at the same time, to find what they
 * share.
 *
 * For a link: two pairs between any two units (subnets, or sites), of hosts with fast ports if
 * possible.  For each line that the distances show (bisections.h): two routes that have only this
 * line in common, the fastest ones, and between different units if there is a choice.  The line
 * that separates one unit from all others is its uplink.  Where distances show no line (in a
 * machine room everything is equally near), two routes out of the unit are tried: to the two units
 * that it reaches fastest, unless a line already explains why they would be slower together.
 */
#include "measure/contention_pairs.h"
#include "derive/bisections.h"

#include <stdlib.h>

/* The contention pairs of a level, and the tree of units among which they are searched. */
struct search {
    const struct measurement *m;
    const struct contention_level *level;
    struct bisections tree;
    struct contention_pair *list;
    int count;
};

/* ---- routes --------------------------------------------------------------------------------- */

/* Ends that both routes of a contention pair share: the unit they start from, or the one they go
 * to.  Other ends differ. */
struct common {
    bool from, to;
};

/* True if a bus at a shared end is as slow as the whole route, or as a similar one if it was not
 * measured. */
static bool bus_explains(const struct measurement *m, int from, int to, int64_t like,
                         struct common common)
{
    int64_t known = m->rates.large[from * m->n + to], cost = known ? known : like;
    int64_t out = common.from && m->bus[m->group[from]] ? measurement_near_cost(m, from, true) : 0;
    int64_t in = common.to && m->bus[m->group[to]] ? measurement_near_cost(m, to, true) : 0;
    return cost < (out > in ? out : in) / 100 * BUS_EXPLAINS_PERCENT;
}

/* Whether small messages between two hosts have been measured. */
static bool is_known(const struct measurement *m, int from, int to)
{
    return from >= 0 && to >= 0 && m->times.page[from * m->n + to] < HN_TIME_MOST;
}

static int first_of(const struct search *s, int unit)
{
    return measurement_unit_member(s->m, s->level->by_site, unit, 0);
}

/* Cost of the first hosts of two units, ps per byte; 0: unknown. */
static int64_t cost_of(const struct search *s, int from, int to)
{
    int a = first_of(s, from), b = first_of(s, to);
    return a < 0 || b < 0 ? 0 : s->m->rates.large[a * s->m->n + b];
}

/* True if one of the first neighbours has a port twice as fast: a slow port does not fill what its
 * route shares with others. */
static bool has_slow_port(const struct measurement *m, int host, bool out)
{
    int64_t own = measurement_near_cost(m, host, out);
    int group = m->group[host], size = measurement_group_size(m, group);
    for (int i = 0; i < size && i < PORT_NEIGHBOURS; i++) {
        int64_t other = measurement_near_cost(m, measurement_member(m, group, i), out);
        if (other && own > PORT_SLOW_TIMES * other)
            return true;
    }
    return false;
}

/* Sets route number `which` of a contention pair: the first one between two units that no bus
 * explains, with hosts not yet in the pair. quick: with fast ports only. */
static bool find_route_by(const struct search *s, int a, int b, struct common common,
                          struct contention_pair *pair, int which, bool quick)
{
    const struct measurement *m = s->m;
    int64_t like = cost_of(s, a, b);
    for (int i = 0; i < m->n; i++) {
        int from = measurement_unit_member(m, s->level->by_site, a, i);
        if (from < 0 || (quick && has_slow_port(m, from, true)))
            continue;
        for (int j = 0; j < m->n; j++) {
            int to = measurement_unit_member(m, s->level->by_site, b, j);
            if (!is_known(m, from, to) || (which && (from == pair->from[0] || to == pair->to[0])) ||
                bus_explains(m, from, to, like, common) || (quick && has_slow_port(m, to, false)))
                continue;
            pair->from[which] = from;
            pair->to[which] = to;
            return true;
        }
    }
    return false;
}

/* Hosts with slow ports are used only where there are no others: they cannot fill what is shared,
 * and the test would find nothing. */
static bool find_route(const struct search *s, int a, int b, struct common common,
                       struct contention_pair *pair, int which)
{
    return find_route_by(s, a, b, common, pair, which, true) ||
           find_route_by(s, a, b, common, pair, which, false);
}

/* The lines that a route between two units crosses. Bit i is split i of the tree. */
static uint64_t lines_of(const struct bisections *tree, int from, int to)
{
    int a = bisections_place(tree, from), b = bisections_place(tree, to);
    uint64_t lines = 0;
    for (int i = 0; i < tree->count; i++)
        if (a >= 0 && b >= 0 && bisections_cross(&tree->split[i], a, b))
            lines |= (uint64_t)1 << i;
    return lines;
}

/* Makes a pair of two routes between units; false: there are no such hosts, or everything is
 * known. */
static bool make_pair(const struct search *s, const int from[2], const int to[2],
                      enum sample_about about, struct contention_pair *pair)
{
    struct common common = {from[0] == from[1], to[0] == to[1]};
    *pair = (struct contention_pair){.about = about};
    for (int k = 0; k < 2; k++) {
        if (!find_route(s, from[k], to[k], common, pair, k))
            return false;
        pair->lines |= lines_of(&s->tree, from[k], to[k]);
    }
    return measurement_is_wanted(s->m, pair->from[0], pair->to[0]) ||
           measurement_is_wanted(s->m, pair->from[1], pair->to[1]);
}

/* ---- links -------------------------------------------------------------------------------- */

/* Adds two pairs of hosts between two units. */
static void add_link(struct search *s, int a, int b)
{
    int from[2] = {a, a}, to[2] = {b, b};
    s->count += make_pair(s, from, to, ABOUT_LINK, &s->list[s->count]);
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Two routes between places of the tree, as units. */
struct choice {
    int from[2], to[2];
    int64_t cost;
};

/* Takes two routes across a line if they are the fastest so far and share nothing else.  Those
 * among four units prove more than those among three, so they may be a little slower. Both routes
 * must cross the line, and have only this line in common. */
static void consider(const struct search *s, const int from[2], const int to[2],
                     struct choice *best, struct contention_pair *pair)
{
    struct choice choice;
    struct contention_pair made;
    int which;
    if ((from[0] == from[1] && to[0] == to[1]) ||
        bisections_shared(&s->tree, from, to, &which) != 1)
        return;
    for (int k = 0; k < 2; k++) {
        choice.from[k] = s->tree.unit[from[k]];
        choice.to[k] = s->tree.unit[to[k]];
    }
    int64_t x = cost_of(s, choice.from[0], choice.to[0]),
            y = cost_of(s, choice.from[1], choice.to[1]);
    choice.cost = x > y ? x : y;
    if (from[0] == from[1] || to[0] == to[1])
        choice.cost += choice.cost / LINE_PAIR_PART;
    if (!x || !y || choice.cost >= best->cost ||
        !make_pair(s, choice.from, choice.to, ABOUT_LINE, &made))
        return;
    *best = choice;
    *pair = made;
}

/* Adds routes out of the side of a split that has only one place, if there is such a side.
 * O(units^4), but units are few where distances show lines at all. */
static void add_line(struct search *s, const struct bisection *split)
{
    struct choice best = {.cost = INT64_MAX};
    int single = bisections_single(&s->tree, split), units = s->tree.units;
    bool out = single >= 0 && (split->far >> single & 1);
    struct contention_pair *pair = &s->list[s->count];
    for (int a = 0; a < units; a++)
        for (int b = a; b < units; b++)
            for (int x = 0; x < units; x++)
                for (int y = 0; y < units; y++) {
                    int from[2] = {a, b}, to[2] = {x, y};
                    if ((split->far >> a & 1) == out && (split->far >> b & 1) == out &&
                        (split->far >> x & 1) != out && (split->far >> y & 1) != out)
                        consider(s, from, to, &best, pair);
                }
    if (best.cost < INT64_MAX && single >= 0)
        pair->about = ABOUT_UPLINK;
    s->count += best.cost < INT64_MAX;
}

/* ---- uplinks that no distance shows --------------------------------------------------------- */

bool contention_is_between(const struct measurement *m, const struct contention_level *level, int a,
                           int b)
{
    return a != b && !(level->apart && m->site[a] != m->site[b]);
}

int contention_unit(const struct measurement *m, const struct contention_level *level, int host)
{
    int group = m->group[host];
    return level->by_site ? m->site[group] : group;
}

/* The unit other than `but` that is reached fastest, unless a line explains what the routes to both
 * share; -1: none is known. */
static int fastest_from(const struct search *s, int unit, int but)
{
    int best = -1;
    int64_t least = INT64_MAX;
    for (int other = 0; other < s->level->units; other++) {
        int64_t cost = contention_is_between(s->m, s->level, unit, other) && other != but
                           ? cost_of(s, unit, other)
                           : 0;
        if (!cost || cost >= least)
            continue;
        if (but >= 0 && (lines_of(&s->tree, unit, but) & lines_of(&s->tree, unit, other)))
            continue;
        least = cost;
        best = other;
    }
    return best;
}

/* True if a line separates the unit from all others; it is tested there. */
static bool has_own_line(const struct search *s, int unit)
{
    for (int i = 0; i < s->tree.count; i++)
        if (bisections_single(&s->tree, &s->tree.split[i]) == bisections_place(&s->tree, unit))
            return true;
    return false;
}

/* Two destinations, because two routes to one unit may also share that unit's uplink. */
static void add_uplink(struct search *s, int unit)
{
    int to[2], from[2] = {unit, unit};
    to[0] = fastest_from(s, unit, -1);
    to[1] = to[0] < 0 ? -1 : fastest_from(s, unit, to[0]);
    if (to[1] >= 0 && !has_own_line(s, unit))
        s->count += make_pair(s, from, to, ABOUT_UPLINK, &s->list[s->count]);
}

/* ---- a level ------------------------------------------------------------------------------ */

/* Adds the contention pairs of related units: all, or the subnets of one site. */
static void add_family(struct search *s, const int *unit_of, int site)
{
    const struct measurement *m = s->m;
    int units = s->level->units;
    bisections_of_hosts(&s->tree, m->n, m->times.small, unit_of);
    for (int a = 0; a < units; a++)
        for (int b = a + 1; b < units && (site < 0 || m->site[a] == site); b++)
            if (contention_is_between(m, s->level, a, b))
                add_link(s, a, b);
    for (int i = 0; i < s->tree.count; i++)
        add_line(s, &s->tree.split[i]);
    for (int a = 0; a < units; a++)
        if (site < 0 || m->site[a] == site)
            add_uplink(s, a);
}

int contention_pairs(const struct measurement *m, const struct contention_level *level,
                     struct contention_pair *list)
{
    struct search s = {.m = m, .level = level, .list = list};
    int *unit_of = malloc((size_t)m->n * sizeof *unit_of);
    for (int site = level->apart ? 0 : -1; unit_of && site < (level->apart ? m->sites : 0);
         site++) {
        for (int i = 0; i < m->n; i++) {
            bool in = measurement_is_present(m, i) && (site < 0 || m->site[m->group[i]] == site);
            unit_of[i] = in ? contention_unit(m, level, i) : -1;
        }
        add_family(&s, unit_of, site);
    }
    free(unit_of);
    return s.count;
}
