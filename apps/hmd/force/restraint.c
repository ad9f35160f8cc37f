/* restraint.c - NOE and RESD, see restraint.h; MMFP GEO is in restraint_geo.c, CONS RMSD, CONS HARM
 * BESTFIT and RGYR are in restraint_shape.c.  Each kind makes one number r of its atoms; the energy
 * is a function of that, and the forces follow by the chain rule.
 */
#include "restraint.h"

#include <math.h>

#include "system.h"
#include "vec.h"

/* ---- mean distances (NOE) -------------------------------------------------------------------- */

static double noe_soft(const struct restraint_noe *o, double d, double *slope)
{
    double b = (o->fmax - o->kmax * o->soft) * pow(o->soft, o->power + 1) / o->power;
    double a = o->kmax * o->soft * o->soft / 2 - b / pow(o->soft, o->power) - o->fmax * o->soft;
    *slope = o->fmax - o->power * b / pow(d, o->power + 1);
    return a + b / pow(d, o->power) + o->fmax * d;
}

static double noe_at(const struct restraint_noe *o, double r, double *slope)
{
    double d = r < o->rmin ? r - o->rmin : r - o->rmax;
    *slope = 0;
    if (r >= o->rmin && d <= 0)
        return 0;
    double k = r < o->rmin ? o->kmin : o->kmax;
    if (r > o->rmax && o->soft > 0 && d > o->soft)
        return noe_soft(o, d, slope);
    if (r > o->rmax && o->soft <= 0 && k * d > o->fmax) {
        *slope = o->fmax;
        return o->fmax * (d - o->fmax / k / 2);
    }
    *slope = k * d;
    return k * d * d / 2;
}

/* The displacement of pair (i, j) of the two groups; its length. */
static double noe_pair(const struct system *s, const struct restraint *r, const double *x, int i,
                       int j, double d[3])
{
    const int *atom = s->restraint_atom + r->first;
    const double *a = x + 3 * (size_t)atom[i];
    const double *b = r->more[0] ? x + 3 * (size_t)atom[r->count - r->more[0] + j] : r->at;
    for (int k = 0; k < 3; k++)
        d[k] = a[k] - b[k];
    return sqrt(vec_dot(d, d));
}

/* Adds force * d to the first atom of a pair, the opposite to the second. */
static void noe_push(const struct system *s, const struct restraint *r, double *f, int i, int j,
                     double force, const double d[3], double *virial)
{
    const int *atom = s->restraint_atom + r->first;
    vec_add(f + 3 * (size_t)atom[i], force, d);
    if (!r->more[0])
        return;
    vec_add(f + 3 * (size_t)atom[r->count - r->more[0] + j], -force, d);
    for (int k = 0; k < 3; k++)
        virial[k] += force * d[k] * d[k];
}

static double restraint_noe(const struct system *s, const struct restraint *r, const double *x,
                            double *f, double *virial)
{
    const struct restraint_noe *o = &r->u.noe;
    int n = r->count - r->more[0], m = r->more[0] ? r->more[0] : 1, least = 0;
    double sum = 0, nearest = HUGE_VAL, d[3], slope;
    for (int k = 0; k < n * m; k++) {
        double length = noe_pair(s, r, x, k / m, k % m, d);
        sum += pow(length, o->mean);
        if (length < nearest) {
            nearest = length;
            least = k;
        }
    }
    double part = o->sum ? 1 : 1.0 / n / m;
    double mean = o->nearest ? nearest : pow(part * sum, 1 / o->mean);
    double energy = noe_at(o, mean, &slope);
    for (int k = 0; slope != 0 && k < n * m; k++) {
        double length = noe_pair(s, r, x, k / m, k % m, d);
        double rate = o->nearest ? k == least : part * pow(length / mean, o->mean - 1);
        if (length > 0 && rate != 0)
            noe_push(s, r, f, k / m, k % m, -r->scale * slope * rate / length, d, virial);
    }
    return r->scale * energy;
}

/* ---- sums of distances (RESD) ---------------------------------------------------------------- */

static double restraint_sum(const struct system *s, const struct restraint *r, const double *x,
                            double *f, double *virial)
{
    const struct restraint_sum *o = &r->u.sum;
    const int *atom = s->restraint_atom + r->first;
    const double *c = s->restraint_weight + r->first;
    double sum = -o->target, d[3];
    for (int k = 0; k < r->count; k += 2) {
        for (int a = 0; a < 3; a++)
            d[a] = x[3 * (size_t)atom[k] + a] - x[3 * (size_t)atom[k + 1] + a];
        sum += c[k] * pow(sqrt(vec_dot(d, d)), o->power);
    }
    if (o->sign * sum < 0)
        return 0;
    double slope = r->scale * o->force * pow(sum, o->order - 1);
    for (int k = 0; k < r->count; k += 2) {
        for (int a = 0; a < 3; a++)
            d[a] = x[3 * (size_t)atom[k] + a] - x[3 * (size_t)atom[k + 1] + a];
        double r2 = vec_dot(d, d);
        double force = r2 > 0 ? -slope * c[k] * o->power * pow(sqrt(r2), o->power - 2) : 0;
        vec_add(f + 3 * (size_t)atom[k], force, d);
        vec_add(f + 3 * (size_t)atom[k + 1], -force, d);
        for (int a = 0; a < 3; a++)
            virial[a] += force * d[a] * d[a];
    }
    return slope * sum / o->order;
}

double restraint_energy(const struct system *s, const struct restraint *r, const double *x,
                        double *f, double *virial)
{
    if (r->skipped)
        return 0;
    return r->kind == RESTRAINT_NOE     ? restraint_noe(s, r, x, f, virial)
           : r->kind == RESTRAINT_SUM   ? restraint_sum(s, r, x, f, virial)
           : r->kind >= RESTRAINT_SHAPE ? restraint_shape(s, r, x, f, virial)
                                        : restraint_geo(s, r, x, f, virial);
}
