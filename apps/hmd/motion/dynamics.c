/* dynamics.c - the loop over time steps with replicated data, see dynamics.h.
 *
 * Step n: every task computes its share of the forces at x(n).  A reduce-scatter sums them, so that
 * each task gets those on its own block of atoms, and moves its block.  An allgather of blocks
 * gives x(n+1) to all.  These are CHARMM's VDGSUM and VDGBR (parallel.doc).  What CHARMM sums in
 * further operations (GCOMB: energies, kinetic energy, virial) is appended to the coordinates: each
 * task sends its numbers along with its block, and all add them up in rank order, so that all have
 * the same bits.  So a step has two operations, and its sample is complete at its end.
 *
 * All tasks have the same bits of x(n), so they agree without a message when the neighbour list is
 * outdated and when a coordinate is no number.  Energies are computed only in sampled steps,
 * because kernels without them are faster.  An additional first or last sample computes its
 * energies separately, so that the trajectory does not depend on where runs begin and end.
 *
 * An error of one task alone (a file, SHAKE) is sent with its block, so that all tasks leave the
 * loop in the same step; an error of a message ends the job anyway.
 */
#include "dynamics.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "dcd.h"
#include "integrate.h"
#include "lonepair.h"
#include "mem.h"
#include "vec.h"
#include "velocity.h"

/* Each task's report to all others at the end of a step: it follows its block of coordinates; with
 * force decomposition it precedes them. Only doubles, so that it is sent as numbers of the same
 * type as the coordinates. */
struct loop_tail {
    double term[ENERGY_NUMBERS];
    struct integrate_sums sums;
    double square; /* sum of squares of the forces on the block */
    double force;  /* seconds of computing forces */
    double place;  /* sum of the block's new coordinates, to detect a value that is no number */
    double busy;   /* seconds relevant to load balancing, since the previous step */
    double failed; /* 1: this task cannot continue */
};
enum { LOOP_TAIL = sizeof(struct loop_tail) / sizeof(double) };

/* The atoms' blocks, one for each task. */
struct loop_blocks {
    int *block;              /* size + 1: first atoms of the blocks */
    size_t *counts, *begin3; /* of a block: number of values, and their offset */
    size_t *packed, *first;  /* the same for `all` */
};

/* On the stack of dynamics_run(), and different on each task. */
struct loop {
    struct dynamics *d;
    struct integrate integrate;
    struct balance balance;
    struct dcd dcd;
    size_t n3;
    double *f, *own; /* n3: forces of the own share; those on the own block */
    double *all;     /* blocks of coordinates, each with its tail */
    struct loop_blocks blocks;
    struct loop_tail tail, sum; /* own; of all tasks */
    double busy;                /* timers_busy() at the end of the previous step */
    int builds, listed;         /* lists at the end of the previous step; true if that made one */
    int failed;                 /* first task that cannot continue, or -1 */
    long begin, end;
};

/* ---- opening and closing ------------------------------------------------------------------ */

/* `packed` includes the tail; with force decomposition only the tails are gathered. */
static void loop_blocks(struct loop *l)
{
    size_t size = (size_t)l->d->comm->size, at = 0;
    l->blocks.block = mem_new(size + 1, sizeof *l->blocks.block);
    l->blocks.counts = mem_new(size, sizeof *l->blocks.counts);
    l->blocks.begin3 = mem_new(size, sizeof *l->blocks.begin3);
    l->blocks.packed = mem_new(size, sizeof *l->blocks.packed);
    l->blocks.first = mem_new(size, sizeof *l->blocks.first);
    constrain_blocks(l->d->constrain, (int)size, l->blocks.block);
    for (size_t r = 0; r < size; r++) {
        l->blocks.counts[r] = 3 * (size_t)(l->blocks.block[r + 1] - l->blocks.block[r]);
        l->blocks.begin3[r] = 3 * (size_t)l->blocks.block[r];
        l->blocks.packed[r] = l->blocks.counts[r] + LOOP_TAIL;
        l->blocks.first[r] = at;
        at += l->blocks.packed[r];
    }
    l->all = mem_new(at, sizeof *l->all);
}

/* Takes the moves of the file; time step and integrator may have changed since. Moves are
 * velocities times the time step (leapfrog) or velocities (Verlet): both differ in unit only. */
