/* script_help.c - what users of CHARMM are told where hmd does not do what they write.
 *
 * The first table has what hmd leaves to other programs by intention: analysis, most of COOR and
 * SCALAR, unusual restraints.  Each row of the others is a command, or a word of one, that CHARMM
 * knows and hmd does not, and what to do. */
#include "script_help.h"

#include <stddef.h>

/* ---- what is not part of hmd ------------------------------------------------------------------
 */

static const char gone_analysis[] = "analyse the DCD with MDAnalysis: docs/hmd.md, Analysis";
static const char gone_measure[] = "compute it with MDAnalysis, from the CRD or the DCD: "
                                   "docs/hmd.md, Analysis";
static const char gone_places[] = "change the coordinates with MDAnalysis, and READ COOR: "
                                  "docs/hmd.md, Analysis";
static const char gone_restraint[] = "the restraints here are CONS HARM, CONS DIHE and CONS FIX";
static const char gone_energy[] = "compute it with CHARMM, from the PSF and the DCD";
static const char gone_numbers[] =
    "SCALAR has =, SET, ADD, MULT, DIVI, SHOW and STAT, for X, Y, Z, "
    "WMAIN, their COMP, MASS, CHARGE and FBETA";

static const struct script_gone script_gone[] = {{"CORREL", NULL, gone_analysis},
                                                 {"ENTER", NULL, gone_analysis},
                                                 {"TRAJECTORY", NULL, gone_analysis},
                                                 {"MERGE", NULL, gone_analysis},
                                                 {"MONITOR", NULL, gone_analysis},
                                                 {"QUICK", NULL, gone_measure},
                                                 {"Q", NULL, gone_measure},
                                                 {"INTERACTION", NULL, gone_energy},
                                                 {"MMFP", NULL, gone_restraint},
                                                 {"GEO", NULL, gone_restraint},
                                                 {"NOE", NULL, gone_restraint},
                                                 {"ASSIGN", NULL, gone_restraint},
                                                 {"RESDISTANCE", NULL, gone_restraint},
                                                 {"RGYR", NULL, gone_restraint},
                                                 {"COORDINATES", "DYNAMICS", gone_analysis},
                                                 {"COORDINATES", "HBOND", gone_analysis},
                                                 {"COORDINATES", "CONTACT", gone_analysis},
                                                 {"COORDINATES", "HISTOGRAM", gone_analysis},
                                                 {"COORDINATES", "AXIS", gone_measure},
                                                 {"COORDINATES", "RGYR", gone_measure},
                                                 {"COORDINATES", "LSQP", gone_measure},
                                                 {"COORDINATES", "INERTIA", gone_measure},
                                                 {"COORDINATES", "DIPOLE", gone_measure},
                                                 {"COORDINATES", "DISTANCE", gone_measure},
                                                 {"COORDINATES", "MINDISTANCE", gone_measure},
                                                 {"COORDINATES", "MAXDISTANCE", gone_measure},
                                                 {"COORDINATES", "ADD", gone_places},
                                                 {"COORDINATES", "DIFFERENCE", gone_places},
                                                 {"COORDINATES", "AVERAGE", gone_places},
                                                 {"COORDINATES", "SCALE", gone_places},
                                                 {"COORDINATES", "MASS_WEIGHTING", gone_places},
                                                 {"COORDINATES", "TWIST", gone_places},
                                                 {"COORDINATES", "DUPLICATE", gone_places},
                                                 {"CONSTRAINTS", "RMSD", gone_restraint},
                                                 {"CONSTRAINTS", "BESTFIT", gone_restraint},
                                                 {"SKIPE", "GEO", gone_restraint},
                                                 {"SKIPE", "NOE", gone_restraint},
                                                 {"SKIPE", "RESDISTANCE", gone_restraint},
                                                 {"SCALAR", "SUM", gone_numbers},
                                                 {"SCALAR", "PROD", gone_numbers},
                                                 {"SCALAR", "MIN", gone_numbers},
                                                 {"SCALAR", "MAX", gone_numbers},
                                                 {"SCALAR", "POWER", gone_numbers},
                                                 {"SCALAR", "IPOW", gone_numbers},
                                                 {"SCALAR", "SIGN", gone_numbers},
                                                 {"SCALAR", "INTEGER", gone_numbers},
                                                 {"SCALAR", "RECIPROCAL", gone_numbers},
                                                 {"SCALAR", "LOG", gone_numbers},
                                                 {"SCALAR", "EXP", gone_numbers},
                                                 {"SCALAR", "ABS", gone_numbers},
                                                 {"SCALAR", "NORM", gone_numbers},
                                                 {"SCALAR", "POW2", gone_numbers},
                                                 {"SCALAR", "SQRT", gone_numbers},
                                                 {"SCALAR", "STORE", gone_numbers},
                                                 {"SCALAR", "+STORE", gone_numbers},
                                                 {"SCALAR", "*STORE", gone_numbers},
                                                 {"SCALAR", "RECALL", gone_numbers},
                                                 {"SCALAR", "AVERAGE", gone_numbers}};

