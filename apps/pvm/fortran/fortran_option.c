/* fortran_option.c - options, the text of errors, and waiting. */
#include "fortran.h"

int pvmsleep(int seconds); /* of libhnowpvm; PVM's header does not tell of it, nor does ours */

SUBROUTINE(pvmfsetopt, const int *what, const int *value, int *before)
{
    *before = pvm_setopt(*what, *value);
}

SUBROUTINE(pvmfgetopt, const int *what, int *value)
{
    *value = pvm_getopt(*what);
}

SUBROUTINE(pvmfperror, const char *text, int *info, size_t length)
{
    char *words = TEXT(text, length);

    *info = pvm_perror(words);
}

SUBROUTINE(pvmfsleep, const int *seconds)
{
    pvmsleep(*seconds);
}
