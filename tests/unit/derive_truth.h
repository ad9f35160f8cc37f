/* derive_truth.h - synthetic samples of a network that is known: what test_derive.c and
 * test_derive_shared.c derive models from. */
#pragma once

#include "derive/derive.h"
#include "derive/sample.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const int64_t sizes[] = {1, 1024, 16384, 131072, 1048576};

/* A switched network of n hosts in two clusters, without noise: times in ns, per byte in ns. */
struct truth {
    int n;
    int64_t send[8], recv[8];          /* constants of hosts */
    double call[8], gap[8];            /* per byte */
    int64_t near_latency, far_latency; /* between even and odd hosts it is far */
    double near_wire, far_wire;        /* per byte */
};

static inline double way_time(const struct truth *t, int from, int to, int64_t bytes)
{
    bool near = from % 2 == to % 2;
    double wire = near ? t->near_wire : t->far_wire;
    return (double)(t->send[from] + t->recv[to] + (near ? t->near_latency : t->far_latency)) +
           (t->call[from] + wire) * (double)bytes;
}

static inline void put(struct samples *samples, enum sample_kind kind, int from, int to,
                       int64_t bytes, double ns)
{
    struct sample sample = {kind, from, to, bytes, (int64_t)ns, (int64_t)ns, 3};
    sample.at_once = 1;
    cr_assert_eq(samples_add(samples, &sample), HN_OK);
}

/* One of `at_once` transfers at the same time, which took `alone` alone. */
static inline void put_together(struct samples *samples, enum sample_about about, int test,
                                int at_once, int from, int to, double alone, double together)
{
    struct sample sample = {.kind = SAMPLE_TOGETHER,
                            .from = from,
                            .to = to,
                            .bytes = 131072,
                            .best = (int64_t)together,
                            .median = (int64_t)together,
                            .count = 3,
                            .about = about,
                            .at_once = at_once,
                            .test = test,
                            .alone = (int64_t)alone};
    cr_assert_eq(samples_add(samples, &sample), HN_OK);
}

static inline void measure_truth(const struct truth *t, struct samples *samples)
{
    for (int i = 0; i < t->n; i++) {
        for (int j = 0; j < t->n; j++) {
            double small = (way_time(t, i, j, 1) + way_time(t, j, i, 1)) / 2;
            for (int k = 0; i < j && k < 2; k++)
                put(samples, SAMPLE_PING, i, j, sizes[k],
                    (way_time(t, i, j, sizes[k]) + way_time(t, j, i, sizes[k])) / 2);
            for (int k = 2; i != j && k < 5; k++)
                put(samples, SAMPLE_WAY, i, j, sizes[k], way_time(t, i, j, sizes[k]) + small);
        }
        for (int k = 0; k < 4; k++) {
            put(samples, SAMPLE_OUT, i, 3, sizes[k],
                (double)t->send[i] + t->gap[i] * (double)sizes[k]);
            put(samples, SAMPLE_SEND, i, 3, sizes[k], 900 + t->call[i] * (double)sizes[k]);
            put(samples, SAMPLE_IN, 3, i, sizes[k],
                (double)t->recv[i] + t->gap[i] * (double)sizes[k]);
        }
        put(samples, SAMPLE_SPEED, i, 0, 0, 1000000.0 * (i + 1));
    }
}

static inline hn_net *derived(const struct truth *t, const struct samples *samples)
{
    int host[8];
    struct derive_notes notes;
    hn_net *net = hn_net_new(t->n);
    for (int i = 0; i < t->n; i++)
        host[i] = i;
    cr_assert_eq(derive_model(net, host, t->n, samples, 200000, NULL, &notes), HN_OK);
    cr_expect_eq(notes.missing, 0);
    return net;
}

/* Banikazemi's hosts (Table 1) in two clusters. */
static const struct truth hnow = {
    .n = 6,
    .send = {60000, 60000, 60000, 90000, 90000, 90000},
    .recv = {110000, 110000, 110000, 140000, 140000, 140000},
    .call = {0.3, 0.3, 0.3, 0.5, 0.5, 0.5},
    .gap = {80.3, 80.3, 80.3, 180.5, 180.5, 180.5},
    .near_latency = 16000,
    .far_latency = 5000000,
    .near_wire = 180,
    .far_wire = 4000,
};
