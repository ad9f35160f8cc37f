/* coor.h - coordinates and velocities from files, matched to the atoms of the structure.
 *
 * Atoms are found by segment, residue and atom name, or by their order in the file if names are
 * ambiguous (coor_match.c).  Every atom of the structure must occur exactly once, lone pairs at
 * most once.
 *
 * Files are parsed first, without the structure (crd.c, pdb.c), then matched. So errors of a line
 * and errors of matching name different things.
 */
#pragma once

#include "cell.h"
#include "err.h"
#include "psf.h"
#include "text.h"

#define COOR_UNKNOWN 9999.0 /* CHARMM's mark of an atom without coordinates */

/* One atom of a coordinate file. As in the file, in upper case. Empty names are possible for
 * segments. */
struct coor_atom {
    char segid[PSF_NAME], resid[PSF_NAME], resname[PSF_NAME], name[PSF_NAME];
    double x[3], weight; /* weight: CHARMM's WMAIN, a PDB's temperature factor; 0: none */
    int line;
};

/* A coordinate set as in CHARMM: positions (3 * natom) and one number per atom. */
struct coor_set {
    double *x, *w;
};

/* Owned by the caller, who frees it with coor_free(). In the order of the file. */
struct coor_file {
    struct coor_atom *atom;
    size_t n;
};

/* coor_match.c: reads the weight.  Returns 0 if the word is neither a number nor empty. All three
 * functions set a->line, so later messages can name the line. */
int coor_weight_read(const char *word, struct coor_atom *a);
/* crd.c: reads a CHARMM coordinate card file, short or EXT.  Returns 0 or a status. */
int crd_read(struct coor_file *c, struct text *t, struct err *e);
/* pdb.c: reads the ATOM and HETATM lines of a PDB file, up to the first END or ENDMDL. */
int pdb_read(struct coor_file *c, struct text *t, struct err *e);

/* coor_match.c: stores the coordinates in to->x, and the weights in to->w unless that is NULL, in
 * the structure's order.  Those of lone pairs missing in the file are unchanged.  Returns 0 or a
 * status: an atom is missing, unknown or repeated, or has no coordinates (9999). note->text is a
 * note to the user, "" if there is none.
 *
 * If `chosen` is not NULL (one byte per atom) only those atoms are matched, by their names.  All
 * other atoms, and those missing in the file, are unchanged, and the file may contain further
 * atoms. */
int coor_match(const struct coor_file *c, const struct psf *psf, const char *file,
               const unsigned char *chosen, const struct coor_set *to, struct err *note,
               struct err *e);
/* Checks that all atoms but lone pairs have usable coordinates (3 * natom).  Returns ERR_INPUT,
 * with `where` in the message, if not. */
int coor_check(const struct psf *psf, const char *where, const double *x, struct err *e);
/* crd.c: writes an expanded CRD with the structure's names, of the atoms in `chosen` (one byte
 * each; NULL: all); ERR_RUN on failure. pdb.c: the same as a PDB, with the box. */
int crd_write(const char *path, const struct psf *psf, const struct coor_set *set,
              const unsigned char *chosen, struct err *e);
int pdb_write(const char *path, const struct psf *psf, const struct coor_set *set,
              const unsigned char *chosen, const struct cell *cell, struct err *e);
void coor_free(struct coor_file *c);
