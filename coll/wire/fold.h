/* fold.h - combines the elements of two buffers with an operator of hnow_coll.h. */
#pragma once

#include "hnow_coll.h"

#include <stdbool.h>

/* own[i] = left[i] o right[i]. incoming_left: `incoming` is the left operand and own the right one;
 * else the reverse. The buffers must not overlap. */
typedef void fold_function(void *own, const void *incoming, size_t count, bool incoming_left);

/* An operator for a type: predefined, or the program's own. */
struct fold {
    fold_function *function; /* predefined operator; NULL: the program's */
    hn_op_function *own;
    void *data; /* argument of the program's operator */
    hn_type type;
    size_t width; /* number of elements that form one operand */
    bool ordered; /* the operator does not commute */
    bool rounds;  /* may round: another order of combining gives other last bits */
    hn_type wide; /* wide type of elements, if `type` is narrow; else 0 */
};

/* Most elements of an operand if the program's operator needs narrow elements. */
enum { FOLD_NARROW = 1024 };

/* HN_ETYPE when the operator is not defined for the type (bitwise ones for floating point, order
 * for complex numbers, arithmetic for bytes), or does not exist. */
int fold_find(hn_op op, hn_type type, struct fold *fold);
/* The elements are of this type, widened (widen.h). The program's operator gets them in their
 * original form. HN_EARG: its operands have too many elements. */
int fold_narrow(struct fold *fold, hn_type type);
void fold_apply(const struct fold *fold, void *own, const void *incoming, size_t count,
                bool incoming_left);

/* The name of a predefined operator in the API; NULL: it is not one. */
const char *fold_name(hn_op op);
/* The function of a predefined operator; NULL: not defined for the type. */
fold_function *fold_of(hn_op op, hn_type type);

/* operator.c: sets own, data, width and ordered for a program's operator; false: no such
 * operator. */
bool operator_find(hn_op op, struct fold *fold);
