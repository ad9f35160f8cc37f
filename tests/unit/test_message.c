/* test_message.c - real tasks that exchange messages over real sockets (job.h). */
#include "hnow.h"
#include "job.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static hn_tid task(int rank)
{
    return hn_group_tid(hn_world(), rank);
}

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static _Bool around_the_ring(void)
{
    int n = hn_size(), me = hn_rank(), value = me, got;
    hn_info info;

    for (int round = 0; round < 50; round++) {
        job_check(hn_send(task((me + 1) % n), round, &value, 1, HN_INT) == HN_OK);
        job_check(hn_recv(HN_ANY, round, &got, 1, HN_INT, &info) == HN_OK);
        job_check(info.from == task((me + n - 1) % n) && info.tag == round && info.count == 1);
        value = got;
    }
    return value == (me + n * 50 - 50) % n;
}

Test(message, ring)
{
    cr_assert_eq(job_run(8, 30, around_the_ring), 0);
}

/* Everybody to everybody at once: connections are dialled from both sides at the same time. */
static _Bool all_to_all(void)
{
    int n = hn_size(), me = hn_rank();

    for (int k = 0; k < n; k++)
        job_check(hn_send(task(k), 1, &me, 1, HN_INT) == HN_OK);
    for (int k = 0; k < n; k++) {
        int got;
        job_check(hn_recv(task(k), 1, &got, 1, HN_INT, NULL) == HN_OK && got == k);
    }
    return true;
}

Test(message, all_to_all)
{
    for (int round = 0; round < 6; round++) {
        setenv("HNOW_LOCAL", job_paths[round % JOB_PATHS], 1);
        cr_assert_eq(job_run(16, 60, all_to_all), 0);
    }
}

/* Sizes on both sides of every limit at which sending becomes another. */
static const size_t edge[] = {1,         1025,   16383,  16384, 65537, (256 << 10) - 1,
                              256 << 10, 700000, 5 << 20};
enum { EDGES = sizeof edge / sizeof *edge, EDGE_ROUNDS = 6 };

static uint8_t edge_byte(int round, int i, size_t k)
{
    return (uint8_t)(round * 7 + i * 31 + (int)(k * 2654435761u >> 13));
}

static void edge_send(uint8_t *data, int round, int i)
{
    hn_request *r;

    for (size_t k = 0; k < edge[i]; k++)
        data[k] = edge_byte(round, i, k);
    if (round % 2) {
        job_check(hn_send(task(1), 1, data, edge[i], HN_BYTE) == HN_OK);
    } else {
        job_check(hn_isend(task(1), 1, data, edge[i], HN_BYTE, &r) == HN_OK);
        job_check(hn_wait(r, NULL) == HN_OK);
    }
    memset(data, 0xee, edge[i]); /* whatever of it is still on its way */
}

static void edge_receive(uint8_t *data, int round, int i)
{
    job_check(hn_recv(task(0), 1, data, edge[i], HN_BYTE, NULL) == HN_OK);
    for (size_t k = 0; k < edge[i]; k++)
        job_check(data[k] == edge_byte(round, i, k));
}

static _Bool buffers_are_free(void)
{
    uint8_t *data = malloc(edge[EDGES - 1]);

    for (int round = 0; round < EDGE_ROUNDS; round++)
        for (int i = 0; i < EDGES; i++)
            if (hn_rank() == 0)
                edge_send(data, round, i);
            else
                edge_receive(data, round, i);
    free(data);
    return true;
}

/* Also with memory for copies that is smaller than a message. */
Test(message, buffers_are_free_after_sending)
{
    for (int k = 0; k < 2 * JOB_PATHS; k++) {
        setenv("HNOW_LOCAL", job_paths[k % JOB_PATHS], 1);
        if (k == JOB_PATHS)
            setenv("HNOW_OUTBOX", "300000", 1);
        cr_assert_eq(job_run(2, 60, buffers_are_free), 0);
    }
}

/* A task that waits takes no processor time: a tenth of the time that it waits is far more than
 * going to sleep and waking up cost, under a sanitizer and on a busy machine, too. */
