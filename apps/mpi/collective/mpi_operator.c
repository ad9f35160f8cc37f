/* mpi_operator.c - operators of reductions (mpi_operator.h).
 *
 * Predefined operators are hnow's if the elements are of one type of hnow.  All others, including
 * MPI_MINLOC on pairs of a number and an int, are functions that hnow calls with packed elements.
 *
 * Operators of a program run in whichever thread drives the operation. They cannot report an error,
 * so a lack of memory ends the job.
 *
 * Three combiners have the same form: combine_pairs(), combine() for functions of the program,
 * and combine_external() around either of them. hnow calls combine_operands(), which chooses.
 * The lengths that hnow passes are multiples of one element, as hn_op_new() was told the width.
 */
#include "collective/mpi_operator.h"

#include "communicator/mpi_comm.h"
#include "datatype/mpi_pack.h"
#include "collective/mpi_side.h"

#include <limits.h>
#include <stdlib.h>

/* ---- pairs ---------------------------------------------------------------------------------- */

/* The sign of a - b. memcpy() reads the values, because packed pairs are not aligned. Sizes decide:
 * long is either an int or an int64_t here. NaN compares equal to everything. */
static int compare_values(const struct mpi_basic *basic, const char *a, const char *b)
{
#define COMPARE(type)                                                                              \
    {                                                                                              \
        type x, y;                                                                                 \
        memcpy(&x, a, sizeof x);                                                                   \
        memcpy(&y, b, sizeof y);                                                                   \
        return (x > y) - (x < y);                                                                  \
    }
    if (basic->sort == 'F') {
        if (basic->size == sizeof(float))
            COMPARE(float)
        if (basic->size == sizeof(double))
            COMPARE(double)
        COMPARE(long double)
    }
    if (basic->size == sizeof(short))
        COMPARE(short)
    if (basic->size == sizeof(int))
        COMPARE(int)
    COMPARE(int64_t)
#undef COMPARE
}

/* MPI_MINLOC and MPI_MAXLOC on packed pairs. MPI 4.1, 6.9.4: of equal values the smaller index
 * wins, for the minimum and for the maximum. `chosen` may be the result itself, which then is not
 * copied. */
static void combine_pairs(const struct op_use *use, const void *left, const void *right,
                          void *result, size_t n)
{
    const struct mpi_basic *value = use->type->units[0].basic;
    size_t size = (size_t)use->type->size;
    int sign = use->op->hn == HN_MINLOC ? 1 : -1, x, y;

    for (size_t i = 0; i < n; i++) {
        const char *a = (const char *)left + i * size, *b = (const char *)right + i * size;
        int order = sign * compare_values(value, a, b);
        /* Packed: the index follows its value without padding. */
        memcpy(&x, a + value->size, sizeof x);
        memcpy(&y, b + value->size, sizeof y);
        const char *chosen = order < 0 || (order == 0 && x <= y) ? a : b;
        if (chosen != (char *)result + i * size)
            memcpy((char *)result + i * size, chosen, size);
    }
}

/* ---- user-defined functions ----------------------------------------------------------------- */

/* Elements in the layout of the program's type: all of them, or packed ones in separate memory. */
struct elements {
    char *at; /* the first one */
    char *owned;
};

/* Returns false without memory. Packed data of a plain type is used where it is. `copy` forces
 * separate memory, because the function would overwrite an operand that is still needed. */
static bool spread(struct elements *e, const struct mpi_type *t, size_t n, const void *packed,
                   bool copy)
{
    /* Enough for positive extents; data begins at the true lower bound. */
    size_t room = n * (size_t)type_extent(t) + (size_t)(t->true_ub - t->true_lb);

    e->owned = NULL;
    e->at = (char *)packed - t->true_lb;
    if (!copy && type_is_plain(t, n))
        return true;
    e->owned = malloc(room + 1);
    if (!e->owned)
        return false;
    e->at = e->owned - t->true_lb;
    unpack_type(t, n, e->at, packed, n * (size_t)t->size);
    return true;
}

