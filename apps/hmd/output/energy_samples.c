/* energy_samples.c - see energy_samples.h. */
#include "energy_samples.h"

#include <math.h>
#include <string.h>

#include "mem.h"

/* Ends the task if there is no memory (mem.h). */
void samples_add(struct samples *s, const struct sample *sample)
{
    *(struct sample *)mem_add(&s->at, s->n++, sizeof *s->at) = *sample;
}

/* Also of an empty list. */
void samples_free(struct samples *s)
{
    mem_free(s->at);
    memset(s, 0, sizeof *s);
}

/* SAMPLES_REST: numbers besides the terms. In the order of samples_columns(). */
enum { SAMPLES_REST = 12, SAMPLES_COLUMNS = ENERGY_TERMS + SAMPLES_REST };

/* A sample's numbers as columns, for operations on all of them. */
static void samples_columns(struct sample *s, double *column[SAMPLES_COLUMNS])
{
    for (int k = 0; k < ENERGY_TERMS; k++)
        column[k] = &s->term[k];
    double *rest[SAMPLES_REST] = {&s->ener,   &s->totk,    &s->tote,     &s->conserved,
                                  &s->temp,   &s->virial,  &s->pressure, &s->grms,
                                  &s->volume, &s->axis[0], &s->axis[1],  &s->axis[2]};
    memcpy(column + ENERGY_TERMS, rest, sizeof rest);
}

/* Two passes: the mean is updated incrementally, which loses no digits, then the squares of the
 * deviations are summed. O(samples * columns). */
void samples_mean(const struct samples *s, struct sample *mean, struct sample *fluctuation)
{
    double *m[SAMPLES_COLUMNS], *f[SAMPLES_COLUMNS], *v[SAMPLES_COLUMNS];
    memset(mean, 0, sizeof *mean);
    memset(fluctuation, 0, sizeof *fluctuation);
    samples_columns(mean, m);
    samples_columns(fluctuation, f);
    /* Pass 0 makes the means, pass 1 needs them complete. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < s->n; i++) {
            struct sample one = s->at[i];
            samples_columns(&one, v);
            for (int k = 0; k < SAMPLES_COLUMNS; k++) {
                double d = *v[k] - *m[k];
                if (pass)
                    *f[k] += d * d / (double)s->n;
            }
            for (int k = 0; k < SAMPLES_COLUMNS && !pass; k++)
                /* The running mean. */
                *m[k] += (*v[k] - *m[k]) / (double)(i + 1);
        }
    for (int k = 0; k < SAMPLES_COLUMNS; k++)
        *f[k] = sqrt(*f[k]);
}

/* A drift over a short time is not meaningful. */
int samples_drift_known(const struct samples *s)
{
    return s->n > 2 && s->at[s->n - 1].time - s->at[0].time >= SAMPLES_LEAST_PS * (1 - 1e-9);
}

/* sum of dt de / sum of dt^2, both about their means. Time and energy are taken from their means
 * first, so that large constants do not cost digits. */
double samples_drift(const struct samples *s)
{
    double t = 0, e = 0, te = 0, tt = 0;
    for (size_t i = 0; i < s->n; i++) {
        t += s->at[i].time / (double)s->n;
        e += s->at[i].conserved / (double)s->n;
    }
    for (size_t i = 0; i < s->n; i++) {
        double dt = s->at[i].time - t;
        te += dt * (s->at[i].conserved - e);
        tt += dt * dt;
    }
    /* All at one time: no slope. */
    return tt > 0 ? te / tt : 0;
}
