/* script_coor.h - what the parts of COOR share.  For script_coor.c, script_measure.c and
 * script_convert.c only. */
#pragma once

#include "script_run.h"

/* The words of a COOR command. */
struct coor_words {
    int how;          /* which of two verbs that one function does */
    int comp;         /* COMP: of the second set */
    int mass, weight; /* what an atom counts */
    int rms, norotation;
    double dir[3];               /* XDIR ... */
    double distance, factor;     /* HUGE_VAL: not given */
    int form[2];                 /* CONVERT: from which, to which */
    struct cell cell;            /* ... of this box */
    unsigned char *set;          /* the selected atoms */
    struct coor_set here, there; /* the set that is meant, and the other one */
};

/* The number of atoms, and what one of them counts: 0 where it is not selected. */
static inline int coor_natom(const struct script *s)
{
    return s->session.in.system.natom;
}
double coor_weight(const struct script *s, const struct coor_words *w, int i);
/* script_convert.c: takes CONVERT's own words; what it does. 0 or a status. */
int coor_convert_words(struct script *s, struct coor_words *w);
int coor_convert(struct script *s, struct coor_words *w);

/* script_measure.c: COOR RMS and STAT. 0 or a status. */
int coor_rms(struct script *s, struct coor_words *w);
int coor_stat(struct script *s, struct coor_words *w);
