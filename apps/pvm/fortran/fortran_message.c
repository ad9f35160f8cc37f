/* fortran_message.c - sending and receiving messages. */
#include "fortran.h"

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

SUBROUTINE(pvmfprobe, const int *tid, const int *tag, int *buffer)
{
    *buffer = pvm_probe(*tid, *tag);
}

SUBROUTINE(pvmfprecv, const int *tid, const int *tag, void *data, const int *count, const int *what,
           int *from, int *from_tag, int *bytes, int *info)
{
    *info = pvm_precv(*tid, *tag, data, *count, fortran_datatype(*what), from, from_tag, bytes);
}
