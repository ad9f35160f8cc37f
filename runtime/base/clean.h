/* clean.h - texts that others have written, before a terminal shows them. */
#pragma once

/* Replaces by '?', in place, every byte that a terminal could obey: control characters (ESC, those
 * of U+0080 to U+009F, too), and what is not UTF-8. */
void clean_text(char *text);
