/* fit.c - least squares of relative errors.
 *
 * Times span four orders of magnitude from 1 B to 1 MB, so plain least squares would only fit the
 * largest.  Dividing each equation a + b m = t by t gives all sizes the same weight.  If the best
 * line has a negative coefficient, the best line without that coefficient is used.
 *
 * A line with a bend has one more unknown, the cost of the first bytes.  The normal equations are
 * solved for each possible bend: a packet's end, and powers of two.  The best bend is used if it is
 * far better than none.  Cost: O(bends * points).
 */
#include "derive/fit.h"
#include "thresholds.h"

#include <math.h>
#include <stdbool.h>

struct sums {
    double ww, wm, mm, w, m; /* with w = 1/t and m' = m/t: sums of products, and of products with
                                the right side 1 */
};

static double error_of(const struct fit_point *point, int n, double a, double b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double relative = (a + b * (double)point[i].bytes) / (double)point[i].ns - 1;
        sum += relative * relative;
    }
    return sqrt(sum / n);
}

/* The sums of the normal equations, each equation divided by its time. */
static struct sums add_up(const struct fit_point *point, int n)
{
    struct sums s = {0};
    for (int i = 0; i < n; i++) {
        double w = 1 / (double)point[i].ns, m = (double)point[i].bytes * w;
        s.ww += w * w;
        s.wm += w * m;
        s.mm += m * m;
        s.w += w;
        s.m += m;
    }
    return s;
}

double fit_time(const struct fit_line *line, int64_t bytes)
{
    int64_t first = bytes < line->first_bytes ? bytes : line->first_bytes;
    return (double)line->constant / 1e3 + (double)line->first_per_byte / 1e6 * (double)first +
           (double)line->per_byte / 1e6 * (double)(bytes - first);
}

struct fit_line fit_points(const struct fit_point *point, int n)
{
    struct sums s = add_up(point, n);
    double determinant = s.ww * s.mm - s.wm * s.wm;
    double a = s.w / s.ww, b = 0;                     /* the best constant */
    if (n > 1 && determinant > 1e-12 * s.ww * s.mm) { /* else all sizes are (nearly) equal */
        a = (s.w * s.mm - s.m * s.wm) / determinant;
        b = (s.m * s.ww - s.w * s.wm) / determinant;
    }
    /* The best line with both coefficients at least 0 is this one, or one without the negative
     * coefficient.  Both cannot be negative, because all times are positive. */
    if (a < 0)
        a = 0, b = s.m / s.mm;
    if (b < 0)
        a = s.w / s.ww, b = 0;
    struct fit_line line = {.residual = error_of(point, n, a, b)};
    line.constant = (hn_time)llround(fmin(a * 1e3, (double)HN_TIME_MOST));
    line.per_byte = (hn_per_byte)llround(fmin(b * 1e6, (double)HN_PER_BYTE_MOST));
    return line;
}

/* ---- with a bend -------------------------------------------------------------------------- */

enum { UNKNOWNS = 3 }; /* the constant, and the slopes before and after the bend */

static struct fit_line line_of(const double x[UNKNOWNS], int64_t bend)
{
    return (struct fit_line){
        .constant = (hn_time)llround(fmin(x[0] * 1e3, (double)HN_TIME_MOST)),
        .first_bytes = bend,
        .first_per_byte = (hn_per_byte)llround(fmin(x[1] * 1e6, (double)HN_PER_BYTE_MOST)),
        .per_byte = (hn_per_byte)llround(fmin(x[2] * 1e6, (double)HN_PER_BYTE_MOST))};
}

/* Gaussian elimination of a symmetric positive matrix, right side in the last column; false: it is
 * singular. */
static bool solve(double a[UNKNOWNS][UNKNOWNS + 1], double x[UNKNOWNS])
{
    for (int k = 0; k < UNKNOWNS; k++) {
        if (!(a[k][k] > 1e-20))
            return false;
        for (int i = k + 1; i < UNKNOWNS; i++)
            for (int j = UNKNOWNS; j >= k; j--)
                a[i][j] -= a[k][j] * a[i][k] / a[k][k];
    }
    for (int k = UNKNOWNS - 1; k >= 0; k--) {
        x[k] = a[k][UNKNOWNS];
        for (int j = k + 1; j < UNKNOWNS; j++)
            x[k] -= a[k][j] * x[j];
        x[k] /= a[k][k];
    }
    return true;
}

/* Fits the best line with a bend there; false: a coefficient would be negative.  Columns are scaled
 * to milliseconds and kilobytes, so that the matrix is well conditioned. */
static bool bend_at(const struct fit_point *point, int n, int64_t bend, struct fit_line *line)
{
    double a[UNKNOWNS][UNKNOWNS + 1] = {{0}}, x[UNKNOWNS];
    for (int p = 0; p < n; p++) {
        int64_t first = point[p].bytes < bend ? point[p].bytes : bend;
        double time = (double)point[p].ns;
        /* One equation for each point, divided by its time; products of all pairs of columns are
         * the normal equations. */
        double row[UNKNOWNS + 1] = {1e3 / time, (double)first * 1e3 / time,
                                    (double)(point[p].bytes - first) * 1e3 / time, 1};
        for (int i = 0; i < UNKNOWNS; i++)
            for (int j = 0; j <= UNKNOWNS; j++)
                a[i][j] += row[i] * row[j];
    }
    if (!solve(a, x))
        return false;
    for (int i = 0; i < UNKNOWNS; i++)
        if (!((x[i] *= 1e3) >= 0))
            return false;
    *line = line_of(x, bend);
    double sum = 0;
    for (int p = 0; p < n; p++) {
        double relative = fit_time(line, point[p].bytes) / (double)point[p].ns - 1;
        sum += relative * relative;
    }
    line->residual = sqrt(sum / n);
    return true;
}

/* Two points on either side of the bend determine both slopes. */
static bool shows_both(const struct fit_point *point, int n, int64_t bend)
{
    return n > UNKNOWNS && point[1].bytes <= bend && point[n - 1].bytes > bend;
}

/* Only few bends are tried, because a search among all sizes would follow noise.  Packets of
 * Ethernet end at PACKET_BYTES, and token buckets have a power of two.  A straight line within the
 * noise is kept, and so is one that a bend would improve only a little: three unknowns always fit
 * better than two. */
struct fit_line fit_bent(const struct fit_point *point, int n)
{
    struct fit_line best = fit_points(point, n), line;
    double limit = best.residual < BEND_NEEDLESS ? 0 : BEND_BETTER * best.residual;
    for (int64_t bend = PACKET_BYTES; n > 1 && bend < point[n - 1].bytes;
         bend = bend == PACKET_BYTES ? 2048 : 2 * bend)
        if (shows_both(point, n, bend) && bend_at(point, n, bend, &line) && line.residual < limit &&
            line.residual < best.residual)
            best = line;
    return best;
}
