/* test_cancel.c - receives that are taken back (hn_cancel): before their message comes, while it
 * comes, and while another thread waits for them. */
#include "hnow.h"
#include "job.h"
#include "job/task.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static hn_tid task(int rank)
{
    return hn_group_tid(hn_world(), rank);
}

static _Bool taking_back(void)
{
    int got = 0, other = 0;
    hn_request *r;

    if (hn_rank() == 1) {
        job_check(hn_recv(task(0), 2, NULL, 0, HN_BYTE, NULL) == HN_OK);
        for (int value = 5; value < 7; value++)
            job_check(hn_send(task(0), 1, &value, 1, HN_INT) == HN_OK);
        return true;
    }
    job_check(hn_irecv(task(1), 1, &got, 1, HN_INT, &r) == HN_OK);
    job_check(hn_cancel(r) == HN_OK && hn_cancel(r) == HN_OK);
    job_check(hn_wait(r, NULL) == HN_ECANCEL && strlen(hn_error_text()) > 0);
    job_check(hn_irecv(task(1), 1, &got, 1, HN_INT, &r) == HN_OK);
    job_check(hn_cancel(r) == HN_OK && hn_test(r, NULL) == HN_ECANCEL);
    job_check(hn_send(task(1), 2, NULL, 0, HN_BYTE) == HN_OK);
    job_check(hn_recv(task(1), 1, &other, 1, HN_INT, NULL) == HN_OK && other == 5 && got == 0);
    job_check(hn_probe(task(1), 1, NULL) == HN_OK);
    job_check(hn_irecv(task(1), 1, &got, 1, HN_INT, &r) == HN_OK); /* it is there already */
    job_check(hn_cancel(r) == HN_OK && hn_wait(r, NULL) == HN_OK && got == 6);
    job_check(hn_isend(task(0), 3, &got, 1, HN_INT, &r) == HN_OK);
    job_check(hn_cancel(r) == HN_EARG && hn_wait(r, NULL) == HN_OK);
    return hn_cancel(NULL) == HN_EARG;
}

Test(cancel, receives_can_be_taken_back)
{
    cr_assert_eq(job_run(2, 20, taking_back), 0);
}

static void *wait_for_it(void *request)
{
    return (void *)(intptr_t)hn_wait(request, NULL);
}

/* Another thread waits for the receive: it hears that it is taken back, and not too early. */
static _Bool racing(void)
{
    enum { ROUNDS = 300, COUNT = 3000 };
    static int data[COUNT], other[COUNT];
    pthread_t waiter;
    hn_request *r;
    void *result;
    int taken = 0;

    for (int round = 1; round <= ROUNDS; round++) {
        if (hn_rank() == 1) {
            for (int i = 0; i < COUNT; i++)
                data[i] = round;
            job_check(hn_recv(task(0), 2, NULL, 0, HN_BYTE, NULL) == HN_OK);
            job_check(hn_send(task(0), 1, data, COUNT, HN_INT) == HN_OK);
            continue;
        }
        data[0] = data[COUNT - 1] = other[0] = other[COUNT - 1] = 0;
        job_check(hn_irecv(task(1), 1, data, COUNT, HN_INT, &r) == HN_OK);
        pthread_create(&waiter, NULL, wait_for_it, r);
        if (round % 2)
            job_check(hn_send(task(1), 2, NULL, 0, HN_BYTE) == HN_OK);
        for (int i = 0; i < round % 37; i++)
            sched_yield();
        job_check(round % 2 || hn_cancel(r) == HN_OK);
        if (round % 2 == 0)
            job_check(hn_send(task(1), 2, NULL, 0, HN_BYTE) == HN_OK);
        pthread_join(waiter, &result);
        job_check((intptr_t)result == (round % 2 ? HN_OK : HN_ECANCEL));
        if ((intptr_t)result == HN_ECANCEL)
            job_check(hn_recv(task(1), 1, other, COUNT, HN_INT, NULL) == HN_OK && data[0] == 0);
        const int *got = (intptr_t)result == HN_OK ? data : other;
        job_check(got[0] == round && got[COUNT - 1] == round);
        taken += (intptr_t)result == HN_ECANCEL;
    }
    return hn_rank() == 1 || taken == ROUNDS / 2;
}

