/* fold.h - combines the elements of two buffers with an operator of hnow_coll.h. */
#pragma once

#include "hnow_coll.h"

#include <stdbool.h>

/* Computes own[i] = left[i] o right[i] for `count` elements. incoming_left: `incoming` is the left
 * operand and `own` the right one; else the reverse. The buffers must not overlap. */
typedef void fold_function(void *own, const void *incoming, size_t count, bool incoming_left);

/* An operator for a type: predefined, or the program's own. Copied by value; `data` belongs to the
 * program and must outlive the operation. */
struct fold {
    fold_function *function; /* of a predefined operator; NULL: `own` is used */
    hn_op_function *own;
    void *data; /* argument of the program's operator */
    hn_type type;
    size_t width; /* number of elements that form one operand */
    bool ordered; /* the operator does not commute */
    bool rounds;  /* results are rounded, so they depend on the order of combining */
    hn_type wide; /* wide type of elements, if `type` is narrow; else 0 */
};

/* Most elements of an operand if the program's operator needs narrow elements. */
enum { FOLD_NARROW = 1024 };

/* Finds an operator for a type. HN_OK; or HN_ETYPE if the operator does not exist or is not defined
 * for the type: bitwise operators for floating point, minimum and maximum for complex numbers,
 * arithmetic for bytes. */
int fold_find(hn_op op, hn_type type, struct fold *fold);
/* Declares that the elements are widened ones of this type (widen.h). The program's operator gets
 * them in their original form. HN_OK, or HN_EARG: its operands have more than FOLD_NARROW elements.
 */
int fold_narrow(struct fold *fold, hn_type type);
void fold_apply(const struct fold *fold, void *own, const void *incoming, size_t count,
                bool incoming_left);

/* The name of a predefined operator in the API; NULL: it is not one. */
const char *fold_name(hn_op op);
/* The function of a predefined operator; NULL: not defined for the type. */
fold_function *fold_of(hn_op op, hn_type type);

/* Sets own, data, width and ordered of an operator of the program (operator.c). false: there is no
 * such operator. Takes the lock of the operators. */
bool operator_find(hn_op op, struct fold *fold);
