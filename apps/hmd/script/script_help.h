/* script_help.h - what to do instead of a command, or a word of one, that CHARMM has and hmd not.
 * The words of a command are in upper case. */
#ifndef HMD_SCRIPT_HELP_H
#define HMD_SCRIPT_HELP_H

#include "text.h"

/* What to do instead of what is no part of hmd by intention: the command (at 0), or its word at a
 * place; NULL: it is none of that. */
const char *help_gone(const struct words *w, int at);
/* What to do instead of the command, which is not known. */
const char *help_command(const struct words *w);
/* What to do instead of the word at a place; NULL: nothing is known of that. */
const char *help_word(const struct words *w, int at);

#endif
