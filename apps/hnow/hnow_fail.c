/* hnow_fail.c - how the console reports errors; see hnow_verbs.h. */
#include "hnow_verbs.h"

#include <stdio.h>

int hnow_fail(const char *why)
{
    fprintf(stderr, "hnow: %s\n", why);
    return 2;
}
