/* series_change.c - CORREL's MANTIME: what is done to a series (correl.doc).  A rule is a row of a
 * table: for one column, for a column and that of another series, or for a vector. */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "series.h"

typedef const char *series_alone(struct series *q, const double *number);
typedef const char *series_two(struct series *q, struct series *other, const double *number);

struct series_rule {
    const char *name;
    int numbers, needed;
    series_alone *column;
    series_two *both, *vector; /* of columns; of all of a vector at once */
    double number[3];          /* where none are given */
};

/* ---- each number by itself ------------------------------------------------------------------- */

static const double series_degree = M_PI / 180;

static const char *rule_square(struct series *q, const double *number)
{
    (void)number;
    for (long k = 0; k < q->n; k++)
        q->v[k] *= q->v[k];
    return NULL;
}

static const char *rule_cos(struct series *q, const double *number)
{
    (void)number;
    for (long k = 0; k < q->n; k++)
        q->v[k] = cos(q->v[k] * series_degree);
    return NULL;
}

static const char *rule_acos(struct series *q, const double *number)
{
    (void)number;
    for (long k = 0; k < q->n; k++)
        q->v[k] = acos(q->v[k]) / series_degree;
    return NULL;
}

static const char *rule_cos2(struct series *q, const double *number)
{
    rule_cos(q, number);
    for (long k = 0; k < q->n; k++)
        q->v[k] = 3 * q->v[k] * q->v[k] - 1;
    return NULL;
}

static const char *rule_sqrt(struct series *q, const double *number)
{
    (void)number;
    for (long k = 0; k < q->n; k++)
        q->v[k] = q->v[k] < 0 ? -sqrt(-q->v[k]) : sqrt(q->v[k]);
    return NULL;
}

static const char *rule_log(struct series *q, const double *number)
{
    (void)number;
    for (long k = 0; k < q->n; k++)
        q->v[k] = log(q->v[k]);
    return NULL;
}

static const char *rule_exp(struct series *q, const double *number)
{
    (void)number;
    for (long k = 0; k < q->n; k++)
        q->v[k] = exp(q->v[k]);
    return NULL;
}

static const char *rule_power(struct series *q, const double *number)
{
    for (long k = 0; k < q->n; k++)
        q->v[k] = pow(q->v[k], number[0]);
    return number[0] == rint(number[0]) ? NULL : "expected a whole number";
}

static const char *rule_multiply(struct series *q, const double *number)
{
    for (long k = 0; k < q->n; k++)
        q->v[k] *= number[0];
    return NULL;
}

static const char *rule_divide(struct series *q, const double *number)
{
    for (long k = 0; k < q->n; k++)
        q->v[k] /= number[0];
    return NULL;
}

static const char *rule_shift(struct series *q, const double *number)
{
    for (long k = 0; k < q->n; k++)
        q->v[k] += number[0];
    return NULL;
}

static const char *rule_abs(struct series *q, const double *number)
{
    (void)number;
    for (long k = 0; k < q->n; k++)
        q->v[k] = fabs(q->v[k]);
    return NULL;
}

static const char *rule_zero(struct series *q, const double *number)
{
    (void)number;
    for (long k = 0; k < q->n; k++)
        q->v[k] = 0;
    return NULL;
}

static const char *rule_test(struct series *q, const double *number)
{
    for (long k = 0; k < q->n; k++)
        q->v[k] = cos(2 * M_PI * (double)k * number[0] / (double)q->n);
    return NULL;
}

/* ---- against a number of the series ---------------------------------------------------------- */

static const char *rule_less_mean(struct series *q, const double *number)
{
    (void)number;
    const double mean = -series_mean(q);
    return rule_shift(q, &mean);
}

static const char *rule_less_first(struct series *q, const double *number)
{
    (void)number;
    const double first = -q->v[0];
    return rule_shift(q, &first);
}

