/* printed.c - detects that a tool's output could not be written; see printed.h. */
#include "base/printed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int printed_status(const char *tool, int status)
{
    bool earlier = ferror(stdout); /* errno of an earlier failure is lost */

    if (fcntl(fileno(stdout), F_GETFD) < 0 || (fflush(stdout) == 0 && !earlier))
        return status;
    fprintf(stderr, "%s: standard output cannot be written: %s\n", tool,
            earlier ? "is the disk full?" : strerror(errno));
    return status ? status : 1;
}
