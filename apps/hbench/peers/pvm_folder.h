/* pvm_folder.h - the folder of a private PVM (PVM_TMP), which is removed even if its owner was
 * killed.
 *
 * Its owner holds a lock on it (flock) as long as it lives, and so do its forked children until
 * they call exec. A folder that is not locked and not new had an owner that was killed; it is
 * removed when the next one is made in the same place.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>

/* Makes a folder below `above` and removes those that were left there. Returns false, with
 * errno. */
bool pvm_folder_make(const char *above, char folder[PATH_MAX]);
void pvm_folder_remove(const char *folder);
