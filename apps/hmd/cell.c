/* cell.c - see cell.h.
 *
 * A box with right angles has code paths of its own.  They are faster, and exact: no cosine or root
 * changes a length in its last bit.  Every change of the matrix goes through cell_set(), which
 * computes the inverse again.
 */
#include "cell.h"

#include <math.h>

#include "vec.h"

/* Element (i, j) of the matrix. tilt is stored as yz, xz, xy: its index is 3 - i - j for i != j. */
static double cell_at(const struct cell *c, int i, int j)
{
    return i == j ? c->box[i] : c->tilt[3 - i - j];
}

/* The matrix is symmetric, so a column is a row as well. */
static void cell_column(const struct cell *c, int k, double v[3])
{
    for (int i = 0; i < 3; i++)
        v[i] = cell_at(c, i, k);
}

/* The determinant of a symmetric matrix. 0 without a box. */
double cell_volume(const struct cell *c)
{
    double x = c->tilt[0], y = c->tilt[1], z = c->tilt[2];
    const double *b = c->box;
    return b[0] * b[1] * b[2] + 2 * x * y * z - b[0] * x * x - b[1] * y * y - b[2] * z * z;
}

/* The inverse by minors; its rows are the vectors of the reciprocal box. With right angles each
 * element is 1 / length exactly, so that results do not depend on the code path. */
void cell_set(struct cell *c, const double box[3], const double tilt[3])
{
    *c = (struct cell){.box = {box[0], box[1], box[2]}, .tilt = {tilt[0], tilt[1], tilt[2]}};
    if (box[0] <= 0)
        return;
    double volume = cell_volume(c);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
            /* Indices modulo 3 include the sign. */
            double minor =
                cell_at(c, p, r) * cell_at(c, q, s) - cell_at(c, p, s) * cell_at(c, q, r);
            c->inverse[j][i] = cell_tilted(c) ? minor / volume : i == j ? 1 / box[i] : 0;
        }
}

void cell_right(struct cell *c, const double length[3])
{
    cell_set(c, length, (const double[3]){0, 0, 0});
}

/* Element yz takes the factor of y, xz and xy that of x: axes that are coupled have equal
 * factors. */
void cell_stretch(struct cell *c, const double factor[3])
{
    for (int k = 0; k < 3; k++) {
        c->box[k] *= factor[k];
        c->tilt[k] *= factor[k == 0]; /* yz, xz, xy */
    }
    const struct cell scaled = *c;
    cell_set(c, scaled.box, scaled.tilt);
}

/* Computes the symmetric root h of the matrix g by Newton's iteration h := (h + g h^-1) / 2, which
 * preserves symmetry up to round-off and doubles the digits each time. Ends when no element changes
 * by more than 1e-14 of the largest vector. */
static void cell_root(struct cell *c, const struct cell *g)
{
    /* A multiple of the unit matrix commutes with g, which the iteration needs. Its factor is the
     * length of the longest vector. */
    double start = sqrt(fmax(g->box[0], fmax(g->box[1], g->box[2])));
    cell_right(c, (const double[3]){start, start, start});
    double change = start;
    for (int step = 0; step < 100 && change > 1e-14 * start; step++) {
        double box[3], tilt[3];
        change = 0;
        for (int i = 0; i < 3; i++)
            for (int j = i; j < 3; j++) {
                double sum = 0;
                for (int k = 0; k < 3; k++)
                    sum +=
                        cell_at(g, i, k) * c->inverse[k][j] + c->inverse[i][k] * cell_at(g, k, j);
                double next = (cell_at(c, i, j) + sum / 2) / 2;
                change = fmax(change, fabs(next - cell_at(c, i, j)));
                /* tilt[0] is yz, tilt[1] xz, tilt[2] xy. */
                *(i == j ? &box[i] : &tilt[3 - i - j]) = next;
            }
        cell_set(c, box, tilt);
    }
}

/* Returns 0 if no box has these lengths and angles. */
int cell_make(struct cell *c, const double length[3], const double angle[3])
{
    double cosine[3];
    int right = 1;
    for (int k = 0; k < 3; k++) {
        if (!(length[k] > 0 && length[k] < 1e6 && angle[k] > 0 && angle[k] < 180))
            return 0;
        /* cos() of a rounded right angle is not 0 but some 6e-17. */
        cosine[k] = angle[k] == 90 ? 0 : cos(angle[k] * M_PI / 180);
        right &= angle[k] == 90;
    }
    if (right) {
        cell_right(c, length);
        return 1;
    }
    /* g is the matrix of the products of the vectors (Gram's matrix); its root is the symmetric
     * box. Flat boxes, whose volume is below a thousandth of that with right angles, are
     * refused. */
    struct cell g = {.box = {length[0] * length[0], length[1] * length[1], length[2] * length[2]}};
    for (int k = 0; k < 3; k++)
        g.tilt[k] = length[(k + 1) % 3] * length[(k + 2) % 3] * cosine[k];
    double cubed = g.box[0] * g.box[1] * g.box[2];
    if (!(cell_volume(&g) > 1e-6 * cubed))
        return 0;
    cell_root(c, &g);
    return 1;
}

double cell_width(const struct cell *c)
{
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++)
        least = fmin(least,
                     cell_tilted(c) ? 1 / sqrt(vec_dot(c->inverse[k], c->inverse[k])) : c->box[k]);
    return least;
}

/* cosine[k] is that of the angle between the other two vectors. */
void cell_form(const struct cell *c, double length[3], double cosine[3])
{
    double v[3][3];
    for (int k = 0; k < 3; k++) {
        cell_column(c, k, v[k]);
        length[k] = cell_tilted(c) ? sqrt(vec_dot(v[k], v[k])) : c->box[k];
    }
    for (int k = 0; k < 3; k++) {
        int p = (k + 1) % 3, q = (k + 2) % 3;
        cosine[k] = cell_tilted(c) ? vec_dot(v[p], v[q]) / (length[p] * length[q]) : 0;
    }
}

/* In degrees; the third argument of cell_form() is used for the cosines first. */
void cell_angles(const struct cell *c, double length[3], double angle[3])
{
    cell_form(c, length, angle);
    for (int k = 0; k < 3; k++)
        angle[k] = acos(angle[k]) * 180 / M_PI;
}
