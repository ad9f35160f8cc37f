/* fortran_option.c - options, error texts, and sleeping.
 *
 * Options and their values are those of C (pvm_option.c).
 */
#include "fortran.h"

int pvmsleep(int seconds); /* in libhnowpvm; neither PVM's header nor pvm3.h declares it */

/* before is the previous value, or an error. */
SUBROUTINE(pvmfsetopt, const int *what, const int *value, int *before)
{
    *before = pvm_setopt(*what, *value);
}

/* A negative value is an error. */
SUBROUTINE(pvmfgetopt, const int *what, int *value)
{
    *value = pvm_getopt(*what);
}

/* Prints the error of the last call that failed. */
SUBROUTINE(pvmfperror, const char *text, int *info, size_t length)
{
    char *words = TEXT(text, length);

    *info = pvm_perror(words);
}

/* Returns earlier if a signal arrives. */
SUBROUTINE(pvmfsleep, const int *seconds)
{
    pvmsleep(*seconds);
}
