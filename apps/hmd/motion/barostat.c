/* barostat.c - see barostat.h. */
#include "barostat.h"

#include <math.h>

#include "mem.h"
#include "samples.h"
#include "velocity.h"

static const double barostat_most = 0.003;

double barostat_factor(const struct barostat *b, double pressure, double volume, double kelvin,
                       double dt, double normal)
{
    double part = (double)b->every * dt / b->tau;
    double noise = 2 * VELOCITY_KB * kelvin / volume * SAMPLES_ATM * b->beta * part;
    double grows = -b->beta * (b->pref - pressure) * part + sqrt(noise) * normal;
    return 1 + fmin(fmax(expm1(grows / 3), -barostat_most), barostat_most);
}

/* Adds `change` times the centre of mass of each group to its members in v, which begins at atom
 * `first`; tied[] marks them.  shift: what makes the group whole, or NULL. */
static void barostat_groups(const struct constrain *c, double change, int first, int last,
                            const double *shift, double *v, unsigned char *tied)
{
    const double *mass = c->s->mass;
    for (int g = 0; g < c->groups; g++) {
        const struct constrain_group *group = &c->group[g];
        double sum[3] = {0, 0, 0}, all = 0;
        if (group->low < first || group->high >= last)
            continue;
        for (int pass = 0; pass < 2; pass++)
            for (int p = 2 * group->first; p < 2 * (group->first + group->pairs); p++) {
                const struct constrain_pair *pair = &c->pair[p / 2];
                int i = p % 2 ? pair->j : pair->i;
                if (tied[i - first] > pass)
                    continue;
                tied[i - first]++;
                for (int k = 0; k < 3; k++)
                    if (pass)
                        v[3 * (i - first) + k] += change * sum[k] / all;
                    else
                        sum[k] +=
                            mass[i] * (v[3 * (i - first) + k] + (shift ? shift[3 * i + k] : 0));
                all += pass ? 0 : mass[i];
            }
    }
}

static void barostat_scale(const struct constrain *c, double factor, int first, int last,
                           const double *whole, double *v)
{
    unsigned char *tied = mem_new((size_t)(last - first), 1);
    barostat_groups(c, factor - 1, first, last, whole, v, tied);
    for (int i = 0; i < last - first; i++)
        for (int k = 0; k < 3; k++)
            if (!tied[i])
                v[3 * i + k] *= factor;
            else if (whole)
                v[3 * i + k] += (1 - factor) * whole[3 * i + k];
    mem_free(tied);
}

void barostat_places(const struct constrain *c, double factor, double *x, const double *whole)
{
    barostat_scale(c, factor, 0, c->s->natom, whole, x);
}

void barostat_moves(const struct constrain *c, double factor, int first, int last, double *v)
{
    barostat_scale(c, 1 / factor, first, last, NULL, v);
}
