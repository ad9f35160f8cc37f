/* dynamics.c - the loop over time steps with replicated data, see dynamics.h.
 *
 * Step n: every task computes its share of the forces at x(n); one sum over the tasks adds up
 * forces, energies, the kinetic energies of step n-1 and the tasks' own computing times; each task
 * moves its block of atoms; one gathering of blocks gives x(n+1) to all.  (CHARMM, parallel.doc.)
 *
 * The kinetic energy of step n is known only when the atoms have moved on (leapfrog), so it travels
 * with the forces of step n+1 and costs no message of its own; the report of a step is one step
 * late.  All tasks hold the same bits of x(n), so they agree without asking when the neighbour
 * list is old and when a coordinate is no number.
 *
 * Energies are computed on the steps that are sampled only: kernels without them are faster.
 */
#include "dynamics.h"

#include <math.h>
#include <string.h>

#include "mem.h"
#include "velocity.h"

/* Behind the forces in the vector that is summed: the terms, the virial, the kinetic energy. */
enum { LOOP_TAIL = ENERGY_NUMBERS + 1 };

struct loop {
    struct dynamics *d;
    struct integrate integrate;
    size_t n3;
    double *sum; /* n3 forces, LOOP_TAIL numbers, one force time a task */
    double *tail, *times;
    size_t *counts, *first;
    double kinetic; /* own block's, of the step before */
    double force;   /* seconds of the step before */
    struct sample pending;
    int has_pending;
};

static void loop_open(struct loop *l, struct dynamics *d)
{
    int size = d->comm->size, n = d->s->natom;
    memset(l, 0, sizeof *l);
    l->d = d;
    l->n3 = 3 * (size_t)n;
    l->sum = mem_new(l->n3 + LOOP_TAIL + (size_t)size, sizeof(double));
    l->tail = l->sum + l->n3;
    l->times = l->tail + LOOP_TAIL;
    l->counts = mem_new((size_t)size, sizeof(size_t));
    l->first = mem_new((size_t)size, sizeof(size_t));
    for (int r = 0; r < size; r++) {
        l->first[r] = 3 * (size_t)((long)n * r / size);
        l->counts[r] = 3 * (size_t)((long)n * (r + 1) / size) - l->first[r];
    }
}

static void loop_close(struct loop *l)
{
    integrate_free(&l->integrate);
    mem_free(l->sum);
    mem_free(l->counts);
    mem_free(l->first);
}

/* Completes the pending sample with its kinetic energy and hands it on. */
static void loop_deliver(struct loop *l, double kinetic)
{
    struct sample *p = &l->pending;
    if (!l->has_pending)
        return;
    l->has_pending = 0;
    p->totk = kinetic;
    p->tote = p->ener + p->totk;
    p->temp = velocity_temperature(l->d->s, kinetic);
    samples_add(&l->d->samples, p);
    l->d->report(l->d->context, p);
}

/* Splits the time of the exchange of the step before into waiting and the rest. */
static void loop_account(struct loop *l)
{
    struct timers *t = &l->d->timers;
    double most = 0;
    for (int r = 0; r < l->d->comm->size; r++)
        most = l->times[r] > most ? l->times[r] : most;
    t->wait += most - l->force;
}

/* Forces at x(n), summed over the tasks, and with them the kinetic energy of step n-1. */
static int loop_forces(struct loop *l, long n, int sampled, struct err *e)
{
    struct dynamics *d = l->d;
    double start = timers_now();
    memset(l->tail, 0, (LOOP_TAIL + (size_t)d->comm->size) * sizeof(double));
    if (energy_list_old(&d->energy, d->x))
        energy_list_build(&d->energy, d->x);
    double elsewhere = d->comm->seconds;
    int status = energy_forces(&d->energy, d->x, l->sum, sampled, l->tail, e);
    l->tail[ENERGY_NUMBERS] = l->kinetic;
    l->times[d->comm->rank] = l->force;
    double spent = timers_now() - start - (d->comm->seconds - elsewhere);
    if (!status)
        status = comm_sum(d->comm, l->sum, l->n3 + LOOP_TAIL + (size_t)d->comm->size, e);
    if (status)
        return status;
    if (n > 1)
        loop_account(l);
    if (n > 0)
        loop_deliver(l, l->tail[ENERGY_NUMBERS]);
    l->force = spent;
    if (n > 0)
        d->timers.force += spent;
    return 0;
}

