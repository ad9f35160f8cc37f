/* test_complete_many.c - hn_waitall(), hn_waitany(), hn_testany() and hn_sendrecv() between real
 * tasks (job.h): messages of all lengths, collective operations, persistent ones, and failures. */
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "random.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MESSAGES = 12, LONGEST = 400000, ROUNDS = 30, TAG = 5 };

static int me, n;

static hn_tid tid_of(int rank)
{
    return hn_group_tid(hn_world(), (rank + n) % n);
}

static size_t length_of(int round, int i)
{
    uint64_t state = (uint64_t)(round * MESSAGES + i + 1);
    return (size_t)random_below(&state, random_below(&state, 4) ? 2000 : LONGEST);
}

static uint8_t byte_of(int rank, int round, int i)
{
    return (uint8_t)(rank * 97 + round * 31 + i * 7 + 1);
}

static bool is_filled(const uint8_t *data, size_t bytes, uint8_t byte)
{
    bool good = true;
    for (size_t i = 0; i < bytes && good; i++)
        good = data[i] == byte;
    return good;
}

struct exchange {
    hn_request *requests[2 * MESSAGES + 1]; /* receives, sends, and a collective operation */
    uint8_t *in[MESSAGES], *out[MESSAGES];
    int64_t sum;
};
enum { ALL = 2 * MESSAGES + 1 };

/* Each to the next one in the ring. */
static void begin(struct exchange *x, int round)
{
    static const int64_t one = 1;
    for (int i = 0; i < MESSAGES; i++) {
        size_t bytes = length_of(round, i);
        x->in[i] = malloc(LONGEST);
        x->out[i] = malloc(bytes + 1);
        memset(x->out[i], byte_of(me, round, i), bytes);
        job_check(!hn_irecv(tid_of(me - 1), TAG + i, x->in[i], LONGEST, HN_BYTE, &x->requests[i]));
    }
    for (int i = MESSAGES - 1; i >= 0; i--)
        job_check(!hn_isend(tid_of(me + 1), TAG + i, x->out[i], length_of(round, i), HN_BYTE,
                            &x->requests[MESSAGES + i]));
    job_check(
        !hn_iallreduce(&one, &x->sum, 1, HN_INT64, HN_SUM, hn_world(), &x->requests[2 * MESSAGES]));
}

static void check_one(const struct exchange *x, int round, int i, const hn_info *info)
{
    if (i < MESSAGES)
        job_check(info->count == length_of(round, i) && info->from == tid_of(me - 1) &&
                  info->tag == TAG + i &&
                  is_filled(x->in[i], info->count, byte_of((me - 1 + n) % n, round, i)));
    else if (i == 2 * MESSAGES)
        job_check(x->sum == n);
}

static void finish(struct exchange *x)
{
    for (int i = 0; i < ALL; i++)
        job_check(!x->requests[i]);
    for (int i = 0; i < MESSAGES; i++) {
        free(x->in[i]);
        free(x->out[i]);
    }
}

static void all_by_waitall(struct exchange *x, int round)
{
    hn_info infos[ALL];
    int results[ALL];
    job_check(hn_waitall(x->requests, ALL, results, infos) == HN_OK);
    for (int i = 0; i < ALL; i++) {
        job_check(results[i] == HN_OK);
        check_one(x, round, i, &infos[i]);
    }
    job_check(hn_waitall(x->requests, ALL, NULL, NULL) == HN_OK);
}

static void all_one_by_one(struct exchange *x, int round, bool waits)
{
    bool seen[ALL] = {false};
    hn_info info;
    int index = 0, ended = 0, result;
    while (ended < ALL) {
        result = waits ? hn_waitany(x->requests, ALL, &index, &info)
                       : hn_testany(x->requests, ALL, &index, &info);
        if (!waits && result == 0) {
            job_check(index == -1);
            continue;
        }
        job_check(result == (waits ? HN_OK : 1) && index >= 0 && !seen[index]);
        job_check(!x->requests[index]);
        seen[index] = true;
        check_one(x, round, index, &info);
        ended++;
    }
    result = waits ? hn_waitany(x->requests, ALL, &index, &info)
                   : hn_testany(x->requests, ALL, &index, &info);
    job_check(result == (waits ? HN_OK : 1) && index == -1);
}

static _Bool exchanges(void)
{
    me = hn_rank();
    n = hn_size();
    for (int round = random_rounds(ROUNDS); round > 0; round--) {
        struct exchange x;
        begin(&x, round);
        if (round % 3 == 0)
            all_by_waitall(&x, round);
        else
            all_one_by_one(&x, round, round % 3 == 1);
        finish(&x);
    }
    return 1;
}

