/* measure_hosts.c - the costs of a host itself: its sends, its receives, its speed.
 *
 * A host sends consecutively to its nearest neighbours (Banikazemi, section 2.1), and these send to
 * it at once.  Messages of one byte show S and R; messages of a millisecond or two show the rate of
 * its port; outgoing ones of a size in between show its time per message.  On a bus the port shows
 * nothing beyond the bus.  Then the nearest host sends single bytes, each after a millisecond of
 * sleep, for the time to wake the task.
 *
 * Ports of one subnet are mostly alike, or of a few kinds.  A port that is slower than the median
 * by a quarter, or unlike all others of its site but one, is measured again at the end.  By then a
 * disturbance of a few milliseconds (another port of its machine, a program) is over, and a port
 * that is really slow is slow again.  Ports whose series did not agree are measured again, too,
 * several times if there are few hosts: a loss of processor time may last longer.
 */
#include "measure/measurement_jobs.h"
#include "derive/values.h"

#include <stdlib.h>

enum { PORT_JOBS = 4, MIDDLES = 2 }; /* jobs per host; sizes between small and large */

/* The nearest hosts of one, at most PORT_PEERS, and none twice as far as the first: the host's port
 * is measured, not a distant host's link. */
static int nearest(const struct measurement *m, int host, int64_t *near)
{
    int count = 0;
    for (; count < PORT_PEERS; count++) {
        int64_t limit = count ? 2 * m->times.page[host * m->n + near[0]] : HN_TIME_MOST - 1;
        int best = -1;
        for (int i = 0; i < m->n; i++) {
            bool taken = i == host || !measurement_is_present(m, i) ||
                         coordinator_is_cut(&m->coordinator, host, i);
            for (int k = 0; k < count; k++)
                taken |= near[k] == i;
            if (!taken &&
                (best < 0 || m->times.page[host * m->n + i] < m->times.page[host * m->n + best]))
                best = i;
        }
        if (best < 0 || m->times.page[host * m->n + best] > limit)
            break;
        near[count] = best;
    }
    return count;
}

/* The size of a message that takes a millisecond or two: long compared to all constants, short
 * enough for twenty of it.  To a neighbour it may take longer, because the port may be slow. 0: no
 * size fits, because the route is too slow. */
static int64_t port_message(const struct measurement *m, int host, int64_t peer)
{
    int64_t per_byte = measurement_near_cost(m, host, true); /* ps */
    if (!per_byte) /* a switch buffers 1 KiB whole: it is on the route up to two times */
        per_byte = m->times.page[host * m->n + peer] * 1000 / PAGE_BYTES / 2;
    int64_t bytes = PORT_MOST_BYTES;
    while (bytes > PORT_LEAST_BYTES && bytes * per_byte / 1000 > PORT_LARGE_NS)
        bytes /= 2;
    int64_t most = measurement_is_near(m, host, (int)peer) ? PORT_SLOW_NS : 2 * PORT_LARGE_NS;
    return bytes * per_byte / 1000 > most ? 0 : bytes;
}

/* An order to the host itself; its peers are the same for all sizes. */
static struct job port_job(int host, const struct experiment *order, int64_t bytes, bool out)
{
    struct job job = {.leader = host, .order = *order, .parts = 1};
    job.order.bytes = bytes;
    job.order.kind = out ? EXPERIMENT_OUT : EXPERIMENT_IN;
    job.sample = (struct sample){.kind = out ? SAMPLE_OUT : SAMPLE_IN,
                                 .from = out ? host : (int)order->peer[0],
                                 .to = out ? (int)order->peer[0] : host,
                                 .bytes = bytes,
                                 .about = ABOUT_HOST,
                                 .at_once = (int)order->peers};
    return job;
}

/* Makes jobs of small and large messages, out and in.  Returns the number of jobs. Where many hosts
 * are alike, each series may be less exact. */
static int port_jobs(const struct measurement *m, int host, struct job *job)
{
    int count = 0;
    bool many = measurement_group_size(m, m->group[host]) >= PORT_MANY;
    struct experiment order = {.repeats = PORT_REPEATS,
                               .budget_ns = many ? PORT_MANY_BUDGET_NS : PORT_BUDGET_NS,
                               .tolerance = PORT_TOLERANCE};
    order.peers = nearest(m, host, order.peer);
    if (order.peers == 0)
        return 0;
    bool on_bus = m->bus[m->group[host]];
    const int64_t bytes[] = {SMALL_BYTES, on_bus ? 0 : port_message(m, host, order.peer[0])};
    order.patience_ms = measurement_patience(m, host, (int)order.peer[0], 64 * PORT_LEAST_BYTES);
    for (int i = 0; i < 2 && bytes[i]; i++)
        for (int out = 1; out >= 0; out--)
            job[count++] = port_job(host, &order, bytes[i], out);
    return count;
}

/* Makes jobs of messages whose bytes occupy the port about as long as the host needs for one
 * message, and of four times that size.  These best show whether the host prepares one message
 * while another one leaves. */
static int middle_jobs(const struct job *port, int count, struct job job[MIDDLES])
{
    const struct sample *small = NULL, *large = NULL;
    for (int i = 0; i < count; i++) {
        const struct sample *s = &port[i].sample;
        if (s->kind == SAMPLE_OUT && s->count && s->bytes == SMALL_BYTES)
            small = s;
        else if (s->kind == SAMPLE_OUT && s->count)
            large = s;
    }
    if (!small || !large || large->best <= 0)
        return 0;
    /* even: bytes that the port carries in the time of one small message. */
    int64_t bytes = PORT_MIDDLE_BYTES, even = small->best * large->bytes / large->best;
    while (2 * bytes <= even && 16 * bytes <= large->bytes)
        bytes *= 2;
    for (int i = 0; i < MIDDLES; i++)
        job[i] = port_job(port->leader, &port->order, i ? 4 * bytes : bytes, true);
    return MIDDLES;
}

