/* json.h - texts of JSON documents. */
#ifndef HNOW_JSON_H
#define HNOW_JSON_H

#include <stdio.h>

/* Writes a text in quotes, as JSON has it; bytes that are no UTF-8 become U+FFFD. */
void json_text(FILE *file, const char *text);

#endif
