/* mpi_operator.h - operators of reductions.
 *
 * MPI 4.1, 6.9. An operator is bound to a type for each operation: hnow sees elements of its own
 * type and either computes itself or calls back.
 */
#pragma once

#include "hnow_coll.h"
#include "object/mpi_error.h"

struct mpi_type;

struct mpi_op;

/* Applies an operator to n elements in the program's layout. Registered by the C++ bindings of
 * other libraries. */
typedef void op_caller(const struct mpi_op *op, void *in, void *inout, int n, MPI_Datatype type);

/* Exactly one of `function` and `function_c` is set for the program's operators, none for
 * predefined ones. Referenced by requests, so that a program may free it during an operation (MPI
 * 4.1, 6.9.5). */
struct mpi_op {
    struct object object;
    int commutes;
    int hn; /* the hn_op of a predefined operator; OP_NONE: not for reductions */
    /* The form with int counts, and that with MPI_Count. */
    MPI_User_function *function;
    MPI_User_function_c *function_c;
    op_caller *caller;    /* calls the function for another library; NULL: it is called directly */
    void (*behind)(void); /* that library's argument for the caller */
    bool fortran;         /* the function takes Fortran's handle of the datatype */
};
enum { OP_NONE = -1 };

/* Once, before any operator is used. */
void operator_setup(void);
OBJECT_OF(op, MPI_Op, OBJECT_OP)

/* Combines n packed elements in native format; result is one of the operands. */
struct op_use;
/* left op right: the order matters for operators that do not commute. */
typedef void combiner(const struct op_use *use, const void *left, const void *right, void *result,
                      size_t n);

/* An operator bound to a type, for the duration of an operation. Lives in a struct collective, and
 * must not move, because hnow passes its address to combine_operands(). */
struct op_use {
    struct mpi_op *op;
    struct mpi_type *type;
    combiner *combine; /* called by the hn_op made by hn_op_new() */
    hn_op hn;
    hn_type unit; /* hnow's type of the elements */
    bool made;    /* hn was made by hn_op_new() */
};
/* Binds an operator to a type. Returns MPI_SUCCESS, or the code of error_on() if the operator is
 * not defined for the type. *use must not move until operator_end(). */
int operator_begin(struct op_use *use, MPI_Op op, struct mpi_type *t, struct mpi_comm *c,
                   const char *call);
/* Also valid if operator_begin() has failed. */
void operator_end(struct op_use *use);
/* True if a predefined operator is defined for a type. */
bool operator_fits(const struct mpi_op *op, const struct mpi_type *t);
