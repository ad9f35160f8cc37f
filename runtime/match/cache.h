/* cache.h - asking for a line of the cache, to write to it, before it is needed. */
#pragma once

/* Compilers for x86-64 ask for it to be read unless an option says that every processor has
 * this instruction; those that do not have it take it for a no-op. */
static inline void cache_fetch_to_write(const void *line)
{
#ifdef __x86_64__
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}
