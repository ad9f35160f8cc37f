/* series_correlate.c - CORREL's CORFUN: correlation functions, term by term as correl.doc defines
 * them.  C(t) is a mean over all pairs of times that are t apart. */
#include <math.h>

#include "series.h"

/* What the numbers of two times come to. */
static double correlate_pair(const struct series *a, const struct series *b, long i, long j,
                             const struct series_correlation *c)
{
    double sum = 0;
    for (int k = 0; k < a->vector; k++) {
        double p = a[k].v[i], q = b[k].v[j];
        sum += c->difference ? (p - q) * (p - q) : p * q;
    }
    return c->second ? (3 * sum * sum - 1) / 2 : sum;
}

static double correlate_mean_square(const struct series *a)
{
    double sum = 0;
    for (int k = 0; k < a->vector; k++)
        for (long i = 0; i < a->n; i++)
            sum += a[k].v[i] * a[k].v[i];
    return sum / (double)a->n;
}

static double correlate_means(const struct series *a, const struct series *b)
{
    double sum = 0;
    for (int k = 0; k < a->vector; k++)
        sum += series_mean(a + k) * series_mean(b + k);
    return sum;
}

/* What makes C(0) of a function with itself 1. */
static double correlate_norm(const struct series *a, const struct series *b, int tail)
{
    double aa = correlate_mean_square(a), bb = correlate_mean_square(b);
    aa -= tail ? correlate_means(a, a) : 0;
    bb -= tail ? correlate_means(b, b) : 0;
    return 1 / sqrt(aa * bb);
}

static long correlate_total(long n)
{
    long total = 1;
    while (4 * total < n)
        total *= 2;
    return total;
}

const char *series_correlate(struct series *to, const struct series *a, const struct series *b,
                             struct series_correlation *c)
{
    long total = c->total > 0 ? c->total : correlate_total(a->n);
    if (a->n < 1 || b->n < 1)
        return "a series has no values yet: TRAJ or READ comes first";
    if (a->n != b->n || a->vector != b->vector)
        return "the two series have different lengths, or numbers of components";
    if (total > a->n)
        return "TOTAL is more than the series have";
    int plain = !c->difference && !c->second;
    double tail = plain && c->tail ? correlate_means(a, b) : 0;
    double norm = plain ? correlate_norm(a, b, c->tail) : 1, factor = c->factor;
    if (factor == 0)
        factor = c->raw || !plain ? 1 : norm;
    c->factor = c->factor == 0 ? norm : c->factor;
    series_length(to, total);
    for (long t = 0; t < total; t++) {
        double sum = 0;
        for (long i = 0; i + t < a->n; i++)
            sum += correlate_pair(a, b, i, i + t, c);
        to->v[t] = factor * (sum / (double)(a->n - t) - tail);
    }
    to->vector = 1;
    to->skip = a->skip;
    to->delta = a->delta;
    to->offset = 0;
    return isfinite(factor) ? NULL : "it cannot be normalised: NONORM";
}
