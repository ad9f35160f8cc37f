/* superpose.h - rigid motions of a set of atoms: onto another set, or onto its own axes. */
#pragma once

/* A rigid motion: x becomes turn (x - from) + to. */
struct superpose {
    double turn[3][3], from[3], to[3];
};

/* Computes the motion that superposes n positions x on y: least sum of weight (x - y)^2. Weights
 * must not be negative; atoms of weight 0 do not count. */
void superpose_fit(struct superpose *m, int n, const double *x, const double *y,
                   const double *weight);
/* Computes the motion that moves the centre to the origin, the longest axis to x, and the shortest
 * to z. */
void superpose_axes(struct superpose *m, int n, const double *x, const double *weight);
/* Applies the motion to n positions. */
void superpose_move(const struct superpose *m, int n, double *x);
