/* script_help.h - advice for commands and words that CHARMM has, but hmd does not. Words are in
 * upper case. */
#pragma once

#include "text.h"

/* Advice for an unknown command (at 0), or its word at an index (NULL: none).  *gone: hmd
 * intentionally leaves it to other programs. */
const char *help_of(const struct words *w, int at, int *gone);
