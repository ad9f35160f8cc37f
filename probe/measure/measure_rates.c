/* measure_rates.c - larger messages: the rates of routes.
 *
 * A message answered by one byte takes the time of its route plus that of a small message.  In a
 * subnet each host sends to the next one (in a ring), which shows each host as a sender and as a
 * receiver.  If a route is slower than the others, both its hosts are then measured in both
 * directions with the fastest host, which shows which of the two is slow.  Between two subnets of a
 * site, and between two sites, two pairs are measured in each direction.  A wide-area link much
 * slower than its end hosts is the same for all hosts, so one pair is enough.
 *
 * Sizes grow as long as the next one is expected to arrive within message_ms, which bounds the cost
 * of slow links.  The second size may take longer: one size shows neither the rate beyond a bend
 * nor whether it was only a token bucket's.  On distant routes a message is repeated until TCP's
 * window has grown to its size, and every other size is skipped.
 *
 * Only routes that cannot meet are measured concurrently: near ones in different subnets, distant
 * ones between different sites.  A check against serial samples must also find that they do not
 * slow each other down.
 */
#include "measure/measurement_jobs.h"

static const int64_t sizes[] = {LARGE_BYTES, 16384, 65536, 262144, EXPERIMENT_BYTES};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* ---- which routes --------------------------------------------------------------------------- */

/* Adds a route that has not been measured yet. Zones are what routes must not share while they are
 * measured at the same time. */
static void add_route(struct measurement *m, int from, int to)
{
    if (from == to || from < 0 || to < 0 || m->rates.large[from * m->n + to] ||
        !measurement_is_wanted(m, from, to))
        return;
    int a = m->group[from], b = m->group[to];
    bool near = measurement_is_near(m, from, to);
    m->list.zones[m->list.pairs] = near
                                       ? (struct rounds_pair){.from = a, .to = b}
                                       : (struct rounds_pair){.from = m->site[a], .to = m->site[b]};
    m->list.pair[m->list.pairs++] = (struct rounds_pair){.from = from, .to = to};
}

/* With -quick only the first two hosts, in both directions. Two hosts are no ring, so they get both
 * directions as well.
 */
static void list_ring(struct measurement *m, int group)
{
    int size = measurement_group_size(m, group);
    for (int i = 0; i < size && (i == 0 || !m->plan->quick); i++)
        add_route(m, measurement_member(m, group, i), measurement_member(m, group, i + 1));
    if (size == 2 || m->plan->quick)
        add_route(m, measurement_member(m, group, 1), measurement_member(m, group, 0));
}

/* Finds the member whose routes from and to its ring neighbours are fastest. A ring needs as many
 * routes as there are hosts, but a slow route in it has two suspects. The hub is the host that is
 * certainly not slow: a second route with it shows which of the two is. */
static int find_hub(const struct measurement *m, int group)
{
    int size = measurement_group_size(m, group), hub = -1;
    int64_t least = INT64_MAX;
    for (int i = 0; i < size; i++) {
        int before = measurement_member(m, group, i + size - 1),
            at = measurement_member(m, group, i);
        int after = measurement_member(m, group, i + 1);
        int64_t in = m->rates.large[before * m->n + at], out = m->rates.large[at * m->n + after];
        if (in && out && in + out < least) {
            least = in + out;
            hub = at;
        }
    }
    return hub;
}

/* True if a route of the ring is slower than the best one by more than a tenth. */
static bool is_slow(const struct measurement *m, int from, int to, int64_t best)
{
    int64_t per_byte = m->rates.large[from * m->n + to];
    return per_byte == 0 || per_byte > best + best / RATE_SLOW_PART;
}

