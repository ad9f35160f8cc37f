/* campaign_shared.c - what transfers at the same time share.
 *
 * Two messages that begin together and share a wire: the later one cannot be there before the wire
 * has carried both, whatever TCP does.  Both directions between neighbours: a bus; two pairs of
 * hosts between the same two subnets, or sites: their link; two ways that have one line in common:
 * that line, or uplink (campaign_couples.h says which).  Each message is measured alone first.
 *
 * A busy machine, or another one's traffic, can make two wires look like one, but not for ever:
 * trials end as soon as both are as quick as alone, and "shared" is believed when that has not
 * happened in a few of them.  What a bus at either end explains is not tried, but with other hosts,
 * if there are any.  Trials between different units go at the same time, where larger messages have
 * been found to do so without harm.
 */
#include "campaign_couples.h"
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
            c->bytes[at] = alone->bytes;
            c->best[at] = alone->best;
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

/* ---- links, uplinks and lines ------------------------------------------------------------- */

/* Takes a couple whose units, and lines, no other one of this round has. */
static bool take(struct campaign *c, bool by_site, struct campaign_couple *couple, bool *busy,
                 uint64_t *lines)
{
    int unit[4];
    for (int i = 0; i < 4; i++) {
        int group = c->group[i < 2 ? couple->from[i] : couple->to[i - 2]];
        unit[i] = by_site ? c->site[group] : group;
        if (couple->taken || busy[unit[i]] || (couple->lines & *lines))
            return false;
    }
    *lines |= couple->lines;
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
            if (!take(c, level->by_site, &list[i], busy, &lines))
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
    struct campaign_level subnets = {.apart = by_site, .units = c->groups};
    struct campaign_level sites = {.by_site = true, .units = by_site ? c->sites : 0};
    size_t room = campaign_couples_most(c);
    struct campaign_couple *list = calloc(room, sizeof *list);
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
