/* fold.h - combining the elements of two buffers with an operator of hnow_coll.h. */
#ifndef HNOW_COLL_FOLD_H
#define HNOW_COLL_FOLD_H

#include "hnow_coll.h"

#include <stdbool.h>

/* own[i] = left[i] o right[i], where `incoming` is the left operand when incoming_left says so, and
 * own the other. The buffers must not overlap. */
typedef void fold_function(void *own, const void *incoming, size_t count, bool incoming_left);

/* The function for an operator and a type; NULL when the operator means nothing for it (bitwise
 * ones for floating point, order for complex numbers, arithmetic for bytes). */
fold_function *fold_of(hn_op op, hn_type type);

#endif
