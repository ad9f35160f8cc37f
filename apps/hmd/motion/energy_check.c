/* energy_check.c - see energy_check.h. */
#include "energy_check.h"

#include <math.h>

/* CHARMM compares energies from the third step of a run on: with strained initial coordinates, the
 * first two change them however short the step is. */
enum { CHECK_SETTLING = 2 };

void energy_check_begin(struct energy_check *c, long step)
{
    c->begin = step;
    c->compared = -1;
}

int energy_check_regular(const struct energy_check *c, long n)
{
    return c->limit > 0 && n % c->every == 0;
}

/* Also CHECK_SETTLING steps after the start. */
int energy_check_due(const struct energy_check *c, long n)
{
    return c->limit > 0 && (n % c->every == 0 || n == c->begin + CHECK_SETTLING);
}

/* After velocities were assigned or scaled, the total energy may differ. */
void energy_check_forget(struct energy_check *c)
{
    c->compared = -1;
}

/* The allowed change of the total energy since the last check, kcal/mol.  Steps without energies
 * lie in between: the mean change per step is compared, which is too large only if that of one of
 * them is.  The first steps may change it up to a limit that would make all motion wrong. */
static double check_limit(const struct energy_check *c, const struct sample *s)
{
    long steps = s->step - c->compared;
    double kinetic = steps > 1 ? fmin(c->kinetic, s->totk) : s->totk;
    if (s->step <= c->begin + CHECK_SETTLING)
        return fmax(c->limit, 0.5 * s->totk);
    return (double)steps * fmax(c->limit, 0.1 * kinetic);
}

/* Samples in the settling steps are ignored, but the first one of the run is recorded, to be
 * compared with the third. */
int energy_check(struct energy_check *c, const struct sample *s, struct err *e)
{
    double before = c->level, change = fabs(s->conserved - before), most = check_limit(c, s);
    long steps = s->step - c->compared;
    int compares = c->compared >= 0;
    if (c->limit <= 0 || (s->step > c->begin && s->step < c->begin + CHECK_SETTLING))
        return 0;
    c->compared = s->step;
    c->level = s->conserved;
    c->kinetic = s->totk;
    if (!compares || change <= most)
        return 0;
    return err_set(e, ERR_RUN,
                   "step %ld: the total energy has changed from %.6g to %.6g kcal/mol in %ld "
                   "step%s, by more than ECHECK %g and a tenth of the kinetic energy in a step: is "
                   "the time step too long, or do atoms overlap? (ECHECK 0 turns this off)",
                   s->step, before, s->conserved, steps, steps > 1 ? "s" : "", c->limit);
}
