/* slurm.h - reads the hosts of a Slurm allocation.
 *
 * Only environment variables are read; no command of Slurm is run before the hosts are started by
 * srun.
 */
#pragma once

#include "hosts.h"

/* Returns the value of an environment variable, or NULL: getenv(), or a test's function. */
typedef const char *slurm_get(const char *name);

/* The hosts of the current allocation, with their slots, in the order of its node list.  HN_OK and
 * *hosts (NULL: there is no allocation), or an error with hn_error_text() naming the variable that
 * is wrong. */
int slurm_hosts(slurm_get *get, struct hosts **hosts);
/* The name of the first host in `hosts` that is not in the allocation.  NULL: all are, or there is
 * no readable allocation. */
const char *slurm_stranger(slurm_get *get, const struct hosts *hosts);
/* The launcher for the hosts of an allocation. */
#define SLURM_LAUNCHER                                                                             \
    "srun --quiet --nodes=1 --ntasks=1 --nodelist=%h --overlap --cpu-bind=none --unbuffered"
/* Removes from the environment the options that an srun around hrun was given for its own tasks.
 * The launcher would apply them, too, and agents cannot communicate with labels or redirected
 * files. */
void slurm_forget_options(void);
