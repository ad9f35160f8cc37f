/* test_hmd_reference.c - energies and forces of the bundled system against an evaluator of our own
 * (hmd_plain.h), in vacuum and in its box, with each scheme and with Ewald's sum; where
 * ../shared/md is, also against CHARMM, LAMMPS and OpenMM on its systems, to the digits printed in
 * its README. */
#include "ewald.h"
#include "hmd_plain.h"
#include "hmd_texts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double vacuum[3] = {0, 0, 0};
static const double cube[3] = {25, 25, 25};
static const double solv_box[3] = {32.71195, 32.99596, 33.00715};

static const struct fixture_texts ala3 = {.psf = "ala3/ala3.psf",
                                          .top = "toppar/top_all22_prot.inp",
                                          .par = "toppar/par_all22_prot.inp",
                                          .pdb = "ala3/ala3.pdb"};
static const struct fixture_texts droplet = {.psf = "droplet/water3000.psf",
                                             .top = "toppar/top_all22_prot.inp",
                                             .par = "toppar/par_all22_prot.inp",
                                             .crd = "droplet/water3000.crd"};
static const struct fixture_texts solv = {.psf = "ala3_solv/ala3_solv.psf",
                                          .par = "toppar/par_all36_prot.prm",
                                          .str = "toppar/toppar_water_ions.str",
                                          .crd = "ala3_solv/ala3_solv_relaxed.crd"};

static void expect(double got, double want, double tolerance, const char *what)
{
    cr_expect(fabs(got - want) <= tolerance, "%s: %.12f, reference %.12f", what, got, want);
}

/* Terms in the order of enum energy_term. */
static void expect_terms(const double *got, const double *want, double tolerance)
{
    for (int k = 0; k < ENERGY_TERMS; k++)
        expect(got[k], want[k], tolerance, energy_names[k]);
}

/* ---- our own evaluator ---- */

static const struct fixture_texts alad = {
    .psf = HMD_DATA "/alad.psf", .par = HMD_DATA "/alad.prm", .crd = HMD_DATA "/alad.crd"};

/* Forces on some atoms against differences of the evaluator's energy.  Over 1e-4 Angstrom they are
 * good to 1e-5 kcal/mol/Angstrom here. */
static void expect_plain_forces(struct fixture *fx, const struct scheme *s)
{
    const double h = 1e-4;
    for (int k = 1; k < 4; k++) {
        int atom = (k * 7919) % fx->system.natom, axis = k % 3;
        double *at = &fx->x[3 * atom + axis], was = *at, slope = 0;
        for (int side = -1; side <= 1; side += 2) {
            double term[ENERGY_TERMS];
            *at = was + side * h;
            plain_energy(&fx->system, &fx->param, fx->x, s->elec, s->vdw, s->roff, s->ron, atom,
                         term);
            for (int t = 0; t < ENERGY_TERMS; t++)
                slope += side * term[t] / (2 * h);
        }
        *at = was;
        double force = fx->f[3 * atom + axis];
        expect(force, -slope, 2e-5 * (1 + fabs(slope)), "force");
    }
}

/* All terms with this scheme are those of the evaluator, to `tolerance` of each. */
static void expect_plain(struct fixture *fx, const struct scheme *s, double cutnb, double tolerance)
{
    double term[ENERGY_NUMBERS], want[ENERGY_TERMS];
    fixture_energy(fx, s, cutnb, 1, term);
    for (int k = ENERGY_ELEC + 1; k <= ENERGY_EWQC; k++) {
        term[ENERGY_ELEC] += term[k];
        term[k] = 0;
    }
    plain_energy(&fx->system, &fx->param, fx->x, s->elec, s->vdw, s->roff, s->ron, -1, want);
    for (int k = 0; k < ENERGY_TERMS; k++)
        cr_expect(fabs(term[k] - want[k]) <= tolerance * (1 + fabs(want[k])),
                  "elec %s, vdw %s, %s: %.12g, reference %.12g", scheme_elec_name(s->elec),
                  scheme_vdw_name(s->vdw), energy_names[k], term[k], want[k]);
    if (s->elec != SCHEME_ELEC_EWALD)
        expect_plain_forces(fx, s);
}

/* Every scheme once, in pairs. */
static void expect_plain_schemes(struct fixture *fx, double roff)
{
    for (int e = 0; e < SCHEME_ELECS; e++) {
        struct scheme s =
            scheme_make((enum scheme_elec)e, (enum scheme_vdw)(e % SCHEME_VDWS), roff, roff - 2);
        if (e != SCHEME_ELEC_EWALD)
            expect_plain(fx, &s, roff + 2, 1e-9);
    }
}