/* The number of elements fits into an int (combine()), and functions of Fortran get a handle by
 * reference. */
static void call_function(const struct op_use *use, char *in, char *inout, size_t n)
{
    MPI_Datatype handle = use->type->object.handle;
    MPI_Fint number = use->op->fortran ? PMPI_Type_c2f(handle) : 0;
    void *type = use->op->fortran ? (void *)&number : &handle;

    if (use->op->function_c)
        use->op->function_c(in, inout, &(MPI_Count){(MPI_Count)n}, type);
    else if (use->op->caller)
        use->op->caller(use->op, in, inout, (int)n, handle);
    else
        use->op->function(in, inout, &(int){(int)n}, type);
}

/* MPI computes inout = in o inout; result is one of the operands. Left operands are of lower ranks:
 * MPI 4.1, 6.9.5 evaluates in order of ranks for operators that do not commute. If the result is
 * the left operand, a commuting operator swaps the operands, which avoids a copy. */
static void combine_some(const struct op_use *use, const char *left, const char *right,
                         char *result, size_t n)
{
    const struct mpi_type *t = use->type;
    bool swapped = result == left && use->op->commutes;
    struct elements in, inout;

    if (!spread(&in, t, n, swapped ? right : left, false))
        hn_abort(1, "out of memory for an operator's operands");
    /* Copied if the function must not overwrite the left operand before it is read. */
    if (!spread(&inout, t, n, swapped ? left : right, result == left && !swapped))
        hn_abort(1, "out of memory for an operator's operands");
    call_function(use, in.at, inout.at, n);
    /* Otherwise the function has written to the result itself. */
    if (inout.owned)
        pack_type(t, n, inout.at, result);
    free(in.owned);
    free(inout.owned);
}

/* Functions of the int form get at most INT_MAX elements in a call; MPI 4.1, 6.9.5 allows to split
 * the data. */
static void combine(const struct op_use *use, const void *left, const void *right, void *result,
                    size_t n)
{
    size_t size = (size_t)use->type->size;

    for (size_t i = 0, some; i < n; i += some) {
        some = n - i < INT_MAX ? n - i : INT_MAX;
        combine_some(use, (const char *)left + i * size, (const char *)right + i * size,
                     (char *)result + i * size, some);
    }
}

/* ---- elements in external form -------------------------------------------------------------- */

/* In a job of unlike machines, operands arrive in the wire format; they are converted, combined and
 * converted back. */
static void combine_external(const struct op_use *use, const void *left, const void *right,
                             void *result, size_t n)
{
    const struct mpi_type *t = use->type;
    size_t elements = n * t->elements, size = n * (size_t)t->size;
    char *memory = malloc(2 * size);

    if (!memory)
        hn_abort(1, "out of memory for an operator's operands");
    if (!external_get(t, elements, EXTERNAL_WIRE, left, memory) ||
        !external_get(t, elements, EXTERNAL_WIRE, right, memory + size))
        hn_abort(1, "an operator's operand does not fit the C type of this machine");
    use->combine(use, memory, memory + size, memory + size, n);
    external_put(t, elements, EXTERNAL_WIRE, memory + size, result);
    free(memory);
}

/* The function that hnow calls. It counts in elements of hnow, the combiners in elements of MPI's
 * type. */
static void combine_operands(const void *left, const void *right, void *result, size_t count,
                             hn_type type, void *data)
{
    const struct op_use *use = data;
    size_t n = count * hn_type_size(type) / wire_size(use->type, 1);

    if (wire_is_external(use->type))
        combine_external(use, left, right, result, n);
    else
        use->combine(use, left, right, result, n);
}

/* ---- in use --------------------------------------------------------------------------------- */

/* `width` is the number of hnow's elements in one of MPI's type, so hnow never splits an element.
 * Any operator serves for types without data. */
