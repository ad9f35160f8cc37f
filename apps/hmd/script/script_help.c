/* script_help.c - advice for users of CHARMM about what hmd does not support.
 *
 * Ignoring an unsupported command would give another simulation than requested. An error without
 * advice would leave users searching for an alternative that may not exist. Each row is one reason
 * with the words that it answers. A word belongs to a command, to the words of any command, or to
 * those of one. GONE changes only the message: "is not part of hmd". */
#include "script_help.h"

#include <stddef.h>

static const char analysis[] = "analyse the DCD with MDAnalysis: docs/hmd.md, Analysis";
static const char measure[] = "compute it with MDAnalysis, from the CRD or the DCD: "
                              "docs/hmd.md, Analysis";
static const char places[] = "change the coordinates with MDAnalysis, and READ COOR: "
                             "docs/hmd.md, Analysis";
static const char restraint[] = "the restraints here are CONS HARM, CONS DIHE and CONS FIX";

/* Words are commands, or words of any command, or of one; GONE: hmd intentionally leaves them to
 * other programs. The values are bits: COMMAND is 0. */
enum scope { COMMAND, WORD, GONE };
static const struct help {
    int scope;
    const char *command, *words, *why;
} table[] = {
    /* Words that hmd leaves to other programs on purpose come first. */
    {GONE | COMMAND, NULL, "CORREL ENTER TRAJECTORY MERGE MONITOR", analysis},
    {GONE | COMMAND, NULL, "QUICK Q", measure},
    {GONE | COMMAND, NULL, "INTERACTION", "compute it with CHARMM, from the PSF and the DCD"},
    {GONE | COMMAND, NULL, "MMFP GEO NOE ASSIGN RESDISTANCE RGYR", restraint},
    {GONE | WORD, "COORDINATES", "DYNAMICS HBOND CONTACT HISTOGRAM", analysis},
    {GONE | WORD, "COORDINATES", "SHAKE", "MINI and DYNA begin with it: SHAKE comes before them"},
    {GONE | WORD, "COORDINATES", "AXIS RGYR LSQP INERTIA DIPOLE DISTANCE MINDISTANCE MAXDISTANCE",
     measure},
    {GONE | WORD, "COORDINATES",
     "ADD DIFFERENCE AVERAGE SCALE MASS_WEIGHTING TWIST DUPLICATE ROTATE", places},
    {GONE | WORD, "CONSTRAINTS", "RMSD BESTFIT", restraint},
    {GONE | WORD, "SKIPE", "GEO NOE RESDISTANCE", restraint},
    {GONE | WORD, "SCALAR",
     "SUM PROD MIN MAX POWER IPOW SIGN INTEGER RECIPROCAL LOG EXP ABS NORM POW2 SQRT STORE +STORE "
     "*STORE RECALL AVERAGE",
     "SCALAR has =, SET, ADD, MULT, DIVI and STAT, for X, Y, Z, WMAIN, their COMP, MASS, CHARGE "
     "and FBETA"},
    /* Other commands of CHARMM, and their replacements. */
    {COMMAND, NULL, "SBOUND PULL",
     "hmd has no such potential: what it has are CONS HARM, CONS DIHE and CONS FIX"},
    {COMMAND, NULL, "GENERATE PATCH AUTOGENERATE IC HBUILD RENAME JOIN REPLICATE",
     "hmd does not build structures: make the PSF with CHARMM, CHARMM-GUI or psfgen, and READ PSF"},
    {COMMAND, NULL, "SPECTRUM CLUSTER RDFSOL",
     "hmd does not analyse: MDAnalysis, VMD and CHARMM read its DCD"},
    {COMMAND, NULL, "TPCONTROL NOSE LANGEVIN",
     "words of DYNA keep temperature and pressure here: NOSE TREF t, LANG TBATH t, CPT PREF p "
     "HOOVER REFT t"},
    {COMMAND, NULL, "PBOUND", "CRYSTAL DEFINE makes the box here: it is the only way"},
    {COMMAND, NULL, "VIBRAN",
     "hmd has no normal modes: minimise here, READ the coordinates in CHARMM"},
    {COMMAND, NULL, "BLOCK PERT",
     "hmd has no free-energy perturbation: it computes one structure, at full strength"},
    {COMMAND, NULL, "LONEPAIR",
     "lone pairs are those of the PSF: make it with CHARMM, and READ PSF"},
    {COMMAND, NULL, "DRUDE", "hmd does not move Drude particles"},
    {COMMAND, NULL, "HBOND", "hmd has no hydrogen bonds as an energy: leave this out"},
    {COMMAND, NULL, "OUTU", "hmd writes to stdout: `hmd -i FILE > OUTPUT`"},
    {COMMAND, NULL, "OMM BLADE", "hmd computes by itself: leave this out"},
    {COMMAND, NULL, "SYSTEM", "hmd runs no other programs: do it in a shell script around it"},
    {WORD, NULL, "VV2 LNX", "hmd integrates by LEAP and VVER: write one of them"},
    {WORD, NULL, "TCONSTANT TCOUPLING PCOUPLING",
     "hmd has no weak coupling (Berendsen's): HOOVER REFT t, NOSE TREF t or LANG TBATH t keep the "
     "temperature, PREF p and TAUP the pressure"},
    {WORD, NULL, "PEXTERNAL", "hmd computes the internal pressure: write PINT"},
    {WORD, NULL, "OMM BLADE PRMC", "a word of another engine than CHARMM's own: leave it out"},
    {WORD, NULL, "NRAPHSON POWELL LATTICE",
     "hmd minimises by SD, CONJ and ABNR, in a box that does not change"},
};

/* The first row that fits. Words are compared by four letters. */
const char *help_of(const struct words *w, int at, int *gone)
{
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (at < w->n && (table[k].scope & WORD) == (at ? WORD : COMMAND) &&
            (!table[k].command || text_same(w->at[0], table[k].command)) &&
            text_among(w->at[at], table[k].words)) {
            *gone = (table[k].scope & GONE) != 0;
            return table[k].why;
        }
    *gone = 0;
    /* Any unknown command gets at least this text; an unknown word may be left to its command. */
    return at ? NULL : "hmd has no such command: docs/hmd.md lists those it knows";
}
