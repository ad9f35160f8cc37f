/* signals.h - what a program inherits of signals from its parent. */
#pragma once

#include <stdbool.h>

/* First thing in main(): unblocks all signals and undoes an ignored SIGCHLD.  A launcher may have
 * left both behind; a program that waits for its children would wait for ever.
 * A file that becomes too long (ulimit -f) is an error of write(), and ends no program. */
void signals_begin(void);
/* Whether a signal is ignored, as nohup(1) and shells leave SIGHUP and SIGINT to programs that must
 * survive them: such a program keeps ignoring it. */
bool signals_is_ignored(int number);
