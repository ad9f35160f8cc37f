/* printed.h - detects that a tool's output could not be written. */
#pragma once

/* The exit status of a tool, to be called last in main(): returns `status`, or 1 after a message on
 * standard error if standard output could not be written.  A standard output that was closed by the
 * caller is no error. */
int printed_status(const char *tool, int status);
