/* fail.c - error messages (fail.h), also for programs of peers, which do not use hnow. The
 * prefix is the same for programs of peers, whose output hbench reads: their last line is shown
 * if they fail. */
#include "fail.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool fail(const char *what, const char *why)
{
    fprintf(stderr, "hbench: %s: %s\n", what, why);
    return false;
}

/* errno must be that of the failed call: nothing else may be called in between. */
bool fail_system(const char *what)
{
    return fail(what, strerror(errno));
}
