/* kernel.c - the pair loops, see kernel.h; compiled several times with different KERNEL_VARIANT.
 *
 * One always-inline body contains all schemes.  Its scheme arguments are constants in each
 * instantiation, so every kernel has only its own arithmetic and no branch.  Pairs beyond the
 * cut-off or masked out are computed, and their results cleared bitwise (so that an infinity from r
 * = 0 cannot survive).  Vectors use the generic extension of GCC and clang, which maps to the
 * registers of the machine.
 *
 * Cost: about 45 operations, a square root and a division for four pairs.
 */
#include "kernel.h"

#include <string.h>

typedef double vd __attribute__((vector_size(32)));
typedef int64_t vl __attribute__((vector_size(32)));
typedef int32_t vi __attribute__((vector_size(16)));

#define INLINE static inline __attribute__((always_inline))

#define KERNEL_GLUE(a, b)  a##b
#define KERNEL_PASTE(a, b) KERNEL_GLUE(a, b)
#define KERNEL_PICK        KERNEL_PASTE(kernel_pick_, KERNEL_VARIANT)

/* All bits of a lane are set where its bit of a 4-bit mask is set. */
static const int64_t kernel_lanes[16][4] __attribute__((aligned(32))) = {
    {0, 0, 0, 0},   {-1, 0, 0, 0},   {0, -1, 0, 0},   {-1, -1, 0, 0},
    {0, 0, -1, 0},  {-1, 0, -1, 0},  {0, -1, -1, 0},  {-1, -1, -1, 0},
    {0, 0, 0, -1},  {-1, 0, 0, -1},  {0, -1, 0, -1},  {-1, -1, 0, -1},
    {0, 0, -1, -1}, {-1, 0, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1}};

/* Arrays of a cluster begin at multiples of 32 bytes. */
INLINE vd vd_load(const double *p)
{
    return *(const vd *)__builtin_assume_aligned(p, 32);
}

INLINE void vd_store(double *p, vd v)
{
    *(vd *)__builtin_assume_aligned(p, 32) = v;
}

INLINE vd vd_all(double s)
{
    return (vd){s, s, s, s};
}

/* Lanes whose mask is 0 become 0. */
INLINE vd vd_and(vd v, vl mask)
{
    return (vd)((vl)v & mask);
}

/* Bitwise, so that NaN and infinity of the side that is not chosen vanish. */
INLINE vd vd_select(vl mask, vd yes, vd no)
{
    return (vd)(((vl)yes & mask) | ((vl)no & ~mask));
}

/* The generic extension has no square root; the loop has the form that compilers vectorise. */
INLINE vd vd_sqrt(vd v)
{
    double in[4] __attribute__((aligned(32))), out[4] __attribute__((aligned(32)));
    vd_store(in, v);
    for (int k = 0; k < 4; k++)
        out[k] = __builtin_sqrt(in[k]);
    return vd_load(out);
}

/* The order is fixed, so that results are reproducible. */
INLINE double vd_sum(vd v)
{
    return (v[0] + v[2]) + (v[1] + v[3]);
}

/* S(u) and dS/du of the switching function, see scheme.h. Below ron u is ron^2, where S = 1 and
 * dS/du = 0: no branch is needed. */
INLINE vd kernel_switch(const struct scheme *s, vd r2, vd *slope)
{
    vd n = vd_all(s->ron2), c = vd_all(s->switch_norm);
    vd u = vd_select(r2 > n, r2, n);
    vd ou = vd_all(s->roff2) - u;
    *slope = vd_all(6.0) * c * ou * (n - u);
    return c * ou * ou * (vd_all(s->roff2) + u + u - vd_all(3 * s->ron2));
}

/* erf(kappa r) / r and its derivative with respect to r^2, from the table of cubics.  Pairs beyond
 * the cut-off, whose results are dropped, use the last interval. */
INLINE vd kernel_smooth(const struct kernel_job *job, vd r2, vd *slope)
{
    vd scale = vd_all(job->ewald_scale), last = vd_all(job->ewald_last), t = r2 * scale;
    t = vd_select(t < last, t, last);
    vi at = __builtin_convertvector(t, vi);
    vd u = t - __builtin_convertvector(at, vd);
    const double *p = job->ewald, *a = p + 4 * (size_t)at[0], *b = p + 4 * (size_t)at[1],
                 *c = p + 4 * (size_t)at[2], *d = p + 4 * (size_t)at[3];
    vd c0 = {a[0], b[0], c[0], d[0]}, c1 = {a[1], b[1], c[1], d[1]}, c2 = {a[2], b[2], c[2], d[2]},
       c3 = {a[3], b[3], c[3], d[3]};
    *slope = scale * (c1 + u * (c2 + c2 + vd_all(3.0) * u * c3));
    return c0 + u * (c1 + u * (c2 + u * c3));
}

