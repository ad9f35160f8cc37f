/* vector_file.c - a file with an instance: read, and solved as its kind is (vector.h). */
#include "vector.h"

#include "runtime/internal.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *kind;
    int (*solve)(struct vector *v, json_object *answer);
} kinds[] = {
    {"broadcast", vector_broadcast}, {"exchange", vector_exchange}, {"multicast", vector_multicast},
    {"topology", vector_topology},   {"formulae", vector_formulae},
};

static int solve(struct vector *v, json_object *file, json_object *answer)
{
    json_object *kind = NULL;
    json_object_object_get_ex(file, "kind", &kind);
    if (!json_object_object_get_ex(file, "input", &v->input) ||
        !json_object_is_type(v->input, json_type_object) ||
        !json_object_is_type(kind, json_type_string))
        return vector_fail(v, "no \"kind\" and \"input\": not a test vector");
    const char *name = json_object_get_string(kind);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].kind, name))
            return kinds[i].solve(v, answer);
    return vector_fail(v,
                       "kind \"%.40s\" is not known: give broadcast, multicast, exchange, "
                       "topology or formulae",
                       name);
}

/* The number of the line in which a byte of a text stands. */
static int line_of(const char *text, size_t at)
{
    int line = 1;
    while (at > 0 && strchr(" \t\r\n", text[at - 1])) /* the end is where something stands */
        at--;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

/* The one JSON document that a text is, whatever space stands behind it; NULL with the error set.
 */
static json_object *parse(const char *path, const char *text, size_t length)
{
    json_tokener *tokener = json_tokener_new();
    json_object *file = NULL;
    if (!tokener) {
        error_set(HN_ENOMEM, "%s: out of memory", path);
        return NULL;
    }
    file = json_tokener_parse_ex(tokener, text, (int)length + 1); /* with the 0 that ends it */
    enum json_tokener_error error = json_tokener_get_error(tokener);
    size_t end = json_tokener_get_parse_end(tokener);
    if (error == json_tokener_continue || error == json_tokener_error_parse_eof)
        error_set(HN_ESYNTAX, "%s:%d: ends within the JSON document: is it whole?", path,
                  line_of(text, length));
    else if (error != json_tokener_success)
        error_set(HN_ESYNTAX, "%s:%d: no JSON: %s: correct it", path, line_of(text, end + 1),
                  json_tokener_error_desc(error));
    else if (end += strspn(text + end, " \t\r\n"), end < length)
        error_set(HN_ESYNTAX, "%s:%d: something follows the JSON document: leave it out", path,
                  line_of(text, end + 1));
    else if (!file)
        error_set(HN_ESYNTAX, "%s: no \"kind\" and \"input\": not a test vector", path);
    if (file && end < length) {
        json_object_put(file);
        file = NULL;
    }
    json_tokener_free(tokener);
    return file;
}

int vector_solve(const char *path, json_object **answer)
{
    struct vector v = {.path = path, .scale = 1};
    char *text = NULL;
    size_t length;
    *answer = NULL;
    int error = lines_load(path, &text, &length);
    if (error)
        return error;
    json_object *file = parse(path, text, length);
    free(text);
    if (!file)
        return HN_ESYNTAX;
    json_object *made = json_object_new_object();
    error = made ? solve(&v, file, made) : HN_ENOMEM;
    if (v.error)
        error = v.error;
    json_object_put(file);
    if (error)
        json_object_put(made);
    else
        *answer = made;
    return error;
}
