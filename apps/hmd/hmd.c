/* hmd.c - hmd: molecular dynamics with CHARMM's force fields on the tasks of a job.
 *
 *     hmd_command.c        the request: options, or (script.c) a script in CHARMM's language
 *     input.c              files to a system with coordinates: psf.c param_read.c crd.c pdb.c
 *                          bind.c
 *     session.c            operations on it: minimise.c dynamics.c
 *     energy.c             a task's share of energy and forces: bond.c angle.c torsion.c cmap.c;
 *                          pairs: cell_grid.c pairlist.c kernel.c scheme.c; ewald.c pme.c
 *     integrate.c          motion: velocity.c constrain.c thermostat.c; balance.c shifts work
 *     comm.c               all message passing
 *     energy_report.c      output: energy_samples.c timers.c dcd.c restart.c
 */
#include <stdio.h>

#include "comm.h"
#include "hmd_command.h"
#include "runtime/internal.h"
#include "script.h"
#include "session.h"

/* Rank 0 checks the output file before the computation. A script replaces everything that
 * follows. */
static int hmd_run(const struct command *o, struct comm *comm, struct err *e)
{
    struct session session = {.comm = comm};
    const char *write = comm->rank ? NULL : o->output.write;
    int status = err_try(write, e) ? ERR_RUN : 0;
    if (!status)
        status = comm_plan(comm, o->parallel.plan, e);
    /* The script has a session of its own; this one is still empty. */
    if (!status && o->input)
        return script_run(o, comm, e);
    if (!status)
        status = session_load(&session, o, e);
    if (!status && o->minimise.mini != MINIMISE_NONE)
        status = session_minimise(&session, o, e);
    if (!status)
        status = session_dynamics(&session, o, e);
    if (!status && o->output.write)
        status = session_write(&session, o->output.write, 0, NULL, NULL, e);
    session_free(&session);
    return status;
}

/* Options are parsed before the task enrols, so that -help works without a job; errors are printed
 * after it, by rank 0 only. Results are flushed before an error message, since both may go to one
 * terminal. */
int main(int argc, char **argv)
{
    struct command o;
    struct comm comm = {0};
    struct err e = {0};
    int usage = command_parse(&o, argc, argv, &e), status = usage;
    if (!status && o.help) {
        command_help();
        return printed_status("hmd", 0);
    }
    if (!status && o.version) {
        printf("hmd %s\n", HNOW_VERSION);
        return printed_status("hmd", 0);
    }
    struct err join = {0};
    if (comm_start(&comm, &join)) {
        fprintf(stderr, "hmd: %s\n", usage ? e.text : join.text);
        return usage ? usage : join.status;
    }
    if (!status)
        status = hmd_run(&o, &comm, &e);
    fflush(stdout); /* print results before the error message */
    if (status && e.text[0] && (comm.rank == 0 || e.mine))
        fprintf(stderr, "hmd: %s\n", e.text);
    if (e.common) /* the first task that ends terminates the job: wait until the cause is printed */
        comm_meet(&comm);
    else if (status && !e.mine)
        comm_await_first(&comm);
    comm_stop(&comm);
    return printed_status("hmd", status);
}