/* FSWITCH: energy / qq and r * force / qq above ron, see scheme.h. */
INLINE vd kernel_fswitch(const struct scheme *s, vd r2, vd rinv, vd rinv2, vd *force)
{
    vd a = vd_all(s->fsw_q[0]), b = vd_all(s->fsw_q[1]), c = vd_all(s->fsw_q[2]),
       d = vd_all(s->fsw_q[3]), third = vd_all(s->fsw_q[2] / 3), fifth = vd_all(s->fsw_q[3] / 5);
    *force = a * rinv2 + b + r2 * (c + r2 * d);
    return rinv * (a - r2 * (b + r2 * (third + r2 * fifth))) + vd_all(s->fsw_far);
}

/* Returns the force divided by r, so that multiplied by a component of the distance it is the
 * force's component. qq may be 0. `elec` is a constant in each instantiation. */
INLINE vd kernel_elec(const int elec, const struct kernel_job *job, vd r2, vd rinv, vd rinv2, vd qq,
                      vd *energy)
{
    const struct scheme *s = job->scheme;
    vd w, slope, qr = qq * rinv;
    switch (elec) {
    /* qq / r (1 - r^2 / roff^2)^2 */
    case SCHEME_ELEC_SHIFT:
        w = vd_all(1.0) - r2 * vd_all(s->roff2_inv);
        *energy = qr * w * w;
        return qr * w * (w * rinv2 + vd_all(4 * s->roff2_inv));
    /* qq / r (1 - r / roff)^2 */
    case SCHEME_ELEC_FSHIFT:
        w = vd_all(1.0) - r2 * rinv * vd_all(1 / s->roff);
        *energy = qr * w * w;
        return qr * (rinv2 - vd_all(s->roff2_inv));
    /* qq / r S(r), where S falls from 1 at ron to 0 at roff. */
    case SCHEME_ELEC_SWITCH:
        w = kernel_switch(s, r2, &slope);
        *energy = qr * w;
        return qr * (w * rinv2 - slope - slope);
    /* qq erfc(kappa r) / r */
    case SCHEME_ELEC_EWALD:
        w = kernel_smooth(job, r2, &slope);
        *energy = qr - qq * w;
        return qr * rinv2 + qq * (slope + slope);
    /* With a dielectric constant that is proportional to r, 1 / r^2 takes the place of 1 / r. */
    case SCHEME_ELEC_RSHIFT:
        qr = qq * rinv2;
        w = vd_all(1.0) - r2 * vd_all(s->roff2_inv);
        *energy = qr * w * w;
        return (qr + qr) * w * (w * rinv2 + vd_all(2 * s->roff2_inv));
    case SCHEME_ELEC_RSWITCH:
        qr = qq * rinv2;
        w = kernel_switch(s, r2, &slope);
        *energy = qr * w;
        return (qr + qr) * (w * rinv2 - slope);
    case SCHEME_ELEC_RTRUNCATE:
        *energy = qq * rinv2;
        return (*energy + *energy) * rinv2;
    /* The force is switched, and the energy is its integral: constants keep it continuous. */
    case SCHEME_ELEC_FSWITCH: {
        vl outer = r2 > vd_all(s->ron2);
        w = kernel_fswitch(s, r2, rinv, rinv2, &slope);
        *energy = qq * vd_select(outer, w, rinv + vd_all(s->fsw_near));
        return qr * vd_select(outer, slope, rinv2);
    }
    default:
        *energy = qr;
        return qr * rinv2;
    }
}

/* Returns the force divided by r, as kernel_elec(). */
INLINE vd kernel_vdw(const int vdw, const struct scheme *s, vd r2, vd rinv, vd rinv2, vd a, vd b,
                     vd *energy)
{
    vd rinv6 = rinv2 * rinv2 * rinv2, a6 = a * rinv6, w, slope;
    vd bare = (a6 - b) * rinv6;
    vd force = vd_all(6.0) * (a6 + a6 - b) * rinv6 * rinv2;
    switch (vdw) {
    case SCHEME_VDW_SWITCH:
        w = kernel_switch(s, r2, &slope);
        *energy = bare * w;
        return force * w - (bare + bare) * slope;
    /* A / r^12 - B / r^6 + C r^6 + D; C and D make energy and force 0 at roff. */
    case SCHEME_VDW_SHIFT: {
        vd off6 = vd_all(s->roff6_inv), ao = a * off6, r4 = r2 * r2;
        vd c = (ao + ao - b) * off6 * off6;
        *energy = bare + c * r4 * r2 - (vd_all(3.0) * ao - b - b) * off6;
        return force - vd_all(6.0) * c * r4;
    }
    /* Beyond ron: A ka (r^-6 - roff^-6)^2 - B kb (r^-3 - roff^-3)^2. Inside, a constant is
     * added. */
    case SCHEME_VDW_FSWITCH: {
        vl outer = r2 > vd_all(s->ron2);
        vd rinv3 = rinv2 * rinv, d6 = rinv6 - vd_all(s->roff6_inv),
           d3 = rinv3 - vd_all(s->roff3_inv);
        vd ad = a * vd_all(s->fsw_ka) * d6, bd = b * vd_all(s->fsw_kb) * d3;
        *energy = vd_select(outer, ad * d6 - bd * d3,
                            bare - (a * vd_all(s->fsw_c12) - b * vd_all(s->fsw_c6)));
        return vd_select(outer, vd_all(6.0) * ((ad + ad) * rinv6 - bd * rinv3) * rinv2, force);
    }
    default:
        *energy = bare;
        return force;
    }
}

