/* mpi_operator.h - operators of reductions. */
#pragma once

#include "hnow_coll.h"
#include "object/mpi_error.h"

struct mpi_type;

struct mpi_op;

/* Applies an operator to n elements that lie in memory as in the program. */
typedef void op_caller(const struct mpi_op *op, void *in, void *inout, int n, MPI_Datatype type);

struct mpi_op {
    struct object object;
    int commutes;
    int hn; /* of one of MPI's own: hn_op; OP_NONE: not for reductions */
    MPI_User_function *function;
    MPI_User_function_c *function_c;
    op_caller *caller;    /* calls it for another library; NULL: it is called directly */
    void (*behind)(void); /* what the library has given for that */
    bool fortran;         /* the function takes its datatype as Fortran has it */
};
enum { OP_NONE = -1 };

void operator_setup(void);
OBJECT_OF(op, MPI_Op, OBJECT_OP)

/* Combines n packed elements, in this machine's form; the result is one of the operands. */
struct op_use;
typedef void combiner(const struct op_use *use, const void *left, const void *right, void *result,
                      size_t n);

/* An operator with elements of a type, for as long as an operation lasts. */
struct op_use {
    struct mpi_op *op;
    struct mpi_type *type;
    combiner *combine; /* with hn made by hn_op_new() */
    hn_op hn;
    hn_type unit; /* of the elements, as hnow's operation gets them */
    bool made;    /* by hn_op_new() */
};
/* MPI_SUCCESS, or what error_on() has said: the operator means nothing for the type.  *use stays
 * where it is until operator_end(). */
int operator_begin(struct op_use *use, MPI_Op op, struct mpi_type *t, struct mpi_comm *c,
                   const char *call);
void operator_end(struct op_use *use);
