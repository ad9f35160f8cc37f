/* superpose.h - turning a set of atoms: onto another one, or onto its own axes. */
#pragma once

/* A motion of rigid bodies: x goes to turn (x - from) + to. */
struct superpose {
    double turn[3][3], from[3], to[3];
};

/* The motion that brings n places x as near as possible to y: least sum of weight (x - y)^2. */
void superpose_fit(struct superpose *m, int n, const double *x, const double *y,
                   const double *weight);
/* The motion that brings their centre to the origin and their longest axis onto x, the shortest
 * onto z. */
void superpose_axes(struct superpose *m, int n, const double *x, const double *weight);
/* Turns all n places. */
void superpose_move(const struct superpose *m, int n, double *x);
