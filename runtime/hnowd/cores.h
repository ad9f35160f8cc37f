/* cores.h - the number of cores that the tasks of this host may use. */
#pragma once

/* The cores that the scheduler allows this process to use; fewer if a control group limits its CPU
 * time to less.  A quota of 1.5 cores counts as two.  At least 1. */
int cores_usable(void);
/* The quota alone, in whole cores; 0: there is none. groups: a file like /proc/self/cgroup; root:
 * the directory where the control groups are mounted. */
int cores_quota(const char *groups, const char *root);
