/* script_trajectory.c - trajectories frame by frame, and as files (CHARMM's dynamc.doc):
 *
 *   TRAJECTORY [FIRSTU unit [NUNIT n] [BEGIN step] [STOP step] [SKIP n]]
 *              [IWRITE unit [NWRITE n] [NFILE frames] [NOTHER frames] [DELTA ps]]
 *   TRAJECTORY READ|WRITE [COMP]       TRAJECTORY QUERY UNIT unit
 *   MERGE FIRSTU unit [NUNIT n] [BEGIN step] [STOP step] [SKIP n] OUTPUTU unit [NFILE frames]
 *         [SELE ... END] [ORIENT [MASS] [WEIGHT] [NOROT] SELE ... END] [RECENTER] [UNFOLD]
 * [NOCRYSTAL]
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dcd.h"
#include "mem.h"
#include "script_frames.h"
#include "superpose.h"

/* Files that get frames, one after the other. */
struct traj_out {
    long unit, units, nfile; /* unit < 0: none; frames of a file, 0: all */
    long at;                 /* the unit being written, from 0 */
    long first, every, done; /* steps; frames of all files */
    int boxless;             /* the box is not written */
    struct dcd dcd;          /* at the first task */
};

struct script_trajectory {
    struct frames in;
    int reads;
    struct traj_out out;
};

void script_trajectory_free(struct script *s)
{
    struct script_trajectory *t = s->trajectory;
    struct err late;
    if (!t)
        return;
    frames_close(&t->in);
    dcd_close(&t->out.dcd, &late); /* it was whole after each frame */
    mem_free(t);
    s->trajectory = NULL;
}

/* ---- writing ------------------------------------------------------------------------------- */

/* The file of the k-th unit from the first on; NULL: none. */
static const char *traj_out_path(const struct script *s, const struct traj_out *o, long k)
{
    return k < o->units && o->unit + k < SCRIPT_UNITS ? s->unit[o->unit + k] : NULL;
}

/* A file that is being read is not written. */
static int traj_out_check(struct script *s, const struct traj_out *o, const struct frames *f)
{
    s->at = 0;
    for (long i = 0; i < f->units; i++)
        for (long k = 0; traj_out_path(s, o, k); k++)
            if (s->unit[f->unit + i] && !strcmp(s->unit[f->unit + i], traj_out_path(s, o, k)))
                return script_bad(s, "this file is read: give another one to be written");
    return 0;
}

/* Adds a frame of natom atoms to the file at hand, which is opened before its first. */
static int traj_out_write(struct script *s, struct traj_out *o, int natom, const double *x,
                          double dt)
{
    const struct cell *cell = &s->session.in.system.cell;
    int status = 0;
    if (o->nfile > 0 && o->done == (o->at + 1) * o->nfile) {
        o->at++;
        if (s->comm->rank == 0)
            status = dcd_close(&o->dcd, s->e);
    }
    s->at = 0;
    if (!traj_out_path(s, o, o->at))
        return script_bad(s, o->at ? "all files are full: OPEN more units, or give more frames each"
                                   : "no OPEN command has given the unit to be written a file");
    if (s->comm->rank == 0 && !status && !o->dcd.file) {
        o->dcd = (struct dcd){.natom = natom,
                              .boxed = cell->box[0] > 0 && !o->boxless,
                              .freedom = 3 * natom,
                              .first = o->first + o->done * o->every,
                              .every = o->every,
                              .dt = dt};
        status = dcd_open(&o->dcd, traj_out_path(s, o, o->at), s->e);
    }
    if (s->comm->rank == 0 && !status)
        status = dcd_frame(&o->dcd, x, cell, s->e);
    o->done++;
    s->e->mine = status != 0;
    return script_blame(s, status);
}

/* ---- TRAJECTORY ---------------------------------------------------------------------------- */