/* Notes the energies of step n, which wait for their kinetic part. */
static int loop_sample(struct loop *l, long n, struct err *e)
{
    struct sample *p = &l->pending;
    double square = 0;
    memset(p, 0, sizeof *p);
    p->step = n;
    p->time = (double)n * l->d->dt;
    memcpy(p->term, l->tail, sizeof p->term);
    for (int k = 0; k < ENERGY_TERMS; k++)
        p->ener += p->term[k];
    for (size_t i = 0; i < l->n3; i++)
        square += l->sum[i] * l->sum[i];
    p->grms = sqrt(square / (double)l->n3);
    l->has_pending = 1;
    if (isfinite(p->ener) && isfinite(p->grms))
        return 0;
    return err_set(e, ERR_RUN,
                   "step %ld: the energy is not finite: do atoms overlap, or is the time step too "
                   "long?",
                   n);
}

/* Moves the own block and gets everybody else's. */
static int loop_move(struct loop *l, long n, struct err *e)
{
    struct dynamics *d = l->d;
    double sum = 0;
    l->kinetic = integrate_step(&l->integrate, l->sum, d->x);
    int status = comm_gather(d->comm, d->x, l->counts, l->first, e);
    for (size_t i = 0; i < l->n3; i++)
        sum += d->x[i];
    if (!status && !isfinite(sum))
        status = err_set(e, ERR_RUN,
                         "step %ld: coordinates are not finite: do atoms overlap, or is the time "
                         "step too long?",
                         n + 1);
    return status;
}

/* Starts half a step back once the forces at step 0 are there. */
static void loop_start(struct loop *l)
{
    struct dynamics *d = l->d;
    int r = d->comm->rank;
    int first = (int)(l->first[r] / 3), last = (int)((l->first[r] + l->counts[r]) / 3);
    integrate_start(&l->integrate, d->s, first, last, d->verlet, d->dt / VELOCITY_AKMA, d->v,
                    l->sum);
}

static int loop_step(struct loop *l, long n, struct err *e)
{
    struct dynamics *d = l->d;
    int sampled = n % d->sample_every == 0 || n == d->nstep;
    int status = loop_forces(l, n, sampled, e);
    if (!status && n == 0)
        loop_start(l);
    if (!status && sampled)
        status = loop_sample(l, n, e);
    if (!status && n < d->nstep)
        status = loop_move(l, n, e);
    return status;
}

/* The kinetic energy of the last step, whose successor does not come. */
static int loop_finish(struct loop *l, struct err *e)
{
    double *scratch = mem_new(l->n3, sizeof(double));
    double kinetic = integrate_step(&l->integrate, l->sum, scratch);
    mem_free(scratch);
    int status = comm_sum(l->d->comm, &kinetic, 1, e);
    if (!status)
        loop_deliver(l, kinetic);
    return status;
}

int dynamics_run(struct dynamics *d, struct err *e)
{
    struct loop l;
    double start = 0;
    int status = 0;
    loop_open(&l, d);
    for (long n = 0; !status && n <= d->nstep; n++) {
        status = loop_step(&l, n, e);
        if (n == 0) { /* step 0 makes the first list: timed are the steps after it */
            start = timers_now();
            d->comm->seconds = 0;
        }
    }
    if (!status)
        status = loop_finish(&l, e);
    d->timers.steps = d->nstep;
    d->timers.step = d->nstep ? timers_now() - start : 0;
    d->timers.wait = fmin(d->timers.wait, d->comm->seconds);
    d->timers.comm = d->comm->seconds - d->timers.wait;
    loop_close(&l);
    return status;
}