static const char *rule_less_least(struct series *q, const double *number)
{
    double least = q->v[0];
    (void)number;
    for (long k = 0; k < q->n; k++)
        least = fmin(least, q->v[k]);
    least = -least;
    return rule_shift(q, &least);
}

static const char *rule_by_first(struct series *q, const double *number)
{
    (void)number;
    const double first = q->v[0];
    return rule_divide(q, &first);
}

static const char *rule_by_most(struct series *q, const double *number)
{
    double most = 0;
    (void)number;
    for (long k = 0; k < q->n; k++)
        most = fmax(most, fabs(q->v[k]));
    return rule_divide(q, &most);
}

/* ---- along the time -------------------------------------------------------------------------- */

static double series_step(const struct series *q)
{
    return (double)q->skip * q->delta;
}

/* The integral from the first time on, by trapezia. */
static const char *rule_integrate(struct series *q, const double *number)
{
    double sum = 0, before = q->v[0];
    (void)number;
    for (long k = 0; k < q->n; k++) {
        sum += (before + q->v[k]) / 2 * (k ? series_step(q) : 0);
        before = q->v[k];
        q->v[k] = sum;
    }
    return NULL;
}

static const char *rule_derive(struct series *q, const double *number)
{
    (void)number;
    if (q->n < 2)
        return "a derivative takes two times";
    for (long k = 0; k + 1 < q->n; k++)
        q->v[k] = (q->v[k + 1] - q->v[k]) / series_step(q);
    q->v[q->n - 1] = q->v[q->n - 2];
    return NULL;
}

/* The mean of the last numbers up to each; of all of them where their count is not above 0. */
static const char *rule_moving(struct series *q, const double *number)
{
    double *from = mem_new((size_t)q->n, sizeof *from), sum = 0;
    long last = number[0] > 0 ? (long)number[0] : q->n;
    memcpy(from, q->v, (size_t)q->n * sizeof *from);
    for (long k = 0; k < q->n; k++) {
        sum += from[k] - (k < last ? 0 : from[k - last]);
        q->v[k] = sum / (double)(k < last ? k + 1 : last);
    }
    mem_free(from);
    return NULL;
}

/* Means of so many at a time; what is left over at the end goes. */
static const char *rule_average(struct series *q, const double *number)
{
    long each = (long)number[0];
    if (each < 1 || each > q->n)
        return "expected a number from 1 to that of the times";
    for (long k = 0; k < q->n / each; k++) {
        double sum = 0;
        for (long i = 0; i < each; i++)
            sum += q->v[k * each + i];
        q->v[k] = sum / (double)each;
    }
    q->n /= each;
    q->skip *= each;
    return NULL;
}

/* Less the mean of so many at a time. */
static const char *rule_less_means(struct series *q, const double *number)
{
    long each = (long)number[0];
    if (each < 1)
        return "expected a number from 1 on";
    for (long k = 0; k < q->n; k += each) {
        long n = k + each < q->n ? each : q->n - k;
        double sum = 0;
        for (long i = 0; i < n; i++)
            sum += q->v[k + i];
        for (long i = 0; i < n; i++)
            q->v[k + i] -= sum / (double)n;
    }
    return NULL;
}

/* Adds multiples of twice the number so that no jump is longer than it: angles beyond 180 degrees.
 */
static const char *rule_continuous(struct series *q, const double *number)
{
    double period = 2 * number[0];
    if (!(period > 0))
        return "expected a number above 0";
    for (long k = 1; k < q->n; k++)
        q->v[k] -= period * rint((q->v[k] - q->v[k - 1]) / period);
    return NULL;
}

