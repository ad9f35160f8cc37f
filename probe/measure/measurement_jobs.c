/* measurement_jobs.c - round trips, larger messages, and the number of concurrent pairs.
 *
 * That number is determined by measuring some pairs alone, then together with others; if that is
 * slower, half as many, and so on. (Pairs on one switch do not disturb each other; pairs on one hub
 * do, and so do tests on one machine's two processors.)
 */
#include "measure/measurement_jobs.h"

/* ---- round trips -------------------------------------------------------------------------- */

struct job measurement_ping_job(const struct measurement *m, int from, int to, int64_t bytes,
                                int64_t repeats)
{
    return (struct job){
        .leader = from,
        .order = {.kind = EXPERIMENT_PING,
                  .bytes = bytes,
                  .reply = bytes,
                  .repeats = repeats,
                  .budget_ns = repeats < PING_AGAIN_REPEATS ? PING_BUDGET_NS : PING_AGAIN_BUDGET_NS,
                  .tolerance = PING_TOLERANCE,
                  .patience_ms = measurement_patience(m, from, to, bytes),
                  .peers = 1,
                  .peer = {to}},
        .sample = {.kind = SAMPLE_PING, .from = from, .to = to, .bytes = bytes, .at_once = 1},
        .parts = 2,
    };
}

/* ---- larger messages ---------------------------------------------------------------------- */

struct job measurement_route_job(const struct measurement *m, int from, int to, int64_t bytes,
                                 int64_t repeats)
{
    struct job job = measurement_ping_job(m, from, to, bytes, repeats);
    job.order.reply = 1;
    job.order.budget_ns = (int64_t)m->plan->message_ms * 1000000 / 2;
    /* A near route rests before each message, as in a program: token buckets refill.  A distant one
     * must not rest, or TCP would begin with a small window again after its idle time. */
    if (measurement_is_near(m, from, to)) {
        job.order.pause_ns = ROUTE_PAUSE_NS;
        job.order.awake = true;
    } else if (bytes > WINDOW_BYTES) {
        int64_t round_trips = 2 * ROUTE_FAR_REPEATS * m->times.small[from * m->n + to];
        job.order.repeats = repeats > ROUTE_FAR_REPEATS ? repeats : ROUTE_FAR_REPEATS;
        if (job.order.budget_ns < round_trips)
            job.order.budget_ns = round_trips;
    }
    job.order.tolerance = ROUTE_TOLERANCE;
    job.sample.kind = SAMPLE_WAY;
    job.parts = 1;
    return job;
}

/* ---- number of concurrent pairs ----------------------------------------------------------- */

/* Sum of the best times of the first pairs; negative: one of them failed. The comparison uses only
 * pairs that were measured alone. */
static int64_t sum_of(const struct job *job, int count)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++) {
        if (!job[i].sample.count)
            return -1;
        sum += job[i].sample.best;
    }
    return sum;
}

/* Returns how many pairs may be measured at once.  At least 1; all of `count` if they do not
 * disturb each other. */
int measurement_width(struct measurement *m, int count,
                      struct job (*make)(const struct measurement *m, int from, int to,
                                         int64_t bytes, int64_t repeats),
                      int64_t bytes)
{
    struct job alone[WIDTH_PROBES];
    const struct rounds_pair *first = &m->list.pair[m->list.chosen[0]];
    int most = measurement_is_near(m, first->from, first->to) ? WIDTH_PROBES : WIDTH_FAR_PROBES;
    int probes = count < most ? count : most;
    for (int i = 0; i < probes; i++) {
        const struct rounds_pair *pair = &m->list.pair[m->list.chosen[i]];
        alone[i] = make(m, pair->from, pair->to, bytes, WIDTH_REPEATS);
        alone[i].silent = true;
        coordinator_run(&m->coordinator, &alone[i], 1);
    }
    /* Half as many at a time, until they are about as fast as alone. */
    for (int width = count; width > 1; width /= 2) {
        for (int i = 0; i < width; i++) {
            const struct rounds_pair *pair = &m->list.pair[m->list.chosen[i]];
            m->list.job[i] = make(m, pair->from, pair->to, bytes, WIDTH_REPEATS);
            m->list.job[i].silent = true;
        }
        coordinator_run(&m->coordinator, m->list.job, width);
        int seen = width < probes ? width : probes;
        int64_t together = sum_of(m->list.job, seen), limit = sum_of(alone, seen);
        if (together >= 0 && limit >= 0 &&
            together <= limit + limit / WIDTH_SLOWER_PART + seen * BLUR_NS)
            return width;
    }
    return 1;
}
