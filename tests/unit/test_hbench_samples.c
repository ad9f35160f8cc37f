/* test_hbench_samples.c - order statistics, shuffled orders, and how results are written. */
#include "hnow.h"
#include "order.h"
#include "random.h"
#include "result.h"

#include <criterion/criterion.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

static void add(struct samples *s, double value)
{
    cr_assert(samples_reserve(s, 1));
    samples_add(s, value);
}

Test(hbench_samples, few)
{
    struct samples s = {0};
    struct stats t;

    cr_assert_not(samples_stats(&s, &t));
    add(&s, 3);
    cr_assert(samples_stats(&s, &t) && t.min == 3 && t.median == 3 && t.mean == 3 && t.p99 == 3);
    add(&s, 1);
    cr_assert(samples_stats(&s, &t) && t.min == 1 && t.median == 2 && t.mean == 2 && t.p99 == 3);
    cr_assert(s.at[0] == 3 && s.at[1] == 1, "samples stay in their order");
    cr_assert_not(samples_reserve(&s, SIZE_MAX / 2));
    samples_free(&s);
}

/* Of the numbers 1 ... n in any order, the k-th smallest is k. */
Test(hbench_samples, any_order)
{
    uint64_t seed = random_seed(), state = seed;

    for (size_t n = 1; n <= 1000; n += 37) {
        struct samples s = {0};
        struct stats t;
        size_t *order = calloc(n, sizeof *order);

        order_shuffle(order, n, &state);
        for (size_t i = 0; i < n; i++)
            add(&s, (double)order[i] + 1);
        cr_assert(samples_stats(&s, &t));
        cr_assert(t.min == 1 && t.median == (double)(n + 1) / 2 && t.p99 == (double)(n - n / 100),
                  "seed %llu, n %zu", (unsigned long long)seed, n);
        cr_assert(t.low <= t.median && t.median <= t.high);
        samples_free(&s);
        free(order);
    }
}

/* Of the numbers 1 ... n, how many lie on each side of the interval: a table of the binomial
 * distribution (Le Boudec 2010, appendix A). */
Test(hbench_samples, interval_of_the_median)
{
    static const struct {
        size_t n;
        double low, high;
    } table[] = {{1, 1, 1},   {5, 1, 5},   {6, 1, 6},    {8, 1, 8},   {9, 2, 8},
                 {12, 3, 10}, {20, 6, 15}, {40, 14, 27}, {70, 27, 44}};

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct samples s = {0};
        struct stats t;

        for (size_t k = table[i].n; k > 0; k--)
            add(&s, (double)k);
        cr_assert(samples_stats(&s, &t));
        cr_assert(t.low == table[i].low && t.high == table[i].high, "%zu: %g, %g", table[i].n,
                  t.low, t.high);
        samples_free(&s);
    }
}

Test(hbench_samples, shuffling)
{
    enum { N = 5, ROUNDS = 5000 };
    uint64_t state = 7, again = 7;
    int at[N][N] = {{0}};

    for (int round = 0; round < ROUNDS; round++) {
        size_t order[N], same[N], seen = 0;
        order_shuffle(order, N, &state);
        order_shuffle(same, N, &again);
        cr_assert(memcmp(order, same, sizeof order) == 0);
        for (size_t i = 0; i < N; i++) {
            seen |= (size_t)1 << order[i];
            at[i][order[i]]++;
        }
        cr_assert_eq(seen, (1u << N) - 1);
    }
    /* 1000 expected, deviation 28 */
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            cr_assert(abs(at[i][k] - ROUNDS / N) < 170, "%d", at[i][k]);
}

static char *written(void (*write)(const struct results *, FILE *), const struct results *r)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    write(r, f);
    fclose(f);
    return text;
}

static void write_json(const struct results *r, FILE *f)
{
    results_print_json(r, 1, f);
}

static double number(struct json_object *o, const char *key)
{
    return json_object_get_double(json_object_object_get(o, key));
}

Test(hbench_samples, json)
{
    struct results all = {0};
    struct result *r;

    cr_assert_eq(hn_enrol(), HN_OK);
    cr_assert(r = results_add(&all, "bcast", NULL, 1024, 0));
    strcpy(r->plan, "chain/8192");
    add(&r->samples, 0.5);
    add(&r->samples, 1.5);
    result_extra(r, "predicted", 0.25);
    cr_assert(r = results_add(&all, "latency", "raw\"\\tcp", 1, 0));
    add(&r->samples, 2);
    cr_assert(results_add(&all, "nothing", NULL, 1, 0)); /* not measured: is left out */

    char *text = written(write_json, &all);
    struct json_object *json = json_tokener_parse(text), *list, *one;
    cr_assert(json, "%s", text);
    cr_assert_eq(number(json, "tasks"), 1);
    static const char *const origin[] = {"hnow", "date", "kernel"};
    for (size_t i = 0; i < sizeof origin / sizeof *origin; i++)
        cr_assert(json_object_get_string(json_object_object_get(json, origin[i])), "%s: %s",
                  origin[i], text);
    cr_assert(json_object_object_get_ex(json, "commit", NULL));
    cr_assert(json_object_object_get_ex(json, "cpu", NULL));
    list = json_object_object_get(json, "results");
    cr_assert_eq(json_object_array_length(list), 1);
    one = json_object_array_get_idx(list, 0);
    cr_assert(number(one, "median") == 1 && number(one, "min") == 0.5);
    cr_assert(number(one, "median_low") == 0.5 && number(one, "median_high") == 1.5);
    cr_assert(number(one, "bytes") == 1024 && number(one, "predicted") == 0.25);
    cr_assert_str_eq(json_object_get_string(json_object_object_get(one, "plan")), "chain/8192");
    cr_assert_not(json_object_object_get_ex(one, "lower_bound", NULL));
    one = json_object_array_get_idx(json_object_object_get(json, "peers"), 0);
    cr_assert_str_eq(json_object_get_string(json_object_object_get(one, "peer")), "raw\"\\tcp");
    json_object_put(json);
    free(text);
    results_free(&all);
    cr_assert_eq(hn_exit(), HN_OK);
}
