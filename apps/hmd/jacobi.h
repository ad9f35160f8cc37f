/* jacobi.h - eigenvalues and eigenvectors of small symmetric matrices. */
#ifndef HMD_JACOBI_H
#define HMD_JACOBI_H

/* h (k * k, row by row, symmetric) gets the eigenvalues on its diagonal, in no order, v the
 * eigenvectors in its columns: v[i * k + e] is component i of the one that goes with h[e * k + e].
 */
void jacobi(double *h, double *v, int k);

#endif
