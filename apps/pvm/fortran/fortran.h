/* fortran.h - gfortran's calling convention for libhnowfpvm.
 *
 * A name is in lower case, with an underscore appended.  Every argument is an address.  The lengths
 * of character arguments follow all arguments, in their order.  Data that happen to be characters
 * have a length there, too, which is ignored.  Character data is padded with blanks, without a
 * terminating zero.
 *
 * Integers are default integers, which are an int.
 */
#pragma once

#include "pvm3.h"

#include <stddef.h>
#include <string.h>

/* Declares and defines a subroutine. */
#define SUBROUTINE(name, ...)                                                                      \
    HNOW_PVM_API void name##_(__VA_ARGS__);                                                        \
    void name##_(__VA_ARGS__)

/* A character argument as a C string without trailing blanks, valid until the function returns. The
 * text is on the stack: it has no limit but that of the stack. */
#define TEXT(text, length) strndupa(text, fortran_length(text, length))

/* Returns the length without trailing blanks (strings.c). */
size_t fortran_length(const char *text, size_t length);
/* Copies a C string to a character variable, padded with blanks or truncated. */
void fortran_fill(char *text, size_t length, const char *from);

/* The result of calls that list one item at a time (tasks, hosts): PVM's manual says 0, its library
 * returns 1.  A count of -1 from the caller restarts the list. */
#define FORTRAN_LISTED 1

/* Maps INTEGER4 etc. to PVM_INT etc. of pvm3.h, which have the same numbers.  If long is shorter,
 * no C type known to PVM has the size of INTEGER8. */
static inline int fortran_datatype(int what)
{
    return what == PVM_LONG && sizeof(long) < 8 ? -1 : what;
}
