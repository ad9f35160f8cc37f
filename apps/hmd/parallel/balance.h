/* balance.h - work by speed: how much each task should do so that steps take equal time. */
#pragma once

enum balance_kind { BALANCE_NONE, BALANCE_RING, BALANCE_GLOBAL };

struct balance {
    enum balance_kind kind;
    int size;
    int *ring;     /* size: ranks in the order of the ring; the caller fills it for BALANCE_RING */
    double *share; /* size: what the tasks do now, adding up to size */
    double *spent; /* size: seconds of computing since the last change */
    long steps;    /* since then */
    long patience; /* steps that it takes to call a shift urgent */
};

/* Equal shares, the ring by rank. */
void balance_init(struct balance *b, int size, enum balance_kind kind);
void balance_free(struct balance *b);
/* Notes the times of a step, one for each task. */
void balance_note(struct balance *b, const double *seconds);
/* Whether work is so uneven that it should be shifted at once. */
int balance_urgent(const struct balance *b);
/* Shifts work; 1 when shares have changed.  Every task that has noted the same times comes to the
 * same shares. */
int balance_shift(struct balance *b);
