/* algorithms.h - the functions behind the table of algorithms.c. */
#pragma once

#include "planners/multicast/multicast.h"

/* Each makes all decisions, after multicast_begin().  HN_OK or an error. */
int multicast_fef(struct multicast *m);
int multicast_ecf(struct multicast *m);
int multicast_ecf_preempt(struct multicast *m);
int multicast_wr(struct multicast *m);
int multicast_wrp(struct multicast *m);
int multicast_wr_sum(struct multicast *m);
int multicast_wrp_sum(struct multicast *m);
int multicast_search(struct multicast *m);
int multicast_exact(struct multicast *m); /* HN_EPLAN: too large */
