/* printed.c - a tool's standard streams; see printed.h. */
#include "base/printed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void printed_begin(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            _exit(1);
}

/* A failure replaces only a successful status. */
int printed_status(const char *tool, int status)
{
    bool earlier = ferror(stdout); /* errno of an earlier failure is lost */

    if (fcntl(fileno(stdout), F_GETFD) < 0 || (fflush(stdout) == 0 && !earlier))
        return status;
    fprintf(stderr, "%s: standard output cannot be written: %s\n", tool,
            earlier ? "is the disk full?" : strerror(errno));
    return status ? status : 1;
}
