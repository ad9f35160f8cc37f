/* fortran_collective.c - pvmfreduce(), pvmfgather(), pvmfscatter(), and PVM's functions for the
 * first.
 *
 * Data are not to be text: its length would stand where that of the group's name does.  Bytes are
 * integer*1.
 */
#include "fortran.h"

typedef void reduction(int *type, void *x, void *y, int *count, int *info);

/* A program hands them to pvmfreduce(), and may call them itself. */
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

/* libhnowpvm knows of its own functions that they take each element by itself. */
static reduction *function_of(reduction *function)
{
#define X(fortran, c)                                                                              \
    if (function == fortran##_)                                                                    \
        return c;
    OPERATORS(X)
#undef X
    return function;
}

SUBROUTINE(pvmfreduce, reduction *function, void *data, const int *count, const int *what,
           const int *tag, const char *group, const int *root, int *info, size_t length)
{
    char *name = TEXT(group, length);

    *info =
        pvm_reduce(function_of(function), data, *count, fortran_datatype(*what), *tag, name, *root);
}

SUBROUTINE(pvmfgather, void *result, void *data, const int *count, const int *what, const int *tag,
           const char *group, const int *root, int *info, size_t length)
{
    char *name = TEXT(group, length);

    *info = pvm_gather(result, data, *count, fortran_datatype(*what), *tag, name, *root);
}

SUBROUTINE(pvmfscatter, void *result, void *data, const int *count, const int *what, const int *tag,
           const char *group, const int *root, int *info, size_t length)
{
    char *name = TEXT(group, length);

    *info = pvm_scatter(result, data, *count, fortran_datatype(*what), *tag, name, *root);
}
