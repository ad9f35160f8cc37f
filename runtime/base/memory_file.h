/* memory_file.h - files in memory that processes share. */
#pragma once

#include <stdint.h>

/* The maximum length of a file that this process may create (ulimit -f).  The kernel ends a process
 * that exceeds it with SIGXFSZ, even for files in memory. */
uint64_t memory_file_limit(void);
/* Creates a file of zeros whose length is sealed; -1: impossible. */
int memory_file(const char *name, uint64_t size);
