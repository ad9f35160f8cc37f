/* script_average.c - COOR DYNAMICS: the mean places of the atoms in trajectories, and how far they
 * are from them (CHARMM's corman.doc).
 *
 *   COOR DYNA [COMP] [SELE ... END] FIRSTU unit [NUNIT n] [BEGIN step] [STOP step] [NSKIP n]
 *        [NOPRINT] [ORIENT [MASS] [WEIGHT] [NOROT] [SELE ... END]]
 *
 * The mean comes to the set, of the selected atoms; the root of the mean square of the distance
 * from it into their weights.  ORIENT brings each frame onto the second set before.
 */
#include <math.h>
#include <stdio.h>

#include "mem.h"
#include "script_frames.h"

/* Sums of the places and of their squares, in one pass: the places are taken from those of the
 * first frame, so that no digits are lost. */
struct average {
    double *origin, *sum; /* 3 * natom */
    double *square;       /* natom */
};

static void average_add(struct average *a, int natom, const double *x, int first)
{
    for (int i = 0; i < 3 * natom; i++) {
        a->origin[i] = first ? x[i] : a->origin[i];
        double d = x[i] - a->origin[i];
        a->sum[i] += d;
        a->square[i / 3] += d * d;
    }
}

static void average_end(const struct average *a, int natom, double frames,
                        const unsigned char *chosen, const struct coor_set *to)
{
    for (int i = 0; i < natom; i++) {
        double square = a->square[i] / frames;
        for (int k = 0; chosen[i] && k < 3; k++) {
            double mean = a->sum[3 * i + k] / frames;
            to->x[3 * i + k] = a->origin[3 * i + k] + mean;
            square -= mean * mean;
        }
        if (chosen[i])
            to->w[i] = sqrt(fmax(0, square));
    }
}

/* The frames, added up; how many there were: f->taken. */
static int average_frames(struct script *s, struct frames *f, const struct script_fit *fit,
                          struct average *a)
{
    int natom = s->session.in.psf.natom, status = frames_open(f);
    *a = (struct average){mem_new(3 * (size_t)natom, sizeof(double)),
                          mem_new(3 * (size_t)natom, sizeof(double)),
                          mem_new((size_t)natom, sizeof(double))};
    while (!status && frames_next(f, &status) > 0) {
        if (fit->on)
            script_fit(s, fit, f->x);
        average_add(a, natom, f->x, f->taken == 1);
    }
    s->at = 1;
    return status ? status : f->taken ? 0 : script_bad(s, frames_none);
}

int script_average(struct script *s)
{
    struct script_fit fit = {0};
    struct frames f = {.s = s};
    struct average a = {0};
    int comp = 0, status = script_fit_words(s, &fit);
    const struct script_key key[] = {{"COMPARISON", .flag = &comp, .is = 1},
                                     {"MAIN", .flag = &comp, .is = 0}};
    if (!status)
        status = script_cut_keys(s, 2, key, 2);
    if (!status)
        status = frames_words(s, &f, 2, 51);
    s->at = 2;
    if (!status && s->l.word.n > 2)
        status =
            script_bad(s, "COOR DYNA takes FIRSTU, NUNIT, BEGIN, STOP, NSKIP, COMP, NOPRINT, a "
                          "selection, and ORIENT with MASS, WEIGHT, NOROT and a second one");
    if (!status)
        status = average_frames(s, &f, &fit, &a);
    if (!status && comp)
        script_compare(s);
    if (!status) {
        const struct coor_set main = {s->session.in.x, s->session.in.w};
        average_end(&a, s->session.in.psf.natom, (double)f.taken, fit.chosen,
                    comp ? &s->compare : &main);
        s->placed |= !comp;
        script_result(s, "?NFRAME", (double)f.taken);
        if (s->comm->rank == 0)
            printf(" COOR DYNA: AVERAGE OF %ld FRAMES\n", f.taken);
    }
    mem_free(a.origin);
    mem_free(a.sum);
    mem_free(a.square);
    frames_close(&f);
    script_fit_free(&fit);
    return status;
}
