/* measure_pings.c - round trips of 1 B and 1 KiB between all pairs (ECO, section 3).
 *
 * Near and distant pairs have separate rounds, in which no host is in two pairs and no two pairs
 * are between the same two subnets.  The number of concurrent pairs is determined once: some pairs
 * are measured alone, then together with others; if that is slower, half as many are tried, and so
 * on.  (Pairs on one switch do not disturb each other; pairs on one hub do, and so do tests on one
 * machine's two processors.)  A pair's pings end as soon as its three fastest are nearly equal.
 * The first pass measures every near pair; afterwards a pair is done when it is as fast as the two
 * fastest between its subnets.  Distant pairs, which cost whole round trips, may be done after the
 * first round, and are when a pass finds no better times.
 *
 * The minimum of many times is too small by chance, and pairs compared with it seem distant.  So
 * pairs that miss a common subnet by little, and the nearest pairs of their hosts, are measured
 * again, alone and for longer.  These times replace the earlier ones.
 */
#include "measure/measurement_jobs.h"

/* Stores a better time; an improvement means that the pair is not final yet. */
static void remember(struct measurement *m, const struct job *job)
{
    int a = job->sample.from, b = job->sample.to;
    int64_t *table = job->sample.bytes == PAGE_BYTES ? m->times.page : m->times.small;
    int64_t *time = &table[a * m->n + b];
    if (!job->sample.count)
        return;
    /* An improvement of less than a small part is noise. */
    if (job->sample.best < *time - *time / PING_BETTER_PART)
        m->times.final[a * m->n + b] = false;
    if (job->sample.best < *time)
        table[b * m->n + a] = *time = job->sample.best;
}

/* Makes a job for each size of a pair. Both sizes are ordered at once: 1 B gives the latency, and
 * the difference to 1 KiB a first idea of the rate, which all later parts use to choose sizes and
 * waiting times. */
static void ping_jobs(const struct measurement *m, int from, int to, int64_t repeats, int test,
                      struct job job[2])
{
    job[0] = measurement_ping_job(m, from, to, SMALL_BYTES, repeats);
    job[1] = measurement_ping_job(m, from, to, PAGE_BYTES, repeats);
    job[1].sample.test = test;
}

/* Measures 1 B, then 1 KiB, between some pairs. Marked as final before; remember() takes that back
 * when something better is found. */
static void ping_pairs(struct measurement *m, const int *chosen, int count, int64_t repeats,
                       int test)
{
    for (int i = 0; i < count; i++) {
        const struct rounds_pair *pair = &m->list.pair[chosen[i]];
        m->times.final[pair->from * m->n + pair->to] = true;
        ping_jobs(m, pair->from, pair->to, repeats, test, &m->list.job[2 * i]);
    }
    coordinator_run(&m->coordinator, m->list.job, 2 * count);
    for (int i = 0; i < 2 * count; i++)
        remember(m, &m->list.job[i]);
}

/* Measures all pairs, round after round, some rounds ahead.  A host that is ready begins the next
 * round, so a distant pair delays only hosts that meet one of its two. */
void measure_first_pings(struct measurement *m)
{
    int rounds = rounds_count(m->n);
    for (int round = 0; round < rounds;) {
        int count = 0, end = round + ROUNDS_AHEAD < rounds ? round + ROUNDS_AHEAD : rounds;
        for (; round < end; round++)
            for (int from = 0; from < m->n; from++) {
                int to = rounds_partner(m->n, round, from);
                if (to < from || !measurement_is_wanted(m, from, to))
                    continue;
                m->list.pair[count] = (struct rounds_pair){.from = from, .to = to};
                m->list.chosen[count] = count;
                count++;
            }
        ping_pairs(m, m->list.chosen, count, PING_FIRST_REPEATS, 0);
        measurement_progress(m, "first round trips");
    }
}

/* ---- passes -------------------------------------------------------------------------------- */

