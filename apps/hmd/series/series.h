/* series.h - time series, as CHARMM's CORREL keeps them (correl.doc): a number for each of n times,
 * a fixed time apart.  A vector is as many series as it has components, one behind the other. */
#ifndef HMD_SERIES_H
#define HMD_SERIES_H

#include <stddef.h>

enum { SERIES_NAME = 5 };

struct series {
    char name[SERIES_NAME];
    int vector; /* so many belong together, from this one on; 0: it belongs to one before */
    long n;
    double *v;
    size_t room;
    long skip;     /* steps from one time to the next ... */
    double delta;  /* ... of so many ps each */
    double offset; /* the first time, ps */
};

/* Makes room for n times; those behind the ones that it has are 0. */
void series_length(struct series *q, long n);
void series_append(struct series *q, double v);
/* Becomes a copy, but for its name and vector. */
void series_copy(struct series *q, const struct series *from);
void series_free(struct series *q);
/* Time of the k-th value, ps. */
double series_time(const struct series *q, long k);
double series_mean(const struct series *q);
/* Root of the mean square of what it differs from its mean by. */
double series_fluctuation(const struct series *q);

/* ---- MANTIME (series_change.c): NULL, or why it cannot be ----------------------------------- */

struct series_rule;
/* The rule of a name in capitals, of which four letters count; NULL: there is none. */
const struct series_rule *series_rule(const char *name);
/* How many numbers stand behind it, at most; so many of them must; whether another series' name
 * does. */
int series_rule_numbers(const struct series_rule *r);
int series_rule_needed(const struct series_rule *r);
int series_rule_other(const struct series_rule *r);
/* Changes a series, or all parts of a vector. */
const char *series_change(struct series *q, const struct series_rule *r, const double *number,
                          int numbers, struct series *other);

/* ---- CORFUN (series_correlate.c) -------------------------------------------------------------
 */

struct series_correlation {
    int difference; /* <(a(0) - b(t))^2> instead of <a(0) b(t)> */
    int second;     /* second Legendre polynomial of a(0) b(t) */
    int tail;       /* less <a><b> */
    int raw;        /* not normalised */
    double factor;  /* what it is multiplied with; 0: 1, or what normalises it */
    long total;     /* times; 0: the power of two below half of the series */
};

/* The correlation function of two series, or vectors, of one length into *to; what it was
 * multiplied with, or would be to normalise it, in c->factor.  Cost: n * total. */
const char *series_correlate(struct series *to, const struct series *a, const struct series *b,
                             struct series_correlation *c);

#endif
