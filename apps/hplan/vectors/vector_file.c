/* vector_file.c - reads an instance from a file, and solves it according to its kind (vector.h). A
 * new kind needs one row here and one function. */
#include "vector.h"

#include "json_document.h"

#include <string.h>

static const struct {
    const char *kind;
    int (*solve)(struct vector *v, json_object *answer);
} kinds[] = {
    {"broadcast", vector_broadcast}, {"exchange", vector_exchange}, {"multicast", vector_multicast},
    {"topology", vector_topology},   {"formulae", vector_formulae},
};

/* Checks the form that all kinds share; the members of `input` are checked by the kind. "name",
 * "expected" and other members are for readers and comparing programs, and are ignored. */
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
        if (strcmp(kinds[i].kind, name) == 0)
            return kinds[i].solve(v, answer);
    return vector_fail(v,
                       "kind \"%.40s\" is not known: give broadcast, multicast, exchange, "
                       "topology or formulae",
                       name);
}

int vector_solve(const char *path, json_object **answer)
{
    struct vector v = {.path = path, .scale = 1};
    json_object *file;
    *answer = NULL;
    int error = json_document_read(path, &file);
    if (error)
        return error;
    /* JSON objects count references: `made` is released here after an error, and is the caller's
     * otherwise. */
    json_object *made = json_object_new_object();
    error = made ? solve(&v, file, made) : HN_ENOMEM;
    /* The first error of the instance counts. */
    if (v.error)
        error = v.error;
    json_object_put(file);
    arena_free(&v.arena);
    if (error)
        json_object_put(made);
    else
        *answer = made;
    return error;
}
