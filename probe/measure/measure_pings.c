/* measure_pings.c - round trips of 1 B and 1 KiB between all pairs (ECO, section 3).
 *
 * Near pairs and far ones are taken in rounds of their own, in which no host is in two pairs and no
 * two pairs lie between the same two subnets.  How many pairs of a round go at the same time is
 * found out once: some pairs are measured alone, then together with others; when that is slower,
 * with half as many, and so on.  (Pairs on one switch do not disturb each other; pairs on one
 * hub, or in tests on one machine's two processors, do.)  A pair's pings end as soon as its three
 * quickest are nearly the same.  The first pass measures every near pair; after that a pair is done
 * when it is as quick as the two quickest between its subnets are.  Far pairs, which cost whole
 * round trips, can be done after the first round, and are when a pass finds no better times.  Pairs
 * that miss being of one subnet by little are measured once more, alone and for longer.
 */
#include "measure/measurement_state.h"

enum { SETTLED = 40, PART = 25, FIRST_REPEATS = 3, REPEATS = 10, AGAIN = 30 };
/* Of so few subnets, and hosts, so many of the nearest pairs between each two are looked at again;
 * to find them takes the fourth power of the hosts. */
enum { FEW_GROUPS = 8, FEW_HOSTS = 32, BRIDGES = 2 };
static const int64_t ping_budget_ns = 10000000, again_budget_ns = 30000000;
static const int64_t blur_ns = 2000; /* of a clock and a scheduler */

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

/* A job for each size of a pair. */
static void ping_jobs(const struct campaign *c, int from, int to, int64_t repeats,
                      struct job job[2])
{
    job[0] = campaign_ping(c, from, to, CAMPAIGN_SMALL, repeats);
    job[1] = campaign_ping(c, from, to, CAMPAIGN_PAGE, repeats);
}

/* Small messages, then 1 KiB, between some pairs. */
static void ping_pairs(struct campaign *c, const int *chosen, int count, int64_t repeats)
{
    for (int i = 0; i < count; i++) {
        const struct rounds_pair *pair = &c->pair[chosen[i]];
        c->settled[pair->from * c->n + pair->to] = true;
        ping_jobs(c, pair->from, pair->to, repeats, &c->job[2 * i]);
    }
    conduct(&c->conductor, c->job, 2 * count);
    for (int i = 0; i < 2 * count; i++)
        remember(c, &c->job[i]);
}

/* All pairs, round after round, some rounds ahead: whoever is ready begins the next one, so a pair
 * of hosts far apart keeps only those waiting that are to meet one of the two. */
