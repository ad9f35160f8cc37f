/* script_correl.c - CORREL: time series from trajectories, and what becomes of them (CHARMM's
 * correl.doc):
 *
 *   CORREL [MAXSERIES n] [MAXTIMESTEPS n] [MAXATOMS n]  ...  END      (there is room for all)
 *   ENTER name what                                                   (script_enter.c)
 *   TRAJECTORY FIRSTU unit [NUNIT n] [BEGIN step] [STOP step] [SKIP n] [SELE ... END]
 *              [ORIENT [MASS] SELE ... END]
 *   SHOW, EDIT, READ, WRITE, MANTIME, CORFUN                          (script_series.c)
 */
#include "script_correl.h"

#include <stdio.h>
#include <string.h>

#include "mem.h"

void script_correl_free(struct script *s)
{
    struct script_correl *c = s->correl;
    if (!c)
        return;
    for (int k = 0; k < c->n; k++) {
        series_free(&c->series[k]);
        mem_free(c->source[k].atom);
        mem_free(c->source[k].set);
    }
    series_free(&c->corr);
    mem_free(c->series);
    mem_free(c->source);
    mem_free(c);
    s->correl = NULL;
}

int script_correl(struct script *s)
{
    long ignored;
    int covariance = 0;
    const struct script_key key[] = {{"MAXTIMESTEPS", .count = &ignored},
                                     {"MAXSERIES", .count = &ignored},
                                     {"MAXATOMS", .count = &ignored},
                                     {"INBFRQ", .count = &ignored},
                                     {"IHBFRQ", .count = &ignored},
                                     {"IMGFRQ", .count = &ignored},
                                     {"NOUPDATE"},
                                     {"COVARIANCE", .flag = &covariance, .is = 1}};
    if (script_keys(s, 1, key, sizeof key / sizeof *key))
        return ERR_INPUT;
    s->at = 0;
    if (covariance)
        return script_bad(s, "hmd computes no covariance matrices: CORFUN name name has those of "
                             "single series");
    script_correl_free(s);
    s->correl = mem_new(1, sizeof *s->correl);
    strcpy(s->correl->corr.name, "CORR");
    s->correl->corr.vector = 1;
    s->correl->corr.skip = 1;
    s->module = SCRIPT_CORREL;
    return script_blame(s, script_load_structure(s));
}

/* ---- series ---------------------------------------------------------------------------------- */

struct series *correl_find(struct script *s, const char *name)
{
    struct script_correl *c = s->correl;
    if (!strncmp(name, "CORR", 4))
        return &c->corr;
    for (int k = 0; k < c->n; k++)
        if (c->series[k].name[0] && !strncmp(c->series[k].name, name, SERIES_NAME - 1))
            return &c->series[k];
    return NULL;
}

/* A column behind those that there are. */
static struct series *correl_new(struct script_correl *c, const char *name, int vector)
{
    mem_grow(&c->series, &c->room, (size_t)c->n + 1, sizeof *c->series);
    mem_grow(&c->source, &c->source_room, (size_t)c->n + 1, sizeof *c->source);
    struct series *q = &c->series[c->n];
    memset(q, 0, sizeof *q);
    c->source[c->n++] = (struct correl_source){.kind = CORREL_OTHER};
    snprintf(q->name, sizeof q->name, "%s", name);
    q->vector = vector;
    q->skip = 1;
    return q;
}

/* ENTER name DUPLICATE other. */
static int correl_duplicate(struct script *s, const char *name)
{
    struct script_correl *c = s->correl;
    s->at = 3;
    const struct series *from = s->l.word.n == 4 ? correl_find(s, s->l.word.at[3]) : NULL;
    if (!from)
        return script_bad(s, "expected the name of a series");
    int corr = from == &c->corr, at = corr ? 0 : (int)(from - c->series), vector = from->vector;
    for (int k = 0; k < vector; k++) {
        struct series *q = correl_new(c, k ? "" : name, k ? 0 : vector);
        series_copy(q, corr ? &c->corr : &c->series[at + k]); /* they may have moved */
    }
    return 0;
}

