/* line_edit.h - the prompt's line at a terminal: editing, history, completion of the first word. */
#pragma once

#include <stdbool.h>

/* Reads a line, without its end, into *line, which stays until the next call.  words: what the
 * first word can be, NULL behind the last.  False: the end of input, or Ctrl-D. */
bool line_edit(const char *prompt, const char *const *words, const char **line);
