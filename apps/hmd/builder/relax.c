/* relax.c - makes a liquid of the builder's first guess: the bundled system's coordinates.
 *
 *   relax PSF PRM CRD BOX OUT.crd
 *
 * First steepest descent.  Then dynamics at 300 K in short pieces, each with new
 * velocities (Andersen, J. Chem. Phys. 72, 2384 (1980), all atoms colliding at once).  OUT is CRD
 * with the coordinates replaced.  One task; some 40 s for the bundled system.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm.h"
#include "dynamics.h"
#include "input.h"
#include "mem.h"
#include "minimise.h"
#include "velocity.h"

enum { DESCENT = 600, PIECES = 200, PIECE_STEPS = 100 };

struct relax {
    struct command command;
    struct comm comm;
    struct input in;
    struct scheme scheme;
    double cutnb;
    struct energy energy;
    struct constrain constrain;
};

static void relax_silent(void *context, const struct sample *sample, double change, double step)
{
    (void)context;
    (void)sample;
    (void)change;
    (void)step;
}

static void relax_quiet(void *context, const struct sample *sample)
{
    (void)context;
    (void)sample;
}

static int relax_descend(struct relax *r, struct err *e)
{
    struct minimise m = {.s = &r->in.system,
                         .comm = &r->comm,
                         .energy = &r->energy,
                         .constrain = &r->constrain,
                         .method = MINIMISE_SD,
                         .x = r->in.x,
                         .nstep = DESCENT,
                         .step = 0.05,
                         .report_every = DESCENT,
                         .report = relax_silent};
    return minimise_run(&m, e);
}

/* One piece of dynamics; 0, or a status. */
static int relax_piece(struct relax *r, int number, struct err *e)
{
    struct dynamics d = {.s = &r->in.system,
                         .comm = &r->comm,
                         .energy = &r->energy,
                         .constrain = &r->constrain,
                         .x = r->in.x,
                         .v = r->in.v,
                         .dt = 0.001,
                         .nstep = PIECE_STEPS,
                         .sample_every = PIECE_STEPS,
                         .report = relax_quiet};
    velocity_draw(d.s, d.x, 300, (uint64_t)number, d.v);
    int status = dynamics_run(&d, e);
    samples_free(&d.samples);
    mem_free(d.timers.share);
    return status;
}

/* Copies the CRD file, its coordinates replaced by ours. */
static int relax_write(const struct relax *r, const char *path, struct err *e)
{
    char line[256];
    FILE *in = fopen(r->command.files.crd, "r"), *out = fopen(path, "w");
    const double *x = r->in.x, *end = x + 3 * (size_t)r->in.system.natom;
    int header = 1, status = 0;
    if (!in || !out)
        status = err_set(e, ERR_RUN, "%s: cannot be written", path);
    while (!status && fgets(line, sizeof line, in)) {
        if (header || x == end || strlen(line) < 51)
            fputs(line, out);
        else
            fprintf(out, "%.20s%10.5f%10.5f%10.5f%s", line, x[0], x[1], x[2], line + 50);
        if (!header && x < end)
            x += 3;
        header = header && *line == '*';
    }
    if (in)
        fclose(in);
    if (out && fclose(out) && !status)
        status = err_set(e, ERR_RUN, "%s: cannot be written", path);
    return status;
}

static int relax_run(struct relax *r, const char *path, struct err *e)
{
    size_t warned = 0;
    int status = comm_start(&r->comm, e);
    if (!status)
        status = input_read(&r->in, &r->command, &r->comm, &warned, e);
    if (!status)
        status = command_scheme(&r->command, &r->in.nonbonded, &r->scheme, &r->cutnb, e);
    if (!status) {
        energy_init(&r->energy, &r->in.system, &r->scheme, r->cutnb, 0, 1);
        constrain_init(&r->constrain, &r->in.system, CONSTRAIN_NONE, 1e-10);
        status = relax_descend(r, e);
    }
    for (int i = 1; !status && i <= PIECES; i++)
        status = relax_piece(r, i, e);
    if (!status)
        status = relax_write(r, path, e);
    energy_free(&r->energy);
    constrain_free(&r->constrain);
    input_free(&r->in);
    return status;
}

int main(int argc, char **argv)
{
    struct relax r = {
        .command = {.pairs.cutnb = 12, .pairs.ctofnb = 10, .pairs.ctonnb = 8, .run.firstt = -1}};
    struct err e = {0};
    if (argc != 6) {
        fprintf(stderr, "usage: relax PSF PRM CRD BOX OUT.crd\n");
        return 2;
    }
    r.command.files.psf = argv[1];
    r.command.files.par[r.command.files.npar++] = argv[2];
    r.command.files.crd = argv[3];
    for (int k = 0; k < 3; k++)
        r.command.pairs.box[k] = atof(argv[4]);
    int status = relax_run(&r, argv[5], &e);
    if (status)
        fprintf(stderr, "relax: %s\n", e.text);
    comm_stop(&r.comm);
    return status;
}
