/* error.c - error codes and texts: one table (HN_ERRORS in hnow.h), one text for each thread. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char own_text[ERROR_TEXT];
static _Thread_local char *elsewhere; /* redirected buffer; NULL: own_text */

static char *last_text(void)
{
    return elsewhere ? elsewhere : own_text;
}

char *error_redirect(char *text)
{
    char *before = elsewhere;

    elsewhere = text;
    return before;
}

int error_set(int code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(last_text(), ERROR_TEXT, format, args);
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
    return last_text();
}