Test(complete_many, messages_and_operations)
{
    for (int tasks = 1; tasks <= 4; tasks++)
        cr_assert_eq(job_run(tasks, 40, exchanges), 0, "%d tasks", tasks);
}

/* A persistent operation stays in the list, and at rest it is none that could end. */
static _Bool persistent_ones(void)
{
    hn_request *requests[3] = {NULL, NULL, NULL};
    int index, value = hn_rank() == 0 ? 7 : 0, got = 0;
    n = hn_size();
    me = hn_rank();
    job_check(!hn_bcast_init(&value, 1, HN_INT, 0, hn_world(), &requests[1]));
    hn_request *kept = requests[1];
    job_check(hn_waitany(requests, 3, &index, NULL) == HN_OK && index == -1);
    job_check(hn_testany(requests, 3, &index, NULL) == 1 && index == -1);
    for (int round = 0; round < 5; round++) {
        job_check(!hn_start(kept));
        job_check(!hn_irecv(tid_of(me - 1), TAG, &got, 1, HN_INT, &requests[2]));
        job_check(!hn_send(tid_of(me + 1), TAG, &round, 1, HN_INT));
        for (int ended = 0; ended < 2; ended++)
            job_check(hn_waitany(requests, 3, &index, NULL) == HN_OK && index > 0);
        job_check(requests[1] == kept && !requests[2] && got == round && value == 7);
        job_check(hn_waitall(requests, 3, NULL, NULL) == HN_OK && requests[1] == kept);
    }
    return hn_request_free(kept) == HN_OK;
}

Test(complete_many, persistent_operations)
{
    cr_assert_eq(job_run(3, 20, persistent_ones), 0);
}

/* What has failed does not keep the others from ending, and the first one's text stays. */
static _Bool failures(void)
{
    me = hn_rank();
    n = hn_size();
    int small[2], big[8] = {1, 2, 3, 4, 5, 6, 7, 8}, index, results[3], other[8];
    hn_info infos[3];
    hn_request *requests[3] = {NULL, NULL, NULL};
    job_check(hn_waitall(NULL, 1, NULL, NULL) == HN_EARG);
    job_check(hn_waitall(requests, -1, NULL, NULL) == HN_EARG);
    job_check(hn_waitany(NULL, 1, &index, NULL) == HN_EARG);
    job_check(hn_waitany(requests, 3, NULL, NULL) == HN_EARG);
    job_check(hn_testany(requests, 3, NULL, NULL) == HN_EARG);
    job_check(hn_waitall(NULL, 0, NULL, NULL) == HN_OK);
    for (int round = 0; round < 3; round++) {
        job_check(!hn_send(tid_of(me + 1), TAG, big, 8, HN_INT));
        job_check(!hn_send(tid_of(me + 1), TAG + 1, big, 8, HN_INT));
        job_check(!hn_irecv(tid_of(me - 1), TAG, small, 2, HN_INT, &requests[0]));
        job_check(!hn_irecv(tid_of(me - 1), TAG + 1, other, 8, HN_INT, &requests[2]));
        if (round == 0) {
            job_check(hn_waitall(requests, 3, results, infos) == HN_ETRUNC);
            job_check(strstr(hn_error_text(), "8 elements"));
            job_check(results[0] == HN_ETRUNC && infos[0].count == 8);
            job_check(results[1] == HN_OK && results[2] == HN_OK && infos[2].count == 8);
        } else {
            int wrong = 0;
            for (int ended = 0; ended < 2; ended++) {
                int result;
                do
                    result = round == 1 ? hn_waitany(requests, 3, &index, NULL)
                                        : hn_testany(requests, 3, &index, NULL);
                while (round == 2 && result == 0);
                job_check(index == 0 ? result == HN_ETRUNC : index == 2 && result >= 0);
                wrong += result == HN_ETRUNC;
            }
            job_check(wrong == 1);
        }
        job_check(!requests[0] && !requests[2]);
        job_check(!hn_recv(tid_of(me - 1), TAG, big, 8, HN_INT, NULL)); /* it was left there */
    }
    return 1;
}

Test(complete_many, failures_are_told_one_by_one)
{
    cr_assert_eq(job_run(2, 20, failures), 0);
}

/* A ring in which all send at the same time, also what no memory for copies holds. */
static _Bool shifts(void)
{
    me = hn_rank();
    n = hn_size();
    for (int round = 0; round < 6; round++) {
        size_t count = round % 2 ? 5 : (size_t)1 << 20;
        int32_t *out = malloc(count * sizeof *out), *in = malloc(count * sizeof *in);
        hn_info info;
        for (size_t i = 0; i < count; i++)
            out[i] = (int32_t)i + me;
        job_check(hn_sendrecv(tid_of(me + 1), TAG, out, count, HN_INT32, tid_of(me - 1), TAG, in,
                              count, HN_INT32, round % 3 ? &info : NULL) == HN_OK);
        if (round % 3)
            job_check(info.from == tid_of(me - 1) && info.count == count && info.tag == TAG);
        for (size_t i = 0; i < count; i++)
            job_check(in[i] == (int32_t)i + (me - 1 + n) % n);
        free(out);
        free(in);
    }
    return 1;
}

