/* test_hmd_reference.c - energies and forces against CHARMM, LAMMPS and OpenMM on the systems of
 * ../shared/md, to the digits printed in its README. Skipped where those files are missing. */
#include "hmd_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double vacuum[3] = {0, 0, 0};
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
    cr_assert_eq(fx.system.ndihedral, 76);
    cr_assert_eq(fx.system.npair14, 74);
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

Test(hmd_reference, ala3_to_the_last_digit)
{
    expect_ala3("ala3/ala3.psf");
}

Test(hmd_reference, ala3_with_named_types)
{
    expect_ala3("ala3/ala3.xplor.psf");
}

Test(hmd_reference, ala3_shift_acts_on_14_pairs)
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

Test(hmd_reference, droplet)
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

Test(hmd_reference, solvated_bonded_terms_and_nbfix)
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

Test(hmd_reference, solvated_relaxed)
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
