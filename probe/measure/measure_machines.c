/* measure_machines.c - the cost of messages on a machine that several hosts share.
 *
 * Containers, virtual machines and namespaces share processors, and the software that emulates
 * wires between them.  The hosts of a subnet form a set, and so do the remaining ones.  Each host
 * sends to the next one in a ring, first two of a set alone, then all sets of the machine at once.
 * If that takes longer, the machine is the bottleneck, and busy with messages all the time.
 *
 * Messages have three sizes.  One byte wakes its receiver each time, as in an operation.  A few
 * packets must be queued by the emulated wires.  The third takes a millisecond or two.  Rings are
 * used because one-way data need separate acknowledgements, whereas two hosts that send to each
 * other piggyback them.  Finally each host sends one byte to all others at once: a host that is
 * behind finds several messages, without being woken for each.
 *
 * Means count: on a busy machine some rounds run ahead while others wait, so the median may be half
 * of the mean.  Cost: O(hosts) short series, all sets of a machine concurrently.
 */
#include "measure/measurement_state.h"

#include <stdlib.h>

enum { COLOCATED_MOST = EXPERIMENT_PEERS }; /* hosts; a larger subnet is several sets */

/* Co-located hosts that send to each other, without the others of the machine. */
struct colocated {
    int count, host[COLOCATED_MOST];
    int64_t alone; /* ns of a round of two of them */
};

/* True if a host belongs to the set of another. same: it is in its subnet.  Else: it is one of the
 * remaining ones, near it, and not behind a bus, where it would wait for the wire. */
static bool belongs(const struct measurement *m, int first, int host, bool same)
{
    int a = m->group[first], b = m->group[host];
    if (m->list.busy[host] || m->machine[host] != m->machine[first] ||
        (host != first && coordinator_is_cut(&m->coordinator, first, host)))
        return false;
    return a == b || (!same && !m->bus[a] && !m->bus[b] && measurement_is_near(m, first, host));
}

/* A bus takes only two hosts.  A single host is no set and keeps its mark. */
static struct colocated colocated_with(struct measurement *m, int first, bool same)
{
    struct colocated set = {.count = 0};
    bool bus = m->bus[m->group[first]];
    for (int host = first; host < m->n && set.count < (bus ? 2 : COLOCATED_MOST); host++)
        if (belongs(m, first, host, same))
            set.host[set.count++] = host;
    for (int i = 0; i < set.count && set.count > 1; i++)
        m->list.busy[set.host[i]] = 1;
    for (int host = first; bus && host < m->n; host++)
        m->list.busy[host] |= m->group[host] == m->group[first];
    return set;
}

/* Lists the sets of a machine.  Returns their number. First the hosts of each subnet, then the
 * remaining ones together. */
static int list_colocated(struct measurement *m, int64_t machine, struct colocated *set)
{
    int count = 0;
    for (int i = 0; i < m->n; i++)
        m->list.busy[i] = m->machine[i] != machine || !measurement_is_present(m, i);
    for (int same = 1; same >= 0; same--)
        for (int first = 0; first < m->n; first++)
            if (!m->list.busy[first]) {
                set[count] = colocated_with(m, first, same);
                count += set[count].count > 1;
            }
    for (int i = 0; i < m->n; i++)
        m->list.busy[i] = 0;
    return count;
}

/* Makes a job in which each host of a set sends to the next one, or to all others. */
static struct job rounds(const struct measurement *m, const struct colocated *set,
                         enum sample_kind kind, int64_t bytes)
{
    int64_t repeats = set->alone > 0 ? COLOCATED_BUDGET_NS / set->alone : COLOCATED_ROUNDS_LEAST;
    repeats = repeats < COLOCATED_ROUNDS_LEAST ? COLOCATED_ROUNDS_LEAST : repeats;
    /* On a ring each host sends to the next one only; else to all others. */
    int reach = kind == SAMPLE_RING ? 1 : set->count - 1;
    struct job job = {
        .leader = set->host[0],
        .order = {.kind = EXPERIMENT_ROUNDS,
                  .bytes = bytes,
                  .repeats = repeats < COLOCATED_ROUNDS_MOST ? repeats : COLOCATED_ROUNDS_MOST,
                  .budget_ns = COLOCATED_MOST * COLOCATED_BUDGET_NS,
                  .patience_ms = measurement_patience(m, set->host[0], set->host[1], bytes),
                  .reach = reach,
                  .peers = set->count - 1},
        .sample = {.kind = kind,
                   .from = set->host[0],
                   .to = set->host[1],
                   .bytes = bytes,
                   .about = ABOUT_MACHINE,
                   .at_once = set->count,
                   .alone = set->alone},
        .parts = set->count * reach,
        .silent = true};
    for (int i = 1; i < set->count; i++)
        job.order.peer[i - 1] = set->host[i];
    return job;
}

