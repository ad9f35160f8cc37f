/* vector.h - problem instances in JSON (test vectors), solved by all planners: hplan -vector.
 *
 * An instance is {"name", "kind", "input", ...}; the answer has the form of its "expected". Numbers
 * of the input are any decimals: they are scaled to integers for planning, and scaled back.
 *
 * Part of the tool, not of the library; requires json-c.
 */
#pragma once

#include "coll/internal.h"

#include "runtime/internal.h"

#include <json-c/json.h>

/* Solves the instance in a file. Returns HN_OK and *answer, which the caller releases with
 * json_object_put(); or an error with error_set()'s text. */
int vector_solve(const char *path, json_object **answer);

/* ---- for the kinds ---------------------------------------------------------------------- */

/* An instance being solved. The first error is kept. */
struct vector {
    const char *path;
    json_object *input;
    int n;
    double scale; /* integers are numbers of the file times this */
    int error;
    struct arena arena; /* for arrays that were read or made */
};

/* Larger instances are rejected. */
enum { VECTOR_RANKS_MOST = 2048 };

/* One kind of instance each: they read v->input and add the members of the answer.  They return
 * HN_OK or an error with its text. */
int vector_broadcast(struct vector *v, json_object *answer);
int vector_exchange(struct vector *v, json_object *answer);
int vector_multicast(struct vector *v, json_object *answer);
int vector_topology(struct vector *v, json_object *answer);
int vector_formulae(struct vector *v, json_object *answer);

/* Records an error with its place in the file. Returns it. */
__attribute__((format(printf, 2, 3))) int vector_fail(struct vector *v, const char *format, ...);
/* Read members of the input; 0 or NULL and an error if they are missing or of another kind or size.
 * Arrays of numbers live as long as the instance. */
json_object *vector_list(struct vector *v, const char *name);
/* Reads a finite number of at least 0. Returns false if it is none. */
bool vector_number(json_object *o, double *number);
/* Reads an integer; 1e6 is one. Returns false if it is none. */
bool vector_whole(json_object *o, int64_t *value);
int vector_int(struct vector *v, const char *name, int least, int most);
const char *vector_text(struct vector *v, const char *name);
double *vector_numbers(struct vector *v, const char *name, int count);
double *vector_matrix(struct vector *v, const char *name, int rows, int columns);

/* True if numbers times a scale are integers, up to rounding errors. */
bool vector_are_whole(const double *numbers, int count, double scale);
/* Returns a scale that makes all numbers integers, if there is one, and allows times up to `most`
 * (in units of the file). Fails if these exceed the range of numbers. */
double vector_scale(struct vector *v, const double *numbers, int count, double most);
/* The maximum of the numbers. */
double vector_most(const double *numbers, int count);
/* An array that lives as long as the instance; NULL and an error if out of memory. */
void *vector_array(struct vector *v, size_t count, size_t size);
/* The same for one row of numbers; false: it is not a list of so many. */
bool vector_row(json_object *row, double *numbers, int count);
double vector_amount(struct vector *v, const char *name);
/* A list of integers for the answer. */
json_object *vector_ints(const int *numbers, int count);
/* Converts a number of the file to an integer, and back. */
int64_t vector_scaled(const struct vector *v, double number);
json_object *vector_json(const struct vector *v, hn_time time);