static int use_function(struct op_use *use, combiner *function, struct mpi_comm *c,
                        const char *call)
{
    size_t width = wire_size(use->type, 1) / hn_type_size(use->unit);
    int result = HN_OK;

    use->combine = function;
    if (width)
        result = hn_op_new(combine_operands, use, width, use->op->commutes, &use->hn);
    if (!width) /* no data: the operator is never called */
        use->hn = HN_BOR;
    /* operator_end() must free it then. */
    use->made = width && result == HN_OK;
    return ERROR_HN(c, result, call);
}

/* MPI_CHAR is accepted as a number. */
static hn_type number_of(const struct mpi_type *t)
{
    return t == type_of(MPI_CHAR) ? HN_INT8 : t->unit;
}

/* The table of MPI 4.1, 6.9.2 is hnow's: a reduction of 0 elements asks whether it knows the
 * combination. Pairs of different types are known here only. */
bool operator_fits(const struct mpi_op *op, const struct mpi_type *t)
{
    bool pairs = op->hn == HN_MINLOC || op->hn == HN_MAXLOC;
    char none[64] = {0};

    if (op->hn == OP_NONE || !t->object.named || t->elements != (pairs ? 2 : 1))
        return false;
    return (pairs && t->unit == HN_BYTE) ||
           hn_reduce_local(none, none, 0, number_of(t), (hn_op)op->hn) == HN_OK;
}

/* The program's operators are accepted for every type, predefined ones only for predefined types
 * (MPI 4.1, 6.9.2). */
int operator_begin(struct op_use *use, MPI_Op op, struct mpi_type *t, struct mpi_comm *c,
                   const char *call)
{
    *use = (struct op_use){.op = op_of(op), .type = t, .unit = t->unit};
    if (!use->op)
        return error_on(c, MPI_ERR_OP, call,
                        op == MPI_OP_NULL ? "the operator is MPI_OP_NULL"
                                          : "not an operator, or it has been freed");
    if (!use->op->object.named)
        return use_function(use, combine, c, call);
    if (!operator_fits(use->op, t))
        return error_on(c, MPI_ERR_OP, call, "the operator means nothing for %s",
                        t->name[0] ? t->name : "a derived datatype");
    /* A pair whose parts have different types. */
    if (t->elements == 2 && t->unit == HN_BYTE)
        return use_function(use, combine_pairs, c, call);
    /* hnow computes itself, and faster than a callback could. */
    use->unit = number_of(t);
    use->hn = (hn_op)use->op->hn;
    return MPI_SUCCESS;
}

