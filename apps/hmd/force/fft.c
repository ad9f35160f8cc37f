/* fft.c - see fft.h.
 *
 * Stockham's self-sorting form of Cooley & Tukey (Math.  Comput. 19, 297 (1965)), decimation in
 * frequency: a pass with factor r divides transforms of length n into r interleaved ones of length
 * n / r, and writes them in order, so that no permutation is needed at the end.  Factors are 4, 2,
 * 3, 5.  Backward transforms are forward ones with real and imaginary parts exchanged.
 *
 * Cost: about 4 n log2 n multiplications and additions for each column.
 */
#include "fft.h"

#include <math.h>
#include <string.h>

#include "mem.h"

#define INLINE static inline __attribute__((always_inline))

/* Only factors for which there is a pass. */
int fft_length_is_good(int n)
{
    static const int prime[3] = {2, 3, 5};
    if (n <= 0)
        return 0;
    for (int i = 0; i < 3; i++)
        while (n % prime[i] == 0)
            n /= prime[i];
    return n == 1;
}

/* The next good length is never far: the loop takes some steps only. */
int fft_length_from(double x)
{
    int n = 2 * (int)ceil(x / 2);
    n = n < 2 ? 2 : n;
    while (!fft_length_is_good(n))
        n += 2;
    return n;
}

/* Factors of 4 come first, as they need the fewest operations. */
void fft_init(struct fft *t, int n)
{
    static const int factor[4] = {4, 2, 3, 5};
    memset(t, 0, sizeof *t);
    t->n = n;
    t->root = mem_new((size_t)n, sizeof *t->root);
    for (int k = 0; k < n; k++)
        t->root[k] = (struct fft_complex){cos(2 * M_PI * k / n), -sin(2 * M_PI * k / n)};
    for (int i = 0; i < 4; i++)
        for (; n % factor[i] == 0; n /= factor[i])
            t->factor[t->factors++] = factor[i];
}

void fft_free(struct fft *t)
{
    mem_free(t->root);
    memset(t, 0, sizeof *t);
}

INLINE struct fft_complex fft_add(struct fft_complex a, struct fft_complex b)
{
    return (struct fft_complex){a.re + b.re, a.im + b.im};
}

INLINE struct fft_complex fft_sub(struct fft_complex a, struct fft_complex b)
{
    return (struct fft_complex){a.re - b.re, a.im - b.im};
}