/* The nearest host sends, as its route disturbs the difference of two times least. A distant host's
 * round trips vary by more than the wake-up time of a task. */
static int wake_job(const struct measurement *m, int host, struct job *job)
{
    int64_t near[PORT_PEERS];
    if (nearest(m, host, near) == 0 || !measurement_is_near(m, (int)near[0], host))
        return 0;
    *job = measurement_ping_job(m, (int)near[0], host, SMALL_BYTES, WAKE_REPEATS);
    job->order.budget_ns = WAKE_BUDGET_NS;
    job->order.pause_ns = WAKE_ASLEEP_NS;
    job->order.tolerance = 0;
    job->sample.kind = SAMPLE_WAKE;
    job->sample.about = ABOUT_HOST;
    job->parts = 1;
    return 1;
}

static struct job compute_job(int host)
{
    return (struct job){
        .leader = host,
        .order = {.kind = EXPERIMENT_COMPUTE,
                  .repeats = KERNEL_REPEATS,
                  .tolerance = KERNEL_TOLERANCE,
                  .patience_ms = PATIENCE_MS},
        .sample = {.kind = SAMPLE_SPEED, .from = host, .about = ABOUT_HOST, .at_once = 1},
        .parts = 1};
}

/* ---- ports that differ from their neighbours, or are doubtful ------------------------------ */

/* Of two results the less doubtful one counts; among equals the first. */
static void keep_gap(struct measurement *m, int host, const struct sample *s)
{
    int kind = 2 * (s->kind == SAMPLE_OUT) + (s->bytes > SMALL_BYTES);
    int64_t *gap = &m->ports.gap[kind][host], *doubt = &m->ports.doubt[kind][host];
    if ((s->kind != SAMPLE_OUT && s->kind != SAMPLE_IN) || !s->count)
        return;
    int64_t apart = s->median - s->best - PORT_SLACK_NS;
    int64_t own = apart > 0 ? apart * 1000 / s->bytes : 0;
    if (*gap && own >= *doubt)
        return;
    *gap = s->best * 1000 / s->bytes;
    *doubt = own;
}

/* The median port of a host's subnet; 0: there are too few. The table of least times is used as
 * workspace between passes. */
static int64_t middle_gap(const struct measurement *m, int host, const int64_t *gap)
{
    int64_t *room = m->times.least;
    int count = 0;
    for (int i = 0; i < m->n; i++)
        if (m->group[i] == m->group[host] && gap[i])
            room[count++] = gap[i];
    return count >= PORT_ALIKE ? values_middle(room, count) : 0;
}

/* True if at least two others of its site are alike, within an eighth. */
static bool has_likes(const struct measurement *m, int host, const int64_t *gap)
{
    int likes = 0;
    for (int i = 0; i < m->n; i++)
        likes += i != host && measurement_is_near(m, i, host) && gap[i] &&
                 llabs(gap[i] - gap[host]) <= gap[host] / PORT_LIKE_PART;
    return likes >= PORT_LIKES;
}

/* A port slower than the median, or unlike all others of its site. */
static bool is_odd(const struct measurement *m, int host, const int64_t *gap)
{
    int64_t middle = middle_gap(m, host, gap);
    return gap[host] &&
           ((middle && gap[host] > middle + middle / PORT_ODD_PART) || !has_likes(m, host, gap));
}

/* The sizes in between depend on the small and large ones, so they are ordered after them. */
static void measure_ports(struct measurement *m, int host, struct job *job, int jobs)
{
    struct job middle[MIDDLES];
    coordinator_run(&m->coordinator, job, jobs);
    coordinator_run(&m->coordinator, middle, middle_jobs(job, jobs, middle));
    for (int i = 0; i < jobs; i++)
        keep_gap(m, host, &job[i].sample);
}

/* True if it is worthwhile to measure a host's ports again. */
static bool is_unsure(const struct measurement *m, int host, bool also_odd)
{
    bool unsure = false;
    for (int i = 0; i < MEASUREMENT_GAPS; i++)
        unsure |= m->ports.doubt[i][host] > m->ports.gap[i][host] / PORT_DOUBT_PART ||
                  (also_odd && is_odd(m, host, m->ports.gap[i]));
    return unsure && !m->known[host];
}

/* A port that differs from its neighbours is looked at once more; if it differs again, it does.
 * Doubtful series are repeated as often as the number of hosts permits. */
static void measure_ports_again(struct measurement *m)
{
    int times = m->n <= PORT_FEW_HOSTS ? PORT_AGAIN : 1;
    for (int again = 0; again < times; again++)
        for (int host = 0; host < m->n; host++) {
            struct job job[PORT_JOBS];
            if (is_unsure(m, host, again == 0))
                measure_ports(m, host, job, port_jobs(m, host, job));
        }
}

/* Hosts are measured one after the other: ports of neighbours would disturb each other. */
void measure_hosts(struct measurement *m)
{
    for (int host = 0; host < m->n; host++) {
        struct job job[PORT_JOBS + 2];
        if (!measurement_is_present(m, host) || m->known[host])
            continue;
        int jobs = port_jobs(m, host, job);
        jobs += wake_job(m, host, &job[jobs]);
        job[jobs++] = compute_job(host);
        measure_ports(m, host, job, jobs);
        measurement_progress(m, "hosts");
    }
    measure_ports_again(m);
}
