/* script_noe.c - restraints to measured distances (CHARMM's cons.doc):
 *
 *   NOE / RESET / SCALE x / TEMPERATURE t / END
 *   ASSIGN [KMIN x RMIN x] [KMAX x RMAX x] [FMAX x] [REXP x] [SUMR] [MINDIST]
 *          [RSWI x [SEXP x]] SELE ... END SELE ... END, or one of them and CNOX x CNOY y CNOZ z
 *   ASSIGN r below above SELE ... END SELE ... END      (variances, at TEMPERATURE)
 *
 * A distance that is averaged over time (TCON) and points that move are not there.
 */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "script_run.h"
#include "velocity.h"

int script_noe(struct script *s)
{
    s->at = 1;
    if (s->l.word.n > 1)
        return script_bad(s, "NOE stands alone, ASSIGN in the lines behind it, END at last");
    s->module = SCRIPT_NOE;
    return script_blame(s, script_load_structure(s));
}

/* READ and WRITE of a list of restraints, in a form of CHARMM's own. */
int script_noe_list(struct script *s)
{
    s->at = 0;
    return script_bad(s,
                      "hmd keeps no lists of NOE in files: ASSIGN commands in a file are read by "
                      "STREAM");
}

int script_noe_reset(struct script *s)
{
    script_restraints_drop(s, RESTRAINT_NOE, RESTRAINT_NOE);
    s->noe_scale = 1;
    script_atoms_attach(s);
    return 0;
}

int script_noe_scale(struct script *s)
{
    int status = s->l.word.n > 1 ? script_real(s, &s->noe_scale) : 0;
    s->noe_scale = s->l.word.n > 1 ? s->noe_scale : 1;
    script_restraints_scale(s, RESTRAINT_NOE, s->noe_scale);
    return status;
}

int script_noe_kelvin(struct script *s)
{
    return script_real(s, &s->noe_kelvin);
}

/* The form with three numbers: a distance and its variances; they become keywords' values. */
static int noe_old_form(struct script *s, struct restraint_noe *o)
{
    double v[3];
    for (int k = 0; k < 3; k++) {
        s->at = k;
        if (script_real(s, &v[k]))
            return ERR_INPUT;
    }
    s->at = 0;
    if (!(s->noe_kelvin > 0) || !(v[1] > 0) || !(v[2] > 0))
        return script_bad(s, "ASSIGN with three numbers needs TEMPERATURE before it, and "
                             "variances above 0");
    double half = VELOCITY_KB * s->noe_kelvin / 2;
    o->rmin = o->rmax = v[0];
    o->kmin = half / (v[1] * v[1]);
    o->kmax = half / (v[2] * v[2]);
    script_cut(s, 1, 3);
    return 0;
}

static int noe_words(struct script *s, struct restraint_noe *o, double at[3], double *rexp)
{
    const struct script_key key[] = {{"KMIN", .real = &o->kmin},
                                     {"RMIN", .real = &o->rmin},
                                     {"KMAX", .real = &o->kmax},
                                     {"RMAX", .real = &o->rmax},
                                     {"FMAX", .real = &o->fmax},
                                     {"REXP", .real = rexp},
                                     {"SUMR", .flag = &o->sum, .is = 1},
                                     {"MINDIST", .flag = &o->nearest, .is = 1},
                                     {"RSWITCH", .real = &o->soft},
                                     {"SEXP", .real = &o->power},
                                     {"CNOX", .real = &at[0]},
                                     {"CNOY", .real = &at[1]},
                                     {"CNOZ", .real = &at[2]}};
    if (script_only_keys(s, 1, key, sizeof key / sizeof *key,
                         "ASSIGN takes KMIN, RMIN, KMAX, RMAX, FMAX, REXP, SUMR, MINDIST, "
                         "RSWI, SEXP, CNOX, CNOY, CNOZ and selections; hmd averages no "
                         "distances over time"))
        return ERR_INPUT;
    s->at = 0;
    if (*rexp == 0 || o->power <= 0 || o->rmin > o->rmax || o->soft < 0 || o->kmin < 0 ||
        o->kmax < 0)
        return script_bad(s, "expected REXP not 0, SEXP above 0, RMIN not above RMAX, and KMIN, "
                             "KMAX and RSWI from 0 on");
    return 0;
}

/* The atoms of the first selection, and of the second. */
static int noe_groups(struct script *s, struct restraint *r, unsigned char *const set[2], int point)
{
    s->at = 0;
    if (!set[0] || (set[1] != NULL) == point)
        return script_bad(s, "expected two selections, or one and CNOX, CNOY, CNOZ");
    int n = script_restraint_group(s, set[0], 0);
    if (n >= 0 && set[1])
        r->more[0] = script_restraint_group(s, set[1], 0);
    if (n < 0 || r->more[0] < 0)
        return ERR_INPUT;
    for (int i = 0; set[1] && i < s->session.in.psf.natom; i++)
        if (set[0][i] && set[1][i])
            return script_bad(s, "an atom is in both selections: it has no distance from itself");
    return 0;
}

int script_noe_assign(struct script *s)
{
    int status = script_blame(s, script_load_structure(s));
    if (status)
        return status;
    struct restraint *r = script_restraint_new(s, RESTRAINT_NOE);
    struct restraint_noe *o = &r->u.noe;
    unsigned char *set[2] = {NULL, NULL};
    int point = script_says(s, "CNOX") || script_says(s, "CNOY") || script_says(s, "CNOZ");
    double rexp = 1, number;
    *o = (struct restraint_noe){.rmax = 9999, .fmax = 9999, .power = 1};
    r->scale = s->noe_scale;
    for (int k = 0; k < 2 && !status && script_selects(s); k++)
        status = script_select(s, &set[k]);
    if (script_says(s, "RSWITCH"))
        o->fmax = 1; /* the slope of the soft end, where none is given */
    if (!status && s->l.word.n > 1 && text_double(s->l.word.at[1], &number))
        status = noe_old_form(s, o);
    if (!status)
        status = noe_words(s, o, r->at, &rexp);
    o->mean = 1 / rexp;
    if (!status)
        status = noe_groups(s, r, set, point);
    mem_free(set[0]);
    mem_free(set[1]);
    script_atoms_attach(s);
    return status;
}
