/* measure_shared.c - finds what concurrent transfers share.
 *
 * If two messages begin together and share a wire, the later one cannot arrive before the wire has
 * carried both, whatever TCP does.  Both directions between neighbours: a bus.  Two pairs of hosts
 * between the same two subnets, or sites: their link.  Two routes that have one line in common:
 * that line, or uplink (contention_pairs.h chooses them).  Each message is measured alone first
 * (contention.h).  Pairs that a bus at either end explains are not tried; other hosts are, if there
 * are any.  Tests between different units run concurrently, where larger messages were found not to
 * disturb each other.
 */
#include "measure/contention_pairs.h"
#include "measure/contention.h"

#include <time.h>

/* ---- buses -------------------------------------------------------------------------------- */

/* True if a byte takes about as long in both directions, as far as that is known. */
static bool is_even(const struct measurement *m, int a, int b)
{
    int64_t there = m->rates.large[a * m->n + b], back = m->rates.large[b * m->n + a];
    return there < back / 100 * EVEN_PERCENT && back < there / 100 * EVEN_PERCENT;
}

/* Chooses two neighbours of a subnet.  A host with a slow port looks like a bus if the rate of its
 * peer alone is compared with that of both.  So the first two that send equally fast are taken, or
 * else the first two, the slower sender first. */
static void find_neighbours(const struct measurement *m, int group, int *from, int *to)
{
    int members = measurement_group_size(m, group);
    for (int i = 0; i < members; i++)
        for (int j = i + 1; j < members; j++) {
            *from = measurement_member(m, group, i);
            *to = measurement_member(m, group, j);
            if (is_even(m, *from, *to))
                return;
        }
    *from = measurement_member(m, group, 0);
    *to = measurement_member(m, group, 1);
    if (m->rates.large[*from * m->n + *to] < m->rates.large[*to * m->n + *from]) {
        int other = *from;
        *from = *to;
        *to = other;
    }
}

/* Two neighbours send to each other at once, after one direction alone. */
static struct contention both_directions(struct measurement *m, int from, int to, int64_t bytes)
{
    struct contention test = {.about = ABOUT_BUS};
    contention_add(m, &test, from, to, bytes);
    contention_alone(m, &test, 1);
    struct job *job = &test.job[0];
    bool good = contention_prepare(m, &test);
    job->order.kind = EXPERIMENT_BOTH;
    job->order.repeats = BUS_ROUNDS;
    job->order.tolerance = 0;
    job->sample.at_once = 2;
    if (good)
        contention_decide(m, &test, 1);
    return test;
}

/* True if two neighbours share their wire.  On a fast one it may be their processors that are
 * slower with both directions at once.  These affect large messages more than smaller ones, so a
 * smaller size decides; it must exceed what a token bucket passes at once.  A pause comes first,
 * because a host with a CPU quota gets a new one each tenth of a second. */
static bool share_wire(struct measurement *m, int from, int to)
{
    int64_t bytes = contention_bytes(m, from, to), fewer = bytes / BUS_FEWER;
    struct contention large = both_directions(m, from, to, bytes);
    contention_write(m, &large);
    if (large.verdict == HN_MEDIUM_BUS && fewer >= BUCKET_BYTES) {
        const struct timespec rest = {.tv_nsec = BUS_REST_NS};
        nanosleep(&rest, NULL);
        struct contention small = both_directions(m, from, to, fewer);
        if (small.verdict == HN_MEDIUM_SWITCH) { /* the last one counts */
            contention_write(m, &small);
            return false;
        }
    }
    return large.verdict == HN_MEDIUM_BUS;
}

/* One pair decides about a whole subnet: its members are equally near, so they are at the same kind
 * of device. */
void measure_media(struct measurement *m)
{
    for (int g = 0; g < m->groups; g++) {
        int from, to;
        if (measurement_group_size(m, g) < 2)
            continue;
        find_neighbours(m, g, &from, &to);
        if (!measurement_is_wanted(m, from, to))
            continue;
        m->bus[g] = share_wire(m, from, to);
        measurement_progress(m, "media");
    }
}

