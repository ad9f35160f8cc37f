/* fail.c - error lines (fail.h). */
#include "fail.h"

#include "hnow.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool fail(const char *what, const char *why)
{
    fprintf(stderr, "hbench: %s: %s\n", what, why);
    return false;
}

bool fail_hn(const char *what)
{
    return fail(what, hn_error_text());
}

bool fail_system(const char *what)
{
    return fail(what, strerror(errno));
}
