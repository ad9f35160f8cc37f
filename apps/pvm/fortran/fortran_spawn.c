/* fortran_spawn.c - spawning tasks, and redirecting their output.
 *
 * The flags are those of C. A result below the requested count is no error: the array then ends
 * with as many errors.
 */
#include "fortran.h"

/* PVM's Fortran interface has no program arguments. A `where` of "*" means no place. Blanks
 * within a name are part of it. */
SUBROUTINE(pvmfspawn, const char *task, const int *flags, const char *where, const int *count,
           int *tids, int *started, size_t task_length, size_t where_length)
{
    char *program = TEXT(task, task_length), *place = TEXT(where, where_length);

    *started = pvm_spawn(program, NULL, *flags, strcmp(place, "*") ? place : "", *count, tids);
}

/* Output goes to C's stdout, while a Fortran unit has a buffer of its own. */
SUBROUTINE(pvmfcatchout, const int *on, int *info)
{
    *info = pvm_catchout(*on ? stdout : NULL);
}
