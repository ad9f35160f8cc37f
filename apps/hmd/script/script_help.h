/* script_help.h - advice for commands and words that CHARMM has, but hmd does not. Words are in
 * upper case. */
#pragma once

#include "text.h"

/* Advice for a command (at 0), or its word at an index, that hmd intentionally omits; NULL: it is
 * none of those. */
const char *help_gone(const struct words *w, int at);
/* Advice for an unknown command. */
const char *help_command(const struct words *w);
/* Advice for the word at an index; NULL: none. */
const char *help_word(const struct words *w, int at);
