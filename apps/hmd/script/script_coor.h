/* script_coor.h - what the parts of COOR share.  For script_coor.c, script_measure.c and
 * script_convert.c only. */
#ifndef HMD_SCRIPT_COOR_H
#define HMD_SCRIPT_COOR_H

#include "script_run.h"

/* The words of a COOR command. */
struct coor_words {
    int comp;         /* COMP: of the second set */
    int mass, weight; /* what an atom counts */
    int rms, norotation, axis, matrix, origin;
    int bonded, third;        /* EXCL, 14EX: distances of excluded and of 1-4 pairs, too */
    int nonbonded;            /* those of all others */
    int plane, verbose;       /* LSQP: the vector that becomes AXIS, from 1 on; atoms, too */
    double rate;              /* TWIST */
    int images;               /* those to the nearest image */
    double dir[3], centre[3]; /* XDIR ..., XCEN ... */
    double distance, factor, phi, cut; /* HUGE_VAL: not given */
    int form[2];                       /* CONVERT: from which, to which */
    struct cell cell;                  /* ... of this box */
    unsigned char *set[2];             /* the atoms of the first and the second selection */
    int sets;                          /* so many are there */
    struct coor_set here, there;       /* the set that is meant, and the other one */
};

/* The number of atoms, and what one of them counts: 0 where it is not selected. */
int coor_natom(const struct script *s);
double coor_weight(const struct script *s, const struct coor_words *w, int i);
/* The centre of a selection; what all of it counts. */
double coor_centre(const struct script *s, struct coor_words *w, int selection, double centre[3]);

/* script_convert.c: takes CONVERT's own words; what it does. 0 or a status. */
int coor_convert_words(struct script *s, struct coor_words *w);
int coor_convert(struct script *s, struct coor_words *w);

/* script_measure.c: COOR RMS, STAT, AXIS, RGYR, LSQP, INERTIA, DIPOLE, DIST, MIND, MAXD. 0 or a
 * status. */
int coor_rms(struct script *s, struct coor_words *w);
int coor_stat(struct script *s, struct coor_words *w);
int coor_axis(struct script *s, struct coor_words *w);
int coor_gyration(struct script *s, struct coor_words *w);
int coor_plane(struct script *s, struct coor_words *w);
int coor_inertia(struct script *s, struct coor_words *w);
int coor_dipole(struct script *s, struct coor_words *w);
int coor_distances(struct script *s, struct coor_words *w);
int coor_nearest(struct script *s, struct coor_words *w);
int coor_farthest(struct script *s, struct coor_words *w);

/* ?XABC ?YABC ?ZABC for the name "ABC" (script_measure.c). */
void coor_result(struct script *s, const char *name, const double v[3]);

#endif
