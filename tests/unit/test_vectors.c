/* test_vectors.c - the published instances are solved as published: every schedule, every decision,
 * every number to 1e-9. The instances stand beside the checkout on some machines. */
#include "vectors/vector.h"

#include "hnow.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Fields that say how good others were, not what is to be reproduced. */
static bool is_informative(const char *name)
{
    return !strcmp(name, "best_known");
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

static void reproduce(const char *name)
{
    char path[512], where[256] = "expected";
    json_object *answer, *expected;
    snprintf(path, sizeof path, "%s/vectors/%s.json", SHARED, name);
    if (access(path, R_OK))
        cr_skip_test("no %s", path);
    cr_assert_eq(vector_solve(path, &answer), HN_OK, "%s", hn_error_text());
    json_object *file = json_object_from_file(path);
    cr_assert(json_object_object_get_ex(file, "expected", &expected));
    cr_assert(equal(expected, answer, where, sizeof where), "%s: %s differs", name, where);
    json_object_put(answer);
    json_object_put(file);
}

#define VECTOR(name)                                                                               \
    Test(vectors, name)                                                                            \
    {                                                                                              \
        reproduce(#name);                                                                          \
    }

VECTOR(eco_figure1)
VECTOR(exchange_8_mixed)
VECTOR(exchange_theorem2)
VECTOR(grid_machines_13)
VECTOR(grid_plogp_10)
VECTOR(gusto5_broadcast_1MB)
VECTOR(gusto5_exchange_1kB)
VECTOR(multicast_12_hybrid)
VECTOR(multicast_4_swap)
VECTOR(table3_six_clusters_4MB)
VECTOR(testbed_formulae_8)
VECTOR(testbed_sxr_6)

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

static void reproduce_with_points(const char *name)
{
    char path[512], copy[] = "/tmp/hnow-vector-XXXXXX", where[256] = "expected";
    json_object *answer, *expected;
    snprintf(path, sizeof path, "%s/vectors/%s.json", SHARED, name);
    if (access(path, R_OK))
        cr_skip_test("no %s", path);
    json_object *file = json_object_from_file(path), *changed = with_points(file);
    int fd = mkstemp(copy);
    cr_assert(fd >= 0 && json_object_to_file(copy, changed) == 0);
    close(fd);
    cr_assert_eq(vector_solve(copy, &answer), HN_OK, "%s", hn_error_text());
    cr_assert(json_object_object_get_ex(file, "expected", &expected));
    cr_assert(equal(expected, answer, where, sizeof where), "%s: %s differs", name, where);
    unlink(copy);
    json_object_put(answer);
    json_object_put(changed);
    json_object_put(file);
}

Test(vectors, whole_numbers_with_a_point)
{
    static const char *const names[] = {"eco_figure1",      "exchange_theorem2",
                                        "grid_machines_13", "gusto5_broadcast_1MB",
                                        "multicast_4_swap", "testbed_formulae_8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        reproduce_with_points(names[i]);
}

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
