/* clock_pair.c - compares the clocks of two tasks by messages (hnow_net.h).
 *
 * The task with the smaller tid asks for the other's time, several times, and keeps the best answer
 * (clock.h).  It then sends the result to the other task, for which the sign is opposite.  Two
 * comparisons give the drift.
 *
 * Both tasks end with the same comparison, so their views agree. The error is half of the fastest
 * round trip: where in it the other clock was read is unknown.
 */
#include "net/clock_pair.h"
#include "runtime/internal.h"

#include <math.h>

enum { TAG_ASK = 1, TAG_ANSWER, TAG_RESULT };
/* ROUNDS: round trips, of which the fastest counts; more of them make an undisturbed one more
 * likely.  PATIENCE_MS: how much later the other task may make its call. */
enum { ROUNDS = 30, PATIENCE_MS = 10000 };

/* The result of a comparison, as HN_INT64. */
struct comparison {
    int64_t here, there; /* the two clocks at one moment */
    int64_t error;
};
enum { COMPARISON_WORDS = sizeof(struct comparison) / sizeof(int64_t) };

/* The side that asks.  more: round trips left, so that the other side knows the last one. */
static int ask(hn_tid other, struct comparison *best)
{
    /* Worse than any answer. */
    *best = (struct comparison){.error = INT64_MAX};
    for (int64_t left = ROUNDS; left > 0; left--) {
        int64_t asked = clock_now(), told, more = left;
        int code = hn_send(other, TAG_ASK, &more, 1, HN_INT64);
        /* A task that does not answer within PATIENCE_MS ends the call with HN_ETIMEOUT. */
        if (code == HN_OK)
            code = hn_recv_timeout(other, TAG_ANSWER, &told, 1, HN_INT64, PATIENCE_MS, NULL);
        if (code < 0)
            return code;
        struct clock_sample sample = clock_reading(asked, told, clock_now());
        /* A negative error marks a sample that cannot be right, such as an answer before the
         * question. */
        if (sample.error >= 0 && sample.error < best->error)
            *best = (struct comparison){sample.at, sample.at + sample.offset, sample.error};
    }
    return hn_send(other, TAG_RESULT, best, COMPARISON_WORDS, HN_INT64);
}

/* The other side.  Its own time is read as soon as a question has arrived. */
static int answer(hn_tid other, struct comparison *best)
{
    /* Any number above 1 starts the loop; the other side's count of remaining rounds ends it. */
    for (int64_t left = 2; left > 1;) {
        int code = hn_recv_timeout(other, TAG_ASK, &left, 1, HN_INT64, PATIENCE_MS, NULL);
        /* Before anything else: each microsecond until here is a part of the error. */
        int64_t now = clock_now();
        if (code == HN_OK)
            code = hn_send(other, TAG_ANSWER, &now, 1, HN_INT64);
        if (code < 0)
            return code;
    }
    struct comparison theirs;
    int code =
        hn_recv_timeout(other, TAG_RESULT, &theirs, COMPARISON_WORDS, HN_INT64, PATIENCE_MS, NULL);
    /* Seen from this side, `here` and `there` change places. */
    *best = (struct comparison){theirs.there, theirs.here, theirs.error};
    return code;
}

/* The drift is the difference between this comparison and the one before it in `clock`. */
void clock_pair_take(hn_clock *clock, int64_t here, int64_t there, int64_t error)
{
    struct clock_sample before = {clock->at, clock->offset, clock->error};
    struct clock_sample now = {here, there - here, error};
    struct clock_drift drift = clock_drift(&before, &now);
    *clock = (hn_clock){here, now.offset, error, drift.rate, drift.error};
}

int hn_clock_compare(hn_tid other, hn_clock *clock)
{
    REFUSE_NULL(clock);
    struct comparison best;
    if (other == hn_mytid())
        return error_set(HN_EARG, "a task's clock is its own");
    /* The tids decide, so exactly one of the two asks, without an agreement before. */
    hn_context before = hn_set_context(CLOCK_CONTEXT);
    int code = hn_mytid() < other ? ask(other, &best) : answer(other, &best);
    hn_set_context(before);
    if (code == HN_OK)
        clock_pair_take(clock, best.here, best.there, best.error);
    return code;
}

/* The error grows with the distance from the comparison. */
int64_t hn_clock_there(const hn_clock *clock, int64_t here, int64_t *error)
{
    const struct clock_sample sample = {clock->at, clock->offset, clock->error};
    if (error)
        *error =
            clock->error + (int64_t)ceil(fabs((double)(here - clock->at)) * clock->drift_error);
    return here + clock_offset(&sample, clock->drift, here);
}
