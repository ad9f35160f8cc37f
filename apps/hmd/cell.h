/* cell.h - the periodic box: three vectors, the columns of a symmetric matrix.
 *
 * CHARMM orients a crystal in this way (crystl.doc: the shape matrix): of all orientations of the
 * box the one whose matrix is symmetric.  Coordinates from CHARMM assume it.  The matrix is the
 * root of the matrix of the vectors' products.  A box with right angles has its vectors along the
 * axes.
 */
#pragma once

/* Lengths in Angstrom. Only cell.c writes the fields, so that `inverse` always belongs to the
 * matrix. */
struct cell {
    double box[3];        /* the diagonal; 0: no periodic boundary */
    double tilt[3];       /* elements yz, xz, xy; all 0: right angles */
    double inverse[3][3]; /* a position times this is in fractions of the box vectors */
};

/* Makes a box with right angles, or (lengths 0) none. */
void cell_right(struct cell *c, const double length[3]);
/* Makes a box from lengths and angles alpha, beta, gamma (degrees; between vectors 2 and 3, 1 and
 * 3, 1 and 2).  Returns 0 if there is no such box. Angles of exactly 90 degrees give a box without
 * tilt and so the fast code paths. */
int cell_make(struct cell *c, const double length[3], const double angle[3]);
/* Makes a box from the matrix. */
void cell_set(struct cell *c, const double box[3], const double tilt[3]);
/* Scales along x, y and z.  Factors must be equal for axes that the box's angles couple. */
void cell_stretch(struct cell *c, const double factor[3]);

/* 0 without a box, in cubic Angstrom. */
double cell_volume(const struct cell *c);
/* The least distance between opposite faces; 0: no box. */
double cell_width(const struct cell *c);
/* Lengths of the vectors, and cosines of alpha, beta, gamma. */
void cell_form(const struct cell *c, double length[3], double cosine[3]);

/* Lengths, and the angles in degrees. */
void cell_angles(const struct cell *c, double length[3], double angle[3]);

static inline int cell_tilted(const struct cell *c)
{
    return c->tilt[0] != 0 || c->tilt[1] != 0 || c->tilt[2] != 0;
}

/* The sum of n[k] times vector k. */
static inline void cell_vector(const struct cell *c, const double n[3], double v[3])
{
    v[0] = n[0] * c->box[0] + n[1] * c->tilt[2] + n[2] * c->tilt[1];
    v[1] = n[0] * c->tilt[2] + n[1] * c->box[1] + n[2] * c->tilt[0];
    v[2] = n[0] * c->tilt[1] + n[1] * c->tilt[0] + n[2] * c->box[2];
}

/* The position along vector k, in multiples of it. */
static inline double cell_fraction(const struct cell *c, int k, const double x[3])
{
    return c->inverse[k][0] * x[0] + c->inverse[k][1] * x[1] + c->inverse[k][2] * x[2];
}

/* The wave vector of indices m: m times the inverse. */
static inline void cell_wave(const struct cell *c, const double m[3], double k[3])
{
    for (int a = 0; a < 3; a++)
        k[a] = m[0] * c->inverse[0][a] + m[1] * c->inverse[1][a] + m[2] * c->inverse[2][a];
}

/* The sum of box vectors nearest to d. d less v is the nearest image, up to half of a width. In a
 * skewed box, rounding of fractions gives the nearest image only for distances up to half of the
 * least width. Longer displacements get some image, which no caller needs. */
static inline void cell_nearest(const struct cell *c, const double d[3], double v[3])
{
    if (!cell_tilted(c)) {
        for (int k = 0; k < 3; k++)
            v[k] = c->box[k] > 0 ? c->box[k] * __builtin_rint(d[k] / c->box[k]) : 0;
        return;
    }
    double n[3];
    for (int k = 0; k < 3; k++)
        n[k] = __builtin_rint(cell_fraction(c, k, d));
    cell_vector(c, n, v);
}
