/* error.c - error codes and texts: one table (HN_ERRORS in hnow.h), one text for each thread.
 *
 * Texts are limited to ERROR_TEXT bytes, so that an error can be reported when memory has run
 * out.
 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char own_text[ERROR_TEXT];
static _Thread_local char *elsewhere; /* redirected buffer; NULL: own_text */

static char *last_text(void)
{
    return elsewhere ? elsewhere : own_text;
}

/* NULL restores the thread's own text.  The buffer has ERROR_TEXT bytes. */
char *error_redirect(char *text)
{
    char *before = elsewhere;

    elsewhere = text;
    return before;
}

/* Replaces the second half of a truncated text by the end of the whole text, since errors end with
 * what to do.  Without memory the text stays truncated. */
__attribute__((format(printf, 2, 0))) static void keep_end(char *text, const char *format,
                                                           va_list args)
{
    static const char gap[] = " ... ";
    char *middle = text + ERROR_TEXT / 2, *whole = NULL;
    int length = vasprintf(&whole, format, args);

    if (length >= ERROR_TEXT) {
        size_t room = (size_t)(text + ERROR_TEXT - middle) - strlen(gap);
        memcpy(stpcpy(middle, gap), whole + length + 1 - room, room);
    }
    if (length >= 0)
        free(whole);
}

/* The arguments must not refer to the present text: it is overwritten while they are formatted. */
int error_set(int code, const char *format, ...)
{
    va_list args, again;
    char *text = last_text();

    va_start(args, format);
    va_copy(again, args);
    if (vsnprintf(text, ERROR_TEXT, format, args) >= ERROR_TEXT)
        keep_end(text, format, again);
    va_end(again);
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
