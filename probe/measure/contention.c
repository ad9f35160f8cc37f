/* contention.c - transfers alone, then all at once (contention.h).
 *
 * If messages begin together and share a wire, the last one cannot arrive before the wire has
 * carried all of them, whatever TCP does.  A busy machine, or other traffic, can make two wires
 * look like one, but only for a while.  So a test ends as soon as all transfers are as fast as
 * alone, and several slow rounds in a row prove sharing.
 */
#include "measure/contention.h"
#include "derive/medium.h"
#include "measure/measurement_jobs.h"

#include <math.h>

/* ---- each alone --------------------------------------------------------------------------- */

/* A size that TCP's first window holds is enough if its message takes two latencies, and longer
 * than the start times of two hosts differ. Sizes are LARGE_BYTES times powers of two. */
int64_t contention_bytes(const struct measurement *m, int from, int to)
{
    int at = from * m->n + to;
    int64_t bytes = LARGE_BYTES, small = m->times.small[at], per_byte = m->rates.large[at];
    int64_t wanted = CONTENTION_SMALLS * small > CONTENTION_LEAST_NS ? CONTENTION_SMALLS * small
                                                                     : CONTENTION_LEAST_NS;
    int64_t enough = 2 * small > CONTENTION_WINDOW_NS ? 2 * small : CONTENTION_WINDOW_NS;
    wanted = wanted < CONTENTION_MOST_NS ? wanted : CONTENTION_MOST_NS;
    if (WINDOW_BYTES / 2 * per_byte / 1000 >= enough)
        wanted = enough;
    while (bytes < EXPERIMENT_BYTES && bytes * per_byte / 1000 < wanted)
        bytes *= 2;
    return bytes;
}

/* Adds a route to a test.  It is measured alone first, so the job is made for that. */
void contention_add(const struct measurement *m, struct contention *test, int from, int to,
                    int64_t bytes)
{
    struct job *job = &test->job[test->count++];
    *job = measurement_route_job(m, from, to, bytes,
                                 measurement_is_near(m, from, to) ? CONTENTION_ALONE
                                                                  : CONTENTION_FAR_ALONE);
    job->order.budget_ns = CONTENTION_BUDGET_NS;
    job->order.pause_ns = 0; /* as in concurrent transfers: one after the other */
    test->slowest = HUGE_VAL;
}

/* True if the sample was measured already and takes so long that repeating it would show nothing
 * new. */
static bool is_measured(const struct measurement *m, const struct sample *sample)
{
    int at = sample->from * m->n + sample->to;
    return m->rates.bytes[at] == sample->bytes && m->rates.best[at] > CONTENTION_MOST_NS / 2;
}

/* Runs job number `which` of all tests concurrently. Tests of one round use different units
 * (measure_shared.c), so their jobs do not compete. */
static void number_alone(struct measurement *m, struct contention *test, int tests, int which)
{
    int count = 0;
    for (int i = 0; i < tests; i++)
        if (which < test[i].count && !is_measured(m, &test[i].job[which].sample))
            m->list.job[count++] = test[i].job[which];
    coordinator_run(&m->coordinator, m->list.job, count);
    /* Tests that were measured before get their stored times. */
    for (int i = 0, k = 0; i < tests; i++) {
        if (which >= test[i].count)
            continue;
        struct sample *alone = &test[i].alone[which];
        *alone = test[i].job[which].sample;
        int at = alone->from * m->n + alone->to;
        if (!is_measured(m, alone)) {
            *alone = m->list.job[k++].sample;
            m->rates.bytes[at] = alone->bytes;
            m->rates.best[at] = alone->best;
        } else {
            alone->best = alone->median = m->rates.best[at];
            alone->count = 1;
        }
    }
}

void contention_alone(struct measurement *m, struct contention *test, int tests)
{
    int most = 0;
    for (int i = 0; i < tests; i++)
        most = test[i].count > most ? test[i].count : most;
    for (int which = 0; which < most; which++)
        number_alone(m, test, tests, which);
}

/* ---- together ----------------------------------------------------------------------------- */

/* Tests are numbered, so that samples of different tests are not mixed. */
bool contention_prepare(struct measurement *m, struct contention *test)
{
    bool good = test->count > 0;
    m->tests++;
    for (int i = 0; i < test->count; i++) {
        struct job *job = &test->job[i];
        job->order.repeats = 1;
        job->silent = true;
        job->sample.kind = SAMPLE_TOGETHER;
        job->sample.about = test->about;
        job->sample.at_once = test->count;
        job->sample.test = m->tests;
        job->sample.alone = test->alone[i].count ? test->alone[i].best : 0;
        good &= test->alone[i].count > 0;
    }
    return good;
}

/* Updates the verdict after one more round. Only the least slowed round counts: disturbances make
 * rounds slower, never faster. One round as fast as alone proves that nothing is shared, whatever
 * the others were. A slow round proves little, so sharing needs several of them. */
static void judge(const struct measurement *m, struct contention *test, const struct job *job)
{
    double slower = 0;
    for (int i = 0; i < test->count; i++) {
        const struct sample *s = &job[i].sample;
        slower = fmax(slower, medium_slower(s, m->times.small[s->from * m->n + s->to]));
    }
    if (slower > 0 && slower < test->slowest) {
        test->slowest = slower;
        for (int i = 0; i < test->count; i++)
            test->least[i] = job[i].sample;
    }
    /* Long transfers need fewer rounds: start times matter less to them. */
    bool is_long = test->alone[0].best > CONTENTION_MOST_NS / 2;
    hn_medium seen = medium_judge(test->slowest);
    if (seen != HN_MEDIUM_BUS ||
        ++test->rounds >= (is_long ? CONTENTION_LONG_ENOUGH : CONTENTION_ENOUGH))
        test->verdict = seen;
}

/* Runs all undecided tests concurrently.  Returns their number. */
static int next_round(struct measurement *m, struct contention *test, int tests)
{
    int count = 0, at = 0;
    for (int i = 0; i < tests; i++)
        for (int k = 0; test[i].verdict == HN_MEDIUM_UNKNOWN && k < test[i].count; k++)
            m->list.job[count++] = test[i].job[k];
    coordinator_run(&m->coordinator, m->list.job, count);
    for (int i = 0; i < tests; i++)
        if (test[i].verdict == HN_MEDIUM_UNKNOWN) {
            judge(m, &test[i], &m->list.job[at]);
            at += test[i].count;
        }
    return count;
}

/* Ends when all tests are decided, or after CONTENTION_ROUNDS. */
void contention_decide(struct measurement *m, struct contention *test, int tests)
{
    for (int round = 0; round < CONTENTION_ROUNDS && next_round(m, test, tests) > 0; round++)
        ;
}

/* A test without a successful round writes nothing. */
void contention_write(const struct measurement *m, const struct contention *test)
{
    for (int k = 0; k < test->count; k++)
        if (test->least[k].count)
            sample_print(&test->least[k], m->coordinator.out);
}

void contention_together(struct measurement *m, struct contention *test, int tests)
{
    contention_decide(m, test, tests);
    for (int i = 0; i < tests; i++)
        contention_write(m, &test[i]);
}
