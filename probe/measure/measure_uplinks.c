/* measure_uplinks.c - uplinks that only several transfers fill.
 *
 * Racks of hosts often share a way out that is faster than one host, or two, and slower than all of
 * them.  So as many hosts of a unit as an order holds send to different hosts of the other units at
 * once, after each alone.  Where hosts share a machine they may be slower together because that is
 * busy; then as many send at the same time within their subnets, for comparison.
 */
#include "measure/contention_pairs.h"
#include "measure/contention.h"

enum { LEAST = 3 }; /* two ways at once have been tried before */

/* Different hosts. */
struct ways {
    int from[TRIAL_MOST], to[TRIAL_MOST], count;
};

/* ---- which ways --------------------------------------------------------------------------- */

/* On a bus one host fills it, and it is the bus that is shared. */
static bool is_usable(const struct campaign *c, int host)
{
    return campaign_is_there(c, host) && !c->bus[c->group[host]];
}

/* The next usable host of a unit from member number *index on; -1: there is none. */
static int next_member(const struct campaign *c, const struct campaign_level *level, int unit,
                       int *index)
{
    for (int host; (host = campaign_unit_member(c, level->by_site, unit, (*index)++)) >= 0;)
        if (is_usable(c, host))
            return host;
    return -1;
}

/* Of the first hosts, ps a byte; 0: unknown. */
static int64_t unit_cost(const struct campaign *c, const struct campaign_level *level, int from,
                         int to)
{
    int a = campaign_unit_member(c, level->by_site, from, 0),
        b = campaign_unit_member(c, level->by_site, to, 0);
    return a < 0 || b < 0 || !campaign_is_between(c, level, from, to) ? 0 : c->large[a * c->n + b];
}

/* Ways from a unit to all others that it reaches about as fast as the fastest, in turn. */
static void list_outflow(const struct campaign *c, const struct campaign_level *level, int unit,
                         struct ways *ways, int *next)
{
    int64_t least = INT64_MAX;
    int sender = 0;
    bool more = true;
    for (int v = 0; v < level->units; v++) {
        int64_t cost = unit_cost(c, level, unit, v);
        least = cost && cost < least ? cost : least;
        next[v] = 0;
    }
    ways->count = 0;
    while (more) {
        more = false;
        for (int v = 0; v < level->units && ways->count < TRIAL_MOST; v++) {
            int64_t cost = unit_cost(c, level, unit, v);
            int to = cost && cost <= least / 4 * 5 ? next_member(c, level, v, &next[v]) : -1;
            int from = to >= 0 ? next_member(c, level, unit, &sender) : -1;
            if (from < 0)
                continue;
            ways->from[ways->count] = from;
            ways->to[ways->count++] = to;
            more = true;
        }
    }
}

static bool is_wanted(const struct campaign *c, const struct ways *ways)
{
    bool wanted = false;
    for (int i = 0; i < ways->count; i++) {
        if (c->page[ways->from[i] * c->n + ways->to[i]] >= HN_TIME_MOST)
            return false;
        wanted |= campaign_is_wanted(c, ways->from[i], ways->to[i]);
    }
    return wanted && ways->count >= LEAST;
}

/* The same hosts, as far as they find a neighbour of their subnet among them. */
static void list_within(const struct campaign *c, const struct ways *ways, struct ways *within)
{
    int host[2 * TRIAL_MOST], hosts = 0;
    for (int i = 0; i < ways->count; i++) {
        host[hosts++] = ways->from[i];
        host[hosts++] = ways->to[i];
    }
    within->count = 0;
    for (int i = 0; i < hosts && within->count < ways->count; i++)
        for (int k = i + 1; k < hosts && host[i] >= 0; k++)
            if (host[k] >= 0 && c->group[host[i]] == c->group[host[k]]) {
                within->from[within->count] = host[i];
                within->to[within->count++] = host[k];
                host[i] = host[k] = -1;
            }
}

static bool share_machine(const struct campaign *c, const struct ways *ways)
{
    for (int i = 0; i < ways->count; i++)
        for (int k = 0; k < ways->count; k++) {
            int64_t machine = c->machine[ways->from[i]];
            if (machine && (machine == c->machine[ways->to[k]] ||
                            (i != k && machine == c->machine[ways->from[k]])))
                return true;
        }
    return false;
}

/* ---- measuring ---------------------------------------------------------------------------- */

/* Whether they slow each other down. */
static bool measure(struct campaign *c, const struct ways *ways, int64_t bytes,
                    enum sample_kind kind)
{
    struct trial trial = {.count = 0};
    for (int i = 0; i < ways->count; i++)
        trial_add(c, &trial, ways->from[i], ways->to[i], bytes);
    trial_alone(c, &trial, 1);
    for (int i = 0; i < ways->count; i++) {
        trial.job[i].order.repeats = 1;
        trial.job[i].sample.kind = kind;
        trial.job[i].silent = true;
        if (!trial.alone[i].count)
            return false; /* it failed: there is nothing to compare */
    }
    trial_together(c, &trial, 1);
    return trial.verdict == HN_MEDIUM_BUS;
}

void campaign_outflow(struct campaign *c, const struct campaign_level *level)
{
    for (int unit = 0; unit < level->units; unit++) {
        struct ways ways, within;
        if (level->narrow[unit])
            continue;
        list_outflow(c, level, unit, &ways, c->chosen);
        if (!is_wanted(c, &ways))
            continue;
        int64_t bytes = trial_bytes(c, ways.from[0], ways.to[0]);
        if (measure(c, &ways, bytes, SAMPLE_OUTFLOW) && share_machine(c, &ways)) {
            list_within(c, &ways, &within);
            if (within.count > 0)
                measure(c, &within, trial_bytes(c, within.from[0], within.to[0]), SAMPLE_WITHIN);
        }
        campaign_progress(c, "uplinks");
    }
}
