/* fortran_handler.c - functions of the program that are called for messages.
 *
 * PVM's manual has none of this for Fortran, its library has: there is an argument that nobody
 * looks at, and the function gets the number of the message's buffer as C gives it, `integer,
 * value`.
 */
#include "fortran.h"

SUBROUTINE(pvmfaddmhf, const int *tid, const int *tag, const int *context, const void *nothing,
           int (*function)(int), int *handler)
{
    (void)nothing;
    *handler = pvm_addmhf(*tid, *tag, *context, function);
}

SUBROUTINE(pvmfdelmhf, const int *handler, int *info)
{
    *info = pvm_delmhf(*handler);
}
