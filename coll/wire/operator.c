/* operator.c - the operators of the program (hn_op_new()). They are numbered in the task, in a
 * table with a lock, since every group and every thread may use any of them. */
#include "wire/fold.h"
#include "wire/wire_state.h"

#include "runtime/internal.h"

enum { OPERATOR_FIRST = 256 }; /* above HN_SUM and the other numbers of hnow_coll.h */

/* The operator of this number; NULL: there is none. */
static struct own_operator *find_operator(struct operators *all, hn_op op)
{
    int i = (int)op - OPERATOR_FIRST;
    return i >= 0 && i < OPERATORS_MOST && all->at[i].function ? &all->at[i] : NULL;
}

/* Locks the operators of the task; leave() unlocks them. NULL: the task is in no job, or out of
 * memory. */
static struct wire_state *enter(void)
{
    struct wire_state *state;
    if (wire_state_hold(&state))
        return NULL;
    pthread_mutex_lock(&state->operators.lock);
    return state;
}

static void leave(struct wire_state *state)
{
    pthread_mutex_unlock(&state->operators.lock);
    wire_state_drop(state);
}

int hn_op_new(hn_op_function *function, void *data, size_t width, int commutes, hn_op *op)
{
    int i = 0;
    if (!function || width == 0 || !op)
        return error_set(HN_EARG, "hn_op_new: no function, or a width of 0");
    struct wire_state *state = enter();
    if (!state)
        return hn_world() ? HN_ENOMEM : HN_ESTATE;
    /* The lowest free number. Programs use few operators, so a search is enough. */
    while (i < OPERATORS_MOST && state->operators.at[i].function)
        i++;
    if (i < OPERATORS_MOST) {
        state->operators.at[i] = (struct own_operator){function, data, width, commutes != 0};
        *op = (hn_op)(OPERATOR_FIRST + i);
    }
    leave(state);
    if (i == OPERATORS_MOST)
        return error_set(HN_ENOMEM, "hn_op_new: %d operators are in use", (int)OPERATORS_MOST);
    return HN_OK;
}

/* Operations in progress keep their copy of the operator (fold_find()). */
int hn_op_free(hn_op op)
{
    struct wire_state *state = enter();
    if (!state)
        return hn_world() ? HN_ENOMEM : HN_ESTATE;
    struct own_operator *own = find_operator(&state->operators, op);
    if (own)
        *own = (struct own_operator){0};
    leave(state);
    return own ? HN_OK : error_set(HN_EARG, "hn_op_free: %d is no operator", (int)op);
}

/* Fields are copied, so the lock is not held during the operation. */
bool operator_find(hn_op op, struct fold *fold)
{
    struct wire_state *state = (int)op < OPERATOR_FIRST ? NULL : enter();
    if (!state)
        return false;
    struct own_operator *own = find_operator(&state->operators, op);
    if (own) {
        fold->own = own->function;
        fold->data = own->data;
        fold->width = own->width;
        fold->ordered = !own->commutes;
    }
    leave(state);
    return own;
}

/* A local operation: no member of a group takes part. */
int hn_reduce_local(const void *in, void *inout, size_t count, hn_type type, hn_op op)
{
    struct fold fold;
    if (!hn_type_size(type) || (count > 0 && (!in || !inout)))
        return error_set(HN_EARG, "hn_reduce_local: no type, or no buffer");
    if (fold_find(op, type, &fold))
        return error_set(HN_ETYPE, "hn_reduce_local: the operator is not defined for the type");
    if (count % fold.width)
        return error_set(HN_EARG, "hn_reduce_local: %zu elements: not a multiple of %zu", count,
                         fold.width);
    /* The operand `in` is the left one, as in MPI_Reduce_local. */
    fold_apply(&fold, inout, in, count, true);
    return HN_OK;
}
