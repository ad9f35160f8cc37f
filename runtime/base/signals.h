/* signals.h - the signal state that a program inherits from its parent. */
#pragma once

#include <stdbool.h>

/* To be called first in main(): unblocks all signals and resets an ignored SIGCHLD.  A launcher may
 * have set both, and a program that waits for its children would wait forever.  Also ignores
 * SIGXFSZ, so that a file that exceeds ulimit -f is an error of write(). */
void signals_begin(void);
/* Whether a signal is ignored. nohup(1) and shells ignore SIGHUP and SIGINT for programs that must
 * survive them; such a program must not install a handler. */
bool signals_is_ignored(int number);
