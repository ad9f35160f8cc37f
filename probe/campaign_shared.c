/* campaign_shared.c - what transfers at the same time share.
 *
 * Two messages that begin together and share a wire: the later one cannot be there before the wire
 * has carried both, whatever TCP does.  Both directions between neighbours: a bus; two pairs of
 * hosts between the same two subnets, or sites: their link; one subnet's hosts to each of the two
 * others that they reach fastest: its uplink.  Each message is measured alone first.
 *
 * A busy machine, or another one's traffic, can make two wires look like one, but not for ever:
 * trials end as soon as both are as quick as alone, and "shared" is believed when that has not
 * happened in a few of them.  What a bus at either end explains is not tried, but with other hosts,
 * if there are any.  Trials between different units go at the same time, where larger messages have
 * been found to do so without harm.
 */
#include "campaign_state.h"
#include "medium.h"

#include <math.h>
#include <stdlib.h>

enum { ALONE = 4, FAR_ALONE = 2, ROUNDS = 4, TRIALS = 8, ENOUGH = 3, LONG_ENOUGH = 2 };
static const int64_t long_ns = 8000000, far_ns = 40000000, longest_ns = 100000000;
static const int64_t long_budget_ns = 300000000;

/* One job, or two, whose messages compete. */
struct trial {
    struct job job[2];
    int count;
    struct sample alone[2], least[2]; /* least: of the round in which they were slowed least */
    double slowest;                   /* of the two, in that round; infinite before the first one */
    int rounds;
    hn_medium verdict; /* unknown: not decided yet */
};

/* ---- each alone --------------------------------------------------------------------------- */

/* A message whose bytes take eight milliseconds, and four times as long as all else; but not more
 * than a tenth of a second.  Where TCP's first window holds what takes two latencies, and longer
 * than two hosts are apart that were told to begin at the same time, that is enough. */
static int64_t long_bytes(const struct campaign *c, int from, int to)
{
    int at = from * c->n + to;
    int64_t bytes = CAMPAIGN_LARGE, small = c->small[at], per_byte = c->large[at];
    int64_t wanted = 8 * small > long_ns ? 8 * small : long_ns;
    int64_t enough = 2 * small > far_ns ? 2 * small : far_ns;
    wanted = wanted < longest_ns ? wanted : longest_ns;
    if (CAMPAIGN_WINDOW / 2 * per_byte / 1000 >= enough)
        wanted = enough;
    while (bytes < EXPERIMENT_BYTES && bytes * per_byte / 1000 < wanted)
        bytes *= 2;
    return bytes;
}

static void set_job(struct campaign *c, struct trial *trial, int from, int to, int64_t bytes)
{
    struct job *job = &trial->job[trial->count++];
    *job = campaign_way(c, from, to, bytes, campaign_is_near(c, from, to) ? ALONE : FAR_ALONE);
    job->order.budget_ns = long_budget_ns;
    job->order.pause_ns = 0; /* as those that go together: one after the other */
    trial->slowest = HUGE_VAL;
}

/* It has been measured already, and takes so long that once more would tell nothing new. */
static bool is_measured(const struct campaign *c, const struct sample *sample)
{
    int at = sample->from * c->n + sample->to;
    return c->bytes[at] == sample->bytes && c->best[at] > longest_ns / 2;
}

/* Job number `which` of all trials, at the same time. */
static void measure_alone(struct campaign *c, struct trial *trial, int trials, int which)
{
    int count = 0;
    for (int i = 0; i < trials; i++)
        if (which < trial[i].count && !is_measured(c, &trial[i].job[which].sample))
            c->job[count++] = trial[i].job[which];
    conduct(&c->conductor, c->job, count);
    for (int i = 0, k = 0; i < trials; i++) {
        if (which >= trial[i].count)
            continue;
        struct sample *alone = &trial[i].alone[which];
        *alone = trial[i].job[which].sample;
        int at = alone->from * c->n + alone->to;
        if (!is_measured(c, alone)) {
            *alone = c->job[k++].sample;
        } else {
            alone->best = alone->median = c->best[at];
            alone->count = 1;
        }
    }
}

/* ---- together ----------------------------------------------------------------------------- */

/* After one more round. */
static void judge(const struct campaign *c, struct trial *trial, const struct job *job)
{
    double slower = 0;
    for (int i = 0; i < trial->count; i++) {
        const struct sample *alone = &trial->alone[i];
        int64_t small = c->small[alone->from * c->n + alone->to];
        slower = fmax(slower, medium_slower(alone, &job[i].sample, small));
    }
    if (slower > 0 && slower < trial->slowest) {
        trial->slowest = slower;
        for (int i = 0; i < trial->count; i++)
            trial->least[i] = job[i].sample;
    }
    bool is_long = trial->alone[0].best > longest_ns / 2;
    hn_medium seen = medium_judge(trial->slowest);
    if (seen != HN_MEDIUM_BUS || ++trial->rounds >= (is_long ? LONG_ENOUGH : ENOUGH))
        trial->verdict = seen;
}

