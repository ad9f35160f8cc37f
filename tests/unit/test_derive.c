/* S, X and R from synthetic samples of networks that are known, multicasts, and hosts that a
 * network file knows already.  test_derive_shared.c has media and what transfers share. */
#include "derive_truth.h"

#include "derive/previous.h"

static void expect_times(const hn_net *net, const struct truth *t, double tolerance)
{
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->n; j++)
            for (int k = 0; i != j && k < 5; k++) {
                const hn_host_cost *s = hn_net_host(net, i), *r = hn_net_host(net, j);
                hn_pair_cost x = hn_net_pair(net, i, j);
                double ns = (double)(s->send_const + x.latency + r->recv_const) / 1e3 +
                            (double)(s->send_per_byte + x.per_byte + r->recv_per_byte) / 1e6 *
                                (double)sizes[k];
                double want = way_time(t, i, j, sizes[k]);
                cr_expect(ns > (1 - tolerance) * want && ns < (1 + tolerance) * want,
                          "%d to %d, %" PRId64 " bytes: %.0f ns, not %.0f", i, j, sizes[k], ns,
                          want);
            }
}

Test(derive, finds_the_parts_of_a_known_network)
{
    struct samples samples = {0};
    measure_truth(&hnow, &samples);
    hn_net *net = derived(&hnow, &samples);
    expect_times(net, &hnow, 0.02);
    for (int i = 0; i < hnow.n; i++) {
        const hn_host_cost *cost = hn_net_host(net, i);
        cr_expect(llabs(cost->send_const / 1000 - hnow.send[i]) < 2000, "S of %d: %" PRId64, i,
                  cost->send_const);
        cr_expect(llabs(cost->recv_const / 1000 - hnow.recv[i]) < 4000, "R of %d: %" PRId64, i,
                  cost->recv_const);
        cr_expect(llabs(cost->send_gap - (int64_t)(hnow.gap[i] * 1e6)) < 1000000);
        cr_expect(llabs(cost->send_gap_const / 1000 - hnow.send[i]) < 2000,
                  "none is prepared "
                  "while another leaves: %" PRId64,
                  cost->send_gap_const);
        cr_expect_eq(cost->speed, 2000000 / (i + 1));
    }
    cr_assert_eq(hn_net_subnet_count(net), 2);
    for (int i = 0; i < hnow.n; i++)
        cr_expect_eq(hn_net_subnet_of(net, i), i % 2);
    cr_expect_eq(net->pairs.used, 0, "regular networks need no pairs");
    hn_net_free(net);
    samples_free(&samples);
}

/* Of hosts that prepare a message while another leaves, a port counts bytes only; what overlaps
 * with the bytes of some sizes is no part of what each message takes. */
Test(derive, finds_what_messages_take_of_a_port_besides_bytes)
{
    for (int overlaps = 0; overlaps < 3; overlaps++) {
        struct samples samples = {0};
        measure_truth(&hnow, &samples);
        for (int i = 0; i < samples.count; i++) {
            struct sample *s = &samples.sample[i];
            if (s->kind != SAMPLE_OUT || s->bytes == 1 || (overlaps == 1 && s->bytes == 1024))
                continue;
            double port = hnow.gap[s->from] * (double)s->bytes;
            if (overlaps == 2) /* a few bytes of header */
                port += 0.4 * (double)hnow.send[s->from];
            int64_t host = hnow.send[s->from];
            s->best = s->median = port > (double)host ? (int64_t)port : host;
        }
        hn_net *net = derived(&hnow, &samples);
        for (int i = 0; i < hnow.n; i++) {
            hn_time found = hn_net_host(net, i)->send_gap_const / 1000;
            double want = overlaps == 2 ? 0.4 * (double)hnow.send[i] : 0;
            cr_expect_float_eq((double)found, want, 2000, "%d: %" PRId64, overlaps, found);
        }
        hn_net_free(net);
        samples_free(&samples);
    }
}

/* What messages to a host take one after the other is R, also where one way is as quick as S. */
Test(derive, one_quick_way_does_not_hide_what_receives_take)
{
    struct samples samples = {0};
    measure_truth(&hnow, &samples);
    for (int i = 0; i < samples.count; i++)
        if (samples.sample[i].from == 0 && samples.sample[i].to == 2 &&
            samples.sample[i].kind == SAMPLE_PING && samples.sample[i].bytes == 1)
            samples.sample[i].best = 60000;
    hn_net *net = derived(&hnow, &samples);
    cr_expect(llabs(hn_net_host(net, 2)->recv_const / 1000 - hnow.recv[2]) < 4000, "%" PRId64,
              hn_net_host(net, 2)->recv_const);
    hn_net_free(net);
    samples_free(&samples);
}