Test(complete_many, sendrecv_in_a_ring)
{
    for (int tasks = 1; tasks <= 3; tasks++)
        cr_assert_eq(job_run(tasks, 30, shifts), 0, "%d tasks", tasks);
}

static _Bool refused(void)
{
    int out = 1, in = 2;
    hn_info info;
    me = hn_rank();
    n = hn_size();
    hn_tid to = tid_of(me + 1), from = tid_of(me - 1);
    /* What has arrived stays, too. */
    job_check(hn_send(to, TAG, &out, 1, HN_INT) == HN_OK);
    job_check(hn_probe(from, TAG, &info) == HN_OK);
    job_check(hn_sendrecv(to, -3, &out, 1, HN_INT, from, TAG, &in, 1, HN_INT, NULL) == HN_EARG);
    job_check(strstr(hn_error_text(), "tag -3"));
    job_check(hn_sendrecv(to, TAG, &out, 1, 77, from, TAG, &in, 1, HN_INT, NULL) == HN_EARG);
    job_check(hn_sendrecv(to, TAG, &out, 1, HN_INT, 0, TAG, &in, 1, HN_INT, NULL) == HN_EARG);
    job_check(hn_sendrecv(to, TAG, &out, 1, HN_INT, from, TAG, NULL, 1, HN_INT, NULL) == HN_EARG);
    job_check(hn_recv(from, TAG, &in, 1, HN_INT, NULL) == HN_OK && in == 1);
    in = 2;
    /* None of these has sent, or left a receive behind, which would take this one. */
    job_check(hn_sendrecv(to, TAG, &out, 1, HN_INT, from, TAG, &in, 1, HN_INT, &info) == HN_OK);
    job_check(in == 1 && hn_iprobe(from, HN_ANY, &info) == 0);
    return hn_barrier(hn_world()) == HN_OK; /* nobody leaves before */
}

Test(complete_many, sendrecv_does_nothing_by_half)
{
    cr_assert_eq(job_run(2, 20, refused), 0);
}

/* Who polls for the end of long sends sees it, though the receiver has gone on to wait for somebody
 * who waits for the sender. */
static _Bool polled_sends(void)
{
    static uint8_t data[2][LONGEST];
    hn_request *requests[2];
    int round, index;
    me = hn_rank();
    n = hn_size();
    for (round = 0; round < ROUNDS; round++) {
        if (me == 0) {
            for (int i = 0; i < 2; i++)
                job_check(!hn_isend(tid_of(1), TAG + i, data[i], LONGEST, HN_BYTE, &requests[i]));
            for (int i = 0; i < 2; i++)
                while (round % 2 ? !hn_test(requests[i], NULL)
                                 : !hn_testany(requests, 2, &index, NULL))
                    continue;
            job_check(!hn_send(tid_of(2), TAG, &round, 1, HN_INT));
        } else if (me == 1) {
            for (int i = 0; i < 2; i++)
                job_check(!hn_irecv(tid_of(0), TAG + i, data[i], LONGEST, HN_BYTE, &requests[i]));
            job_check(!hn_waitall(requests, 2, NULL, NULL));
            job_check(!hn_recv(tid_of(2), TAG, &index, 1, HN_INT, NULL) && index == round);
        } else {
            job_check(!hn_recv(tid_of(0), TAG, &index, 1, HN_INT, NULL));
            job_check(!hn_send(tid_of(1), TAG, &index, 1, HN_INT));
        }
    }
    return 1;
}

Test(complete_many, the_end_of_a_polled_send_is_seen)
{
    const char *before = getenv("HNOW_LOCAL");
    for (int path = 0; path < JOB_PATHS; path++) {
        setenv("HNOW_LOCAL", job_paths[path], 1);
        cr_assert_eq(job_run(3, 20, polled_sends), 0, "%s", job_paths[path]);
    }
    if (!before)
        unsetenv("HNOW_LOCAL");
}

static _Bool clock_runs(void)
{
    double first = hn_wtime(), second = hn_wtime();
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    double now = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
    return first > 0 && second >= first && now >= second;
}

Test(complete_many, wtime_is_the_monotonic_clock)
{
    cr_assert_eq(job_run(1, 10, clock_runs), 0);
}
