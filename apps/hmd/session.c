/* session.c - see session.h.
 *
 * An operation makes what it needs from the options and the molecule (session_open()), and frees it
 * at its end.  Only coordinates, velocities, the box and `last` survive, so a script may change any
 * option between two operations.
 *
 * Every task has the whole molecule and calls each function with the same options.  The forces are
 * divided by energy.c, the atoms to move by dynamics.c.  What a task computes here for itself, such
 * as the first velocities, is equal on all tasks, and so needs no messages.
 */
#include "session.h"

#include <string.h>

#include "dynamics.h"
#include "lonepair.h"
#include "mem.h"
#include "minimise.h"
#include "energy_report.h"
#include "restart.h"
#include "restart_charmm.h"
#include "velocity.h"

/* What was loaded before is freed. */
int session_load(struct session *s, const struct command *o, struct err *e)
{
    session_free(s);
    s->loaded = 1;
    return input_read(&s->in, o, s->comm, &s->warned, e);
}

void session_free(struct session *s)
{
    if (s->loaded)
        input_free(&s->in);
    s->loaded = 0;
}

/* Shared by minimisation and dynamics. Exists during one operation: the list, the constraints and
 * Ewald's sum are made anew for each. */
struct session_work {
    struct scheme scheme;
    double cutnb;
    struct energy energy;
    struct constrain constrain;
};

/* session_close() is needed in any case. `fixed` is set here, so that temperatures are right. */
static int session_open(struct session *s, const struct command *o, struct session_work *w,
                        struct err *e)
{
    /* So that session_close() can free what an error has left out. */
    memset(w, 0, sizeof *w);
    int status = command_scheme(o, &s->in.nonbonded, &w->scheme, &w->cutnb, e);
    if (status)
        return status;
    energy_init(&w->energy, &s->in.system, &w->scheme, w->cutnb, s->comm->rank, s->comm->size);
    w->energy.comm = s->comm;
    s->comm->replicated = o->parallel.decomp == DECOMP_REPLICATED;
    constrain_init(&w->constrain, &s->in.system, o->run.shake, o->run.shaketol);
    s->in.system.fixed = w->constrain.pairs;
    return 0;
}

/* Also after session_open() has failed: the work is zero then. */
static void session_close(struct session_work *w)
{
    energy_free(&w->energy);
    constrain_free(&w->constrain);
}

/* Makes the current coordinates satisfy the constraints, and places lone pairs. The reference for
 * SHAKE are the coordinates themselves. */
static int session_constrain(struct session *s, const struct session_work *w, struct err *e)
{
    size_t n = 3 * (size_t)s->in.system.natom;
    double virial[3] = {0}, *x = mem_new(n, sizeof *x);
    memcpy(x, s->in.x, n * sizeof *x);
    int status = constrain_apply(&w->constrain, x, s->in.x, 0, s->in.system.natom, virial, e);
    mem_free(x);
    lonepair_place(&s->in.system, s->in.x, 0, s->in.system.natom);
    return status;
}

/* ---- minimisation ------------------------------------------------------------------------- */

int session_minimise(struct session *s, const struct command *o, struct err *e)
{
    struct session_work w;
    struct report report;
    int status = session_open(s, o, &w, e);
    if (!status && o->run.shake != CONSTRAIN_NONE)
        status = session_constrain(s, &w, e);
    report_open(&report, o, s->comm->rank);
    if (!status) {
        report_system(&report, &s->in.system, &w.scheme, w.cutnb, &w.constrain, s->comm->size);
        struct minimise m = {.s = &s->in.system,
                             .comm = s->comm,
                             .energy = &w.energy,
                             .constrain = &w.constrain,
                             .method = o->minimise.mini,
                             .x = s->in.x,
                             .nstep = o->minimise.nmini,
                             .tolerance = o->minimise.tolgrd,
                             .tolerance_energy = o->minimise.tolenr,
                             .step = o->minimise.ministep,
                             .report_every = o->output.nprint,
                             .report = report_minimise,
                             .context = &report};
        status = minimise_run(&m, e);
        /* For the script, which can print the energies of the last step. */
        s->last = m.last;
    }
    session_close(&w);
    return status;
}

/* ---- dynamics ----------------------------------------------------------------------------- */

/* At least ten samples between two reports, for meaningful averages and plots: the largest divisor
 * that allows this.  Divisors come in pairs, so numbers up to the root find it. */
static long session_sample_every(long nprint)
{
    for (long samples = 10; samples <= nprint / samples; samples++)
        if (nprint % samples == 0)
            return nprint / samples;
    /* No pair of divisors above 9: then the steps between two samples are 9 or fewer. */
    long every = nprint >= 100 ? 9 : nprint >= 10 ? nprint / 10 : 1;
    while (nprint % every)
        every--;
    return every;
}

/* Times of all tasks: minimum, mean and maximum of each part of a step. One row for each task is
 * gathered; the statistics are equal on all tasks. */
