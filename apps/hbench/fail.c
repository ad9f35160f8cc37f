/* fail.c - error messages (fail.h), also for programs of peers, which do not use hnow. */
#include "fail.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool fail(const char *what, const char *why)
{
    fprintf(stderr, "hbench: %s: %s\n", what, why);
    return false;
}

bool fail_system(const char *what)
{
    return fail(what, strerror(errno));
}
