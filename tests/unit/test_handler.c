/* test_handler.c - functions called for messages, in whole jobs of a few tasks. */
#include "hnow.h"
#include "job.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { WORK = 5, STOP = 6, MORE = 7, ANSWER = 8, N = 500 };

static hn_tid tid_of(int rank)
{
    return hn_group_tid(hn_world(), rank);
}

static int rank_of(hn_tid tid)
{
    return hn_group_rank(hn_world(), tid);
}

/* ---- order ---- */

struct record {
    int next[JOB_MAX]; /* [rank]: the number that it sends next */
    pthread_t thread;
};

static void on_number(const hn_info *info, hn_buffer *message, void *data)
{
    struct record *record = data;
    int number = -1, rank = rank_of(info->from);
    job_check(info->tag == WORK && info->type == HN_INT && info->count == 1);
    job_check(hn_unpack(message, &number, 1, HN_INT, 1) == HN_OK);
    job_check(number == record->next[rank]++);
    job_check(pthread_equal(record->thread, pthread_self()));
}

/* All that came before a message that is received has been handled then. */
static bool numbers_in_order(void)
{
    if (hn_rank() > 0) {
        for (int i = 0; i < N; i++)
            job_check(hn_send(tid_of(0), WORK, &i, 1, HN_INT) == HN_OK);
        return hn_send(tid_of(0), STOP, NULL, 0, HN_INT) == HN_OK;
    }
    struct record record = {.thread = pthread_self()};
    int handler = hn_handler_add(HN_ANY, WORK, on_number, &record);
    job_check(handler >= 0);
    for (int rank = hn_size() - 1; rank > 0; rank--) {
        job_check(hn_recv(tid_of(rank), HN_ANY, NULL, 0, HN_INT, NULL) == HN_OK);
        job_check(record.next[rank] == N);
    }
    job_check(hn_handler_remove(handler) == HN_OK && hn_handler_remove(handler) == HN_EARG);
    return hn_iprobe(HN_ANY, HN_ANY, NULL) != 1;
}

Test(handler, numbers_come_in_order)
{
    cr_assert_eq(job_run(4, 20, numbers_in_order), 0);
}

/* ---- a server that only waits ---- */

static void on_question(const hn_info *info, hn_buffer *message, void *data)
{
    int more = 0, question = 0;
    char word[20];
    (void)data;
    job_check(info->type == HN_PACKED && hn_unpack_string(message, word, sizeof word) == HN_OK);
    job_check(strcmp(word, "add") == 0 && hn_unpack(message, &question, 1, HN_INT, 1) == HN_OK);
    job_check(hn_recv(info->from, MORE, &more, 1, HN_INT, NULL) == HN_OK);
    more += question;
    job_check(hn_send(info->from, ANSWER, &more, 1, HN_INT) == HN_OK);
}

static bool ask_and_answer(void)
{
    hn_buffer *buffer = hn_buffer_new();
    if (hn_rank() == 0) {
        job_check(hn_handler_add(HN_ANY, WORK, on_question, NULL) >= 0);
        for (int rank = 1; rank < hn_size(); rank++)
            job_check(hn_recv(HN_ANY, STOP, NULL, 0, HN_INT, NULL) == HN_OK);
    }
    for (int i = 0; hn_rank() > 0 && i < 50; i++) {
        int answer = 0;
        hn_buffer_clear(buffer);
        job_check(hn_pack_string(buffer, "add") == HN_OK);
        job_check(hn_pack(buffer, &i, 1, HN_INT, 1) == HN_OK);
        job_check(hn_send_buffer(tid_of(0), WORK, buffer) == HN_OK);
        job_check(hn_send(tid_of(0), MORE, &i, 1, HN_INT) == HN_OK);
        job_check(hn_recv(tid_of(0), ANSWER, &answer, 1, HN_INT, NULL) == HN_OK);
        job_check(answer == 2 * i);
    }
    if (hn_rank() > 0)
        job_check(hn_send(tid_of(0), STOP, NULL, 0, HN_INT) == HN_OK);
    hn_buffer_free(buffer);
    return true;
}

Test(handler, a_handler_receives_and_answers)
{
    cr_assert_eq(job_run(4, 20, ask_and_answer), 0);
}

/* ---- whose a message is ---- */

static void count(const hn_info *info, hn_buffer *message, void *data)
{
    (void)info, (void)message;
    ++*(int *)data;
}

static void send_self(hn_context context, int tag)
{
    hn_context before = hn_set_context(context);
    job_check(hn_send(hn_mytid(), tag, &tag, 1, HN_INT) == HN_OK);
    hn_set_context(before);
}

static bool whose(void)
{
    int all = 0, some = 0, got = 0, handler[2];
    hn_info info;
    send_self(0, 1);
    send_self(0, 2);
    send_self(0, 1);
    job_check((handler[0] = hn_handler_add(hn_mytid(), 1, count, &some)) >= 0);
    job_check(some == 2);
    job_check((handler[1] = hn_handler_add(HN_ANY, HN_ANY, count, &all)) >= 0);
    job_check(all == 1);
    send_self(0, 1);
    send_self(0x20000, 1);
    job_check(some == 3 && all == 1);
    job_check(hn_handler_remove(handler[0]) == HN_OK);
    send_self(0, 1);
    job_check(some == 3 && all == 2);
    job_check(hn_handler_remove(handler[1]) == HN_OK);
    send_self(0, 3);
    job_check(some == 3 && all == 2);
    job_check(hn_recv(HN_ANY, HN_ANY, &got, 1, HN_INT, &info) == HN_OK && got == 3);
    hn_set_context(0x20000);
    job_check(hn_recv(HN_ANY, HN_ANY, &got, 1, HN_INT, &info) == HN_OK && got == 1);
    hn_set_context(0);
    job_check(hn_handler_add(0, 1, count, NULL) == HN_EARG);
    job_check(hn_handler_add(HN_ANY, -7, count, NULL) == HN_EARG);
    return hn_handler_add(HN_ANY, 1, NULL, NULL) == HN_EARG;
}

