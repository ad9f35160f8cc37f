/* script_value.c - see script_value.h.
 *
 * A sum of products of powers of factors, each parsed by a function below.  Nesting is limited,
 * because the text is untrusted. Results of functions outside of their range, such as SQRT of -1,
 * are NAN, and refused at the end. */
#include "script_value.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

enum { VALUE_DEPTH = 50 }; /* nested brackets and signs, which use stack */

/* After an error `bad` is set, and parsing ends without further meaning. The text is not copied; at
 * is the next character. */
struct value {
    const char *at;
    int depth, bad;
};

/* Lowest priority; the others are called from it. */
static double value_sum(struct value *v);

/* Skips blanks, then takes the character if it is there. */
static int value_next(struct value *v, char c)
{
    while (isspace((unsigned char)*v->at))
        v->at++;
    if (*v->at != c)
        return 0;
    v->at++;
    return 1;
}

/* INT cuts off towards 0. */
static double value_trunc(double x)
{
    return trunc(x);
}

/* NAME ( sum ). The name must be whole. */
static double value_function(struct value *v)
{
    static const struct {
        const char *name;
        double (*f)(double);
    } table[] = {{"SQRT", sqrt}, {"EXP", exp},         {"LOG", log},    {"LN", log},
                 {"ABS", fabs},  {"INT", value_trunc}, {"NINT", round}, {"SIN", sin},
                 {"COS", cos},   {"TAN", tan},         {"ASIN", asin},  {"ACOS", acos},
                 {"ATAN", atan}, {"SINH", sinh},       {"COSH", cosh},  {"TANH", tanh}};
    const char *name = v->at;
    size_t n = 0;
    while (isalpha((unsigned char)name[n]))
        n++;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (n && strncasecmp(name, table[k].name, n) == 0 && !table[k].name[n]) {
            v->at += n;
            v->bad |= !value_next(v, '(');
            double x = value_sum(v);
            v->bad |= !value_next(v, ')');
            return table[k].f(x);
        }
    v->bad = 1;
    return 0;
}

/* A sign binds closer than **: -2**2 is 4. A number, a signed factor, a sum in brackets, or a
 * function. */
static double value_factor(struct value *v)
{
    double x = 0;
    if (++v->depth > VALUE_DEPTH || v->bad)
        v->bad = 1;
    else if (value_next(v, '-'))
        x = -value_factor(v);
    else if (value_next(v, '+'))
        x = value_factor(v);
    else if (value_next(v, '(')) {
        x = value_sum(v);
        v->bad |= !value_next(v, ')');
    } else if (isdigit((unsigned char)*v->at) || *v->at == '.') {
        char *stop;
        /* strtod() also takes exponents, and stops where the number ends. */
        x = strtod(v->at, &stop);
        v->bad |= stop == v->at;
        v->at = stop;
    } else
        x = value_function(v);
    v->depth--;
    return x;
}

/* Left to right: 2**3**2 is 64. A single '*' is given back. `**` binds closer than `*`. */
static double value_power(struct value *v)
{
    double x = value_factor(v);
    while (!v->bad && value_next(v, '*')) {
        if (*v->at != '*') {
            v->at--;
            break;
        }
        v->at++;
        x = pow(x, value_factor(v));
    }
    return x;
}

/* Left to right, * and / alike. */
static double value_product(struct value *v)
{
    double x = value_power(v);
    while (!v->bad)
        if (value_next(v, '*'))
            x *= value_power(v);
        else if (value_next(v, '/'))
            x /= value_power(v);
        else
            break;
    return x;
}

static double value_sum(struct value *v)
{
    double x = value_product(v);
    while (!v->bad)
        if (value_next(v, '+'))
            x += value_product(v);
        else if (value_next(v, '-'))
            x -= value_product(v);
        else
            break;
    return x;
}

/* The whole text must be one expression, with a finite value. 1 or 0; *value is set in both cases.
 */
int script_value(const char *text, double *value)
{
    struct value v = {.at = text};
    *value = value_sum(&v);
    return !v.bad && value_next(&v, 0) && isfinite(*value);
}
