/* test_background.c - real tasks (job.h) whose messages move while the program computes. */
#include "hnow.h"
#include "job.h"
#include "job/task.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static hn_tid task(int rank)
{
    return hn_group_tid(hn_world(), rank);
}

static double processor_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A word that the tasks of a test share besides messages; it is 0 at first. */
static volatile int *flag;

static void make_flag(void)
{
    flag = mmap(NULL, sizeof *flag, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq((void *)flag, MAP_FAILED);
}

/* Computes, without a call into the library, until another task raises the flag.  If messages did
 * not move meanwhile, it would never be raised. */
static void compute_until_flag(void)
{
    while (!*flag)
        ;
}

/* Far more than all buffers on the usual path; less on the others, for the time it takes. */
enum { LARGE = 64 << 20, LESS = 16 << 20 };
static size_t large = LARGE;

static uint64_t word(size_t i)
{
    return i * UINT64_C(0x9e3779b97f4a7c15);
}

static void fill(void *p)
{
    uint64_t *words = p;

    for (size_t i = 0; i < large / sizeof *words; i++)
        words[i] = word(i);
}

static bool is_filled(const void *p)
{
    const uint64_t *words = p;

    for (size_t i = 0; i < large / sizeof *words; i++)
        if (words[i] != word(i))
            return false;
    return true;
}

/* The sender computes right after hn_send(), until the receiver has the whole message. */
static _Bool sender_computes(void)
{
    uint8_t *data = malloc(large);

    if (hn_rank() == 0) {
        fill(data);
        job_check(hn_send(task(1), 1, data, large, HN_BYTE) == HN_OK);
        memset(data, 0, large); /* hn_send() has returned: the buffer is ours */
        compute_until_flag();
    } else {
        job_check(hn_recv(task(0), 1, data, large, HN_BYTE, NULL) == HN_OK);
        job_check(is_filled(data));
        *flag = 1;
    }
    free(data);
    return true;
}

Test(background, moves_while_the_sender_computes)
{
    for (int k = 0; k < JOB_PATHS; k++) {
        setenv("HNOW_LOCAL", job_paths[k], 1);
        large = k == 0 ? LARGE : LESS;
        make_flag();
        cr_assert_eq(job_run(2, 60, sender_computes), 0, "path %s", job_paths[k]);
    }
}

/* Processor time of the calling thread that hn_isend() of a long message takes, beside a copy of
 * it: the background thread writes it, and the program has its core for itself.  First one byte
 * goes, so that there is a connection. */
static _Bool long_isend(void)
{
    uint8_t *data = malloc(large), *copy = malloc(large);

    if (hn_rank() == 0) {
        double begun, called;
        hn_request *r;
        fill(data);
        job_check(hn_send(task(1), 1, data, 1, HN_BYTE) == HN_OK);
        job_check(hn_recv(task(1), 2, NULL, 0, HN_BYTE, NULL) == HN_OK);
        begun = processor_seconds();
        job_check(hn_isend(task(1), 1, data, large, HN_BYTE, &r) == HN_OK);
        called = processor_seconds();
        memcpy(copy, data, large);
        job_check(called - begun < (processor_seconds() - called) / 2);
        job_check(is_filled(copy));
        compute_until_flag();
        job_check(hn_wait(r, NULL) == HN_OK);
    } else {
        job_check(hn_recv(task(0), 1, data, 1, HN_BYTE, NULL) == HN_OK);
        job_check(hn_send(task(0), 2, NULL, 0, HN_BYTE) == HN_OK);
        job_check(hn_recv(task(0), 1, data, large, HN_BYTE, NULL) == HN_OK);
        job_check(is_filled(data));
        *flag = 1;
    }
    free(data);
    free(copy);
    return true;
}

Test(background, a_long_isend_costs_its_caller_nothing)
{
    setenv("HNOW_LOCAL", "tcp", 1);
    large = LESS;
    make_flag();
    cr_assert_eq(job_run(2, 60, long_isend), 0);
}

/* Windows of sends in close succession, which are collected: all of them go out while the program
 * computes, in their order, those of other ways to be written among them. */
static const size_t window_sizes[] = {100, 20000, 70000, 200000, 300000, 16384, 65536, 262143};
enum { WINDOW_SIZES = sizeof window_sizes / sizeof *window_sizes, WINDOW_SENDS = 64 };

static _Bool windows(void)
{
    static uint8_t data[WINDOW_SENDS][300000];
    static hn_request *r[WINDOW_SENDS];

    for (int i = 0; i < WINDOW_SENDS; i++)
        memset(data[i], hn_rank() == 0 ? i + 1 : 0, sizeof data[i]);
    for (int i = 0; i < WINDOW_SENDS && hn_rank() == 0; i++)
        job_check(hn_isend(task(1), 1, data[i], window_sizes[i % WINDOW_SIZES], HN_BYTE, &r[i]) ==
                  HN_OK);
    if (hn_rank() == 0)
        compute_until_flag();
    for (int i = 0; i < WINDOW_SENDS; i++) {
        hn_info info;
        if (hn_rank() == 0) {
            job_check(hn_wait(r[i], NULL) == HN_OK);
            continue;
        }
        job_check(hn_recv(task(0), 1, data[i], sizeof data[i], HN_BYTE, &info) == HN_OK);
        job_check(info.count == window_sizes[i % WINDOW_SIZES]);
        for (size_t k = 0; k < info.count; k++)
            job_check(data[i][k] == i + 1);
    }
    *flag = 1;
    return true;
}

Test(background, windows_of_sends_go_out_by_themselves)
{
    for (int k = 0; k < JOB_PATHS; k++) {
        setenv("HNOW_LOCAL", job_paths[k], 1);
        make_flag();
        cr_assert_eq(job_run(2, 60, windows), 0, "path %s", job_paths[k]);
    }
}

static unsigned under_way(void)
{
    struct engine *e = &task_get()->engine;
    unsigned count;

    lock_enter(&e->lock);
    count = e->under_way;
    lock_leave(&e->lock);
    return count;
}

/* Bytes for a process that is stopped wait until it goes on. */
static _Bool bytes_wait(void)
{
    uint8_t *data = calloc(1, large);
    int64_t pid = getpid();

    if (hn_rank() == 0) {
        job_check(hn_recv(task(1), 1, &pid, 1, HN_INT64, NULL) == HN_OK);
        job_check(under_way() == 0);
        job_check(kill((pid_t)pid, SIGSTOP) == 0);
        job_check(hn_send(task(1), 2, data, large, HN_BYTE) == HN_OK);
        job_check(under_way() == 1);
        job_check(kill((pid_t)pid, SIGCONT) == 0);
        job_check(hn_recv(task(1), 3, NULL, 0, HN_BYTE, NULL) == HN_OK);
        job_check(under_way() == 0);
    } else {
        job_check(hn_send(task(0), 1, &pid, 1, HN_INT64) == HN_OK);
        job_check(hn_recv(task(0), 2, data, large, HN_BYTE, NULL) == HN_OK);
        job_check(hn_send(task(0), 3, NULL, 0, HN_BYTE) == HN_OK);
    }
    free(data);
    return true;
}

Test(background, bytes_that_wait_for_the_network_are_under_way)
{
    setenv("HNOW_LOCAL", "tcp", 1);
    large = LESS;
    cr_assert_eq(job_run(2, 60, bytes_wait), 0);
}

/* The receiver computes until the sender's request is done. */
static _Bool receiver_computes(void)
{
    uint8_t *data = malloc(large);
    char go = 0;

    if (hn_rank() == 0) {
        hn_request *r;
        fill(data);
        job_check(hn_recv(task(1), 3, &go, 1, HN_BYTE, NULL) == HN_OK);
        job_check(hn_isend(task(1), 1, data, large, HN_BYTE, &r) == HN_OK);
        job_check(hn_wait(r, NULL) == HN_OK);
        *flag = 1;
    } else {
        job_check(hn_send(task(0), 3, &go, 1, HN_BYTE) == HN_OK);
        compute_until_flag();
        job_check(hn_iprobe(task(0), 1, NULL) == 1);
        job_check(hn_recv(task(0), 1, data, large, HN_BYTE, NULL) == HN_OK);
        job_check(is_filled(data));
    }
    free(data);
    return true;
}

Test(background, moves_while_the_receiver_computes)
{
    for (int k = 0; k < JOB_PATHS; k++) {
        setenv("HNOW_LOCAL", job_paths[k], 1);
        large = k == 0 ? LARGE : LESS;
        make_flag();
        cr_assert_eq(job_run(2, 60, receiver_computes), 0, "path %s", job_paths[k]);
    }
}

/* Waits until the background thread sleeps in the loop, and no call was made for a while. */
static void await_background(struct engine *e)
{
    uint64_t begun = engine_now();
    bool sleeps = false;

    while (!sleeps || engine_now() - begun < 3 * (uint64_t)ENGINE_COLLECT) {
        lock_enter(&e->lock);
        sleeps = e->background_leads && e->polling;
        lock_leave(&e->lock);
    }
}

/* While a long receive is posted, who looks now and then does not get the background thread out of
 * the loop (but something else may, now and then). */
static _Bool looks_now_and_then(void)
{
    struct engine *e = &task_get()->engine;
    uint8_t *data = malloc(LESS);
    int left = 0;

    if (hn_rank() == 0) {
        hn_request *r;
        job_check(hn_irecv(task(1), 1, data, LESS, HN_BYTE, &r) == HN_OK);
        for (int i = 0; i < 100; i++) {
            await_background(e);
            job_check(i % 2 ? hn_test(r, NULL) == 0 : hn_iprobe(task(1), 9, NULL) == 0);
            lock_enter(&e->lock);
            left += e->background_leads && e->polling;
            lock_leave(&e->lock);
        }
        job_check(left > 50);
        job_check(hn_send(task(1), 2, NULL, 0, HN_BYTE) == HN_OK);
        while (hn_test(r, NULL) == 0) /* it comes all the same */
            await_background(e);
    } else {
        job_check(hn_recv(task(0), 2, NULL, 0, HN_BYTE, NULL) == HN_OK);
        job_check(hn_send(task(0), 1, data, LESS, HN_BYTE) == HN_OK);
    }
    free(data);
    return true;
}

Test(background, is_left_alone_by_who_looks_now_and_then)
{
    setenv("HNOW_LOCAL", "tcp", 1);
    cr_assert_eq(job_run(2, 60, looks_now_and_then), 0);
}
