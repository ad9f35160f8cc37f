/* printed.h - whether what a tool has printed was written. */
#pragma once

/* The exit status of a tool, as the last thing in its main(): this status, or 1 after a line on
 * standard error if standard output could not be written.  A caller who closed it wants none. */
int printed_status(const char *tool, int status);
