/* test_study.c - the studies: numbers that can be had by hand, what must hold in any of them, and
 * that they are the same for the same seed.
 *
 * Long: studies of thousands of networks.
 */
#include "apps/hplan/study/study.h"

#include "hnow.h"
#include "hnow_net.h"
#include "random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What may be lost by instances of no more than `few` nodes is looked at where time is not short.
 */
static int unless_short(int few)
{
    return getenv("HNOW_SHORT") ? few : 0;
}

/* Runs one with few runs, of instances up to a size (0: all), and hands out its sheets; study_end()
 * frees them. */
static struct study study_of(void (*run)(struct study *), int64_t runs, uint64_t seed, int largest)
{
    struct study study = {.name = "test", .runs = runs, .seed = seed, .largest = largest};
    run(&study);
    cr_assert_eq(study.error, HN_OK);
    return study;
}

static void study_end(struct study *study)
{
    for (int i = 0; i < study->sheet_count; i++)
        sheet_free(study->sheets[i]);
    for (int i = 0; i < study->claim_count; i++)
        free(study->claims[i].found);
    free(study->sheets);
    free(study->claims);
}

static const struct sheet *named(const struct study *study, const char *name)
{
    for (int i = 0; i < study->sheet_count; i++)
        if (strcmp(study->sheets[i]->form.name, name) == 0)
            return study->sheets[i];
    cr_assert_fail("no sheet %s", name);
    return NULL;
}

/* In every row, `less` is not above any of the series first ... last. */
static void never_above(const struct sheet *sheet, const char *less, int first, int last)
{
    for (int r = 0; r < sheet->rows; r++)
        for (int s = first; s <= last; s++) {
            double value = sheet->values[r * sheet->form.count + s];
            cr_assert(isnan(value) || sheet_at(sheet, sheet->x[r], less) <= value * (1 + 1e-12),
                      "%s, row %g: %s above %s", sheet->form.name, sheet->x[r], less,
                      sheet->form.series[s]);
        }
}

Test(study, banikazemi_by_hand)
{
    struct study study = study_of(study_banikazemi, 0, 1, 0);
    const struct sheet *trees = named(&study, "banikazemi_figure7a");
    /* One byte: S = 60.05, X = 16.08, R = 110.03 (fast) or 140.08 (slow) us. The last of seven
     * sends goes to a fast node; along the binomial tree root, slow 4, slow 6, slow 7 the sends of
     * slow nodes take 90.18. */
    double sequential = 7 * 60.05 + 16.08 + 110.03;
    double binomial = (60.05 + 16.08 + 140.08) + 2 * (90.18 + 16.08 + 140.08);
    cr_assert_float_eq(sheet_at(trees, 1, "sequential"), sequential, 1e-6);
    cr_assert_float_eq(sheet_at(trees, 1, "binomial"), binomial, 1e-6);
    never_above(trees, "auto", 0, 2);
    /* Gather on 8 nodes, one byte, all fast: the root takes out seven messages, the first of which
     * is there after S + X. */
    cr_assert_float_eq(sheet_at(named(&study, "banikazemi_figure8_8"), 8, "1 B"),
                       60.05 + 16.08 + 7 * 110.03, 1e-6);
    study_end(&study);
}

Test(study, barchet_two_clusters_leave_no_choice)
{
    struct study study = study_of(study_barchet, 10, 7, 10);
    const struct sheet *times = named(&study, "barchet_figure1_link");
    const struct sheet *hits = named(&study, "barchet_figure4_link");
    for (int s = 0; s < hits->form.count; s++)
        cr_assert_float_eq(sheet_at(hits, 2, hits->form.series[s]), 100, 1e-9);
    for (int s = 1; s < times->form.count; s++)
        cr_assert_float_eq(sheet_at(times, 2, times->form.series[s]), sheet_at(times, 2, "flat"),
                           1e-9);
    cr_assert_gt(sheet_at(times, 10, "flat"), sheet_at(times, 10, "ecef"));
    study_end(&study);
}

Test(study, barchet_88_machines)
{
    struct study study = study_of(study_barchet88, 0, 1, 10);
    const struct sheet *sheet = named(&study, "barchet_figure5");
    /* The flat tree of 4 MiB: cluster 1 at 110 MB/s, three sends of 128 windows at 12.2 ms each
     * way, one at 5.2 ms; then the root's own cluster in five rounds. */
    double near = 4194304 / 110e6, windows = 2 * 128;
    double far = windows * (12.18152 + 12.18724 + 12.19749 + 5.21099) / 1e3;
    double inside = 5 * (near + 27.53e-6) + 5.21099e-3;
    cr_assert_float_eq(sheet_at(sheet, 4194304, "flat"), near + far + inside, 1e-6);
    never_above(sheet, "search", 0, 6);
    study_end(&study);
}

