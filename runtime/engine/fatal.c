/* fatal.c - hn_set_errors(): failed calls end the job.
 *
 * The mode is one for the process, not for a thread, since a job ends as a whole.  The check is in
 * macros (hnow_checked.h) around the calls, so the library itself never ends the job.
 */
#include "base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static atomic_int errors_mode = HN_ERRORS_RETURN;

int hn_set_errors(int mode)
{
    if (mode != HN_ERRORS_RETURN && mode != HN_ERRORS_FATAL)
        return error_set(HN_EARG, "there is no mode %d of errors", mode);
    return atomic_exchange(&errors_mode, mode);
}

static const char *name_of_error(int error)
{
    switch (error) {
#define X(name, number, text)                                                                      \
    case number:                                                                                   \
        return #name;
        HN_ERRORS(X)
#undef X
    default:
        return "an unknown error";
    }
}

/* Results that the call allows for: a time limit, a name that may be missing, or a cancelled
 * receive.  They do not end the job. */
static bool is_an_answer(int error)
{
    return error == HN_ETIMEOUT || error == HN_ENAME || error == HN_ECANCEL;
}

/* Called for every public call with a negative result, with its place in the program.  In the
 * default mode it returns the error unchanged. */
int hn_failed(int error, const char *call, const char *file, int line)
{
    char why[ERROR_TEXT + 256];

    if (atomic_load(&errors_mode) != HN_ERRORS_FATAL || is_an_answer(error))
        return error;
    snprintf(why, sizeof why, "%s:%d: %s: %s: %s", file, line, call, name_of_error(error),
             *hn_error_text() ? hn_error_text() : hn_strerror(error));
    hn_abort(1, why);
}
