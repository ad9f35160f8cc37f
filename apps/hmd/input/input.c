/* input.c - see input.h.
 *
 * Rank 0 reads the files and broadcasts their text (CHARMM's PSNDC).  Every task parses it, so that
 * all get the same system, or the same error.
 *
 * Order: structure, topology, parameters, binding, coordinates, lone pairs, velocities. Later steps
 * need the earlier ones; the first error skips the rest.
 */
#include "input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lonepair.h"
#include "mem.h"

/* On the stack of one reading. `param` is needed only until the system is made. `in` belongs to the
 * caller, the other pointers too. */
struct input_reader {
    struct input *in;
    const struct command *o;
    struct comm *comm;
    struct err *e;
    struct param param;
};

/* Opens one file; *data must be freed after the text has been used. Collective: one broadcast of
 * the file. */
static int input_open(struct input_reader *r, const char *path, struct text *t, char **data)
{
    size_t length;
    int status = comm_file(r->comm, path, data, &length, r->e);
    if (!status)
        text_open(t, path, *data, length);
    return status;
}

/* Replaces the structure's charges and masses. SCALAR's numbers count only for the structure they
 * were made for. */
static void input_replace(struct psf *psf, const struct command *o)
{
    for (int i = 0; o->atoms.natom == psf->natom && i < psf->natom; i++) {
        psf->atom[i].charge = o->atoms.charge ? o->atoms.charge[i] : psf->atom[i].charge;
        psf->atom[i].mass = o->atoms.mass ? o->atoms.mass[i] : psf->atom[i].mass;
    }
}

/* Atoms are deleted before the numbers are replaced: both are by index in the remaining structure.
 */
static int input_psf(struct input_reader *r)
{
    struct text t;
    char *data = NULL;
    int status = input_open(r, r->o->files.psf, &t, &data);
    if (!status)
        status = psf_read(&r->in->psf, &t, r->e);
    if (!status && r->o->atoms.gone)
        psf_delete(&r->in->psf, r->o->atoms.gone);
    if (!status)
        input_replace(&r->in->psf, r->o);
    mem_free(data);
    return status;
}

/* Topology files first, so that types are known when parameters are read. topology: 1 for the first
 * list; a file may still be of the other kind (param_kind()). */
static int input_param(struct input_reader *r, const char *const *path, int n, int topology)
{
    int status = 0;
    for (int i = 0; !status && i < n; i++) {
        struct text t;
        char *data = NULL;
        status = input_open(r, path[i], &t, &data);
        /* Names of the script at the time of its STREAM, for @NAME in the file. */
        r->param.names = topology ? NULL : r->o->files.names_of[i];
        r->param.nnames = topology ? 0 : r->o->files.names_n[i];
        if (!status)
            status = param_read(&r->param, &t, topology, r->e);
        mem_free(data);
    }
    return status;
}

enum { INPUT_WARNINGS = 10 }; /* printed in one reading */

/* Only the first INPUT_WARNINGS are printed in full. Warnings printed by an earlier reading of the
 * same files are not repeated. */
static void input_warn(const struct input_reader *r, size_t *warned)
{
    size_t n = r->param.warnings.nwarning,
           to = n > *warned + INPUT_WARNINGS ? *warned + INPUT_WARNINGS : n;
    for (size_t i = *warned; r->comm->rank == 0 && i < to; i++)
        fprintf(stderr, "hmd: warning: %s\n", r->param.warnings.warning[i].text);
    if (r->comm->rank == 0 && to < n)
        fprintf(stderr, "hmd: warning: %zu more parameters are given again\n", n - to);
    /* It never decreases, so a shorter list of files does not bring old warnings back. */
    *warned = n > *warned ? n : *warned;
}

/* Collective: the file is read by rank 0 and broadcast. to may be any set with natom entries. The
 * note goes to standard error, as it is no result. */
