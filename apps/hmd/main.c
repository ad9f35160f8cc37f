/* main.c - hmd: molecular dynamics with CHARMM's force fields on the tasks of a job.
 *
 *   command.c  command line            input.c     files to a system with coordinates
 *   psf.c param_read.c crd.c pdb.c     bind.c exclude.c   parameters and exclusions
 *   energy.c   a task's share of       bond.c angle.c torsion.c cmap.c   terms along bonds
 *              energy and forces       grid.c neighbour.c kernel.c scheme.c   pairs
 *   session.c  what is done            minimise.c dynamics.c   downhill, and step by step
 *   integrate.c velocity.c             motion; constrain.c thermostat.c balance.c   what changes it
 *   comm.c     all message passing     report.c svg.c samples.c timers.c dcd.c restart.c   what
 * comes out
 */
#include <stdio.h>

#include "comm.h"
#include "command.h"
#include "session.h"

static int main_run(const struct command *o, struct comm *comm, struct err *e)
{
    struct session session = {.comm = comm};
    int status = comm_plan(comm, o->plan, e);
    if (!status)
        status = session_load(&session, o, e);
    if (!status && o->mini != MINIMISE_NONE)
        status = session_minimise(&session, o, e);
    if (!status)
        status = session_dynamics(&session, o, e);
    if (!status && o->write)
        status = session_write(&session, o->write, 0, e);
    session_free(&session);
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
    if (status && e.text[0] && (comm.rank == 0 || e.mine))
        fprintf(stderr, "hmd: %s\n", e.text);
    comm_stop(&comm);
    return status;
}