static _Bool waits(void)
{
    double before = seconds(CLOCK_PROCESS_CPUTIME_ID);

    if (hn_rank() == 0) {
        sleep(2);
        for (int k = 1; k < hn_size(); k++)
            job_check(hn_send(task(k), 1, NULL, 0, HN_BYTE) == HN_OK);
        return true;
    }
    job_check(hn_recv(task(0), 1, NULL, 0, HN_BYTE, NULL) == HN_OK);
    return seconds(CLOCK_PROCESS_CPUTIME_ID) - before < 0.2;
}

Test(message, waiting_costs_nothing)
{
    cr_assert_eq(job_run(8, 30, waits), 0);
}

/* A receive from a task that has ended fails, after all that it sent has been received. */
static _Bool dies(void)
{
    int value = 5;

    if (hn_rank() == 1) {
        job_check(hn_send(task(0), 1, &value, 1, HN_INT) == HN_OK);
        return true;
    }
    job_check(hn_recv(task(1), 1, &value, 1, HN_INT, NULL) == HN_OK);
    job_check(hn_recv(task(1), 1, &value, 1, HN_INT, NULL) == HN_EDEAD);
    job_check(hn_recv(HN_ANY, HN_ANY, &value, 1, HN_INT, NULL) == HN_EDEAD);
    job_check(hn_send(task(1), 1, &value, 1, HN_INT) == HN_EDEAD);
    return true;
}

Test(message, receive_from_the_dead)
{
    cr_assert_eq(job_run(2, 30, dies), 0);
}

/* Types that do not fit leave the message where it is. */
static _Bool misfits(void)
{
    double data[4] = {1, 2, 3, 4}, got[4];
    float narrow[4];
    hn_info info;

    job_check(hn_send(hn_mytid(), 1, data, 4, HN_DOUBLE) == HN_OK);
    job_check(hn_recv(HN_ANY, 1, got, 3, HN_DOUBLE, &info) == HN_ETRUNC && info.count == 4);
    job_check(hn_recv(HN_ANY, 1, got, 4, HN_INT64, &info) == HN_ETYPE);
    job_check(hn_recv(HN_ANY, 1, narrow, 4, HN_FLOAT, &info) == HN_OK && narrow[3] == 4);
    job_check(hn_iprobe(HN_ANY, HN_ANY, NULL) == 0);
    job_check(hn_send(hn_mytid(), -1, data, 1, HN_DOUBLE) == HN_EARG);
    job_check(hn_send(0, 1, data, 1, HN_DOUBLE) == HN_EARG);
    job_check(hn_send(hn_mytid(), 1, data, 1, 0x777) == HN_EARG);
    return true;
}

Test(message, misfits)
{
    cr_assert_eq(job_run(1, 30, misfits), 0);
}

/* A flood that nobody receives fills the inbox; the sender is slowed down and nothing is lost. */
enum { FLOOD = 1000000 };

static _Bool flood(void)
{
    int value = -1;

    if (hn_rank() == 0) {
        for (int i = 0; i < FLOOD; i++)
            job_check(hn_send(task(1), 1, &i, 1, HN_INT) == HN_OK);
        return true;
    }
    usleep(300000);
    for (int i = 0; i < FLOOD; i++)
        job_check(hn_recv(task(0), 1, &value, 1, HN_INT, NULL) == HN_OK && value == i);
    return true;
}

Test(message, flood)
{
    setenv("HNOW_INBOX", "1000000", 1);
    setenv("HNOW_OUTBOX", "1000000", 1);
    cr_assert_eq(job_run(2, 120, flood), 0);
}

