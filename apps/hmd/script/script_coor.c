/* script_coor.c - COOR: what is done with coordinates as a whole (CHARMM's corman.doc).
 *
 *   COOR COPY [COMP]   COOR SWAP   COOR RMS [MASS]   COOR STAT [COMP]
 *   COOR TRANSLATE XDIR x YDIR y ZDIR z
 *
 * All atoms take part: a selection other than ALL is refused, since it would be passed over.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "script_run.h"

static size_t coor_n(const struct script *s)
{
    return 3 * (size_t)s->session.in.system.natom;
}

static void coor_swap(double *a, double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double v = a[i];
        a[i] = b[i];
        b[i] = v;
    }
}

static void coor_rms(struct script *s, int by_mass)
{
    const struct system *y = &s->session.in.system;
    double sum = 0, mass = 0;
    for (int i = 0; i < y->natom; i++) {
        double m = by_mass ? y->mass[i] : 1;
        for (int k = 0; k < 3; k++) {
            double d = s->session.in.x[3 * i + k] - s->compare[3 * i + k];
            sum += m * d * d;
        }
        mass += m;
    }
    double rms = sqrt(sum / mass);
    char text[32];
    snprintf(text, sizeof text, "%.10g", rms);
    script_line_set(&s->l, "?RMS", text);
    if (s->comm->rank == 0)
        printf(" TOTAL SQUARE DIFF IS %12.4f  DENOMINATOR IS %12.4f\n       THUS RMS DIFF IS "
               "%12.6f\n",
               sum, mass, rms);
}

static void coor_stat(struct script *s, const double *x)
{
    int n = s->session.in.system.natom;
    if (s->comm->rank)
        return;
    printf(" STATISTICS FOR %d SELECTED ATOMS:\n", n);
    for (int k = 0; k < 3; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL, sum = 0;
        for (int i = 0; i < n; i++) {
            low = fmin(low, x[3 * i + k]);
            high = fmax(high, x[3 * i + k]);
            sum += x[3 * i + k];
        }
        printf("    %cMIN = %12.6f %cMAX = %12.6f %cAVE = %12.6f\n", 'X' + k, low, 'X' + k, high,
               'X' + k, sum / n);
    }
}

struct coor_words {
    int what, comp, mass;
    double dir[3];
};
enum { COOR_COPY = 1, COOR_SWAP, COOR_RMS, COOR_STAT, COOR_TRANSLATE };

static int coor_parse(struct script *s, struct coor_words *w)
{
    const struct script_key key[] = {{"COPY", .flag = &w->what, .is = COOR_COPY},
                                     {"SWAP", .flag = &w->what, .is = COOR_SWAP},
                                     {"RMS", .flag = &w->what, .is = COOR_RMS},
                                     {"STATISTICS", .flag = &w->what, .is = COOR_STAT},
                                     {"TRANSLATE", .flag = &w->what, .is = COOR_TRANSLATE},
                                     {"COMPARISON", .flag = &w->comp, .is = 1},
                                     {"MASS", .flag = &w->mass, .is = 1},
                                     {"XDIR", .real = &w->dir[0]},
                                     {"YDIR", .real = &w->dir[1]},
                                     {"ZDIR", .real = &w->dir[2]}};
    for (s->at = 1; s->at < s->l.word.n; s->at++) {
        int found = 0;
        if (script_key(s, key, sizeof key / sizeof *key, &found))
            return ERR_INPUT;
        if (found)
            continue;
        if (script_is(s, s->at, "SELECTION") && script_is(s, s->at + 1, "ALL") &&
            script_is(s, s->at + 2, "END"))
            s->at += 2;
        else
            return script_bad(s, "COOR takes COPY, SWAP, RMS, STAT or TRANS, COMP, MASS, and XDIR "
                                 "YDIR ZDIR with numbers");
    }
    s->at = 0;
    return w->what ? 0 : script_bad(s, "expected COPY, SWAP, RMS, STAT or TRANS behind it");
}

int script_coor(struct script *s)
{
    struct coor_words w = {0};
    int status = coor_parse(s, &w);
    if (!status)
        status = script_blame(s, script_load(s));
    if (status)
        return status;
    double *x = s->session.in.x;
    if (!s->compare)
        s->compare = mem_new(coor_n(s), sizeof *s->compare);
    double *set = w.comp ? s->compare : x;
    if (w.what == COOR_COPY)
        memcpy(set, w.comp ? x : s->compare, coor_n(s) * sizeof *x);
    else if (w.what == COOR_SWAP)
        coor_swap(x, s->compare, coor_n(s));
    else if (w.what == COOR_RMS)
        coor_rms(s, w.mass);
    else if (w.what == COOR_STAT)
        coor_stat(s, set);
    for (size_t i = 0; w.what == COOR_TRANSLATE && i < coor_n(s); i++)
        set[i] += w.dir[i % 3];
    return 0;
}
