/* Networks whose times vary: what is made of them when the least time is luck. */
#include "derive/derive.h"
#include "derive/sample.h"
#include "derive/jitter.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

enum { HOSTS = 8, RADIO = 4 }; /* the first four are on a radio net, the others on a switch */

Test(varied, what_hosts_do_is_not_the_network)
{
    cr_expect_eq(varied_usual(20000, 60000), 20000, "a scheduler's 40 us");
    cr_expect_eq(varied_usual(10000000, 11000000), 10000000, "a tenth of a long way");
    cr_expect_eq(varied_usual(200000, 750000), 700000);
    cr_expect_eq(varied_usual(1000000, 3050000), 3000000);
}

static uint64_t state;

/* 0 ... most. */
static int64_t by_chance(int64_t most)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)(most + 1));
}

/* One way, without what varies: 20 us and 80 ns a byte on the switch, 150 us and 400 ns on the
 * radio net, 10 ms and 400 ns between them. */
static int64_t steady(int a, int b, int64_t bytes)
{
    bool radio = a < RADIO || b < RADIO, far = (a < RADIO) != (b < RADIO);
    return (far ? 10000000 : radio ? 150000 : 20000) + (radio ? 400 : 80) * bytes;
}

static int64_t jitter(int a, int b)
{
    return a < RADIO || b < RADIO ? by_chance(3000000) : by_chance(5000);
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void put(struct samples *samples, enum sample_kind kind, int a, int b, int64_t bytes,
                int count)
{
    int64_t time[64];
    bool ping = kind != SAMPLE_WAY;
    for (int i = 0; i < count; i++) {
        time[i] = steady(a, b, bytes) + jitter(a, b);
        time[i] += steady(b, a, ping ? bytes : 1) + jitter(b, a);
        time[i] /= ping ? 2 : 1;
    }
    qsort(time, (size_t)count, sizeof *time, by_value);
    struct sample sample = {kind, a, b, bytes, time[0], time[count / 2], count};
    cr_assert_eq(samples_add(samples, &sample), HN_OK);
}

static hn_net *measured(uint64_t seed, bool often)
{
    int host[HOSTS];
    struct samples samples = {0};
    struct derive_notes notes;
    hn_net *net = hn_net_new(HOSTS);
    state = seed;
    for (int a = 0; a < HOSTS; a++) {
        host[a] = a;
        for (int b = 0; b < HOSTS; b++)
            for (int64_t bytes = 1; bytes <= 1048576; bytes *= 1024) {
                for (int k = 0; k < 3 && a < b && bytes < 1048576; k++)
                    put(&samples, SAMPLE_PING, a, b, bytes, 10);
                for (int k = 0; k < 2 && often && a < b && a < RADIO && bytes < 1048576; k++)
                    put(&samples, SAMPLE_VARIED, a, b, bytes, 64);
                if (a != b && bytes == 1048576)
                    put(&samples, SAMPLE_WAY, a, b, bytes, 3);
            }
    }
    cr_assert_eq(derive_model(net, host, HOSTS, &samples, 200000, &notes), HN_OK);
    samples_free(&samples);
    return net;
}

/* Usual: on the radio net 150 us and half of what may come on top. */
static void expect_times(const hn_net *net)
{
    for (int a = 0; a < HOSTS; a++)
        for (int b = 0; b < HOSTS; b++) {
            double usual = (double)steady(a, b, 1) + (a < RADIO || b < RADIO ? 1500e3 : 2500);
            double ns = (double)hn_net_time(net, a, b, 1) / 1000;
            cr_expect(a == b || (ns > 0.8 * usual && ns < 1.2 * usual),
                      "%d to %d: %.0f ns, usual are %.0f", a, b, ns, usual);
        }
}

Test(varied, a_radio_net_is_one_subnet)
{
    int apart = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        hn_net *net = measured(seed, true);
        cr_expect_eq(hn_net_subnet_count(net), 2, "seed %" PRIu64 ": %d subnets", seed,
                     hn_net_subnet_count(net));
        expect_times(net);
        hn_net_free(net);
        net = measured(seed, false);
        apart += hn_net_subnet_count(net) > 2;
        hn_net_free(net);
    }
    cr_expect_gt(apart, 10, "least times do: what is this for?");
}

