/* vector.h - problem instances in JSON (test vectors), solved by all planners: hplan -vector.
 *
 * An instance is {"name", "kind", "input", ...}; the answer has the form of its "expected". Numbers
 * of the input are any decimals: they are scaled to integers for planning, and scaled back.
 *
 * Part of the tool, not of the library; requires json-c.
 *
 * The lists are in the file's order, and ranks are numbered from 0. Every planner's result is part
 * of the answer, with its schedule: other implementations can be compared event by event.
 */
#pragma once

#include "coll/internal.h"

#include "runtime/internal.h"

#include <json-c/json.h>

/* Solves the instance in a file. Returns HN_OK and *answer, which the caller releases with
 * json_object_put(); or an error with error_set()'s text. */
int vector_solve(const char *path, json_object **answer);

/* ---- for the kinds ---------------------------------------------------------------------- */

/* An instance being solved. The first error is kept. After the first error all functions still
 * return a value that can be used, such as "" or an array. So the callers check v->error once,
 * after several reads. */
struct vector {
    const char *path;
    json_object *input;
    int n;
    double scale; /* integers are numbers of the file times this */
    int error;
    struct arena arena; /* for arrays that were read or made */
};

/* Larger instances are rejected. Matrices take the square of it: 32 MB each. */
enum { VECTOR_RANKS_MOST = 2048 };

/* One kind of instance each: they read v->input and add the members of the answer.  They return
 * HN_OK or an error with its text. They set v->n, and v->scale where they plan with integers.
 * Members that were added before an error are dropped with the answer. */
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
/* Reads a finite number of at least 0. Returns false if it is none. The number itself is undefined
 * if false. */
bool vector_number(json_object *o, double *number);
/* Reads an integer; 1e6 is one. Returns false if it is none. */
bool vector_whole(json_object *o, int64_t *value);
int vector_int(struct vector *v, const char *name, int least, int most);
/* Text of a string member; it belongs to the JSON document. "" and an error: missing. */
const char *vector_text(struct vector *v, const char *name);
/* `count` numbers of at least 0. */
double *vector_numbers(struct vector *v, const char *name, int count);
/* By rows. */
double *vector_matrix(struct vector *v, const char *name, int rows, int columns);

/* True if numbers times a scale are integers, up to rounding errors. */
bool vector_are_whole(const double *numbers, int count, double scale);
/* Returns a scale that makes all numbers integers, if there is one, and allows times up to `most`
 * (in units of the file). Fails if these exceed the range of numbers. */
double vector_scale(struct vector *v, const double *numbers, int count, double most);
/* The maximum of the numbers. 0 of none. All are at least 0. */
double vector_most(const double *numbers, int count);
/* An array that lives as long as the instance; NULL and an error if out of memory. */
void *vector_array(struct vector *v, size_t count, size_t size);
/* The same for one row of numbers; false: it is not a list of so many. Contrary to the others it
 * sets no error, so that the caller can name the row. */
bool vector_row(json_object *row, double *numbers, int count);
/* One number of at least 0. */
double vector_amount(struct vector *v, const char *name);
/* A list of integers for the answer. */
json_object *vector_ints(const int *numbers, int count);
/* Converts a number of the file to an integer, and back. */
int64_t vector_scaled(const struct vector *v, double number);
/* vector_json() prints an integer wherever the number is one. */
json_object *vector_json(const struct vector *v, hn_time time);
