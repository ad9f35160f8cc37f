/* script_coor.h - shared by the parts of COOR: script_coor.c, script_measure.c and
 * script_convert.c. */
#pragma once

#include "script_run.h"

/* The words of a COOR command. */
struct coor_words {
    int how;          /* selects between two verbs with a common function */
    int comp;         /* COMP: of the second set */
    int mass, weight; /* weight of an atom */
    int rms, norotation;
    double dir[3];               /* XDIR ... */
    double distance, factor;     /* HUGE_VAL: not given */
    int form[2];                 /* CONVERT: from, to */
    struct cell cell;            /* ... of this box */
    unsigned char *set;          /* the selected atoms */
    struct coor_set here, there; /* the specified set, and the other one */
};

/* The number of atoms, and the weight of one: 0 if it is not selected. */
static inline int coor_natom(const struct script *s)
{
    return s->session.in.system.natom;
}
double coor_weight(const struct script *s, const struct coor_words *w, int i);
/* script_convert.c: reads and executes CONVERT.  They return 0 or a status. */
int coor_convert_words(struct script *s, struct coor_words *w);
int coor_convert(struct script *s, struct coor_words *w);

/* script_measure.c: COOR RMS and STAT.  They return 0 or a status. */
int coor_rms(struct script *s, struct coor_words *w);
int coor_stat(struct script *s, struct coor_words *w);
