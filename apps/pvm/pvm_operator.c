/* pvm_operator.c - PvmMax(), PvmMin(), PvmSum(), PvmProduct(): combine y into x, element by
 * element.
 *
 * The greater of two complex numbers is that with the greater modulus.
 *
 * For characters the numbers are compared as signed ones. Texts and bytes can be compared, but not
 * added: PvmBadParam. In PvmMax() and PvmMin(), a NaN in y does not replace x.
 *
 * The result overwrites x. Sums and products of short types wrap at their own size. Moduli are
 * compared in double precision.
 */
#include "vm.h"

#include <complex.h>

#define INTEGERS(X)                                                                                \
    X(PVM_SHORT, short)                                                                            \
    X(PVM_INT, int)                                                                                \
    X(PVM_LONG, long)                                                                              \
    X(PVM_USHORT, unsigned short)                                                                  \
    X(PVM_UINT, unsigned int)                                                                      \
    X(PVM_ULONG, unsigned long)
#define REALS(X)                                                                                   \
    X(PVM_FLOAT, float)                                                                            \
    X(PVM_DOUBLE, double)
#define COMPLEXES(X)                                                                               \
    X(PVM_CPLX, float complex)                                                                     \
    X(PVM_DCPLX, double complex)
#define BYTES(X)                                                                                   \
    X(PVM_STR, signed char)                                                                        \
    X(PVM_BYTE, signed char)

#define GREATER(a, b)     ((b) > (a) ? (b) : (a))
#define LESS(a, b)        ((b) < (a) ? (b) : (a))
#define SUM(a, b)         ((a) + (b))
#define PRODUCT(a, b)     ((a) * (b))
#define GREATER_ABS(a, b) (cabs(b) > cabs(a) ? (b) : (a))
#define LESS_ABS(a, b)    (cabs(b) < cabs(a) ? (b) : (a))

/* One case for each type; WHAT is the operation. */
#define CASE(datatype, ctype, what)                                                                \
    case datatype:                                                                                 \
        for (int i = 0; i < *count; i++)                                                           \
            ((ctype *)x)[i] = (ctype)what(((ctype *)x)[i], ((const ctype *)y)[i]);                 \
        break;

#define CASE_GREATER(datatype, ctype)     CASE(datatype, ctype, GREATER)
#define CASE_LESS(datatype, ctype)        CASE(datatype, ctype, LESS)
#define CASE_GREATER_ABS(datatype, ctype) CASE(datatype, ctype, GREATER_ABS)
#define CASE_LESS_ABS(datatype, ctype)    CASE(datatype, ctype, LESS_ABS)
#define CASE_SUM(datatype, ctype)         CASE(datatype, ctype, SUM)
#define CASE_PRODUCT(datatype, ctype)     CASE(datatype, ctype, PRODUCT)

#define OPERATOR(name, cases)                                                                      \
    void name(int *type, void *x, void *y, int *count, int *info)                                  \
    {                                                                                              \
        *info = PvmOk;                                                                             \
        switch (*type) {                                                                           \
            cases default : *info = PvmBadParam;                                                   \
        }                                                                                          \
    }

OPERATOR(PvmMax,
         BYTES(CASE_GREATER) INTEGERS(CASE_GREATER) REALS(CASE_GREATER) COMPLEXES(CASE_GREATER_ABS))
OPERATOR(PvmMin, BYTES(CASE_LESS) INTEGERS(CASE_LESS) REALS(CASE_LESS) COMPLEXES(CASE_LESS_ABS))
OPERATOR(PvmSum, INTEGERS(CASE_SUM) REALS(CASE_SUM) COMPLEXES(CASE_SUM))
OPERATOR(PvmProduct, INTEGERS(CASE_PRODUCT) REALS(CASE_PRODUCT) COMPLEXES(CASE_PRODUCT))