Test(handler, who_gets_a_message)
{
    cr_assert_eq(job_run(1, 10, whose), 0);
}

/* ---- inside a handler ---- */

struct nest {
    int depth, calls;
    int handler;
};

/* Sends itself further messages, whose turn is later, and removes itself in the end. */
static void on_nested(const hn_info *info, hn_buffer *message, void *data)
{
    struct nest *nest = data;
    hn_context context = hn_set_context(0);
    hn_set_context(context);
    (void)message;
    job_check(context == 0x30000 && nest->depth++ == 0);
    if (nest->calls++ < 10)
        job_check(hn_send(info->from, WORK, NULL, 0, HN_INT) == HN_OK);
    if (nest->calls == 6)
        job_check(hn_handler_remove(nest->handler) == HN_OK);
    nest->depth--;
}

static bool nested(void)
{
    struct nest nest = {0};
    hn_set_context(0x30000);
    nest.handler = hn_handler_add(HN_ANY, WORK, on_nested, &nest);
    job_check(hn_send(hn_mytid(), WORK, NULL, 0, HN_INT) == HN_OK);
    job_check(nest.calls == 6);
    return hn_recv(HN_ANY, WORK, NULL, 0, HN_INT, NULL) == HN_OK;
}

Test(handler, one_runs_at_a_time)
{
    cr_assert_eq(job_run(1, 10, nested), 0);
}

/* ---- several threads ---- */

static atomic_int inside, handled;

static void on_shared(const hn_info *info, hn_buffer *message, void *data)
{
    (void)info, (void)message, (void)data;
    job_check(atomic_fetch_add(&inside, 1) == 0);
    job_check(hn_send(info->from, ANSWER, NULL, 0, HN_INT) == HN_OK);
    atomic_fetch_add(&handled, 1);
    atomic_fetch_sub(&inside, 1);
}

static void *wait_for_stop(void *from)
{
    job_check(hn_recv(*(hn_tid *)from, STOP, NULL, 0, HN_INT, NULL) == HN_OK);
    return NULL;
}

/* One waits for each of the others; whoever of them drives the loop calls the function. */
static bool threads(void)
{
    pthread_t thread[JOB_MAX];
    hn_tid from[JOB_MAX];
    if (hn_rank() > 0) {
        for (int i = 0; i < 100; i++) {
            job_check(hn_send(tid_of(0), WORK, &i, 1, HN_INT) == HN_OK);
            job_check(hn_recv(tid_of(0), ANSWER, NULL, 0, HN_INT, NULL) == HN_OK);
        }
        return hn_send(tid_of(0), STOP, NULL, 0, HN_INT) == HN_OK;
    }
    job_check(hn_handler_add(HN_ANY, WORK, on_shared, NULL) >= 0);
    for (int rank = 1; rank < hn_size(); rank++) {
        from[rank] = tid_of(rank);
        pthread_create(&thread[rank], NULL, wait_for_stop, &from[rank]);
    }
    for (int rank = 1; rank < hn_size(); rank++)
        pthread_join(thread[rank], NULL);
    return atomic_load(&handled) == 100 * (hn_size() - 1);
}

Test(handler, any_waiting_thread_calls_it)
{
    cr_assert_eq(job_run(4, 30, threads), 0);
}

/* ---- large messages ---- */

static void on_large(const hn_info *info, hn_buffer *message, void *data)
{
    static double numbers[N * N];
    job_check(info->count == N * N);
    job_check(hn_unpack(message, numbers, N * N, HN_DOUBLE, 1) == HN_OK);
    job_check(numbers[N * N - 1] == N * N - 1);
    ++*(int *)data;
}

/* More than the inbox holds comes while only a handler takes it. */
static bool large(void)
{
    static double numbers[N * N];
    int calls = 0;
    for (int i = 0; i < N * N; i++)
        numbers[i] = i;
    if (hn_rank() > 0) {
        for (int i = 0; i < 10; i++)
            job_check(hn_send(tid_of(0), WORK, numbers, N * N, HN_DOUBLE) == HN_OK);
        return hn_send(tid_of(0), STOP, NULL, 0, HN_INT) == HN_OK;
    }
    job_check(hn_handler_add(HN_ANY, WORK, on_large, &calls) >= 0);
    for (int rank = 1; rank < hn_size(); rank++)
        job_check(hn_recv(tid_of(rank), STOP, NULL, 0, HN_INT, NULL) == HN_OK);
    return calls == 10 * (hn_size() - 1);
}

Test(handler, messages_beyond_the_inbox)
{
    setenv("HNOW_INBOX", "3000000", 1);
    cr_assert_eq(job_run(3, 30, large), 0);
}
