/* error.h - the calling thread's last error in words. */
#pragma once

#include "hnow.h"

/* Stores the formatted text as the calling thread's last error and returns code, so that a failing
 * function ends with `return error_set(HN_EARG, ...)`. */
__attribute__((format(printf, 2, 3))) int error_set(int code, const char *format, ...);

/* Bytes: five lines of a terminal.  Longer texts are cut. */
enum { ERROR_TEXT = 512 };

/* From now on the calling thread's texts go to `text`, of ERROR_TEXT bytes (NULL: to its own place
 * again); returns where they went before.  For what a thread does besides, inside of a call whose
 * own error must stay. */
char *error_redirect(char *text);

/* Ends the calling function with HN_EARG, and its own name and the argument's as the text, where
 * that is NULL: for what is never meaningful so. */
#define REFUSE_NULL(argument)                                                                      \
    do {                                                                                           \
        if (!(argument))                                                                           \
            return error_set(HN_EARG, "%s: " #argument " is NULL", __func__);                      \
    } while (0)