/* The atoms of an i cluster, broadcast to vectors, and their accumulated forces. Kept in registers
 * as far as possible during a row. */
struct kernel_i {
    double x[4], y[4], z[4], q[4], se[4], rm[4];
    const double *a[4], *b[4]; /* their rows of the pair tables */
    vd fx[4], fy[4], fz[4], elec, vdw;
};

/* A[j types] from a row of the pair table. */
INLINE vd kernel_gather(const double *row, const int *type)
{
    return (vd){row[type[0]], row[type[1]], row[type[2]], row[type[3]]};
}

/* 16 interactions. `special` pairs use the mask and the pair tables; plain ones compute A and B
 * from eps and Rmin of the atoms. The j forces are loaded and stored once. */
INLINE void kernel_pair(const int elec, const int vdw, const int energy, const int special,
                        const struct kernel_job *job, struct kernel_i *ki, int cj, unsigned mask)
{
    const struct scheme *s = job->scheme;
    const struct kernel_atoms *at = &job->atoms;
    size_t o = (size_t)cj * KERNEL_WIDTH;
    vd xj = vd_load(at->x + o), yj = vd_load(at->y + o), zj = vd_load(at->z + o);
    vd qj = vd_load(at->q + o), sj = vd_load(at->se + o), rj = vd_load(at->rm + o);
    vd gx = vd_load(at->fx + o), gy = vd_load(at->fy + o), gz = vd_load(at->fz + o);
    for (int k = 0; k < KERNEL_WIDTH; k++) {
        vd dx = vd_all(ki->x[k]) - xj, dy = vd_all(ki->y[k]) - yj, dz = vd_all(ki->z[k]) - zj;
        vd r2 = dx * dx + dy * dy + dz * dz;
        /* All ones in the lanes within the cut-off. */
        vl in = r2 < vd_all(s->roff2);
        vd rinv = vd_all(1.0) / vd_sqrt(r2), rinv2 = rinv * rinv, a, b, eel, evd;
        if (special) {
            in &= *(const vl *)kernel_lanes[mask >> 4 * k & 15];
            a = kernel_gather(ki->a[k], at->type + o);
            b = kernel_gather(ki->b[k], at->type + o);
        } else {
            /* Rmin and eps of the pair: the sum of the halves, and the geometric mean. */
            vd rm = vd_all(ki->rm[k]) + rj, rm2 = rm * rm, rm6 = rm2 * rm2 * rm2;
            vd e = vd_all(ki->se[k]) * sj * rm6;
            a = e * rm6;
            b = e + e;
        }
        vd f = kernel_elec(elec, job, r2, rinv, rinv2, vd_all(ki->q[k]) * qj, &eel);
        f = vd_and(f + kernel_vdw(vdw, s, r2, rinv, rinv2, a, b, &evd), in);
        if (energy) {
            ki->elec += vd_and(eel, in);
            ki->vdw += vd_and(evd, in);
        }
        /* The force on the i atom, and its opposite on the j atoms. */
        vd tx = f * dx, ty = f * dy, tz = f * dz;
        ki->fx[k] += tx, ki->fy[k] += ty, ki->fz[k] += tz;
        gx -= tx, gy -= ty, gz -= tz;
    }
    vd_store(at->fx + o, gx);
    vd_store(at->fy + o, gy);
    vd_store(at->fz + o, gz);
}

/* The shift of the row is added here. */
INLINE void kernel_open(const struct kernel_job *job, const struct kernel_row *row,
                        struct kernel_i *ki)
{
    const struct kernel_atoms *at = &job->atoms;
    memset(ki, 0, sizeof *ki);
    for (int k = 0; k < KERNEL_WIDTH; k++) {
        size_t i = (size_t)row->ci * KERNEL_WIDTH + (size_t)k;
        ki->x[k] = at->x[i] + row->shift[0];
        ki->y[k] = at->y[i] + row->shift[1];
        ki->z[k] = at->z[i] + row->shift[2];
        ki->q[k] = at->q[i];
        ki->se[k] = at->se[i];
        ki->rm[k] = at->rm[i];
        ki->a[k] = job->a + (size_t)at->type[i] * (size_t)job->ntype;
        ki->b[k] = job->b + (size_t)at->type[i] * (size_t)job->ntype;
    }
}

