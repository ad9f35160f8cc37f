/* clock.c - estimates the offset of another clock (method: clock.h). */
#include "base/clock.h"

#include <time.h>

#define SECOND INT64_C(1000000000)

/* Nanoseconds of CLOCK_MONOTONIC, which no correction of the date changes. */
int64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

/* Times from the other side may have any value, so they are checked against CLOCK_MOST. */
struct clock_sample clock_reading(int64_t sent, int64_t other, int64_t came)
{
    if (came < sent || sent < 0 || came > CLOCK_MOST || other < 0 || other > CLOCK_MOST)
        return (struct clock_sample){.error = -1};
    int64_t at = sent + (came - sent) / 2;
    return (struct clock_sample){.at = at, .offset = other - at, .error = (came - sent + 1) / 2};
}

/* Returns the rate at which the other clock gains on this one, and the error of that rate.  Samples
 * at the same time give no rate. */
struct clock_drift clock_drift(const struct clock_sample *first, const struct clock_sample *late)
{
    double between = (double)(late->at - first->at);
    if (first->at == 0 || between <= 0)
        return (struct clock_drift){0, 0};
    return (struct clock_drift){(double)(late->offset - first->offset) / between,
                                (double)(late->error + first->error) / between};
}

/* Rounds to the nearest nanosecond, since a truncated value would be biased towards zero. */
int64_t clock_offset(const struct clock_sample *sample, double rate, int64_t own)
{
    double gained = rate * (double)(own - sample->at);
    return sample->offset + (int64_t)(gained < 0 ? gained - 0.5 : gained + 0.5);
}

/* ---- a job's time ------------------------------------------------------------------------- */

/* a - b without undefined overflow: others sent these times, so they may have any value. */
static int64_t clock_less(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* The error of a sample at time now, which grows with its age. */
static int64_t clock_aged(const struct clock_sample *sample, int64_t now)
{
    return sample->error + (now > sample->at ? (now - sample->at) / (SECOND / CLOCK_DRIFT) : 0);
}

/* A new sample that is no worse replaces the stored one. */
static void clock_keep(struct clock_sample *kept, const struct clock_sample *sample)
{
    if (kept->at == 0 || sample->error <= clock_aged(kept, sample->at))
        *kept = *sample;
}

/* The distance between a sample and the last one, if it exceeds what their errors allow; else 0. */
static int64_t clock_contradiction(const struct clock_sample *last,
                                   const struct clock_sample *sample)
{
    int64_t apart = sample->offset - last->offset;
    int64_t allowed = clock_aged(last, sample->at) + sample->error;
    apart = apart < 0 ? -apart : apart;
    return last->at && apart > allowed ? apart : 0;
}

/* A sample that contradicts the last one replaces it, and its distance stays part of the error. */
void clock_take(struct clock *clock, const struct clock_sample *sample)
{
    if (sample->error < 0)
        return;
    int64_t jump = clock_contradiction(&clock->late, sample);
    if (jump > 0) {
        clock->jumped = jump > clock->jumped ? jump : clock->jumped;
        clock->late = *sample;
    }
    if (clock->samples++ < CLOCK_FIRST)
        clock_keep(&clock->first, sample);
    clock_keep(&clock->late, sample);
}

/* Interpolates between the two samples, but does not extrapolate, as that would increase their
 * errors. */
int64_t clock_own(const struct clock *clock, int64_t other)
{
    const struct clock_sample *first = &clock->first, *late = &clock->late;
    int64_t span = late->at - first->at, own = clock_less(other, first->offset);
    if (span < CLOCK_SPEED)
        return clock_less(other, late->error < first->error ? late->offset : first->offset);
    if (own >= late->at)
        return clock_less(other, late->offset);
    return own <= first->at ? own : other - clock_offset(first, clock_drift(first, late).rate, own);
}

/* The greater error of both samples, and the largest contradiction so far. */
int64_t clock_error(const struct clock *clock, int64_t now)
{
    int64_t late = clock_aged(&clock->late, now), first = clock->first.error;
    return clock->jumped + (late > first ? late : first);
}