/* A receive or probe of a message behind too many others fails, and the task can continue. */
static _Bool wrong_order(void)
{
    char big[10000] = {0};
    int n = 0;

    if (hn_rank() == 0) {
        for (int i = 0; i < 1000; i++)
            job_check(hn_send(task(1), 1, big, sizeof big, HN_BYTE) == HN_OK);
        job_check(hn_send(task(1), 2, NULL, 0, HN_BYTE) == HN_OK);
        return true;
    }
    job_check(hn_recv(task(0), 2, NULL, 0, HN_BYTE, NULL) == HN_ENOMEM);
    job_check(hn_probe(task(0), 2, NULL) == HN_ENOMEM);
    job_check(hn_iprobe(task(0), 2, NULL) == 0);
    while (n < 1000 && hn_recv(task(0), 1, big, sizeof big, HN_BYTE, NULL) == HN_OK)
        n++;
    job_check(n == 1000);
    job_check(hn_recv(task(0), 2, NULL, 0, HN_BYTE, NULL) == HN_OK);
    return true;
}

Test(message, receive_behind_a_full_inbox)
{
    setenv("HNOW_INBOX", "1000000", 1);
    cr_assert_eq(job_run(2, 60, wrong_order), 0);
}

/* Three tasks send more than the inbox holds, and their messages are taken in order of rank: by
 * receives, after probes, and all three at a time.  Meanwhile the receiver sends a long message to
 * the first of them, which receives it last. */
enum { ROUNDS = 60, PART = 300000, LONG = 8 << 20 };

static bool take_in_order(char *part, int from, bool probes)
{
    for (int i = 0; i < ROUNDS; i++) {
        hn_info info = {.count = PART};
        job_check(!probes || hn_probe(task(from), 1, &info) == HN_OK);
        job_check(info.count == PART);
        job_check(hn_recv(task(from), 1, part, PART, HN_BYTE, NULL) == HN_OK);
        job_check(part[i] == from && part[PART - 1] == from);
    }
    return true;
}

static bool take_together(void)
{
    static char part[4][PART];
    hn_request *r[4];

    for (int i = 0; i < ROUNDS; i++) {
        for (int from = 3; from > 0; from--)
            job_check(hn_irecv(task(from), 1, part[from], PART, HN_BYTE, &r[from]) == HN_OK);
        for (int from = 1; from < 4; from++)
            job_check(hn_wait(r[from], NULL) == HN_OK && part[from][i] == from);
    }
    return true;
}

static _Bool rank_order(void)
{
    static char part[PART], text[LONG];
    hn_request *r[3 * ROUNDS];

    if (hn_rank() == 0) {
        usleep(300000);
        job_check(hn_send(task(1), 2, text, LONG, HN_BYTE) == HN_OK);
        for (int from = 1; from < 4; from++)
            job_check(take_in_order(part, from, false));
        for (int from = 1; from < 4; from++)
            job_check(take_in_order(part, from, true));
        return take_together();
    }
    memset(part, hn_rank(), PART);
    for (int i = 0; i < 3 * ROUNDS; i++)
        job_check(hn_isend(task(0), 1, part, PART, HN_BYTE, &r[i]) == HN_OK);
    if (hn_rank() == 1)
        job_check(hn_recv(task(0), 2, text, LONG, HN_BYTE, NULL) == HN_OK);
    for (int i = 0; i < 3 * ROUNDS; i++)
        job_check(hn_wait(r[i], NULL) == HN_OK);
    return true;
}

Test(message, order_of_rank_through_a_full_inbox)
{
    static const char *const limit[] = {"65536", "1000000"};

    for (int i = 0; i < 2; i++) {
        setenv("HNOW_INBOX", limit[i], 1);
        cr_assert_eq(job_run(4, 60, rank_order), 0);
    }
}

/* A task sends its last message and leaves, without the messages that fill its inbox.  The
 * acknowledgement of its message is behind them. */
static _Bool unread(void)
{
    static char part[PART], text[LONG];
    hn_request *r[ROUNDS];

    if (hn_rank() == 1) {
        usleep(300000);
        return hn_send(task(0), 2, text, LONG, HN_BYTE) == HN_OK;
    }
    for (int i = 0; i < ROUNDS; i++)
        job_check(hn_isend(task(1), 1, part, PART, HN_BYTE, &r[i]) == HN_OK);
    usleep(600000);
    job_check(hn_recv(task(1), 2, text, LONG, HN_BYTE, NULL) == HN_OK);
    for (int i = 0; i < ROUNDS; i++)
        hn_wait(r[i], NULL);
    return true;
}