/* Those that are not decided, at the same time; their number. */
static int next_round(struct campaign *c, struct trial *trial, int trials)
{
    int count = 0, at = 0;
    for (int i = 0; i < trials; i++)
        for (int k = 0; trial[i].verdict == HN_MEDIUM_UNKNOWN && k < trial[i].count; k++)
            c->job[count++] = trial[i].job[k];
    conduct(&c->conductor, c->job, count);
    for (int i = 0; i < trials; i++)
        if (trial[i].verdict == HN_MEDIUM_UNKNOWN) {
            judge(c, &trial[i], &c->job[at]);
            at += trial[i].count;
        }
    return count;
}

/* Again and again, until it is clear whether they slow each other down; what is written of a trial
 * is the round in which they did so least. */
static void try_together(struct campaign *c, struct trial *trial, int trials)
{
    for (int round = 0; round < TRIALS && next_round(c, trial, trials) > 0; round++)
        ;
    for (int i = 0; i < trials; i++)
        for (int k = 0; k < trial[i].count; k++)
            if (trial[i].least[k].count)
                sample_print(&trial[i].least[k], c->conductor.out);
}

/* ---- buses -------------------------------------------------------------------------------- */

/* Whether a byte takes about as long in both directions, as far as that is known. */
static bool is_even(const struct campaign *c, int a, int b)
{
    int64_t there = c->large[a * c->n + b], back = c->large[b * c->n + a];
    return there < back / 2 * 3 && back < there / 2 * 3;
}

/* The two neighbours of a subnet that are tried.  A host with a slow port looks like a bus to whom
 * it sends to, if what that one sends is compared with what both send: so the first two that send
 * equally fast, or else the first two, the slower sender first. */
static void find_neighbours(const struct campaign *c, int group, int *from, int *to)
{
    int members = campaign_group_size(c, group);
    for (int i = 0; i < members; i++)
        for (int j = i + 1; j < members; j++) {
            *from = campaign_member(c, group, i);
            *to = campaign_member(c, group, j);
            if (is_even(c, *from, *to))
                return;
        }
    *from = campaign_member(c, group, 0);
    *to = campaign_member(c, group, 1);
    if (c->large[*from * c->n + *to] < c->large[*to * c->n + *from]) {
        int other = *from;
        *from = *to;
        *to = other;
    }
}

/* Two neighbours of each subnet to each other at once, after one way alone. */
void campaign_media(struct campaign *c)
{
    for (int g = 0; g < c->groups; g++) {
        struct trial trial = {.count = 0};
        int from, to;
        if (campaign_group_size(c, g) < 2)
            continue;
        find_neighbours(c, g, &from, &to);
        if (!campaign_is_wanted(c, from, to))
            continue;
        set_job(c, &trial, from, to, long_bytes(c, from, to));
        measure_alone(c, &trial, 1, 0);
        struct job *job = &trial.job[0];
        job->order.kind = EXPERIMENT_BOTH;
        job->order.repeats = ROUNDS;
        job->order.settle = 0;
        job->follow = EXPERIMENT_OTHER;
        job->sample.kind = SAMPLE_BOTH;
        job->silent = true;
        if (trial.alone[0].count)
            try_together(c, &trial, 1);
        c->bus[g] = trial.verdict == HN_MEDIUM_BUS;
        campaign_progress(c, "media");
    }
}

/* ---- links and uplinks -------------------------------------------------------------------- */

struct couple {
    int from[2], to[2]; /* ranks */
    bool taken;
};

/* What lies between: sites, or the subnets of each site, or all subnets where sites are no level of
 * their own. */
struct level {
    bool by_site, apart; /* apart: subnets of different sites are none of this level's business */
    int units;
};

/* A bus at either end is as slow as the whole way, or as a way like it, where none was measured. */
static bool bus_explains(const struct campaign *c, int from, int to, int64_t like)
{
    int64_t known = c->large[from * c->n + to], cost = known ? known : like;
    int64_t out = c->bus[c->group[from]] ? campaign_near_cost(c, from) : 0;
    int64_t in = c->bus[c->group[to]] ? campaign_near_cost(c, to) : 0;
    return cost < (out > in ? out : in) / 2 * 3;
}

static bool is_known(const struct campaign *c, int from, int to)
{
    return from >= 0 && to >= 0 && c->page[from * c->n + to] < HN_TIME_MOST;
}

/* Sets way number `which` of a couple: the first one between two units that no bus explains, of
 * other hosts than the couple has already. */
static bool find_way(const struct campaign *c, bool by_site, int a, int b, struct couple *couple,
                     int which)
{
    int first = campaign_unit_member(c, by_site, a, 0),
        last = campaign_unit_member(c, by_site, b, 0);
    int64_t like = first < 0 || last < 0 ? 0 : c->large[first * c->n + last];
    for (int i = 0; i < c->n; i++) {
        int from = campaign_unit_member(c, by_site, a, i);
        for (int j = 0; from >= 0 && j < c->n; j++) {
            int to = campaign_unit_member(c, by_site, b, j);
            if (!is_known(c, from, to) ||
                (which && (from == couple->from[0] || to == couple->to[0])) ||
                bus_explains(c, from, to, like))
                continue;
            couple->from[which] = from;
            couple->to[which] = to;
            return true;
        }
    }
    return false;
}

