/* script_monitor.c - MONITOR DIHEDRAL [SHOW] FIRST unit [NUNIT n] [BEGIN step] [STOP step] [SKIP n]
 * [SELE ... END]: how often dihedral angles go from one minimum to another (CHARMM's monitor.doc).
 *
 * Looked at are the dihedrals of the structure whose four atoms are chosen and whose strongest term
 * of period 2 or 3 says which minima there are: -60, 60 and 180 degrees, or -90 and 90.  A
 * transition takes 30 degrees beyond the maximum, so that one that turns back there is none.
 */
#include <math.h>
#include <stdio.h>

#include "mem.h"
#include "script_frames.h"

struct monitor {
    int term;    /* of system.dihedral */
    double well; /* where it is, degrees */
    long count;
};

static int monitor_same(const struct system_torsion *a, const struct system_torsion *b)
{
    return a->i == b->i && a->j == b->j && a->k == b->k && a->l == b->l;
}

/* The dihedrals that are looked at: how many. The terms of one stand behind each other. */
static int monitor_find(const struct system *y, const unsigned char *set, struct monitor *m)
{
    int n = 0;
    for (int k = 0, next; k < y->ndihedral; k = next) {
        const struct system_torsion *t = &y->dihedral[k];
        int best = -1;
        for (next = k; next < y->ndihedral && monitor_same(t, &y->dihedral[next]); next++) {
            int period = y->dihedral[next].n;
            if ((period == 2 || period == 3) &&
                (best < 0 || fabs(y->dihedral[next].force) > fabs(y->dihedral[best].force)))
                best = next;
        }
        if (best >= 0 && set[t->i] && set[t->j] && set[t->k] && set[t->l])
            m[n++] = (struct monitor){.term = best};
    }
    return n;
}

static void monitor_print(const struct script *s, const struct system_torsion *t)
{
    const int atom[4] = {t->i, t->j, t->k, t->l};
    for (int k = 0; k < 4; k++) {
        const struct psf_atom *a = &s->session.in.psf.atom[atom[k]];
        printf(" %s %s %s", a->segid, a->resid, a->name);
    }
}

/* The minimum nearest to an angle. */
static double monitor_well(double phi, int period)
{
    double width = 360.0 / period, well = (floor(phi / width) + 0.5) * width;
    return well > 180 ? well - 360 : well;
}

/* A frame of one dihedral. */
static void monitor_frame(const struct script *s, struct monitor *m, long step, int first, int show)
{
    const struct system_torsion *t = &s->session.in.system.dihedral[m->term];
    const int atom[4] = {t->i, t->j, t->k, t->l};
    double phi = script_internal(s, s->session.in.x, 4, atom), old = m->well;
    if (first)
        m->well = monitor_well(phi, t->n);
    else if (fabs(remainder(phi - old, 360)) > 180.0 / t->n + 30)
        m->well = monitor_well(phi, t->n);
    if (first || m->well == old)
        return;
    m->count++;
    if (!show || s->comm->rank)
        return;
    printf(" MONITOR: STEP %ld TRANSITION %ld OF", step, m->count);
    monitor_print(s, t);
    printf(" AT %.2f FROM %.0f TO %.0f\n", phi, old, m->well);
}

static int monitor_go(struct script *s, struct frames *f, struct monitor *m, int n, int show)
{
    long all = 0;
    int status = frames_open(f);
    while (!status && frames_next(f, &status) > 0) {
        status = frames_take(f, 0);
        for (int k = 0; k < n && !status; k++)
            monitor_frame(s, &m[k], f->step, f->taken == 1, show);
    }
    s->at = 0;
    if (!status && !f->taken)
        status = script_bad(s, frames_none);
    for (int k = 0; k < n && !status; k++) {
        all += m[k].count;
        if (s->comm->rank || !m[k].count)
            continue;
        printf(" MONITOR: %ld TRANSITIONS OF", m[k].count);
        monitor_print(s, &s->session.in.system.dihedral[m[k].term]);
        printf("\n");
    }
    script_result(s, "?NTRANS", (double)all);
    if (!status && s->comm->rank == 0)
        printf(" MONITOR: %ld TRANSITIONS OF %d DIHEDRALS IN %ld FRAMES\n", all, n, f->taken);
    return status;
}

int script_monitor(struct script *s)
{
    struct frames f = {.s = s};
    unsigned char *set = NULL;
    int show = 0, status;
    const struct script_key key[] = {{"SHOW", .flag = &show, .is = 1}};
    s->at = 1;
    if (!script_is(s, 1, "DIHEDRAL"))
        return script_bad(s, "hmd has MONITOR DIHEDRAL only");
    status = script_select(s, &set);
    if (!status)
        status = script_cut_keys(s, 2, key, 1);
    if (!status)
        status = frames_words(s, &f, 2, -1);
    s->at = 2;
    if (!status && s->l.word.n > 2)
        status = script_bad(s, "MONITOR DIHEDRAL takes SHOW, FIRST, NUNIT, BEGIN, STOP, SKIP and a "
                               "selection");
    if (!status) {
        const struct system *y = &s->session.in.system;
        struct monitor *m = mem_new((size_t)y->ndihedral, sizeof *m);
        status = monitor_go(s, &f, m, monitor_find(y, set, m), show);
        mem_free(m);
    }
    frames_close(&f);
    mem_free(set);
    return status;
}
