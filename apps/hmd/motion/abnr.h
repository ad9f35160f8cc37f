/* abnr.h - adopted-basis Newton-Raphson: the next minimisation move, from previous ones. */
#pragma once

#include <stddef.h>

enum { ABNR_MOST = 5 }; /* number of stored moves (CHARMM's MINDIM) */

/* Memory: 20 vectors of n doubles. */
struct abnr {
    size_t n;                  /* coordinates */
    int pairs;                 /* stored, the newest first */
    double *move[ABNR_MOST];   /* changes of the coordinates */
    double *change[ABNR_MOST]; /* changes of the gradient along the moves */
    double *basis[ABNR_MOST];  /* orthonormal basis of the moves */
    double *image[ABNR_MOST];  /* second derivatives times the basis */
    double *memory;
};

void abnr_init(struct abnr *a, size_t n);
void abnr_free(struct abnr *a);
/* Forgets all moves. */
void abnr_forget(struct abnr *a);
/* Stores a move from x to y, with forces f at x and g at y. The oldest is dropped. Vectors are
 * copied. */
void abnr_remember(struct abnr *a, const double *x, const double *y, const double *f,
                   const double *g);
/* Computes the next move for forces f: Newton-Raphson in the space of the stored moves, `step`
 * times the forces in the rest. step > 0. */
void abnr_move(struct abnr *a, const double *f, double step, double *move);
/* The scalar product of two vectors of n numbers. */
double abnr_dot(const double *a, const double *b, size_t n);
