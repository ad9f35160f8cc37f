/* slurm.h - the hosts of a Slurm allocation. */
#pragma once

#include "hosts.h"

/* Returns the value of an environment variable, or NULL: getenv(), or a test's own. */
typedef const char *slurm_get(const char *name);

/* The hosts of the allocation that we run in, with their slots, in the order of its node list.
 * HN_OK and *hosts (NULL when this is no allocation), or an error with hn_error_text() naming the
 * variable that is wrong. */
int slurm_hosts(slurm_get *get, struct hosts **hosts);
/* The name of the first host of `hosts` that is not in the allocation; NULL: all are, or there is
 * no allocation that can be read. */
const char *slurm_stranger(slurm_get *get, const struct hosts *hosts);
/* The launcher for its hosts. */
#define SLURM_LAUNCHER                                                                             \
    "srun --quiet --nodes=1 --ntasks=1 --nodelist=%h --overlap --cpu-bind=none --unbuffered"
/* Takes options out of the environment that an srun around hrun was given for its own tasks: the
 * launcher would follow them, too, and with labels or other files agents cannot talk. */
void slurm_forget_options(void);
