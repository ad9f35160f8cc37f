/* printed.h - a tool's standard streams: closed ones, and output that could not be written. */
#pragma once

/* To be called first in main(): opens /dev/null in place of standard streams that the caller has
 * closed.  Otherwise the next file or socket would get their descriptors, and what is printed would
 * be written there. */
void printed_begin(void);
/* The exit status of a tool, to be called last in main(): returns `status`, or 1 after a message on
 * standard error if standard output could not be written.  A standard output that was closed by the
 * caller is no error. */
int printed_status(const char *tool, int status);