Test(message, leaving_with_a_full_inbox)
{
    setenv("HNOW_INBOX", "65536", 1);
    setenv("HNOW_LOCAL", "tcp", 1);
    cr_assert_eq(job_run(2, 60, unread), 0);
}

/* ---- connections that break --------------------------------------------------------------- */

enum { BREAKS = 150, LOAD_SIZE = 300000, SMALL_ONES = 200 };

/* Resets every TCP connection of this process, as a firewall or a NAT would.  syscall(): a
 * sanitizer must not think that the program itself does it. */
static int break_tcp(int fd)
{
    struct sockaddr none = {.sa_family = AF_UNSPEC};

    return syscall(SYS_connect, fd, &none, sizeof none) == 0;
}

/* The socket beside shared memory, or instead of it; at one of its ends it has a name of ours. */
static int break_local(int fd)
{
    struct sockaddr_un a[2] = {0};
    socklen_t size[2] = {sizeof a[0], sizeof a[1]};

    getpeername(fd, (struct sockaddr *)&a[0], &size[0]);
    getsockname(fd, (struct sockaddr *)&a[1], &size[1]);
    for (int i = 0; i < 2; i++)
        if (memcmp(a[i].sun_path + 1, "hnow-", 5) == 0)
            return syscall(SYS_shutdown, fd, SHUT_RDWR) == 0;
    return 0;
}

static int break_connections(void)
{
    int broken = 0;

    for (int fd = 3; fd < 64; fd++) {
        struct sockaddr_storage a;
        socklen_t size = sizeof a;

        if (getpeername(fd, (struct sockaddr *)&a, &size) != 0)
            continue;
        if (a.ss_family == AF_INET || a.ss_family == AF_INET6)
            broken += break_tcp(fd);
        if (a.ss_family == AF_UNIX)
            broken += break_local(fd);
    }
    return broken;
}

static void *breaker(void *arg)
{
    _Atomic int *left = arg;

    while (*left > 0) {
        usleep(500 + (unsigned)rand() % 3000);
        *left -= break_connections();
    }
    return NULL;
}

/* Sends message i to the other and takes its message i; both carry their number and a length that
 * follows from it. */
static void exchange_one(hn_tid other, int i, uint8_t *out, uint8_t *in)
{
    size_t n = 4 + (size_t)(i * 2654435761u % LOAD_SIZE);
    hn_info info;

    memcpy(out, &i, sizeof i);
    memset(out + 4, i & 0xff, n - 4);
    job_check(hn_send(other, 1, out, n, HN_BYTE) == HN_OK);
    job_check(hn_recv(other, 1, in, LOAD_SIZE + 4, HN_BYTE, &info) == HN_OK);
    job_check(info.count == n && memcmp(in, out, n) == 0);
}

/* The same with small ones, many under way at a time. */
static void exchange_small(hn_tid other, int i)
{
    for (int k = 0; k < SMALL_ONES; k++)
        job_check(hn_send(other, 3, &(int){i + k}, 1, HN_INT) == HN_OK);
    for (int k = 0, got = -1; k < SMALL_ONES; k++)
        job_check(hn_recv(other, 3, &got, 1, HN_INT, NULL) == HN_OK && got == i + k);
}

static _Bool under_resets(void)
{
    hn_tid other = task(1 - hn_rank());
    uint8_t *out = malloc(LOAD_SIZE + 4), *in = malloc(LOAD_SIZE + 4);
    _Atomic int left = hn_rank() == 0 ? BREAKS : 0;
    int more = 1;
    pthread_t t;

    if (hn_rank() == 0)
        pthread_create(&t, NULL, breaker, &left);
    for (int i = 0; more; i++) {
        exchange_one(other, i, out, in);
        exchange_small(other, i);
        if (hn_rank() == 0) {
            more = left > 0;
            job_check(hn_send(other, 2, &more, 1, HN_INT) == HN_OK);
        } else {
            job_check(hn_recv(other, 2, &more, 1, HN_INT, NULL) == HN_OK);
        }
    }
    if (hn_rank() == 0)
        pthread_join(t, NULL);
    free(out);
    free(in);
    return true;
}

