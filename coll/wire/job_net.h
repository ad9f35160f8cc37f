/* job_net.h - the network between some tasks of a job.
 *
 * It is the hosts file attached to the job by hrun, if that contains costs. Otherwise it is a
 * guess: tasks of one host are near each other, all others equally far.
 */
#pragma once

#include "hnow.h"
#include "hnow_net.h"

/* Reads the job's network file; host[i] is the host of task i in it. *net is NULL if there is no
 * file, or it lacks costs for some of the n tasks. Free it with hn_net_free(). HN_OK, or an error:
 * an unreadable file is not treated as a missing one, because other members may have read it. */
int job_net_read(const hn_tid *tids, int n, int *host, hn_net **net);
/* The same, but reads the file only once, into *known, which the caller initializes to NULL and
 * owns. Calls must not overlap. */
int job_net_known(hn_net **known, const hn_tid *tids, int n, int *host, const hn_net **net);
/* Returns the guess; NULL: out of memory. */
hn_net *job_net_guess(const hn_tid *tids, int n, int *host);

/* Number of tasks that share a core, if all are on this host; 0: they are on several hosts. The
 * same at all of them. */
int job_net_ranks_per_core(const hn_tid *tids, int n);
