/* script_help.c - what users of CHARMM are told where hmd does not do what they write.
 *
 * The first table has what hmd leaves to other programs by intention: analysis, most of COOR and
 * SCALAR, unusual restraints.  Each row of the others has commands, or words of one, that
 * CHARMM knows and hmd does not, and what to do. */
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
static const char gone_shake[] = "MINI and DYNA begin with it: SHAKE comes before them";
static const char gone_energy[] = "compute it with CHARMM, from the PSF and the DCD";
static const char gone_numbers[] = "SCALAR has =, SET, ADD, MULT, DIVI and STAT, for X, Y, Z, "
                                   "WMAIN, their COMP, MASS, CHARGE and FBETA";

static const struct {
    const char *command; /* NULL: the words are commands */
    const char *words, *instead;
} gone[] = {
    {NULL, "CORREL ENTER TRAJECTORY MERGE MONITOR", gone_analysis},
    {NULL, "QUICK Q", gone_measure},
    {NULL, "INTERACTION", gone_energy},
    {NULL, "MMFP GEO NOE ASSIGN RESDISTANCE RGYR", gone_restraint},
    {"COORDINATES", "DYNAMICS HBOND CONTACT HISTOGRAM", gone_analysis},
    {"COORDINATES", "SHAKE", gone_shake},
    {"COORDINATES", "AXIS RGYR LSQP INERTIA DIPOLE DISTANCE MINDISTANCE MAXDISTANCE", gone_measure},
    {"COORDINATES", "ADD DIFFERENCE AVERAGE SCALE MASS_WEIGHTING TWIST DUPLICATE ROTATE",
     gone_places},
    {"CONSTRAINTS", "RMSD BESTFIT", gone_restraint},
    {"SKIPE", "GEO NOE RESDISTANCE", gone_restraint},
    {"SCALAR",
     "SUM PROD MIN MAX POWER IPOW SIGN INTEGER RECIPROCAL LOG EXP ABS NORM POW2 SQRT STORE +STORE "
     "*STORE RECALL AVERAGE",
     gone_numbers},
};

const char *help_gone(const struct words *w, int at)
{
    for (size_t k = 0; k < sizeof gone / sizeof *gone; k++)
        if ((at > 0 ? gone[k].command && text_same(w->at[0], gone[k].command) : !gone[k].command) &&
            text_among(w->at[at], gone[k].words))
            return gone[k].instead;
    return NULL;
}

/* ---- what is not known ------------------------------------------------------------------------
 */

struct script_advice {
    const char *names, *why;
};

static const char *advice(const struct words *w, int at, const struct script_advice *row, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (at < w->n && text_among(w->at[at], row[k].names))
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
        {"SBOUND PULL", potential},
        {"GENERATE PATCH AUTOGENERATE IC HBUILD RENAME JOIN REPLICATE", build},
        {"SPECTRUM CLUSTER RDFSOL", analysis},
        {"TPCONTROL NOSE LANGEVIN", dynamics},
        {"PBOUND", "CRYSTAL DEFINE makes the box here: it is the only way"},
        {"VIBRAN", "hmd has no normal modes: minimise here, READ the coordinates in CHARMM"},
        {"BLOCK PERT", alchemy},
        {"LONEPAIR", "lone pairs are those of the PSF: make it with CHARMM, and READ PSF"},
        {"DRUDE", "hmd does not move Drude particles"},
        {"HBOND", "hmd has no hydrogen bonds as an energy: leave this out"},
        {"OUTU", "hmd writes to stdout: `hmd -i FILE > OUTPUT`"},
        {"OMM BLADE", engine},
        {"SYSTEM", "hmd runs no other programs: do it in a shell script around it"},
    };
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
    static const struct script_advice row[] = {
        {"VV2 LNX", steps},
        {"TCONSTANT TCOUPLING PCOUPLING", weak},
        {"PEXTERNAL", "hmd computes the internal pressure: write PINT"},
        {"OMM BLADE PRMC", engine},
        {"NRAPHSON POWELL LATTICE", ways},
    };
    return advice(w, at, row, sizeof row / sizeof *row);
}
