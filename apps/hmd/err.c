/* err.c - see err.h. */
#include "err.h"

#include <stdarg.h>
#include <stdio.h>

int err_set(struct err *e, int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    e->status = status;
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    for (char *p = e->text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 127)
            *p = '?';
    return status;
}