Test(cancel, a_receive_is_taken_back_while_another_thread_waits)
{
    cr_assert_eq(job_run(2, 60, racing), 0);
}

static void *receive(void *unused)
{
    (void)unused;
    int result = hn_recv(task(1), 1, NULL, 0, HN_BYTE, NULL);
    return strstr(hn_error_text(), "hn_exit()") ? (void *)(intptr_t)result : NULL;
}

static void *look_for(void *unused)
{
    (void)unused;
    int result = hn_probe(HN_ANY, 1, NULL);
    return strstr(hn_error_text(), "hn_exit()") ? (void *)(intptr_t)result : NULL;
}

static void *ask(void *unused)
{
    hn_request *r;
    (void)unused;
    job_check(hn_irecv(HN_ANY, 1, NULL, 0, HN_BYTE, &r) == HN_OK);
    int result = hn_wait(r, NULL);
    return strstr(hn_error_text(), "hn_exit()") ? (void *)(intptr_t)result : NULL;
}

/* Threads that wait are sent away when another one leaves the job. */
static _Bool leaving(void)
{
    void *(*const waits[])(void *) = {receive, look_for, ask};
    pthread_t waiter[3];
    void *result;

    if (hn_rank() == 1)
        return hn_recv(task(0), 1, NULL, 0, HN_BYTE, NULL) == HN_EDEAD;
    for (int i = 0; i < 3; i++)
        pthread_create(&waiter[i], NULL, waits[i], NULL);
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    job_check(hn_exit() == HN_OK);
    for (int i = 0; i < 3; i++) {
        pthread_join(waiter[i], &result);
        job_check((intptr_t)result == HN_ESTATE);
    }
    return true;
}

Test(cancel, threads_that_wait_are_sent_away_when_one_leaves)
{
    cr_assert_eq(job_run(2, 20, leaving), 0);
}

/* Taken back by the thread that has posted it, while the message comes. */
static _Bool racing_message(void)
{
    enum { ROUNDS = 400, COUNT = 100000 };
    static char data[COUNT], other[COUNT];
    hn_request *r;

    for (int round = 1; round <= ROUNDS; round++) {
        size_t count = round % 3 ? 100 : COUNT;
        if (hn_rank() == 1) {
            memset(data, round, count);
            job_check(hn_recv(task(0), 2, NULL, 0, HN_BYTE, NULL) == HN_OK);
            job_check(hn_send(task(0), 1, data, count, HN_CHAR) == HN_OK);
            continue;
        }
        data[0] = data[count - 1] = 0;
        job_check(hn_irecv(task(1), 1, data, count, HN_CHAR, &r) == HN_OK);
        job_check(hn_send(task(1), 2, NULL, 0, HN_BYTE) == HN_OK);
        for (int i = 0; i < round % 50; i++)
            job_check(hn_iprobe(task(1), 3, NULL) == 0);
        job_check(hn_cancel(r) == HN_OK);
        int result = hn_wait(r, NULL);
        job_check(result == HN_OK || result == HN_ECANCEL);
        if (result == HN_ECANCEL) {
            job_check(data[0] == 0 && data[count - 1] == 0);
            job_check(hn_recv(task(1), 1, other, count, HN_CHAR, NULL) == HN_OK);
        }
        const char *got = result == HN_OK ? data : other;
        job_check(got[0] == (char)round && got[count - 1] == (char)round);
    }
    return true;
}

Test(cancel, a_receive_is_taken_back_while_its_message_comes)
{
    for (size_t i = 0; i < JOB_PATHS; i++) {
        setenv("HNOW_LOCAL", job_paths[i], 1);
        cr_assert_eq(job_run(2, 60, racing_message), 0, "path %s", job_paths[i]);
    }
    unsetenv("HNOW_LOCAL");
}

/* ---- what counts as a transfer that nobody waits for --------------------------------------------
 */

static unsigned transfers(void)
{
    return task_get()->engine.transfers;
}

