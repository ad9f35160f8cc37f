/* fortran.h - how gfortran calls what libhnowfpvm has.
 *
 * The name is in lower case, with an underscore behind it.  Every argument comes as an address;
 * behind all of them come the lengths of those that are text, in their order.  Data that happen to
 * be text have a length there, too, which nobody looks at.  Text has blanks up to its end and no
 * zero byte behind it.
 */
#pragma once

#include "pvm3.h"

#include <stddef.h>
#include <string.h>

/* A subroutine: declared, as nobody else does it, and what its body follows. */
#define SUBROUTINE(name, ...)                                                                      \
    HNOW_PVM_API void name##_(__VA_ARGS__);                                                        \
    void name##_(__VA_ARGS__)

/* Text of the program's as C has it, without the blanks at its end, until the function returns. */
#define TEXT(text, length) strndupa(text, fortran_length(text, length))

/* The length without the blanks at the end (text.c). */
size_t fortran_length(const char *text, size_t length);
/* Fills text of the program's; what is too long is cut off. */
void fortran_fill(char *text, size_t length, const char *from);

/* What is to be seen one call at a time (tasks, hosts) comes with this: PVM's manual says 0, its
 * library 1.  Who says there are -1 begins again. */
#define FORTRAN_LISTED 1

/* INTEGER4 and the like as pvm3.h's PVM_INT and the like, which are the same numbers.  No type of
 * C's that PVM knows has the size of INTEGER8 where long is shorter. */
static inline int fortran_datatype(int what)
{
    return what == PVM_LONG && sizeof(long) < 8 ? -1 : what;
}