/* The parts of all numbers that are in each of so many equal bins. */
static const char *rule_histogram(struct series *q, const double *number)
{
    long bins = (long)number[2], all = q->n;
    double width = (number[1] - number[0]) / number[2];
    if (bins < 1 || !(width > 0))
        return "expected the least, the most and how many bins";
    double *part = mem_new((size_t)bins, sizeof *part);
    for (long k = 0; k < all; k++) {
        double at = floor((q->v[k] - number[0]) / width);
        if (at >= 0 && at < (double)bins)
            part[(long)at] += 1 / (double)all;
    }
    series_length(q, bins);
    memcpy(q->v, part, (size_t)bins * sizeof *part);
    mem_free(part);
    q->skip = 1;
    q->delta = width;
    q->offset = number[0] + width / 2;
    return NULL;
}

/* ---- with another series --------------------------------------------------------------------- */

static const char *rule_add(struct series *q, struct series *other, const double *number)
{
    (void)number;
    for (long k = 0; k < q->n; k++)
        q->v[k] += other->v[k];
    return NULL;
}

static const char *rule_ratio(struct series *q, struct series *other, const double *number)
{
    (void)number;
    for (long k = 0; k < q->n; k++)
        q->v[k] /= other->v[k];
    return NULL;
}

static const char *rule_product(struct series *q, struct series *other, const double *number)
{
    (void)number;
    for (long k = 0; k < q->n; k++)
        q->v[k] *= other->v[k];
    return NULL;
}

/* COPY name [FIRST] [LAST], counted from 1. */
static const char *rule_copy(struct series *q, struct series *other, const double *number)
{
    long first = number[0] > 0 ? (long)number[0] : 1;
    long last = number[1] > 0 ? (long)number[1] : other->n;
    if (first > last || last > other->n)
        return "the other series has no such part";
    if (q == other)
        return NULL;
    series_copy(q, other);
    memmove(q->v, q->v + first - 1, (size_t)(last - first + 1) * sizeof *q->v);
    q->n = last - first + 1;
    q->offset = series_time(other, first - 1);
    return NULL;
}

/* ---- vectors --------------------------------------------------------------------------------- */

static const char *rule_normal(struct series *q, struct series *other, const double *number)
{
    (void)other, (void)number;
    for (long k = 0; k < q->n; k++) {
        double sum = 0;
        for (int c = 0; c < q->vector; c++)
            sum += q[c].v[k] * q[c].v[k];
        for (int c = 0; c < q->vector; c++)
            q[c].v[k] /= sqrt(sum);
    }
    return NULL;
}

static const char series_three[] = "this is for vectors of three components";

static const char *rule_cross(struct series *q, struct series *other, const double *number)
{
    (void)number;
    if (q->vector != 3 || other->vector != 3)
        return series_three;
    for (long k = 0; k < q->n; k++) {
        double v[3];
        for (int c = 0; c < 3; c++) {
            int d = (c + 1) % 3, e = (c + 2) % 3;
            v[c] = q[d].v[k] * other[e].v[k] - q[e].v[k] * other[d].v[k];
        }
        for (int c = 0; c < 3; c++)
            q[c].v[k] = v[c];
    }
    return NULL;
}

/* The product into the first component, the angle between the two into that of the other vector. */
static const char *rule_dot(struct series *q, struct series *other, const double *number)
{
    (void)number;
    if (q->vector != 3 || other->vector != 3)
        return series_three;
    for (long k = 0; k < q->n; k++) {
        double dot = 0, a = 0, b = 0;
        for (int c = 0; c < 3; c++) {
            dot += q[c].v[k] * other[c].v[k];
            a += q[c].v[k] * q[c].v[k];
            b += other[c].v[k] * other[c].v[k];
        }
        q->v[k] = dot;
        other->v[k] = acos(fmax(-1, fmin(1, dot / sqrt(a * b)))) / series_degree;
    }
    return NULL;
}

/* ---- the rules ------------------------------------------------------------------------------- */

