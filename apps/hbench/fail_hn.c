/* fail_hn.c - error messages about calls of hnow (fail.h). A file of its own: peers link fail.c
 * without hnow's library. */
#include "fail.h"

#include "hnow.h"

bool fail_hn(const char *what)
{
    return fail(what, hn_error_text());
}
