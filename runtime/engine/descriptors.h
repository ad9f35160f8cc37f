/* descriptors.h - the limit of descriptors (ulimit -n) of a process. */
#pragma once

#include <stdbool.h>

/* A call has failed with this errno: raises the limit as far as the system allows.  True: there may
 * be more descriptors now, so the caller should try again at once. */
bool descriptors_more(int why);
/* Whether there are enough descriptors for an event loop and its wake-up. libev ends the process if
 * there are not.  False: see errno. */
bool descriptors_for_loop(void);
