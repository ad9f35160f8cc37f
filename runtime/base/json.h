/* json.h - writes JSON strings. */
#pragma once

#include <stdio.h>

/* Writes a quoted JSON string; invalid UTF-8 becomes U+FFFD. */
void json_text(FILE *file, const char *text);
