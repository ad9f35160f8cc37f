/* minimise.c - see minimise.h.
 *
 * SD, steepest descent: along the forces; the atom that moves farthest moves by `step`.  The step
 * grows by a fifth while the energy falls, and is halved when it rises (the move is undone).
 * Resolves any clash, but is slow at the end.
 *
 * CONJ, conjugate gradients: directions by Polak & Ribiere (Rev.  Fr.  Inform.  Rech.  Oper. 3, 35
 * (1969)), restarted when one does not lead downhill.  Along each direction the minimum is searched
 * with the slopes at two points (secant), until the slope is a tenth of its initial value.
 *
 * ABNR, adopted-basis Newton-Raphson: abnr.h gives the move, from the last five and the forces.  A
 * move that increases the energy is stored, too, but not made: the curvature that it shows makes
 * the next one shorter.  After three of them all moves are dropped.
 *
 * Constraints: moves are tangential to the surface of correct lengths (forces are projected, and so
 * are directions kept from elsewhere), and SHAKE returns each trial to the surface, which changes
 * it only to second order.  So the slopes along a line, and the curvature seen by ABNR, are those
 * of the energy on the surface, as in Riemannian conjugate gradients (Smith, Fields Inst.  Commun.
 * 3, 113 (1994)).
 *
 * Lone pairs are no variables: they are placed in a copy of the coordinates before energies are
 * computed, and have no forces.
 *
 * Forces and energies are summed over the tasks; afterwards every task computes the same with the
 * same bits.  Cost: one evaluation per step (SD, ABNR), about two (CONJ).
 */
#include "minimise.h"

#include <math.h>
#include <string.h>

#include "abnr.h"
#include "lonepair.h"
#include "mem.h"

/* f, next, y, along and placed are parts of one block of memory. */
struct descent {
    struct minimise *m;
    size_t n;
    double *f, *next;     /* n + ENERGY_NUMBERS each: forces and terms at x, and at a trial */
    double *y, *along;    /* trial coordinates; direction */
    double *placed;       /* the coordinates with lone pairs placed */
    double energy, trial; /* at x, at y */
    double step;          /* Angstrom (SD), multiple of `along` (CONJ), of the forces (ABNR) */
    double gain;          /* of the last step that reduced the energy */
    struct abnr abnr;
    int refused; /* consecutive rejected moves */
};

static double descent_sum(const double *term)
{
    double sum = 0;
    for (int k = 0; k < ENERGY_TERMS; k++)
        sum += term[k];
    return sum;
}

/* Computes energy and forces at x (n numbers) into f. Collective. Forces on lone pairs pass to
 * their hosts, those on frozen atoms become 0, and those along constraints are removed. */
static int descent_evaluate(struct descent *d, const double *x, double *f, double *energy,
                            struct err *e)
{
    struct minimise *m = d->m;
    memcpy(d->placed, x, d->n * sizeof *x);
    lonepair_place(m->s, d->placed, 0, m->s->natom);
    if (energy_list_old(m->energy, d->placed))
        energy_list_build(m->energy, d->placed);
    int status = energy_forces(m->energy, d->placed, f, 1, f + d->n, e);
    if (!status)
        status = comm_sum(m->comm, f, d->n + ENERGY_NUMBERS, e);
    lonepair_spread(m->s, d->placed, f, 0, m->s->natom, &f[d->n + ENERGY_VIRIAL]);
    system_hold(m->s, f, 0, m->s->natom);
    constrain_project(m->constrain, d->placed, f);
    *energy = descent_sum(f + d->n);
    return status;
}

/* The trial's forces become those at x without a copy. */
static void descent_accept(struct descent *d)
{
    double *swap = d->f;
    memcpy(d->m->x, d->y, d->n * sizeof *d->y);
    d->f = d->next;
    d->next = swap;
    d->gain = d->energy - d->trial;
    d->energy = d->trial;
}

/* CHARMM's GRMS: the root of the mean square over the 3 n components of atoms that can move. */
static double descent_grms(const struct descent *d)
{
    const struct system *s = d->m->s;
    int moving = s->natom - s->nlonepair - s->held.nfrozen;
    return sqrt(abnr_dot(d->f, d->f, d->n) / (3.0 * (moving > 0 ? moving : 1)));
}

