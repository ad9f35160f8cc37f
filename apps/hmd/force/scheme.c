/* scheme.c - the cut-off schemes for one pair, see scheme.h for formulas and sources.
 *
 * Each function returns the force divided by r together with the energy. Both must be consistent:
 * the minimisers and ECHECK compare them.
 */
#include "scheme.h"

#include <math.h>
#include <string.h>

#include "ewald.h"

static const char *const scheme_elec_names[SCHEME_ELECS] = {
    "shift", "switch", "fshift", "truncate", "ewald", "rshift", "rswitch", "rtruncate", "fswitch"};
static const char *const scheme_vdw_names[SCHEME_VDWS] = {"vswitch", "vshift", "vfswitch",
                                                          "truncate"};

static int scheme_find(const char *const *names, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* -1: unknown. pme is Ewald's sum on a grid. */
int scheme_elec_of(const char *name)
{
    return strcmp(name, "pme") ? scheme_find(scheme_elec_names, SCHEME_ELECS, name)
                               : SCHEME_ELEC_EWALD;
}

int scheme_vdw_of(const char *name)
{
    return scheme_find(scheme_vdw_names, SCHEME_VDWS, name);
}

const char *scheme_elec_name(enum scheme_elec elec)
{
    return scheme_elec_names[elec];
}

const char *scheme_vdw_name(enum scheme_vdw vdw)
{
    return scheme_vdw_names[vdw];
}

/* The integral of FSWITCH's force above ron, up to the constant. Each power of r in the force is
 * integrated separately. */
static double scheme_fswitch(const struct scheme *s, double r)
{
    double r2 = r * r;
    const double *c = s->fsw_q;
    return c[0] / r - r * (c[1] + r2 * (c[2] / 3 + r2 * c[3] / 5));
}

/* Expands S(r^2) / r^2, and computes the integral's constants; only these if ron = roff. fsw_far
 * makes the energy 0 at roff; fsw_near makes it continuous at ron. */
static void scheme_fswitch_make(struct scheme *s)
{
    double o = s->roff2, n = s->ron2, c = s->switch_norm;
    if (s->ron >= s->roff) {
        s->fsw_near = s->fsw_far = -1 / s->roff;
        return;
    }
    s->fsw_q[0] = c * o * o * (o - 3 * n);
    s->fsw_q[1] = c * 6 * o * n;
    s->fsw_q[2] = c * -3 * (o + n);
    s->fsw_q[3] = c * 2;
    s->fsw_far = -scheme_fswitch(s, s->roff);
    s->fsw_near = s->ron > 0 ? scheme_fswitch(s, s->ron) + s->fsw_far - 1 / s->ron : 0;
}

/* FSWITCH and VFSWITCH need no renaming: without a range between ron and roff they are constants
 * added to the bare interaction. */
struct scheme scheme_make(enum scheme_elec elec, enum scheme_vdw vdw, double roff, double ron)
{
    /* There is no range to switch in. */
    if (ron >= roff) {
        ron = roff;
        elec = elec == SCHEME_ELEC_SWITCH    ? SCHEME_ELEC_TRUNCATE
               : elec == SCHEME_ELEC_RSWITCH ? SCHEME_ELEC_RTRUNCATE
                                             : elec;
        vdw = vdw == SCHEME_VDW_SWITCH ? SCHEME_VDW_TRUNCATE : vdw;
    }
    struct scheme s = {.elec = elec, .vdw = vdw, .roff = roff, .ron = ron};
    s.roff2 = roff * roff;
    s.ron2 = ron * ron;
    s.roff2_inv = 1 / s.roff2;
    s.roff3_inv = 1 / (roff * roff * roff);
    s.roff6_inv = s.roff3_inv * s.roff3_inv;
    if (ron < roff) {
        double on3 = ron * ron * ron, off3 = roff * roff * roff;
        s.switch_norm = 1 / ((s.roff2 - s.ron2) * (s.roff2 - s.ron2) * (s.roff2 - s.ron2));
        s.fsw_ka = off3 * off3 / (off3 * off3 - on3 * on3);
        s.fsw_kb = off3 / (off3 - on3);
    }
    scheme_fswitch_make(&s);
    /* The constants of VFSWITCH within ron. */
    s.fsw_c6 = 1 / (ron * ron * ron * roff * roff * roff);
    s.fsw_c12 = s.fsw_c6 * s.fsw_c6;
    return s;
}

/* A radius that no distance reaches. */
struct scheme scheme_none(void)
{
    return scheme_make(SCHEME_ELEC_TRUNCATE, SCHEME_VDW_TRUNCATE, 1e30, 1e30);
}

/* S(u) and dS/du of the switching function; 1 and 0 below ron. u is r^2; so the slope is with
 * respect to r^2, and the force has twice of it. */
static double scheme_switch(const struct scheme *s, double r2, double *slope)
{
    double u = r2 > s->ron2 ? r2 : s->ron2, o = s->roff2, n = s->ron2;
    *slope = 6 * s->switch_norm * (o - u) * (n - u);
    return s->switch_norm * (o - u) * (o - u) * (o + 2 * u - 3 * n);
}

/* Returns the force divided by r. */
static double scheme_elec_pair(const struct scheme *s, double r2, double qq, double *energy)
{
    double rinv = 1 / sqrt(r2), rinv2 = 1 / r2, slope, w;
    switch (s->elec) {
    /* The same formulae as in kernel_elec(). */
    case SCHEME_ELEC_SHIFT:
        w = 1 - r2 * s->roff2_inv;
        *energy = qq * rinv * w * w;
        return qq * rinv * w * (w * rinv2 + 4 * s->roff2_inv);
    case SCHEME_ELEC_FSHIFT:
        w = 1 - r2 * rinv / s->roff;
        *energy = qq * rinv * w * w;
        return qq * rinv * (rinv2 - s->roff2_inv);
    case SCHEME_ELEC_SWITCH:
        w = scheme_switch(s, r2, &slope);
        *energy = qq * rinv * w;
        return qq * rinv * (w * rinv2 - 2 * slope);
    case SCHEME_ELEC_EWALD:
        w = ewald_smooth(s->ewald.kappa, r2, &slope);
        *energy = qq * (rinv - w);
        return qq * (rinv * rinv2 + 2 * slope);
    case SCHEME_ELEC_RSHIFT:
        w = 1 - r2 * s->roff2_inv;
        *energy = qq * rinv2 * w * w;
        return 2 * qq * rinv2 * w * (w * rinv2 + 2 * s->roff2_inv);
    case SCHEME_ELEC_RSWITCH:
        w = scheme_switch(s, r2, &slope);
        *energy = qq * rinv2 * w;
        return 2 * qq * rinv2 * (w * rinv2 - slope);
    case SCHEME_ELEC_RTRUNCATE:
        *energy = qq * rinv2;
        return 2 * qq * rinv2 * rinv2;
    case SCHEME_ELEC_FSWITCH:
        if (r2 > s->ron2) {
            *energy = qq * (scheme_fswitch(s, r2 * rinv) + s->fsw_far);
            return qq * rinv *
                   (s->fsw_q[0] * rinv2 + s->fsw_q[1] + r2 * (s->fsw_q[2] + r2 * s->fsw_q[3]));
        }
        *energy = qq * (rinv + s->fsw_near);
        return qq * rinv * rinv2;
    default:
        *energy = qq * rinv;
        return qq * rinv * rinv2;
    }
}

/* Returns the force divided by r. */
static double scheme_vdw_pair(const struct scheme *s, double r2, double a, double b, double *energy)
{
    double rinv2 = 1 / r2, rinv6 = rinv2 * rinv2 * rinv2, slope, w;
    double bare = (a * rinv6 - b) * rinv6, force = (12 * a * rinv6 - 6 * b) * rinv6 * rinv2;
    switch (s->vdw) {
    /* The same formulae as in kernel_vdw(). */
    case SCHEME_VDW_SWITCH:
        w = scheme_switch(s, r2, &slope);
        *energy = bare * w;
        return force * w - 2 * bare * slope;
    case SCHEME_VDW_SHIFT: {
        double c = (2 * a * s->roff6_inv - b) * s->roff6_inv * s->roff6_inv, r6 = r2 * r2 * r2;
        *energy = bare + c * r6 - (3 * a * s->roff6_inv - 2 * b) * s->roff6_inv;
        return force - 6 * c * r2 * r2;
    }
    case SCHEME_VDW_FSWITCH:
        if (r2 > s->ron2) {
            double rinv3 = rinv2 / sqrt(r2), d6 = rinv6 - s->roff6_inv, d3 = rinv3 - s->roff3_inv;
            *energy = a * s->fsw_ka * d6 * d6 - b * s->fsw_kb * d3 * d3;
            return (12 * a * s->fsw_ka * d6 * rinv6 - 6 * b * s->fsw_kb * d3 * rinv3) * rinv2;
        }
        *energy = bare - (a * s->fsw_c12 - b * s->fsw_c6);
        return force;
    default:
        *energy = bare;
        return force;
    }
}

/* One pair, for 1-4 terms and tests; the kernels compute the same for four. */
double scheme_pair(const struct scheme *s, double r2, double qq, double a, double b, double *elec,
                   double *vdw)
{
    *elec = *vdw = 0;
    if (r2 >= s->roff2)
        return 0;
    double f = scheme_elec_pair(s, r2, qq, elec);
    return f + scheme_vdw_pair(s, r2, a, b, vdw);
}
