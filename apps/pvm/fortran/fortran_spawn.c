/* fortran_spawn.c - starting tasks, and what they print. */
#include "fortran.h"

/* Arguments for the program are nothing that PVM's Fortran has.  A place of "*" is none. */
SUBROUTINE(pvmfspawn, const char *task, const int *flags, const char *where, const int *count,
           int *tids, int *started, size_t task_length, size_t where_length)
{
    char *program = TEXT(task, task_length), *place = TEXT(where, where_length);

    *started = pvm_spawn(program, NULL, *flags, strcmp(place, "*") ? place : "", *count, tids);
}

SUBROUTINE(pvmfcatchout, const int *on, int *info)
{
    *info = pvm_catchout(*on ? stdout : NULL);
}
