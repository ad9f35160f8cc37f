/* fit.c - least squares of relative errors.
 *
 * Times go over four orders of magnitude between 1 B and 1 MB; plain least squares would fit the
 * largest alone.  Dividing each equation a + b m = t by t makes all sizes count alike.  Where the
 * best line has a negative part, the best line without that part is taken.
 */
#include "fit.h"

#include <math.h>

struct sums {
    double ww, wm, mm, w, m; /* of w = 1/t and of m/t: products, and with the right side 1 */
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

struct fit_line fit_points(const struct fit_point *point, int n)
{
    struct sums s = add_up(point, n);
    double determinant = s.ww * s.mm - s.wm * s.wm;
    double a = s.w / s.ww, b = 0; /* the best constant */
    if (n > 1 && determinant > 1e-12 * s.ww * s.mm) {
        a = (s.w * s.mm - s.m * s.wm) / determinant;
        b = (s.m * s.ww - s.w * s.wm) / determinant;
    }
    if (a < 0)
        a = 0, b = s.m / s.mm;
    if (b < 0)
        a = s.w / s.ww, b = 0;
    struct fit_line line = {.residual = error_of(point, n, a, b)};
    line.constant = (hn_time)llround(fmin(a * 1e3, (double)HN_TIME_MOST));
    line.per_byte = (hn_per_byte)llround(fmin(b * 1e6, (double)HN_PER_BYTE_MOST));
    return line;
}
