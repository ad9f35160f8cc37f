/* measure_rates.c - larger messages: rates, and what transfers at the same time share.
 *
 * A message that is answered by one byte takes its way's time and a small message's.  In a subnet
 * each host sends to the next one (in a ring), which shows each host as a sender and a receiver;
 * hosts at both ends of a way that is slower than the others are then measured, in both directions,
 * with the host that is fastest, so that it shows which of the two is slow.  Between two subnets of
 * a site, and between two sites, two pairs are measured, each direction; a wide-area link that is
 * much slower than what is at its ends is the same for all hosts, and one pair is enough.  Sizes
 * grow as long as the next one is expected to arrive in message_ms, so what slow links cost is
 * bounded; the second size may take longer, for one tells neither what a bend leaves of the rate
 * nor that it was not a token bucket's. Far away a message is repeated until TCP's window has grown
 * to its size, and every other size is left out.
 *
 * At the same time go only ways that cannot meet: near ones in different subnets, far ones between
 * different sites; and only when a check against serial samples finds that they do not slow each
 * other down.
 */
#include "measure/measurement_state.h"

enum { BETWEEN = 2, NARROW = 3, SETTLED = 30, REPEATS = 16, FAR_REPEATS = 8 };
enum { SECOND = 8 }; /* times message_ms, that the second size may take */
static const int64_t sizes[] = {CAMPAIGN_LARGE, 16384, 65536, 262144, EXPERIMENT_BYTES};
enum { SIZES = sizeof sizes / sizeof *sizes };
static const int64_t pause_ns = 500000;

