/* script_frames.h - going over the frames of trajectories, as TRAJECTORY, CORREL, MERGE, COOR DYNA
 * and MONITOR do: FIRSTU unit, NUNIT units, and of their frames those from step BEGIN to STOP whose
 * steps SKIP divides (CHARMM's correl.doc).  The first task reads, and all get each frame. */
#ifndef HMD_SCRIPT_FRAMES_H
#define HMD_SCRIPT_FRAMES_H

#include "dcd_read.h"
#include "script_run.h"

struct frames {
    struct script *s;
    long unit, units;       /* the first, and how many */
    long begin, stop, skip; /* steps; -1, 1: not given */
    long at;                /* the unit being read, from 0; -1: none yet */
    struct dcd_reader file; /* at the first task; what its header says, at all */
    double box[6];          /* of the frame, as it stands in the file */
    double *x;              /* 3 * natom: the places of the frame */
    long step, taken;       /* the frame's; how many there were */
    double *message;        /* what the first task tells */
};

/* Takes the words of a trajectory from `from` on out of the command; `unit` is what stands for
 * FIRSTU where it is not said, -1: it must be there when they are opened.  0 or a status. */
int frames_words(struct script *s, struct frames *f, int from, long unit);
/* Opens the first file: its header is there, no frame yet. 0 or a status; *f must be given to
 * frames_close() in either case. */
int frames_open(struct frames *f);
/* The next frame that is wanted, in f->x: 1; 0: there is none; -1: *status says why. */
int frames_next(struct frames *f, int *status);
/* Makes the frame the main coordinates, or COOR's second set, and its box the crystal, where there
 * is one. */
int frames_take(struct frames *f, int comp);
void frames_close(struct frames *f);
/* What is said where no frame was wanted. */
extern const char frames_none[];

/* How frames are brought onto COOR's second set: ORIENT and its words, and the two selections of
 * such a command (script_trajectory.c). */
struct script_fit {
    int on, mass, weight, shift;
    int merges;                  /* it is MERGE, which has also ... */
    int recenter, unfold;        /* ... these, see script_recenter.c */
    unsigned char *chosen, *set; /* the atoms that the command is about; those that are fitted */
};
/* Takes them out of the command; to be given to script_fit_free() in either case.  0 or a status.
 */
int script_fit_words(struct script *s, struct script_fit *fit);
void script_fit(const struct script *s, const struct script_fit *fit, double *x);
void script_fit_free(struct script_fit *fit);

/* script_recenter.c: whether RECENTER and UNFOLD have what they need. 0 or a status. */
int recenter_check(struct script *s, const struct script_fit *fit);
/* Moves what IMAGE was said of to the images nearest to the centre of the chosen atoms. */
void recenter_frame(const struct script *s, const unsigned char *set, double *x);
/* Moves each atom to the image nearest to where it was in the frame before, which this one becomes
 * in `before`. */
void unfold_frame(const struct script *s, double *before, int first, double *x);

#endif
