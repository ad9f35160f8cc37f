/* script_known.c - values of ?NATOM etc.: numbers of the structure, and the first atom of a
 * selection (CHARMM's subst.doc).  They are available as soon as files have been named. Constants
 * are set once, at the start of a script. Numbers of the structure are computed when a script asks
 * for one of them. */
#include <math.h>
#include <string.h>

#include "scheme.h"
#include "script_run.h"
#include "velocity.h"

/* Both spellings are in use in scripts. O(atoms). Sums are in the order of the atoms, so all tasks
 * get equal numbers. */
static void known_structure(struct script *s)
{
    const struct psf *psf = &s->session.in.psf;
    double residues = 0, segments = 0, charge = 0, mass = 0;
    for (int i = 0; i < psf->natom; i++) {
        const struct psf_atom *a = &psf->atom[i];
        residues += psf_residue_begins(psf, i);
        segments += !i || strcmp(a->segid, a[-1].segid);
        charge += a->charge;
        mass += a->mass;
    }
    const struct script_number row[] = {{"?NATOM", psf->natom},
                                        {"?NATO", psf->natom},
                                        {"?NRES", residues},
                                        {"?NSEG", segments},
                                        {"?NBON", psf->bond.count},
                                        {"?NBOND", psf->bond.count},
                                        {"?NTHE", psf->angle.count},
                                        {"?NTHETA", psf->angle.count},
                                        {"?NPHI", psf->dihedral.count},
                                        {"?NIMP", psf->improper.count},
                                        {"?NIMPHI", psf->improper.count},
                                        {"?CGTO", charge},
                                        {"?CGTOT", charge},
                                        {"?MASST", mass}};
    script_results(s, row, sizeof row / sizeof *row);
}

/* Counting requires reading the files, so it is done only on request. Every spelling with the first
 * four letters is set at the same time. An error in reading is in s->e; the name then has no value,
 * and the line is refused with that error. */
void script_known_ask(void *script, const char *name)
{
    static const char *const of[] = {"?NATO", "?NRES", "?NSEG", "?NBON", "?NTHE",
                                     "?NPHI", "?NIMP", "?CGTO", "?MASST"};
    struct script *s = script;
    int mine = 0;
    /* All names that begin like one of these. */
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        mine |= strncmp(name, of[k], strlen(of[k])) == 0;
    if (mine && !script_blame(s, script_load_structure(s)))
        known_structure(s);
}

/* Units as in CHARMM: kcal/mol, Angstrom, AKMA's time. ?MYNODE is 0 in all tasks: a script that
 * branched on it would make the tasks differ. */
void script_known_constants(struct script *s)
{
    const struct script_number row[] = {
        {"?PI", M_PI},
        {"?KBLZ", VELOCITY_KB},
        {"?CCELEC", SCHEME_COULOMB},
        {"?TIMFAC", VELOCITY_AKMA},
        {"?NUMNODE", s->comm->size},
        {"?MYNODE", 0},
        {"?OPENMM", 0}, /* parts of CHARMM that hmd does not have or need */
        {"?BLADE", 0},
        {"?DOMDEC", 0},
        {"?DOMDEC_GPU", 0},
        {"?COLFFT", 0}};
    script_results(s, row, sizeof row / sizeof *row);
}

/* Nothing but ?NSEL changes if no atom is selected. Residues and segments are counted from 1. */
void script_known_selection(struct script *s, const unsigned char *set)
{
    const struct psf *psf = &s->session.in.psf;
    int first = 0, chosen = 0, residue = 0, segment = 0;
    for (int i = 0; i < psf->natom; i++)
        chosen += set[i];
    /* Set in any case, as scripts test it. */
    script_result(s, "?NSEL", chosen);
    while (first < psf->natom && !set[first])
        first++;
    if (first == psf->natom)
        return;
    const struct psf_atom *a = psf->atom;
    for (int i = 0; i <= first; i++) {
        residue += psf_residue_begins(psf, i);
        segment += !i || strcmp(a[i].segid, a[i - 1].segid);
    }
    a += first;
    const struct {
        const char *name, *v;
    } row[] = {{"?SELSEGI", a->segid},
               {"?SELRESI", a->resid},
               {"?SELRESN", a->resname},
               {"?SELTYPE", a->name},
               {"?SELCHEM", a->type}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        script_line_set(&s->l, row[k].name, row[k].v);
    script_result(s, "?SELATOM", first + 1);
    script_result(s, "?SELIRES", residue);
    script_result(s, "?SELISEG", segment);
}
