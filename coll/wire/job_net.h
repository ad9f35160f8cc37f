/* job_net.h - the network between some tasks of a job.
 *
 * It is the hosts file that hrun attached to the job, when it holds costs; else a guess from what
 * is known without measuring: tasks of one host are near each other, all others far. */
#pragma once

#include "hnow.h"
#include "hnow_net.h"

/* The job's network file, and host[i], the host of task i in it; *net is NULL when there is none,
 * or none with costs for all n tasks.  hn_net_free() gives it back.  HN_OK, or an error: a file
 * that cannot be read is not the same as none, for others may have read it. */
int job_net_read(const hn_tid *tids, int n, int *host, hn_net **net);
/* The same, but read once, into *known, which is NULL before and owns it: new groups cost no
 * reading. Callers take turns. */
int job_net_known(hn_net **known, const hn_tid *tids, int n, int *host, const hn_net **net);
/* The guess; NULL: out of memory. */
hn_net *job_net_guess(const hn_tid *tids, int n, int *host);

/* How many tasks share a core, where all are on this host; 0: they are on several, which may
 * differ. All of them get the same number. */
int job_net_ranks_per_core(const hn_tid *tids, int n);
