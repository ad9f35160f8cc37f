/* fortran_notify.c - notifications about tasks and hosts.
 *
 * The messages are those of C. A program unpacks the tids as INTEGER4.
 */
#include "fortran.h"

/* For PvmHostAdd, tids is not read, and count is the number of notifications. */
SUBROUTINE(pvmfnotify, const int *what, const int *tag, const int *count, int *tids, int *info)
{
    *info = pvm_notify(*what, *tag, *count, tids);
}
