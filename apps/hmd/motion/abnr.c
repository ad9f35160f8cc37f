/* abnr.c - see abnr.h.
 *
 * Brooks et al., J.  Comput.  Chem. 4, 187 (1983), and CHARMM's minimiz.doc.  The last few moves s
 * and the changes y of the gradient along them determine the second derivatives H in the space of
 * the moves, since H s = y.  With an orthonormal basis q of this space (Gram-Schmidt; the same
 * operations on y give H q) the matrix q'Hq is small.  Along its eigenvectors the distance to the
 * minimum is gradient / eigenvalue.  For a negative or tiny eigenvalue the move goes downhill by
 * its magnitude, but not farther than a small one would allow.  In the rest of space nothing is
 * known, and the move follows the forces.  Cost: about 3 k (k + 1) products of vectors for k moves.
 */
#include "abnr.h"

#include <math.h>
#include <string.h>

#include "eigen.h"
#include "mem.h"

static const double abnr_parallel = 1e-3; /* of a move's length: longer remainders are new to the
                                             basis */
static const double abnr_range = 5e-4;    /* eigenvalues below this part of the largest count as
                                             this part (CHARMM's EIGRNG) */

/* One block of memory for all vectors. */
void abnr_init(struct abnr *a, size_t n)
{
    double **vector[4] = {a->move, a->change, a->basis, a->image};
    a->n = n;
    a->pairs = 0;
    a->memory = mem_new(4 * ABNR_MOST * n, sizeof *a->memory);
    for (size_t k = 0; k < 4 * ABNR_MOST; k++)
        vector[k / ABNR_MOST][k % ABNR_MOST] = a->memory + k * n;
}

void abnr_free(struct abnr *a)
{
    mem_free(a->memory);
    memset(a, 0, sizeof *a);
}

void abnr_forget(struct abnr *a)
{
    a->pairs = 0;
}

/* Pointers are rotated, so only the new pair is written. The gradient is the negative force, hence
 * f - g. */
void abnr_remember(struct abnr *a, const double *x, const double *y, const double *f,
                   const double *g)
{
    double *move = a->move[ABNR_MOST - 1], *change = a->change[ABNR_MOST - 1];
    memmove(a->move + 1, a->move, (ABNR_MOST - 1) * sizeof *a->move);
    memmove(a->change + 1, a->change, (ABNR_MOST - 1) * sizeof *a->change);
    a->move[0] = move;
    a->change[0] = change;
    a->pairs += a->pairs < ABNR_MOST;
    for (size_t i = 0; i < a->n; i++) {
        move[i] = y[i] - x[i];
        change[i] = f[i] - g[i];
    }
}

double abnr_dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void abnr_add(double *to, double factor, const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += factor * v[i];
}

/* Fills basis and image.  Returns their number. Modified Gram-Schmidt, newest moves first: if moves
 * are nearly parallel, the older ones are left out. */
static int abnr_basis(struct abnr *a)
{
    int k = 0;
    for (int p = 0; p < a->pairs; p++) {
        double *q = a->basis[k], *b = a->image[k];
        double before = abnr_dot(a->move[p], a->move[p], a->n);
        memcpy(q, a->move[p], a->n * sizeof *q);
        memcpy(b, a->change[p], a->n * sizeof *b);
        for (int j = 0; j < k; j++) {
            double c = abnr_dot(a->basis[j], q, a->n);
            abnr_add(q, -c, a->basis[j], a->n);
            abnr_add(b, -c, a->image[j], a->n);
        }
        double length = sqrt(abnr_dot(q, q, a->n));
        /* Also true for a length that is not a number. */
        if (!(length > abnr_parallel * sqrt(before)))
            continue;
        for (size_t i = 0; i < a->n; i++) {
            q[i] /= length;
            b[i] /= length;
        }
        k++;
    }
    return k;
}

/* The matrix is symmetrised, since measured second derivatives are not exactly symmetric. The part
 * `step * f` is replaced along each eigenvector. */
void abnr_move(struct abnr *a, const double *f, double step, double *move)
{
    double h[ABNR_MOST * ABNR_MOST], v[ABNR_MOST * ABNR_MOST], force[ABNR_MOST], most = 0;
    int k = abnr_basis(a);
    for (size_t i = 0; i < a->n; i++)
        move[i] = step * f[i];
    for (int i = 0; i < k; i++) {
        force[i] = abnr_dot(a->basis[i], f, a->n);
        for (int j = 0; j <= i; j++)
            h[i * k + j] = h[j * k + i] = (abnr_dot(a->basis[i], a->image[j], a->n) +
                                           abnr_dot(a->basis[j], a->image[i], a->n)) /
                                          2;
    }
    eigen_symmetric(h, v, k);
    for (int e = 0; e < k; e++)
        most = fmax(most, fabs(h[e * k + e]));
    /* Newton's step along each eigenvector, with a curvature that is not too small. */
    for (int e = 0; e < k && most > 0; e++) {
        double along = 0, curve = fmax(fabs(h[e * k + e]), abnr_range * most);
        for (int i = 0; i < k; i++)
            along += v[i * k + e] * force[i];
        for (int i = 0; i < k; i++)
            abnr_add(move, (1 / curve - step) * along * v[i * k + e], a->basis[i], a->n);
    }
}
