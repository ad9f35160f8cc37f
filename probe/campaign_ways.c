/* campaign_ways.c - larger messages: rates, and what transfers at the same time share.
 *
 * A message that is answered by one byte takes its way's time and a small message's.  In a subnet
 * each host sends to the next one (in a ring); then the host that does this fastest is everybody's
 * partner in both directions, so every host is measured against one that is not slower.  Between
 * two subnets of a site, and between two sites, two pairs are measured, each direction.  Sizes grow
 * as long as the next one is expected to arrive in message_ms, so what slow links cost is bounded.
 * Far away a message is repeated until TCP's window has grown to its size, and sizes that would
 * only measure the latency again are left out.
 *
 * At the same time go only ways that cannot meet: near ones in different subnets, far ones between
 * different sites; and only when a check against serial samples finds that they do not slow each
 * other down.
 *
 * Shared wires are found by two transfers at once: both directions between neighbours (a bus), two
 * pairs of hosts between the same two subnets or sites (their link), one host of a subnet to each
 * of two others (its uplink).
 */
#include "campaign_state.h"
#include "medium.h"

#include <math.h>

enum { BETWEEN = 2, SETTLED = 30, REPEATS = 16, FAR_REPEATS = 8 };
enum { FIRST_WINDOW = 14480 }; /* bytes that TCP sends before the first answer (RFC 6928) */
static const int64_t sizes[] = {4096, 16384, 65536, 262144, EXPERIMENT_BYTES};
enum { SIZES = sizeof sizes / sizeof *sizes };

struct job campaign_way(const struct campaign *c, int from, int to, int64_t bytes, int64_t repeats)
{
    struct job job = campaign_ping(c, from, to, bytes, repeats);
    job.order.reply = 1;
    job.order.budget_ns = (int64_t)c->plan->message_ms * 500000;
    if (bytes > FIRST_WINDOW && !campaign_is_near(c, from, to)) {
        int64_t round_trips = 2 * FAR_REPEATS * c->small[from * c->n + to];
        job.order.repeats = repeats > FAR_REPEATS ? repeats : FAR_REPEATS;
        if (job.order.budget_ns < round_trips)
            job.order.budget_ns = round_trips;
    }
    job.order.settle = SETTLED;
    job.sample.kind = SAMPLE_WAY;
    job.parts = 1;
    return job;
}

/* ---- which ways --------------------------------------------------------------------------- */

static void add_way(struct campaign *c, int from, int to)
{
    if (from == to || from < 0 || to < 0 || c->large[from * c->n + to] ||
        !campaign_is_wanted(c, from, to))
        return;
    int a = c->group[from], b = c->group[to];
    bool near = campaign_is_near(c, from, to);
    c->zones[c->pairs] = near ? (struct rounds_pair){.from = a, .to = b}
                              : (struct rounds_pair){.from = c->site[a], .to = c->site[b]};
    c->pair[c->pairs++] = (struct rounds_pair){.from = from, .to = to};
}

static void list_ring(struct campaign *c, int group)
{
    int size = campaign_group_size(c, group);
    for (int i = 0; i < size && (i == 0 || !c->plan->quick); i++)
        add_way(c, campaign_member(c, group, i), campaign_member(c, group, i + 1));
    if (size == 2 || c->plan->quick)
        add_way(c, campaign_member(c, group, 1), campaign_member(c, group, 0));
}

/* The member that its neighbours in the ring reach, and that reaches them, fastest. */
static int find_hub(const struct campaign *c, int group)
{
    int size = campaign_group_size(c, group), hub = -1;
    int64_t least = INT64_MAX;
    for (int i = 0; i < size; i++) {
        int before = campaign_member(c, group, i + size - 1), at = campaign_member(c, group, i);
        int after = campaign_member(c, group, i + 1);
        int64_t in = c->large[before * c->n + at], out = c->large[at * c->n + after];
        if (in && out && in + out < least) {
            least = in + out;
            hub = at;
        }
    }
    return hub;
}

static void list_hub(struct campaign *c, int group)
{
    int size = campaign_group_size(c, group), hub = size > 2 ? find_hub(c, group) : -1;
    for (int i = 0; hub >= 0 && i < size; i++) {
        add_way(c, campaign_member(c, group, i), hub);
        add_way(c, hub, campaign_member(c, group, i));
    }
}

/* Member of a unit: a site's where there are sites, else a group's; from different groups as far
 * as possible.  -1: it has no such member. */
static int unit_member(const struct campaign *c, bool by_site, int unit, int index)
{
    int groups = 0, members = 0;
    if (!by_site)
        return index < campaign_group_size(c, unit) ? campaign_member(c, unit, index) : -1;
    for (int g = 0; g < c->groups; g++)
        groups += c->site[g] == unit && campaign_group_size(c, g) > 0;
    for (int g = 0; g < c->groups; g++) {
        if (c->site[g] != unit || campaign_group_size(c, g) == 0)
            continue;
        if (index % groups == members++)
            return index / groups < campaign_group_size(c, g)
                       ? campaign_member(c, g, index / groups)
                       : -1;
    }
    return -1;
}

