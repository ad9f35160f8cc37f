/* psf.h - the protein structure file: which atoms there are and which of them are bonded.
 *
 * Read are the plain and the EXT (wide) layout, with numeric or named (XPLOR, NAMD) atom types, as
 * CHARMM, psfgen, CHARMM-GUI and ParmEd write them.  Drude particles are refused: hmd does not move
 * them.
 */
#pragma once

#include "err.h"
#include "text.h"

enum { PSF_NAME = 16 }; /* room for a name, its 0 included (8 columns at most in the EXT layout) */

struct psf_atom {
    char segid[PSF_NAME], resid[PSF_NAME], resname[PSF_NAME], name[PSF_NAME];
    char type[PSF_NAME]; /* "" where the file gives a number */
    long type_number;
    double charge, mass; /* e, amu; 0: a lone pair's */
    int lonepair;        /* it is one */
    int fixed;           /* CONS FIX was said of it when CHARMM wrote the file */
    int line;            /* where it is in the file */
};

/* One list of terms: count tuples of atom indices (from 0). */
struct psf_terms {
    int count;
    int *atom;
};

/* An atom without mass that its hosts carry along; what the values mean depends on how many hosts
 * there are, lonepair.h. */
struct psf_lonepair {
    int atom;
    int first, hosts; /* in psf.lonepair_host; one at least */
    int by_mass;      /* its centre is that of mass */
    double value[3];  /* Angstrom, degrees */
};

struct psf {
    const char *file;
    int natom;
    struct psf_atom *atom;
    struct psf_terms bond, angle, dihedral, improper, cross; /* 2, 3, 4, 4, 8 atoms a term */
    struct psf_terms excluded;                               /* pairs the file itself excludes */
    struct psf_terms donor, acceptor; /* pairs: a donor and its hydrogen; an acceptor and what it
                                         hangs on; -1: none is named */
    struct psf_lonepair *lonepair;
    int *lonepair_host; /* atom indices */
    int nlonepair, nlonepair_host;
    unsigned char *fixed; /* by atom, NULL: none is */
    int nfixed;
};

/* Reads *psf from a file's text.  0, or a status with the message in *e; *psf must be given to
 * psf_free() in either case. */
int psf_read(struct psf *psf, struct text *t, struct err *e);
void psf_free(struct psf *psf);
/* Copies a name, in upper case; 0: it is too long for one. */
int psf_name(char out[PSF_NAME], const char *in);
/* Whether a residue begins with this atom. */
int psf_residue_begins(const struct psf *psf, int atom);

/* psf_delete.c: the atoms that `gone` has (a byte each) leave, and all terms that name one of them.
 * No lone pair may stay without a host: */
void psf_delete(struct psf *psf, const unsigned char *gone);
/* The first lone pair that would; -1: there is none. */
int psf_left_alone(const struct psf *psf, const unsigned char *gone);

/* psf_write.c: writes it in the EXT layout. 0, or ERR_RUN. */
int psf_write(const char *path, const struct psf *psf, struct err *e);