/* Routes between the hub and both hosts of each slow route of the ring. */
static void list_hub(struct measurement *m, int group)
{
    int size = measurement_group_size(m, group), hub = size > 2 ? find_hub(m, group) : -1;
    int64_t best = INT64_MAX;
    for (int i = 0; i < size; i++) {
        int from = measurement_member(m, group, i), to = measurement_member(m, group, i + 1);
        int64_t per_byte = m->rates.large[from * m->n + to];
        best = per_byte && per_byte < best ? per_byte : best;
    }
    for (int i = 0; hub >= 0 && i < size; i++) {
        int before = measurement_member(m, group, i + size - 1),
            at = measurement_member(m, group, i);
        int after = measurement_member(m, group, i + 1);
        if (is_slow(m, before, at, best))
            add_route(m, hub, at);
        if (is_slow(m, at, after, best))
            add_route(m, at, hub);
    }
}

/* True if a link is so much slower than its end hosts that their other hosts would show nothing
 * new. */
static bool is_narrow(const struct measurement *m, int from, int to)
{
    int64_t out = measurement_near_cost(m, from, true), in = measurement_near_cost(m, to, true),
            cost = m->rates.large[from * m->n + to];
    return out && in && cost / RATE_NARROW_TIMES > (out > in ? out : in);
}

/* Lists pair number `index` of two units, in both directions. */
static void list_units(struct measurement *m, bool by_site, int a, int b, int index)
{
    int from = measurement_unit_member(m, by_site, a, index),
        to = measurement_unit_member(m, by_site, b, index);
    int first = measurement_unit_member(m, by_site, a, 0),
        last = measurement_unit_member(m, by_site, b, 0);
    if ((from < 0 && to < 0) || first < 0 || last < 0 || (!by_site && m->site[a] != m->site[b]) ||
        (index > 0 && is_narrow(m, first, last) && is_narrow(m, last, first)))
        return;
    from = from < 0 ? first : from;
    to = to < 0 ? last : to;
    add_route(m, from, to);
    add_route(m, to, from);
}

/* Lists routes between any two units: sites, or subnets of one site.  The order is that of a
 * tournament's rounds, so that neighbours in the list can be measured concurrently. */
static void list_between(struct measurement *m, bool by_site, int index)
{
    int units = by_site ? m->sites : m->groups;
    for (int round = 0; round < rounds_count(units); round++)
        for (int a = 0; a < units; a++) {
            int b = rounds_partner(units, round, a);
            if (b > a)
                list_units(m, by_site, a, b, index);
        }
}

/* ---- measuring ---------------------------------------------------------------------------- */

/* Time of only the bytes of the largest message sent, which took `best`, including the answer. */
static int64_t bytes_time(const struct measurement *m, int at)
{
    int64_t rest = m->rates.best[at] - m->times.page[at] - m->times.small[at];
    return rest > 0 ? rest * m->rates.bytes[at] / (m->rates.bytes[at] - PAGE_BYTES) : 0;
}

/* True if the bytes of such a message are expected to take less than `times` message_ms. */
static bool is_short(const struct measurement *m, int at, int64_t bytes, int times)
{
    int64_t limit = (int64_t)m->plan->message_ms * 1000000 * times;
    return bytes_time(m, at) < limit / (bytes / m->rates.bytes[at]);
}

/* The next message size of a route; 0: enough.  On distant routes, where each size costs several
 * round trips, a size is skipped if the one after it is short, too: a line passes through that as
 * well. */
static int64_t next_bytes(const struct measurement *m, int from, int to)
{
    int at = from * m->n + to, size = 0;
    while (size < SIZES && sizes[size] <= m->rates.bytes[at])
        size++;
    if (size == 0)
        return sizes[0];
    if (size == SIZES || !is_short(m, at, sizes[size], size == 1 ? RATE_SECOND_TIMES : 1))
        return 0;
    bool skip = !measurement_is_near(m, from, to) && size + 1 < SIZES &&
                is_short(m, at, sizes[size + 1], 1);
    return sizes[size + skip];
}

/* Stores the sample's rate.  Returns false if there was nothing to store. */
static bool remember(struct measurement *m, const struct sample *sample)
{
    int at = sample->from * m->n + sample->to;
    if (!sample->count)
        return false;
    m->rates.bytes[at] = sample->bytes;
    m->rates.best[at] = sample->best;
    /* At least 1, since 0 means that nothing was measured. */
    m->rates.large[at] = bytes_time(m, at) * 1000 / sample->bytes + 1;
    return true;
}

