/* script_help.h - what to do instead of a command, or a word of one, that CHARMM has and hmd not.
 * The words of a command are in upper case. */
#pragma once

#include "text.h"

/* Advice for a command (at 0), or its word at a place, that hmd leaves out by intention; NULL: it
 * is none of those. */
const char *help_gone(const struct words *w, int at);
/* Advice for an unknown command. */
const char *help_command(const struct words *w);
/* Advice for the word at a place; NULL: there is none. */
const char *help_word(const struct words *w, int at);
