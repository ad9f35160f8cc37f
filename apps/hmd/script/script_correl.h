/* script_correl.h - what the parts of CORREL share: its time series.  For script_correl.c,
 * script_enter.c and script_series.c only. */
#ifndef HMD_SCRIPT_CORREL_H
#define HMD_SCRIPT_CORREL_H

#include "script_frames.h"
#include "series.h"

enum correl_kind {
    CORREL_INTERNAL, /* the mean of distances, angles or dihedrals */
    CORREL_ATOM,     /* ... of places */
    CORREL_FLUC,     /* ... less those of COOR's second set */
    CORREL_VECTOR,   /* ... of vectors between two atoms */
    CORREL_GYRATION,
    CORREL_RMS,
    CORREL_DIPOLE,
    CORREL_CELL,
    CORREL_ENERGY,
    CORREL_TIME,
    CORREL_ZERO,
    CORREL_OTHER /* not of a trajectory: a copy, CORFUN's outcome */
};

enum correl_form { CORREL_X, CORREL_Y, CORREL_Z, CORREL_R, CORREL_XYZ, CORREL_DOT, CORREL_CROSS };

/* What ENTER has said of a series; of a vector, with its first component. */
struct correl_source {
    enum correl_kind kind;
    enum correl_form form; /* of places and vectors; of CELL: which number of the box, 6: all */
    int each;              /* atoms of a distance, an angle ... */
    int *atom, natom;
    unsigned char *set; /* of a dipole */
    int mass, normal, orient, origin, akma;
    double cut; /* HUGE_VAL: not given */
};

struct script_correl {
    struct series *series;
    struct correl_source *source; /* as many */
    int n;
    size_t room, source_room;
    struct series corr; /* CORFUN's */
};

/* script_correl.c: the series of a name in capitals, CORR too; NULL: there is none. */
struct series *correl_find(struct script *s, const char *name);
int correl_enter(struct script *s);
int correl_trajectory(struct script *s);

/* script_enter.c: reads what ENTER says behind the name into *o, and how many components there are
 * into *vector. 0 or a status; o->atom, o->set are the caller's in either case. */
int correl_source(struct script *s, struct correl_source *o, int *vector);
/* The values of a series for the coordinates at hand, of a frame; `fit` has the atoms that TRAJ
 * chose. 0 or a status. */
int correl_values(struct script *s, const struct correl_source *o, const struct frames *f,
                  const struct script_fit *fit, double *v);

/* script_series.c: what commands do with series that are there. */
int correl_show(struct script *s);
int correl_edit(struct script *s);
int correl_read(struct script *s);
int correl_write(struct script *s);
int correl_manipulate(struct script *s);
int correl_function(struct script *s);
/* The lines of SHOW for one, and ?AVER, ?FLUC. */
void correl_print(struct script *s, const struct series *q);

#endif
