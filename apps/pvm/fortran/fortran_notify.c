/* fortran_notify.c - notifications about tasks and hosts. */
#include "fortran.h"

SUBROUTINE(pvmfnotify, const int *what, const int *tag, const int *count, int *tids, int *info)
{
    *info = pvm_notify(*what, *tag, *count, tids);
}
