/* eigen.h - eigenvalues and eigenvectors of small symmetric matrices. */
#pragma once

/* h (k * k, row by row, symmetric) receives the eigenvalues on its diagonal, unordered. v receives
 * the eigenvectors in its columns: v[i * k + e] is component i of the one for h[e * k + e]. */
void eigen_symmetric(double *h, double *v, int k);