/* True if it is slower by more than a tenth than the size before predicts. */
static bool is_doubtful(const struct measurement *m, const struct sample *sample)
{
    int at = sample->from * m->n + sample->to;
    if (!sample->count || m->rates.bytes[at] <= PAGE_BYTES)
        return false;
    int64_t more = sample->bytes - m->rates.bytes[at];
    int64_t expected = m->rates.best[at] + bytes_time(m, at) * more / m->rates.bytes[at];
    return sample->best > expected + expected / RATE_SLOW_PART;
}

/* A bend appears again, a disturbance of some milliseconds does not: there is time to send large
 * messages twice. A delayed size would look like the bend of a token bucket, and the fit would give
 * every larger message its rate. */
static void repeat_doubtful(struct measurement *m, struct job *job, int count)
{
    for (int i = 0; i < count; i++) {
        struct sample *first = &job[i].sample;
        if (!is_doubtful(m, first))
            continue;
        struct job again =
            measurement_route_job(m, first->from, first->to, first->bytes, RATE_REPEATS);
        coordinator_run(&m->coordinator, &again, 1);
        if (again.sample.count && again.sample.best < first->best)
            *first = again.sample;
    }
}

/* Sends ever larger messages on some routes concurrently.  Each route continues as long as the next
 * size is expected to arrive in time.  The first size is always sent once. */
static void measure_routes(struct measurement *m, int *chosen, int count)
{
    /* Routes that are done leave the list; the order of the others stays. */
    while (count > 0) {
        int jobs = 0, going_on = 0;
        for (int i = 0; i < count; i++) {
            const struct rounds_pair *pair = &m->list.pair[chosen[i]];
            int64_t bytes = next_bytes(m, pair->from, pair->to);
            if (bytes == 0)
                continue;
            chosen[jobs] = chosen[i];
            m->list.job[jobs++] =
                measurement_route_job(m, pair->from, pair->to, bytes, RATE_REPEATS);
        }
        coordinator_run(&m->coordinator, m->list.job, jobs);
        repeat_doubtful(m, m->list.job, jobs);
        for (int i = 0; i < jobs; i++)
            if (remember(m, &m->list.job[i].sample))
                chosen[going_on++] = chosen[i];
        count = going_on;
    }
}

/* Measures all listed routes, in rounds. The width is determined anew for each list, because routes
 * of another kind meet elsewhere: in a subnet at a switch, between sites at an uplink. */
static void measure_listed(struct measurement *m)
{
    int width = 0;
    bool is_far =
        m->list.pairs > 0 && !measurement_is_near(m, m->list.pair[0].from, m->list.pair[0].to);
    for (int i = 0; i < m->list.pairs; i++)
        m->list.zones[i].taken = false;
    for (int count; (count = rounds_next(m->list.zones, m->list.pairs, m->n, m->group, m->list.busy,
                                         m->list.chosen));) {
        if (width == 0)
            width = m->routes_width =
                measurement_width(m, count, measurement_route_job, is_far ? sizes[0] : sizes[1]);
        for (int i = 0; i < count; i += width)
            measure_routes(m, m->list.chosen + i, count - i < width ? count - i : width);
        measurement_progress(m, "larger messages");
    }
    m->list.pairs = 0;
}

void measure_rates_inside(struct measurement *m)
{
    m->list.pairs = 0;
    for (int g = 0; g < m->groups; g++)
        list_ring(m, g);
    measure_listed(m);
    for (int g = 0; g < m->groups && !m->plan->quick; g++)
        list_hub(m, g);
    measure_listed(m);
}

/* With -quick the first pair of each two units only. */
void measure_rates_between(struct measurement *m)
{
    for (int index = 0; index < (m->plan->quick ? 1 : RATE_PAIRS); index++) {
        list_between(m, false, index);
        measure_listed(m);
        list_between(m, true, index);
        measure_listed(m);
    }
}
