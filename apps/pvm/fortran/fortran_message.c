/* fortran_message.c - sending and receiving messages.
 *
 * A task id of -1 is any task, and a tag of -1 any tag, as in C. Current buffers are those of
 * the C interface, so calls of both languages may be mixed.
 *
 * Data of pvmfpsend() and pvmfprecv() are contiguous; a section of an array is copied by the
 * compiler, before and after the call.
 */
#include "fortran.h"

/* info is PvmOk also if the task has ended. */
SUBROUTINE(pvmfsend, const int *tid, const int *tag, int *info)
{
    *info = pvm_send(*tid, *tag);
}

/* The count comes before the list, unlike in C. */
SUBROUTINE(pvmfmcast, const int *count, int *tids, const int *tag, int *info)
{
    *info = pvm_mcast(tids, *count, *tag);
}

/* what is INTEGER4, REAL8 and so on. */
SUBROUTINE(pvmfpsend, const int *tid, const int *tag, void *data, const int *count, const int *what,
           int *info)
{
    *info = pvm_psend(*tid, *tag, data, *count, fortran_datatype(*what));
}

/* buffer is the number of the message's buffer, or an error. */
SUBROUTINE(pvmfrecv, const int *tid, const int *tag, int *buffer)
{
    *buffer = pvm_recv(*tid, *tag);
}

/* buffer 0: no message. */
SUBROUTINE(pvmfnrecv, const int *tid, const int *tag, int *buffer)
{
    *buffer = pvm_nrecv(*tid, *tag);
}

/* seconds -1: no limit, like a NULL argument in C. */
SUBROUTINE(pvmftrecv, const int *tid, const int *tag, const int *seconds, const int *microseconds,
           int *buffer)
{
    struct timeval limit = {.tv_sec = *seconds, .tv_usec = *microseconds};

    *buffer = pvm_trecv(*tid, *tag, *seconds == -1 ? NULL : &limit);
}

/* buffer 0: no message has arrived. The message remains to be received. */
SUBROUTINE(pvmfprobe, const int *tid, const int *tag, int *buffer)
{
    *buffer = pvm_probe(*tid, *tag);
}

/* All four results are set, since an argument cannot be left out. bytes is the length of the
 * whole message. */
SUBROUTINE(pvmfprecv, const int *tid, const int *tag, void *data, const int *count, const int *what,
           int *from, int *from_tag, int *bytes, int *info)
{
    *info = pvm_precv(*tid, *tag, data, *count, fortran_datatype(*what), from, from_tag, bytes);
}