static int session_times(struct comm *comm, struct timers *t, struct err *e)
{
    size_t size = (size_t)comm->size;
    double *all = mem_new(size * TIMERS_PARTS, sizeof *all);
    const double own[TIMERS_PARTS] = {
        [TIMERS_STEP] = t->step, [TIMERS_FORCE] = t->force,
        [TIMERS_LIST] = t->list, [TIMERS_COMM] = t->comm,
        [TIMERS_WAIT] = t->wait, [TIMERS_REST] = t->step - t->force - t->comm - t->wait};
    memcpy(all + TIMERS_PARTS * comm->rank, own, sizeof own);
    /* A collective operation: every task calls it, also one without a report. */
    int status = comm_rows(comm, all, TIMERS_PARTS, e);
    for (size_t r = 0; r < size; r++)
        for (int k = 0; k < TIMERS_PARTS; k++) {
            double v = all[TIMERS_PARTS * r + (size_t)k];
            t->least[k] = r && t->least[k] < v ? t->least[k] : v;
            t->most[k] = r && t->most[k] > v ? t->most[k] : v;
            /* The timers were zero before, so this is the mean at the end of the loop. */
            t->mean[k] += v / comm->size;
        }
    mem_free(all);
    return status;
}

/* Velocities of one box mean another pressure in another box: a continued run must keep its box. */
static int session_same_box(const char *file, const struct cell *a, const struct cell *b,
                            struct err *e)
{
    double length[3], angle[3];
    /* Compared exactly: the file has the digits for it. */
    int same = 1;
    for (int k = 0; k < 3; k++)
        same &= a->box[k] == b->box[k] && a->tilt[k] == b->tilt[k];
    if (same)
        return 0;
    cell_angles(a, length, angle);
    return err_set(e, ERR_INPUT,
                   "%s: it is of a run in a box of %g x %g x %g (0: none), angles %.6g, %.6g, "
                   "%.6g: give the same -box",
                   file, length[0], length[1], length[2], angle[0], angle[1], angle[2]);
}

/* Initial state of a run. */
struct session_begin {
    struct restart restart; /* hmd's own, if `own` */
    int own;
    long step;
};

/* Sets the run's box to that of a restart file. The box of the file replaces that of the options,
 * within the limits of the cut-off. */
static int session_box(struct session *s, const struct command *o, struct session_work *w,
                       const struct cell *cell, struct err *e)
{
    const char *file = o->files.restart;
    if (s->in.system.cell.box[0] <= 0)
        return err_set(e, ERR_INPUT, "%s: it is of a run in a box: say so first, with %s", file,
                       o->input ? "CRYSTAL DEFINE" : "-box");
    if (cell_width(cell) < 2 * w->scheme.roff)
        return err_set(e, ERR_INPUT,
                       "%s: its box is %g Angstrom wide, less than twice the cut-off of %g", file,
                       cell_width(cell), w->scheme.roff);
    /* The sizes of grids and lists depend on the box. */
    s->in.system.cell = *cell;
    energy_rescaled(&w->energy);
    return 0;
}

/* CHARMM's file has velocities at the step itself, so that hmd's first step is CHARMM's next
 * one. */
static int session_start_charmm(struct session *s, const struct command *o, struct session_work *w,
                                struct text *t, struct session_begin *from, struct err *e)
{
    struct restart_charmm r;
    size_t bytes = 3 * (size_t)s->in.system.natom * sizeof *s->in.x;
    int status = restart_charmm_read(&r, t, s->in.system.natom, e);
    if (!status && r.boxed)
        status = session_box(s, o, w, &r.cell, e);
    if (!status) {
        from->step = r.step;
        memcpy(s->in.x, r.part[RESTART_PLACES], bytes);
        memcpy(s->in.v, r.part[RESTART_VELOCITIES], bytes);
        status = session_constrain(s, w, e);
    }
    restart_charmm_free(&r);
    return status;
}

/* Without a barostat the boxes must be equal, bit by bit. */
static int session_start_own(struct session *s, const struct command *o, struct session_work *w,
                             struct text *t, struct session_begin *from, struct err *e)
{
    /* own is set also on an error; session_dynamics() frees the file's arrays in any case. */
    int status = restart_read(&from->restart, t, s->in.system.natom, e);
    from->own = 1;
    from->step = from->restart.step;
    if (!status && o->run.barostat.on)
        status = session_box(s, o, w, &from->restart.cell, e);
    if (!status)
        status = session_same_box(o->files.restart, &from->restart.cell, &s->in.system.cell, e);
    if (!status)
        memcpy(s->in.x, from->restart.x, 3 * (size_t)s->in.system.natom * sizeof *s->in.x);
    return status;
}

/* Coordinates to continue from: those of a restart file, or the current ones. FIRSTT draws
 * velocities; without it they are those of -vel, or 0. */
