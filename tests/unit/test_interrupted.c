/* test_interrupted.c - frames are written, and words received, although signals interrupt calls. */
#include "base/machine.h"
#include "job/task.h"
#include "protocol/channel.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY = 2 << 20 }; /* bytes: more than a socket holds */

static int other;    /* the writer's end */
static pid_t reader; /* has the other one */

static void do_nothing(int number)
{
    (void)number;
}

/* Reads everything, from some time on. */
static void read_late(int fd)
{
    char data[4096];

    usleep(100000);
    while (read(fd, data, sizeof data) > 0)
        ;
    _exit(0);
}

static void begin(void)
{
    const struct sigaction action = {.sa_handler = do_nothing, .sa_flags = SA_RESTART};
    const struct itimerval often = {{0, 5000}, {0, 5000}};
    int ends[2];

    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    reader = fork();
    if (reader == 0) {
        close(ends[0]);
        read_late(ends[1]);
    }
    close(ends[1]);
    other = ends[0];
    fcntl(other, F_SETFL, O_NONBLOCK);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
}

static void end(void)
{
    const struct itimerval never = {{0, 0}, {0, 0}};

    setitimer(ITIMER_REAL, &never, NULL);
    close(other);
    waitpid(reader, NULL, 0);
}

TestSuite(interrupted, .init = begin, .fini = end, .timeout = 60);

/* Children of an agent end while it sends its last frames. */
Test(interrupted, an_agent_that_ends)
{
    static const struct channel_events events; /* nothing comes */
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    struct channel channel;
    char *text = calloc(1, MANY);

    channel_open(&channel, loop, other, other, &events);
    channel_put(&channel, CONTROL_OUTPUT, 7u, 1u, (const void *)text, (size_t)MANY);
    cr_assert_gt(channel.outgoing.length, 0);
    channel_drain(&channel, 5000);
    cr_expect_eq(channel.outgoing.length, 0);
    free(text);
}

/* A program that is profiled calls hn_exit(). */
Test(interrupted, a_task_that_leaves)
{
    struct task *t = calloc(1, sizeof *t);

    t->agent.fd = other;
    pack_room(&t->agent.out, MANY);
    pack_added(&t->agent.out, MANY);
    agent_leave(t, false);
    cr_expect_eq(t->agent.out.length, 0);
    pack_free(&t->agent.out);
    free(t);
}

static void write_late(int fd)
{
    for (int i = 0; i < 5; i++) {
        usleep(20000);
        if (write(fd, "word", 5) != 5)
            _exit(1);
    }
    _exit(0);
}

/* A program that is profiled gets its environment from the machine, or from its stand-in. */
Test(interrupted, a_program_that_is_adopted)
{
    const struct sigaction action = {.sa_handler = do_nothing}; /* no SA_RESTART */
    char words[25];
    int ends[2];

    sigaction(SIGALRM, &action, NULL);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    pid_t writer = fork();
    if (writer == 0)
        write_late(ends[1]);
    cr_expect_eq(machine_receive_all(ends[0], words, sizeof words), sizeof words);
    cr_expect_str_eq(words + 20, "word");
    close(ends[0]);
    close(ends[1]);
    waitpid(writer, NULL, 0);
}