/* A map, read along one angle after the other. */
static void expect_plain_cross(void)
{
    struct fixture fx;
    struct scheme s = scheme_none();
    char *prm = texts_cross_prm();
    struct fixture_texts t = {.psf = texts_cross_psf, .par = prm};
    cr_assert_eq(fixture_make(&fx, &t, vacuum), 0, "%s", fx.e.text);
    srand(5);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 15; i++)
            fx.x[i] = (i % 3 ? 0 : 1.2 * (i / 3)) + 1.5 * rand() / RAND_MAX;
        expect_plain(&fx, &s, s.roff, 1e-10);
    }
    fixture_free(&fx);
    free(prm);
}

/* ---- CHARMM, LAMMPS and OpenMM ---- */

static void expect_ala3(const char *psf)
{
    static const double want[ENERGY_TERMS] = {
        1.335070653568960,  14.11575269582488,   0.3668947979244669, 14.27730577328293,
        0.3344421120249975, -0.5239270244548691, 0.7718467868407013, 8.449227918673035};
    struct fixture_texts names = ala3;
    struct fixture fx;
    double term[ENERGY_NUMBERS];
    names.psf = psf;
    fixture_load(&fx, &names, vacuum);
    cr_assert_eq(fx.system.term.ndihedral, 76);
    cr_assert_eq(fx.system.term.npair14, 74);
    struct scheme s = scheme_none();
    fixture_energy(&fx, &s, s.roff, 1, term);
    expect_terms(term, want, 2e-12);
    char *dump = fixture_shared("ala3/ala3.charmm_frcdump"), *at = strstr(dump, "FORCE") + 5;
    for (int i = 0; i < 33; i++) {
        strtod(at, &at);
        for (int k = 0; k < 3; k++)
            expect(-fx.f[3 * i + k], strtod(at, &at), 2e-12, "gradient");
    }
    free(dump);
    fixture_free(&fx);
}

static void expect_ala3_shift_on_14_pairs(void)
{
    static const double want[ENERGY_TERMS] = {0, 533.20340, 0.00859,   7.53348,
                                              0, 0.12679,   705.65955, 6.86687};
    struct fixture_texts names = ala3;
    struct fixture fx;
    double term[ENERGY_NUMBERS];
    names.pdb = NULL;
    names.crd = "ala3/ala3_ic.crd";
    fixture_load(&fx, &names, vacuum);
    struct scheme s = scheme_make(SCHEME_ELEC_SHIFT, SCHEME_VDW_SWITCH, 12, 10);
    fixture_energy(&fx, &s, 14, 1, term);
    expect(term[ENERGY_VDW], want[ENERGY_VDW], 0.02, "VDW");
    term[ENERGY_VDW] = want[ENERGY_VDW];
    expect_terms(term, want, 7e-4);
    fixture_free(&fx);
}

static void expect_droplet(void)
{
    struct fixture fx;
    double term[ENERGY_NUMBERS];
    fixture_load(&fx, &droplet, vacuum);
    struct scheme s = scheme_make(SCHEME_ELEC_SHIFT, SCHEME_VDW_SWITCH, 12, 10);
    fixture_energy(&fx, &s, 14, 1, term);
    expect(term[ENERGY_VDW], 1271.70930, 6e-6, "VDW");
    expect(term[ENERGY_ELEC], -11043.39022, 6e-6, "ELEC");
    s = scheme_make(SCHEME_ELEC_SWITCH, SCHEME_VDW_SWITCH, 9, 9);
    fixture_energy(&fx, &s, 9, 1, term);
    expect(term[ENERGY_VDW], 1288.01477, 6e-6, "VDW");
    expect(term[ENERGY_ELEC], -11682.03850, 6e-6, "ELEC");
    fixture_free(&fx);
}

static void expect_solvated(void)
{
    struct fixture_texts names = solv;
    struct fixture fx;
    double term[ENERGY_NUMBERS];
    names.crd = "ala3_solv/ala3_solv.crd";
    fixture_load(&fx, &names, solv_box);
    struct scheme s = scheme_make(SCHEME_ELEC_FSHIFT, SCHEME_VDW_FSWITCH, 12, 10);
    fixture_energy(&fx, &s, 14, 1, term);
    expect(term[ENERGY_BOND], 1.13242125, 6e-9, "BOND");
    expect(term[ENERGY_ANGL] + term[ENERGY_UREY], 1.13022595, 6e-9, "ANGL + UREY");
    expect(term[ENERGY_DIHE], 7.81143025, 6e-9, "DIHE");
    expect(term[ENERGY_CMAP], 0.126790, 6e-7, "CMAP");
    expect(term[ENERGY_VDW], 15533.18794852, 1e-6, "VDW");
    expect(term[ENERGY_ELEC] * 332.06371 / SCHEME_COULOMB, -8029.12056555, 0.2, "ELEC");
    fixture_free(&fx);
}

