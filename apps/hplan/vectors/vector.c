/* vector.c - reads the members of instances, and scales their numbers.
 *
 * Planners use integers. The scale is the first 10^a * 2^b that makes every number of the input an
 * integer: ties in the file remain ties, and results are exact. If there is none (results of
 * divisions), the largest possible scale is used.
 *
 * Missing members and wrong types are errors with the member's name; nothing has a default. The
 * arena keeps all arrays until the instance is solved, so no function frees one.
 */
#include "vector.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double TIMES_MOST = 4e18; /* maximum of all scaled times: below 2^63 */
/* Relative error of decimals, their products and sums: some units in the last place. */
static const double ROUNDING = 16 * DBL_EPSILON;

/* The first error is kept: later ones may only be its consequences. */
int vector_fail(struct vector *v, const char *format, ...)
{
    char text[200];
    va_list args;
    /* A text is made only for the first error. */
    if (v->error)
        return v->error;
    va_start(args, format);
    /* 200 bytes are enough: names of the input are cut to 40 or less. */
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return v->error = error_set(HN_ESYNTAX, "%s: %s", v->path, text);
}

/* Zeroed; freed with the vector. */
void *vector_array(struct vector *v, size_t count, size_t size)
{
    void *array = arena_array(&v->arena, count, size);
    if (!array)
        /* Without a text of its own: HN_ENOMEM has a general one. */
        v->error = HN_ENOMEM;
    return array;
}

/* ---- members ---------------------------------------------------------------------------- */

/* Returns a member of this type; NULL and an error: there is none. `list` is the format's word for
 * an array of JSON. */
static json_object *member(struct vector *v, const char *name, enum json_type type)
{
    json_object *found = NULL;
    if (!json_object_object_get_ex(v->input, name, &found) || json_object_get_type(found) != type) {
        vector_fail(v, "input.%s: missing, or no %s: see the format's description", name,
                    type == json_type_array ? "list" : json_type_to_name(type));
        return NULL;
    }
    return found;
}

json_object *vector_list(struct vector *v, const char *name)
{
    return member(v, name, json_type_array);
}

bool vector_whole(json_object *o, int64_t *value)
{
    /* json-c converts an exponent to a double, hence 1e6 is one. Below 9e15 (about 2^53) each
     * integer is a double, so the conversion is exact. */
    double number = json_object_get_double(o);
    *value = json_object_get_int64(o);
    return json_object_is_type(o, json_type_int) ||
           (json_object_is_type(o, json_type_double) && fabs(number) < 9e15 &&
            number == nearbyint(number));
}

int vector_int(struct vector *v, const char *name, int least, int most)
{
    /* After an error the least value is returned, so that callers can allocate arrays with it. */
    json_object *found = NULL;
    int64_t value;
    if (!json_object_object_get_ex(v->input, name, &found) || !vector_whole(found, &value)) {
        vector_fail(v, "input.%s: missing, or no whole number: see the format's description", name);
        return least;
    }
    if (value < least || value > most) {
        vector_fail(v, "input.%s: %lld: give %d to %d", name, (long long)value, least, most);
        return least;
    }
    return (int)value;
}

const char *vector_text(struct vector *v, const char *name)
{
    json_object *found = member(v, name, json_type_string);
    return found ? json_object_get_string(found) : "";
}

bool vector_number(json_object *o, double *number)
{
    *number = json_object_get_double(o);
    /* A text that looks like a number is refused: json_object_get_double() would read it. */
    return (json_object_is_type(o, json_type_int) || json_object_is_type(o, json_type_double)) &&
           isfinite(*number) && *number >= 0;
}

bool vector_row(json_object *row, double *numbers, int count)
{
    if (!json_object_is_type(row, json_type_array) ||
        json_object_array_length(row) != (size_t)count)
        return false;
    for (int i = 0; i < count; i++)
        if (!vector_number(json_object_array_get_idx(row, (size_t)i), &numbers[i]))
            return false;
    return true;
}

