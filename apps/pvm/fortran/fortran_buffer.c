/* fortran_buffer.c - message buffers: numbers and properties.
 *
 * A result of C becomes an argument, in most subroutines the last one. Buffers are numbers in
 * Fortran, too, and belong to the thread as in C (pvm_buffer.c).
 *
 * pvm_getminfo() and the calls of wait ids have no subroutines here.
 */
#include "fortran.h"

/* encoding is PvmDataDefault and so on. buffer is the number of the new send buffer, or an
 * error. */
SUBROUTINE(pvmfinitsend, const int *encoding, int *buffer)
{
    *buffer = pvm_initsend(*encoding);
}

/* The new buffer is not current. */
SUBROUTINE(pvmfmkbuf, const int *encoding, int *buffer)
{
    *buffer = pvm_mkbuf(*encoding);
}

/* info is PvmOk, or an error. */
SUBROUTINE(pvmffreebuf, const int *buffer, int *info)
{
    *info = pvm_freebuf(*buffer);
}

/* buffer 0: there is no current one. It is the number of a thread's own buffer. */
SUBROUTINE(pvmfgetsbuf, int *buffer)
{
    *buffer = pvm_getsbuf();
}

/* The buffer of the last message received, unless the program has changed that. */
SUBROUTINE(pvmfgetrbuf, int *buffer)
{
    *buffer = pvm_getrbuf();
}

/* before is the number of the previous buffer, 0 if there was none, or an error. */
SUBROUTINE(pvmfsetsbuf, const int *buffer, int *before)
{
    *before = pvm_setsbuf(*buffer);
}

/* To receive another message and to return to this one, a program sets 0 first. */
SUBROUTINE(pvmfsetrbuf, const int *buffer, int *before)
{
    *before = pvm_setrbuf(*buffer);
}

/* No argument can be left out, unlike in C. */
SUBROUTINE(pvmfbufinfo, const int *buffer, int *bytes, int *tag, int *tid, int *info)
{
    *info = pvm_bufinfo(*buffer, bytes, tag, tid);
}
