/* Measuring: schedules of pairs, lines through times, samples as text, and a whole measurement of
 * forked tasks on this machine (S, X and R from samples: test_derive.c). */
#include "measure/measurement.h"
#include "derive/derive.h"
#include "derive/fit.h"
#include "job.h"
#include "random.h"
#include "measure/rounds.h"
#include "derive/sample.h"
#include "thresholds.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- rounds ------------------------------------------------------------------------------- */

Test(rounds, every_pair_meets_once_and_nobody_twice_in_a_round)
{
    for (int n = 0; n < 70; n++) {
        static bool met[70][70];
        int meetings = 0;
        memset(met, 0, sizeof met);
        cr_expect_eq(rounds_count(n), n < 2 ? 0 : n + n % 2 - 1);
        for (int round = 0; round < rounds_count(n); round++)
            for (int a = 0; a < n; a++) {
                int b = rounds_partner(n, round, a);
                cr_assert(b >= -1 && b < n && b != a, "n %d round %d: %d meets %d", n, round, a, b);
                if (b < 0)
                    continue;
                cr_assert_eq(rounds_partner(n, round, b), a, "n %d round %d", n, round);
                cr_assert_not(met[a][b], "n %d: %d and %d meet twice", n, a, b);
                met[a][b] = true;
                meetings++;
            }
        cr_expect_eq(meetings, n * (n - 1));
    }
}

Test(rounds, chosen_pairs_are_disjoint)
{
    uint64_t state = random_seed();
    for (int run = 0; run < 200; run++) {
        int n = 2 + (int)random_below(&state, 20), count = 0, left, chosen[800], group[24];
        int groups = 1 + (int)random_below(&state, n);
        static struct rounds_pair pair[800];
        int *busy = calloc(rounds_scratch(n), sizeof *busy);
        for (int i = 0; i < n; i++)
            group[i] = (int)random_below(&state, groups);
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                if (a != b && random_below(&state, 2))
                    pair[count++] = (struct rounds_pair){.from = a, .to = b};
        left = count;
        for (int found; (found = rounds_next(pair, count, n, group, busy, chosen)); left -= found)
            for (int i = 0; i < found; i++)
                for (int k = 0; k < i; k++) {
                    const struct rounds_pair *p = &pair[chosen[i]], *q = &pair[chosen[k]];
                    int a = group[p->from], b = group[p->to], x = group[q->from], y = group[q->to];
                    cr_assert(p->from != q->from && p->from != q->to && p->to != q->from &&
                              p->to != q->to);
                    cr_assert(a == b || !((a == x && b == y) || (a == y && b == x)));
                }
        cr_assert_eq(left, 0, "HNOW_SEED=%" PRIu64 " run %d", random_seed(), run);
        free(busy);
    }
}

/* ---- lines -------------------------------------------------------------------------------- */

Test(fit, exact_lines_come_back)
{
    uint64_t state = random_seed();
    for (int run = 0; run < 500; run++) {
        int64_t a = 1000 + random_below(&state, 100000000), b = random_below(&state, 40000);
        struct fit_point point[5];
        for (int i = 0; i < 5; i++) {
            point[i].bytes = (int64_t)1 << (5 * i);
            point[i].ns = a + b * point[i].bytes;
        }
        struct fit_line line = fit_points(point, 5);
        cr_expect_lt(line.residual, 1e-6);
        cr_expect_leq(llabs(line.constant - a * 1000), a / 1000 + 1, "run %d", run);
        cr_expect_leq(llabs(line.per_byte - b * 1000000), 1 + b, "run %d", run);
    }
}

Test(fit, parts_are_never_negative)
{
    struct fit_point falling[] = {{1, 100000}, {1000, 90000}, {100000, 80000}};
    struct fit_line line = fit_points(falling, 3);
    cr_expect_eq(line.per_byte, 0);
    cr_expect(line.constant > 80000000 && line.constant < 100000000);
    struct fit_point steep[] = {{1000, 10}, {2000, 1000}};
    line = fit_points(steep, 2);
    cr_expect_eq(line.constant, 0);
    cr_expect_gt(line.per_byte, 0);
    cr_expect_gt(line.residual, 0.1);
}

Test(fit, one_point_is_a_constant)
{
    struct fit_line line = fit_points(&(struct fit_point){1024, 55}, 1);
    cr_expect_eq(line.constant, 55000);
    cr_expect_eq(line.per_byte, 0);
    struct fit_point same[] = {{8, 50}, {8, 50}};
    cr_expect_eq(fit_points(same, 2).constant, 50000);
}