/* Two pairs, both ways, between any two units: sites, or subnets of one site. */
static void list_between(struct campaign *c, bool by_site)
{
    int units = by_site ? c->sites : c->groups, most = c->plan->quick ? 1 : BETWEEN;
    for (int a = 0; a < units; a++)
        for (int b = a + 1; b < units; b++)
            for (int i = 0; i < most && (by_site || c->site[a] == c->site[b]); i++) {
                int from = unit_member(c, by_site, a, i), to = unit_member(c, by_site, b, i);
                if (from < 0 && to < 0)
                    continue;
                from = from < 0 ? unit_member(c, by_site, a, 0) : from;
                to = to < 0 ? unit_member(c, by_site, b, 0) : to;
                add_way(c, from, to);
                add_way(c, to, from);
            }
}

/* ---- measuring ---------------------------------------------------------------------------- */

/* Time of the message's bytes alone, of a way that took `time`, answer included. */
static int64_t bytes_time(const struct campaign *c, const struct sample *sample)
{
    int at = sample->from * c->n + sample->to;
    int64_t rest = sample->best - c->page[at] - c->small[at];
    return rest > 0 ? rest * sample->bytes / (sample->bytes - CAMPAIGN_PAGE) : 0;
}

/* Whether the next size's bytes are expected to take less than message_ms. */
static bool is_short(const struct campaign *c, const struct sample *sample, int64_t next)
{
    int64_t limit = (int64_t)c->plan->message_ms * 1000000;
    return bytes_time(c, sample) < limit / (next / sample->bytes);
}

/* Of the next size mostly the latency would be measured again, and the one after it is short, too.
 */
static bool tells_little(const struct campaign *c, const struct sample *sample, int64_t next,
                         int64_t after)
{
    int64_t bytes = bytes_time(c, sample) * (next / sample->bytes);
    return sample->count && is_short(c, sample, after) &&
           bytes < c->small[sample->from * c->n + sample->to] / 4;
}

static void remember(struct campaign *c, const struct sample *sample)
{
    int at = sample->from * c->n + sample->to;
    if (!sample->count)
        return;
    c->large[at] = bytes_time(c, sample) * 1000 / sample->bytes + 1;
    c->bytes[at] = sample->bytes;
    c->best[at] = sample->best;
}

/* Ever larger messages on some ways at the same time; each goes on as long as the next size is
 * expected to arrive in time.  The first size is sent once even where it takes longer. */
static void measure_ways(struct campaign *c, int *chosen, int count)
{
    for (int size = 0; size < SIZES && count > 0; size++) {
        int going_on = 0;
        for (int i = 0; i < count; i++) {
            const struct rounds_pair *pair = &c->pair[chosen[i]];
            c->job[i] = campaign_way(c, pair->from, pair->to, sizes[size], REPEATS);
        }
        conduct(&c->conductor, c->job, count);
        bool skip = size + 2 < SIZES;
        for (int i = 0; i < count; i++) {
            const struct sample *sample = &c->job[i].sample;
            remember(c, sample);
            skip = skip && tells_little(c, sample, sizes[size + 1], sizes[size + 2]);
            if (sample->count && size + 1 < SIZES && is_short(c, sample, sizes[size + 1]))
                chosen[going_on++] = chosen[i];
        }
        count = going_on;
        size += skip;
    }
}

/* All that is listed, in rounds. */
static void measure_listed(struct campaign *c)
{
    int width = 0;
    for (int i = 0; i < c->pairs; i++)
        c->zones[i].taken = false;
    for (int count;
         (count = rounds_next(c->zones, c->pairs, c->n, c->group, c->busy, c->chosen));) {
        if (width == 0)
            width = campaign_width(c, count, campaign_way, sizes[1]);
        for (int i = 0; i < count; i += width)
            measure_ways(c, c->chosen + i, count - i < width ? count - i : width);
        campaign_progress(c, "larger messages");
    }
    c->pairs = 0;
}

void campaign_ways(struct campaign *c)
{
    c->pairs = 0;
    for (int g = 0; g < c->groups; g++)
        list_ring(c, g);
    measure_listed(c);
    for (int g = 0; g < c->groups && !c->plan->quick; g++)
        list_hub(c, g);
    measure_listed(c);
    list_between(c, false);
    measure_listed(c);
    list_between(c, true);
    measure_listed(c);
}

/* ---- two at once --------------------------------------------------------------------------
 *
 * Two messages that begin together and share a wire: the later one cannot be there before the wire
 * has carried both, whatever TCP does.  A busy machine, or another one's traffic, can make two
 * wires look like one, but not for ever: trials end as soon as both are as quick as alone, and
 * "shared" is believed when that has not happened in a few of them.
 */

enum { ALONE = 4, ROUNDS = 4, TRIALS = 8, ENOUGH = 3 };
static const int64_t long_ns = 8000000, longest_ns = 100000000, long_budget_ns = 300000000;

/* A message whose bytes take eight milliseconds, and four times as long as all else; but not more
 * than a tenth of a second. */
