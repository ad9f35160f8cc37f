/* memory_file.h - files in memory, which processes share. */
#pragma once

#include <stdint.h>

/* The longest file that this process may make (ulimit -f): the kernel would end a process that
 * makes a longer one by SIGXFSZ, also in memory. */
uint64_t memory_file_limit(void);
/* A file of zeros whose length nobody can change; -1: it cannot be had. */
int memory_file(const char *name, uint64_t size);
