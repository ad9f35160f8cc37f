/* script_state.c - state used by all commands: the structure and coordinates of the script's files,
 * and ?NAMEs for results.  Files are read when the first command needs them, and again after
 * changes. After a failed reading the run ends, so a half-read molecule is never used. */
#include <string.h>

#include "mem.h"
#include "script_run.h"

/* A message that begins with the script's name has its place already. Messages of files other than
 * the script get its place in front: "script:12: file.psf:7: ...". */
int script_blame(struct script *s, int status)
{
    char text[sizeof s->e->text];
    if (status && s->e->text[0] && strncmp(s->e->text, s->l.t.name, strlen(s->l.t.name))) {
        memcpy(text, s->e->text, sizeof text);
        err_set(s->e, status, "%s:%d: %s", s->l.t.name, s->l.first, text);
    }
    return status;
}

/* Returns the kind of file that must be read first; NULL: none is missing. */
static const char *missing_file(const struct command *o)
{
    if (!o->files.psf)
        return "no structure: READ PSF CARD NAME FILE comes first";
    if (!o->files.par[0])
        return "no parameters: READ PARA CARD NAME FILE comes first";
    return NULL;
}

/* Commands such as NBONDS or SKIPE change the binding of terms, so files are read again.  Current
 * coordinates are preserved, since commands may have moved them. With another number of atoms they
 * are dropped. */
int script_load_structure(struct script *s)
{
    struct session *n = &s->session;
    double *x = NULL, *v = NULL, *w = NULL;
    size_t bytes = 0;
    /* Files are read at the first use, or after a change of settings. */
    if (!s->changed && n->loaded)
        return 0;
    const char *lack = missing_file(&s->o);
    int status = lack ? err_set(s->e, ERR_INPUT, "%s", lack) : command_check(&s->o, s->e);
    if (status)
        return status;
    /* The arrays are taken out, so that loading does not free them. */
    if (n->loaded && !s->new_coordinates) {
        bytes = 3 * (size_t)n->in.system.natom * sizeof *x;
        x = n->in.x;
        v = n->in.v;
        w = n->in.w;
        n->in.x = n->in.v = n->in.w = NULL;
    }
    status = session_load(n, &s->o, s->e);
    /* The new arrays have the file's coordinates, if any; those of the commands replace them. */
    if (!status && bytes == 3 * (size_t)n->in.system.natom * sizeof *x) {
        memcpy(n->in.x, x, bytes);
        memcpy(n->in.v, v, bytes);
        memcpy(n->in.w, w, bytes / 3);
    }
    mem_free(x);
    mem_free(v);
    mem_free(w);
    /* Also after an error, which ends the script. */
    s->changed = s->new_coordinates = 0;
    if (!status)
        script_atoms_attach(s);
    return status;
}

/* Coordinates come from a file, or from a command that made them. */
int script_load(struct script *s)
{
    int status = script_load_structure(s);
    if (!status && !s->o.files.crd && !s->o.files.pdb && !s->placed)
        status = err_set(s->e, ERR_INPUT, "no coordinates: READ COOR CARD NAME FILE comes first");
    return status;
}

/* All atoms must have coordinates. (COOR_UNKNOWN marks those without.) */
int script_ready(struct script *s)
{
    int status = script_load(s);
    return status ? status : coor_check(&s->session.in.psf, "coordinates", s->session.in.x, s->e);
}

/* The set is made when a command first needs it; its places are unknown then. Weights are 0. */
void script_compare(struct script *s)
{
    size_t n = (size_t)s->session.in.system.natom;
    if (s->compare.x)
        return;
    s->compare = (struct coor_set){mem_new(3 * n, sizeof(double)), mem_new(n, sizeof(double))};
    for (size_t i = 0; i < 3 * n; i++)
        s->compare.x[i] = COOR_UNKNOWN;
}

/* The text has the digits of FORMAT. A table of names that is full drops the value. */
void script_result(struct script *s, const char *name, double v)
{
    char text[SCRIPT_VALUE];
    script_line_number(&s->l, v, text);
    script_line_set(&s->l, name, text);
}

void script_results(struct script *s, const struct script_number *row, size_t n)
{
    for (size_t k = 0; k < n; k++)
        script_result(s, row[k].name, row[k].v);
}

/* From the cell, also when a barostat has changed it. */
void script_box_results(struct script *s, const struct cell *c)
{
    static const char *const name[6] = {"?XTLA",     "?XTLB",    "?XTLC",
                                        "?XTLALPHA", "?XTLBETA", "?XTLGAMMA"};
    double length[3], angle[3];
    cell_angles(c, length, angle);
    for (int k = 0; k < 3; k++) {
        script_result(s, name[k], length[k]);
        script_result(s, name[k + 3], angle[k]);
    }
}
