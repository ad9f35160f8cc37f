/* test_parts.c - messages of which only a part has come: their sender is killed, or stopped, in the
 * middle. */
#include "hnow.h"
#include "job.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LARGE = 24 << 20, DATA = 1, PID = 2, OTHER = 3 };

static hn_tid task(int rank)
{
    return hn_group_tid(hn_world(), rank);
}

static char *large(char first)
{
    char *data = malloc(LARGE);
    for (size_t i = 0; i < LARGE; i++)
        data[i] = (char)(first + i * 7 + i / 4096);
    return data;
}

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static int buffered; /* how rank 0 receives */

static int receive(hn_tid from, int ms, void *data, size_t count, hn_info *info)
{
    if (!buffered)
        return ms < 0 ? hn_recv(from, DATA, data, count, HN_CHAR, info)
                      : hn_recv_timeout(from, DATA, data, count, HN_CHAR, ms, info);
    hn_info what;
    hn_buffer *buffer = hn_buffer_new();
    int code = hn_recv_buffer(from, DATA, ms, buffer, &what);
    if (code == HN_OK)
        code = hn_unpack(buffer, data, what.count, HN_CHAR, 1);
    if (info)
        *info = what;
    hn_buffer_free(buffer);
    return code;
}

/* Rank 2 is killed in the middle of what it sends; then a message of rank 1 comes. */
static _Bool killed(void)
{
    char *data = large(0), small = 'x';
    hn_request *r;
    hn_info info;

    if (hn_rank() == 2) {
        job_check(hn_isend(task(0), DATA, data, LARGE, HN_CHAR, &r) == HN_OK);
        raise(SIGKILL);
    }
    if (hn_rank() == 1) {
        job_check(hn_recv(task(0), OTHER, NULL, 0, HN_CHAR, NULL) == HN_OK);
        job_check(hn_send(task(0), DATA, &small, 1, HN_CHAR) == HN_OK);
        return true;
    }
    if (buffered) /* or a receive waits when the message begins */
        pause_ms(100);
    job_check(receive(HN_ANY, 0, data, LARGE, NULL) != HN_EDEAD);
    job_check(hn_send(task(1), OTHER, NULL, 0, HN_CHAR) == HN_OK);
    job_check(receive(HN_ANY, -1, data, LARGE, &info) == HN_OK);
    job_check(info.from == task(1) && info.count == 1 && data[0] == 'x');
    job_check(receive(task(2), -1, data, LARGE, NULL) == HN_EDEAD);
    return true;
}

Test(parts, who_receives_from_anyone_goes_on_when_a_sender_dies)
{
    for (int path = 0; path < JOB_PATHS; path++)
        for (buffered = 0; buffered < 2; buffered++) {
            setenv("HNOW_LOCAL", job_paths[path], 1);
            cr_assert_eq(job_run(3, 20, killed), 1, "%s", job_paths[path]);
        }
}

/* Sends its pid, and is stopped in the middle of what it sends then. */
static void send_and_stop(const char *data)
{
    int pid = getpid();
    hn_request *r;

    job_check(hn_send(task(0), PID, &pid, 1, HN_INT) == HN_OK);
    job_check(hn_recv(task(0), OTHER, NULL, 0, HN_CHAR, NULL) == HN_OK);
    pause_ms(50);
    job_check(hn_isend(task(0), DATA, data, LARGE, HN_CHAR, &r) == HN_OK);
    raise(SIGSTOP);
    job_check(hn_wait(r, NULL) == HN_OK);
}

static _Bool stopped(void)
{
    char *data = large(3), *got = calloc(1, LARGE), small = 0;
    int pid;

    if (hn_rank() == 1) {
        send_and_stop(data);
        return true;
    }
    if (hn_rank() == 2) {
        job_check(hn_recv(task(0), OTHER, NULL, 0, HN_CHAR, NULL) == HN_OK);
        job_check(hn_send(task(0), DATA, "y", 1, HN_CHAR) == HN_OK);
        return true;
    }
    job_check(hn_recv(task(1), PID, &pid, 1, HN_INT, NULL) == HN_OK);
    job_check(hn_send(task(1), OTHER, NULL, 0, HN_CHAR) == HN_OK);
    job_check(receive(task(1), 300, got, LARGE, NULL) == HN_ETIMEOUT); /* it begins meanwhile */
    job_check(receive(HN_ANY, 0, got, LARGE, NULL) == HN_ETIMEOUT);
    job_check(receive(task(1), 50, got, LARGE, NULL) == HN_ETIMEOUT);
    job_check(hn_iprobe(HN_ANY, DATA, NULL) == 0);
    job_check(hn_probe_timeout(HN_ANY, DATA, 20, NULL) == HN_ETIMEOUT);
    job_check(hn_send(task(2), OTHER, NULL, 0, HN_CHAR) == HN_OK);
    job_check(receive(HN_ANY, 10000, &small, 1, NULL) == HN_OK && small == 'y');
    kill(pid, SIGCONT);
    job_check(receive(HN_ANY, 10000, got, LARGE, NULL) == HN_OK);
    return memcmp(got, data, LARGE) == 0;
}

/* Not where a receiver takes what it needs from its sender's memory itself. */
Test(parts, nobody_waits_longer_than_told_for_the_rest_of_a_message)
{
    static const char *const paths[] = {"ring", "unix", "tcp"};

    for (int path = 0; path < 3; path++)
        for (buffered = 0; buffered < 2; buffered++) {
            setenv("HNOW_LOCAL", paths[path], 1);
            cr_assert_eq(job_run(3, 20, stopped), 0, "%s", paths[path]);
        }
}

static _Bool longer(void)
{
    char *data = large(5), *got = calloc(1, LARGE);
    hn_info info;

    if (hn_rank() == 1)
        return hn_send(task(0), DATA, data, LARGE, HN_CHAR) == HN_OK;
    job_check(hn_probe(HN_ANY, HN_ANY, &info) == HN_OK && info.count == LARGE);
    job_check(receive(HN_ANY, 1000, got, LARGE, NULL) == HN_OK);
    return memcmp(got, data, LARGE) == 0;
}

/* Of what is longer than the inbox only a part can come before it is received. */
Test(parts, what_is_longer_than_the_inbox_is_there_when_it_begins)
{
    setenv("HNOW_INBOX", "1000000", 1);
    for (buffered = 0; buffered < 2; buffered++) {
        setenv("HNOW_LOCAL", "tcp", 1);
        cr_assert_eq(job_run(2, 20, longer), 0);
    }
}
