/* circle.h - the ring of tasks along which neighbours shift work. */
#ifndef HMD_CIRCLE_H
#define HMD_CIRCLE_H

#include "comm.h"

/* Ranks in the order of the ring (size of them), the same on all tasks, who all call it.  0, or the
 * status of messages. */
int circle_of_tasks(struct comm *c, int *ring, struct err *e);

#endif