static void loop_continue(struct loop *l)
{
    const struct restart *from = l->d->start.from;
    struct integrate *g = &l->integrate;
    double now = l->d->dt, then = from->dt;
    for (size_t i = 0; i < l->blocks.counts[l->d->comm->rank]; i++) {
        double move = from->move[3 * (size_t)g->first + i];
        g->move[i] = now == then ? move : move * now / then;
    }
    system_hold(l->d->s, g->move, g->first, g->last);
    l->d->thermostat.zeta = from->zeta;
    l->d->thermostat.eta = from->eta;
    memcpy(l->d->heat.seen, from->seen, sizeof from->seen);
}

/* Overall motion and kinetic energy left by the previous step, summed like loop_sum() does. The
 * same sums in the same order as during a run, so that a restart gives the same bits. */
static void loop_motion(struct loop *l)
{
    const struct restart *from = l->d->start.from;
    memset(&l->sum.sums, 0, sizeof l->sum.sums);
    for (int r = 0; r < l->d->comm->size; r++) {
        struct velocity_motion m = {{0}, {0}};
        double kinetic = 0;
        for (int i = l->blocks.block[r]; i < l->blocks.block[r + 1]; i++) {
            double v[3];
            for (int k = 0; k < 3; k++)
                v[k] = from->move[3 * i + k] / l->integrate.dt;
            velocity_motion_add(&m, l->d->s->mass[i], l->d->x + 3 * i, v);
            kinetic += l->d->s->mass[i] / 2 * vec_dot(v, v);
        }
        l->sum.sums.kinetic_half += kinetic;
        for (int k = 0; k < 3; k++) {
            l->sum.sums.motion.p[k] += m.p[k];
            l->sum.sums.motion.l[k] += m.l[k];
        }
    }
}

static int loop_open(struct loop *l, struct dynamics *d, struct err *e)
{
    int r = d->comm->rank, status = 0;
    memset(l, 0, sizeof *l);
    l->d = d;
    l->begin = d->start.from ? d->start.from->step : d->start.first;
    l->end = l->begin + d->nstep;
    energy_check_begin(&d->echeck, l->begin);
    l->n3 = 3 * (size_t)d->s->natom;
    l->f = mem_new(l->n3, sizeof(double));
    l->own = mem_new(l->n3, sizeof(double));
    loop_blocks(l);
    balance_init(&l->balance, d->comm->size, d->balance);
    if (d->balance == BALANCE_RING)
        status = comm_ring(d->comm, l->balance.ring, e);
    d->energy->share.part = d->balance ? l->balance.share : NULL;
    d->energy->share.ring = l->balance.ring;
    integrate_init(&l->integrate, d->s, d->constrain, &d->thermostat, l->blocks.block[r],
                   l->blocks.block[r + 1], d->dt / VELOCITY_AKMA);
    if (d->start.from) {
        loop_continue(l);
        loop_motion(l);
        energy_list_build(d->energy, d->start.from->list);
    }
    if (!status && d->files.save && r == 0)
        status = err_try(d->files.save, e);
    if (status || !d->files.dcd || r)
        return status;
    l->dcd = (struct dcd){.natom = d->s->natom,
                          .boxed = d->s->cell.box[0] > 0,
                          .freedom = system_freedom(d->s),
                          .first = l->begin / d->files.dcd_every * d->files.dcd_every +
                                   d->files.dcd_every,
                          .every = d->files.dcd_every,
                          .dt = d->dt};
    return dcd_open(&l->dcd, d->files.dcd, e);
}

/* Sends velocities at the last step, the means of those of the moves before and after it, to all
 * tasks. Collective. Called at the end, when `next` has the moves after the last step. */
static int loop_velocities(struct loop *l, struct err *e)
{
    struct integrate *g = &l->integrate;
    for (size_t i = 0; i < 3 * (size_t)(g->last - g->first); i++)
        l->d->v[3 * (size_t)g->first + i] =
            (g->move[i] + g->next[i]) * integrate_mean(g, g->first + (int)(i / 3));
    return comm_gather(l->d->comm, l->d->v, l->blocks.counts, l->blocks.begin3, e);
}

/* The caller gets shares and ring for its report; they are no longer freed here. */
static int loop_close(struct loop *l, int failed, struct err *e)
{
    int status = dcd_close(&l->dcd, failed, e);
    l->d->timers.share = l->balance.share;
    l->d->timers.ring = l->balance.ring;
    l->balance.share = NULL;
    l->balance.ring = NULL;
    integrate_free(&l->integrate);
    balance_free(&l->balance);
    l->d->energy->share.part = NULL;
    l->d->energy->share.ring = NULL;
    void *all[] = {l->f,
                   l->own,
                   l->all,
                   l->blocks.block,
                   l->blocks.counts,
                   l->blocks.begin3,
                   l->blocks.packed,
                   l->blocks.first};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mem_free(all[i]);
    return status;
}

