/* json_document.c - see json_document.h. Cost: file and document are both in memory while
 * parsing. */
#include "json_document.h"

#include "hnow.h"
#include "runtime/internal.h"

#include <stdlib.h>
#include <string.h>

static const char blank[] = " \t\r\n";

/* The number of the line that contains a byte of the text. */
static int line_of(const char *text, size_t at)
{
    int line = 1;
    while (at > 0 && strchr(blank, text[at - 1])) /* an error at the end is reported in the line of
                                                     the last word */
        at--;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

/* The error of a parser that stopped at byte `end`; HN_OK: it read all of the text. */
static int check(const char *path, const char *text, size_t length, enum json_tokener_error stopped,
                 size_t end)
{
    if (stopped == json_tokener_continue || stopped == json_tokener_error_parse_eof)
        return error_set(HN_ESYNTAX, "%s:%d: ends within the JSON document: is it whole?", path,
                         line_of(text, length));
    if (stopped != json_tokener_success)
        return error_set(HN_ESYNTAX, "%s:%d: no JSON: %s: correct it", path, line_of(text, end + 1),
                         json_tokener_error_desc(stopped));
    end += strspn(text + end, blank);
    if (end < length)
        return error_set(HN_ESYNTAX, "%s:%d: something follows the JSON document: leave it out",
                         path, line_of(text, end + 1));
    return HN_OK;
}

int json_document_read(const char *path, json_object **document)
{
    char *text = NULL;
    size_t length;
    *document = NULL;
    int error = lines_load(path, &text, &length);
    if (error)
        return error;
    size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* as in lines.c */
    json_tokener *tokener = json_tokener_new();
    if (tokener) {
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS);
        /* including the terminating 0, so that a number at the end is complete */
        *document = json_tokener_parse_ex(tokener, text + mark, (int)(length - mark) + 1);
        error = check(path, text + mark, length - mark, json_tokener_get_error(tokener),
                      json_tokener_get_parse_end(tokener));
        json_tokener_free(tokener);
    } else {
        error = error_set(HN_ENOMEM, "%s: out of memory", path);
    }
    free(text);
    if (error) {
        json_object_put(*document);
        *document = NULL;
    }
    return error;
}

json_object *json_document_member(json_object *object, const char *key)
{
    json_object *value = NULL;
    return json_object_is_type(object, json_type_object) &&
                   json_object_object_get_ex(object, key, &value)
               ? value
               : NULL;
}

const char *json_document_text(json_object *object, const char *key)
{
    const char *text = json_object_get_string(json_document_member(object, key));
    return text ? text : "";
}

double json_document_number(json_object *object, const char *key)
{
    json_object *value = json_document_member(object, key);
    return json_object_is_type(value, json_type_string) ? 0 : json_object_get_double(value);
}
