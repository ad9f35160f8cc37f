/* clean.h - sanitises foreign text before it is printed to a terminal. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Decodes the UTF-8 character at text.  Returns its bytes; 0: it is invalid. */
size_t clean_character(const unsigned char *text, uint32_t *letter);
/* Replaces by '?', in place, every byte that a terminal could interpret: control characters (also
 * ESC and U+0080 to U+009F), and invalid UTF-8. */
void clean_text(char *text);
