/* balance.h - load balancing: work in proportion to speed, so that tasks take equal time. */
#pragma once

/* None: equal shares. Ring: work moves between neighbours. Global: all shares change at once. */
enum balance_kind { BALANCE_NONE, BALANCE_RING, BALANCE_GLOBAL };

/* Equal on all tasks. `spent` and `steps` concern the time since the last shift, whether or not it
 * changed anything. */
struct balance {
    enum balance_kind kind;
    int size;
    int *ring;     /* size: ranks in the order of the ring; the caller fills it for BALANCE_RING */
    double *share; /* size: current shares of the tasks, adding up to size */
    double *spent; /* size: seconds of computing since the last change */
    long steps;    /* since the last change */
    long patience; /* steps before a shift is urgent */
};

/* Equal shares; the ring is in rank order. */
void balance_init(struct balance *b, int size, enum balance_kind kind);
void balance_free(struct balance *b);
/* Records the times of a step, one for each task. */
void balance_note(struct balance *b, const double *seconds);
/* True if work is so unbalanced that it should be shifted at once. */
int balance_urgent(const struct balance *b);
/* Shifts work.  Returns 1 if shares have changed.  Tasks that have recorded equal times compute
 * equal shares. */
int balance_shift(struct balance *b);
