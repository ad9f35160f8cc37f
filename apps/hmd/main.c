/* main.c - hmd: molecular dynamics with CHARMM's force fields on the tasks of a job.
 *
 *   command.c  command line            input.c     files to a system with coordinates
 *   psf.c param_read.c crd.c pdb.c     bind.c exclude.c   parameters and exclusions
 *   energy.c   a task's share of       bond.c angle.c torsion.c cmap.c   terms along bonds
 *              energy and forces       grid.c neighbour.c kernel.c scheme.c   pairs
 *   dynamics.c the steps               integrate.c velocity.c   motion
 *   comm.c     all message passing     report.c svg.c samples.c timers.c   what comes out
 */
#include <stdio.h>

#include "comm.h"
#include "dynamics.h"
#include "input.h"
#include "command.h"
#include "report.h"
#include "svg.h"

/* About ten samples between two reports, so that averages and plots have something to show. */
static long main_sample_every(long nprint)
{
    long every = nprint >= 10 ? nprint / 10 : 1;
    while (nprint % every)
        every--;
    return every;
}

/* Times of all tasks, averaged. */
static int main_mean_times(struct comm *comm, struct timers *t, struct err *e)
{
    double v[4] = {t->step, t->force, t->comm, t->wait};
    int status = comm_sum(comm, v, 4, e);
    t->step = v[0] / comm->size;
    t->force = v[1] / comm->size;
    t->comm = v[2] / comm->size;
    t->wait = v[3] / comm->size;
    return status;
}

static int main_dynamics(const struct command *o, struct comm *comm, struct input *in,
                         struct err *e)
{
    struct report report;
    struct scheme scheme;
    double cutnb;
    int status = command_scheme(o, &in->nonbonded, &scheme, &cutnb, e);
    if (status)
        return status;
    struct dynamics d = {.s = &in->system,
                         .comm = comm,
                         .x = in->x,
                         .v = in->v,
                         .dt = o->timest,
                         .nstep = o->nstep,
                         .verlet = o->verlet,
                         .sample_every = main_sample_every(o->nprint),
                         .report = report_sample,
                         .context = &report};
    energy_init(&d.energy, d.s, &scheme, cutnb, comm->rank, comm->size);
    d.energy.comm = comm;
    report_open(&report, o, comm->rank);
    report_system(&report, d.s, &scheme, cutnb, comm->size);
    status = dynamics_run(&d, e);
    if (!status)
        status = main_mean_times(comm, &d.timers, e);
    if (!status)
        report_end(&report, d.s, &d.samples, &d.timers, comm->size);
    if (!status && o->svg && comm->rank == 0)
        status = svg_write(o->svg, &d.samples, e);
    energy_free(&d.energy);
    samples_free(&d.samples);
    return status;
}

static int main_run(const struct command *o, struct comm *comm, struct err *e)
{
    struct input in;
    int status = comm_plan(comm, o->plan, e);
    if (status)
        return status;
    status = input_read(&in, o, comm, e);
    if (!status)
        status = main_dynamics(o, comm, &in, e);
    input_free(&in);
    return status;
}

int main(int argc, char **argv)
{
    struct command o;
    struct comm comm = {0};
    struct err e = {0};
    int usage = command_parse(&o, argc, argv, &e), status = usage;
    if (!status && o.help) {
        command_help();
        return 0;
    }
    if (!status && o.version) {
        printf("hmd %s\n", HNOW_VERSION);
        return 0;
    }
    struct err join = {0};
    if (comm_start(&comm, &join)) {
        fprintf(stderr, "hmd: %s\n", usage ? e.text : join.text);
        return usage ? usage : join.status;
    }
    if (!status)
        status = main_run(&o, &comm, &e);
    if (status && comm.rank == 0)
        fprintf(stderr, "hmd: %s\n", e.text);
    comm_stop(&comm);
    return status;
}
