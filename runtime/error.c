/* error.c - error codes and texts: one table (HN_ERRORS in hnow.h), one text a thread. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_text[512];

int error_set(int code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(last_text, sizeof last_text, format, args);
    va_end(args);
    return code;
}

const char *hn_strerror(int code)
{
    switch (code) {
#define X(name, number, text)                                                                      \
    case number:                                                                                   \
        return text;
        HN_ERRORS(X)
#undef X
    default:
        return "not an hnow error code";
    }
}

const char *hn_error_text(void)
{
    return last_text;
}