/* Two ways out of one unit: to another one and a third, which may be the same. */
static void add_couple(const struct campaign *c, bool by_site, int from, int to, int third,
                       struct couple *list, int *count)
{
    struct couple couple = {.taken = false};
    if (find_way(c, by_site, from, to, &couple, 0) &&
        find_way(c, by_site, from, third, &couple, 1) &&
        (campaign_is_wanted(c, couple.from[0], couple.to[0]) ||
         campaign_is_wanted(c, couple.from[1], couple.to[1])))
        list[(*count)++] = couple;
}

static bool is_between(const struct campaign *c, const struct level *level, int a, int b)
{
    return a != b && !(level->apart && c->site[a] != c->site[b]);
}

/* The unit, other than `but`, to which the first host of one sends fastest; -1: none is known. */
static int fastest_from(const struct campaign *c, const struct level *level, int unit, int but)
{
    int best = -1, from = campaign_unit_member(c, level->by_site, unit, 0);
    int64_t least = INT64_MAX;
    for (int other = 0; from >= 0 && other < level->units; other++) {
        int to = campaign_unit_member(c, level->by_site, other, 0);
        if (!is_between(c, level, unit, other) || other == but || to < 0)
            continue;
        int64_t cost = c->large[from * c->n + to];
        if (cost && cost < least) {
            least = cost;
            best = other;
        }
    }
    return best;
}

/* Two pairs between any two units, and out of each one to the two that it reaches fastest. */
static int list_couples(const struct campaign *c, const struct level *level, struct couple *list)
{
    int count = 0;
    for (int a = 0; a < level->units; a++)
        for (int b = a + 1; b < level->units; b++)
            if (is_between(c, level, a, b))
                add_couple(c, level->by_site, a, b, b, list, &count);
    for (int a = 0; a < level->units; a++) {
        int b = fastest_from(c, level, a, -1);
        int next = b < 0 ? -1 : fastest_from(c, level, a, b);
        if (next >= 0)
            add_couple(c, level->by_site, a, b, next, list, &count);
    }
    return count;
}

/* Takes a couple whose units no other one of this round has. */
static bool take(struct campaign *c, bool by_site, struct couple *couple, bool *busy)
{
    int unit[4];
    for (int i = 0; i < 4; i++) {
        int group = c->group[i < 2 ? couple->from[i] : couple->to[i - 2]];
        unit[i] = by_site ? c->site[group] : group;
        if (couple->taken || busy[unit[i]])
            return false;
    }
    for (int i = 0; i < 4; i++)
        busy[unit[i]] = true;
    return couple->taken = true;
}

/* One round of couples: two ways at once each.  Two samples follow one another: derive.c reads them
 * as a couple. */
static void measure_couples(struct campaign *c, struct trial *trial, int trials)
{
    measure_alone(c, trial, trials, 0);
    measure_alone(c, trial, trials, 1);
    for (int i = 0; i < trials; i++)
        for (int k = 0; k < 2; k++) {
            trial[i].job[k].order.repeats = 1;
            trial[i].job[k].sample.kind = SAMPLE_SHARED;
            trial[i].job[k].silent = true;
            if (!trial[i].alone[k].count)
                trial[i].verdict = HN_MEDIUM_SWITCH; /* it failed: there is nothing to compare */
        }
    try_together(c, trial, trials);
    campaign_progress(c, "shared links");
}

/* Rounds of couples of one level, until all have had their turn. */
static void measure_level(struct campaign *c, const struct level *level, struct couple *list,
                          struct trial *trial, bool *busy)
{
    int couples = list_couples(c, level, list), trials = couples;
    while (trials > 0) {
        trials = 0;
        for (int u = 0; u < level->units; u++)
            busy[u] = false;
        for (int i = 0; i < couples && trials < (c->ways_width > 1 ? couples : 1); i++) {
            if (!take(c, level->by_site, &list[i], busy))
                continue;
            const int *from = list[i].from, *to = list[i].to;
            int64_t bytes = long_bytes(c, from[0], to[0]);
            trial[trials] = (struct trial){.count = 0};
            for (int k = 0; k < 2; k++)
                set_job(c, &trial[trials], from[k], to[k], bytes);
            trials++;
        }
        if (trials > 0)
            measure_couples(c, trial, trials);
    }
}

void campaign_shared(struct campaign *c)
{
    bool by_site = c->sites > 1 && c->sites < c->groups;
    struct level subnets = {.apart = by_site, .units = c->groups};
    struct level sites = {.by_site = true, .units = by_site ? c->sites : 0};
    size_t room = (size_t)c->groups * (size_t)c->groups + 1;
    struct couple *list = calloc(room, sizeof *list);
    struct trial *trial = calloc(room, sizeof *trial);
    bool *busy = calloc((size_t)c->groups, sizeof *busy);
    if (list && trial && busy) {
        measure_level(c, &subnets, list, trial, busy);
        measure_level(c, &sites, list, trial, busy);
    }
    free(list);
    free(trial);
    free(busy);
}