/* The size of a message that takes two hosts of a set COLOCATED_LARGE_NS one way; 0: the route is
 * so slow that no machine is slower. */
static int64_t large_message(const struct measurement *m, const struct colocated *set)
{
    int64_t bytes = COLOCATED_LARGE_BYTES,
            per_byte = m->rates.large[set->host[0] * m->n + set->host[1]];
    while (bytes >= LARGE_BYTES && bytes * per_byte / 1000 > COLOCATED_LARGE_NS)
        bytes /= 2;
    return bytes < LARGE_BYTES ? 0 : bytes;
}

/* Runs all sets at once, a few times.  Other programs can only make them slower, so the fastest run
 * counts. */
static void run_colocated(struct measurement *m, const struct colocated *set, int count,
                          enum sample_kind kind, int64_t bytes)
{
    struct sample *best = calloc((size_t)count, sizeof *best);
    double most = 0;
    for (int test = 0; best && test < COLOCATED_TESTS; test++) {
        double rate = 0;
        for (int i = 0; i < count; i++)
            m->list.job[i] = rounds(m, &set[i], kind, bytes);
        coordinator_run(&m->coordinator, m->list.job, count);
        for (int i = 0; i < count; i++)
            rate += m->list.job[i].sample.count ? 1 / (double)m->list.job[i].sample.median : 0;
        /* The fastest run as a whole: minima of different runs would not belong together. */
        for (int i = 0; rate > most && i < count; i++)
            best[i] = m->list.job[i].sample;
        most = rate > most ? rate : most;
    }
    for (int i = 0; most > 0 && i < count; i++)
        sample_print(&best[i], m->coordinator.out);
    free(best);
}

/* Runs two hosts of a set alone.  The fastest counts here, too: a host that sleeps is woken late
 * while others use the processors, which would make any set look fast. */
static void run_alone(struct measurement *m, struct colocated *set, int64_t bytes)
{
    struct colocated two = {.count = 2, .host = {set->host[0], set->host[1]}};
    for (int test = 0; test < COLOCATED_TESTS; test++) {
        struct job job = rounds(m, &two, SAMPLE_RING, bytes);
        coordinator_run(&m->coordinator, &job, 1);
        int64_t round = job.sample.count ? job.sample.median * job.parts : two.alone;
        two.alone = two.alone == 0 || round < two.alone ? round : two.alone;
    }
    set->alone = two.alone;
}

/* Measures one message size: two hosts of each set alone, then all sets at once. */
static void one_size(struct measurement *m, struct colocated *set, int count, int64_t bytes)
{
    for (int i = 0; i < count; i++)
        run_alone(m, &set[i], bytes);
    run_colocated(m, set, count, SAMPLE_RING, bytes);
}

/* All sets get the same sizes: the largest one that suits every set, and those below it. */
static void all_sizes(struct measurement *m, struct colocated *set, int count)
{
    int64_t large = COLOCATED_LARGE_BYTES;
    for (int i = 0; i < count; i++) {
        int64_t most = large_message(m, &set[i]);
        large = most < large ? most : large;
    }
    one_size(m, set, count, SMALL_BYTES);
    run_colocated(m, set, count, SAMPLE_ALL, SMALL_BYTES);
    if (large > LARGE_BYTES)
        one_size(m, set, count, LARGE_BYTES);
    if (large > 0)
        one_size(m, set, count, large);
}

/* Two hosts or fewer show nothing about their machine that their own pair does not show. */
static void one_machine(struct measurement *m, int first, struct colocated *set)
{
    int64_t machine = m->machine[first];
    int count = list_colocated(m, machine, set), hosts = 0;
    for (int i = 0; i < count; i++)
        hosts += set[i].count;
    if (hosts <= 2)
        return;
    for (int host = first; host < m->n; host++)
        if (m->machine[host] == machine && measurement_is_present(m, host))
            measurement_state_fact(m, SAMPLE_ON, host, first, m->cores[host], ABOUT_MACHINE);
    all_sizes(m, set, count);
    measurement_progress(m, "machines");
}

void measure_machines(struct measurement *m)
{
    struct colocated *set = calloc((size_t)m->n, sizeof *set);
    for (int first = 0; set && first < m->n; first++) {
        int before = 0;
        while (before < first && m->machine[before] != m->machine[first])
            before++;
        if (before == first && m->machine[first] && measurement_is_present(m, first))
            one_machine(m, first, set);
    }
    free(set);
}
