/* psf.h - the protein structure file: atoms, and the terms between them.
 *
 * Supports the plain and the EXT (wide) layout, with numeric or named (XPLOR, NAMD) atom types, as
 * written by CHARMM, psfgen, CHARMM-GUI and ParmEd.  Drude particles are rejected: hmd does not
 * support them.
 *
 * Other sections (groups, images) are skipped; hmd has no use for them.
 */
#pragma once

#include "err.h"
#include "text.h"

enum { PSF_NAME = 16 }; /* bytes of a name, including the 0 (at most 8 columns in the EXT layout) */

/* Names are in upper case. */
struct psf_atom {
    char segid[PSF_NAME], resid[PSF_NAME], resname[PSF_NAME], name[PSF_NAME];
    char type[PSF_NAME]; /* "" if the file has a number */
    long type_number;
    double charge, mass; /* e, amu; mass 0: a lone pair */
    int lonepair;        /* it is one */
    int fixed;           /* was fixed by CONS FIX when CHARMM wrote the file */
    int line;            /* line number in the file */
};

/* A list of terms: count tuples of atom indices (from 0). The number of atoms of a term depends on
 * the list; indices are checked when they are read. NULL: the section has not been read. */
struct psf_terms {
    int count;
    int *atom;
};

/* A massless particle carried by its hosts; the meaning of the values depends on the number of
 * hosts, lonepair.h. */
struct psf_lonepair {
    int atom;
    int first, hosts; /* range in psf.lonepair_host; at least one */
    int by_mass;      /* its centre is the centre of mass */
    double value[3];  /* Angstrom, degrees */
};

/* Owns all its lists but `file`. Indices count from 0, those of the file from 1. */
struct psf {
    const char *file;
    int natom;
    struct psf_atom *atom;
    struct psf_terms bond, angle, dihedral, improper, cross; /* 2, 3, 4, 4, 8 atoms a term */
    struct psf_terms excluded;                               /* pairs excluded by the file itself */
    struct psf_terms donor, acceptor; /* pairs: donor and hydrogen; acceptor and antecedent; -1:
                                         none */
    struct psf_lonepair *lonepair;
    int *lonepair_host; /* atom indices */
    int nlonepair, nlonepair_host;
    unsigned char *fixed; /* by atom; NULL: none */
    int nfixed;
};

/* Reads *psf from a file's text.  Returns 0, or a status with the message in *e.  Call psf_free()
 * in either case. */
int psf_read(struct psf *psf, struct text *t, struct err *e);
void psf_free(struct psf *psf);
/* Copies a name in upper case.  Returns 0 if it is too long. */
int psf_name(char out[PSF_NAME], const char *in);
/* True if this atom is the first of its residue. */
int psf_residue_begins(const struct psf *psf, int atom);

/* psf_delete.c: removes the atoms in `gone` (one byte each), and all terms that contain one of
 * them.  No lone pair may remain without a host. In place: pointers into the lists stay valid,
 * their contents move. */
void psf_delete(struct psf *psf, const unsigned char *gone);
/* Returns the first lone pair that would remain without a host; -1: none. */
int psf_left_alone(const struct psf *psf, const unsigned char *gone);

/* psf_write.c: writes the EXT layout.  Returns 0 or ERR_RUN. */
int psf_write(const char *path, const struct psf *psf, struct err *e);