int correl_enter(struct script *s)
{
    struct correl_source source = {.kind = CORREL_OTHER};
    int vector = 1;
    char name[SERIES_NAME];
    s->at = 1;
    if (s->l.word.n < 3)
        return script_bad(s, "expected ENTER, a name and what the series is of");
    snprintf(name, sizeof name, "%s", s->l.word.at[1]);
    if (strlen(s->l.word.at[1]) >= SERIES_NAME || script_is(s, 1, "ALL") || correl_find(s, name))
        return script_bad(s, "expected a name of four letters at most, not ALL or CORR, that no "
                             "other series has");
    if (script_is(s, 2, "DUPLICATE"))
        return correl_duplicate(s, name);
    int status = correl_source(s, &source, &vector);
    if (status) {
        mem_free(source.atom);
        mem_free(source.set);
        return status;
    }
    for (int k = 0; k < vector; k++)
        correl_new(s->correl, k ? "" : name, k ? 0 : vector);
    s->correl->source[s->correl->n - vector] = source;
    return 0;
}

/* ---- TRAJECTORY ------------------------------------------------------------------------------ */

/* The values of a frame for all series that have been empty. */
static int correl_frame(struct script *s, const struct frames *f, const struct script_fit *fit,
                        const unsigned char *empty)
{
    struct script_correl *c = s->correl;
    double v[16];
    int status = 0;
    for (int k = 0; k < c->n && !status; k++) {
        struct series *q = &c->series[k];
        if (!empty[k])
            continue;
        status = correl_values(s, &c->source[k], f, fit, v);
        for (int i = 0; i < q->vector; i++) {
            if (f->taken == 1)
                q[i].offset = (double)f->step * f->file.dt;
            series_append(&q[i], v[i]);
        }
    }
    return status;
}

/* The time between two frames. */
static void correl_steps(struct script_correl *c, const unsigned char *empty, long skip, double dt)
{
    for (int k = 0; k < c->n; k++)
        for (int i = 0; empty[k] && i < c->series[k].vector; i++) {
            c->series[k + i].skip = skip > 0 ? skip : 1;
            c->series[k + i].delta = dt;
        }
}

static int correl_fill(struct script *s, struct frames *f, const struct script_fit *fit,
                       const unsigned char *empty)
{
    long before = 0, skip = 0;
    double dt = 0;
    int status = frames_open(f);
    while (!status && frames_next(f, &status) > 0) {
        skip = f->taken == 1 ? f->file.every : f->taken == 2 ? f->step - before : skip;
        dt = f->taken == 1 ? f->file.dt : dt;
        before = f->step;
        if (fit->on)
            script_fit(s, fit, f->x);
        status = frames_take(f, 0);
        if (!status)
            status = correl_frame(s, f, fit, empty);
    }
    s->at = 0;
    if (!status && !f->taken)
        status = script_bad(s, frames_none);
    correl_steps(s->correl, empty, skip, dt);
    return status;
}

int correl_trajectory(struct script *s)
{
    struct script_correl *c = s->correl;
    struct script_fit fit = {0};
    struct frames f = {.s = s};
    unsigned char *empty = mem_new((size_t)c->n, 1);
    for (int k = 0; k < c->n; k++)
        empty[k] =
            c->series[k].vector > 0 && c->series[k].n == 0 && c->source[k].kind != CORREL_OTHER;
    int status = script_fit_words(s, &fit);
    if (!status)
        status = frames_words(s, &f, 1, -1);
    s->at = 1;
    if (!status && s->l.word.n > 1)
        status = script_bad(s, "TRAJ takes FIRSTU, NUNIT, BEGIN, STOP, SKIP, a selection, and "
                               "ORIENT with MASS and a second one; hmd's trajectories have no "
                               "velocities");
    if (!status)
        status = correl_fill(s, &f, &fit, empty);
    if (!status && s->comm->rank == 0)
        printf(" CORREL: %ld FRAMES\n", f.taken);
    for (int k = 0; k < c->n && !status; k++)
        if (empty[k])
            correl_print(s, &c->series[k]);
    mem_free(empty);
    frames_close(&f);
    script_fit_free(&fit);
    return status;
}
