/* contact.h - which atoms of two sets touch, or are hydrogen-bonded, and for how long (CHARMM's
 * COOR CONTACT and COOR HBOND, corman.doc).  Units: Angstrom, degrees, ps. */
#ifndef HMD_CONTACT_H
#define HMD_CONTACT_H

#include <stddef.h>

#include "cell.h"

struct contact {
    int i, j;      /* of the first set, of the second */
    int bridge;    /* the residue that links them; -1: none does, they touch */
    double length; /* of what touches */
    double angle;  /* donor, hydrogen, acceptor; 0 where there is none */
};

/* So many cases were from k * width to (k + 1) * width, all beyond in the last. */
struct contact_histogram {
    double width;
    int n;
    long *count;
};

void contact_histogram_add(struct contact_histogram *h, double v);

/* What counts.  The arrays are the caller's; natom long. */
struct contact_rule {
    int natom;
    double cut, angle;             /* shorter than this; wider than that (below 0: any) */
    const int *donor;              /* what a hydrogen that can be bonded hangs on, -1: it is none;
                                      NULL: no hydrogen bonds, any two atoms may touch */
    const unsigned char *acceptor; /* with donor */
    const int *bridge;             /* the residue that may link, -1: it does not belong to one;
                                      NULL: what touches counts */
    const unsigned char *set[2];
    const struct cell *cell;            /* nearest images in this box; NULL: atoms as they are */
    struct contact_histogram *distance; /* of all pairs that could be; NULL: not wanted */
};

/* Whether an atom can be one of a hydrogen bond. */
int contact_able(const struct contact_rule *r, int i);
/* The contacts of the places x, by i, j and bridge, into *list, which grows: how many.  An atom
 * does not touch itself, nor a hydrogen its donor.  Cost: the product of the two sets. */
int contact_find(const struct contact_rule *r, const double *x, struct contact **list,
                 size_t *room);

/* ---- over the frames of a trajectory --------------------------------------------------------- */

struct contact_life {
    int i, j, bridge;
    long first, frames; /* the frame it began with, and so many it has lasted */
};

struct contact_lives {
    struct contact_life *alive; /* in the order of contacts */
    int n;
    size_t room;
    long frame; /* those that were seen */
    /* Is told each life at its end; `of` is its own. */
    void (*ended)(void *of, const struct contact_life *life);
    void *of;
};

/* The next frame has these n contacts. */
void contact_follow(struct contact_lives *l, const struct contact *found, int n);
/* Behind the last frame all lives end; what *l has is freed. */
void contact_follow_end(struct contact_lives *l);

#endif
