/* script_help.c - what users of CHARMM are told where hmd does not do what they write.
 *
 * Each row is a command, or a word of one, that CHARMM knows and hmd does not, and what to do. */
#include "script_run.h"

struct script_advice {
    const char *name, *why;
};

static const char *advice(const struct script *s, int at, const struct script_advice *row, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (script_is(s, at, row[k].name))
            return row[k].why;
    return NULL;
}

const char *script_command_help(const struct script *s)
{
    static const char build[] = "hmd does not build structures: make the PSF with CHARMM, "
                                "CHARMM-GUI or psfgen, and READ PSF";
    static const char analysis[] = "hmd does not analyse this: it has CORREL, COOR DYNA, MERGE and "
                                   "TRAJ; MDAnalysis, VMD and CHARMM read its DCD files";
    static const char potential[] = "hmd has no such potential: what it has are CONS HARM, CONS "
                                    "DIHE, CONS RMSD, CONS FIX, RGYR, MMFP GEO, NOE and RESD";
    static const char engine[] = "hmd computes by itself: leave this out";
    static const char alchemy[] = "hmd has no free-energy perturbation: it computes one structure, "
                                  "at full strength";
    static const char dynamics[] = "words of DYNA keep temperature and pressure here: NOSE TREF t, "
                                   "LANG TBATH t, CPT PREF p HOOVER REFT t";
    static const struct script_advice row[] = {
        {"SBOUND", potential},
        {"PULL", potential},
        {"GEO", "a command of MMFP: MMFP comes before it, END behind"},
        {"ASSIGN", "a command of NOE: NOE comes before it, END behind"},
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
        {"ENTER", "a command of CORREL: CORREL comes before it, END behind"},
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
    const char *why = advice(s, 0, row, sizeof row / sizeof *row);
    return why ? why : "hmd has no such command: docs/hmd.md lists those it knows";
}

const char *script_word_help(const struct script *s, int at)
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
    return advice(s, at, row, sizeof row / sizeof *row);
}
