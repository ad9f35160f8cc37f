/* file_of.h - what the harnesses of hplan's readers share: bytes as a file that a reader opens by
 * its name. */
#pragma once

#include "apps/hplan/hplan.h"

#include "hnow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void demand(bool holds)
{
    if (!holds)
        abort();
}

/* The name of a file with these bytes; there is one at a time. */
static inline const char *file_of(const uint8_t *data, size_t size)
{
    static char path[32];
    static int file = -1;
    if (file < 0)
        file = memfd_create("fuzz", 0);
    demand(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return path;
}

static const char four_hosts[] =
    "@network version=5\n"
    "* send_us=1 recv_us=2\na\nb\nc\nd\n"
    "@subnet s medium=switch latency_us=9 ns_per_byte=8 hosts=a,b,c,d\n";
