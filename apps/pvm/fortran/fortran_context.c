/* fortran_context.c - message contexts. */
#include "fortran.h"

SUBROUTINE(pvmfnewcontext, int *context)
{
    *context = pvm_newcontext();
}

SUBROUTINE(pvmfsetcontext, const int *context, int *before)
{
    *before = pvm_setcontext(*context);
}

SUBROUTINE(pvmfgetcontext, int *context)
{
    *context = pvm_getcontext();
}

SUBROUTINE(pvmffreecontext, const int *context, int *info)
{
    *info = pvm_freecontext(*context);
}
