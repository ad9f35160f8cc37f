/* See netns.h. */
#include "netns.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

int netns_enter_open(int descriptor)
{
    return setns(descriptor, CLONE_NEWNET);
}

int netns_enter(const char *name)
{
    char path[128];
    if ((size_t)snprintf(path, sizeof path, "/run/netns/%s", name) >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    int result = netns_enter_open(descriptor);
    close(descriptor);
    return result;
}

int netns_current(void)
{
    return open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
}
