/* loop_memory.h - memory for the event loop when the system has none left. */
#pragma once

/* libev ends the program if it gets no memory for its tables.  After this call it gets memory from
 * a reserve of this process instead, so that the call that needs memory can return an error.  Must
 * be called before the first loop is made.  A program that sets its own libev allocator must do so
 * after hn_enrol(), and the allocator must accept blocks of realloc(). */
void loop_memory_init(void);