/* ---- files -------------------------------------------------------------------------------- */

/* Gathers all moves; the first task writes the file. Collective: all tasks send their moves. The
 * file has the state before step n is computed. */
static int loop_save(struct loop *l, long n, struct err *e)
{
    struct dynamics *d = l->d;
    struct restart r;
    restart_new(&r, d->s->natom);
    memcpy(r.move + l->blocks.begin3[d->comm->rank], l->integrate.move,
           l->blocks.counts[d->comm->rank] * sizeof *r.move);
    int status = comm_gather(d->comm, r.move, l->blocks.counts, l->blocks.begin3, e);
    memcpy(r.x, d->x, l->n3 * sizeof *r.x);
    memcpy(r.list, d->energy->built_at, l->n3 * sizeof *r.list);
    r.cell = d->s->cell;
    /* Bits are the same only with the same number of tasks. */
    r.tasks = d->comm->size;
    r.step = n;
    r.dt = d->dt;
    r.zeta = d->thermostat.zeta;
    r.eta = d->thermostat.eta;
    memcpy(r.seen, d->heat.seen, sizeof r.seen);
    if (!status && d->comm->rank == 0)
        status = restart_write(&r, d->files.save, e);
    restart_free(&r);
    return status;
}

/* Never at the first step, whose state the user has already. */
static int loop_save_due(const struct loop *l, long n)
{
    const struct dynamics *d = l->d;
    return d->files.save && n > l->begin &&
           (n == l->end || (d->files.save_every && n % d->files.save_every == 0));
}

/* As in CHARMM, frames have step numbers that are multiples of NSAVC. */
static int loop_frame_due(const struct loop *l, long n)
{
    return l->d->files.dcd && n > l->begin && n % l->d->files.dcd_every == 0;
}

/* ---- a step ------------------------------------------------------------------------------- */

/* Makes a new neighbour list if the old one may miss pairs; only then is work shifted. */
static void loop_list_new(struct loop *l)
{
    double start = timers_now();
    if (l->d->balance)
        balance_shift(&l->balance);
    energy_list_build(l->d->energy, l->d->x);
    l->d->timers.list += timers_now() - start;
    l->d->timers.lists++;
}

static int loop_scale_due(const struct loop *l, long n)
{
    return l->d->barostat.on && n > 0 && n % l->d->barostat.every == 0;
}

/* True if step n has energies, independent of where a run begins. In these steps energies are
 * computed by the kernel that also moves the atoms, as every run does. */
static int loop_regular(const struct loop *l, long n)
{
    const struct dynamics *d = l->d;
    return n % d->sample_every == 0 || loop_scale_due(l, n) || energy_check_regular(&d->echeck, n);
}

/* Forces at x(n): those of the own share, then, summed over the tasks, those on the own block. A
 * sample that is `wanted` only by this run computes energies with the other kernel first, and then
 * the forces again without: bits of the trajectory must not depend on it. comm->seconds is
 * subtracted, so that `force` is pure computing. */
static int loop_forces(struct loop *l, long n, int wanted, struct err *e)
{
    struct dynamics *d = l->d;
    double start = timers_now(), before = d->comm->seconds;
    int regular = loop_regular(l, n);
    memset(&l->tail, 0, sizeof l->tail);
    if (energy_list_old(d->energy, d->x) || balance_urgent(&l->balance))
        loop_list_new(l);
    int status = 0;
    if (wanted && !regular)
        status = energy_forces(d->energy, d->x, l->f, 1, l->tail.term, e);
    if (!status)
        status = energy_forces(d->energy, d->x, l->f, regular, l->tail.term, e);
    l->tail.force = timers_now() - start - (d->comm->seconds - before);
    if (!status)
        status = comm_reduce(d->comm, l->f, l->own, l->blocks.counts, e);
    lonepair_spread(d->s, d->x, l->own, l->integrate.first, l->integrate.last,
                    &l->tail.term[ENERGY_VIRIAL]);
    system_hold(d->s, l->own, l->integrate.first, l->integrate.last);
    for (size_t i = 0; i < l->blocks.counts[d->comm->rank]; i++)
        l->tail.square += l->own[i] * l->own[i];
    return status;
}

