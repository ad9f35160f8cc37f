/* test_timeline.c - moments of another host's clock are placed by one function, whatever is learned
 * of that clock between two uses: a moment never moves, and order stays. */
#include "hrun/diagnosis/timeline.h"
#include "protocol/trace_record.h"
#include "random.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define SECOND INT64_C(1000000000)
enum { MOMENTS = 400 };

/* The other clock: from some moment on it is corrected, by 500 ppm as adjtime(3) does, or at once,
 * as that of a virtual machine which is moved. */
struct other {
    int64_t shift, ppm, corrected_at, corrected_ppm, jump;
};

static int64_t shows(const struct other *o, int64_t now)
{
    int64_t behind = now > o->corrected_at ? now - o->corrected_at : 0;
    return now + o->shift + now / 1000000 * o->ppm + behind / 1000000 * o->corrected_ppm +
           (behind > 0 ? o->jump : 0);
}

static int64_t sample(struct timeline *line, const struct other *o, int64_t now, uint64_t *random)
{
    int64_t there = 1000 + random_below(random, random_below(random, 5) ? 300000 : 5000000);
    int64_t back = 1000 + random_below(random, 300000);
    struct clock_sample s = clock_reading(now, shows(o, now + there), now + there + back);
    clock_take(&line->clock, &s);
    return now + there + back;
}

struct moment {
    int64_t other, own, at;
};

static int by_other(const void *a, const void *b)
{
    const struct moment *x = a, *y = b;
    return x->other < y->other ? -1 : x->other > y->other;
}

static void run(struct other o, uint64_t *random, bool steady, uint64_t seed)
{
    struct timeline line = {0};
    static struct moment moment[MOMENTS];
    int64_t begin = (INT64_C(1) << 50) + random_below(random, 1 << 30), now = begin;
    int count = 0;
    o.corrected_at = begin + random_below(random, 60 * SECOND);
    for (int i = 0; i < CLOCK_FIRST; i++)
        now = sample(&line, &o, now, random);
    while (count < MOMENTS) {
        if (random_below(random, 3)) {
            now = sample(&line, &o, now + SECOND, random);
            continue;
        }
        int first = count;
        int64_t latest = 0;
        for (; count < first + 8 && count < MOMENTS; count++) {
            struct moment *m = &moment[count];
            m->at = now - random_below(random, now - begin + 1);
            m->other = shows(&o, m->at);
            latest = m->other > latest ? m->other : latest;
        }
        timeline_use(&line, latest, now);
        for (int i = first; i < count; i++)
            moment[i].own = timeline_own(&line, moment[i].other);
    }
    qsort(moment, MOMENTS, sizeof *moment, by_other);
    for (int i = 0; i < MOMENTS; i++) {
        const struct moment *m = &moment[i];
        cr_assert_eq(timeline_own(&line, m->other), m->own, "seed %llu: %d moves",
                     (unsigned long long)seed, i);
        cr_assert(i == 0 || m->own >= m[-1].own, "seed %llu: order", (unsigned long long)seed);
        if (steady)
            cr_assert_leq(llabs(m->own - m->at), timeline_error(&line, now) + 200000,
                          "seed %llu: %lld", (unsigned long long)seed, (long long)(m->own - m->at));
    }
    timeline_free(&line);
}

Test(timeline, moments_stay_where_they_were_placed)
{
    uint64_t seed = random_seed(), random = seed;
    for (int round = 0; round < 300; round++) {
        struct other o = {.shift = random_below(&random, INT64_C(1) << 50) - (INT64_C(1) << 49),
                          .ppm = random_below(&random, 101) - 50};
        run(o, &random, true, seed);
        o.corrected_ppm = random_below(&random, 1001) - 500;
        run(o, &random, false, seed);
        o.jump = random_below(&random, 2 * SECOND);
        run(o, &random, false, seed);
    }
}

Test(timeline, hardly_grows_while_nothing_is_learned)
{
    struct timeline line = {0};
    struct clock_sample s = clock_reading(1000, 5000, 3000);
    clock_take(&line.clock, &s);
    for (int i = 0; i < 1000; i++)
        timeline_use(&line, 13000 + i * 1000, 10000 + i * 1000);
    cr_expect_leq(line.count, 3u);
    cr_expect_eq(timeline_own(&line, 5500), 2500);
    timeline_free(&line);
}

Test(timeline, nothing_known_changes_nothing)
{
    struct timeline line = {0};
    timeline_use(&line, 5, 5);
    cr_expect_eq(timeline_own(&line, 12345), 12345);
    timeline_free(&line);
}

/* A task writes its records itself: what is no time of a clock is no record, so that nothing that
 * is computed of times overflows. */
Test(timeline, impossible_times_are_no_record)
{
    struct trace_record record = {.kind = TRACE_COLLECTIVE, .begin = 1, .end = CLOCK_MOST}, got;
    uint8_t bytes[TRACE_RECORD];
    trace_encode(&record, bytes);
    cr_expect(trace_decode(bytes, &got));
    record.end++;
    trace_encode(&record, bytes);
    cr_expect_not(trace_decode(bytes, &got));
    record.begin = record.end = UINT64_MAX;
    trace_encode(&record, bytes);
    cr_expect_not(trace_decode(bytes, &got));
}