/* After an error the result has no meaning. */
double vector_amount(struct vector *v, const char *name)
{
    json_object *found = NULL;
    double number = 0;
    if (!json_object_object_get_ex(v->input, name, &found) || !vector_number(found, &number))
        vector_fail(v, "input.%s: missing, or no number of at least 0: give one", name);
    return number;
}

/* One entry more than needed is allocated, so that an empty matrix is no NULL. */
double *vector_matrix(struct vector *v, const char *name, int rows, int columns)
{
    json_object *found = member(v, name, json_type_array);
    double *numbers = vector_array(v, (size_t)rows * (size_t)columns + 1, sizeof *numbers);
    /* NULL only if out of memory; after a wrong row the rest stays 0. */
    if (!found || !numbers)
        return numbers;
    if (json_object_array_length(found) != (size_t)rows)
        vector_fail(v, "input.%s: not %d rows", name, rows);
    for (int i = 0; i < rows && !v->error; i++)
        if (!vector_row(json_object_array_get_idx(found, (size_t)i), numbers + (size_t)i * columns,
                        columns))
            vector_fail(v, "input.%s[%d]: not %d numbers of at least 0", name, i, columns);
    return numbers;
}

/* Like vector_matrix(), for one row. */
double *vector_numbers(struct vector *v, const char *name, int count)
{
    json_object *found = member(v, name, json_type_array);
    double *numbers = vector_array(v, (size_t)count + 1, sizeof *numbers);
    if (found && numbers && !vector_row(found, numbers, count))
        vector_fail(v, "input.%s: not %d numbers of at least 0", name, count);
    return numbers;
}

/* ---- scaling ---------------------------------------------------------------------------- */

bool vector_are_whole(const double *numbers, int count, double scale)
{
    for (int i = 0; i < count; i++) {
        double x = numbers[i] * scale;
        /* The tolerance is relative, because the product has the relative error of its factors. */
        if (fabs(x - nearbyint(x)) > ROUNDING * x)
            return false;
    }
    return true;
}

/* If times exceed the integers, a power of two reduces them. The scale is then below 1, and results
 * are rounded to its inverse. */
static double scale_down(struct vector *v, double limit)
{
    double scale = exp2(floor(log2(limit)));
    if (isnormal(scale))
        return scale;
    vector_fail(v, "input: numbers are too large to be added: give smaller ones");
    return 1;
}

/* Small scales come first, powers of ten before powers of two.  Without an exact one the largest
 * that was tried is used; times are then rounded. */
double vector_scale(struct vector *v, const double *numbers, int count, double most)
{
    /* With a largest time of 0 any scale will do. */
    double limit = TIMES_MOST / (most > 0 ? most : 1), best = 0;
    /* 2^20 serves fractions such as 1/8 and 3/1024 in decimal notation. */
    for (double two = 1; two <= 1 << 20; two *= 2)
        for (double ten = 1; ten <= 1e18; ten *= 10) {
            /* Greater powers of ten exceed the limit as well. */
            if (two * ten > limit)
                break;
            if (vector_are_whole(numbers, count, two * ten))
                return two * ten;
            best = fmax(best, two * ten);
        }
    return best > 0 ? best : scale_down(v, limit);
}

/* Numbers are at least 0, so an empty list gives 0. */
double vector_most(const double *numbers, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, numbers[i]);
    return most;
}

/* Beyond the range a number is cut off; vector_scale() has prevented that for all sums. */
int64_t vector_scaled(const struct vector *v, double number)
{
    /* nearbyint() rounds to even on ties, as everywhere in this file. */
    return (int64_t)fmin(nearbyint(number * v->scale), TIMES_MOST);
}

/* Integers are printed without a point, up to the range in which doubles are exact. */
json_object *vector_json(const struct vector *v, hn_time time)
{
    double number = (double)time / v->scale;
    if (number == nearbyint(number) && fabs(number) < 9e15)
        return json_object_new_int64((int64_t)number);
    return json_object_new_double(number);
}

/* The caller passes it on to an object, which then owns it. */
json_object *vector_ints(const int *numbers, int count)
{
    json_object *list = json_object_new_array();
    for (int i = 0; i < count; i++)
        json_object_array_add(list, json_object_new_int(numbers[i]));
    return list;
}
