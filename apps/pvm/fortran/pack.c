/* pack.c - pvmfpack() and pvmfunpack(), which know the type of what they move by a number.
 *
 * STRING has no length of its own on the way: it is as many bytes as the caller says.
 */
#include "fortran.h"

#define TYPES(X)                                                                                   \
    X(PVM_STR, byte)                                                                               \
    X(PVM_BYTE, byte)                                                                              \
    X(PVM_SHORT, short)                                                                            \
    X(PVM_INT, int)                                                                                \
    X(PVM_LONG, long)                                                                              \
    X(PVM_FLOAT, float)                                                                            \
    X(PVM_DOUBLE, double)                                                                          \
    X(PVM_CPLX, cplx)                                                                              \
    X(PVM_DCPLX, dcplx)

static int pack(int datatype, void *data, int count, int stride)
{
#define X(type, name)                                                                              \
    case type:                                                                                     \
        return pvm_pk##name(data, count, stride);
    switch (datatype) {
        TYPES(X)
    default:
        return PvmBadParam;
    }
#undef X
}

static int unpack(int datatype, void *data, int count, int stride)
{
#define X(type, name)                                                                              \
    case type:                                                                                     \
        return pvm_upk##name(data, count, stride);
    switch (datatype) {
        TYPES(X)
    default:
        return PvmBadParam;
    }
#undef X
}

SUBROUTINE(pvmfpack, const int *what, void *data, const int *count, const int *stride, int *info)
{
    *info = pack(fortran_datatype(*what), data, *count, *stride);
}

SUBROUTINE(pvmfunpack, const int *what, void *data, const int *count, const int *stride, int *info)
{
    *info = unpack(fortran_datatype(*what), data, *count, *stride);
}
