/* series.c - see series.h. */
#include "series.h"

#include <math.h>
#include <string.h>

#include "mem.h"

void series_length(struct series *q, long n)
{
    size_t had = q->room;
    mem_grow(&q->v, &q->room, (size_t)n, sizeof *q->v);
    if (q->room > had)
        memset(q->v + had, 0, (q->room - had) * sizeof *q->v);
    q->n = n;
}

void series_append(struct series *q, double v)
{
    series_length(q, q->n + 1);
    q->v[q->n - 1] = v;
}

void series_copy(struct series *q, const struct series *from)
{
    series_length(q, from->n);
    memcpy(q->v, from->v, (size_t)from->n * sizeof *q->v);
    q->skip = from->skip;
    q->delta = from->delta;
    q->offset = from->offset;
}

void series_free(struct series *q)
{
    mem_free(q->v);
    q->v = NULL;
    q->n = 0;
    q->room = 0;
}

double series_time(const struct series *q, long k)
{
    return q->offset + (double)k * (double)q->skip * q->delta;
}

double series_mean(const struct series *q)
{
    double sum = 0;
    for (long k = 0; k < q->n; k++)
        sum += q->v[k];
    return q->n ? sum / (double)q->n : 0;
}

double series_fluctuation(const struct series *q)
{
    double sum = 0, mean = series_mean(q);
    for (long k = 0; k < q->n; k++)
        sum += (q->v[k] - mean) * (q->v[k] - mean);
    return q->n ? sqrt(sum / (double)q->n) : 0;
}