struct job campaign_way(const struct campaign *c, int from, int to, int64_t bytes, int64_t repeats)
{
    struct job job = campaign_ping(c, from, to, bytes, repeats);
    job.order.reply = 1;
    job.order.budget_ns = (int64_t)c->plan->message_ms * 500000;
    if (campaign_is_near(c, from, to)) {
        job.order.pause_ns = pause_ns;
        job.order.awake = true;
    } else if (bytes > CAMPAIGN_WINDOW) {
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

/* Whether a way of the ring is slower than its best one by more than a tenth. */
static bool is_slow(const struct campaign *c, int from, int to, int64_t best)
{
    int64_t per_byte = c->large[from * c->n + to];
    return per_byte == 0 || per_byte > best + best / 10;
}

static void list_hub(struct campaign *c, int group)
{
    int size = campaign_group_size(c, group), hub = size > 2 ? find_hub(c, group) : -1;
    int64_t best = INT64_MAX;
    for (int i = 0; i < size; i++) {
        int from = campaign_member(c, group, i), to = campaign_member(c, group, i + 1);
        int64_t per_byte = c->large[from * c->n + to];
        best = per_byte && per_byte < best ? per_byte : best;
    }
    for (int i = 0; hub >= 0 && i < size; i++) {
        int before = campaign_member(c, group, i + size - 1), at = campaign_member(c, group, i);
        int after = campaign_member(c, group, i + 1);
        if (is_slow(c, before, at, best))
            add_way(c, hub, at);
        if (is_slow(c, at, after, best))
            add_way(c, at, hub);
    }
}

int campaign_unit_member(const struct campaign *c, bool by_site, int unit, int index)
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

int64_t campaign_near_cost(const struct campaign *c, int host, bool out)
{
    int64_t best = 0;
    for (int other = 0; other < c->n; other++) {
        int64_t cost = out ? c->large[host * c->n + other] : c->large[other * c->n + host];
        if (cost && c->group[other] == c->group[host] && (best == 0 || cost < best))
            best = cost;
    }
    return best;
}

/* A link so much slower than what is at its ends that their other hosts would show nothing new. */
static bool is_narrow(const struct campaign *c, int from, int to)
{
    int64_t out = campaign_near_cost(c, from, true), in = campaign_near_cost(c, to, true),
            cost = c->large[from * c->n + to];
    return out && in && cost / NARROW > (out > in ? out : in);
}

/* Pair number `index` of two units, both ways. */
static void list_units(struct campaign *c, bool by_site, int a, int b, int index)
{
    int from = campaign_unit_member(c, by_site, a, index),
        to = campaign_unit_member(c, by_site, b, index);
    int first = campaign_unit_member(c, by_site, a, 0),
        last = campaign_unit_member(c, by_site, b, 0);
    if ((from < 0 && to < 0) || first < 0 || last < 0 || (!by_site && c->site[a] != c->site[b]) ||
        (index > 0 && is_narrow(c, first, last) && is_narrow(c, last, first)))
        return;
    from = from < 0 ? first : from;
    to = to < 0 ? last : to;
    add_way(c, from, to);
    add_way(c, to, from);
}

/* Between any two units: sites, or subnets of one site.  In the order of a tournament's rounds, so
 * that neighbours in the list can be measured at the same time. */
static void list_between(struct campaign *c, bool by_site, int index)
{
    int units = by_site ? c->sites : c->groups;
    for (int round = 0; round < rounds_count(units); round++)
        for (int a = 0; a < units; a++) {
            int b = rounds_partner(units, round, a);
            if (b > a)
                list_units(c, by_site, a, b, index);
        }
}

/* ---- measuring ---------------------------------------------------------------------------- */

/* Time of the bytes alone of the largest message that was sent, which took `best`, answer included.
 */
static int64_t bytes_time(const struct campaign *c, int at)
{
    int64_t rest = c->best[at] - c->page[at] - c->small[at];
    return rest > 0 ? rest * c->bytes[at] / (c->bytes[at] - CAMPAIGN_PAGE) : 0;
}

/* Whether the bytes of so large a message are expected to take less than so many times message_ms.
 */
static bool is_short(const struct campaign *c, int at, int64_t bytes, int times)
{
    int64_t limit = (int64_t)c->plan->message_ms * 1000000 * times;
    return bytes_time(c, at) < limit / (bytes / c->bytes[at]);
}

/* Of the next message of a way; 0: it has been enough.  Far away, where each size costs several
 * round trips, one is left out if the one after it is short, too: a line goes through that as well.
 */
static int64_t next_bytes(const struct campaign *c, int from, int to)
{
    int at = from * c->n + to, size = 0;
    while (size < SIZES && sizes[size] <= c->bytes[at])
        size++;
    if (size == 0)
        return sizes[0];
    if (size == SIZES || !is_short(c, at, sizes[size], size == 1 ? SECOND : 1))
        return 0;
    bool skip =
        !campaign_is_near(c, from, to) && size + 1 < SIZES && is_short(c, at, sizes[size + 1], 1);
    return sizes[size + skip];
}

/* Whether there was something to remember. */
static bool remember(struct campaign *c, const struct sample *sample)
{
    int at = sample->from * c->n + sample->to;
    if (!sample->count)
        return false;
    c->bytes[at] = sample->bytes;
    c->best[at] = sample->best;
    c->large[at] = bytes_time(c, at) * 1000 / sample->bytes + 1;
    return true;
}

/* Slower by more than a tenth than the size before lets expect. */
static bool is_doubtful(const struct campaign *c, const struct sample *sample)
{
    int at = sample->from * c->n + sample->to;
    if (!sample->count || c->bytes[at] <= CAMPAIGN_PAGE)
        return false;
    int64_t more = sample->bytes - c->bytes[at];
    int64_t expected = c->best[at] + bytes_time(c, at) * more / c->bytes[at];
    return sample->best > expected + expected / 10;
}

/* A bend comes out once more, something that held the machine up for some milliseconds does not:
 * of large messages there is time for two. */
static void measure_doubtful(struct campaign *c, struct job *job, int count)
{
    for (int i = 0; i < count; i++) {
        struct sample *first = &job[i].sample;
        if (!is_doubtful(c, first))
            continue;
        struct job again = campaign_way(c, first->from, first->to, first->bytes, REPEATS);
        conduct(&c->conductor, &again, 1);
        if (again.sample.count && again.sample.best < first->best)
            *first = again.sample;
    }
}

/* Ever larger messages on some ways at the same time; each goes on as long as the next size is
 * expected to arrive in time.  The first size is sent once even where it takes longer. */
static void measure_ways(struct campaign *c, int *chosen, int count)
{
    while (count > 0) {
        int jobs = 0, going_on = 0;
        for (int i = 0; i < count; i++) {
            const struct rounds_pair *pair = &c->pair[chosen[i]];
            int64_t bytes = next_bytes(c, pair->from, pair->to);
            if (bytes == 0)
                continue;
            chosen[jobs] = chosen[i];
            c->job[jobs++] = campaign_way(c, pair->from, pair->to, bytes, REPEATS);
        }
        conduct(&c->conductor, c->job, jobs);
        measure_doubtful(c, c->job, jobs);
        for (int i = 0; i < jobs; i++)
            if (remember(c, &c->job[i].sample))
                chosen[going_on++] = chosen[i];
        count = going_on;
    }
}

/* All that is listed, in rounds. */
static void measure_listed(struct campaign *c)
{
    int width = 0;
    bool is_far = c->pairs > 0 && !campaign_is_near(c, c->pair[0].from, c->pair[0].to);
    for (int i = 0; i < c->pairs; i++)
        c->zones[i].taken = false;
    for (int count;
         (count = rounds_next(c->zones, c->pairs, c->n, c->group, c->busy, c->chosen));) {
        if (width == 0)
            width = c->ways_width =
                campaign_width(c, count, campaign_way, is_far ? sizes[0] : sizes[1]);
        for (int i = 0; i < count; i += width)
            measure_ways(c, c->chosen + i, count - i < width ? count - i : width);
        campaign_progress(c, "larger messages");
    }
    c->pairs = 0;
}

static void measure_inside(struct campaign *c)
{
    for (int g = 0; g < c->groups; g++)
        list_ring(c, g);
    measure_listed(c);
    for (int g = 0; g < c->groups && !c->plan->quick; g++)
        list_hub(c, g);
    measure_listed(c);
}

void campaign_ways(struct campaign *c)
{
    c->pairs = 0;
    measure_inside(c);
    if (!c->plan->quick && campaign_racks(c))
        measure_inside(c);
    for (int index = 0; index < (c->plan->quick ? 1 : BETWEEN); index++) {
        list_between(c, false, index);
        measure_listed(c);
        list_between(c, true, index);
        measure_listed(c);
    }
}