int input_coordinates(struct input *in, const char *path, int pdb, const struct coor_set *to,
                      const unsigned char *chosen, struct comm *comm, struct err *e)
{
    struct input_reader reader = {.in = in, .comm = comm, .e = e}, *r = &reader;
    struct text t;
    struct coor_file c = {0};
    struct err note = {0};
    char *data = NULL;
    int status = input_open(r, path, &t, &data);
    if (!status)
        status = pdb ? pdb_read(&c, &t, e) : crd_read(&c, &t, e);
    if (!status)
        status = coor_match(&c, &in->psf, path, chosen, to, &note, e);
    if (!status && note.text[0] && comm->rank == 0)
        fprintf(stderr, "hmd: note: %s\n", note.text);
    coor_free(&c);
    mem_free(data);
    return status;
}

/* Places lone pairs by their hosts, regardless of the file. Degenerate hosts give coordinates that
 * are no numbers. All lone pairs are placed, also those with coordinates in the file. */
static int input_lonepairs(struct input *in, struct err *e)
{
    const struct system *s = &in->system;
    lonepair_place(s, in->x, 0, s->natom);
    for (int i = 0; i < s->nlonepair; i++) {
        const struct psf_atom *a = &in->psf.atom[s->lonepair[i].atom];
        const double *x = in->x + 3 * (size_t)s->lonepair[i].atom;
        if (!isfinite(x[0] + x[1] + x[2]))
            return err_set(e, ERR_INPUT,
                           "%s:%d: lone pair %s %s %s has no place: its hosts lie in a line, or on "
                           "each other: check their coordinates",
                           in->psf.file, a->line, a->resname, a->resid, a->name);
    }
    return 0;
}

/* Topology before parameters: types get their masses and numbers there. After an error *in is
 * partly made; input_free() frees it. */
int input_read(struct input *in, const struct command *o, struct comm *comm, size_t *warned,
               struct err *e)
{
    struct input_reader r = {.in = in, .o = o, .comm = comm, .e = e};
    memset(in, 0, sizeof *in);
    param_init(&r.param);
    int status = input_psf(&r);
    if (!status)
        status = input_param(&r, o->files.top, o->files.ntop, 1);
    if (!status)
        status = input_param(&r, o->files.par, o->files.npar, 0);
    if (!status)
        input_warn(&r, warned);
    /* Words of commands replace those of the parameter files here. Also after an error, which does
     * not use them. */
    param_options_merge(&r.param.options, &o->pairs.nonbonded);
    if (!status)
        status = system_make(&in->system, &in->psf, &r.param, &o->pairs.skip, o->pairs.box, e);
    /* system_make() has made a right-angled box; angles follow here. */
    if (!status && o->pairs.box[0] > 0 &&
        !cell_make(&in->system.cell, o->pairs.box, o->pairs.angle))
        status = command_bad_box(o, e);
    if (!status) {
        in->x = mem_new(3 * (size_t)in->psf.natom, sizeof(double));
        in->v = mem_new(3 * (size_t)in->psf.natom, sizeof(double));
        in->w = mem_new((size_t)in->psf.natom, sizeof(double));
    }
    /* NULL: a velocity file has no use for weights. */
    const struct coor_set places = {in->x, in->w}, velocities = {in->v, NULL};
    if (!status && (o->files.pdb || o->files.crd)) /* else they come from a restart file */
        status = input_coordinates(in, o->files.pdb ? o->files.pdb : o->files.crd,
                                   o->files.pdb != NULL, &places, NULL, comm, e);
    /* Without a file there is nothing to place them by; a restart file has them. */
    if (!status && (o->files.pdb || o->files.crd))
        status = input_lonepairs(in, e);
    if (!status)
        status =
            o->files.vel ? input_coordinates(in, o->files.vel, 0, &velocities, NULL, comm, e) : 0;
    /* For the scheme, which is made after the parameters are gone. */
    in->nonbonded = r.param.options;
    param_free(&r.param);
    return status;
}

void input_free(struct input *in)
{
    psf_free(&in->psf);
    system_free(&in->system);
    mem_free(in->x);
    mem_free(in->v);
    mem_free(in->w);
    memset(in, 0, sizeof *in);
}