Test(message, connections_resume_where_they_broke)
{
    for (int k = 0; k < JOB_PATHS; k++) {
        setenv("HNOW_LOCAL", job_paths[k], 1);
        cr_assert_eq(job_run(2, 100, under_resets), 0);
    }
}

/* A task is killed in the middle of a message that it sends, or receives: the other one hears of
 * it, wherever the bytes were. */
enum { HALF_SIZE = 256 << 20 };

static void *kill_soon(void *arg)
{
    const _Atomic bool *begun = arg;

    while (!*begun)
        usleep(100);
    usleep(2000);
    kill(getpid(), SIGKILL);
    return NULL;
}

static _Bool killed_in_the_middle(void)
{
    char *data = calloc(1, HALF_SIZE);
    hn_request *r;
    int result;

    if (hn_rank() == 0) {
        static _Atomic bool begun;
        pthread_t t;
        pthread_create(&t, NULL, kill_soon, &begun);
        begun = true;
        for (;;) {
            job_check(hn_isend(task(1), 1, data, HALF_SIZE, HN_BYTE, &r) == HN_OK);
            job_check(hn_recv(task(1), 1, data, HALF_SIZE, HN_BYTE, NULL) == HN_OK);
            job_check(hn_wait(r, NULL) == HN_OK);
        }
    }
    do {
        result = hn_isend(task(0), 1, data, HALF_SIZE, HN_BYTE, &r);
        if (result == HN_OK) {
            result = hn_recv(task(0), 1, data, HALF_SIZE, HN_BYTE, NULL);
            hn_wait(r, NULL);
        }
    } while (result == HN_OK);
    free(data);
    return result == HN_EDEAD;
}

Test(message, a_killed_task_holds_nobody_up)
{
    for (int k = 0; k < JOB_PATHS; k++) {
        setenv("HNOW_LOCAL", job_paths[k], 1);
        cr_assert_eq(job_run(2, 60, killed_in_the_middle), 1); /* the killed one */
    }
}

/* More bytes than 32 bits count. */
static _Bool huge(void)
{
    const size_t n = (size_t)3 << 30;
    uint8_t *data = malloc(n);

    job_check(data != NULL);
    if (hn_rank() == 0) {
        for (size_t i = 0; i < n; i += 4096)
            data[i] = (uint8_t)(i >> 12 ^ i >> 31);
        job_check(hn_send(task(1), 1, data, n, HN_BYTE) == HN_OK);
    } else {
        hn_info info;
        job_check(hn_recv(task(0), 1, data, n, HN_BYTE, &info) == HN_OK && info.count == n);
        for (size_t i = 0; i < n; i += 4096)
            job_check(data[i] == (uint8_t)(i >> 12 ^ i >> 31));
    }
    free(data);
    return true;
}

Test(message, more_than_two_gigabytes)
{
    if (!getenv("HNOW_TEST_LARGE"))
        cr_skip_test("takes 6 GB of memory; HNOW_TEST_LARGE=1 runs it");
    for (int k = 0; k < JOB_PATHS; k++) {
        setenv("HNOW_LOCAL", job_paths[k], 1);
        cr_assert_eq(job_run(2, 120, huge), 0);
    }
}

/* Several threads of one task exchange messages with several threads of another. */
static void *one_thread(void *arg)
{
    int tag = (int)(intptr_t)arg, other = 1 - hn_rank(), value;

    for (int i = 0; i < 200; i++) {
        job_check(hn_send(task(other), tag, &i, 1, HN_INT) == HN_OK);
        job_check(hn_recv(task(other), tag, &value, 1, HN_INT, NULL) == HN_OK && value == i);
    }
    return NULL;
}

static _Bool threads(void)
{
    pthread_t t[4];

    for (intptr_t i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, one_thread, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return true;
}

Test(message, several_threads)
{
    cr_assert_eq(job_run(2, 60, threads), 0);
}