/* Noise of 5 % on every point moves the prediction by about as much, at every size. */
Test(fit, noise_counts_alike_at_all_sizes)
{
    uint64_t state = random_seed();
    for (int run = 0; run < 100; run++) {
        struct fit_point point[5];
        for (int i = 0; i < 5; i++) {
            point[i].bytes = (int64_t)1 << (5 * i);
            double exact = 50000 + 8.0 * (double)point[i].bytes;
            point[i].ns = (int64_t)(exact * (0.95 + (double)random_below(&state, 1000) / 1e4));
        }
        struct fit_line line = fit_points(point, 5);
        for (int i = 0; i < 5; i++) {
            double exact = 50000 + 8.0 * (double)point[i].bytes;
            double got =
                (double)line.constant / 1e3 + (double)line.per_byte / 1e6 * (double)point[i].bytes;
            cr_expect(got > 0.9 * exact && got < 1.1 * exact, "HNOW_SEED=%" PRIu64, random_seed());
        }
    }
}

/* Packets (dearer first bytes) and token buckets (cheaper ones), with some noise. */
Test(fit, bends_are_found_where_they_are)
{
    static const int64_t sizes[] = {1, 1024, 4096, 16384, 65536, 262144, 1048576};
    uint64_t state = random_seed();
    for (int run = 0; run < 200; run++) {
        bool packet = run % 2;
        struct fit_line true_line = {.constant = (20000 + random_below(&state, 100000)) * 1000,
                                     .first_bytes = packet ? 1448 : 32768,
                                     .first_per_byte = packet ? 1660000000 : 1000000,
                                     .per_byte = packet ? 840000000 : 8400000};
        struct fit_point point[7];
        for (int i = 0; i < 7; i++)
            point[i] = (struct fit_point){
                sizes[i], (int64_t)(fit_time(&true_line, sizes[i]) *
                                    (0.99 + (double)random_below(&state, 20) / 1e3))};
        struct fit_line line = fit_bent(point, 7);
        cr_expect_gt(line.first_bytes, 0, "HNOW_SEED=%" PRIu64 " run %d", random_seed(), run);
        cr_expect_lt(line.residual, 0.03);
        for (int i = 0; i < 7; i++) {
            double got = fit_time(&line, sizes[i]), want = fit_time(&true_line, sizes[i]);
            cr_expect(got > 0.95 * want && got < 1.05 * want,
                      "HNOW_SEED=%" PRIu64 " run %d, %" PRId64 " B: %.0f, not %.0f", random_seed(),
                      run, sizes[i], got, want);
        }
    }
}

Test(fit, straight_lines_stay_straight)
{
    uint64_t state = random_seed();
    for (int run = 0; run < 200; run++) {
        struct fit_point point[6];
        for (int i = 0; i < 6; i++) {
            double exact = 50000 + 8.0 * (double)((int64_t)1 << (4 * i));
            point[i].bytes = (int64_t)1 << (4 * i);
            point[i].ns = (int64_t)(exact * (0.98 + (double)random_below(&state, 400) / 1e4));
        }
        cr_expect_eq(fit_bent(point, 6).first_bytes, 0, "HNOW_SEED=%" PRIu64, random_seed());
    }
}

/* ---- samples ------------------------------------------------------------------------------ */

