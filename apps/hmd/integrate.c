/* integrate.c - see integrate.h.  Both schemes start half a step back, so that the first step is
 * like every other. */
#include "integrate.h"

#include "mem.h"

void integrate_start(struct integrate *g, const struct system *s, int first, int last, int verlet,
                     double dt, const double *v, const double *f)
{
    *g = (struct integrate){.s = s, .first = first, .last = last, .verlet = verlet, .dt = dt};
    g->move = mem_new(3 * (size_t)(last - first), sizeof(double));
    for (int i = first; i < last; i++)
        for (int k = 0; k < 3; k++) {
            double back = v[3 * i + k] - dt * f[3 * i + k] / (2 * s->mass[i]);
            g->move[3 * (i - first) + k] = verlet ? back : dt * back;
        }
}

static double integrate_leapfrog(struct integrate *g, const double *f, double *x)
{
    double sum = 0, dt2 = g->dt * g->dt;
    for (int i = g->first; i < g->last; i++) {
        double scale = dt2 / g->s->mass[i], *d = g->move + 3 * (i - g->first);
        for (int k = 0; k < 3; k++) {
            double next = d[k] + scale * f[3 * i + k], both = next + d[k];
            sum += g->s->mass[i] * both * both;
            x[3 * i + k] += next;
            d[k] = next;
        }
    }
    return sum / (8 * dt2);
}

static double integrate_verlet(struct integrate *g, const double *f, double *x)
{
    double sum = 0;
    for (int i = g->first; i < g->last; i++) {
        double half = g->dt / (2 * g->s->mass[i]), *v = g->move + 3 * (i - g->first);
        for (int k = 0; k < 3; k++) {
            double now = v[k] + half * f[3 * i + k];
            sum += g->s->mass[i] * now * now;
            v[k] = now + half * f[3 * i + k];
            x[3 * i + k] += g->dt * v[k];
        }
    }
    return sum / 2;
}

double integrate_step(struct integrate *g, const double *f, double *x)
{
    return g->verlet ? integrate_verlet(g, f, x) : integrate_leapfrog(g, f, x);
}

void integrate_free(struct integrate *g)
{
    mem_free(g->move);
    g->move = NULL;
}
