/* measure_shared.c - what transfers at the same time share.
 *
 * Two messages that begin together and share a wire: the later one cannot be there before the wire
 * has carried both, whatever TCP does.  Both directions between neighbours: a bus; two pairs of
 * hosts between the same two subnets, or sites: their link; two ways that have one line in common:
 * that line, or uplink (contention_pairs.h says which).  Each message is measured alone first
 * (contention.h).  What a bus at either end explains is not tried, but with other hosts, if
 * there are any.  Trials between different units go at the same time, where larger messages have
 * been found to do so without harm.
 */
#include "measure/contention_pairs.h"
#include "measure/contention.h"

#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 4, BUCKETS_MOST = 131072 };

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

/* Two neighbours to each other at once, after one way alone. */
static struct trial both_ways(struct campaign *c, int from, int to, int64_t bytes)
{
    struct trial trial = {.count = 0};
    trial_add(c, &trial, from, to, bytes);
    trial_alone(c, &trial, 1);
    struct job *job = &trial.job[0];
    job->order.kind = EXPERIMENT_BOTH;
    job->order.repeats = ROUNDS;
    job->order.settle = 0;
    job->follow = EXPERIMENT_OTHER;
    job->sample.kind = SAMPLE_BOTH;
    job->silent = true;
    if (trial.alone[0].count)
        trial_decide(c, &trial, 1);
    return trial;
}

/* Whether two neighbours share their wire.  On a quick one it may be their processors that are
 * slower with both at once, of large messages more than of smaller ones, which need to be no
 * smaller than what passes a token bucket at once; after a rest, for hosts that may use a part of a
 * processor get it anew every tenth of a second. */
static bool share_wire(struct campaign *c, int from, int to)
{
    int64_t bytes = trial_bytes(c, from, to), fewer = bytes / 4;
    struct trial large = both_ways(c, from, to, bytes);
    trial_write(c, &large);
    if (large.verdict == HN_MEDIUM_BUS && fewer >= BUCKETS_MOST) {
        const struct timespec rest = {.tv_nsec = 200000000};
        nanosleep(&rest, NULL);
        struct trial small = both_ways(c, from, to, fewer);
        if (small.verdict == HN_MEDIUM_SWITCH) { /* the last one counts */
            trial_write(c, &small);
            return false;
        }
    }
    return large.verdict == HN_MEDIUM_BUS;
}

void campaign_media(struct campaign *c)
{
    for (int g = 0; g < c->groups; g++) {
        int from, to;
        if (campaign_group_size(c, g) < 2)
            continue;
        find_neighbours(c, g, &from, &to);
        if (!campaign_is_wanted(c, from, to))
            continue;
        c->bus[g] = share_wire(c, from, to);
        campaign_progress(c, "media");
    }
}

/* ---- links, uplinks and lines ------------------------------------------------------------- */

/* Takes a couple whose units, and lines, no other one of this round has. */
static bool take(const struct campaign *c, const struct campaign_level *level,
                 struct campaign_couple *couple, bool *busy, uint64_t *lines)
{
    int unit[4];
    for (int i = 0; i < 4; i++) {
        unit[i] = campaign_unit(c, level, i < 2 ? couple->from[i] : couple->to[i - 2]);
        if (couple->taken || busy[unit[i]] || (couple->lines & *lines))
            return false;
    }
    *lines |= couple->lines;
    for (int i = 0; i < 4; i++)
        busy[unit[i]] = true;
    return couple->taken = true;
}

/* Marks the unit from which both ways of a couple come, or to which both go. */
static void mark_narrow(const struct campaign *c, const struct campaign_level *level,
                        const struct trial *trial)
{
    const struct sample *x = &trial->job[0].sample, *y = &trial->job[1].sample;
    int from = campaign_unit(c, level, x->from), to = campaign_unit(c, level, x->to);
    if (from == campaign_unit(c, level, y->from))
        level->narrow[from] = true;
    if (to == campaign_unit(c, level, y->to))
        level->narrow[to] = true;
}

/* One round of couples: two ways at once each.  Two samples follow one another: derive.c reads them
 * as a couple. */
static void measure_couples(struct campaign *c, const struct campaign_level *level,
                            struct trial *trial, int trials)
{
    trial_alone(c, trial, trials);
    for (int i = 0; i < trials; i++)
        for (int k = 0; k < 2; k++) {
            trial[i].job[k].order.repeats = 1;
            trial[i].job[k].sample.kind = SAMPLE_SHARED;
            trial[i].job[k].silent = true;
            if (!trial[i].alone[k].count)
                trial[i].verdict = HN_MEDIUM_SWITCH; /* it failed: there is nothing to compare */
        }
    trial_together(c, trial, trials);
    for (int i = 0; i < trials; i++)
        if (trial[i].verdict == HN_MEDIUM_BUS)
            mark_narrow(c, level, &trial[i]);
    campaign_progress(c, "shared links");
}

/* Rounds of couples of one level, until all have had their turn. */
static void measure_level(struct campaign *c, const struct campaign_level *level,
                          struct campaign_couple *list, struct trial *trial, bool *busy)
{
    int couples = campaign_couples(c, level, list), trials = couples;
    while (trials > 0) {
        uint64_t lines = 0;
        trials = 0;
        for (int u = 0; u < level->units; u++)
            busy[u] = false;
        for (int i = 0; i < couples && trials < (c->ways_width > 1 ? couples : 1); i++) {
            if (!take(c, level, &list[i], busy, &lines))
                continue;
            const int *from = list[i].from, *to = list[i].to;
            int64_t bytes = trial_bytes(c, from[0], to[0]);
            trial[trials] = (struct trial){.count = 0};
            for (int k = 0; k < 2; k++)
                trial_add(c, &trial[trials], from[k], to[k], bytes);
            trials++;
        }
        if (trials > 0)
            measure_couples(c, level, trial, trials);
    }
}

void campaign_shared(struct campaign *c)
{
    bool by_site = c->sites > 1 && c->sites < c->groups;
    struct campaign_level level[] = {{.apart = by_site, .units = c->groups},
                                     {.by_site = true, .units = by_site ? c->sites : 0}};
    size_t room = campaign_couples_most(c);
    struct campaign_couple *list = calloc(room, sizeof *list);
    struct trial *trial = calloc(room, sizeof *trial);
    bool *busy = calloc((size_t)c->groups, sizeof *busy);
    bool *narrow = calloc(2 * (size_t)c->groups, sizeof *narrow);
    for (int i = 0; i < 2 && list && trial && busy && narrow; i++) {
        level[i].narrow = narrow + i * c->groups;
        measure_level(c, &level[i], list, trial, busy);
        campaign_outflow(c, &level[i]);
    }
    free(narrow);
    free(list);
    free(trial);
    free(busy);
}