/* Tries step * along from x: computes coordinates, forces and energy there.  If SHAKE does not
 * converge because the move is too long, the energy counts as infinite, so that a shorter move is
 * tried. */
static int descent_move(struct descent *d, double step, const double *along, struct err *e)
{
    double virial[3] = {0};
    struct err lost;
    for (size_t i = 0; i < d->n; i++)
        d->y[i] = d->m->x[i] + step * along[i];
    if (!constrain_apply(d->m->constrain, d->m->x, d->y, 0, d->m->s->natom, virial, &lost))
        return descent_evaluate(d, d->y, d->next, &d->trial, e);
    d->trial = HUGE_VAL;
    return 0;
}

/* Makes a direction tangential to the surface of correct lengths at x. */
static void descent_project(const struct descent *d, double *along)
{
    constrain_project(d->m->constrain, d->m->x, along);
}

/* ---- steepest descent --------------------------------------------------------------------- */

/* The least 1e-12 avoids dividing by 0 at a minimum. */
static int descent_sd(struct descent *d, struct err *e)
{
    double most = 1e-12;
    for (size_t i = 0; i < d->n; i++)
        most = fmax(most, fabs(d->f[i]));
    int status = descent_move(d, d->step / most, d->f, e);
    if (status)
        return status;
    int down = d->trial < d->energy;
    /* A longer step after a success, a shorter one otherwise. */
    d->step *= down ? 1.2 : 0.5;
    if (down)
        descent_accept(d);
    return 0;
}

/* ---- conjugate gradients -------------------------------------------------------------------- */

/* Maximum change of a component in one trial. */
static const double descent_farthest = 0.2;

/* The slope along the direction; 0 if the energy there is not finite. */
static int descent_try(struct descent *d, double step, double *slope, struct err *e)
{
    int status = descent_move(d, step, d->along, e);
    *slope = d->trial < HUGE_VAL ? -abnr_dot(d->next, d->along, d->n) : 0;
    return status;
}

/* Searches along the direction until the slope is small and the energy lower; then *found is
 * set. low and high enclose the minimum once both are known. A secant outside of the interval, or
 * without a sign change, is replaced by the middle. There are at most twelve evaluations. */
static int descent_line(struct descent *d, double slope0, int *found, struct err *e)
{
    double most = 1e-12, low = 0, high = 0, at = d->step, slope = slope0, low_slope = slope0;
    for (size_t i = 0; i < d->n; i++)
        most = fmax(most, fabs(d->along[i]));
    *found = 0;
    for (int round = 0; round < 12; round++) {
        double limit = descent_farthest / most;
        at = fmin(at, limit);
        int status = descent_try(d, at, &slope, e);
        if (status)
            return status;
        int lower = d->trial < d->energy;
        if (lower && (fabs(slope) < 0.1 * -slope0 || (slope < 0 && at == limit))) {
            *found = 1;
            break;
        }
        /* Still downhill: the minimum is farther away. */
        if (lower && slope < 0) {
            low = at;
            low_slope = slope;
            at = high > 0 ? (low + high) / 2 : 2 * at;
            continue;
        }
        high = at;
        /* Where a straight line through the two slopes is 0. */
        double secant = low + (high - low) * low_slope / (low_slope - slope);
        int inside = slope > 0 && secant > low && secant < high;
        at = inside ? fmin(fmax(secant, low + 0.05 * (high - low)), high - 0.05 * (high - low))
                    : (low + high) / 2;
    }
    d->step = at;
    *found |= d->trial < d->energy;
    return 0;
}

/* beta is that of Polak and Ribiere, not below 0, which restarts by itself. If no lower energy was
 * found, the next search goes along the forces with a tenth of the step. */
static int descent_conj(struct descent *d, struct err *e)
{
    double before = abnr_dot(d->f, d->f, d->n), slope = -abnr_dot(d->f, d->along, d->n);
    int found;
    if (slope >= 0) { /* not downhill: restart along the forces */
        memcpy(d->along, d->f, d->n * sizeof *d->f);
        slope = -before;
    }
    int status = descent_line(d, slope, &found, e);
    if (status)
        return status;
    if (!found) {
        memcpy(d->along, d->f, d->n * sizeof *d->f);
        d->step *= 0.1;
        return 0;
    }
    double same = abnr_dot(d->f, d->next, d->n);
    descent_accept(d);
    double beta = fmax(0, (abnr_dot(d->f, d->f, d->n) - same) / fmax(before, 1e-300));
    for (size_t i = 0; i < d->n; i++)
        d->along[i] = d->f[i] + beta * d->along[i];
    descent_project(d, d->along);
    return 0;
}

