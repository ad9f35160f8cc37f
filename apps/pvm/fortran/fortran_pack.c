/* fortran_pack.c - pvmfpack() and pvmfunpack(), whose argument selects the type.
 *
 * A STRING has no length in the message: its length is that which the caller passes.
 *
 * A complex number is a pair of reals in both languages, so no element is converted. The stride
 * counts elements, and complex numbers count as one.
 */
#include "fortran.h"

/* Unsigned types have no names in Fortran. */
#define TYPES(X, way)                                                                              \
    X(way, PVM_STR, byte)                                                                          \
    X(way, PVM_BYTE, byte)                                                                         \
    X(way, PVM_SHORT, short)                                                                       \
    X(way, PVM_INT, int)                                                                           \
    X(way, PVM_LONG, long)                                                                         \
    X(way, PVM_FLOAT, float)                                                                       \
    X(way, PVM_DOUBLE, double)                                                                     \
    X(way, PVM_CPLX, cplx)                                                                         \
    X(way, PVM_DCPLX, dcplx)

#define CASE(way, type, name)                                                                      \
    case type:                                                                                     \
        return pvm_##way##name(data, count, stride);

/* Defines pk() and upk(), which call pvm_pkint() etc., and pvm_upkint() etc. */
#define MOVER(way)                                                                                 \
    static int way(int datatype, void *data, int count, int stride)                                \
    {                                                                                              \
        switch (datatype) {                                                                        \
            TYPES(CASE, way)                                                                       \
        default:                                                                                   \
            return PvmBadParam;                                                                    \
        }                                                                                          \
    }
MOVER(pk)
MOVER(upk)

/* `what` selects the type; the other arguments are as in C. */
SUBROUTINE(pvmfpack, const int *what, void *data, const int *count, const int *stride, int *info)
{
    *info = pk(fortran_datatype(*what), data, *count, *stride);
}

/* PvmBadParam: there is no such type. */
SUBROUTINE(pvmfunpack, const int *what, void *data, const int *count, const int *stride, int *info)
{
    *info = upk(fortran_datatype(*what), data, *count, *stride);
}
