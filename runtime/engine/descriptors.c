/* descriptors.c - the limit of descriptors (descriptors.h). */
#include "engine/descriptors.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

/* Raises the soft limit to the hard one, but only after the soft limit was reached. */
bool descriptors_more(int why)
{
    struct rlimit files;

    if (why != EMFILE || getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur >= files.rlim_max)
        return false;
    files.rlim_cur = files.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &files) == 0;
}

/* Opens two pipes to see whether four descriptors are free: for epoll, the wake-up, and one or two
 * to spare. */
bool descriptors_for_loop(void)
{
    int fd[2], more[2];

    if (pipe(fd))
        return false;
    bool any = pipe(more) == 0;
    int why = errno;
    for (int i = 0; i < 2; i++) {
        close(fd[i]);
        if (any)
            close(more[i]);
    }
    errno = why;
    return any;
}