/* Long sends and receives keep the background thread at work until they have been ended, however
 * that is: waited for, tested, taken back, or failed since the other task has gone. */
static _Bool end_transfers(void)
{
    enum { LONG = 1 << 20 };
    static char out[4][LONG], in[4][LONG];
    hn_request *sends[3], *receives[4];
    hn_tid other = task(1 - hn_rank());

    for (int i = 0; i < 3; i++)
        job_check(hn_irecv(other, i, in[i], LONG, HN_CHAR, &receives[i]) == HN_OK);
    for (int i = 0; i < 3; i++)
        job_check(hn_isend(other, i, out[i], LONG, HN_CHAR, &sends[i]) == HN_OK);
    for (int i = 0; i < 3; i++) {
        job_check(hn_wait(sends[i], NULL) == HN_OK);
        while (i == 2 && hn_test(receives[i], NULL) == 0)
            ;
        job_check(i == 2 || hn_wait(receives[i], NULL) == HN_OK);
    }
    job_check(transfers() == 0);
    job_check(hn_irecv(other, 9, in[0], LONG, HN_CHAR, &receives[0]) == HN_OK && transfers() == 1);
    job_check(hn_cancel(receives[0]) == HN_OK && hn_wait(receives[0], NULL) == HN_ECANCEL);
    job_check(hn_isend(-7, 1, out[0], LONG, HN_CHAR, &sends[0]) == HN_EARG);
    job_check(hn_isend(task(hn_rank()), 1, out[0], LONG, HN_CHAR, &sends[0]) == HN_OK);
    job_check(hn_irecv(task(hn_rank()), 1, in[0], LONG, HN_CHAR, &receives[0]) == HN_OK);
    job_check(hn_wait(sends[0], NULL) == HN_OK && hn_wait(receives[0], NULL) == HN_OK);
    job_check(transfers() == 0);
    if (hn_rank() == 0) /* leaves when the other one has posted a receive */
        return hn_recv(other, 8, NULL, 0, HN_CHAR, NULL) == HN_OK;
    job_check(hn_irecv(other, 9, in[0], LONG, HN_CHAR, &receives[0]) == HN_OK);
    job_check(hn_send(other, 8, NULL, 0, HN_CHAR) == HN_OK);
    job_check(hn_wait(receives[0], NULL) == HN_EDEAD && transfers() == 0);
    if (hn_isend(other, 9, out[0], LONG, HN_CHAR, &sends[0]) == HN_OK)
        job_check(hn_wait(sends[0], NULL) != HN_OK);
    return transfers() == 0;
}

Test(cancel, transfers_end_with_their_requests)
{
    for (size_t i = 0; i < JOB_PATHS; i++) {
        setenv("HNOW_LOCAL", job_paths[i], 1);
        cr_assert_eq(job_run(2, 60, end_transfers), 0, "path %s", job_paths[i]);
    }
    unsetenv("HNOW_LOCAL");
}

/* Processor time of this process besides the calling thread. */
static double time_of_others(void)
{
    struct timespec all, mine;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &all);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mine);
    return (double)(all.tv_sec - mine.tv_sec) + 1e-9 * (double)(all.tv_nsec - mine.tv_nsec);
}

static double time_of_mine(void)
{
    struct timespec mine;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mine);
    return (double)mine.tv_sec + 1e-9 * (double)mine.tv_nsec;
}

/* A long receive whose message never comes, posted all the time: the background thread waits for it
 * in the kernel, not by looking again and again. */
static _Bool posted_in_vain(void)
{
    static char in[1 << 20];
    hn_request *r;
    double begun, others;

    job_check(hn_irecv(task(1 - hn_rank()), 1, in, sizeof in, HN_CHAR, &r) == HN_OK);
    begun = time_of_mine();
    others = time_of_others();
    while (time_of_mine() - begun < 0.5)
        ;
    job_check(time_of_others() - others < 0.05);
    return hn_cancel(r) == HN_OK && hn_wait(r, NULL) != HN_OK; /* or the other one has ended */
}

Test(cancel, a_receive_that_never_comes_costs_nothing)
{
    cr_assert_eq(job_run(2, 60, posted_in_vain), 0);
}
