/* descriptors.h - how many descriptors a process may have. */
#pragma once

#include <stdbool.h>

/* A call has failed with this errno: raises the limit (ulimit -n) as far as the system lets it.
 * True: there may be more by now, so that it is worth trying again at once. */
bool descriptors_more(int why);
/* Whether there are enough for an event loop and for waking it: libev ends the process where it
 * finds none.  False: errno says why. */
bool descriptors_for_loop(void);
