/* fail.h - one-line error messages on stderr. Each function returns false, for its caller to
 * return.
 *
 * They print at once, from any task: hrun forwards standard error.
 */
#pragma once

#include <stdbool.h>

/* "hbench: WHAT: " and the error text of the failed hn_ function. */
bool fail_hn(const char *what);
/* ... and the text of errno. */
bool fail_system(const char *what);
/* ... and a reason. */
bool fail(const char *what, const char *why);
