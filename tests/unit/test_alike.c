/* Hosts that are alike: what is measured of them with some noise gives one cost for all of them, a
 * host that is slower keeps its own; and W, from round trips after some sleep. */
#include "derive/derive.h"
#include "random.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

enum { N = 6, SLOW = N - 1 };

/* A switched subnet of hosts that differ in nothing, but for the last one where slow > 1. */
struct lab {
    uint64_t state;
    int noise; /* percent, at most */
    int slow;
};

static int64_t factor(const struct lab *lab, int host)
{
    return host == SLOW ? lab->slow : 1;
}

/* One way, in nanoseconds: S 12 us, X 16 us and 5 ns a byte, R 12 us. */
static int64_t time_of(const struct lab *lab, int from, int to, int64_t bytes)
{
    return 16000 + 12000 * (factor(lab, from) + factor(lab, to)) + 5 * bytes;
}

static void put(struct lab *lab, struct samples *samples, struct sample s)
{
    s.median = s.best +=
        s.best * random_below(&lab->state, 2 * lab->noise + 1) / 100 - s.best * lab->noise / 100;
    s.count = 9;
    cr_assert_eq(samples_add(samples, &s), HN_OK);
}

static void put_way(struct lab *lab, struct samples *samples, int from, int to)
{
    for (int64_t bytes = 4096; bytes <= 1 << 20; bytes *= 4)
        put(lab, samples,
            (struct sample){SAMPLE_WAY, from, to, bytes,
                            time_of(lab, from, to, bytes) + time_of(lab, to, from, 1), 0, 0});
}

static hn_net *measured(struct lab *lab)
{
    int host[N] = {0, 1, 2, 3, 4, 5};
    struct samples samples = {0};
    struct derive_notes notes;
    for (int a = 0; a < N; a++) {
        for (int b = a + 1; b < N; b++)
            for (int64_t bytes = 1; bytes <= 1024; bytes *= 1024)
                put(lab, &samples,
                    (struct sample){SAMPLE_PING, a, b, bytes, time_of(lab, a, b, bytes), 0, 0});
        put_way(lab, &samples, a, (a + 1) % N);
        put_way(lab, &samples, (a + 1) % N, a);
        int64_t own = 12000 * factor(lab, a);
        put(lab, &samples, (struct sample){SAMPLE_OUT, a, 3, 1, own, 0, 0});
        put(lab, &samples, (struct sample){SAMPLE_IN, 3, a, 1, own, 0, 0});
        put(lab, &samples, (struct sample){SAMPLE_SPEED, a, 0, 0, 700000 * factor(lab, a), 0, 0});
    }
    hn_net *net = hn_net_new(N);
    cr_assert_eq(derive_model(net, host, N, &samples, 200000, NULL, &notes), HN_OK);
    samples_free(&samples);
    return net;
}

static void expect_near(const struct lab *lab, const hn_net *net, int run, double most)
{
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++)
            for (int64_t bytes = 1; a != b && bytes <= 1 << 20; bytes *= 16) {
                double is = (double)hn_net_time(net, a, b, bytes) / 1e3;
                double real = (double)time_of(lab, a, b, bytes);
                cr_expect(is > (1 - most) * real && is < (1 + most) * real,
                          "HNOW_SEED=%" PRIu64 " run %d: %d to %d, %" PRId64 " B: %g, not %g ns",
                          random_seed(), run, a, b, bytes, is, real);
            }
}

Test(alike, equal_hosts_have_one_cost)
{
    struct lab lab = {.state = random_seed(), .noise = 4, .slow = 1};
    for (int run = 0; run < random_rounds(400); run++) {
        hn_net *net = measured(&lab);
        cr_expect_eq(hn_net_subnet_count(net), 1);
        cr_expect_leq(hn_net_stated_pairs(net), 1, "HNOW_SEED=%" PRIu64 " run %d", random_seed(),
                      run);
        for (int i = 1; i < N; i++) {
            const hn_host_cost *x = hn_net_host(net, 0), *y = hn_net_host(net, i);
            cr_expect_eq(x->send_const, y->send_const);
            cr_expect_eq(x->recv_const, y->recv_const);
        }
        expect_near(&lab, net, run, 0.13);
        hn_net_free(net);
    }
}

Test(alike, a_slower_host_keeps_its_own)
{
    struct lab lab = {.state = random_seed(), .noise = 2, .slow = 4};
    for (int run = 0; run < random_rounds(40); run++) {
        hn_net *net = measured(&lab);
        cr_expect_gt(hn_net_host(net, SLOW)->send_const, 2 * hn_net_host(net, 0)->send_const);
        expect_near(&lab, net, run, 0.12);
        hn_net_free(net);
    }
}

