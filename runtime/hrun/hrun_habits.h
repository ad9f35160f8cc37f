/* hrun_habits.h - options of mpiexec, mpirun and srun that hrun accepts, too.
 *
 * Options with a meaning here have it.  Options whose effect hrun has anyway, or that tune another
 * library, have no effect, and hrun -v reports that.
 */
#pragma once

#include "base/options.h"

enum { HRUN_HABITS = 34 }; /* rows of the table */
extern const struct option_row hrun_habits[HRUN_HABITS];

/* Functions for hrun's own options (hrun_options.c); `to` is a struct hrun_options. */
int hrun_take_env_of_all(void *to, const char *value);
int hrun_take_hostfile(void *to, const char *value);
int hrun_take_ppn(void *to, const char *value);
