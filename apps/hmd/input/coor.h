/* coor.h - coordinates and velocities from files, matched to the atoms of the structure.
 *
 * Atoms are found by segment, residue and atom name; by their places in the file only where names
 * cannot tell (coor_match.c).  Every atom of the structure must be there exactly once, lone pairs
 * at most once.
 */
#ifndef HMD_COOR_H
#define HMD_COOR_H

#include "cell.h"
#include "err.h"
#include "psf.h"
#include "text.h"

/* One atom as a coordinate file has it. */
struct coor_atom {
    char segid[PSF_NAME], resid[PSF_NAME], resname[PSF_NAME], name[PSF_NAME];
    double x[3];
    int line;
};

struct coor_file {
    struct coor_atom *atom;
    size_t n, room;
};

/* crd.c: a CHARMM coordinate card file, short or EXT.  0 or a status. */
int crd_read(struct coor_file *c, struct text *t, struct err *e);
/* pdb.c: the ATOM and HETATM lines of a PDB file, up to the first END or ENDMDL. */
int pdb_read(struct coor_file *c, struct text *t, struct err *e);

/* coor_match.c: puts the coordinates into x (3 * natom) in the structure's order; those of a lone
 * pair that the file does not have are left alone.  0 or a status: an atom is missing, unknown or
 * there twice, or has no place (9999).  note->text: what the user should know, "" when there is
 * nothing. */
int coor_match(const struct coor_file *c, const struct psf *psf, const char *file, double *x,
               struct err *note, struct err *e);
/* crd.c: writes an expanded CRD with the structure's names; ERR_RUN when that fails. */
int pdb_write(const char *path, const struct psf *psf, const double *x, const struct cell *cell,
              struct err *e);
int crd_write(const char *path, const struct psf *psf, const double *x, struct err *e);
void coor_free(struct coor_file *c);

#endif
