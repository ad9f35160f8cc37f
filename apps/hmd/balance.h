/* balance.h - work by speed: how much each task should do so that steps take equal time. */
#ifndef HMD_BALANCE_H
#define HMD_BALANCE_H

struct balance {
    int size;
    double *share; /* size: what the tasks do now, adding up to size */
    double *spent; /* size: seconds of computing since the last change */
    long steps;    /* since then */
};

void balance_init(struct balance *b, int size);
void balance_free(struct balance *b);
/* Notes the times of a step, one for each task. */
void balance_note(struct balance *b, const double *seconds);
/* Shifts work; 1 when shares have changed.  Every task that has noted the same times comes to the
 * same shares. */
int balance_shift(struct balance *b);

#endif
