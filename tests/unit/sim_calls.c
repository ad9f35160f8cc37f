/* sim_calls.c - system calls of descriptors that are not of sockets alone; see sim.h.  Each goes to
 * the system when no simulated process runs. */
#include "sim.h"

#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

ssize_t __real_read(int fd, void *data, size_t n);
ssize_t __real_write(int fd, const void *data, size_t n);
int __real_close(int fd);
ssize_t __wrap_read(int fd, void *data, size_t n);
ssize_t __wrap_write(int fd, const void *data, size_t n);
int __wrap_close(int fd);

ssize_t __wrap_read(int fd, void *data, size_t n)
{
    return sim_self ? sim_read(fd, data, n) : __real_read(fd, data, n);
}

ssize_t __wrap_write(int fd, const void *data, size_t n)
{
    return sim_self ? sim_write(fd, data, n) : __real_write(fd, data, n);
}

int __wrap_close(int fd)
{
    if (!sim_self)
        return __real_close(fd);
    sim_close(fd);
    return 0;
}

/* What blocks lets the other side read, unless that one is out of reach. */
int __wrap_poll(struct pollfd *fds, nfds_t n, int milliseconds);
int __real_poll(struct pollfd *fds, nfds_t n, int milliseconds);
int __wrap_poll(struct pollfd *fds, nfds_t n, int milliseconds)
{
    if (!sim_self)
        return __real_poll(fds, n, milliseconds);
    if (fds->fd == STDERR_FILENO || (sim_self->host && sim_self->host->cut))
        return 0;
    return sim_make_room(fds->fd);
}

int __wrap_fcntl64(int fd, int command, ...);
int __real_fcntl64(int fd, int command, ...);
int __wrap_fcntl64(int fd, int command, ...)
{
    va_list list;
    va_start(list, command);
    long argument = va_arg(list, long);
    va_end(list);
    if (!sim_self)
        return __real_fcntl64(fd, command, argument);
    return command == F_DUPFD_CLOEXEC ? sim_dup(fd) : 0;
}

int __wrap_fstat64(int fd, struct stat *status);
int __real_fstat64(int fd, struct stat *status);
int __wrap_fstat64(int fd, struct stat *status)
{
    if (!sim_self)
        return __real_fstat64(fd, status);
    *status = (struct stat){.st_mode = S_IFIFO};
    return 0;
}

int __wrap_isatty(int fd);
int __real_isatty(int fd);
int __wrap_isatty(int fd)
{
    return sim_self ? 0 : __real_isatty(fd);
}

/* The environment is that of all processes here. */
int __wrap_setenv(const char *name, const char *value, int over);
int __real_setenv(const char *name, const char *value, int over);
int __wrap_setenv(const char *name, const char *value, int over)
{
    return sim_self ? 0 : __real_setenv(name, value, over);
}
