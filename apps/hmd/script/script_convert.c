/* script_convert.c - COOR CONVERT: the same positions in other axes (CHARMM's corman.doc).
 *
 *     COOR CONVERT form form [a b c alpha beta gamma] [COMP] [SELE ... END]
 *
 * converts from the first form to the second.  Forms are SYMMETRIC (CRYSTAL's orientation, cell.h),
 * ALIGNED (a along x, b in the plane of x and y, as in PDB files) and FRACTIONAL (fractions of the
 * box vectors).  Without numbers the box is CRYSTAL's.
 *
 * The box of the numbers is used for this command only. Angles are in degrees, lengths in Angstrom.
 */
#include "script_coor.h"

#include <math.h>
#include <string.h>

enum convert_form { CONVERT_SYMMETRIC, CONVERT_ALIGNED, CONVERT_FRACTIONAL };

/* The vectors of an aligned box: column k of m is vector k; m is upper triangular. The usual matrix
 * of crystallography: a along x, b in the plane of x and y. */
static void convert_aligned(const struct cell *c, double m[3][3])
{
    double a[3], cosine[3];
    cell_form(c, a, cosine);
    double sine = sqrt(1 - cosine[2] * cosine[2]);
    const double all[3][3] = {{a[0], a[1] * cosine[2], a[2] * cosine[1]},
                              {0, a[1] * sine, a[2] * (cosine[0] - cosine[1] * cosine[2]) / sine},
                              {0, 0, cell_volume(c) / (a[0] * a[1] * sine)}};
    memcpy(m, all, sizeof all);
}

/* Every form is converted to fractions n and from these. form: from, to. x changes in place. */
static void convert_place(const struct cell *c, const int form[2], double *x)
{
    double m[3][3], n[3] = {x[0], x[1], x[2]};
    convert_aligned(c, m);
    /* cell_fraction() is the inverse of cell_vector(), for CRYSTAL's orientation. */
    for (int k = 0; k < 3 && form[0] == CONVERT_SYMMETRIC; k++)
        n[k] = cell_fraction(c, k, x);
    /* m is triangular: from the last line up. */
    if (form[0] == CONVERT_ALIGNED) {
        n[2] = x[2] / m[2][2];
        n[1] = (x[1] - m[1][2] * n[2]) / m[1][1];
        n[0] = (x[0] - m[0][1] * n[1] - m[0][2] * n[2]) / m[0][0];
    }
    if (form[1] == CONVERT_SYMMETRIC)
        cell_vector(c, n, x);
    for (int k = 0; k < 3 && form[1] != CONVERT_SYMMETRIC; k++)
        x[k] =
            form[1] == CONVERT_FRACTIONAL ? n[k] : m[k][0] * n[0] + m[k][1] * n[1] + m[k][2] * n[2];
}

/* The box given by the six words from `at` on, or CRYSTAL's if none of them is a number. The
 * numbers are removed from the words. A number of words other than 0 and 6 is an error. */
static int convert_box(struct script *s, int at, struct cell *c)
{
    double v[6];
    int n = 0;
    while (n < 6 && at + n < s->l.word.n && text_double(s->l.word.at[at + n], &v[n]))
        n++;
    *c = s->session.in.system.cell;
    s->at = 1;
    if ((n != 0 && n != 6) || (n == 6 && !cell_make(c, v, v + 3)) || c->box[0] <= 0)
        return script_bad(s, "expected three lengths and three angles of a box behind CONVERT's "
                             "two forms, or CRYSTAL DEFINE before it");
    if (n)
        script_line_cut(&s->l, at, at + n - 1);
    return 0;
}

/* Leaves only words of other groups, such as COMP, for coor_parse(). */
int coor_convert_words(struct script *s, struct coor_words *w)
{
    static const char *const name[] = {"SYMMETRIC", "ALIGNED", "FRACTIONAL"};
    for (int k = 0; k < 2; k++) {
        int f = 0;
        while (f < 3 && !script_is(s, 2 + k, name[f]))
            f++;
        s->at = 1;
        if (f == 3)
            return script_bad(s, "CONVERT takes two of SYMMETRIC, ALIGNED and FRACTIONAL: from "
                                 "which, to which");
        w->form[k] = f;
    }
    script_line_cut(&s->l, 2, 3);
    return convert_box(s, 2, &w->cell);
}

/* Only places of the selected atoms change, not the box. The positions are converted one by one;
 * nothing depends on other atoms. */
int coor_convert(struct script *s, struct coor_words *w)
{
    for (int i = 0; i < coor_natom(s); i++)
        if (w->set[i])
            convert_place(&w->cell, w->form, w->here.x + 3 * (size_t)i);
    return 0;
}
