/* export_list.h - PVM_EXPORT, the list of variables that pvm_spawn() passes on, separated by
 * colons. */
#pragma once

#include <stdbool.h>

/* Appends a name to the list if it is wanted and missing, or removes it.  False: out of memory. */
bool export_list_edit(const char *name, bool wanted);
