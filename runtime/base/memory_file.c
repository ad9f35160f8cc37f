/* memory_file.c - files in memory that processes share; see memory_file.h. */
#include "base/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* ulimit -f holds for files in memory, too. */
uint64_t memory_file_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return limit.rlim_cur;
}

/* The limit is checked first, as ftruncate() beyond it would raise SIGXFSZ. F_SEAL_SEAL keeps the
 * other side from adding seals. */
int memory_file(const char *name, uint64_t size)
{
    if (size > memory_file_limit())
        return -1;

    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd >= 0 && (ftruncate(fd, (off_t)size) < 0 ||
                    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)) {
        close(fd);
        return -1;
    }
    return fd;
}
