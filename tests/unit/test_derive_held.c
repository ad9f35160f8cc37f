/* Large messages that something else held up, from synthetic samples. */
#include "derive.h"
#include "net.h"
#include "sample.h"

#include <criterion/criterion.h>
#include <math.h>

/* Two hosts, too few for others to be like them; from 0 to 1 one size is measured when something
 * else goes on. */
enum { HOSTS = 2 };
static const double constant_ns = 100000, byte_ns = 85;
static const int64_t small[] = {1, 1024}, large[] = {4096, 16384, 65536, 131072, 262144};
enum { SMALL = sizeof small / sizeof *small, LARGE = sizeof large / sizeof *large };

static double way_time(int64_t bytes)
{
    return constant_ns + byte_ns * (double)bytes;
}

static void put(struct samples *samples, enum sample_kind kind, int from, int to, int64_t bytes,
                double ns)
{
    struct sample sample = {kind, from, to, bytes, (int64_t)ns, (int64_t)ns, 3};
    cr_assert_eq(samples_add(samples, &sample), HN_OK);
}

/* What its messages of so many bytes take, times what they should. */
static hn_net *measured(int64_t bytes, double slower)
{
    struct samples samples = {0};
    struct derive_notes notes;
    int host[HOSTS] = {0, 1};
    hn_net *net = hn_net_new(HOSTS);
    for (int i = 0; i < HOSTS; i++)
        for (int j = 0; j < HOSTS; j++) {
            for (int k = 0; i < j && k < SMALL; k++)
                put(&samples, SAMPLE_PING, i, j, small[k], way_time(small[k]));
            for (int k = 0; i != j && k < LARGE; k++) {
                bool held = i == 0 && j == 1 && large[k] == bytes;
                put(&samples, SAMPLE_WAY, i, j, large[k],
                    way_time(large[k]) * (held ? slower : 1) + way_time(1));
            }
        }
    cr_assert_eq(derive_model(net, host, HOSTS, &samples, 200000, &notes), HN_OK);
    samples_free(&samples);
    return net;
}

static double error_of(const hn_net *net, int64_t bytes)
{
    return (double)net_time_awake(net, 0, 1, bytes) / 1e3 / way_time(bytes) - 1;
}

Test(derive_held, a_size_that_was_held_up_changes_no_way)
{
    for (int64_t bytes = 16384; bytes <= 131072; bytes *= 2) {
        hn_net *net = measured(bytes, 1.5);
        for (int k = 0; k < LARGE; k++)
            cr_expect(fabs(error_of(net, large[k])) < 0.02, "%ld bytes with %ld held up: %g",
                      (long)large[k], (long)bytes, error_of(net, large[k]));
        hn_net_free(net);
    }
}

/* A token bucket: from there on all sizes take longer. */
Test(derive_held, a_way_that_becomes_slower_stays_so)
{
    hn_net *net = measured(262144, 1.5);
    cr_expect(error_of(net, 262144) > 0.2, "%g", error_of(net, 262144));
    hn_net_free(net);
}