static int session_start(struct session *s, const struct command *o, struct session_work *w,
                         struct session_begin *from, struct err *e)
{
    struct text t;
    char *data = NULL;
    size_t length;
    if (!o->files.restart) {
        /* In K; all tasks draw the same velocities. */
        if (o->run.firstt >= 0)
            velocity_draw(&s->in.system, s->in.x, o->run.firstt, (uint64_t)o->run.iseed, s->in.v);
        return session_constrain(s, w, e);
    }
    /* One task reads the file; all get the same bytes, and so the same result. */
    int status = comm_file(s->comm, o->files.restart, &data, &length, e);
    if (!status) {
        text_open(&t, o->files.restart, data, length);
        status = (restart_charmm_is(&t) ? session_start_charmm : session_start_own)(s, o, w, &t,
                                                                                    from, e);
    }
    mem_free(data);
    return status;
}

/* The random numbers of the thermostat have the seed of the velocities. */
static int session_run(struct session *s, const struct command *o, struct session_work *w,
                       const struct session_begin *from, struct err *e)
{
    struct report report;
    struct dynamics d = {.s = &s->in.system,
                         .comm = s->comm,
                         .energy = &w->energy,
                         .constrain = &w->constrain,
                         .thermostat = o->run.thermostat,
                         .barostat = o->run.barostat,
                         .heat = o->run.heat,
                         .cell = &s->in.system.cell,
                         .x = s->in.x,
                         .v = s->in.v,
                         .dt = o->run.timest,
                         .nstep = o->run.nstep,
                         .balance = o->parallel.balance,
                         .still_every = o->run.ntrfrq,
                         .sample_every = session_sample_every(o->output.nprint),
                         .echeck.limit = o->run.echeck > 0 ? o->run.echeck : 0,
                         .echeck.every = o->run.echeck_every,
                         .start.from = from->own ? &from->restart : NULL,
                         .start.first = from->step,
                         .files.save = o->output.save,
                         .files.save_every = o->output.isvfrq,
                         .files.dcd = o->output.dcd,
                         .files.dcd_every = o->output.nsavc,
                         .report = report_sample,
                         .context = &report};
    /* Equal on all tasks, so that they draw the same numbers. */
    d.thermostat.seed = (uint64_t)o->run.iseed;
    if (o->run.thermostat.kind == THERMOSTAT_LANGEVIN)
        d.still_every = 0; /* as in CHARMM: friction and noise also move the whole system */
    report_open(&report, o, s->comm->rank);
    report.first = from->step;
    report_system(&report, d.s, &w->scheme, w->cutnb, &w->constrain, s->comm->size);
    int status = dynamics_run(&d, e);
    if (!status)
        status = session_times(s->comm, &d.timers, e);
    if (!status)
        report_end(&report, d.s, &d.samples, &d.timers, s->comm->size);
    /* The last sample also exists if the run has failed later. */
    if (d.samples.n)
        s->last = d.samples.at[d.samples.n - 1];
    samples_free(&d.samples);
    mem_free(d.timers.share);
    mem_free(d.timers.ring);
    return status;
}

/* Also computes a single energy: 0 steps. Langevin's system has all degrees of freedom, so 3 or 6
 * are added again. */
int session_dynamics(struct session *s, const struct command *o, struct err *e)
{
    struct session_work w;
    struct session_begin from = {0};
    int status = session_open(s, o, &w, e);
    if (!status && o->run.barostat.on && (s->in.system.cell.box[0] <= 0 || !o->run.thermostat.kind))
        status = err_set(e, ERR_INPUT, "constant pressure needs a box and a thermostat: give %s",
                         o->input ? "CRYSTAL DEFINE, and HOOVER REFT t or LANG TBATH t in DYNA"
                                  : "-box, and -thermostat langevin or nose");
    if (!status && o->run.barostat.on && s->in.system.held.nfrozen)
        status = err_set(e, ERR_INPUT,
                         "constant pressure moves all atoms: CONS FIX SELE NONE END first, or hold "
                         "them with CONS HARM");
    if (!status && o->run.thermostat.kind == THERMOSTAT_LANGEVIN && system_floats(&s->in.system))
        s->in.system.fixed -= s->in.system.cell.box[0] > 0 ? 3 : 6; /* the whole system moves,
                                                                       too */
    if (!status)
        status = session_start(s, o, &w, &from, e);
    if (!status)
        status = session_run(s, o, &w, &from, e);
    /* Also of a restart that was not read: all is zero then. */
    restart_free(&from.restart);
    session_close(&w);
    return status;
}

/* ---- output ------------------------------------------------------------------------------- */

/* Other tasks return 0 at once. So only the first task can have an error. */
int session_write(struct session *s, const char *path, int pdb, const struct coor_set *set,
                  const unsigned char *chosen, struct err *e)
{
    /* The current coordinates, with their weights. */
    const struct coor_set at_hand = {s->in.x, s->in.w};
    set = set ? set : &at_hand;
    if (s->comm->rank)
        return 0;
    return pdb ? pdb_write(path, &s->in.psf, set, chosen, &s->in.system.cell, e)
               : crd_write(path, &s->in.psf, set, chosen, e);
}