/* ---- links, uplinks and lines ------------------------------------------------------------- */

/* Takes a contention pair whose units and lines no other pair of this round uses. */
static bool take(const struct measurement *m, const struct contention_level *level,
                 struct contention_pair *pair, bool *busy, uint64_t *lines)
{
    int unit[4];
    for (int i = 0; i < 4; i++) {
        unit[i] = contention_unit(m, level, i < 2 ? pair->from[i] : pair->to[i - 2]);
        if (pair->taken || busy[unit[i]] || (pair->lines & *lines))
            return false;
    }
    *lines |= pair->lines;
    for (int i = 0; i < 4; i++)
        busy[unit[i]] = true;
    return pair->taken = true;
}

/* Marks the unit that both routes of a contention pair leave, or enter. Its uplink is known then.
 * Letting all its hosts send at once would find the same, at the cost of the longest test of
 * all. */
static void mark_narrow(const struct measurement *m, const struct contention_level *level,
                        const struct contention *test)
{
    const struct sample *x = &test->job[0].sample, *y = &test->job[1].sample;
    int from = contention_unit(m, level, x->from), to = contention_unit(m, level, x->to);
    if (from == contention_unit(m, level, y->from))
        level->narrow[from] = true;
    if (to == contention_unit(m, level, y->to))
        level->narrow[to] = true;
}

/* Measures one round of contention pairs: two concurrent routes each. */
static void measure_pairs(struct measurement *m, const struct contention_level *level,
                          struct contention *test, int tests)
{
    contention_alone(m, test, tests);
    for (int i = 0; i < tests; i++)
        if (!contention_prepare(m, &test[i]))
            test[i].verdict = HN_MEDIUM_SWITCH;
    contention_together(m, test, tests);
    for (int i = 0; i < tests; i++)
        if (test[i].verdict == HN_MEDIUM_BUS)
            mark_narrow(m, level, &test[i]);
    measurement_progress(m, "shared links");
}

/* Measures the contention pairs of one level in rounds, until all are done. */
static void measure_level(struct measurement *m, const struct contention_level *level,
                          struct contention_pair *list, struct contention *test, bool *busy)
{
    int pairs = contention_pairs(m, level, list), tests = pairs;
    while (tests > 0) {
        uint64_t lines = 0;
        tests = 0;
        for (int u = 0; u < level->units; u++)
            busy[u] = false;
        /* Pairs of one round use different units; if routes disturb each other, one at a time. */
        for (int i = 0; i < pairs && tests < (m->routes_width > 1 ? pairs : 1); i++) {
            if (!take(m, level, &list[i], busy, &lines))
                continue;
            const int *from = list[i].from, *to = list[i].to;
            int64_t bytes = contention_bytes(m, from[0], to[0]);
            test[tests] = (struct contention){.about = list[i].about};
            for (int k = 0; k < 2; k++)
                contention_add(m, &test[tests], from[k], to[k], bytes);
            tests++;
        }
        if (tests > 0)
            measure_pairs(m, level, test, tests);
    }
}

void measure_shared(struct measurement *m)
{
    bool by_site = m->sites > 1 && m->sites < m->groups;
    struct contention_level level[] = {{.apart = by_site, .units = m->groups},
                                       {.by_site = true, .units = by_site ? m->sites : 0}};
    size_t most = contention_pairs_most(m), groups = (size_t)m->groups;
    struct arena room = {0};
    struct contention_pair *list = arena_array(&room, most, sizeof *list);
    struct contention *test = arena_array(&room, most, sizeof *test);
    bool *busy = arena_array(&room, groups, sizeof *busy);
    bool *narrow = arena_array(&room, 2 * groups, sizeof *narrow);
    for (int i = 0; i < 2 && !room.failed; i++) {
        level[i].narrow = narrow + i * m->groups;
        measure_level(m, &level[i], list, test, busy);
        measure_uplinks(m, &level[i]);
    }
    arena_free(&room);
}
