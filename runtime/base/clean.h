/* clean.h - sanitises foreign text before it is printed to a terminal. */
#pragma once

/* Replaces by '?', in place, every byte that a terminal could interpret: control characters (also
 * ESC and U+0080 to U+009F), and invalid UTF-8. */
void clean_text(char *text);
