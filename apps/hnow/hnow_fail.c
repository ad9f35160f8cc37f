/* hnow_fail.c - prints the console's errors; see hnow_verbs.h. */
#include "hnow_verbs.h"

#include <stdio.h>

int hnow_fail(const char *why)
{
    fprintf(stderr, "hnow: %s\n", why);
    return 2;
}