Test(study, bhat_bounds_and_theorem_2)
{
    struct study study = study_of(study_bhat, 1, 3, unless_short(15));
    for (int figure = 9; figure <= 12; figure++) {
        char name[32];
        snprintf(name, sizeof name, "bhat_figure%d", figure);
        const struct sheet *sheet = named(&study, name);
        never_above(sheet, "bound", 0, 6);
        never_above(sheet, "search", 0, 5);
        for (int r = 0; r < sheet->rows; r++)
            cr_assert_leq(sheet_at(sheet, sheet->x[r], "caterpillar"),
                          sheet_at(sheet, sheet->x[r], "with barriers"));
    }
    const char *theorem = NULL;
    for (int i = 0; i < study.claim_count; i++)
        if (study.claims[i].paper && strstr(study.claims[i].paper, "Theorem 2"))
            theorem = study.claims[i].found;
    cr_assert_not_null(theorem);
    cr_assert_not_null(strstr(theorem, "2.0 for P = 3, 5.0 for P = 9"), "%s", theorem);
    study_end(&study);
}

Test(study, wu_bounds_and_single_broadcast)
{
    struct study study = study_of(study_wu, 1, 5, unless_short(16));
    for (int i = 0; i < study.sheet_count; i++)
        never_above(study.sheets[i], "bound", 0, 4);
    const struct sheet *single = named(&study, "wu_single_fast_large");
    for (int r = 0; r < single->rows; r++) {
        double ecf = sheet_at(single, single->x[r], "ecf");
        cr_assert_float_eq(sheet_at(single, single->x[r], "wrp"), ecf, ecf * 0.02);
    }
    study_end(&study);
}

/* What study_run() prints, to be freed. */
static char *printed(uint64_t seed, const char *directory)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    cr_assert_eq(study_run("barchet", 1, seed, 10, NULL, directory, out), HN_OK);
    fclose(out);
    return text;
}

Test(study, the_seed_decides)
{
    char *one = printed(1, NULL), *again = printed(1, NULL), *two = printed(2, NULL);
    cr_assert_str_eq(one, again);
    cr_assert_str_neq(one, two);
    free(one);
    free(again);
    free(two);
}

Test(study, files_and_errors)
{
    char directory[] = "/tmp/study.XXXXXX", path[64];
    cr_assert_not_null(mkdtemp(directory));
    free(printed(1, directory));
    for (int i = 1; i <= 4; i++)
        for (int k = 0; k < 4; k++) {
            struct stat file;
            snprintf(path, sizeof path, "%s/barchet_figure%d_%s.%s", directory, i,
                     k % 2 ? "link" : "cluster", k / 2 ? "svg" : "csv");
            cr_assert_eq(stat(path, &file), 0, "%s", path);
            cr_assert_gt(file.st_size, 100);
            unlink(path);
        }
    cr_assert_eq(rmdir(directory), 0);
    cr_assert_eq(study_run("barchet", 1, 1, 3, NULL, "/dev/null/x", stdout), HN_ESYS);
    cr_assert_eq(study_run("nobody", 1, 1, 0, NULL, NULL, stdout), HN_EARG);
    cr_assert_not_null(strstr(hn_error_text(), "-study list"));
}

/* Where nothing can be written is known before anything is played: nothing is printed. */
Test(study, directory_is_made_first)
{
    FILE *out = tmpfile();
    cr_assert_eq(study_run("wu", 1, 1, 0, NULL, "/dev/null", out), HN_ESYS);
    cr_assert_eq(study_run("wu", 1, 1, 0, NULL, "/nonexistent/of/all", out), HN_ESYS);
    cr_assert_eq(ftell(out), 0);
    fclose(out);
}

/* Nothing is below the bound, and 30 MB among equals are near it. */
Test(study, throughput_is_near_the_bounds)
{
    static const char text[] =
        "h[1-3] send_us=10 recv_us=10 send_gap_ns_per_byte=8 recv_gap_ns_per_byte=8\n"
        "@subnet s hosts=h[1-3] medium=switch latency_us=30 ns_per_byte=8\n";
    hn_net *net;
    cr_assert_eq(hn_net_parse("net", text, strlen(text), &net), HN_OK, "%s", hn_error_text());
    struct study study = {.name = "test", .net = net};
    study_throughput(&study);
    cr_assert_eq(study.error, HN_OK);
    const struct sheet *ratios = named(&study, "throughput_ratios");
    cr_assert_eq(ratios->rows, 4);
    for (int i = 0; i < ratios->rows * ratios->form.count; i++)
        cr_expect_geq(ratios->values[i], 1);
    for (int i = 0; i < ratios->form.count; i++)
        cr_expect_leq(sheet_at(ratios, 30000000, ratios->form.series[i]), 1.05);
    study_end(&study);
    cr_expect_eq(study_run("throughput", 0, 1, 0, NULL, NULL, stdout), HN_EARG);
    cr_expect_eq(study_run("wu", 1, 1, 0, net, NULL, stdout), HN_EARG);
    hn_net_free(net);
}
