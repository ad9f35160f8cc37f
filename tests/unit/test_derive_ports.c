/* Ports of hosts that are much slower than those of their neighbours, from synthetic samples. */
#include "derive/derive.h"
#include "net/net.h"
#include "derive/sample.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

/* Two switches of three hosts each, with a link between them; what host SLOW sends takes longer,
 * but for the first bytes (a token bucket's), so that it is as near as others. */
enum { SIDE = 3, HOSTS = 2 * SIDE, SLOW = 0, FIRST = 2048 };
static const double quick_byte = 420, slow_byte = 4000, far_byte = 830; /* ns */
static const double near_ns = 100000, far_ns = 2200000;
static const int64_t sizes[] = {1, 1024, 4096, 16384};

static double greater(double a, double b)
{
    return a > b ? a : b;
}

static double port(int host)
{
    return host == SLOW ? slow_byte : quick_byte;
}

static double way_time(int from, int to, int64_t bytes)
{
    bool near = from / SIDE == to / SIDE;
    double wire = near ? quick_byte : far_byte, first = bytes < FIRST ? (double)bytes : FIRST;
    return (near ? near_ns : far_ns) + wire * first +
           greater(port(from), wire) * ((double)bytes - first);
}

static void put(struct samples *samples, enum sample_kind kind, int from, int to, int64_t bytes,
                double ns)
{
    struct sample sample = {kind, from, to, bytes, (int64_t)ns, (int64_t)ns, 3};
    cr_assert_eq(samples_add(samples, &sample), HN_OK);
}

/* Large messages: all ways of a switch, and two of each direction between them, as hprobe does. */
static void measure_ways(struct samples *samples)
{
    for (int i = 0; i < HOSTS; i++)
        for (int j = 0; j < HOSTS; j++) {
            double small = (way_time(i, j, 1) + way_time(j, i, 1)) / 2;
            bool large = i / SIDE == j / SIDE || (abs(i - j) == SIDE && i % SIDE < 2);
            for (int k = 0; i < j && k < 2; k++)
                put(samples, SAMPLE_PING, i, j, sizes[k],
                    (way_time(i, j, sizes[k]) + way_time(j, i, sizes[k])) / 2);
            for (int k = 2; i != j && large && k < 4; k++)
                put(samples, SAMPLE_WAY, i, j, sizes[k], way_time(i, j, sizes[k]) + small);
        }
}

/* Several at once: to its neighbours in turn, and from both, of which the slower one tells. */
static void measure_ports(struct samples *samples)
{
    for (int i = 0; i < HOSTS; i++)
        for (int k = 0; k < 4; k += 2) {
            bool waits = i / SIDE == SLOW / SIDE && i != SLOW;
            double in = waits ? greater(quick_byte, slow_byte / 2) : quick_byte;
            put(samples, SAMPLE_OUT, i, 2, sizes[k], 40000 + port(i) * (double)sizes[k]);
            put(samples, SAMPLE_IN, 2, i, sizes[k], 40000 + in * (double)sizes[k]);
        }
}

/* Others had the processors while these were measured: the short series were held up, so that the
 * gaps are too small, or the long ones, and they say how far theirs were apart. */
static void measure_disturbed(struct samples *samples)
{
    for (int i = 0; i < HOSTS; i++)
        for (int k = 0; k < 4; k += 2) {
            int64_t ns = (int64_t)(40000 + port(i) * (double)sizes[k]);
            int64_t best = i % 2 ? ns / 2 : 2 * ns;
            struct sample out = {SAMPLE_OUT, i, 2, sizes[k], best, best + ns / 3, 3};
            cr_assert_eq(samples_add(samples, &out), HN_OK);
        }
}

static hn_net *measured(bool disturbed)
{
    struct samples samples = {0};
    struct derive_notes notes;
    int host[HOSTS];
    hn_net *net = hn_net_new(HOSTS);
    for (int i = 0; i < HOSTS; i++)
        host[i] = i;
    measure_ways(&samples);
    if (disturbed)
        measure_disturbed(&samples);
    measure_ports(&samples);
    if (disturbed)
        measure_disturbed(&samples);
    cr_assert_eq(derive_model(net, host, HOSTS, &samples, 200000, NULL, &notes), HN_OK);
    samples_free(&samples);
    return net;
}

static bool is_about(int64_t per_byte, double ns)
{
    return (double)per_byte > 0.9e6 * ns && (double)per_byte < 1.1e6 * ns;
}

Test(derive_ports, a_neighbour_that_sends_slowly_makes_no_slow_port_in)
{
    hn_net *net = measured(false);
    for (int i = 0; i < HOSTS; i++) {
        const hn_host_cost *cost = hn_net_host(net, i);
        cr_expect(is_about(cost->send_gap, port(i)), "out of %d: %" PRId64, i, cost->send_gap);
        cr_expect(is_about(cost->recv_gap, quick_byte), "into %d: %" PRId64, i, cost->recv_gap);
    }
    hn_net_free(net);
}

Test(derive_ports, of_two_gaps_the_one_less_in_doubt_counts)
{
    hn_net *net = measured(true);
    for (int i = 0; i < HOSTS; i++) {
        const hn_host_cost *cost = hn_net_host(net, i);
        cr_expect(is_about(cost->send_gap, port(i)), "out of %d: %" PRId64, i, cost->send_gap);
    }
    hn_net_free(net);
}

Test(derive_ports, the_link_of_a_slow_first_host_is_not_that_of_its_neighbours)
{
    hn_net *net = measured(false);
    for (int i = 0; i < HOSTS; i++)
        for (int j = 0; j < HOSTS; j++) {
            hn_pair_cost x = hn_net_pair(net, i, j);
            if (i / SIDE != j / SIDE && i != SLOW)
                cr_expect(is_about(x.per_byte, far_byte), "%d to %d: %" PRId64, i, j, x.per_byte);
        }
    hn_pair_cost shown = net_between(net, hn_net_subnet_of(net, 0), hn_net_subnet_of(net, SIDE));
    cr_expect(is_about(shown.per_byte, far_byte), "what is shown: %" PRId64, shown.per_byte);
    hn_net_free(net);
}