/* Subnets are unordered, so the smaller number comes first. */
static int64_t *floor_of(const struct measurement *m, int size, int a, int b)
{
    int g = m->group[a], h = m->group[b];
    return &m->times.floor[size][g < h ? g * m->n + h : h * m->n + g];
}

/* A floor that is uncertain (HN_TIME_MOST) proves nothing. */
static bool is_at(int64_t time, int64_t floor)
{
    return floor < HN_TIME_MOST && time <= floor + floor / PING_BETTER_PART + BLUR_NS;
}

/* The least time between two subnets is the floor there if a second pair has it, too: a disturbance
 * makes pairs slower, never faster, and no two by the same amount. */
static void find_floors(struct measurement *m)
{
    for (int size = 0; size < 2; size++) {
        const int64_t *time = size ? m->times.page : m->times.small;
        int64_t *least = m->times.least;
        for (int i = 0; i < m->n * m->n; i++)
            least[i] = m->times.floor[size][i] = HN_TIME_MOST;
        for (int a = 0; a < m->n; a++)
            for (int b = a + 1; b < m->n; b++) {
                int64_t *second = floor_of(m, size, a, b), t = time[a * m->n + b];
                int64_t *first = &least[second - m->times.floor[size]];
                *second = t < *first ? *first : t < *second ? t : *second;
                *first = t < *first ? t : *first;
            }
        for (int i = 0; i < m->n * m->n; i++)
            m->times.floor[size][i] =
                is_at(m->times.floor[size][i], least[i]) ? least[i] : HN_TIME_MOST;
    }
}

/* True if more pings of the pair would give nothing better.  A pass without improvement proves that
 * for distant pairs only: a busy machine can delay near ones for two whole passes. */
static bool is_done(const struct measurement *m, int a, int b)
{
    int at = a * m->n + b;
    return (m->times.final[at] && !measurement_is_near(m, a, b)) ||
           (is_at(m->times.small[at], *floor_of(m, 0, a, b)) &&
            is_at(m->times.page[at], *floor_of(m, 1, a, b)));
}

/* Lists all pairs a < b that are near, or all that are not, unless they are done.  The order is
 * that of a tournament's rounds, so that neighbours in the list are disjoint. */
static void list_pairs(struct measurement *m, bool near, bool all)
{
    m->list.pairs = 0;
    for (int round = 0; round < rounds_count(m->n); round++)
        for (int a = 0; a < m->n; a++) {
            int b = rounds_partner(m->n, round, a);
            if (b > a && measurement_is_wanted(m, a, b) && measurement_is_near(m, a, b) == near &&
                (all || !is_done(m, a, b)))
                m->list.pair[m->list.pairs++] = (struct rounds_pair){.from = a, .to = b};
        }
}

/* The number of concurrent pairs is determined by the first round of its kind. */
static void ping_rounds(struct measurement *m, bool near, bool all)
{
    int *width = near ? &m->near_width : &m->far_width;
    list_pairs(m, near, all);
    for (int count; (count = rounds_next(m->list.pair, m->list.pairs, m->n, m->group, m->list.busy,
                                         m->list.chosen)) > 0;) {
        if (*width == 0)
            *width = measurement_width(m, count, measurement_ping_job, PAGE_BYTES);
        for (int i = 0; i < count; i += *width)
            ping_pairs(m, m->list.chosen + i, count - i < *width ? count - i : *width, PING_REPEATS,
                       0);
        measurement_progress(m, near ? "round trips" : "far round trips");
    }
}

/* In the first pass every near pair is measured, also those that seem to be done. */
void measure_pings(struct measurement *m, int pass)
{
    find_floors(m);
    ping_rounds(m, true, pass == 0);
    ping_rounds(m, false, false);
}