/* Not before the operation has ended: hnow calls back until then. */
void operator_end(struct op_use *use)
{
    if (use->made)
        hn_op_free(use->hn);
    use->made = false;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* A predefined operator; it cannot be freed. */
static void own(MPI_Op handle, int hn)
{
    struct mpi_op *op = object_new(OBJECT_OP);

    op->object.named = true;
    op->commutes = 1;
    op->hn = hn;
    handle_bind(op, handle);
}

/* MPI_REPLACE and MPI_NO_OP are for windows only. */
void operator_setup(void)
{
    own(MPI_SUM, HN_SUM);
    own(MPI_PROD, HN_PROD);
    own(MPI_MIN, HN_MIN);
    own(MPI_MAX, HN_MAX);
    own(MPI_LAND, HN_LAND);
    own(MPI_LOR, HN_LOR);
    own(MPI_LXOR, HN_LXOR);
    own(MPI_BAND, HN_BAND);
    own(MPI_BOR, HN_BOR);
    own(MPI_BXOR, HN_BXOR);
    own(MPI_MINLOC, HN_MINLOC);
    own(MPI_MAXLOC, HN_MAXLOC);
    own(MPI_REPLACE, OP_NONE);
    own(MPI_NO_OP, OP_NONE);
}

static int make(MPI_User_function *function, MPI_User_function_c *function_c, int commute,
                MPI_Op *op, const char *call)
{
    struct mpi_op *made;

    if ((!function && !function_c) || !op)
        return error_on(NULL, MPI_ERR_ARG, call, "no function, or no result");
    made = object_new(OBJECT_OP);
    if (!made)
        return error_on(NULL, MPI_ERR_NO_MEM, call, "too many operators");
    made->commutes = commute != 0;
    /* No operator of hnow: each use binds the function to a type. */
    made->hn = OP_NONE;
    made->function = function;
    made->function_c = function_c;
    *op = made->object.handle;
    return MPI_SUCCESS;
}

/* MPI 4.1, 6.9.5. The function is taken to be associative. */
MPI_DEFINE(int, Op_create, (MPI_User_function * function, int commute, MPI_Op *op))
{
    return make(function, NULL, commute, op, MPI_CALL);
}

/* MPI 4.1, 6.9.5. */
MPI_DEFINE(int, Op_create_c, (MPI_User_function_c * function, int commute, MPI_Op *op))
{
    return make(NULL, function, commute, op, MPI_CALL);
}

/* MPI 4.1, 6.9.5. Operations under way keep the operator. */
MPI_DEFINE(int, Op_free, (MPI_Op * op))
{
    struct mpi_op *o = op ? op_of(*op) : NULL;

    if (!o)
        return error_on(NULL, MPI_ERR_OP, MPI_CALL, "not an operator, or it has been freed");
    if (o->object.named)
        return error_on(NULL, MPI_ERR_OP, MPI_CALL, "one of MPI's own operators cannot be freed");
    object_retire(o);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}

MPI_DEFINE(int, Op_commutative, (MPI_Op op, int *commute))
{
    struct mpi_op *o = op_of(op);

    if (!o || !commute)
        return error_on(NULL, o ? MPI_ERR_ARG : MPI_ERR_OP, MPI_CALL, "no operator, or no result");
    *commute = o->commutes;
    return MPI_SUCCESS;
}

/* MPI 4.1, 6.9.7. inoutbuf = inbuf op inoutbuf. Both sides are opened like those of a collective
 * operation with one member. */
static int reduce_local(const void *in, void *inout, MPI_Count count, MPI_Datatype datatype,
                        MPI_Op op, const char *call)
{
    struct coll_side a = {.buffer = in, .count = count, .handle = datatype}, b = a;
    struct op_use use = {0};
    int error;

    b.buffer = inout;
    error = side_open(&a, 1, NULL, call);
    if (error == MPI_SUCCESS)
        error = side_open(&b, 1, NULL, call);
    if (error == MPI_SUCCESS && (a.in_place || b.in_place))
        error = error_on(NULL, MPI_ERR_BUFFER, call, "MPI_IN_PLACE is not allowed here");
    if (error == MPI_SUCCESS && side_is_same(&a, 0, &b, 0))
        error = error_on(NULL, MPI_ERR_BUFFER, call, "both buffers are the same");
    if (error == MPI_SUCCESS)
        error = operator_begin(&use, op, a.type, NULL, call);
    /* hnow computes right = left op right. */
    if (error == MPI_SUCCESS) {
        side_fill(&a);
        side_fill(&b);
        /* Runs in the calling thread, without a communicator. */
        int result = hn_reduce_local(a.data, b.data, a.n, use.unit, use.hn);
        error = ERROR_HN(NULL, result, call);
        if (error == MPI_SUCCESS)
            side_empty(&b);
    }
    operator_end(&use);
    side_close(&a);
    side_close(&b);
    return error;
}

MPI_DEFINE(int, Reduce_local,
           (const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op))
{
    return reduce_local(inbuf, inoutbuf, count, datatype, op, MPI_CALL);
}

MPI_DEFINE(int, Reduce_local_c,
           (const void *inbuf, void *inoutbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op))
{
    return reduce_local(inbuf, inoutbuf, count, datatype, op, MPI_CALL);
}