INLINE struct fft_complex fft_mul(struct fft_complex a, struct fft_complex b)
{
    return (struct fft_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

INLINE struct fft_complex fft_scale(double s, struct fft_complex a)
{
    return (struct fft_complex){s * a.re, s * a.im};
}

/* a times -i */
INLINE struct fft_complex fft_turn(struct fft_complex a)
{
    return (struct fft_complex){a.im, -a.re};
}

/* The short transforms are in place, on r numbers. */
INLINE void fft_three(struct fft_complex *a)
{
    struct fft_complex s = fft_add(a[1], a[2]), m = fft_sub(a[0], fft_scale(0.5, s));
    struct fft_complex d = fft_turn(fft_scale(sqrt(0.75), fft_sub(a[1], a[2])));
    a[0] = fft_add(a[0], s);
    a[1] = fft_add(m, d);
    a[2] = fft_sub(m, d);
}

/* Without a multiplication: the roots are 1, i, -1 and -i. */
INLINE void fft_four(struct fft_complex *a)
{
    struct fft_complex s = fft_add(a[0], a[2]), d = fft_sub(a[0], a[2]), t = fft_add(a[1], a[3]),
                       u = fft_turn(fft_sub(a[1], a[3]));
    a[0] = fft_add(s, t);
    a[1] = fft_add(d, u);
    a[2] = fft_sub(s, t);
    a[3] = fft_sub(d, u);
}

INLINE void fft_five(struct fft_complex *a)
{
    /* Cosines and sines of 2 pi / 5 and 4 pi / 5. */
    const double c1 = 0.30901699437494742410, c2 = -0.80901699437494742410,
                 s1 = 0.95105651629515357212, s2 = 0.58778525229247312917;
    struct fft_complex p = fft_add(a[1], a[4]), q = fft_add(a[2], a[3]), m = fft_sub(a[1], a[4]),
                       n = fft_sub(a[2], a[3]), z = a[0];
    struct fft_complex u = fft_add(z, fft_add(fft_scale(c1, p), fft_scale(c2, q)));
    struct fft_complex v = fft_add(z, fft_add(fft_scale(c2, p), fft_scale(c1, q)));
    struct fft_complex x = fft_turn(fft_add(fft_scale(s1, m), fft_scale(s2, n)));
    struct fft_complex y = fft_turn(fft_sub(fft_scale(s2, m), fft_scale(s1, n)));
    a[0] = fft_add(z, fft_add(p, q));
    a[1] = fft_add(u, x);
    a[2] = fft_add(v, y);
    a[3] = fft_sub(v, y);
    a[4] = fft_sub(u, x);
}

/* One pass over s transforms of length n = r * m: in[p + m j] to out[r p + k], multiplied by exp(-2
 * pi i p k / n). r is a constant at each call. The innermost loop runs over s columns in
 * consecutive memory, and has no twiddle factor of its own. */
INLINE void fft_pass(const int r, const struct fft *t, int n, size_t s,
                     const struct fft_complex *restrict in, struct fft_complex *restrict out)
{
    size_t m = (size_t)n / (size_t)r, stride = (size_t)t->n / (size_t)n;
    for (size_t p = 0; p < m; p++) {
        struct fft_complex w[5];
        for (size_t k = 0; k < (size_t)r; k++)
            w[k] = t->root[stride * p * k];
        for (size_t q = 0; q < s; q++) {
            struct fft_complex a[5];
            for (size_t j = 0; j < (size_t)r; j++)
                a[j] = in[q + s * (p + m * j)];
            if (r == 2) {
                struct fft_complex b = a[1];
                a[1] = fft_sub(a[0], b);
                a[0] = fft_add(a[0], b);
            } else if (r == 3) {
                fft_three(a);
            } else if (r == 4) {
                fft_four(a);
            } else {
                fft_five(a);
            }
            out[q + s * (size_t)r * p] = a[0];
            for (size_t k = 1; k < (size_t)r; k++)
                out[q + s * ((size_t)r * p + k)] = fft_mul(a[k], w[k]);
        }
    }
}

/* Real and imaginary parts exchanged: a forward transform between two exchanges is a backward
 * one. */
static void fft_exchange(struct fft_complex *data, size_t n)
{
    for (size_t i = 0; i < n; i++)
        data[i] = (struct fft_complex){data[i].im, data[i].re};
}

/* `many` transforms, whose elements alternate in memory. Without a factor: a backward transform
 * after a forward one gives n times the data. */
void fft_run(const struct fft *t, struct fft_complex *data, struct fft_complex *work, size_t many,
             int backward)
{
    size_t all = (size_t)t->n * many, s = many;
    struct fft_complex *in = data, *out = work, *other;
    int n = t->n;
    if (backward)
        fft_exchange(data, all);
    /* Data and work are exchanged after each pass; an odd number of passes ends in `work`. */
    for (int i = 0; i < t->factors; i++) {
        if (t->factor[i] == 2)
            fft_pass(2, t, n, s, in, out);
        else if (t->factor[i] == 3)
            fft_pass(3, t, n, s, in, out);
        else if (t->factor[i] == 4)
            fft_pass(4, t, n, s, in, out);
        else
            fft_pass(5, t, n, s, in, out);
        n /= t->factor[i];
        s *= (size_t)t->factor[i];
        other = in, in = out, out = other;
    }
    if (in != data)
        memcpy(data, in, all * sizeof *data);
    if (backward)
        fft_exchange(data, all);
}