/* A machine that others disturb: the shortest of many times are the same for all pairs, the usual
 * ones are not, and some pairs are taken for ways that vary. */
static int subnets_of(int n, struct samples *samples)
{
    struct derive_notes notes;
    hn_net *net = hn_net_new(n);
    int host[8];
    for (int a = 0; a < n; a++) {
        host[a] = a;
        for (int b = 0; b < n; b++) {
            struct sample way = {SAMPLE_WAY, a, b, 1048576, 90000000, 91000000, 3};
            cr_assert(a == b || !samples_add(samples, &way));
        }
    }
    cr_assert_eq(derive_model(net, host, n, samples, 200000, &notes), HN_OK);
    int subnets = hn_net_subnet_count(net);
    samples_free(samples);
    hn_net_free(net);
    return subnets;
}

static void add(struct samples *samples, enum sample_kind kind, int from, int to, int64_t bytes,
                int64_t best, int64_t median)
{
    struct sample sample = {kind, from, to, bytes, best, median, 10};
    cr_assert_eq(samples_add(samples, &sample), HN_OK);
}

Test(varied, a_disturbed_switch_is_one_subnet)
{
    struct samples samples = {0};
    for (int a = 0; a < 4; a++)
        for (int b = a + 1; b < 4; b++) {
            int64_t page = 205000 + 9000 * (a + b);
            add(&samples, SAMPLE_PING, a, b, 1, page / 2, page);
            add(&samples, SAMPLE_PING, a, b, 1024, page, 2 * page);
        }
    add(&samples, SAMPLE_VARIED, 1, 2, 1024, 227288, 362783);
    add(&samples, SAMPLE_VARIED, 0, 1, 1024, 220616, 463855);
    add(&samples, SAMPLE_VARIED, 1, 3, 1024, 228130, 506995);
    cr_expect_eq(subnets_of(4, &samples), 1);
}

/* Four quick hosts and four that need more for every message, as measured (us): the slow ones come
 * back to their switch by the shortest times, by the usual ones they do not. */
Test(varied, a_disturbed_switch_of_unequal_hosts_is_one_subnet)
{
    static const struct {
        int least, usual;
    } page[] = {{474, 769},  {468, 596}, {494, 595}, {590, 637},  {583, 861}, {590, 691},
                {576, 1274}, {454, 621}, {459, 532}, {574, 940},  {558, 742}, {585, 1172},
                {578, 766},  {445, 666}, {578, 627}, {559, 1175}, {607, 927}, {540, 658},
                {597, 1073}, {588, 933}, {589, 820}, {569, 628},  {714, 889}, {701, 855},
                {704, 1058}, {678, 783}, {735, 825}, {663, 969}};
    static const int own[] = {44, 40, 39, 41, 70, 71, 73, 72};
    struct samples samples = {0};
    int at = 0;
    for (int a = 0; a < 8; a++) {
        add(&samples, SAMPLE_OUT, a, 3, 1, own[a] * 1000, own[a] * 1000);
        for (int b = a + 1; b < 8; b++, at++) {
            int64_t least = page[at].least * 1000, usual = page[at].usual * 1000;
            add(&samples, SAMPLE_PING, a, b, 1, least / 2, usual / 2);
            add(&samples, SAMPLE_PING, a, b, 1024, least, usual);
            add(&samples, SAMPLE_VARIED, a, b, 1, least / 2, usual / 2);
            add(&samples, SAMPLE_VARIED, a, b, 1024, least, usual);
        }
    }
    cr_expect_eq(subnets_of(8, &samples), 1);
}
