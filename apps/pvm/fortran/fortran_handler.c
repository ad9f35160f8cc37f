/* fortran_handler.c - message handlers.
 *
 * PVM's manual does not document these for Fortran, but its library has them. There is an unused
 * argument, and the function gets the number of the message's buffer by value, as in C (`integer,
 * value`).
 */
#include "fortran.h"

SUBROUTINE(pvmfaddmhf, const int *tid, const int *tag, const int *context, const void *nothing,
           int (*function)(int), int *handler)
{
    (void)nothing;
    *handler = pvm_addmhf(*tid, *tag, *context, function);
}

/* The handler's number is that of pvmfaddmhf(). PvmNotFound: it was removed before. */
SUBROUTINE(pvmfdelmhf, const int *handler, int *info)
{
    *info = pvm_delmhf(*handler);
}
