/* test_stream.c - the output of a task, as its agent reads it: lines stay whole when hrun does not
 * acknowledge for a while. */
#include "hnowd/stream.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static struct pack passed;
static bool ended;

static void pass(struct stream *stream, const uint8_t *data, size_t n)
{
    (void)stream;
    pack_raw(&passed, data, n);
}

static void end(struct stream *stream)
{
    (void)stream;
    ended = true;
}

/* Writes lines of 100 bytes, and lets the agent read, until neither goes on. */
static size_t fill(struct ev_loop *loop, int fd)
{
    char line[100];
    size_t written = 0, before;
    memset(line, '.', sizeof line);
    line[sizeof line - 1] = '\n';
    do {
        before = written + passed.length;
        for (ssize_t n; (n = write(fd, line + written % 100, 100 - written % 100)) > 0;)
            written += (size_t)n;
        ev_run(loop, EVRUN_NOWAIT);
    } while (written + passed.length > before);
    return written;
}

Test(stream, a_line_that_waits_for_credit_is_no_prompt)
{
    struct ev_loop *loop = ev_loop_new(0);
    struct stream stream = {.pass = pass, .ended = end};
    int fd[2];
    cr_assert_eq(pipe2(fd, O_NONBLOCK), 0);
    stream_open(&stream, loop, fd[0]);
    size_t written = fill(loop, fd[1]);
    cr_assert_gt(written, STREAM_WINDOW);
    cr_assert_gt(stream.held.length, 0); /* the window has ended within a line */
    cr_assert_eq(passed.length % 100, 0);
    cr_assert_not(ev_is_active(&stream.idle));
    stream_credit(&stream, passed.length);
    cr_assert(ev_is_active(&stream.idle));
    close(fd[1]);
    while (!ended) {
        size_t before = passed.length;
        ev_run(loop, EVRUN_ONCE);
        stream_credit(&stream, passed.length - before);
    }
    cr_assert_eq(passed.length, written);
    pack_free(&passed);
    ev_loop_destroy(loop);
}
