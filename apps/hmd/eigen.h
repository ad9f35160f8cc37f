/* eigen.h - eigenvalues and eigenvectors of small symmetric matrices. */
#pragma once

/* h (k * k, row by row, symmetric) gets the eigenvalues on its diagonal, in no order, v the
 * eigenvectors in its columns: v[i * k + e] is component i of the one that goes with h[e * k + e].
 */
void eigen_symmetric(double *h, double *v, int k);
