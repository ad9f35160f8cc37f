/* loop_memory.h - memory for the event loop when the system has none. */
#pragma once

/* libev ends the program when it gets no memory for its tables.  From now on it gets some of a
 * reserve of this process instead, so that the call that needs memory can fail by itself.  Must be
 * called before the first loop is made.  A program that has given libev an allocator of its own
 * must do so after hn_enrol(), with one that takes blocks of realloc(). */
void loop_memory_init(void);
