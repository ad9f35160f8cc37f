/* no_accept.c - preloaded, accept4() fails as if the kernel had no memory, while there is a file
 * "full" in the current directory.  Each failure appends a byte to the file "tries".
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
    if (access("full", F_OK) < 0)
        return (int)syscall(SYS_accept4, fd, address, length, flags);
    int tries = open("tries", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (tries >= 0 && write(tries, "", 1) >= 0)
        close(tries);
    errno = ENOMEM;
    return -1;
}
