/* fft.h - discrete Fourier transforms of lengths 2^a 3^b 5^c, many at once.
 *
 * Data is a matrix [n][many] of complex numbers; each column is transformed.  With the columns
 * innermost every loop runs over neighbours in memory, also for short transforms.
 */
#pragma once

#include <stddef.h>

struct fft_complex {
    double re, im;
};

enum { FFT_FACTORS = 32 }; /* an int has 30 at most */

struct fft {
    int n, factors, factor[FFT_FACTORS];
    struct fft_complex *root; /* n: exp(-2 pi i k / n) */
};

/* True when n > 0 has no prime factors but 2, 3 and 5. */
int fft_length_is_good(int n);
/* The least even good length that is not below x (x <= 1e6). */
int fft_length_from(double x);

/* n must be a good length. */
void fft_init(struct fft *t, int n);
void fft_free(struct fft *t);

/* X[k] = sum over j of x[j] exp(-2 pi i j k / n), or with +i where `backward`; nothing is divided
 * by n.  The result is in data; work is as large. */
void fft_run(const struct fft *t, struct fft_complex *data, struct fft_complex *work, size_t many,
             int backward);
