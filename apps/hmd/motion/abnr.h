/* abnr.h - adopted-basis Newton-Raphson: where to go next, from where one has been. */
#pragma once

#include <stddef.h>

enum { ABNR_MOST = 5 }; /* moves that are remembered (CHARMM's MINDIM) */

struct abnr {
    size_t n;                  /* coordinates */
    int pairs;                 /* remembered, the newest first */
    double *move[ABNR_MOST];   /* what the coordinates changed by */
    double *change[ABNR_MOST]; /* what the gradient changed by on the way */
    double *basis[ABNR_MOST];  /* the moves, orthonormal */
    double *image[ABNR_MOST];  /* what the second derivatives make of them */
    double *memory;
};

void abnr_init(struct abnr *a, size_t n);
void abnr_free(struct abnr *a);
/* Forgets all moves. */
void abnr_forget(struct abnr *a);
/* Remembers a move from x to y, where the forces were f and then became g. */
void abnr_remember(struct abnr *a, const double *x, const double *y, const double *f,
                   const double *g);
/* The move to make where the forces are f: Newton and Raphson's in the space of the remembered
 * moves, `step` times the forces in the rest.  step > 0. */
void abnr_move(struct abnr *a, const double *f, double step, double *move);
double abnr_dot(const double *a, const double *b, size_t n);
