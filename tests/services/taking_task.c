/* taking_task.c - receives that take what comes, and synchronous sends, between all pairs of a
 * job's ranks and of each rank with itself: taking_task */
#include "check.h"
#include "hnow_coll.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { SHORT = 3, LONG = 200000, GO = 7 };

static double data[LONG];

/* A message that is too long is taken, and the one behind it is for the next receive, whether the
 * receives were there before it or come later. */
static void longer(hn_tid to, hn_tid from, size_t sent, int posted)
{
    double begin[SHORT + 1] = {0, 0, 0, -1}, one = 0, next = 42;
    hn_request *cut = NULL, *other = NULL;
    hn_info info;

    if (posted) {
        CHECK(hn_irecv_cut(from, 1, begin, SHORT, HN_DOUBLE, &cut) == HN_OK);
        CHECK(hn_irecv_cut(from, 1, &one, 1, HN_DOUBLE, &other) == HN_OK);
    }
    CHECK(hn_barrier(hn_world()) == HN_OK);
    CHECK(hn_send(to, 1, data, sent, HN_DOUBLE) == HN_OK);
    CHECK(hn_send(to, 1, &next, 1, HN_DOUBLE) == HN_OK);
    CHECK((cut ? hn_wait(cut, &info) : hn_recv_cut(from, 1, begin, SHORT, HN_DOUBLE, &info)) ==
          HN_ETRUNC);
    CHECK(info.count == sent && info.from == from && begin[2] == 2 && begin[3] == -1);
    CHECK((other ? hn_wait(other, NULL) : hn_recv_cut(from, 1, &one, 1, HN_DOUBLE, NULL)) == HN_OK);
    CHECK(one == 42);
}

/* Of another type: its bytes, as many as there is room for. */
static void another_type(hn_tid to, hn_tid from)
{
    double out = 1.5, in = 0;
    char half[4];
    hn_info info;

    for (int i = 0; i < 2; i++)
        CHECK(hn_send(to, 2, &out, 1, HN_DOUBLE) == HN_OK);
    CHECK(hn_recv_cut(from, 2, &in, sizeof in, HN_BYTE, &info) == HN_OK);
    CHECK(in == out && info.type == HN_DOUBLE && info.count == 1);
    CHECK(hn_recv_cut(from, 2, half, sizeof half, HN_INT8, NULL) == HN_ETRUNC);
    CHECK(memcmp(half, &out, sizeof half) == 0);
}

/* A synchronous send ends when the message is taken, not before. */
static void synchronous(hn_tid to, hn_tid from, size_t count)
{
    static double in[LONG];
    hn_request *sent, *taken, *unmatched;
    double other = 0;

    CHECK(hn_irecv(from, 4, &other, 1, HN_DOUBLE, &unmatched) == HN_OK);
    CHECK(hn_issend(to, 3, data, count, HN_DOUBLE, &sent, &taken) == HN_OK);
    CHECK(hn_barrier(hn_world()) == HN_OK);
    CHECK(hn_test(taken, NULL) == 0);
    CHECK(hn_barrier(hn_world()) == HN_OK);
    CHECK(hn_recv(from, 3, in, count, HN_DOUBLE, NULL) == HN_OK && in[count - 1] == count - 1);
    CHECK(hn_wait(taken, NULL) == HN_OK && hn_wait(sent, NULL) == HN_OK);
    CHECK(hn_send(to, 4, data, 1, HN_DOUBLE) == HN_OK);
    CHECK(hn_wait(unmatched, NULL) == HN_OK);
}

/* The receive was posted, and its task waits for something else: the sender is told all the same.
 */
static void told_while_waiting(hn_tid to, hn_tid from)
{
    hn_request *posted, *sent, *taken;
    int in, out = 5, go;

    CHECK(hn_irecv(from, 5, &in, 1, HN_INT, &posted) == HN_OK);
    CHECK(hn_issend(to, 5, &out, 1, HN_INT, &sent, &taken) == HN_OK);
    CHECK(hn_wait(taken, NULL) == HN_OK && hn_wait(sent, NULL) == HN_OK);
    CHECK(hn_send(to, GO, &out, 1, HN_INT) == HN_OK);
    CHECK(hn_recv(from, GO, &go, 1, HN_INT, NULL) == HN_OK);
    CHECK(hn_wait(posted, NULL) == HN_OK && in == 5);
}

/* A thread's message to its own task wakes the one that waits for it: in a receive, or in a probe.
 */
static void *send_to_self(void *context)
{
    static const struct timespec later = {0, 50000000}; /* the other one waits by then */
    int x = 1;

    nanosleep(&later, NULL);
    hn_set_context(*(hn_context *)context);
    CHECK(hn_send(hn_mytid(), 6, &x, 1, HN_INT) == HN_OK);
    return NULL;
}

static void woken(void)
{
    hn_context context = hn_set_context(0);
    pthread_t thread;
    int x;

    hn_set_context(context);
    for (int probing = 0; probing < 2; probing++) {
        CHECK(pthread_create(&thread, NULL, send_to_self, &context) == 0);
        if (probing)
            CHECK(hn_probe(HN_ANY, 6, NULL) == HN_OK);
        CHECK(hn_recv(HN_ANY, 6, &x, 1, HN_INT, NULL) == HN_OK && x == 1);
        CHECK(pthread_join(thread, NULL) == 0);
    }
}

int main(void)
{
    const hn_tid *tids;
    int n;

    CHECK(hn_enrol() == HN_OK);
    n = hn_siblings(&tids);
    for (int i = 0; i < LONG; i++)
        data[i] = i;
    for (int step = 0; step < n; step++) {
        hn_tid to = tids[(hn_rank() + step) % n], from = tids[(hn_rank() + n - step) % n];
        for (int posted = 0; posted < 2; posted++) {
            longer(to, from, SHORT + 1, posted);
            longer(to, from, LONG, posted);
        }
        another_type(to, from);
        synchronous(to, from, 1);
        synchronous(to, from, LONG);
        told_while_waiting(to, from);
    }
    woken();
    /* A receive from anyone ends with an error when all others have ended. */
    CHECK(hn_barrier(hn_world()) == HN_OK);
    if (hn_rank() == 0)
        puts("all taken");
    return hn_exit();
}
