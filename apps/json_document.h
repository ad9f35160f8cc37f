/* json_document.h - reads the JSON files of the tools: traces, test vectors, results of hbench.
 *
 * A thin layer over json-c: one document per file, errors with file and line, and access to
 * optional members. For apps only; built if json-c is available.
 */
#pragma once

#include <json-c/json.h>

/* Reads the one JSON document of a file. *document belongs to the caller, who frees it with
 * json_object_put(). Returns HN_OK, HN_ESYS, HN_ESYNTAX or HN_ENOMEM; on failure *document is NULL,
 * and the error text is "FILE:LINE: what is wrong: what to do". A file that contains `null` is a
 * HN_ESYNTAX. Blocks while the file is read. */
int json_document_read(const char *path, json_object **document);

/* Returns the value of a key, owned by the object. NULL: there is none, or this is no object. */
json_object *json_document_member(json_object *object, const char *key);

/* Returns the value of a key as text, owned by the object; "" if there is none. */
const char *json_document_text(json_object *object, const char *key);

/* Returns the value of a key as a number; 0 if there is none, or it is no number. */
double json_document_number(json_object *object, const char *key);