/* On a busy machine the small messages to several hosts took longer than the large ones. */
Test(derive, disturbed_small_messages_of_a_port_leave_a_model)
{
    struct samples samples = {0};
    measure_truth(&hnow, &samples);
    for (int i = 0; i < samples.count; i++) {
        struct sample *s = &samples.sample[i];
        if (s->kind == SAMPLE_OUT && s->from == 0 && s->bytes < 131072)
            s->best = s->median = 400 * s->best;
    }
    hn_net *net = derived(&hnow, &samples);
    cr_expect_geq(hn_net_host(net, 0)->send_gap, 0);
    hn_net_free(net);
    samples_free(&samples);
}

Test(derive, single_odd_pairs_are_stated)
{
    struct samples samples = {0};
    measure_truth(&hnow, &samples);
    for (int i = 0; i < samples.count; i++) {
        struct sample *s = &samples.sample[i];
        if ((s->kind == SAMPLE_WAY) && s->from == 0 && s->to == 2)
            s->best = s->median = 3 * s->best;
    }
    hn_net *net = derived(&hnow, &samples);
    cr_expect(pairs_find(&net->pairs, 0, 2));
    cr_expect_not(pairs_find(&net->pairs, 2, 0));
    hn_net_free(net);
    samples_free(&samples);
}

/* Of one pair a page seemed too quick, and two subnets came of it; later it was measured anew. */
Test(derive, what_is_measured_anew_counts_instead)
{
    struct truth lan = hnow;
    lan.far_latency = lan.near_latency;
    lan.far_wire = lan.near_wire;
    struct samples samples = {0};
    measure_truth(&lan, &samples);
    hn_net *net = derived(&lan, &samples);
    cr_expect_eq(hn_net_subnet_count(net), 1);
    hn_net_free(net);
    struct sample page = {0};
    for (int i = 0; i < samples.count; i++) {
        struct sample *s = &samples.sample[i];
        if (s->kind == SAMPLE_PING && s->bytes == 1024 && s->from == 0 && s->to == 1) {
            page = *s;
            s->best /= 2;
        }
    }
    net = derived(&lan, &samples);
    cr_expect_gt(hn_net_subnet_count(net), 1);
    hn_net_free(net);
    page.test = 1;
    cr_assert_eq(samples_add(&samples, &page), HN_OK);
    net = derived(&lan, &samples);
    cr_expect_eq(hn_net_subnet_count(net), 1);
    hn_net_free(net);
    samples_free(&samples);
}

/* The first 64 KiB of every message are quick, as from a switch's buffer; a size of one way was
 * held up, so that no larger one was tried, or all but one were. */
Test(derive, a_way_without_large_messages_has_the_rate_of_its_likes)
{
    struct samples samples = {0}, kept = {0};
    measure_truth(&hnow, &samples);
    for (int i = 0; i < samples.count; i++) {
        struct sample s = samples.sample[i];
        if (s.kind == SAMPLE_WAY && s.from == 0 && s.to == 2 && s.bytes > 16384)
            continue;
        if (s.kind == SAMPLE_WAY && s.from % 2 == s.to % 2) {
            int64_t first = s.bytes < 65536 ? s.bytes : 65536;
            s.best = s.median = s.best - first * 150;
        }
        cr_assert_eq(samples_add(&kept, &s), HN_OK);
        if (s.kind == SAMPLE_WAY && s.bytes == 16384) {
            s.bytes = 8192;
            s.best = s.median = s.best - 8192 * (s.from % 2 == s.to % 2 ? 30 : 4000);
            cr_assert_eq(samples_add(&kept, &s), HN_OK);
        }
    }
    hn_net *net = derived(&hnow, &kept);
    hn_pair_cost route = hn_net_pair(net, 0, 2), like = hn_net_pair(net, 2, 4);
    cr_expect_gt(like.per_byte, 150000000);
    cr_expect_gt(route.per_byte, like.per_byte / 10 * 9, "%" PRId64, (int64_t)route.per_byte);
    hn_net_free(net);
    samples_free(&kept);
    samples_free(&samples);
}

Test(derive, lost_hosts_leave_gaps_but_no_nonsense)
{
    struct samples samples = {0}, kept = {0};
    struct derive_notes notes;
    int host[] = {0, 1, 2, 3, 4, 5};
    measure_truth(&hnow, &samples);
    for (int i = 0; i < samples.count; i++) {
        struct sample s = samples.sample[i];
        if (s.from == 5 || (s.to == 5 && s.kind != SAMPLE_OUT))
            s.count = s.kind == SAMPLE_PING ? 0 : 1;
        if (s.count != 1)
            cr_assert_eq(samples_add(&kept, &s), HN_OK);
    }
    hn_net *net = hn_net_new(6);
    cr_assert_eq(derive_model(net, host, 6, &kept, 200000, NULL, &notes), HN_OK);
    cr_expect_eq(notes.missing, 10);
    cr_expect_eq(hn_net_subnet_count(net), 3);
    cr_expect_eq(hn_net_host(net, 5)->send_const, 0);
    hn_net_free(net);
    samples_free(&samples);
    samples_free(&kept);
}

