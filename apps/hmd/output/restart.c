/* restart.c - see restart.h. */
#include "restart.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "runtime/internal.h"

enum { RESTART_VERSION = 4 }; /* of the format; others are refused */

/* Arrays are zero; the caller fills or reads them. */
void restart_new(struct restart *r, int natom)
{
    memset(r, 0, sizeof *r);
    r->natom = natom;
    r->x = mem_new(3 * (size_t)natom, sizeof(double));
    r->move = mem_new(3 * (size_t)natom, sizeof(double));
    r->list = mem_new(3 * (size_t)natom, sizeof(double));
}

void restart_free(struct restart *r)
{
    mem_free(r->x);
    mem_free(r->move);
    mem_free(r->list);
    memset(r, 0, sizeof *r);
}

/* 17 digits restore the same bits. The line "end" shows that the file is complete. The order of the
 * lines is fixed; restart_read() relies on it. */
static void restart_print(const struct restart *r, FILE *file)
{
    const double *b = r->cell.box, *t = r->cell.tilt;
    fprintf(file, "hmd-restart %d\natoms %d\ntasks %d\nstep %ld\ntimestep %.17g\n", RESTART_VERSION,
            r->natom, r->tasks, r->step, r->dt);
    fprintf(file, "box %.17g %.17g %.17g\ntilt %.17g %.17g %.17g\n", b[0], b[1], b[2], t[0], t[1],
            t[2]);
    fprintf(file, "zeta %.17g\neta %.17g\nseen %.17g %.17g\ncoordinates\n", r->zeta, r->eta,
            r->seen[0], r->seen[1]);
    for (int i = 0; i < r->natom; i++) {
        const double *part[3] = {r->x + 3 * i, r->move + 3 * i, r->list + 3 * i};
        for (int k = 0; k < 9; k++)
            fprintf(file, "%.17g%c", part[k / 3][k % 3], k < 8 ? ' ' : '\n');
    }
    fprintf(file, "end\n");
}

/* The old file is replaced only when the new one is complete. */
int restart_write(const struct restart *r, const char *path, struct err *e)
{
    struct replacement out;
    if (!err_create(&out, path, e))
        return ERR_RUN;
    restart_print(r, out.file);
    return err_close(&out, e);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Names the last line that was read. */
static int restart_bad(struct text *t, const char *want, struct err *e)
{
    return err_set(e, ERR_INPUT, "%s:%d: expected %s: is this a restart file of hmd, and complete?",
                   t->name, t->line, want);
}

/* The line "name v ..." with n numbers. v is not used for n = 0. */
static int restart_line(struct text *t, const char *name, double *v, int n, struct err *e)
{
    struct words w = {.n = 0};
    char *line = text_line(t);
    if (line)
        words_split(&w, line);
    int good = w.n == n + 1 && strcmp(w.at[0], name) == 0;
    for (int k = 0; good && k < n; k++)
        good = text_double(w.at[k + 1], &v[k]);
    return good ? 0 : restart_bad(t, name, e);
}

/* Nine numbers a line: x, move, list. */
static int restart_atoms(struct restart *r, struct text *t, struct err *e)
{
    for (int i = 0; i < r->natom; i++) {
        double *part[3] = {r->x + 3 * i, r->move + 3 * i, r->list + 3 * i};
        struct words w = {.n = 0};
        char *line = text_line(t);
        if (line)
            words_split(&w, line);
        int good = w.n == 9;
        for (int k = 0; good && k < 9; k++)
            good = text_double(w.at[k], &part[k / 3][k % 3]);
        if (!good)
            return restart_bad(t, "nine numbers for an atom", e);
    }
    return restart_line(t, "end", NULL, 0, e);
}

/* Numbers are read as doubles, also counts: their range is checked before they are converted. */
int restart_read(struct restart *r, struct text *t, int natom, struct err *e)
{
    double version, atoms, tasks, step, box[3], tilt[3];
    restart_new(r, natom);
    const struct {
        const char *name;
        double *v;
        int n;
    } line[] = {{"hmd-restart", &version, 1},
                {"atoms", &atoms, 1},
                {"tasks", &tasks, 1},
                {"step", &step, 1},
                {"timestep", &r->dt, 1},
                {"box", box, 3},
                {"tilt", tilt, 3},
                {"zeta", &r->zeta, 1},
                {"eta", &r->eta, 1},
                {"seen", r->seen, 2},
                {"coordinates", NULL, 0}};
    int status = 0;
    for (size_t k = 0; !status && k < sizeof line / sizeof *line; k++)
        status = restart_line(t, line[k].name, line[k].v, line[k].n, e);
    if (status)
        return status;
    if (version != RESTART_VERSION || atoms != natom)
        return err_set(e, ERR_INPUT,
                       "%s: restart file (version %.0f) for %.0f atoms, but the structure has %d: "
                       "take the PSF that the run began with",
                       t->name, version, atoms, natom);
    if (!(tasks >= 1 && tasks < 1e6 && step >= 0 && step < 1e15 && step < (double)LONG_MAX &&
          r->dt > 0))
        return restart_bad(t, "counts and a time step above 0", e);
    r->tasks = (int)tasks;
    r->step = (long)step;
    /* cell_set() accepts anything, so the volume is checked. */
    cell_set(&r->cell, box, tilt);
    if (r->cell.box[0] > 0 && !(cell_volume(&r->cell) > 0))
        return restart_bad(t, "a box that has a volume", e);
    return restart_atoms(r, t, e);
}