static void expect_solvated_relaxed(void)
{
    struct fixture fx;
    double term[ENERGY_NUMBERS];
    fixture_load(&fx, &solv, solv_box);
    struct scheme s = scheme_make(SCHEME_ELEC_FSHIFT, SCHEME_VDW_FSWITCH, 12, 10);
    fixture_energy(&fx, &s, 14, 1, term);
    static const double want[ENERGY_TERMS] = {841.35669907,  500.85053760,   2.29887160,
                                              8.37131414,    0.73924739,     0.04084530,
                                              1347.57702853, -13142.82000193};
    expect_terms(term, want, 2e-6);
    char *forces = fixture_shared("ala3_solv/ala3_solv_relaxed.forces"), *at = forces;
    for (int i = 0; i < 3 * fx.system.natom; i++)
        expect(fx.f[i], strtod(at, &at), 1e-3, "force");
    free(forces);
    s = scheme_make(SCHEME_ELEC_SHIFT, SCHEME_VDW_SWITCH, 12, 10);
    fixture_energy(&fx, &s, 14, 1, term);
    expect(term[ENERGY_VDW], 1320.610657, 6e-7, "VDW");
    expect(term[ENERGY_ELEC], -14697.372619, 6e-7, "ELEC");
    fixture_free(&fx);
}

/* Ewald's sum of an independent calculation with kappa 0.40. */
static void expect_solvated_ewald(void)
{
    struct fixture fx;
    double term[ENERGY_NUMBERS];
    fixture_load(&fx, &solv, solv_box);
    for (int pme = 0; pme < 2; pme++) {
        struct scheme s = scheme_make(SCHEME_ELEC_EWALD, SCHEME_VDW_SWITCH, 12, 10);
        s.ewald = (struct scheme_ewald){.pme = pme, .kappa = pme ? 0 : 0.4};
        cr_assert_eq(ewald_choose(&s.ewald, solv_box, 12, pme ? 1e-6 : 1e-11, &fx.e), 0);
        fixture_energy(&fx, &s, 14, 1, term);
        double parts =
            term[ENERGY_EWKS] + term[ENERGY_EWSE] + term[ENERGY_EWEX] + term[ENERGY_EWQC];
        expect(term[ENERGY_ELEC] + parts, -14409.011503, pme ? 0.02 : 2e-6, "ELEC");
        if (pme)
            continue;
        expect(term[ENERGY_EWKS], 372.785179, 1e-6, "EWKS");
        expect(term[ENERGY_EWSE], -73705.525109, 1e-6, "EWSE");
        expect(term[ENERGY_ELEC] + term[ENERGY_EWEX], -9700.089746 + 68623.818172, 2e-6, "EWEX");
        expect(term[ENERGY_VDW], 1320.610657, 6e-7, "VDW");
    }
    fixture_free(&fx);
}

/* ---- all of it ---- */

Test(hmd_reference, all_pairs)
{
    struct fixture fx;
    struct scheme s = scheme_none();
    fixture_files(&fx, &alad, vacuum);
    expect_plain(&fx, &s, s.roff, 1e-9);
    fixture_free(&fx);
    expect_plain_cross();
    if (!fixture_more())
        return;
    expect_ala3("ala3/ala3.psf");
    expect_ala3("ala3/ala3.xplor.psf");
}

Test(hmd_reference, cutoffs_in_vacuum)
{
    struct fixture fx;
    fixture_files(&fx, &alad, vacuum);
    expect_plain_schemes(&fx, 10);
    fixture_free(&fx);
    if (!fixture_more())
        return;
    expect_ala3_shift_on_14_pairs();
    expect_droplet();
}

Test(hmd_reference, cutoffs_in_a_box)
{
    struct fixture fx;
    fixture_files(&fx, &alad, cube);
    expect_plain_schemes(&fx, 10);
    fixture_free(&fx);
    if (!fixture_more())
        return;
    expect_solvated();
    expect_solvated_relaxed();
}

/* Ewald's sum, exact and by particle mesh. */
Test(hmd_reference, ewald)
{
    struct fixture fx;
    fixture_files(&fx, &alad, cube);
    for (int pme = 0; pme < 2; pme++) {
        struct scheme s = scheme_make(SCHEME_ELEC_EWALD, SCHEME_VDW_SWITCH, 10, 8);
        s.ewald = (struct scheme_ewald){.pme = pme};
        cr_assert_eq(ewald_choose(&s.ewald, cube, 10, pme ? 1e-7 : 0, &fx.e), 0, "%s", fx.e.text);
        expect_plain(&fx, &s, 12, pme ? 1e-6 : 1e-9);
    }
    fixture_free(&fx);
    if (fixture_more())
        expect_solvated_ewald();
}
