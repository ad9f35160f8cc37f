/* json.h - reading JSON documents that hbench itself has written: a checker, and a way through the
 * checked text.  Nothing is copied but the words that are asked for.
 */
#ifndef HBENCH_JSON_H
#define HBENCH_JSON_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the text (which ends with a 0) is one JSON document; *where: the offset of the first byte
 * that is wrong.  Values may lie 64 deep. */
bool json_check(const char *text, size_t *where);

/* All below take a value inside of a checked document, or NULL, and return NULL for none. */

/* The value of an object's key. */
const char *json_member(const char *object, const char *key);
/* The first value of an array, and the one behind it. */
const char *json_first(const char *array);
const char *json_next(const char *value);
/* A string without its quotation marks, cut to size; escapes stay as they are.  False: it is none.
 */
bool json_word(const char *value, char *word, size_t size);
/* 0 when it is no number. */
double json_number(const char *value);

#endif
