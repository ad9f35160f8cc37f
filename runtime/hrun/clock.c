/* clock.c - the offset of another host's clock (method: clock.h). */
#include "clock.h"

#define SECOND INT64_C(1000000000)

/* The error that a sample has become by its age. */
static uint64_t clock_aged(const struct clock_sample *sample, uint64_t now)
{
    return sample->error + (now > sample->at ? (now - sample->at) / (SECOND / CLOCK_DRIFT) : 0);
}

/* A sample is replaced when a new one is no worse. */
static void clock_keep(struct clock_sample *kept, const struct clock_sample *sample)
{
    if (kept->at == 0 || sample->error <= clock_aged(kept, sample->at))
        *kept = *sample;
}

void clock_sample(struct clock *clock, uint64_t sent, uint64_t other, uint64_t came)
{
    struct clock_sample sample = {.at = sent + (came - sent) / 2, .error = (came - sent + 1) / 2};
    sample.offset = (int64_t)(other - sample.at);
    if (came < sent)
        return;
    if (clock->samples++ < CLOCK_FIRST)
        clock_keep(&clock->first, &sample);
    clock_keep(&clock->late, &sample);
}

/* offset + rise * (at - first.at) / (late.at - first.at) between the two; a line beyond them would
 * make their errors larger. */
uint64_t clock_own(const struct clock *clock, uint64_t other)
{
    int64_t span = (int64_t)(clock->late.at - clock->first.at);
    int64_t offset = clock->first.offset, rise = clock->late.offset - offset;
    int64_t since = (int64_t)(other - (uint64_t)offset - clock->first.at);
    if (span < SECOND) /* too short to tell speeds apart */
        offset = clock->late.error < clock->first.error ? clock->late.offset : offset;
    else if (since >= span)
        offset = clock->late.offset;
    else if (since > 0)
        offset += (int64_t)((double)rise * (double)since / (double)span);
    return other - (uint64_t)offset;
}

uint64_t clock_error(const struct clock *clock, uint64_t now)
{
    uint64_t late = clock_aged(&clock->late, now);
    return late > clock->first.error ? late : clock->first.error;
}
