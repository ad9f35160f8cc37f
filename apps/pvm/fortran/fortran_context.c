/* fortran_context.c - message contexts.
 *
 * Each subroutine is a call of C with its result as the last argument. Contexts are numbers,
 * which a Fortran program may send to one in C.
 */
#include "fortran.h"

/* The new context is not current. */
SUBROUTINE(pvmfnewcontext, int *context)
{
    *context = pvm_newcontext();
}

/* before is the previous context, or an error. */
SUBROUTINE(pvmfsetcontext, const int *context, int *before)
{
    *before = pvm_setcontext(*context);
}

/* The context in which the next message is sent or received. */
SUBROUTINE(pvmfgetcontext, int *context)
{
    *context = pvm_getcontext();
}

/* PvmNotFound: the task has not made this context, or has freed it. */
SUBROUTINE(pvmffreecontext, const int *context, int *info)
{
    *info = pvm_freecontext(*context);
}
