/* fortran_buffer.c - message buffers: numbers and properties. */
#include "fortran.h"

SUBROUTINE(pvmfinitsend, const int *encoding, int *buffer)
{
    *buffer = pvm_initsend(*encoding);
}

SUBROUTINE(pvmfmkbuf, const int *encoding, int *buffer)
{
    *buffer = pvm_mkbuf(*encoding);
}

SUBROUTINE(pvmffreebuf, const int *buffer, int *info)
{
    *info = pvm_freebuf(*buffer);
}

SUBROUTINE(pvmfgetsbuf, int *buffer)
{
    *buffer = pvm_getsbuf();
}

SUBROUTINE(pvmfgetrbuf, int *buffer)
{
    *buffer = pvm_getrbuf();
}

SUBROUTINE(pvmfsetsbuf, const int *buffer, int *before)
{
    *before = pvm_setsbuf(*buffer);
}

SUBROUTINE(pvmfsetrbuf, const int *buffer, int *before)
{
    *before = pvm_setrbuf(*buffer);
}

SUBROUTINE(pvmfbufinfo, const int *buffer, int *bytes, int *tag, int *tid, int *info)
{
    *info = pvm_bufinfo(*buffer, bytes, tag, tid);
}