/* ---- adopted-basis Newton-Raphson ------------------------------------------------------- */

/* Consecutive rejected steps, each half as long, after which the basis is dropped. */
enum { DESCENT_REFUSALS = 3 };

/* A whole Newton step is tried, limited to descent_farthest for each coordinate. */
static int descent_abnr(struct descent *d, struct err *e)
{
    double most = 1e-12, slope;
    abnr_move(&d->abnr, d->f, d->step, d->along);
    descent_project(d, d->along);
    for (size_t i = 0; i < d->n; i++)
        most = fmax(most, fabs(d->along[i]));
    int status = descent_try(d, fmin(1, descent_farthest / most), &slope, e);
    if (status)
        return status;
    int down = d->trial < d->energy;
    /* A refused step is still a measurement of the curvature. */
    if (d->trial < HUGE_VAL)
        abnr_remember(&d->abnr, d->m->x, d->y, d->f, d->next);
    d->refused = down ? 0 : d->refused + 1;
    d->step *= down ? 1.2 : 0.5;
    if (down)
        descent_accept(d);
    else if (d->refused % DESCENT_REFUSALS == 0)
        abnr_forget(&d->abnr);
    return 0;
}

/* ---- the run ------------------------------------------------------------------------------ */

/* All tasks call it, with equal numbers. */
static int descent_report(struct descent *d, long cycle, double change, struct err *e)
{
    struct sample s = {.step = cycle, .ener = d->energy, .tote = d->energy};
    memcpy(s.term, d->f + d->n, sizeof s.term);
    s.grms = descent_grms(d);
    s.virial = energy_virial(d->f + d->n);
    d->m->last = s;
    d->m->report(d->m->context, &s, change, d->step);
    if (isfinite(s.ener) && isfinite(s.grms))
        return 0;
    return err_set(e, ERR_RUN,
                   "minimisation, step %ld: the energy is not finite: do atoms overlap?", cycle);
}

/* step is converted from Angstrom to a multiple of the forces for CONJ and ABNR. A step of 1e-14
 * cannot change the energy any more. */
static int descent_go(struct descent *d, struct err *e)
{
    static int (*const step[])(struct descent *, struct err *) = {
        [MINIMISE_SD] = descent_sd, [MINIMISE_CONJ] = descent_conj, [MINIMISE_ABNR] = descent_abnr};
    struct minimise *m = d->m;
    int status = descent_evaluate(d, m->x, d->f, &d->energy, e);
    double reported = d->energy;
    if (!status)
        status = descent_report(d, 0, 0, e);
    d->step = m->step;
    memcpy(d->along, d->f, d->n * sizeof *d->f);
    if (m->method != MINIMISE_SD)
        d->step = m->step / fmax(descent_grms(d), 1e-12);
    for (long k = 1; !status && k <= m->nstep; k++) {
        d->gain = HUGE_VAL;
        status = step[m->method](d, e);
        int end = k == m->nstep || descent_grms(d) <= m->tolerance || d->step < 1e-14 ||
                  d->gain <= m->tolerance_energy;
        if (!status && (end || k % m->report_every == 0)) {
            status = descent_report(d, k, d->energy - reported, e);
            reported = d->energy;
        }
        if (end)
            break;
    }
    return status;
}

/* Every task does the same; only forces are computed in parts. */
int minimise_run(struct minimise *m, struct err *e)
{
    struct descent d = {.m = m, .n = 3 * (size_t)m->s->natom};
    double *all = mem_new(5 * d.n + 2 * ENERGY_NUMBERS, sizeof *all);
    d.f = all;
    d.next = d.f + d.n + ENERGY_NUMBERS;
    d.y = d.next + d.n + ENERGY_NUMBERS;
    d.along = d.y + d.n;
    d.placed = d.along + d.n;
    if (m->method == MINIMISE_ABNR)
        abnr_init(&d.abnr, d.n);
    int status = descent_go(&d, e);
    lonepair_place(m->s, m->x, 0, m->s->natom);
    abnr_free(&d.abnr);
    mem_free(all);
    return status;
}
