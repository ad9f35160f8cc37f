/* script_measure.c - COOR's commands that measure: see script_coor.c.  What they find is printed
 * and stands for ?NAMEs in the commands that follow (CHARMM's corman.doc, subst.doc). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bonded.h"
#include "script_coor.h"
#include "mem.h"
#include "superpose.h"
#include "vec.h"

static const double coor_debye = 4.80320; /* an electron's charge times an Angstrom */

void coor_result(struct script *s, const char *name, const double v[3])
{
    char full[16];
    for (int k = 0; k < 3; k++) {
        snprintf(full, sizeof full, "?%c%s", 'X' + k, name);
        script_result(s, full, v[k]);
    }
}

int coor_rms(struct script *s, struct coor_words *w)
{
    double sum = 0, mass = 0;
    for (int i = 0; i < coor_natom(s); i++) {
        double m = coor_weight(s, w, i);
        for (int k = 0; k < 3; k++) {
            double d = w->here.x[3 * i + k] - w->there.x[3 * i + k];
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
    return 0;
}

/* Least, most and mean of every `step`-th number from v on, for an atom each. */
static void coor_range(struct script *s, const struct coor_words *w, const double *v, int step,
                       char letter)
{
    static const char *const what[] = {"MIN", "MAX", "AVE"};
    double found[3] = {HUGE_VAL, -HUGE_VAL, 0}, all = 0;
    int any = 0;
    for (int i = 0; i < coor_natom(s); i++) {
        if (!w->set[0][i])
            continue;
        any = 1;
        found[0] = fmin(found[0], v[step * i]);
        found[1] = fmax(found[1], v[step * i]);
        found[2] += coor_weight(s, w, i) * v[step * i];
        all += coor_weight(s, w, i);
    }
    found[2] /= all != 0 ? all : 1;
    for (int j = 0; j < 3; j++) {
        char name[8];
        snprintf(name, sizeof name, "?%c%s", letter, what[j]);
        found[j] = any ? found[j] : 0;
        script_result(s, name, found[j]);
        if (s->comm->rank == 0)
            printf("    %s = %12.6f%s", name + 1, found[j], j < 2 ? "" : "\n");
    }
}

int coor_stat(struct script *s, struct coor_words *w)
{
    int n = 0;
    for (int i = 0; i < coor_natom(s); i++)
        n += w->set[0][i];
    script_result(s, "?NSEL", n);
    if (s->comm->rank == 0)
        printf(" STATISTICS FOR %d SELECTED ATOMS:\n", n);
    for (int k = 0; k < 3; k++)
        coor_range(s, w, w->here.x + k, 3, (char)('X' + k));
    coor_range(s, w, w->here.w, 1, 'W');
    return 0;
}

/* A vector from the centre of the first selection to that of the second, or from the origin to the
 * only one; AXIS of later commands. */
int coor_axis(struct script *s, struct coor_words *w)
{
    double from[3] = {0}, to[3];
    int good = coor_centre(s, w, w->sets > 1, to) != 0;
    good &= w->sets < 2 || coor_centre(s, w, 0, from) != 0;
    if (!good)
        return script_bad(s, "a selection of COOR AXIS has no atoms, or they weigh nothing");
    for (int k = 0; k < 3; k++) {
        s->axis.along[k] = to[k] - from[k];
        s->axis.centre[k] = (to[k] + from[k]) / 2;
    }
    s->axis.known = 1;
    double length = sqrt(vec_dot(s->axis.along, s->axis.along));
    coor_result(s, "AXI", s->axis.along);
    coor_result(s, "AXIS", s->axis.along);
    coor_result(s, "CEN", s->axis.centre);
    script_result(s, "?RAXI", length);
    script_result(s, "?RAXIS", length);
    if (s->comm->rank == 0)
        printf(" AXIS: %12.6f%12.6f%12.6f  LENGTH %12.6f  CENTER: %12.6f%12.6f%12.6f\n",
               s->axis.along[0], s->axis.along[1], s->axis.along[2], length, s->axis.centre[0],
               s->axis.centre[1], s->axis.centre[2]);
    return 0;
}

/* Radius of gyration: of atoms that weigh the same, or their masses; FACT is subtracted. */
int coor_gyration(struct script *s, struct coor_words *w)
{
    double centre[3] = {0}, sum = 0, all = 0, less = w->factor < HUGE_VAL ? w->factor : 0;
    for (int i = 0; i < coor_natom(s); i++) {
        double m = w->set[0][i] ? coor_weight(s, w, i) - less : 0;
        vec_add(centre, m, w->here.x + 3 * (size_t)i);
        all += m;
    }
    if (all == 0)
        return script_bad(s, "the selection has no atoms, or they weigh nothing");
    for (int k = 0; k < 3; k++)
        centre[k] /= all;
    for (int i = 0; i < coor_natom(s); i++) {
        double m = w->set[0][i] ? coor_weight(s, w, i) - less : 0, d[3];
        for (int k = 0; k < 3; k++)
            d[k] = w->here.x[3 * i + k] - centre[k];
        sum += m * vec_dot(d, d);
    }
    double radius = sqrt(fmax(0, sum / all));
    script_result(s, "?RGYR", radius);
    script_result(s, "?RMS", radius);
    script_result(s, "?MASS", all);
    coor_result(s, "CM", centre);
    if (s->comm->rank == 0)
        printf(" RADIUS OF GYRATION= %12.6f  NET WEIGHT= %12.4f\n       CENTER = "
               "%12.6f%12.6f%12.6f\n",
               radius, all, centre[0], centre[1], centre[2]);
    return 0;
}

/* The axes of the selection, longest first, and the weighted sums of squares along them; weights
 * are those of the command, or the masses.  0 or a status. */
static int coor_axes(struct script *s, const struct coor_words *w, int by_mass, struct superpose *m,
                     double square[3])
{
    int n = coor_natom(s);
    double *weight = mem_new((size_t)n, sizeof *weight), all = 0;
    memset(square, 0, 3 * sizeof *square);
    for (int i = 0; i < n; i++) {
        weight[i] = !w->set[0][i] ? 0
                    : by_mass     ? s->session.in.system.mass[i]
                                  : coor_weight(s, w, i);
        all += weight[i];
    }
    if (all > 0)
        superpose_axes(m, n, w->here.x, weight);
    for (int i = 0; all > 0 && i < n; i++)
        for (int k = 0; k < 3; k++) {
            double d[3] = {-m->from[0], -m->from[1], -m->from[2]};
            vec_add(d, 1, w->here.x + 3 * (size_t)i);
            square[k] += weight[i] * vec_dot(m->turn[k], d) * vec_dot(m->turn[k], d);
        }
    mem_free(weight);
    return all > 0 ? 0
                   : script_bad(s, "the selection has no atoms, or they weigh nothing together");
}

/* The plane that the atoms are least away from, by the sum of squares. */
int coor_plane(struct script *s, struct coor_words *w)
{
    struct superpose m;
    double square[3];
    if (coor_axes(s, w, 0, &m, square))
        return ERR_INPUT;
    const double *normal = m.turn[2], *kept = w->plane == 1 ? normal : m.turn[w->plane == 3];
    double off = vec_dot(normal, m.from);
    for (int k = 0; w->plane && k < 3; k++) {
        s->axis.along[k] = kept[k];
        s->axis.centre[k] = m.from[k];
        s->axis.known = 1;
    }
    coor_result(s, "CEN", m.from);
    if (s->comm->rank)
        return 0;
    printf(" LSQP: %12.6f X + %12.6f Y + %12.6f Z = %12.6f  SSQ %14.6f\n       CENTER = "
           "%12.6f%12.6f%12.6f\n",
           normal[0], normal[1], normal[2], off, square[2], m.from[0], m.from[1], m.from[2]);
    for (int i = 0; w->verbose && i < coor_natom(s); i++) {
        const struct psf_atom *a = &s->session.in.psf.atom[i];
        if (w->set[0][i])
            printf(" %-8s %-8s %-8s %-8s %12.6f\n", a->segid, a->resname, a->resid, a->name,
                   vec_dot(normal, w->here.x + 3 * (size_t)i) - off);
    }
    return 0;
}

/* Moments of inertia about the axes through the centre of mass, the smallest first. */
int coor_inertia(struct script *s, struct coor_words *w)
{
    struct superpose m;
    double square[3];
    if (coor_axes(s, w, 1, &m, square))
        return ERR_INPUT;
    for (int k = 0; s->comm->rank == 0 && k < 3; k++)
        printf(" INERTIA: %16.6f AMU*A^2 ABOUT %12.6f%12.6f%12.6f\n",
               square[(k + 1) % 3] + square[(k + 2) % 3], m.turn[k][0], m.turn[k][1], m.turn[k][2]);
    return 0;
}

double script_dipole(const struct script *s, const unsigned char *set, const double *x, int origin,
                     int mass, double sum[3])
{
    double from[3] = {0}, all = 0, charge = 0;
    memset(sum, 0, 3 * sizeof *sum);
    for (int i = 0; !origin && i < coor_natom(s); i++) {
        double m = !set[i] ? 0 : mass ? s->session.in.system.mass[i] : 1;
        vec_add(from, m, x + 3 * (size_t)i);
        all += m;
    }
    for (int k = 0; k < 3; k++)
        from[k] /= all > 0 ? all : 1;
    for (int i = 0; i < coor_natom(s); i++) {
        double q = set[i] ? s->session.in.psf.atom[i].charge : 0, d[3];
        for (int k = 0; k < 3; k++)
            d[k] = x[3 * i + k] - from[k];
        vec_add(sum, coor_debye * q, d);
        charge += q;
    }
    return charge;
}

int coor_dipole(struct script *s, struct coor_words *w)
{
    double sum[3];
    double charge = script_dipole(s, w->set[0], w->here.x, w->origin, w->mass, sum);
    double size = sqrt(vec_dot(sum, sum));
    coor_result(s, "DIP", sum);
    script_result(s, "?RDIP", size);
    script_result(s, "?CHARGE", charge);
    if (s->comm->rank == 0)
        printf(" THE TOTAL CHARGE OF SELECTED ATOMS IS: %12.6f\n DIPOLE MOMENT (DEBYES) : "
               "%12.6f%12.6f%12.6f%14.8f\n",
               charge, sum[0], sum[1], sum[2], size);
    return 0;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

struct coor_pair {
    int i, j; /* -1: none */
    double r;
};

static int coor_compare(const void *a, const void *b)
{
    const int *i = a, *j = b;
    return (*i > *j) - (*i < *j);
}

/* Whether the command asks for this pair: by default only for those that are not excluded, nor
 * three bonds apart. */
static int coor_wanted(const struct script *s, const struct coor_words *w, int i, int j)
{
    const struct system *y = &s->session.in.system;
    int low = i < j ? i : j, high = i < j ? j : i, at = y->excluded_first[low];
    if (i == j)
        return 0;
    if (!bsearch(&high, y->excluded + at, (size_t)(y->excluded_first[low + 1] - at),
                 sizeof *y->excluded, coor_compare))
        return w->nonbonded;
    for (int k = 0; k < y->npair14; k++) {
        const struct system_pair14 *p = &y->pair14[k];
        if ((p->i == low && p->j == high) || (p->i == high && p->j == low))
            return w->third;
    }
    return w->bonded;
}

static void coor_print_pair(const struct script *s, const char *what, const struct coor_pair *p)
{
    const struct psf_atom *a = &s->session.in.psf.atom[p->i], *b = &s->session.in.psf.atom[p->j];
    if (s->comm->rank == 0)
        printf("%s%6d %-8s %-8s %-8s %-8s -%6d %-8s %-8s %-8s %-8s %12.4f\n", what, p->i + 1,
               a->segid, a->resname, a->resid, a->name, p->j + 1, b->segid, b->resname, b->resid,
               b->name, p->r);
}

static const char coor_two[] = "distances are those of two selections";

/* Goes over the pairs of the first selection with the second; each is shown that is not farther
 * than `show`.  Where both are the same atoms each pair counts once. */
static int coor_pairs(const struct script *s, const struct coor_words *w, double show,
                      struct coor_pair *near, struct coor_pair *far)
{
    const unsigned char *second = w->set[w->sets > 1];
    int n = 0;
    *near = (struct coor_pair){-1, -1, HUGE_VAL};
    *far = (struct coor_pair){-1, -1, -1};
    for (int i = 0; i < coor_natom(s); i++)
        for (int j = 0; w->set[0][i] && j < coor_natom(s); j++) {
            int again = j < i && second[i] && w->set[0][j]; /* was j, i */
            if (!second[j] || again || !coor_wanted(s, w, i, j))
                continue;
            double d[3], image[3];
            const double *a = w->here.x + 3 * (size_t)i, *b = w->here.x + 3 * (size_t)j;
            for (int k = 0; k < 3; k++)
                d[k] = a[k] - b[k];
            if (w->images) {
                cell_closest(&s->session.in.system.cell, d, image);
                vec_add(d, -1, image);
            }
            const struct coor_pair p = {i, j, sqrt(vec_dot(d, d))};
            *near = p.r < near->r ? p : *near;
            *far = p.r > far->r ? p : *far;
            if (p.r > show)
                continue;
            coor_print_pair(s, "", &p);
            n++;
        }
    return n;
}

/* With WEIGHT: how far each atom is from a point goes into the weights. */
static void coor_from_point(const struct script *s, const struct coor_words *w)
{
    for (int i = 0; i < coor_natom(s); i++) {
        double d[3];
        for (int k = 0; k < 3; k++)
            d[k] = w->here.x[3 * i + k] - w->dir[k];
        if (w->set[0][i])
            w->here.w[i] = sqrt(vec_dot(d, d));
    }
}

int coor_distances(struct script *s, struct coor_words *w)
{
    struct coor_pair near, far;
    if (w->sets == 1 && !w->weight)
        return script_bad(s, coor_two);
    if (w->weight) {
        coor_from_point(s, w);
        return 0;
    }
    int n = coor_pairs(s, w, w->cut < HUGE_VAL ? w->cut : 8999, &near, &far);
    script_result(s, "?NPAIR", n);
    if (s->comm->rank == 0)
        printf(" TOTAL NUMBER OF PAIRS: %d\n", n);
    return 0;
}

/* The pair that was found, as ?NAME, and its atoms ?NAMEA1, ?NAMEA2. */
static int coor_extreme(struct script *s, const char *name, const char *text,
                        const struct coor_pair *p)
{
    char full[16];
    if (p->i < 0)
        return script_bad(s, "there is no pair of these selections: EXCL and 14EX take excluded "
                             "ones in");
    script_result(s, name, p->r);
    snprintf(full, sizeof full, "%sA1", name);
    script_result(s, full, p->i + 1);
    snprintf(full, sizeof full, "%sA2", name);
    script_result(s, full, p->j + 1);
    coor_print_pair(s, text, p);
    return 0;
}

int coor_nearest(struct script *s, struct coor_words *w)
{
    struct coor_pair near, far;
    if (w->sets != 2)
        return script_bad(s, coor_two);
    coor_pairs(s, w, -1, &near, &far);
    return coor_extreme(s, "?MIND", " MINIMUM DISTANCE: ", &near);
}

int coor_farthest(struct script *s, struct coor_words *w)
{
    struct coor_pair near, far;
    if (w->sets != 2)
        return script_bad(s, coor_two);
    coor_pairs(s, w, -1, &near, &far);
    return coor_extreme(s, "?MAXD", " MAXIMUM DISTANCE: ", &far);
}
