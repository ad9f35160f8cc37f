/* pvm_folder.h - the folder of a PVM of its own (PVM_TMP): made, and removed even when nobody lived
 * to do so.
 *
 * Its maker holds a lock on it (flock) for as long as it lives, and so do its children that do not
 * become another program. A folder that is not locked and not quite new had an owner that was
 * killed: it is removed when the next one is made in the same place.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>

/* Makes one below `above` and removes those that are left there: false, with errno. */
bool pvm_folder_make(const char *above, char folder[PATH_MAX]);
void pvm_folder_remove(const char *folder);