static const struct series_rule series_rules[] = {
    {"DAVERAGE", 0, 0, .column = rule_less_mean},
    {"NORMAL", 0, 0, .vector = rule_normal},
    {"SQUARE", 0, 0, .column = rule_square},
    {"COS", 0, 0, .column = rule_cos},
    {"ACOS", 0, 0, .column = rule_acos},
    {"COS2", 0, 0, .column = rule_cos2},
    {"AVERAGE", 1, 1, .column = rule_average},
    {"SQRT", 0, 0, .column = rule_sqrt},
    {"DINITIAL", 0, 0, .column = rule_less_first},
    {"DELN", 1, 1, .column = rule_less_means},
    {"COPY", 2, 0, .both = rule_copy},
    {"ADD", 0, 0, .both = rule_add},
    {"RATIO", 0, 0, .both = rule_ratio},
    {"KMULTIPLY", 0, 0, .both = rule_product},
    {"DOTPRODUCT", 0, 0, .vector = rule_dot},
    {"CROSPRODUCT", 0, 0, .vector = rule_cross},
    {"HISTOGRAM", 3, 3, .column = rule_histogram},
    {"CONTINUOUS", 1, 0, .column = rule_continuous, .number = {180}},
    {"LOG", 0, 0, .column = rule_log},
    {"EXP", 0, 0, .column = rule_exp},
    {"IPOWER", 1, 1, .column = rule_power},
    {"MULTIPLY", 1, 1, .column = rule_multiply},
    {"DIVIDE", 1, 1, .column = rule_divide},
    {"SHIFT", 1, 1, .column = rule_shift},
    {"DMIN", 0, 0, .column = rule_less_least},
    {"ABS", 0, 0, .column = rule_abs},
    {"DIVFIRST", 0, 0, .column = rule_by_first},
    {"DIVMAXIMUM", 0, 0, .column = rule_by_most},
    {"INTEGRATE", 0, 0, .column = rule_integrate},
    {"MOVING", 1, 1, .column = rule_moving},
    {"TEST", 1, 1, .column = rule_test},
    {"ZERO", 0, 0, .column = rule_zero},
    {"DERIVATIVE", 0, 0, .column = rule_derive}};

const struct series_rule *series_rule(const char *name)
{
    for (size_t k = 0; k < sizeof series_rules / sizeof *series_rules; k++) {
        const char *own = series_rules[k].name;
        if (strlen(own) < 4 ? !strcmp(own, name) : !strncmp(own, name, 4))
            return &series_rules[k];
    }
    return NULL;
}

int series_rule_numbers(const struct series_rule *r)
{
    return r->numbers;
}

int series_rule_needed(const struct series_rule *r)
{
    return r->needed;
}

int series_rule_other(const struct series_rule *r)
{
    return r->both || r->vector == rule_dot || r->vector == rule_cross;
}

/* Whether all parts are as long as the first, and their numbers are some. */
static const char *series_sound(const struct series *q)
{
    for (int c = 0; c < q->vector; c++) {
        if (q[c].n != q->n)
            return "its parts have different lengths";
        for (long k = 0; k < q[c].n; k++)
            if (!isfinite(q[c].v[k]))
                return "the outcome is no finite number everywhere";
    }
    return NULL;
}

const char *series_change(struct series *q, const struct series_rule *r, const double *number,
                          int numbers, struct series *other)
{
    double v[3];
    const char *why = series_sound(q);
    for (int k = 0; k < 3; k++)
        v[k] = k < numbers ? number[k] : r->number[k];
    if (!why && q->n == 0 && r->both != rule_copy)
        why = "it has no values yet: TRAJ or READ comes first";
    if (!why && other && other->n != q->n && r->both != rule_copy)
        why = "the other series has another number of times";
    if (!why && other && r->both && other->vector != q->vector)
        why = "the other one has another number of components";
    if (!why && r->vector)
        why = r->vector(q, other, v);
    for (int c = 0; !why && !r->vector && c < q->vector; c++)
        why = r->both ? r->both(q + c, other + c, v) : r->column(q + c, v);
    return why ? why : series_sound(q);
}
