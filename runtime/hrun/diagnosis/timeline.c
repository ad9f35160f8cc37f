/* timeline.c - the function from a host's clock to hrun's (rules: timeline.h). */
#include "hrun/diagnosis/timeline.h"

#include "base/array.h"

#include <stdlib.h>

/* A sample says which times of both clocks belong together. */
static struct timeline_point point_of(const struct clock_sample *sample)
{
    return (struct timeline_point){sample->at + sample->offset, sample->at};
}

/* Interpolates between two points; b is after a. Both coordinates of b are not less than those of
 * a, so the result ascends. */
static int64_t between(struct timeline_point a, struct timeline_point b, int64_t other)
{
    double part = (double)(other - a.other) / (double)(b.other - a.other);
    return a.own + (int64_t)(part * (double)(b.own - a.own) + 0.5);
}

/* Without more information, both clocks have the same speed.  Wraps around, because a record may
 * contain any time. Subtractions of unsigned numbers are defined for any values. */
static int64_t beside(struct timeline_point a, int64_t other)
{
    return (int64_t)((uint64_t)a.own + ((uint64_t)other - (uint64_t)a.other));
}

/* Whether the latest sample is after the fixed part; *news.  The function never decreases. A sample
 * whose own time would go back is moved to the last one. */
static bool has_news(const struct timeline *line, struct timeline_point *news)
{
    const struct timeline_point last = line->point[line->count - 1];
    *news = point_of(&line->clock.late);
    if (news->own < last.own)
        news->own = last.own;
    return news->other > last.other;
}

/* The value after the fixed part. It may still change when the next sample arrives, as it has not
 * been used. */
static int64_t ahead(const struct timeline *line, int64_t other)
{
    struct timeline_point news, last = line->point[line->count - 1];
    if (!has_news(line, &news))
        return beside(last, other);
    return other < news.other ? between(last, news, other) : beside(news, other);
}

/* Before the first point both clocks run at the same speed.  Between points a binary search, O(log
 * n). Without any point the current estimate is used, and nothing is fixed. */
int64_t timeline_own(const struct timeline *line, int64_t other)
{
    size_t low = 0, high = line->count;
    if (high == 0)
        return clock_own(&line->clock, other);
    if (other <= line->point[0].other)
        return beside(line->point[0], other);
    if (other >= line->point[high - 1].other)
        return ahead(line, other);
    while (high - low > 1) { /* point[low] is not after `other`; point[high], if any, is */
        size_t middle = low + (high - low) / 2;
        if (line->point[middle].other <= other)
            low = middle;
        else
            high = middle;
    }
    return between(line->point[low], line->point[low + 1], other);
}

/* Whether the last two points have the same offset: then the last one may be moved. Then the last
 * two pieces are one straight line. */
static bool ends_beside(const struct timeline *line)
{
    const struct timeline_point *p = line->point + line->count;
    return line->count > 1 && p[-1].other - p[-2].other == p[-1].own - p[-2].own;
}

/* Sets the first point from the current estimate: its first sample, or the better one if both are
 * too close to yield a drift. CLOCK_SPEED: the least distance of two samples for a drift. */
static void begin(struct timeline *line)
{
    const struct clock_sample *first = &line->clock.first, *late = &line->clock.late;
    bool close = late->at - first->at < CLOCK_SPEED;
    line->point[line->count++] = point_of(close && late->error < first->error ? late : first);
}

/* Adds at most three points: the first, the latest sample, and the end of the fixed part. If memory
 * is short, nothing is fixed, and later conversions may differ. */
void timeline_use(struct timeline *line, int64_t other, int64_t now)
{
    struct timeline_point news, end = {other, 0};
    int64_t error = clock_error(&line->clock, now);
    if (line->clock.samples == 0 || other < 0 || other > CLOCK_MOST ||
        !ARRAY_ROOM(line->point, line->count + 3)) /* at most so many are added below */
        return;
    line->error = error > line->error ? error : line->error;
    if (line->count == 0)
        begin(line);
    if (end.other <= line->point[line->count - 1].other)
        return;
    end.own = ahead(line, end.other);
    if (has_news(line, &news) && news.other < end.other)
        line->point[line->count++] = news;
    else if (!has_news(line, &news) && ends_beside(line))
        line->count--;
    line->point[line->count++] = end;
}

/* The error of an unused estimate does not count. */
int64_t timeline_error(const struct timeline *line, int64_t now)
{
    int64_t error = clock_error(&line->clock, now);
    return error > line->error ? error : line->error;
}

void timeline_free(struct timeline *line)
{
    free(line->point);
}