/* ---- multicasts --------------------------------------------------------------------------- */

/* All ordered pairs of even, or of odd, hosts but one. */
static void reach_all(struct samples *samples, int parity, int but_from, int but_to)
{
    for (int i = parity; i < hnow.n; i += 2)
        for (int j = parity; j < hnow.n; j += 2)
            if (i != j && (i != but_from || j != but_to))
                put(samples, SAMPLE_REACH, i, j, 0, 1);
}

Test(derive, a_subnet_carries_multicasts_when_all_reach_all)
{
    struct samples samples = {0};
    measure_truth(&hnow, &samples);
    reach_all(&samples, 0, -1, -1);
    reach_all(&samples, 1, 5, 1);
    hn_net *net = derived(&hnow, &samples);
    cr_assert_eq(hn_net_subnet_count(net), 2);
    cr_expect_eq(hn_net_subnet_multicast(net, hn_net_subnet_of(net, 0)), 1);
    cr_expect_eq(hn_net_subnet_multicast(net, hn_net_subnet_of(net, 1)), 0, "5 does not reach 1");
    hn_net_free(net);
    samples_free(&samples);
}

/* Only members of a subnet count, though something may let multicasts out of it. */
Test(derive, what_multicasts_reach_elsewhere_does_not_matter)
{
    struct samples samples = {0};
    measure_truth(&hnow, &samples);
    for (int i = 0; i < hnow.n; i++)
        for (int j = 1 - i % 2; j < hnow.n; j += 2)
            put(&samples, SAMPLE_REACH, i, j, 0, 1);
    hn_net *net = derived(&hnow, &samples);
    for (int s = 0; s < 2; s++)
        cr_expect_eq(hn_net_subnet_multicast(net, s), 0);
    hn_net_free(net);
    samples_free(&samples);
}

/* ---- known hosts -------------------------------------------------------------------------- */

/* Of a model that was derived, but for a host that was added, all that is known stays as it is; and
 * the new one, measured with the others, comes where it belongs. */
Test(previous, a_host_is_added_to_a_model)
{
    struct samples samples = {0}, new = {0};
    struct derive_notes notes;
    int host[8] = {0, 1, 2, 3, 4, 5};
    bool known[8] = {0};
    measure_truth(&hnow, &samples);
    double alone = way_time(&hnow, 0, 2, 131072);
    put_together(&samples, ABOUT_BUS, 1, 2, 0, 2, alone, 2 * alone);
    hn_net *net = derived(&hnow, &samples), *all = derived(&hnow, &samples);
    cr_expect_eq(previous_hosts(net, host, 6, known), 0, "all: they are to be measured again");
    hn_host_cost unknown = {0};
    cr_assert_eq(hn_net_set_host(net, 5, &unknown), HN_OK);
    cr_assert_eq(previous_hosts(net, host, 6, known), 5);
    cr_expect_not(known[5]);
    for (int i = 0; i < samples.count; i++)
        if (samples.sample[i].from == 5 || samples.sample[i].to == 5)
            cr_assert_eq(samples_add(&new, &samples.sample[i]), HN_OK);
    hn_net *second = hn_net_new(6);
    struct previous previous = {net, host, known};
    cr_assert_eq(derive_model(second, host, 6, &new, 200000, &previous, &notes), HN_OK);
    cr_expect_eq(notes.missing, 0);
    cr_expect_eq(hn_net_subnet_count(second), 2);
    cr_expect_eq(hn_net_subnet_of(second, 5), hn_net_subnet_of(second, 1));
    cr_expect_eq(hn_net_subnet_medium(second, 0), HN_MEDIUM_BUS);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            for (int64_t bytes = 1; i != j && bytes <= 1 << 20; bytes *= 32) {
                hn_time x = hn_net_time(all, i, j, bytes), y = hn_net_time(second, i, j, bytes);
                cr_expect(llabs(x - y) <= x / 50,
                          "%d to %d, %" PRId64 " B: %" PRId64 ", not %" PRId64, i, j, bytes, y, x);
            }
    for (int i = 0; i < 5; i++)
        cr_expect_eq(hn_net_host(second, i)->send_const, hn_net_host(net, i)->send_const);
    hn_net_free(net);
    hn_net_free(all);
    hn_net_free(second);
    samples_free(&samples);
    samples_free(&new);
}