/* On a machine that does much else anything may be measured; it gives a model all the same. */
Test(alike, whatever_was_measured_is_a_model)
{
    int host[N] = {0, 1, 2, 3, 4, 5};
    uint64_t state = random_seed();
    for (int run = 0; run < random_rounds(400); run++) {
        struct samples samples = {0};
        struct derive_notes notes;
        for (int a = 0; a < N; a++) {
            for (int b = 0; b < N; b++)
                for (int64_t bytes = 1; a != b && bytes <= 1 << 20; bytes *= 4) {
                    int64_t ns = 1000 + random_below(&state, 40000) + bytes / 2;
                    enum sample_kind kind = bytes > 1024 ? SAMPLE_WAY : SAMPLE_PING;
                    if (bytes <= 1024 || b == (a + 1) % N)
                        samples_add(&samples, &(struct sample){kind, a, b, bytes, ns, ns, 3});
                }
            for (int64_t bytes = 1; bytes <= 65536; bytes *= 65536)
                for (enum sample_kind kind = SAMPLE_OUT; kind <= SAMPLE_IN; kind++) {
                    int64_t ns = 200 + random_below(&state, 2000) + bytes * 3 / 5;
                    struct sample s = {kind, a, 3, bytes, ns, ns, 3};
                    if (kind == SAMPLE_IN)
                        s.from = 3, s.to = a;
                    samples_add(&samples, &s);
                }
            samples_add(&samples, &(struct sample){SAMPLE_SPEED, a, 0, 0, 700000, 700000, 3});
        }
        hn_net *net = hn_net_new(N);
        cr_expect_eq(derive_model(net, host, N, &samples, 200000, NULL, &notes), HN_OK,
                     "HNOW_SEED=%" PRIu64 " run %d: %s", random_seed(), run, hn_error_text());
        hn_net_free(net);
        samples_free(&samples);
    }
}

/* The model of equal hosts whose tasks wake after woken[] ns, the middle of what was seen after
 * `later` more; to be freed. */
static hn_net *woken_after(const int64_t woken[N], int64_t later, struct derive_notes *notes)
{
    int host[N] = {0, 1, 2, 3, 4, 5};
    struct lab lab = {.state = random_seed(), .slow = 1};
    struct samples samples = {0};
    for (int a = 0; a < N; a++) {
        for (int b = a + 1; b < N; b++)
            put(&lab, &samples,
                (struct sample){SAMPLE_PING, a, b, 1, time_of(&lab, a, b, 1), 0, 0});
        put(&lab, &samples, (struct sample){SAMPLE_SPEED, a, 0, 0, 700000, 0, 0});
        int64_t best = 2 * time_of(&lab, 0, 1, 1) + woken[a];
        samples_add(&samples,
                    &(struct sample){SAMPLE_WAKE, (a + 1) % N, a, 1, best, best + later, 11});
    }
    hn_net *net = hn_net_new(N);
    cr_assert_eq(derive_model(net, host, N, &samples, 200000, NULL, notes), HN_OK);
    samples_free(&samples);
    return net;
}

/* What hosts of the kind need when little disturbs them, whatever the others have met. */
Test(alike, waking_takes_what_a_quarter_stays_below)
{
    static const int64_t woken[N] = {95000, 30000, 48000, 31000, 900000, 39000};
    struct derive_notes notes;
    hn_net *net = woken_after(woken, 0, &notes);
    for (int a = 0; a < N; a++)
        cr_expect_eq(hn_net_host(net, a)->wake, 31000000);
    double time = (double)hn_net_time(net, 0, 1, 1) / 1e3;
    cr_expect(time > 70000 && time < 73000, "%g", time);
    cr_expect_lt(notes.worst, 0.05, "what was measured of tasks that are awake: %g", notes.worst);
    hn_net_free(net);
}

/* Where other work delays nearly all that is measured, the least ones still tell what waking takes.
 */
Test(alike, waking_on_a_busy_machine)
{
    static const int64_t woken[N] = {45000, 30000, 38000, 41000, 33000, 39000};
    struct derive_notes notes;
    hn_net *net = woken_after(woken, 60000000, &notes);
    for (int a = 0; a < N; a++)
        cr_expect_eq(hn_net_host(net, a)->wake, 4 * 33000000, "%" PRId64,
                     (int64_t)hn_net_host(net, a)->wake);
    hn_net_free(net);
}

/* Where something was under way on all ways, nothing is known of it. */
Test(alike, waking_on_ways_that_are_not_free)
{
    static const int64_t woken[N] = {1700000, 1800000, 2900000, 1750000, 40000000, 1900000};
    struct derive_notes notes;
    hn_net *net = woken_after(woken, 5000000, &notes);
    for (int a = 0; a < N; a++)
        cr_expect_eq(hn_net_host(net, a)->wake, 0, "%" PRId64, (int64_t)hn_net_host(net, a)->wake);
    hn_net_free(net);
}
