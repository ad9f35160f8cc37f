/* cache.h - prefetches a cache line for writing. */
#pragma once

/* For x86-64, compilers use a prefetch for reading unless an option names processors with this
 * instruction.  Processors without it execute it as a no-op. */
static inline void cache_fetch_to_write(const void *line)
{
#ifdef __x86_64__
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}
