/* campaign_pings.c - round trips of 1 B and 1 KiB between all pairs (ECO, section 3).
 *
 * Near pairs and far ones are taken in rounds of their own, in which no host is in two pairs and no
 * two pairs lie between the same two subnets.  How many pairs of a round go at the same time is
 * found out once: some pairs are measured alone, then together with others; when that is slower,
 * with half as many, and so on.  (Pairs on one switch do not disturb each other; pairs on one
 * hub, or in tests on one machine's two processors, do.)  A pair's pings end as soon as its three
 * quickest are nearly the same, and a far pair of which a pass finds no better times is done.
 * Pairs that miss being of one subnet by little are measured once more, alone and for longer.
 */
#include "campaign_state.h"

enum { SETTLED = 40, PART = 25, FIRST_REPEATS = 3, REPEATS = 10, AGAIN = 30 };
static const int64_t ping_budget_ns = 10000000, again_budget_ns = 30000000;

struct job campaign_ping(const struct campaign *c, int from, int to, int64_t bytes, int64_t repeats)
{
    return (struct job){
        .leader = from,
        .order = {.kind = EXPERIMENT_PING,
                  .bytes = bytes,
                  .reply = bytes,
                  .repeats = repeats,
                  .budget_ns = repeats < AGAIN ? ping_budget_ns : again_budget_ns,
                  .settle = SETTLED,
                  .patience_ms = campaign_patience(c, from, to, bytes),
                  .peers = 1,
                  .peer = {to}},
        .follow = EXPERIMENT_ECHO,
        .sample = {.kind = SAMPLE_PING, .from = from, .to = to, .bytes = bytes},
        .parts = 2,
    };
}

static void remember(struct campaign *c, const struct job *job)
{
    int a = job->sample.from, b = job->sample.to;
    int64_t *table = job->sample.bytes == CAMPAIGN_PAGE ? c->page : c->small;
    int64_t *time = &table[a * c->n + b];
    if (!job->sample.count)
        return;
    if (job->sample.best < *time - *time / PART)
        c->settled[a * c->n + b] = false;
    if (job->sample.best < *time)
        table[b * c->n + a] = *time = job->sample.best;
}

/* Small messages, then 1 KiB, between some pairs at the same time. */
static void ping_pairs(struct campaign *c, const int *chosen, int count, int64_t repeats)
{
    static const int64_t lengths[] = {CAMPAIGN_SMALL, CAMPAIGN_PAGE};
    for (int i = 0; i < count; i++)
        c->settled[c->pair[chosen[i]].from * c->n + c->pair[chosen[i]].to] = true;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < count; i++) {
            const struct rounds_pair *pair = &c->pair[chosen[i]];
            c->job[i] = campaign_ping(c, pair->from, pair->to, lengths[k], repeats);
        }
        conduct(&c->conductor, c->job, count);
        for (int i = 0; i < count; i++)
            remember(c, &c->job[i]);
    }
}

void campaign_first_pings(struct campaign *c)
{
    for (int round = 0; round < rounds_count(c->n); round++) {
        int count = 0;
        for (int from = 0; from < c->n; from++) {
            int to = rounds_partner(c->n, round, from);
            if (to < from || !campaign_is_wanted(c, from, to))
                continue;
            c->pair[count] = (struct rounds_pair){.from = from, .to = to};
            c->chosen[count] = count;
            count++;
        }
        ping_pairs(c, c->chosen, count, FIRST_REPEATS);
        campaign_progress(c, "first round trips");
    }
}

/* All pairs a < b that are near, or all that are not; in the order of a tournament's rounds, so
 * that neighbours in the list are disjoint. */
static void list_pairs(struct campaign *c, bool near)
{
    c->pairs = 0;
    for (int round = 0; round < rounds_count(c->n); round++)
        for (int a = 0; a < c->n; a++) {
            int b = rounds_partner(c->n, round, a);
            if (b > a && campaign_is_wanted(c, a, b) && (near || !c->settled[a * c->n + b]) &&
                campaign_is_near(c, a, b) == near)
                c->pair[c->pairs++] = (struct rounds_pair){.from = a, .to = b};
        }
}

/* The next round of the list: its pairs are at c->chosen. */
static int next_round(struct campaign *c)
{
    return rounds_next(c->pair, c->pairs, c->n, c->group, c->busy, c->chosen);
}

static void ping_rounds(struct campaign *c, bool near)
{
    int *width = near ? &c->near_width : &c->far_width;
    list_pairs(c, near);
    for (int count; (count = next_round(c)) > 0;) {
        if (*width == 0)
            *width = campaign_width(c, count, campaign_ping, CAMPAIGN_PAGE);
        for (int i = 0; i < count; i += *width)
            ping_pairs(c, c->chosen + i, count - i < *width ? count - i : *width, REPEATS);
        campaign_progress(c, near ? "round trips" : "far round trips");
    }
}

void campaign_pings(struct campaign *c)
{
    ping_rounds(c, true);
    ping_rounds(c, false);
}

/* The nearest other host's time. */
static int64_t nearest_page(const struct campaign *c, int a)
{
    int64_t nearest = HN_TIME_MOST;
    for (int b = 0; b < c->n; b++)
        if (b != a && c->page[a * c->n + b] < nearest)
            nearest = c->page[a * c->n + b];
    return nearest;
}

/* Too far for one subnet, but not by much: a disturbed measurement looks like this. */
static bool is_doubtful(const struct campaign *c, int a, int b)
{
    int64_t page = c->page[a * c->n + b], x = nearest_page(c, a), y = nearest_page(c, b);
    return c->group[a] != c->group[b] && page < HN_TIME_MOST && page / 3 * 2 < (x < y ? x : y);
}

void campaign_doubtful(struct campaign *c)
{
    c->pairs = 0;
    for (int a = 0; a < c->n; a++)
        for (int b = a + 1; b < c->n; b++)
            if (is_doubtful(c, a, b) && campaign_is_wanted(c, a, b))
                c->pair[c->pairs++] = (struct rounds_pair){.from = a, .to = b};
    for (int i = 0; i < c->pairs; i++)
        ping_pairs(c, &i, 1, AGAIN);
    if (c->pairs)
        campaign_progress(c, "doubtful pairs again");
}
