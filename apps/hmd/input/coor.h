/* coor.h - coordinates and velocities from files, matched to the atoms of the structure.
 *
 * Atoms are found by segment, residue and atom name; by their places in the file only where names
 * cannot tell (coor_match.c).  Every atom of the structure must be there exactly once, lone pairs
 * at most once.
 */
#pragma once

#include "cell.h"
#include "err.h"
#include "psf.h"
#include "text.h"

#define COOR_UNKNOWN 9999.0 /* CHARMM's mark of an atom that has no place */

/* One atom as a coordinate file has it. */
struct coor_atom {
    char segid[PSF_NAME], resid[PSF_NAME], resname[PSF_NAME], name[PSF_NAME];
    double x[3], weight; /* CHARMM's WMAIN, a PDB's temperature factor; 0: the file has none */
    int line;
};

/* A set of coordinates as CHARMM keeps it: places (3 * natom) and a number for each atom. */
struct coor_set {
    double *x, *w;
};

struct coor_file {
    struct coor_atom *atom;
    size_t n;
};

/* coor_match.c: whether a file's word for the weight is a number, which it sets, or empty: 0. */
int coor_weight_read(const char *word, struct coor_atom *a);
/* crd.c: a CHARMM coordinate card file, short or EXT.  0 or a status. */
int crd_read(struct coor_file *c, struct text *t, struct err *e);
/* pdb.c: the ATOM and HETATM lines of a PDB file, up to the first END or ENDMDL. */
int pdb_read(struct coor_file *c, struct text *t, struct err *e);

/* coor_match.c: puts the coordinates into to->x, and the weights into to->w unless that is NULL, in
 * the structure's order; those of a lone
 * pair that the file does not have are left alone.  0 or a status: an atom is missing, unknown or
 * there twice, or has no place (9999).  note->text: what the user should know, "" when there is
 * nothing.
 * Where `chosen` is not NULL (a byte an atom) only those atoms are taken, by their names: all
 * others and those that the file does not have stay as they are, and the file may have atoms
 * besides. */
int coor_match(const struct coor_file *c, const struct psf *psf, const char *file,
               const unsigned char *chosen, const struct coor_set *to, struct err *note,
               struct err *e);
/* Whether all atoms but lone pairs have places (3 * natom) that can be computed with; ERR_INPUT,
 * with `where` in the message. */
int coor_check(const struct psf *psf, const char *where, const double *x, struct err *e);
/* crd.c: writes an expanded CRD with the structure's names, of the atoms that `chosen` has (a byte
 * each; NULL: all); ERR_RUN when that fails.  pdb.c: the same as a PDB, with the box. */
int crd_write(const char *path, const struct psf *psf, const struct coor_set *set,
              const unsigned char *chosen, struct err *e);
int pdb_write(const char *path, const struct psf *psf, const struct coor_set *set,
              const unsigned char *chosen, const struct cell *cell, struct err *e);
void coor_free(struct coor_file *c);