/* Removes the overall motion from the moves. Velocities are scaled to moves, as the integrator
 * stores them. */
static void loop_still(struct loop *l)
{
    struct velocity_motion m = l->sum.sums.motion;
    struct integrate *g = &l->integrate;
    energy_check_forget(&l->d->echeck);
    for (int k = 0; k < 3; k++) {
        m.p[k] *= g->dt;
        m.l[k] *= g->dt;
    }
    velocity_still(l->d->s, l->d->x, &m, g->first, g->last, g->move);
}

/* Records the tasks' times of the step for load balancing.  A step that makes a list takes a slow
 * task long whatever its share is.  So it is not used, unless all steps are such. */
static void loop_balance(struct loop *l, const double *seconds)
{
    int listed = l->d->energy->builds != l->builds;
    if (l->d->balance && (!listed || l->listed))
        balance_note(&l->balance, seconds);
    l->builds = l->d->energy->builds;
    l->listed = listed;
}

/* Adds up the tails, in rank order, and records the times. Rank order makes floating-point sums
 * equal on all tasks. `failed` becomes the first such rank. */
static void loop_sum(struct loop *l)
{
    struct timers *t = &l->d->timers;
    int size = l->d->comm->size;
    double most = 0, *sum = (double *)&l->sum, part[LOOP_TAIL];
    double *seconds = mem_new((size_t)size, sizeof *seconds);
    l->failed = -1;
    memset(&l->sum, 0, sizeof l->sum);
    for (int r = 0; r < size; r++) {
        /* Each task's tail is at the end of its part. */
        memcpy(part, l->all + l->blocks.first[r] + l->blocks.packed[r] - LOOP_TAIL, sizeof part);
        for (size_t k = 0; k < LOOP_TAIL; k++)
            sum[k] += part[k];
        seconds[r] = part[offsetof(struct loop_tail, busy) / sizeof(double)];
        most = fmax(most, part[offsetof(struct loop_tail, force) / sizeof(double)]);
        if (l->failed < 0 && part[offsetof(struct loop_tail, failed) / sizeof(double)] > 0)
            l->failed = r;
    }
    loop_balance(l, seconds);
    t->wait += most - l->tail.force;
    t->force += l->tail.force;
    mem_free(seconds);
}

/* Gathers all blocks with their tails. The tail is copied behind the block; with force
 * decomposition it is all that is sent. */
static int loop_gather(struct loop *l, struct err *e)
{
    struct dynamics *d = l->d;
    size_t r = (size_t)d->comm->rank;
    double *own = l->all + l->blocks.first[r];
    memcpy(own, d->x + l->blocks.begin3[r], (l->blocks.packed[r] - LOOP_TAIL) * sizeof *own);
    memcpy(own + l->blocks.packed[r] - LOOP_TAIL, &l->tail, sizeof l->tail);
    int status = comm_gather(d->comm, l->all, l->blocks.packed, l->blocks.first, e);
    if (status)
        return status;
    /* Nothing is copied with force decomposition. */
    for (int k = 0; k < d->comm->size; k++)
        memcpy(d->x + l->blocks.begin3[k], l->all + l->blocks.first[k],
               (l->blocks.packed[k] - LOOP_TAIL) * sizeof *d->x);
    loop_sum(l);
    return 0;
}

static int loop_finite(const struct loop *l, long n, struct err *e)
{
    if (isfinite(l->sum.place))
        return 0;
    return err_set(
        e, ERR_RUN,
        "step %ld: coordinates are not finite: do atoms overlap, or is the time step too "
        "long?",
        n + 1);
}

/* The pressure along each axis, atm.  Returns the mean. P = (2 K + W) / (3 V) with the virial W,
 * for each axis: (2 K_k + W_k) / V. K is in kcal/mol, V in cubic Angstrom; SAMPLES_ATM converts to
 * atm. */
static double loop_pressure(const struct loop *l, double axis[3])
{
    double volume = cell_volume(&l->d->s->cell), sum = 0;
    for (int k = 0; k < 3; k++) {
        double virial = l->sum.term[ENERGY_VIRIAL + k] + l->sum.sums.virial[k];
        axis[k] = volume > 0 ? SAMPLES_ATM * (2 * l->sum.sums.axis[k] + virial) / volume : 0;
        sum += axis[k];
    }
    return sum / 3;
}

