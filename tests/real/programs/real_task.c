/* real_task.c - a task for the tests on real hosts: real_task WHAT [NUMBER]
 *     ring          every rank sends its rank to the next, and prints what came from the one before
 *     pairs         every rank sends to every other; prints how many messages were right
 *     stream N      rank 0 sends N numbered messages to each other rank, sizes from 0 to 64 KB;
 *                   they check number, order and content, and print what they received
 *     token N       a number goes round N times, from rank to rank
 *     steady        all ranks pass a number round for ever; when all do, rank 0 prints "going"
 *     wait          rank 0 waits for a message that nobody sends, the others for one from rank 0
 *     compute       prints "computing" and computes for ever without calling the library
 *     quit          ends with status 0 but without hn_exit()
 *     leave         hn_exit() and status 0
 *     fail N R      rank R ends with status N, the others wait for it
 *     crash N R     rank R ends by signal N in the middle of passing a number round
 */
#include "hnow.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 65536, TAG = 1 };

static hn_tid task(int rank)
{
    return hn_group_tid(hn_world(), rank);
}

/* One message round the ring; 0, or an error. */
static int pass_round(int number)
{
    int n = hn_size(), me = hn_rank(), got = -1, error;

    if ((error = hn_send(task((me + 1) % n), TAG, &number, 1, HN_INT)))
        return error;
    error = hn_recv(task((me + n - 1) % n), TAG, &got, 1, HN_INT, NULL);
    return error ? error : got != number;
}

/* Only one of them sends at a time. */
static int token(int rounds)
{
    int n = hn_size(), me = hn_rank(), got = 0, wrong = 0;

    for (int k = 0; k < rounds && !wrong; k++) {
        if (me > 0)
            wrong = hn_recv(task(me - 1), TAG, &got, 1, HN_INT, NULL) || got != k;
        wrong = wrong || hn_send(task((me + 1) % n), TAG, &k, 1, HN_INT);
        if (me == 0 && !wrong)
            wrong = hn_recv(task(n - 1), TAG, &got, 1, HN_INT, NULL) || got != k;
    }
    return wrong;
}

static int ring(void)
{
    int n = hn_size(), me = hn_rank(), got = -1;

    if (hn_send(task((me + 1) % n), TAG, &me, 1, HN_INT) ||
        hn_recv(HN_ANY, TAG, &got, 1, HN_INT, NULL))
        return 1;
    printf("rank %d of %d on %s got %d\n", me, n, hn_host_of(hn_mytid()), got);
    return 0;
}

static int pairs(void)
{
    int me = hn_rank(), right = 0;

    for (int r = 0; r < hn_size(); r++)
        if (hn_send(task(r), TAG, &me, 1, HN_INT))
            return 1;
    for (int r = 0, got; r < hn_size(); r++) {
        if (hn_recv(task(r), TAG, &got, 1, HN_INT, NULL))
            return 1;
        right += got == r;
    }
    printf("rank %d: %d of %d\n", me, right, hn_size());
    return 0;
}

static size_t length_of(int number)
{
    return number % 7 == 0 ? 0 : (size_t)((uint32_t)number * 2654435761u % LONGEST);
}

static void fill(unsigned char *data, size_t n, int number)
{
    for (size_t i = 0; i < n; i++)
        data[i] = (unsigned char)(i * 31 + (size_t)number);
}

static int stream_out(int messages)
{
    static unsigned char data[LONGEST];

    for (int k = 0; k < messages; k++) {
        fill(data, length_of(k), k);
        for (int r = 1; r < hn_size(); r++)
            if (hn_send(task(r), TAG, data, length_of(k), HN_BYTE))
                return 1;
    }
    return 0;
}

static int stream_in(int messages)
{
    static unsigned char got[LONGEST], wanted[LONGEST];
    hn_info info;
    int right = 0;

    for (int k = 0; k < messages; k++) {
        if (hn_recv(task(0), TAG, got, LONGEST, HN_BYTE, &info))
            return 1;
        fill(wanted, length_of(k), k);
        right += info.count == length_of(k) && memcmp(got, wanted, info.count) == 0;
    }
    printf("rank %d: %d of %d right\n", hn_rank(), right, messages);
    return right != messages;
}

static int steady(int crash_signal, int crash_rank)
{
    for (int k = 0;; k++) {
        if (pass_round(k))
            return 1;
        if (k == hn_size() && hn_rank() == 0) { /* each round tells of one rank more */
            puts("going");
            fflush(stdout);
        }
        if (k == 200 && crash_signal && hn_rank() == crash_rank)
            raise(crash_signal);
    }
}

static int compute(void)
{
    volatile uint64_t sum = 0;

    puts("computing");
    fflush(stdout);
    while (sum < UINT64_MAX)
        sum++;
    return 0;
}

static int waiting(int from)
{
    int got;

    puts("waiting");
    fflush(stdout);
    return hn_recv(from < 0 ? HN_ANY : task(from), TAG, &got, 1, HN_INT, NULL) != 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int number = argc > 2 ? atoi(argv[2]) : 0, rank = argc > 3 ? atoi(argv[3]) : 0, wrong = 2;

    if (hn_enrol()) {
        fprintf(stderr, "real_task: %s\n", hn_error_text());
        return 9;
    }
    if (strcmp(what, "quit") == 0)
        _exit(0);
    else if (strcmp(what, "fail") == 0)
        wrong = hn_rank() == rank ? number : waiting(rank);
    else if (strcmp(what, "crash") == 0)
        wrong = steady(number, rank);
    else if (strcmp(what, "steady") == 0)
        wrong = steady(0, 0);
    else if (strcmp(what, "token") == 0)
        wrong = token(number);
    else if (strcmp(what, "ring") == 0)
        wrong = ring();
    else if (strcmp(what, "pairs") == 0)
        wrong = pairs();
    else if (strcmp(what, "stream") == 0)
        wrong = hn_rank() == 0 ? stream_out(number) : stream_in(number);
    else if (strcmp(what, "compute") == 0)
        wrong = compute();
    else if (strcmp(what, "wait") == 0)
        wrong = waiting(hn_rank() == 0 ? -1 : 0);
    else if (strcmp(what, "leave") == 0)
        wrong = 0;
    if (wrong && wrong != number)
        fprintf(stderr, "real_task: rank %d: %s\n", hn_rank(), hn_error_text());
    return wrong ? wrong : hn_exit() != 0;
}
