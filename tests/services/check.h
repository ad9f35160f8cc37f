/* check.h - what must be true in a task of a test: else it says so and ends with status 1. */
#pragma once

#include "hnow.h"

#include <stdio.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: task %d: %s is false (%s)\n", __FILE__, __LINE__, hn_mytid(),  \
                    #condition, hn_error_text());                                                  \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)
