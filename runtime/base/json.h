/* json.h - texts of JSON documents. */
#pragma once

#include <stdio.h>

/* Writes a text in quotes, as JSON has it; bytes that are no UTF-8 become U+FFFD. */
void json_text(FILE *file, const char *text);
