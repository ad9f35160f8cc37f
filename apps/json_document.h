/* json_document.h - JSON files that the tools read: traces, test vectors, runs of hbench.
 *
 * A thin layer over json-c: one document a file, errors with file and line, and a way to members
 * that may be missing. For apps only; built where there is json-c.
 */
#pragma once

#include <json-c/json.h>

/* Reads the one JSON document that a file holds. *document is the caller's, to be given to
 * json_object_put(). HN_OK; or HN_ESYS, HN_ESYNTAX or HN_ENOMEM with "FILE:LINE: what is wrong:
 * what to do" as the error's text, *document NULL. A file that holds `null` is a HN_ESYNTAX. Blocks
 * while the file is read. */
int json_document_read(const char *path, json_object **document);

/* The value of an object's key; NULL: there is none, or this is no object. It belongs to the
 * object. */
json_object *json_document_member(json_object *object, const char *key);

/* The value of a key as text, "" for none; it belongs to the object. */
const char *json_document_text(json_object *object, const char *key);

/* The value of a key as a number; 0: there is none, or it is no number. */
double json_document_number(json_object *object, const char *key);