/* The virial of pairs across the box's boundary: shift times the force on the i cluster, see
 * energy.c. */
INLINE void kernel_close(struct kernel_job *job, const struct kernel_row *row,
                         const struct kernel_i *ki)
{
    for (int k = 0; k < KERNEL_WIDTH; k++) {
        size_t i = (size_t)row->ci * KERNEL_WIDTH + (size_t)k;
        double fx = vd_sum(ki->fx[k]), fy = vd_sum(ki->fy[k]), fz = vd_sum(ki->fz[k]);
        job->atoms.fx[i] += fx;
        job->atoms.fy[i] += fy;
        job->atoms.fz[i] += fz;
        /* x f of the atoms themselves is summed elsewhere. */
        job->virial[0] += row->shift[0] * fx;
        job->virial[1] += row->shift[1] * fy;
        job->virial[2] += row->shift[2] * fz;
    }
    job->elec += vd_sum(ki->elec);
    job->vdw += vd_sum(ki->vdw);
}

/* Special pairs of a row, for any scheme.  They are rare, and one function for all schemes halves
 * the compilation time. */
static __attribute__((noinline)) void kernel_special(struct kernel_job *job,
                                                     const struct kernel_row *row, int energy)
{
    const struct scheme *s = job->scheme;
    struct kernel_i ki;
    kernel_open(job, row, &ki);
    for (size_t n = row->first + row->plain; n < row->first + row->plain + row->special; n++)
        kernel_pair((int)s->elec, (int)s->vdw, energy, 1, job, &ki, job->j[n], job->mask[n]);
    kernel_close(job, row, &ki);
}

/* Plain pairs are 4 x 4 atoms, without exclusions or special types. */
INLINE void kernel_rows(const int elec, const int vdw, const int energy, struct kernel_job *job)
{
    for (size_t r = 0; r < job->rows; r++) {
        const struct kernel_row *row = &job->row[r];
        struct kernel_i ki;
        kernel_open(job, row, &ki);
        for (uint32_t n = 0; n < row->plain; n++)
            kernel_pair(elec, vdw, energy, 0, job, &ki, job->j[row->first + n], 0xffff);
        kernel_close(job, row, &ki);
        if (row->special > 0)
            kernel_special(job, row, energy);
    }
}

/* The instantiations: one function for each scheme, for forces only.  Energies are needed rarely,
 * so one function computes them for all schemes; the compiler makes it in a fortieth of the
 * time. */
#define KERNEL_EACH_VDW(X, elec) X(elec, 0) X(elec, 1) X(elec, 2) X(elec, 3)
#define KERNEL_EACH(X)                                                                             \
    KERNEL_EACH_VDW(X, 0)                                                                          \
    KERNEL_EACH_VDW(X, 1)                                                                          \
    KERNEL_EACH_VDW(X, 2)                                                                          \
    KERNEL_EACH_VDW(X, 3)                                                                          \
    KERNEL_EACH_VDW(X, 4)                                                                          \
    KERNEL_EACH_VDW(X, 5)                                                                          \
    KERNEL_EACH_VDW(X, 6)                                                                          \
    KERNEL_EACH_VDW(X, 7)                                                                          \
    KERNEL_EACH_VDW(X, 8)

#define KERNEL_DEFINE(elec, vdw)                                                                   \
    static void kernel_force_##elec##_##vdw(struct kernel_job *job)                                \
    {                                                                                              \
        kernel_rows(elec, vdw, 0, job);                                                            \
    }
KERNEL_EACH(KERNEL_DEFINE)

static void kernel_energy(struct kernel_job *job)
{
    kernel_rows((int)job->scheme->elec, (int)job->scheme->vdw, 1, job);
}

kernel_fn *KERNEL_PICK(enum scheme_elec elec, enum scheme_vdw vdw, int energy);

/* Energies always use the general function, whatever the schemes. */
kernel_fn *KERNEL_PICK(enum scheme_elec elec, enum scheme_vdw vdw, int energy)
{
#define KERNEL_ROW(elec, vdw) kernel_force_##elec##_##vdw,
    static kernel_fn *const table[SCHEME_ELECS * SCHEME_VDWS] = {KERNEL_EACH(KERNEL_ROW)};
    return energy ? kernel_energy : table[(int)elec * SCHEME_VDWS + (int)vdw];
}
