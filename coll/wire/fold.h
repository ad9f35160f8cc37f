/* fold.h - combining the elements of two buffers with an operator of hnow_coll.h. */
#pragma once

#include "hnow_coll.h"

#include <stdbool.h>

/* own[i] = left[i] o right[i], where `incoming` is the left operand when incoming_left says so, and
 * own the other. The buffers must not overlap. */
typedef void fold_function(void *own, const void *incoming, size_t count, bool incoming_left);

/* An operator for a type: one of ours, or a program's own. */
struct fold {
    fold_function *function; /* NULL: the program's */
    hn_op_function *own;
    void *data; /* of the program's */
    hn_type type;
    size_t width; /* elements that belong together */
    bool ordered; /* does not commute */
    bool rounds;  /* may, so that another order of combining gives other last bits */
    hn_type wide; /* of the elements, where the program's operator is for others (`type`); else 0 */
};

/* Of the program's operator: how many elements an operand may have that is for narrow ones. */
enum { FOLD_NARROW = 1024 };

/* HN_ETYPE when the operator means nothing for the type (bitwise ones for floating point, order for
 * complex numbers, arithmetic for bytes), or is none. */
int fold_find(hn_op op, hn_type type, struct fold *fold);
/* The elements are those of this type made wide (widen.h): the program's operator gets them as they
 * were.  HN_EARG: its operands are too wide for that. */
int fold_narrow(struct fold *fold, hn_type type);
void fold_apply(const struct fold *fold, void *own, const void *incoming, size_t count,
                bool incoming_left);

/* The name of one of our own operators, as programs write it; NULL: it is none of them. */
const char *fold_name(hn_op op);
/* The function of one of our own operators; NULL when it means nothing. */
fold_function *fold_of(hn_op op, hn_type type);

/* operator.c: fills own, data, width and ordered for a program's operator; false: there is none. */
bool operator_find(hn_op op, struct fold *fold);
