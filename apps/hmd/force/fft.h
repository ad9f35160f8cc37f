/* fft.h - discrete Fourier transforms of lengths 2^a 3^b 5^c, several at once.
 *
 * Data is a matrix [n][many] of complex numbers; each column is transformed.  With columns
 * innermost every loop accesses consecutive memory, also for short transforms.
 */
#pragma once

#include <stddef.h>

/* In memory as a `double complex`. */
struct fft_complex {
    double re, im;
};

enum { FFT_FACTORS = 32 }; /* an int has at most 30 */

/* The roots are shared by all passes; a pass with shorter transforms uses every n-th of them. */
struct fft {
    int n, factors, factor[FFT_FACTORS];
    struct fft_complex *root; /* n: exp(-2 pi i k / n) */
};

/* True if n > 0 has only the prime factors 2, 3 and 5. */
int fft_length_is_good(int n);
/* The least even good length >= x (x <= 1e6). Even, because PME transforms pairs of real
 * columns. */
int fft_length_from(double x);

/* n must be a good length. */
void fft_init(struct fft *t, int n);
void fft_free(struct fft *t);

/* X[k] = sum over j of x[j] exp(-2 pi i j k / n), or with +i if `backward`; not divided by n.  The
 * result replaces data; work has the same size. */
void fft_run(const struct fft *t, struct fft_complex *data, struct fft_complex *work, size_t many,
             int backward);