static int64_t long_bytes(const struct campaign *c, int from, int to)
{
    int at = from * c->n + to;
    int64_t bytes = sizes[0], wanted = 8 * c->small[at] > long_ns ? 8 * c->small[at] : long_ns;
    wanted = wanted < longest_ns ? wanted : longest_ns;
    while (bytes < EXPERIMENT_BYTES && bytes * c->large[at] / 1000 < wanted)
        bytes *= 2;
    return bytes;
}

/* It alone, a few times, unless it has been measured and takes long; false: there is no way, or it
 * failed. */
static bool long_message(struct campaign *c, int from, int to, int64_t bytes, struct job *job)
{
    int at = from * c->n + to;
    if (c->page[at] >= HN_TIME_MOST)
        return false;
    *job = campaign_way(c, from, to, bytes, ALONE);
    job->order.budget_ns = long_budget_ns;
    if (c->bytes[at] == bytes && c->best[at] > longest_ns / 2) {
        job->sample.best = job->sample.median = c->best[at];
        job->sample.count = 1;
    } else {
        conduct(&c->conductor, job, 1);
    }
    return job->sample.count > 0;
}

/* One or two jobs at the same time, again and again, until it is clear whether they slow each other
 * down; their samples are those of the trial in which they did so least. */
static hn_medium try_together(struct campaign *c, struct job *job, int count,
                              const struct sample *alone)
{
    struct sample least[2] = {{0}, {0}};
    hn_medium verdict = HN_MEDIUM_UNKNOWN;
    double slowest = HUGE_VAL;
    for (int trial = 0; trial < TRIALS && verdict == HN_MEDIUM_UNKNOWN; trial++) {
        double slower = 0;
        conduct(&c->conductor, job, count);
        for (int i = 0; i < count; i++) {
            int64_t small = c->small[alone[i].from * c->n + alone[i].to];
            slower = fmax(slower, medium_slower(&alone[i], &job[i].sample, small));
        }
        if (slower > 0 && slower < slowest) {
            slowest = slower;
            for (int i = 0; i < count; i++)
                least[i] = job[i].sample;
        }
        hn_medium seen = medium_judge(slowest);
        verdict = seen == HN_MEDIUM_BUS && trial + 1 < ENOUGH ? HN_MEDIUM_UNKNOWN : seen;
    }
    for (int i = 0; i < count; i++)
        if (least[i].count)
            sample_print(&least[i], c->conductor.out);
    return verdict;
}

/* Two neighbours of each subnet to each other at once, after one way alone. */
void campaign_media(struct campaign *c)
{
    for (int g = 0; g < c->groups; g++) {
        struct job job;
        int from = campaign_member(c, g, 0), to = campaign_member(c, g, 1);
        if (campaign_group_size(c, g) < 2 || !campaign_is_wanted(c, from, to) ||
            !long_message(c, from, to, long_bytes(c, from, to), &job))
            continue;
        struct sample alone = job.sample;
        job.order.kind = EXPERIMENT_BOTH;
        job.order.repeats = ROUNDS;
        job.order.settle = 0;
        job.follow = EXPERIMENT_OTHER;
        job.sample.kind = SAMPLE_BOTH;
        job.silent = true;
        c->bus[g] = try_together(c, &job, 1, &alone) == HN_MEDIUM_BUS;
        campaign_progress(c, "media");
    }
}

/* Two ways at once.  Two samples follow one another: derive.c reads them as a couple. */
static void measure_couple(struct campaign *c, int from, int to, int from2, int to2)
{
    struct job job[2];
    struct sample alone[2];
    if (from < 0 || from2 < 0 || from == from2 || to < 0 || to2 < 0 || to == to2 ||
        !(campaign_is_wanted(c, from, to) || campaign_is_wanted(c, from2, to2)))
        return;
    int64_t bytes = long_bytes(c, from, to);
    if (!long_message(c, from, to, bytes, &job[0]) || !long_message(c, from2, to2, bytes, &job[1]))
        return;
    for (int i = 0; i < 2; i++) {
        alone[i] = job[i].sample;
        job[i].order.repeats = 1;
        job[i].sample.kind = SAMPLE_SHARED;
        job[i].silent = true;
    }
    try_together(c, job, 2, alone);
    campaign_progress(c, "shared links");
}

void campaign_shared(struct campaign *c)
{
    bool by_site = c->sites > 1 && c->sites < c->groups;
    int units = by_site ? c->sites : c->groups;
    for (int a = 0; a < units; a++)
        for (int b = a + 1; b < units; b++)
            measure_couple(c, unit_member(c, by_site, a, 0), unit_member(c, by_site, b, 0),
                           unit_member(c, by_site, a, 1), unit_member(c, by_site, b, 1));
    for (int a = 0; a < units && units > 2; a++)
        measure_couple(c, unit_member(c, by_site, a, 0),
                       unit_member(c, by_site, (a + 1) % units, 0), unit_member(c, by_site, a, 1),
                       unit_member(c, by_site, (a + 2) % units, 0));
}
