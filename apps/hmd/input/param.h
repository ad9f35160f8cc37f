/* param.h - the force field: atom types and the parameters of every term, from CHARMM's parameter,
 * topology and stream files.
 *
 * Several files are combined in the order of reading; later parameters replace earlier ones for the
 * same types.  Types are indices in `type`; the wildcard X is PARAM_X.
 *
 * The order of work: param_init(), param_read() for each file, look-ups by bind.c, param_free().
 * Look-ups do not change anything.
 */
#pragma once

#include "err.h"
#include "psf.h"
#include "text.h"

/* A wildcard position of a term; no atom has it. */
enum { PARAM_X = -1 };

/* One line of BONDS, ANGLES, DIHEDRALS or IMPROPER. Records are never removed: a replaced one only
 * loses its slot, so messages can still name it. */
struct param_term {
    int key[4];     /* types; unused positions are PARAM_X */
    int n;          /* multiplicity (dihedral, improper) */
    double v[4];    /* bond: k, b0; angle: k, theta0 (degrees), k_ub, s0; torsions: k, delta */
    int next;       /* next cosine of the same dihedral, or -1 */
    int unit, line; /* unit: number of the reading and file (unit_file of struct param), from 1 */
};

/* A repeated definition for the same types, param_repeat.c. */
struct param_again {
    int before, now; /* first records of the old and of the new definition; or two records of the
                        same dihedral and n, which are added */
};

/* Terms by their types: open addressing over the first record of each key. `slot` has the index of
 * the first record of a key, -1: empty. At most half of the slots are used. */
struct param_table {
    struct param_term *term;
    size_t n;
    int *slot;
    size_t slots;
    struct param_again *again; /* since the last param_repeat() */
    size_t nagain;
};

/* An atom type. Its number is its place in the list. */
struct param_type {
    char name[PSF_NAME];
    double mass; /* 0: no MASS line */
};

/* "MASS number name": for numeric PSF files. */
struct param_number {
    long number;
    int type;
    double mass;
};

/* "ATOM name type" of a RESI or PRES block: distinguishes types with the same number. */
struct param_residue_atom {
    char resname[PSF_NAME], name[PSF_NAME];
    int type;
};

/* Looked up by name and not by type number, because of wildcards. */
struct param_lj { /* a line of NONBONDED; the name may contain CHARMM's wildcards * % # + */
    char name[PSF_NAME];
    double eps, rmin2, eps14, rmin2_14; /* kcal/mol (positive), Angstrom */
    double raw_eps;                     /* as in the file */
    int unit, line;
};

/* A pair of types with its own Lennard-Jones parameters, in place of the combined ones. */
struct param_nbfix {
    char name[2][PSF_NAME];
    double eps, rmin, eps14, rmin14; /* Rmin of the pair, not half of it */
    int unit, line;
};

/* A map of the correction for two torsions, in kcal/mol. */
struct param_cmap {
    int key[8];
    int n;        /* points per side */
    double *grid; /* n * n, first angle slowest, from -180 degrees */
    int unit, line;
};

/* Words of a NONBONDED line that hmd does not support.  In a parameter file they are only defaults:
 * later words may revoke them. The place is that of the word for messages. */
enum param_choice {
    PARAM_GROUP, /* these three have no meaning without a cut-off */
    PARAM_VGROUP,
    PARAM_EXTENDED,
    PARAM_NOELEC,
    PARAM_NOVDW,
    PARAM_LRC,
    PARAM_GEOM,
    PARAM_NBXMOD, /* these are followed by a number */
    PARAM_EPS,
    PARAM_E14FAC,
    PARAM_KAPPA,
    PARAM_QCOR,
    PARAM_CHOICES
};

/* Texts for messages; truncated if too long. */
struct param_given {
    char word[24];   /* "": not given */
    const char *why; /* not supported by hmd; NULL: supported */
    char where[96];  /* FILE:LINE */
};

/* The NONBONDED line: the conditions for which the force field was made. */
struct param_options {
    double cutnb, ctofnb, ctonnb;            /* Angstrom; negative: not given */
    double eps, e14fac;                      /* 1: not given */
    double kappa, fft[3], order;             /* Ewald, PME; 0: not given */
    double qcor;                             /* 0: no correction of a net charge; 1 if not
                                                given */
    double nbxmod;                           /* 1 to 5, or negative; 5 when not given */
    char elec[12], vdw[12];                  /* with the names of hmd's options; "" not given */
    char elec_where[96];                     /* FILE:LINE of `elec` */
    char elec_cut[12];                       /* its value before Ewald's sum was requested */
    struct param_given given[PARAM_CHOICES]; /* unsupported values are not stored */
    enum { PARAM_DIELECTRIC, PARAM_CDIE, PARAM_RDIE } dielectric; /* PARAM_DIELECTRIC: not given */
};

