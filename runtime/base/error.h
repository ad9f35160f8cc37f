/* error.h - the error text of the calling thread. */
#pragma once

#include "hnow.h"

/* Stores the formatted text as the calling thread's last error and returns code, so that a failing
 * function can end with `return error_set(HN_EARG, ...)`. */
__attribute__((format(printf, 2, 3))) int error_set(int code, const char *format, ...);

/* Bytes: five lines of a terminal.  Longer texts lose their middle. */
enum { ERROR_TEXT = 512 };

/* Redirects the calling thread's error texts to `text`, of ERROR_TEXT bytes (NULL: back to its own
 * buffer).  Returns the previous destination.  For internal work during a call whose own error text
 * must be kept. */
char *error_redirect(char *text);

/* If the argument is NULL, returns HN_EARG from the calling function, with a text that names the
 * function and the argument. */
#define REFUSE_NULL(argument)                                                                      \
    do {                                                                                           \
        if (!(argument))                                                                           \
            return error_set(HN_EARG, "%s: " #argument " is NULL", __func__);                      \
    } while (0)