/* What a file's header says, as ?NFILE and so on. */
static void traj_header(struct script *s, const struct dcd_reader *r, int show)
{
    const struct {
        const char *name;
        double v;
    } row[] = {{"?NFILE", (double)r->frames}, {"?START", (double)r->first},
               {"?SKIP", (double)r->every},   {"?NSTEP", (double)r->steps},
               {"?NDEGF", r->freedom},        {"?DELTA", r->dt}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        script_result(s, row[k].name, row[k].v);
    if (show && s->comm->rank == 0)
        printf(" TRAJECTORY %s: %ld FRAMES FROM STEP %ld, EVERY %ld; %ld STEPS OF %g PS, %d "
               "DEGREES OF FREEDOM%s\n",
               r->path, r->frames, r->first, r->every, r->steps, r->dt, r->freedom,
               r->boxed ? ", WITH A BOX" : "");
}

static int traj_query(struct script *s)
{
    struct frames f;
    long unit = -1;
    const struct script_key key[] = {{"UNIT", .count = &unit}};
    if (script_only_keys(s, 2, key, 1, "TRAJ QUERY takes UNIT and a number"))
        return ERR_INPUT;
    int status = frames_words(s, &f, 2, unit);
    if (!status)
        status = frames_open(&f);
    if (!status)
        traj_header(s, &f.file, 1);
    frames_close(&f);
    return status;
}

static int traj_begin(struct script *s)
{
    struct script_trajectory *t;
    double dt = 0.001;
    long other = 0;
    script_trajectory_free(s);
    t = s->trajectory = mem_new(1, sizeof *t);
    t->out = (struct traj_out){.unit = -1, .units = 1};
    const struct script_key key[] = {{"IWRITE", .count = &t->out.unit},
                                     {"NWRITE", .count = &t->out.units},
                                     {"NFILE", .count = &t->out.nfile},
                                     {"NOTHER", .count = &other},
                                     {"DELTA", .real = &dt},
                                     {"EXPAND"}};
    if (script_cut_keys(s, 1, key, sizeof key / sizeof *key))
        return ERR_INPUT;
    t->reads = script_says(s, "FIRSTUNIT") || script_says(s, "IREAD");
    int status = frames_words(s, &t->in, 1, -1);
    s->at = 1;
    if (!status && s->l.word.n > 1)
        return script_bad(s, "TRAJECTORY takes FIRSTU, NUNIT, BEGIN, STOP, SKIP, IWRITE, NWRITE, "
                             "NFILE, NOTHER, DELTA; or READ, WRITE with COMP, or QUERY UNIT n");
    if (!status && !t->reads && !(t->out.unit >= 0 && traj_out_path(s, &t->out, 0)))
        return script_bad(
            s, "expected FIRSTU, a unit to read from, or IWRITE, one to write to, that OPEN has "
               "given a file");
    if (!status && t->reads)
        status = frames_open(&t->in);
    if (!status && t->reads && t->out.unit >= 0)
        status = traj_out_check(s, &t->out, &t->in);
    if (status)
        return status;
    if (t->reads)
        traj_header(s, &t->in.file, 0);
    t->out.every = t->reads && t->in.skip < t->in.file.every ? t->in.file.every : t->in.skip;
    t->out.first = (other + 1) * t->out.every;
    t->in.file.dt = t->reads ? t->in.file.dt : dt;
    return 0;
}

static int traj_read(struct script *s, int comp)
{
    struct script_trajectory *t = s->trajectory;
    int status = 0;
    if (!t || !t->reads)
        return script_bad(s, "TRAJECTORY FIRSTU unit comes first");
    int got = frames_next(&t->in, &status);
    if (got < 0)
        return status;
    s->at = 0;
    if (got == 0)
        return script_bad(s, "there are no more frames: ?NFILE tells how many a file has");
    if (t->in.taken == 1)
        t->out.first = t->in.step;
    return frames_take(&t->in, comp);
}

static int traj_write(struct script *s, int comp)
{
    struct script_trajectory *t = s->trajectory;
    if (!t || t->out.unit < 0)
        return script_bad(s, "TRAJECTORY IWRITE unit comes first");
    int status = comp ? 0 : script_blame(s, script_load(s));
    if (!status && comp && !s->compare.x)
        status = script_bad(s, "COMP: COOR COPY COMP comes first");
    if (status)
        return status;
    return traj_out_write(s, &t->out, s->session.in.psf.natom,
                          comp ? s->compare.x : s->session.in.x, t->in.file.dt);
}

int script_trajectory(struct script *s)
{
    int comp = 0, read = script_is(s, 1, "READ");
    s->at = 1;
    if (script_is(s, 1, "QUERY"))
        return traj_query(s);
    if (!read && !script_is(s, 1, "WRITE"))
        return traj_begin(s);
    const struct script_key key[] = {{"COMPARISON", .flag = &comp, .is = 1},
                                     {"MAIN", .flag = &comp, .is = 0}};
    if (script_only_keys(s, 2, key, 2, "TRAJ READ and WRITE take COMP"))
        return ERR_INPUT;
    s->at = 1;
    return read ? traj_read(s, comp) : traj_write(s, comp);
}

/* ---- fitting frames ------------------------------------------------------------------------ */

void script_fit(const struct script *s, const struct script_fit *fit, double *x)
{
    int n = s->session.in.psf.natom;
    double *weight = mem_new((size_t)n, sizeof *weight);
    struct superpose m;
    for (int i = 0; i < n; i++)
        weight[i] = fit->set[i] ? (fit->mass ? s->session.in.system.mass[i] : 1) *
                                      (fit->weight ? s->compare.w[i] : 1)
                                : 0;
    superpose_fit(&m, n, x, s->compare.x, weight);
    for (int k = 0; fit->shift && k < 9; k++)
        m.turn[k / 3][k % 3] = k % 4 == 0;
    superpose_move(&m, n, x);
    mem_free(weight);
}

int script_fit_words(struct script *s, struct script_fit *fit)
{
    const struct script_key key[] = {{"ORIENT", .flag = &fit->on, .is = 1},
                                     {"MASS", .flag = &fit->mass, .is = 1},
                                     {"WEIGHT", .flag = &fit->weight, .is = 1},
                                     {"NOROTATION", .flag = &fit->shift, .is = 1},
                                     {"NOPRINT"},
                                     {"PRINT"},
                                     {"RECENTER", .flag = &fit->recenter, .is = 1},
                                     {"UNFOLD", .flag = &fit->unfold, .is = 1}};
    size_t keys = sizeof key / sizeof *key - (fit->merges ? 0 : 2);
    int status = 0;
    for (int n = 0; n < 2 && !status && (n == 0 || script_selects(s)); n++)
        status = script_select(s, n ? &fit->set : &fit->chosen);
    if (!status)
        status = script_cut_keys(s, 1, key, keys);
    s->at = 0;
    if (!status && fit->on && !s->compare.x)
        return script_bad(s, "ORIENT fits to COOR's second set: COOR COPY COMP comes first");
    if (!status && !fit->on &&
        (fit->mass || fit->weight || fit->shift || (fit->set && !fit->recenter)))
        return script_bad(s, "MASS, WEIGHT, NOROT and a second selection belong to ORIENT");
    if (!status && !fit->set) {
        fit->set = mem_new((size_t)s->session.in.psf.natom, 1);
        memset(fit->set, 1, (size_t)s->session.in.psf.natom);
    }
    if (!status && fit->on)
        status = script_blame(s, coor_check(&s->session.in.psf, "COMP", s->compare.x, s->e));
    return status ? status : recenter_check(s, fit);
}

void script_fit_free(struct script_fit *fit)
{
    mem_free(fit->chosen);
    mem_free(fit->set);
}

/* ---- MERGE --------------------------------------------------------------------------------- */

/* Every frame goes to the files of `out`. */
static int merge_frames(struct script *s, struct frames *f, const struct script_fit *fit,
                        struct traj_out *out)
{
    int n = s->session.in.psf.natom, chosen = 0, status = 0;
    double *x = mem_new(3 * (size_t)n, sizeof *x), *before = mem_new(3 * (size_t)n, sizeof *x);
    while (!status && frames_next(f, &status) > 0) {
        if (!out->done)
            out->first = f->step;
        status = frames_take(f, 0);
        if (fit->recenter)
            recenter_frame(s, fit->set, f->x);
        if (fit->unfold)
            unfold_frame(s, before, f->taken == 1, f->x);
        if (fit->on)
            script_fit(s, fit, f->x);
        chosen = 0;
        for (int i = 0; i < n; i++)
            if (fit->chosen[i])
                memcpy(x + 3 * (size_t)chosen++, f->x + 3 * (size_t)i, 3 * sizeof *x);
        if (!status)
            status = traj_out_write(s, out, chosen, x, f->file.dt);
    }
    mem_free(x);
    mem_free(before);
    return status;
}

int script_merge(struct script *s)
{
    struct traj_out out = {.unit = 61};
    struct script_fit fit = {.merges = 1};
    struct frames f = {.s = s};
    const struct script_key key[] = {{"OUTPUTUNIT", .count = &out.unit},
                                     {"NFILE", .count = &out.nfile},
                                     {"NOCRYSTAL", .flag = &out.boxless, .is = 1},
                                     {"COOR"}};
    int status = script_fit_words(s, &fit);
    if (!status)
        status = script_cut_keys(s, 1, key, sizeof key / sizeof *key);
    if (!status)
        status = frames_words(s, &f, 1, 51);
    s->at = 1;
    if (!status && s->l.word.n > 1)
        status = script_bad(s, "MERGE takes FIRSTU, NUNIT, BEGIN, STOP, SKIP, OUTPUTU, NFILE, a "
                               "selection, and ORIENT with MASS, WEIGHT, NOROT and a second one, "
                               "RECENTER with that one, UNFOLD, NOCRYSTAL");
    out.units = out.nfile > 0 ? SCRIPT_UNITS : 1;
    if (!status)
        status = frames_open(&f);
    if (!status)
        status = traj_out_check(s, &out, &f);
    if (!status) {
        out.every = f.skip < f.file.every ? f.file.every : f.skip;
        status = merge_frames(s, &f, &fit, &out);
    }
    if (!status && s->comm->rank == 0)
        printf(" MERGE: %ld FRAMES ARE WRITTEN\n", out.done);
    struct err late;
    dcd_close(&out.dcd, &late);
    frames_close(&f);
    script_fit_free(&fit);
    return status;
}
