/* fail.h - one line on stderr about what went wrong; each returns false, for its caller to return.
 */
#pragma once

#include <stdbool.h>

/* "hbench: WHAT: " and what the failed hn_ function had to say. */
bool fail_hn(const char *what);
/* ... and what errno means. */
bool fail_system(const char *what);
/* ... and why, in words. */
bool fail(const char *what, const char *why);
