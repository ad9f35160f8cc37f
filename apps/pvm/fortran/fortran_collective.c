/* fortran_collective.c - pvmfreduce(), pvmfgather(), pvmfscatter(), and PVM's reduction functions.
 *
 * Data must not be characters: their length argument would precede that of the group's name.  Bytes
 * are integer*1.
 *
 * Members of one group may be programs in C and in Fortran: their messages are the same.
 */
#include "fortran.h"

typedef void reduction(int *type, void *x, void *y, int *count, int *info);

/* A program passes them to pvmfreduce(), and may call them directly. */
#define OPERATORS(X)                                                                               \
    X(pvmmax, PvmMax)                                                                              \
    X(pvmmin, PvmMin)                                                                              \
    X(pvmsum, PvmSum)                                                                              \
    X(pvmproduct, PvmProduct)

#define X(fortran, c)                                                                              \
    SUBROUTINE(fortran, int *type, void *x, void *y, int *count, int *info)                        \
    {                                                                                              \
        c(type, x, y, count, info);                                                                \
    }
OPERATORS(X)
#undef X

/* libhnowpvm knows that its own functions work element by element. */
static reduction *function_of(reduction *function)
{
#define X(fortran, c)                                                                              \
    if (function == fortran##_)                                                                    \
        return c;
    OPERATORS(X)
#undef X
    return function;
}

/* The function may be one of the program's, in Fortran. It gets five addresses, in the order of
 * PvmMax(). */
SUBROUTINE(pvmfreduce, reduction *function, void *data, const int *count, const int *what,
           const int *tag, const char *group, const int *root, int *info, size_t length)
{
    char *name = TEXT(group, length);

    *info =
        pvm_reduce(function_of(function), data, *count, fortran_datatype(*what), *tag, name, *root);
}

/* The order of arguments is that of C. root is an instance. result is written at the root only. */
SUBROUTINE(pvmfgather, void *result, void *data, const int *count, const int *what, const int *tag,
           const char *group, const int *root, int *info, size_t length)
{
    char *name = TEXT(group, length);

    *info = pvm_gather(result, data, *count, fortran_datatype(*what), *tag, name, *root);
}

/* result is needed at all members, data at the root only. */
SUBROUTINE(pvmfscatter, void *result, void *data, const int *count, const int *what, const int *tag,
           const char *group, const int *root, int *info, size_t length)
{
    char *name = TEXT(group, length);

    *info = pvm_scatter(result, data, *count, fortran_datatype(*what), *tag, name, *root);
}
