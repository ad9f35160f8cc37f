/* test_vectors.c - instances are solved as their files say: every schedule, every decision, every
 * number to 1e-9.  Those of tests/vectors were solved by a program of their own
 * (tests/plans/reference.py); published ones stand beside the checkout on some machines, and are
 * solved, too, where they do. */
#include "apps/hplan/vectors/vector.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Fields that say how good others were, not what is to be reproduced. */
static bool is_informative(const char *name)
{
    return strcmp(name, "best_known") == 0;
}

static bool equal(json_object *expected, json_object *found, char *where, size_t size);

static bool equal_objects(json_object *expected, json_object *found, char *where, size_t size)
{
    size_t length = strlen(where);
    json_object_object_foreach(expected, name, value)
    {
        if (is_informative(name))
            continue;
        snprintf(where + length, size - length, ".%s", name);
        json_object *other = NULL;
        if (!json_object_object_get_ex(found, name, &other) || !equal(value, other, where, size))
            return false;
        where[length] = '\0';
    }
    return true;
}

static bool equal_arrays(json_object *expected, json_object *found, char *where, size_t size)
{
    size_t length = strlen(where), count = json_object_array_length(expected);
    if (count != json_object_array_length(found))
        return false;
    for (size_t i = 0; i < count; i++) {
        snprintf(where + length, size - length, "[%zu]", i);
        if (!equal(json_object_array_get_idx(expected, i), json_object_array_get_idx(found, i),
                   where, size))
            return false;
        where[length] = '\0';
    }
    return true;
}

/* Whether all that is expected was found; `where` tells the first difference. */
static bool equal(json_object *expected, json_object *found, char *where, size_t size)
{
    switch (json_object_get_type(expected)) {
    case json_type_object:
        return json_object_is_type(found, json_type_object) &&
               equal_objects(expected, found, where, size);
    case json_type_array:
        return json_object_is_type(found, json_type_array) &&
               equal_arrays(expected, found, where, size);
    case json_type_int:
    case json_type_double: {
        double a = json_object_get_double(expected), b = json_object_get_double(found);
        return fabs(a - b) <= 1e-9 * fmax(1, fabs(a));
    }
    default:
        return json_object_equal(expected, found);
    }
}

/* Calls `check` with the path of each instance of a kind, our own and those beside the checkout. */
static void each_instance(const char *kind, void (*check)(const char *path, json_object *file))
{
    static const char *const places[] = {VECTORS "/*.json", SHARED "/vectors/*.json"};
    int own = 0;
    for (int k = 0; k < 2; k++) {
        glob_t files = {0};
        glob(places[k], 0, NULL, &files);
        for (size_t i = 0; i < files.gl_pathc; i++) {
            json_object *file = json_object_from_file(files.gl_pathv[i]), *of;
            cr_assert(json_object_object_get_ex(file, "kind", &of), "%s", files.gl_pathv[i]);
            bool mine = strcmp(json_object_get_string(of), kind) == 0;
            if (mine)
                check(files.gl_pathv[i], file);
            own += mine && k == 0;
            json_object_put(file);
        }
        globfree(&files);
    }
    cr_assert_gt(own, 0, "no instances of %s in " VECTORS, kind);
}

static void reproduce(const char *path, json_object *file)
{
    char where[256] = "expected";
    json_object *answer, *expected;
    cr_assert_eq(vector_solve(path, &answer), HN_OK, "%s", hn_error_text());
    cr_assert(json_object_object_get_ex(file, "expected", &expected));
    cr_assert(equal(expected, answer, where, sizeof where), "%s: %s differs", path, where);
    json_object_put(answer);
}

#define VECTOR(kind)                                                                               \
    Test(vectors, kind)                                                                            \
    {                                                                                              \
        each_instance(#kind, reproduce);                                                           \
    }                                                                                              \
    Test(vectors, kind##_with_points)                                                              \
    {                                                                                              \
        each_instance(#kind, reproduce_with_points);                                               \
    }

/* Every number as others may write it: 3.0 for 3. */
static json_object *with_points(json_object *o)
{
    json_object *made = o;
    if (json_object_is_type(o, json_type_object)) {
        made = json_object_new_object();
        json_object_object_foreach(o, key, value)
            json_object_object_add(made, key, with_points(value));
    } else if (json_object_is_type(o, json_type_array)) {
        made = json_object_new_array();
        for (size_t i = 0; i < json_object_array_length(o); i++)
            json_object_array_add(made, with_points(json_object_array_get_idx(o, i)));
    } else if (json_object_is_type(o, json_type_int)) {
        return json_object_new_double(json_object_get_double(o));
    } else {
        return json_object_get(o);
    }
    return made;
}

static void reproduce_with_points(const char *path, json_object *file)
{
    char copy[] = "/tmp/hnow-vector-XXXXXX";
    json_object *changed = with_points(file);
    int fd = mkstemp(copy);
    cr_assert(fd >= 0 && json_object_to_file(copy, changed) == 0, "%s", path);
    close(fd);
    reproduce(copy, file);
    unlink(copy);
    json_object_put(changed);
}

VECTOR(broadcast)
VECTOR(exchange)
VECTOR(multicast)
VECTOR(topology)
VECTOR(formulae)

/* Bad files get one line that names the place. */
static void refuse(const char *text, const char *message)
{
    char path[] = "/tmp/hnow-vector-XXXXXX";
    int fd = mkstemp(path);
    json_object *answer;
    cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    cr_assert_neq(vector_solve(path, &answer), HN_OK, "%s", text);
    cr_assert_null(answer);
    cr_assert(strstr(hn_error_text(), message), "'%s' instead of '%s'", hn_error_text(), message);
    unlink(path);
}

Test(vectors, bad_files)
{
    refuse("", "ends within the JSON document");
    refuse("{\"kind\":", "ends within the JSON document");
    refuse("{\"kind\":}", "no JSON: ");
    refuse("[]\n {}", ":2: something follows the JSON document");
    refuse("{\n\n\"kind\",}", ":3: no JSON: ");
    refuse("{\n\"kind\":\n", ":2: ends within the JSON document");
    refuse("[]", "not a test vector");
    refuse("{\"kind\":\"broadcast\"}", "not a test vector");
    refuse("{\"kind\":\"weather\",\"input\":{}}", "is not known");
    refuse("{\"kind\":\"broadcast\",\"input\":{}}", "input.n");
    refuse("{\"kind\":\"broadcast\",\"input\":{\"n\":-1}}", "input.n: -1");
    refuse("{\"kind\":\"broadcast\",\"input\":{\"n\":2,\"root\":2}}", "input.root: 2");
    refuse("{\"kind\":\"broadcast\",\"input\":{\"n\":2,\"root\":0,\"model\":\"x\"}}",
           "input.model");
    refuse("{\"kind\":\"broadcast\",\"input\":{\"n\":2,\"root\":0,\"model\":\"blocking\","
           "\"cost\":[[0,1],[2]]}}",
           "input.cost[1]");
    refuse("{\"kind\":\"broadcast\",\"input\":{\"n\":2,\"root\":0,\"model\":\"blocking\","
           "\"cost\":[[0,-1],[2,0]]}}",
           "input.cost[0]");
}