/* The time to the nearest other host. */
static int64_t nearest_page(const struct measurement *m, int a)
{
    int64_t nearest = HN_TIME_MOST;
    for (int b = 0; b < m->n; b++)
        if (b != a && m->times.page[a * m->n + b] < nearest)
            nearest = m->times.page[a * m->n + b];
    return nearest;
}

static bool are_few(const struct measurement *m)
{
    return m->groups <= DOUBT_GROUPS && m->n <= DOUBT_HOSTS;
}

/* True if a pair is too far for a common subnet, but not by much: this may be a disturbance.  A
 * machine disturbed as a whole makes some pairs several times slower; with few subnets all pairs
 * can be checked. */
static bool is_doubtful(const struct measurement *m, int a, int b)
{
    int64_t page = m->times.page[a * m->n + b], x = nearest_page(m, a), y = nearest_page(m, b);
    int64_t part = are_few(m) ? page / DOUBT_FEW_TIMES : page / DOUBT_NEAR_PERCENT * 100;
    return m->group[a] != m->group[b] && page < HN_TIME_MOST && part < (x < y ? x : y);
}

/* Counts the pairs between the same two subnets that are nearer than this one. ECO joins two
 * subnets if their nearest hosts are near. So with few subnets only the nearest pairs matter, and
 * checking the others would cost a time that grows with the number of hosts squared. */
static int nearer(const struct measurement *m, int a, int b)
{
    int count = 0;
    for (int x = 0; x < m->n; x++)
        for (int y = 0; y < m->n; y++)
            if (m->group[x] == m->group[a] && m->group[y] == m->group[b] &&
                m->times.page[x * m->n + y] < m->times.page[a * m->n + b])
                count++;
    return count;
}

/* With few subnets only the nearest pairs matter (nearer()). */
static bool is_to_compare(const struct measurement *m, int a, int b)
{
    return is_doubtful(m, a, b) && measurement_is_wanted(m, a, b) &&
           (!are_few(m) || nearer(m, a, b) < DOUBT_BRIDGES);
}

static bool has_doubts(const struct measurement *m, int a)
{
    for (int b = 0; b < m->n; b++)
        if (b != a && is_to_compare(m, a < b ? a : b, a < b ? b : a))
            return true;
    return false;
}

static bool is_nearest(const struct measurement *m, int a, int b)
{
    return m->times.page[a * m->n + b] == nearest_page(m, a) && has_doubts(m, a);
}

/* Lists doubtful pairs, and the nearest ones of their hosts, with which they are compared. */
static void list_doubtful(struct measurement *m)
{
    m->list.pairs = 0;
    for (int a = 0; a < m->n; a++)
        for (int b = a + 1; b < m->n; b++)
            if (is_to_compare(m, a, b) ||
                (measurement_is_wanted(m, a, b) && (is_nearest(m, a, b) || is_nearest(m, b, a))))
                m->list.pair[m->list.pairs++] = (struct rounds_pair){.from = a, .to = b};
}

/* Replaces known times if new results arrive. The minimum of old and new would keep a time that is
 * too small by chance. That is what made the pair doubtful, so the old times are forgotten
 * first. */
static void ping_anew(struct measurement *m, int which, int test)
{
    const struct rounds_pair *pair = &m->list.pair[which];
    int there = pair->from * m->n + pair->to, back = pair->to * m->n + pair->from;
    int64_t *page = m->times.page, known = page[there];
    page[there] = page[back] = HN_TIME_MOST;
    ping_pairs(m, &which, 1, PING_AGAIN_REPEATS, test);
    if (page[there] == HN_TIME_MOST)
        page[there] = page[back] = known;
}

/* Returns whether another repetition may find more: only with few hosts is it affordable. */
bool measure_doubtful(struct measurement *m)
{
    int test = ++m->tests;
    list_doubtful(m);
    for (int i = 0; i < m->list.pairs; i++)
        ping_anew(m, i, test);
    if (m->list.pairs)
        measurement_progress(m, "doubtful pairs again");
    return m->list.pairs > 0 && are_few(m);
}