/* Changes the volume; the first task broadcasts the factors, since all must use the same bits.
 * Random numbers differ from the thermostat's: the seed is inverted. The box must stay wider than
 * twice the cut-off, since pairs are only found in adjacent images. */
static int loop_scale(struct loop *l, long n, struct err *e)
{
    struct dynamics *d = l->d;
    struct integrate *g = &l->integrate;
    double axis[3], factor[3], normal[3];
    for (int k = 0; k < 3; k++)
        normal[k] = velocity_normal_at(~d->thermostat.seed - (uint64_t)k, (uint64_t)n);
    loop_pressure(l, axis);
    barostat_factor(&d->barostat, axis, cell_volume(d->cell), d->thermostat.kelvin, d->dt, normal,
                    factor);
    /* Computed by each task, they might differ in the last bit. */
    int status = comm_broadcast(d->comm, factor, 3, e);
    if (status)
        return status;
    barostat_places(d->constrain, factor, d->x, d->energy->whole);
    barostat_moves(d->constrain, factor, g->first, g->last, g->move);
    cell_stretch(d->cell, factor);
    if (cell_width(d->cell) < 2 * d->energy->scheme.roff)
        return err_set(e, ERR_RUN,
                       "step %ld: at this pressure the box has become %g Angstrom wide, less than "
                       "twice the cut-off",
                       n, cell_width(d->cell));
    lonepair_place(d->s, d->x, 0, d->s->natom);
    energy_rescaled(d->energy);
    loop_list_new(l);
    return 0;
}

/* Returns the sample of step n, over all tasks. Lone pairs and frozen atoms have no forces that
 * count, so GRMS is the mean over the others. */
static struct sample loop_numbers(const struct loop *l, long n)
{
    const struct dynamics *d = l->d;
    struct sample s = {.step = n, .time = (double)n * d->dt};
    memcpy(s.term, l->sum.term, sizeof s.term);
    for (int k = 0; k < ENERGY_TERMS; k++)
        s.ener += s.term[k];
    int moving = d->s->natom - d->s->nlonepair - d->s->held.nfrozen;
    s.grms = sqrt(l->sum.square / (3.0 * (moving > 0 ? moving : 1)));
    s.totk = l->sum.sums.kinetic;
    s.tote = s.ener + s.totk;
    s.conserved = s.tote + thermostat_energy(&d->thermostat, system_freedom(d->s));
    s.temp = velocity_temperature(d->s, s.totk);
    s.virial = energy_virial(l->sum.term);
    for (int k = 0; k < 3; k++)
        s.virial += l->sum.sums.virial[k];
    s.volume = cell_volume(&d->s->cell);
    s.pressure = loop_pressure(l, s.axis);
    return s;
}

/* Checks the result of step n, and reports it. All tasks check, so all stop in the same step. */
static int loop_sample(struct loop *l, long n, int sampled, struct err *e)
{
    struct dynamics *d = l->d;
    struct sample s = loop_numbers(l, n);
    if (!isfinite(s.ener) || !isfinite(s.grms) || !isfinite(s.conserved))
        return err_set(e, ERR_RUN,
                       "step %ld: the energy is not finite: do atoms overlap, or is the time step "
                       "too long?",
                       n);
    if (sampled) {
        samples_add(&d->samples, &s);
        d->report(d->context, &s);
    }
    return energy_check(&d->echeck, &s, e);
}

/* Brings the temperature to that of heating or equilibration, by scaling the velocities of half a
 * step earlier; all tasks know their kinetic energy. With drawn velocities the integrator goes back
 * half a step, as at the start. Temperature 0 cannot be scaled. */
static int loop_heat(struct loop *l, long n, struct err *e)
{
    struct dynamics *d = l->d;
    struct integrate *g = &l->integrate;
    double want = heat_wanted(&d->heat, n, velocity_temperature(d->s, l->sum.sums.kinetic_half));
    if (want < 0)
        return 0;
    /* The energy is about to change on purpose. */
    energy_check_forget(&d->echeck);
    if (d->heat.assign || d->heat.mean <= 0) {
        velocity_draw(d->s, d->x, want, d->thermostat.seed + (uint64_t)n, d->v);
        return integrate_start(g, d->x, d->v, l->own, e);
    }
    for (size_t i = 0; i < 3 * (size_t)(g->last - g->first); i++)
        g->move[i] *= sqrt(want / d->heat.mean);
    return 0;
}

