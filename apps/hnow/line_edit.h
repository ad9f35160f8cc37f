/* line_edit.h - reads the prompt's line from a terminal: editing, history, completion of the first
 * word. */
#pragma once

#include <stdbool.h>

/* Reads a line, without its end, into *line, which is valid until the next call. words:
 * NULL-terminated list of possible first words.  Returns false at the end of input, or on
 * Ctrl-D. */
bool line_edit(const char *prompt, const char *const *words, const char **line);
