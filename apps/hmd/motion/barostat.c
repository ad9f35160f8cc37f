/* barostat.c - see barostat.h. */
#include "barostat.h"

#include <math.h>

#include "mem.h"
#include "energy_samples.h"
#include "velocity.h"

/* Maximum relative change of a length at a time: a system far from its pressure must not
 * explode. */
static const double barostat_most = 0.003;

/* Returns the first of the axes whose lengths change together with axis k's. */
static int barostat_group(const struct barostat *b, int k)
{
    return b->form == BAROSTAT_AXES ? k : b->form == BAROSTAT_LAYERS && k == 2 ? 2 : 0;
}

/* Each group of axes has one normal deviate, that of its first axis. n thirds of beta belong to n
 * lengths. A form with all axes constant changes nothing (n = 0). */
void barostat_factor(const struct barostat *b, const double pressure[3], double volume,
                     double kelvin, double dt, const double normal[3], double factor[3])
{
    for (int g = 0; g < 3; g++) {
        double n = 0, lacks = 0, part = (double)b->every * dt / b->tau;
        for (int k = 0; k < 3; k++)
            if (barostat_group(b, k) == g && !b->still[k]) {
                n++;
                lacks += b->pref + b->more[k] - pressure[k];
            }
        double beta = b->beta * n / 3;
        double noise = 2 * VELOCITY_KB * kelvin / volume * SAMPLES_ATM * beta * part;
        double grows = n > 0 ? (-beta * lacks / n * part + sqrt(noise) * normal[g]) / n : 0;
        /* A change is limited, as the first pressures may be far off. */
        double by = 1 + fmin(fmax(expm1(grows), -barostat_most), barostat_most);
        for (int k = 0; k < 3; k++)
            if (barostat_group(b, k) == g)
                factor[k] = b->still[k] ? 1 : by;
    }
}

/* Adds change[k] times the centre of mass of each group to its members in v, which begins at atom
 * `first`; marks them in tied[]. shift: vectors that make the group whole, or NULL. Two passes over
 * the pairs of a group: the first one sums each member once, the second moves each once. `tied`
 * counts the passes, because atoms occur in several pairs. */
static void barostat_groups(const struct constrain *c, const double change[3], int first, int last,
                            const double *shift, double *v, unsigned char *tied)
{
    const double *mass = c->s->mass;
    for (int g = 0; g < c->groups; g++) {
        const struct constrain_group *group = &c->group[g];
        double sum[3] = {0, 0, 0}, all = 0;
        /* Only groups that are within the range. */
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
                        v[3 * (i - first) + k] += change[k] * sum[k] / all;
                    else
                        sum[k] +=
                            mass[i] * (v[3 * (i - first) + k] + (shift ? shift[3 * i + k] : 0));
                all += pass ? 0 : mass[i];
            }
    }
}

/* A wrapped atom must move with its molecule's image: x + whole is scaled, and whole is subtracted
 * again in the new box. */
static void barostat_scale(const struct constrain *c, const double factor[3], int first, int last,
                           const double *whole, double *v)
{
    const double change[3] = {factor[0] - 1, factor[1] - 1, factor[2] - 1};
    unsigned char *tied = mem_new((size_t)(last - first), 1);
    barostat_groups(c, change, first, last, whole, v, tied);
    for (int i = 0; i < last - first; i++)
        for (int k = 0; k < 3; k++)
            if (!tied[i])
                v[3 * i + k] *= factor[k];
            else if (whole)
                v[3 * i + k] += -change[k] * whole[3 * i + k];
    mem_free(tied);
}

void barostat_places(const struct constrain *c, const double factor[3], double *x,
                     const double *whole)
{
    barostat_scale(c, factor, 0, c->s->natom, whole, x);
}

/* Moves shrink as the box grows, like momenta. */
void barostat_moves(const struct constrain *c, const double factor[3], int first, int last,
                    double *v)
{
    const double inverse[3] = {1 / factor[0], 1 / factor[1], 1 / factor[2]};
    barostat_scale(c, inverse, first, last, NULL, v);
}
