/* pvm_check.h - what must be true in a task of the PVM tests: else it says so and ends with status
 * 1. */
#pragma once

#include <pvm3.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: t%x: %s is false\n", __FILE__, __LINE__, pvm_mytid(),          \
                    #condition);                                                                   \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

/* A test by its name. */
struct pvm_test {
    const char *name;
    void (*run)(void);
};

static inline int pvm_run(const struct pvm_test *tests, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(tests[i].name, name) == 0) {
            tests[i].run();
            CHECK(pvm_exit() == PvmOk);
            return 0;
        }
    fprintf(stderr, "no test %s\n", name);
    return 2;
}