/* This task's own work between the two operations; only here may it fail. Velocities are changed
 * first, then the step is made. In the last step atoms are not moved; its moves only serve the mean
 * velocity. */
static int loop_move(struct loop *l, long n, struct err *e)
{
    struct dynamics *d = l->d;
    struct integrate *g = &l->integrate;
    int status = 0;
    /* A restart file has the moves already. */
    if (n == l->begin && !d->start.from)
        status = integrate_start(g, d->x, d->v, l->own, e);
    if (!status && (n > l->begin || d->start.from) && n < l->end)
        status = loop_heat(l, n, e);
    if (!status && d->still_every && n > 0 && n % d->still_every == 0)
        loop_still(l);
    if (!status)
        status = integrate_step(g, n, d->x, l->own, &l->tail.sums, e);
    if (!status && n < l->end)
        integrate_accept(g, d->x);
    for (size_t i = 3 * (size_t)g->first; i < 3 * (size_t)g->last; i++)
        l->tail.place += d->x[i];
    return status;
}

/* A task that cannot continue reports that with its block, so that all end here; the first such
 * task prints the reason. Its own error text is already in *e. */
static int loop_failed(struct loop *l, struct err *e)
{
    if (l->failed < 0)
        return 0;
    e->common = 1;
    if (l->failed != l->d->comm->rank)
        return err_set(e, ERR_RUN, "%s", "");
    e->mine = 1;
    return ERR_RUN;
}

/* This task's time of the step: all time in which it needed the processor, if the machine reports
 * that.  The time of computing forces would not show a host that is stopped by a quota, or by
 * others, while it sends. -1: the machine does not report it. */
static void loop_busy(struct loop *l)
{
    double now = l->d->balance ? timers_busy() : -1;
    l->tail.busy = now < 0 || l->busy <= 0 ? l->tail.force : now - l->busy;
    l->busy = now;
}

/* Step n: forces and energies of x(n), then x(n+1). Every task calls the collective functions in
 * the same order, whatever happens locally (`alone`). */
static int loop_step(struct loop *l, long n, struct err *e)
{
    struct dynamics *d = l->d;
    /* The first and the last step are samples, too. */
    int sampled = n % d->sample_every == 0 || n == l->begin || n == l->end;
    int wanted = sampled || energy_check_due(&d->echeck, n), status;
    int alone = loop_save_due(l, n) ? loop_save(l, n, e) : 0;
    if (!alone && l->dcd.out.file && loop_frame_due(l, n))
        alone = dcd_frame(&l->dcd, d->x, &d->s->cell, e);
    status = loop_forces(l, n, wanted, e);
    if (!status && !alone)
        alone = loop_move(l, n, e);
    /* The others learn it from the tail, so all leave the loop together. */
    l->tail.failed = alone != 0;
    loop_busy(l);
    if (!status)
        status = loop_gather(l, e);
    if (!status)
        status = loop_failed(l, e);
    if (!status)
        status = loop_finite(l, n, e);
    if (!status && wanted)
        status = loop_sample(l, n, sampled, e);
    if (!status && n < l->end)
        thermostat_advance(&d->thermostat, l->integrate.dt, system_freedom(d->s),
                           l->sum.sums.kinetic_half);
    if (!status && n < l->end && loop_scale_due(l, n))
        status = loop_scale(l, n, e);
    return status;
}

/* nstep + 1 forces are computed: the last step's energy belongs to the last positions. */
int dynamics_run(struct dynamics *d, struct err *e)
{
    struct loop l;
    double start = 0;
    int status = loop_open(&l, d, e);
    for (long n = l.begin; !status && n <= l.end; n++) {
        status = loop_step(&l, n, e);
        if (n == l.begin) { /* this step makes the first list: timing starts after it */
            start = timers_now();
            d->comm->seconds = 0;
            d->timers.force = d->timers.list = d->timers.wait = 0;
            d->timers.lists = 0;
        }
    }
    if (!status)
        status = loop_velocities(&l, e);
    d->timers.steps = d->nstep;
    d->timers.step = d->nstep ? timers_now() - start : 0;
    d->timers.wait = fmin(d->timers.wait, d->comm->seconds);
    d->timers.comm = d->comm->seconds - d->timers.wait;
    struct err late;
    int closed = loop_close(&l, status, status ? &late : e);
    return status ? status : closed;
}