const struct script_gone *help_gone(const struct words *w, int at)
{
    for (size_t k = 0; k < sizeof script_gone / sizeof *script_gone; k++) {
        const struct script_gone *g = &script_gone[k];
        if (text_same(w->at[0], g->command) && (at > 0) == (g->word != NULL) &&
            (!g->word || text_same(w->at[at], g->word)))
            return g;
    }
    return NULL;
}

/* ---- what is not known ------------------------------------------------------------------------
 */

struct script_advice {
    const char *name, *why;
};

static const char *advice(const struct words *w, int at, const struct script_advice *row, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (at < w->n && text_same(w->at[at], row[k].name))
            return row[k].why;
    return NULL;
}

const char *help_command(const struct words *w)
{
    static const char build[] = "hmd does not build structures: make the PSF with CHARMM, "
                                "CHARMM-GUI or psfgen, and READ PSF";
    static const char analysis[] = "hmd does not analyse: MDAnalysis, VMD and CHARMM read its DCD";
    static const char potential[] = "hmd has no such potential: what it has are CONS HARM, CONS "
                                    "DIHE and CONS FIX";
    static const char engine[] = "hmd computes by itself: leave this out";
    static const char alchemy[] = "hmd has no free-energy perturbation: it computes one structure, "
                                  "at full strength";
    static const char dynamics[] = "words of DYNA keep temperature and pressure here: NOSE TREF t, "
                                   "LANG TBATH t, CPT PREF p HOOVER REFT t";
    static const struct script_advice row[] = {
        {"SBOUND", potential},
        {"PULL", potential},
        {"GENERATE", build},
        {"PATCH", build},
        {"AUTOGENERATE", build},
        {"IC", build},
        {"HBUILD", build},
        {"RENAME", build},
        {"JOIN", build},
        {"REPLICATE", build},
        {"SPECTRUM", analysis},
        {"CLUSTER", analysis},
        {"RDFSOL", analysis},
        {"TPCONTROL", dynamics},
        {"NOSE", dynamics},
        {"LANGEVIN", dynamics},
        {"PBOUND", "CRYSTAL DEFINE makes the box here: it is the only way"},
        {"VIBRAN", "hmd has no normal modes: minimise here, READ the coordinates in CHARMM"},
        {"BLOCK", alchemy},
        {"PERT", alchemy},
        {"LONEPAIR", "lone pairs are those of the PSF: make it with CHARMM, and READ PSF"},
        {"DRUDE", "hmd does not move Drude particles"},
        {"HBOND", "hmd has no hydrogen bonds as an energy: leave this out"},
        {"OUTU", "hmd writes to stdout: `hmd -i FILE > OUTPUT`"},
        {"OMM", engine},
        {"BLADE", engine},
        {"SYSTEM", "hmd runs no other programs: do it in a shell script around it"}};
    const char *why = advice(w, 0, row, sizeof row / sizeof *row);
    return why ? why : "hmd has no such command: docs/hmd.md lists those it knows";
}

const char *help_word(const struct words *w, int at)
{
    static const char weak[] =
        "hmd has no weak coupling (Berendsen's): HOOVER REFT t, NOSE TREF t or "
        "LANG TBATH t keep the temperature, PREF p and TAUP the pressure";
    static const char engine[] = "a word of another engine than CHARMM's own: leave it out";
    static const char ways[] = "hmd minimises by SD, CONJ and ABNR, in a box that does not change";
    static const char steps[] = "hmd integrates by LEAP and VVER: write one of them";
    static const struct script_advice row[] = {{"VV2", steps},
                                               {"LNX", steps},
                                               {"TCONSTANT", weak},
                                               {"TCOUPLING", weak},
                                               {"PCOUPLING", weak},
                                               {"PEXTERNAL", "hmd computes the internal pressure: "
                                                             "write PINT"},
                                               {"OMM", engine},
                                               {"BLADE", engine},
                                               {"PRMC", engine},
                                               {"NRAPHSON", ways},
                                               {"POWELL", ways},
                                               {"LATTICE", ways}};
    return advice(w, at, row, sizeof row / sizeof *row);
}
