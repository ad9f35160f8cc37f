/* hrun_habits.h - options of mpiexec, mpirun and srun that hrun takes, too.
 *
 * Those that mean something here do it.  Those whose effect hrun has anyway, or that tune another
 * library, are taken without effect, and hrun -v says so.
 */
#pragma once

#include "base/options.h"

enum { HRUN_HABITS = 34 }; /* rows of the table */
extern const struct option_row hrun_habits[HRUN_HABITS];

/* hrun's own options (hrun_options.c); `to` is a struct hrun_options. */
int hrun_take_env_of_all(void *to, const char *value);
int hrun_take_hostfile(void *to, const char *value);
int hrun_take_ppn(void *to, const char *value);
