/* integrate.c - see integrate.h. */
#include "integrate.h"

#include <math.h>
#include <string.h>

#include "lonepair.h"
#include "mem.h"
#include "vec.h"

/* A force, also of a constraint, moves an atom by 1 / (m (1 + a)). If a differs within a group,
 * corrections weighted only by m would not be those of equal and opposite forces. */
static void integrate_weigh(struct integrate *g)
{
    g->inertia = mem_new((size_t)g->s->natom, sizeof(double));
    for (int i = 0; i < g->s->natom; i++)
        g->inertia[i] = g->s->mass[i] * (1 + thermostat_friction(g->thermostat, g->dt, i));
    g->constrain.mass = g->inertia;
}

/* move and next are for the own block; y has all atoms, since constraints use places of others. */
void integrate_init(struct integrate *g, const struct system *s, const struct constrain *constrain,
                    const struct thermostat *thermostat, int first, int last, double dt)
{
    size_t block = 3 * (size_t)(last - first);
    *g = (struct integrate){.s = s,
                            .constrain = *constrain,
                            .thermostat = thermostat,
                            .first = first,
                            .last = last,
                            .dt = dt};
    g->move = mem_new(block, sizeof(double));
    g->next = mem_new(block, sizeof(double));
    g->y = mem_new(3 * (size_t)s->natom, sizeof(double));
    if (thermostat->kind == THERMOSTAT_LANGEVIN && thermostat->friction)
        integrate_weigh(g);
}

void integrate_free(struct integrate *g)
{
    mem_free(g->move);
    mem_free(g->next);
    mem_free(g->y);
    mem_free(g->inertia);
    memset(g, 0, sizeof *g);
}

/* Computes coordinates y of the block, `sign` times the moves `by` from x, satisfying the
 * constraints and with lone pairs placed; and the actual moves. Without groups and lone pairs the
 * moves are exact already. sign -1 goes backwards in time. */
static int integrate_constrain(struct integrate *g, const double *x, double sign, double *by,
                               double *virial, struct err *e)
{
    size_t from = 3 * (size_t)g->first, n = 3 * (size_t)(g->last - g->first);
    for (size_t i = 0; i < n; i++)
        g->y[from + i] = x[from + i] + sign * by[i];
    if (g->constrain.groups == 0 && g->s->nlonepair == 0)
        return 0;
    int status = constrain_apply(&g->constrain, x, g->y, g->first, g->last, virial, e);
    lonepair_place(g->s, g->y, g->first, g->last);
    for (size_t i = 0; i < n; i++)
        by[i] = sign * (g->y[from + i] - x[from + i]);
    return status;
}

/* Inverse mass of an atom; a lone pair does not follow forces. */
static double integrate_inverse(double mass)
{
    return mass > 0 ? 1 / mass : 0;
}

/* v at step 0 is reduced by half a kick to that of step -1/2. Frozen atoms do not move. */
int integrate_start(struct integrate *g, const double *x, const double *v, const double *f,
                    struct err *e)
{
    double virial[3] = {0};
    for (int i = g->first; i < g->last; i++)
        for (int k = 0; k < 3; k++) {
            size_t n = 3 * (size_t)(i - g->first) + (size_t)k;
            double kick = g->dt * f[n] * integrate_inverse(g->s->mass[i]) / 2;
            g->move[n] = system_frozen(g->s, i) ? 0 : g->dt * (v[3 * i + k] - kick);
        }
    return integrate_constrain(g, x, -1, g->move, virial, e);
}

/* 1/2 makes the mean, 1/unit a velocity. */
double integrate_mean(const struct integrate *g, int atom)
{
    return 1 / (2 * g->dt * thermostat_short(g->thermostat, g->dt, atom));
}

/* From x(n), its forces and the move before: the next move, constrained. Sums of kinetic energy are
 * over the own block. */
int integrate_step(struct integrate *g, long step, const double *x, const double *f,
                   struct integrate_sums *sums, struct err *e)
{
    double virial[3] = {0};
    int noisy = g->thermostat->kind == THERMOSTAT_LANGEVIN;
    memset(sums, 0, sizeof *sums);
    for (int i = g->first; i < g->last; i++) {
        /* The step of thermostat.h: v' = (v (1 - a) + dt F / m) / (1 + a). */
        double a = thermostat_friction(g->thermostat, g->dt, i), kept = (1 - a) / (1 + a);
        double mass = g->s->mass[i], kick = g->dt * g->dt * integrate_inverse(mass) / (1 + a);
        for (int k = 0; k < 3; k++) {
            size_t n = 3 * (size_t)(i - g->first) + (size_t)k;
            double force = f[n];
            if (noisy && !system_frozen(g->s, i))
                force += sqrt(mass) * thermostat_noise(g->thermostat, g->dt, step, i, k);
            g->next[n] = kept * g->move[n] + kick * force;
        }
    }
    int status = integrate_constrain(g, x, 1, g->next, virial, e);
    /* A constraint's correction has moved an atom by force / (m (1 + a)); if masses were not
     * weighted before, the factor is applied here. */
    double heavier = g->inertia ? 1 : 1 + thermostat_friction(g->thermostat, g->dt, 0);
    for (int k = 0; k < 3; k++)
        sums->virial[k] = virial[k] * heavier / (g->dt * g->dt);
    /* Kinetic energies at n, from the mean of both moves, and at n+1/2. */
    for (int i = g->first; i < g->last; i++) {
        size_t n = 3 * (size_t)(i - g->first);
        double mass = g->s->mass[i], both[3], half[3];
        double mean = integrate_mean(g, i);
        for (int k = 0; k < 3; k++) {
            half[k] = g->next[n + (size_t)k] / g->dt;
            both[k] = (g->next[n + (size_t)k] + g->move[n + (size_t)k]) * mean;
        }
        sums->kinetic += mass / 2 * vec_dot(both, both);
        for (int k = 0; k < 3; k++)
            sums->axis[k] += mass / 2 * both[k] * both[k];
        sums->kinetic_half += mass / 2 * vec_dot(half, half);
        velocity_motion_add(&sums->motion, mass, g->y + 3 * (size_t)i, half);
    }
    return status;
}

/* The arrays are exchanged instead of copied. */
void integrate_accept(struct integrate *g, double *x)
{
    size_t from = 3 * (size_t)g->first, n = 3 * (size_t)(g->last - g->first);
    double *swap = g->move;
    memcpy(x + from, g->y + from, n * sizeof *x);
    g->move = g->next;
    g->next = swap;
}
