/* vector.h - problem instances in JSON (test vectors), solved by all planners: hplan -vector.
 *
 * An instance is {"name", "kind", "input", ...}; the answer has the shape of its "expected".
 * Numbers of the input are any decimals: they are scaled to integers, planned with, and scaled
 * back.
 *
 * Part of the tool, not of the library; needs json-c.
 */
#pragma once

#include "coll/internal.h"

#include "runtime/internal.h"

#include <json-c/json.h>

/* Solves the instance in a file. HN_OK and *answer, which the caller puts; or an error with
 * error_set()'s text. */
int vector_solve(const char *path, json_object **answer);

/* ---- for the kinds -----------------------------------------------------------------------------
 */

/* One instance while it is solved. The first error sticks. */
struct vector {
    const char *path;
    json_object *input;
    int n;
    double scale; /* integers are numbers of the file times this */
    int error;
    struct arena arena; /* of arrays that were read or made */
};

/* Larger instances are refused. */
enum { VECTOR_RANKS_MOST = 2048 };

int vector_broadcast(struct vector *v, json_object *answer);
int vector_exchange(struct vector *v, json_object *answer);
int vector_multicast(struct vector *v, json_object *answer);
int vector_topology(struct vector *v, json_object *answer);
int vector_formulae(struct vector *v, json_object *answer);

/* Notes an error with its place in the file; returns it. */
__attribute__((format(printf, 2, 3))) int vector_fail(struct vector *v, const char *format, ...);
/* Members of the input; 0 or NULL and an error when they are missing or of another kind or size.
 * Arrays of numbers live as long as the instance. */
json_object *vector_list(struct vector *v, const char *name);
/* Whether it is a finite number of at least 0; *number becomes that. */
bool vector_number(json_object *o, double *number);
/* Whether it is a whole number, 1e6 among them; *value becomes that. */
bool vector_whole(json_object *o, int64_t *value);
int vector_int(struct vector *v, const char *name, int least, int most);
const char *vector_text(struct vector *v, const char *name);
double *vector_numbers(struct vector *v, const char *name, int count);
double *vector_matrix(struct vector *v, const char *name, int rows, int columns);

/* Whether numbers, times a scale, are whole, but for what doubles lose. */
bool vector_are_whole(const double *numbers, int count, double scale);
/* A scale by which all numbers become whole, if there is one, and which leaves room for times of
 * `most` (of the file). An error where these are beyond all numbers. */
double vector_scale(struct vector *v, const double *numbers, int count, double most);
/* The largest of some numbers. */
double vector_most(const double *numbers, int count);
/* An array that lives as long as the instance; NULL, with an error: out of memory. */
void *vector_array(struct vector *v, size_t count, size_t size);
/* A number of the file as an integer, and back. */
int64_t vector_scaled(const struct vector *v, double number);
json_object *vector_json(const struct vector *v, hn_time time);