void campaign_first_pings(struct campaign *c)
{
    int rounds = rounds_count(c->n);
    for (int round = 0; round < rounds;) {
        int count = 0, end = round + CAMPAIGN_AHEAD < rounds ? round + CAMPAIGN_AHEAD : rounds;
        for (; round < end; round++)
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

/* ---- passes -------------------------------------------------------------------------------- */

static int64_t *floor_of(const struct campaign *c, int size, int a, int b)
{
    int g = c->group[a], h = c->group[b];
    return &c->floor[size][g < h ? g * c->n + h : h * c->n + g];
}

static bool is_at(int64_t time, int64_t floor)
{
    return floor < HN_TIME_MOST && time <= floor + floor / PART + blur_ns;
}

/* The least time between any two subnets counts as the floor there when a second pair has it, too:
 * what disturbs makes a pair slower, never quicker, and no two by the same. */
static void find_floors(struct campaign *c)
{
    for (int size = 0; size < 2; size++) {
        const int64_t *time = size ? c->page : c->small;
        int64_t *least = c->least;
        for (int i = 0; i < c->n * c->n; i++)
            least[i] = c->floor[size][i] = HN_TIME_MOST;
        for (int a = 0; a < c->n; a++)
            for (int b = a + 1; b < c->n; b++) {
                int64_t *second = floor_of(c, size, a, b), t = time[a * c->n + b];
                int64_t *first = &least[second - c->floor[size]];
                *second = t < *first ? *first : t < *second ? t : *second;
                *first = t < *first ? t : *first;
            }
        for (int i = 0; i < c->n * c->n; i++)
            c->floor[size][i] = is_at(c->floor[size][i], least[i]) ? least[i] : HN_TIME_MOST;
    }
}

/* Nothing better is to be expected of the pair's next pings.  That a pass has found nothing better
 * says so of far pairs only: near ones a busy machine can hold up for as long as two passes take.
 */
static bool is_done(const struct campaign *c, int a, int b)
{
    int at = a * c->n + b;
    return (c->settled[at] && !campaign_is_near(c, a, b)) ||
           (is_at(c->small[at], *floor_of(c, 0, a, b)) &&
            is_at(c->page[at], *floor_of(c, 1, a, b)));
}

/* All pairs a < b that are near, or all that are not, as far as they are not done; in the order of
 * a tournament's rounds, so that neighbours in the list are disjoint. */
static void list_pairs(struct campaign *c, bool near, bool all)
{
    c->pairs = 0;
    for (int round = 0; round < rounds_count(c->n); round++)
        for (int a = 0; a < c->n; a++) {
            int b = rounds_partner(c->n, round, a);
            if (b > a && campaign_is_wanted(c, a, b) && campaign_is_near(c, a, b) == near &&
                (all || !is_done(c, a, b)))
                c->pair[c->pairs++] = (struct rounds_pair){.from = a, .to = b};
        }
}

static void ping_rounds(struct campaign *c, bool near, bool all)
{
    int *width = near ? &c->near_width : &c->far_width;
    list_pairs(c, near, all);
    for (int count;
         (count = rounds_next(c->pair, c->pairs, c->n, c->group, c->busy, c->chosen)) > 0;) {
        if (*width == 0)
            *width = campaign_width(c, count, campaign_ping, CAMPAIGN_PAGE);
        for (int i = 0; i < count; i += *width)
            ping_pairs(c, c->chosen + i, count - i < *width ? count - i : *width, REPEATS);
        campaign_progress(c, near ? "round trips" : "far round trips");
    }
}

void campaign_pings(struct campaign *c, int pass)
{
    find_floors(c);
    ping_rounds(c, true, pass == 0);
    ping_rounds(c, false, false);
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

static bool are_few(const struct campaign *c)
{
    return c->groups <= FEW_GROUPS && c->n <= FEW_HOSTS;
}

/* Too far for one subnet, but not by much: a disturbed measurement looks like this. A machine that
 * is disturbed as a whole makes some pairs several times slower; of few subnets all can be looked
 * at. */
static bool is_doubtful(const struct campaign *c, int a, int b)
{
    int64_t page = c->page[a * c->n + b], x = nearest_page(c, a), y = nearest_page(c, b);
    int64_t part = are_few(c) ? page / 4 : page / 3 * 2;
    return c->group[a] != c->group[b] && page < HN_TIME_MOST && part < (x < y ? x : y);
}

/* How many pairs between the same two subnets are nearer than this one. */
static int nearer(const struct campaign *c, int a, int b)
{
    int count = 0;
    for (int x = 0; x < c->n; x++)
        for (int y = 0; y < c->n; y++)
            if (c->group[x] == c->group[a] && c->group[y] == c->group[b] &&
                c->page[x * c->n + y] < c->page[a * c->n + b])
                count++;
    return count;
}

bool campaign_doubtful(struct campaign *c)
{
    bool better = false;
    c->pairs = 0;
    for (int a = 0; a < c->n; a++)
        for (int b = a + 1; b < c->n; b++)
            if (is_doubtful(c, a, b) && campaign_is_wanted(c, a, b) &&
                (!are_few(c) || nearer(c, a, b) < BRIDGES))
                c->pair[c->pairs++] = (struct rounds_pair){.from = a, .to = b};
    for (int i = 0; i < c->pairs; i++) {
        int at = c->pair[i].from * c->n + c->pair[i].to;
        int64_t before = c->page[at];
        ping_pairs(c, &i, 1, AGAIN);
        better |= c->page[at] < before - before / PART;
    }
    if (c->pairs)
        campaign_progress(c, "doubtful pairs again");
    return better;
}
