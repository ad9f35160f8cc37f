/* test_passing.c - descriptors beside bytes: one is taken, all others are closed, however many come
 * and however they are packed. */
#include "base/passing.h"

#include "random.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 253 }; /* SCM_MAX_FD of Linux */

static unsigned open_descriptors(void)
{
    unsigned n = 0;
    DIR *list = opendir("/proc/self/fd");
    while (readdir(list))
        n++;
    closedir(list);
    return n;
}

/* A byte with so many descriptors. */
static void give(int fd, unsigned n)
{
    static union {
        struct cmsghdr header;
        char room[CMSG_SPACE(MOST * sizeof(int))];
    } control;
    struct iovec iov = {"x", 1};
    struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
    int all[MOST];
    for (unsigned i = 0; i < n; i++)
        all[i] = fd;
    control.header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(n * sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), all, n * sizeof fd);
    m.msg_control = n ? control.room : NULL;
    m.msg_controllen = n ? CMSG_SPACE(n * sizeof fd) : 0;
    cr_assert_eq(sendmsg(fd, &m, 0), 1);
}

Test(passing, one_arrives)
{
    int pair[2], passed = -1;
    char bytes[8];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    cr_assert_eq(passing_send(pair[0], "ab", 2, MSG_DONTWAIT, &pair[0], 1), 2);
    cr_assert_eq(passing_receive(pair[1], bytes, sizeof bytes, MSG_DONTWAIT, &passed, 1), 2);
    cr_assert_geq(passed, 0);
    cr_assert(fcntl(passed, F_GETFD) & FD_CLOEXEC);
    cr_assert_eq(write(passed, "c", 1), 1); /* it is the other end of pair[1] */
    passed = -1;
    cr_assert_eq(passing_receive(pair[1], bytes, sizeof bytes, MSG_DONTWAIT, &passed, 1), 1);
    cr_assert_eq(passed, -1);
    cr_assert_eq(passing_receive(pair[1], bytes, sizeof bytes, MSG_DONTWAIT, &passed, 1), -1);
    cr_assert_eq(errno, EAGAIN);
    cr_assert_eq(passed, -1);
}

Test(passing, nothing_stays_open)
{
    uint64_t random = random_seed();
    int pair[2], passed;
    char byte;
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    unsigned before = open_descriptors();
    for (int round = 0; round < 2000; round++) {
        unsigned n = (unsigned)random_below(&random, round % 50 ? 5 : MOST + 1);
        bool takes = random_below(&random, 4) > 0;
        passed = -1;
        give(pair[0], n);
        ssize_t got = passing_receive(pair[1], &byte, 1, MSG_DONTWAIT, &passed, takes);
        cr_assert_eq(got, takes && n > 1 ? -1 : 1, "%u descriptors", n);
        if (got < 0)
            cr_assert_eq(errno, EBADMSG);
        if (takes && passed >= 0) {
            cr_assert_eq(n, 1);
            close(passed);
        }
        cr_assert_eq(open_descriptors(), before, "%u descriptors, round %d", n, round);
    }
}