struct param_types { /* MASS lines and residues */
    struct param_type *type;
    struct param_number *number;
    struct param_residue_atom *residue_atom;
    size_t ntype, nnumber, nresidue_atom;
};

struct param_pairs { /* NONBONDED and NBFIX lines */
    struct param_lj *lj;
    struct param_nbfix *nbfix;
    size_t nlj, nnbfix;
    size_t lj_seen, nbfix_seen; /* number already checked by param_repeat() */
};

struct param_maps { /* CMAP */
    struct param_cmap *cmap;
    size_t ncmap;
    size_t cmap_seen; /* number already checked by param_repeat() */
};

/* A unit is one reading: a file, or a part of a stream. Within one unit cosines of a dihedral are
 * added, across units they are replaced. */
struct param_units {
    int units;              /* readings so far */
    const char **unit_file; /* names of their files, owned by the caller */
};

struct param_warnings { /* notes for the user */
    struct err *warning;
    size_t nwarning;
};

/* Temporary: from reading the files until the system is made. Owns all lists. */
struct param {
    struct param_types types;
    struct param_pairs pairs;
    struct param_maps maps;
    struct param_table bond, angle, dihedral, improper;
    struct param_options options;
    struct param_units read;
    struct param_warnings warnings;
    const struct script_set *names; /* names that streams may use as @NAME, owned by the caller; or
                                       NULL */
    int nnames;
    char files[256]; /* names of the files, for messages */
};

/* Begins without types; options are not given. */
void param_init(struct param *p);
void param_free(struct param *p);

/* Adds a file.  `topology` decides between RTF and parameters for a file whose contents do not show
 * it.  Returns 0, or a status with the message in *e. t->name must live as long as *p. */
int param_read(struct param *p, struct text *t, int topology, struct err *e);

/* Reads the words of a NONBONDED line (upper case) from word `first` on into *o.  ERR_INPUT, with
 * file and line, for a word that is unknown or lacks its number.  Unsupported words are recorded,
 * and rejected by param_options_check(). */
int param_options_words(struct param_options *o, const struct words *w, int first, const char *file,
                        int line, struct err *e);

/* Checks that hmd supports *o; `cutoff`: with a cut-off.  Else ERR_INPUT with the first unsupported
 * word, and where it is. */
int param_options_check(const struct param_options *o, int cutoff, struct err *e);

/* Ends a command's words in *o, whose distances were negative before it.  Distances that the
 * command did not give become those of `before` or, if the outer one has changed, remain negative,
 * to follow that. */
void param_options_forget(struct param_options *o, const struct param_options *before);
/* Options of `over`, from commands or the command line, replace those of *o, from parameter
 * files. */
void param_options_merge(struct param_options *o, const struct param_options *over);
/* Sets all options to "not given". */
void param_options_init(struct param_options *o);

/* Returns the number of a type name (upper case), which is added if it is new.  "X" is PARAM_X. */
int param_type_of(struct param *p, const char *name);

/* Must be called before reading another file, or another part of one. */
void param_unit(struct param *p, const char *file);
/* Warns about parameters defined repeatedly with different values since the last call. */
void param_repeat(struct param *p);

/* Adds a term for its key (in either direction).  With `several`, terms of one unit are added, as
 * in CHARMM, also those with the same n; else a later one replaces an earlier one. */
void param_add(struct param_table *table, const struct param_term *term, int several);

/* Look-ups with CHARMM's precedence of wildcards; NULL: none. */
const struct param_term *param_bond(const struct param *p, int a, int b);
/* No wildcards; either direction. */
const struct param_term *param_angle(const struct param *p, int a, int b, int c);
/* Exact types first, then X at the ends. The result is the first of its cosines (`next`). */
const struct param_term *param_dihedral(const struct param *p, const int key[4]);
const struct param_term *param_improper(const struct param *p, const int key[4]);
/* The last line whose name matches. */
const struct param_lj *param_lj_of(const struct param *p, const char *type);
/* In either order; the last line that matches. */
const struct param_nbfix *param_nbfix_of(const struct param *p, const char *a, const char *b);
/* Eight types, in the order of the PSF. */
const struct param_cmap *param_cmap_of(const struct param *p, const int key[8]);
