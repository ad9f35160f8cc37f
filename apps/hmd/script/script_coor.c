/* script_coor.c - COOR: what is done with coordinates as a whole (CHARMM's corman.doc).
 *
 *   COOR COPY [COMP]   COOR SWAP   COOR RMS [MASS]   COOR STAT [COMP] [MASS]
 *   COOR ORIENT [RMS] [MASS] [COMP]   COOR TRANSLATE [COMP] XDIR x YDIR y ZDIR z
 *
 * each with SELE ... END: the atoms that count, or that are copied or moved; ORIENT moves all.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "script_run.h"
#include "superpose.h"

struct coor_words {
    int what, comp, mass, rms;
    double dir[3];
    unsigned char *set; /* the atoms that are selected */
};
enum { COOR_COPY = 1, COOR_SWAP, COOR_RMS, COOR_STAT, COOR_TRANSLATE, COOR_ORIENT };

static int coor_natom(const struct script *s)
{
    return s->session.in.system.natom;
}

/* What an atom counts: 0 where it is not selected. */
static double coor_weight(const struct script *s, const struct coor_words *w, int i)
{
    return !w->set[i] ? 0 : w->mass ? s->session.in.system.mass[i] : 1;
}

/* b goes to a; or each goes to where the other was. */
static void coor_copy(const struct script *s, const struct coor_words *w, double *a, double *b)
{
    for (int i = 0; i < 3 * coor_natom(s); i++) {
        double v = a[i];
        if (!w->set[i / 3])
            continue;
        a[i] = b[i];
        b[i] = w->what == COOR_SWAP ? v : b[i];
    }
}

static void coor_rms(struct script *s, const struct coor_words *w)
{
    double sum = 0, mass = 0;
    for (int i = 0; i < coor_natom(s); i++) {
        double m = coor_weight(s, w, i);
        for (int k = 0; k < 3; k++) {
            double d = s->session.in.x[3 * i + k] - s->compare[3 * i + k];
            sum += m * d * d;
        }
        mass += m;
    }
    double rms = mass > 0 ? sqrt(sum / mass) : 0;
    script_result(s, "?RMS", rms);
    if (s->comm->rank == 0)
        printf(" TOTAL SQUARE DIFF IS %12.4f  DENOMINATOR IS %12.4f\n       THUS RMS DIFF IS "
               "%12.6f\n",
               sum, mass, rms);
}

static void coor_stat(struct script *s, const struct coor_words *w, const double *x)
{
    int n = 0;
    for (int i = 0; i < coor_natom(s); i++)
        n += w->set[i];
    script_result(s, "?NSEL", n);
    if (s->comm->rank == 0)
        printf(" STATISTICS FOR %d SELECTED ATOMS:\n", n);
    for (int k = 0; k < 3; k++) {
        double v[3] = {HUGE_VAL, -HUGE_VAL, 0}, all = 0;
        for (int i = 0; i < coor_natom(s); i++) {
            if (!w->set[i])
                continue;
            v[0] = fmin(v[0], x[3 * i + k]);
            v[1] = fmax(v[1], x[3 * i + k]);
            v[2] += coor_weight(s, w, i) * x[3 * i + k];
            all += coor_weight(s, w, i);
        }
        v[2] /= all > 0 ? all : 1;
        for (int j = 0; j < 3; j++) {
            static const char *const what[] = {"MIN", "MAX", "AVE"};
            const char name[] = {'?', (char)('X' + k), what[j][0], what[j][1], what[j][2], 0};
            v[j] = n ? v[j] : 0;
            script_result(s, name, v[j]);
            if (s->comm->rank == 0)
                printf("    %s = %12.6f%s", name + 1, v[j], j < 2 ? "" : "\n");
        }
    }
}

static void coor_orient(struct script *s, const struct coor_words *w, double *x)
{
    int n = coor_natom(s);
    double *weight = mem_new((size_t)n, sizeof *weight);
    struct superpose m;
    for (int i = 0; i < n; i++)
        weight[i] = coor_weight(s, w, i);
    if (w->rms)
        superpose_fit(&m, n, x, w->comp ? s->session.in.x : s->compare, weight);
    else
        superpose_axes(&m, n, x, weight);
    superpose_move(&m, n, x);
    mem_free(weight);
    if (w->rms)
        coor_rms(s, w);
}

static int coor_parse(struct script *s, struct coor_words *w)
{
    const struct script_key what[] = {{"COPY", .flag = &w->what, .is = COOR_COPY},
                                      {"SWAP", .flag = &w->what, .is = COOR_SWAP},
                                      {"RMS", .flag = &w->what, .is = COOR_RMS},
                                      {"STATISTICS", .flag = &w->what, .is = COOR_STAT},
                                      {"ORIENT", .flag = &w->what, .is = COOR_ORIENT},
                                      {"TRANSLATE", .flag = &w->what, .is = COOR_TRANSLATE}};
    const struct script_key key[] = {{"COMPARISON", .flag = &w->comp, .is = 1},
                                     {"MASS", .flag = &w->mass, .is = 1},
                                     {"RMS", .flag = &w->rms, .is = 1},
                                     {"XDIR", .real = &w->dir[0]},
                                     {"YDIR", .real = &w->dir[1]},
                                     {"ZDIR", .real = &w->dir[2]}};
    int found = 0;
    s->at = 1;
    if (script_key(s, what, sizeof what / sizeof *what, &found))
        return ERR_INPUT;
    if (!found)
        return script_bad(s, "hmd has COOR COPY, SWAP, RMS, STAT, ORIENT and TRANS");
    for (s->at = 2; s->at < s->l.word.n; s->at++) {
        found = 0;
        if (script_key(s, key, sizeof key / sizeof *key, &found))
            return ERR_INPUT;
        if (!found)
            return script_bad(s, "COOR takes COMP, MASS, RMS (with ORIENT), XDIR YDIR ZDIR with "
                                 "numbers, and SELE ... END");
    }
    int compares = w->what == COOR_RMS || w->rms || (w->what == COOR_COPY && !w->comp);
    s->at = 1;
    return compares && !s->compare
               ? script_bad(s, "there are no others: COOR COPY COMP comes first")
               : 0;
}

static void coor_act(struct script *s, const struct coor_words *w)
{
    double *x = s->session.in.x, *set = w->comp ? s->compare : x;
    switch (w->what) {
    case COOR_COPY:
        coor_copy(s, w, set, w->comp ? x : s->compare);
        break;
    case COOR_SWAP:
        coor_copy(s, w, x, s->compare);
        break;
    case COOR_RMS:
        coor_rms(s, w);
        break;
    case COOR_STAT:
        coor_stat(s, w, set);
        break;
    case COOR_ORIENT:
        coor_orient(s, w, set);
        break;
    default:
        for (int i = 0; i < 3 * coor_natom(s); i++)
            set[i] += w->set[i / 3] ? w->dir[i % 3] : 0;
    }
}

int script_coor(struct script *s)
{
    struct coor_words w = {0};
    int status = script_select(s, &w.set);
    if (!status)
        status = script_blame(s, script_load(s));
    if (!status)
        status = coor_parse(s, &w);
    if (!status && !s->compare && (w.comp || w.what == COOR_SWAP))
        s->compare = mem_new(3 * (size_t)coor_natom(s), sizeof *s->compare);
    if (!status)
        coor_act(s, &w);
    mem_free(w.set);
    return status;
}
