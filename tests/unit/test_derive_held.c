/* Large messages that something else held up, from synthetic samples. */
#include "derive/derive.h"
#include "net/net.h"
#include "derive/sample.h"

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

/* What messages from 0 to 1 take, if not way_time(). */
typedef double time_function(int64_t bytes);

static hn_net *measured(time_function *first_way)
{
    struct samples samples = {0};
    struct derive_notes notes;
    int host[HOSTS] = {0, 1};
    hn_net *net = hn_net_new(HOSTS);
    for (int k = 0; k < SMALL; k++)
        put(&samples, SAMPLE_PING, 0, 1, small[k], way_time(small[k]));
    for (int k = 0; k < LARGE; k++) {
        put(&samples, SAMPLE_WAY, 0, 1, large[k], first_way(large[k]) + way_time(1));
        put(&samples, SAMPLE_WAY, 1, 0, large[k], way_time(large[k]) + way_time(1));
    }
    cr_assert_eq(derive_model(net, host, HOSTS, &samples, 200000, NULL, &notes), HN_OK);
    samples_free(&samples);
    return net;
}

/* The file's time of such messages, against what they take. */
static double error_of(const hn_net *net, int64_t bytes, time_function *time)
{
    return (double)net_time_awake(net, 0, 1, bytes) / 1e3 / time(bytes) - 1;
}

static int64_t held; /* bytes of the message that is held up */

static double held_up(int64_t bytes)
{
    return way_time(bytes) * (bytes == held ? 1.5 : 1);
}

static double a_little(int64_t bytes)
{
    return way_time(bytes) * (bytes == held ? 1.08 : 1);
}

Test(derive_held, a_size_that_was_held_up_changes_no_way)
{
    for (int between = 1; between + 1 < LARGE; between++) {
        held = large[between];
        hn_net *net = measured(held_up);
        for (int k = 0; k < LARGE; k++)
            cr_expect(fabs(error_of(net, large[k], way_time)) < 0.02, "%ld bytes, %ld held up: %g",
                      (long)large[k], (long)held, error_of(net, large[k], way_time));
        hn_net_free(net);
    }
}

/* No size is left out that differs by what times always differ by. */
Test(derive_held, a_size_that_took_a_little_longer_counts)
{
    for (int between = 1; between + 1 < LARGE; between++) {
        held = large[between];
        hn_net *net = measured(a_little);
        double error = error_of(net, 262144, way_time);
        cr_expect_gt(error, 0.003, "%ld a little: %g", (long)held, error);
        hn_net_free(net);
    }
}

/* Its first bytes pass at full speed, all others take twice as long. */
static double bucket(int64_t bytes)
{
    enum { FULL = 131072 };
    return way_time(bytes) + (bytes > FULL ? byte_ns * (double)(bytes - FULL) : 0);
}

Test(derive_held, a_way_that_becomes_slower_stays_so)
{
    hn_net *net = measured(bucket);
    for (int k = 0; k < LARGE; k++)
        cr_expect(fabs(error_of(net, large[k], bucket)) < 0.02, "%ld bytes: %g", (long)large[k],
                  error_of(net, large[k], bucket));
    hn_net_free(net);
}