Test(sample, text_comes_back)
{
    struct sample again, sample = {.kind = SAMPLE_TOGETHER,
                                   .from = 3,
                                   .to = 7,
                                   .bytes = 16384,
                                   .best = 12345,
                                   .median = 13000,
                                   .count = 5,
                                   .about = ABOUT_UPLINK,
                                   .at_once = 4,
                                   .test = 12,
                                   .alone = 6789};
    char *text;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    sample_print(&sample, file);
    fclose(file);
    cr_assert(sample_parse(text, 8, &again));
    cr_expect(again.kind == SAMPLE_TOGETHER && again.from == 3 && again.to == 7);
    cr_expect(again.bytes == 16384 && again.best == 12345 && again.median == 13000);
    cr_expect(again.count == 5 && again.about == ABOUT_UPLINK && again.at_once == 4);
    cr_expect(again.test == 12 && again.alone == 6789);
    cr_expect_not(sample_parse(text, 6, &again), "rank 7 of 6");
    free(text);
    cr_assert(sample_parse("sample way 1 2 8 100 100 1 1 pair 0 0\n", 8, &again));
    static const char *const bad[] = {
        "",
        "sample",
        "sample way 1 2 8 100 100 1 1 pair 0",
        "sample walk 1 2 8 100 100 1 1 pair 0 0\n",
        "sample way 1 2 8 100 100 1 1 pear 0 0\n",
        "sample way -1 2 8 100 100 1 1 pair 0 0\n",
        "sample way 1 8 8 100 100 1 1 pair 0 0\n",
        "sample way 1 2 -8 100 100 1 1 pair 0 0\n",
        "sample way 1 2 8 0 100 1 1 pair 0 0\n",
        "sample way 1 2 8 100 50 1 1 pair 0 0\n",
        "sample way 1 2 8 100 100 1 0 pair 0 0\n",
        "sample way 1 2 8 100 100 1 9 pair 0 0\n",
        "sample way 1 2 8 100 100 1 1 pair -1 0\n",
        "sample way 1 2 8 100 100 1 1 pair 0 -1\n",
        "sample way 1 2 8 100 100 1 1 pair 0 0 more\n",
        "progress 1 2 x\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(sample_parse(bad[i], 8, &again), "%s", bad[i]);
}

/* ---- a whole measurement --------------------------------------------------------------------- */

static const char *samples_path;

static bool run_measurement(bool twins)
{
    struct measurement_plan plan = {.passes = 1, .message_ms = 2, .twins = twins};
    FILE *out = hn_rank() == 0 ? fopen(samples_path, "w") : NULL;
    int status = measurement_task(&plan, out);
    return (!out || fclose(out) == 0) && status == 0;
}

static bool measurement_body(void)
{
    return run_measurement(true);
}

static bool measurement_of_twins(void)
{
    return run_measurement(false);
}

/* All are the same machine as the first, which is left alone. */
Test(measurement, names_of_one_machine_are_measured_once)
{
    char path[] = "/tmp/hnow-test-samples-XXXXXX", line[256];
    int fd = mkstemp(path), twins = 0, pings = 0;
    cr_assert_geq(fd, 0);
    close(fd);
    samples_path = path;
    cr_assert_eq(job_run(3, 60, measurement_of_twins), 0);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file)) {
        twins += strncmp(line, "same ", 5) == 0;
        pings += strncmp(line, "sample ping", 11) == 0;
    }
    fclose(file);
    unlink(path);
    cr_expect_eq(twins, 2);
    cr_expect_eq(pings, 0);
}

Test(measurement, measures_tasks_on_this_machine)
{
    enum { N = 4 };
    char path[] = "/tmp/hnow-test-samples-XXXXXX", line[256], last[256] = "";
    int fd = mkstemp(path), kinds[SAMPLE_KINDS] = {0}, host[] = {0, 1, 2, 3};
    struct samples samples = {0};
    struct derive_notes notes;
    cr_assert_geq(fd, 0);
    close(fd);
    samples_path = path;
    cr_assert_eq(job_run(N, 60, measurement_body), 0);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file)) {
        struct sample sample;
        strcpy(last, line);
        if (!sample_parse(line, N, &sample))
            continue;
        cr_expect_gt(sample.count, 0, "%s", line);
        kinds[sample.kind]++;
        cr_assert_eq(samples_add(&samples, &sample), HN_OK);
    }
    fclose(file);
    unlink(path);
    cr_expect_str_eq(last, "end\n");
    /* Two sizes of each pair at first, in the pass, and each time that pairs are in doubt. */
    cr_expect(kinds[SAMPLE_PING] >= N * (N - 1) &&
                  kinds[SAMPLE_PING] <= (2 + DOUBT_TIMES) * N * (N - 1),
              "%d", kinds[SAMPLE_PING]);
    cr_expect_geq(kinds[SAMPLE_WAY], 2 * N, "%d", kinds[SAMPLE_WAY]);
    /* Small messages each way of each port, large ones where it is no bus, two sizes between them
     * on the way out; and all of these once more where a port is unlike the others, up to four
     * times where series do not agree. */
    cr_expect(kinds[SAMPLE_IN] >= N && kinds[SAMPLE_IN] <= 10 * N, "%d", kinds[SAMPLE_IN]);
    cr_expect(kinds[SAMPLE_OUT] >= N && kinds[SAMPLE_OUT] <= 20 * N, "%d", kinds[SAMPLE_OUT]);
    cr_expect_eq(kinds[SAMPLE_SPEED], N);
    hn_net *net = hn_net_new(N);
    cr_assert_eq(derive_model(net, host, N, &samples, 200000, NULL, &notes), HN_OK);
    cr_expect(hn_net_has_costs(net));
    hn_net_free(net);
    samples_free(&samples);
}
