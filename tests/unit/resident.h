/* resident.h - the resident memory of this process, for tests of bounded memory. */
#pragma once

#include <stdio.h>

/* In KB; 0 if /proc does not tell. */
static inline long resident_kb(void)
{
    long kb = 0;
    char line[256];
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        sscanf(line, "VmRSS: %ld", &kb);
    if (f)
        fclose(f);
    return kb;
}
