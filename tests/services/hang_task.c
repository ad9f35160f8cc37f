/* hang_task.c - jobs that hang, for the tests of what hrun says then: hang_task HOW
 *     late        the last rank computes until there is a file "go"; the others receive from it
 *     skip        the last rank skips a barrier and receives from rank 0 instead
 *     mismatch    the last rank is in hn_reduce(), the others in hn_bcast(); says what they say
 *     threads     rank 0 receives in two threads, rank 1 in hn_probe(); the last computes
 *     joined      the last rank waits for a value under a name, those before it in a barrier of a
 *                 group that nobody else joins, rank 0 in a freezing of it
 *     exit        rank 0 has left the job, and runs on
 * Rank 0 prints "ready", and all their pids, once the others are about to hang.
 */
#include "check.h"

#include "hnow_coll.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 5, GO = 6 };

static hn_tid task(int rank)
{
    return hn_group_tid(hn_world(), rank);
}

/* Computes; looks for the file now and then. */
static void compute(void)
{
    volatile double x = 1;
    while (access("go", F_OK))
        for (int i = 0; i < 1000000; i++)
            x = x * 1.0000001;
}

static void receive_from(int rank, int tag)
{
    int nothing;
    CHECK(hn_recv(task(rank), tag, &nothing, 1, HN_INT, NULL) == HN_OK);
}

static void late(int me, int last)
{
    if (me != last) {
        receive_from(last, TAG);
        return;
    }
    compute();
    for (int rank = 0; rank < last; rank++)
        CHECK(hn_send(task(rank), TAG, &me, 1, HN_INT) == HN_OK);
}

static void *receive_too(void *arg)
{
    receive_from(*(int *)arg, GO);
    return NULL;
}

static void threads(int me, int last)
{
    pthread_t thread;
    if (me == 1)
        hn_probe(HN_ANY, GO, NULL);
    if (me == last)
        compute();
    CHECK(!pthread_create(&thread, NULL, receive_too, &last));
    receive_from(last, TAG);
    pthread_join(thread, NULL);
}

static void mismatch(int me, int last)
{
    int in = me, out = 0;
    int error = me == last ? hn_reduce(&in, &out, 1, HN_INT, HN_SUM, last, hn_world())
                           : hn_bcast(&in, 1, HN_INT, last, hn_world());
    if (error)
        printf("%d: %s\n", error, hn_error_text());
}

static void joined(int me, int last)
{
    hn_group *group;
    if (me == last) {
        hn_name_get("v", HN_ANY, 0, -1, NULL, NULL);
        return;
    }
    CHECK(hn_join("g") >= 0);
    if (me == 0)
        hn_joined_freeze("g", 2, &group);
    hn_joined_barrier("g", last + 1);
}

int main(int argc, char **argv)
{
    if (argc < 2 || hn_enrol())
        return 9;
    const char *how = argv[1];
    int me = hn_rank(), last = hn_size() - 1, pid = getpid();
    for (int rank = 1; rank <= last && me == 0; rank++) {
        CHECK(hn_recv(task(rank), TAG, &pid, 1, HN_INT, NULL) == HN_OK);
        printf("rank %d pid %d\n", rank, pid);
    }
    if (me == 0) {
        puts("ready");
        fflush(stdout);
    } else {
        CHECK(hn_send(task(0), TAG, &pid, 1, HN_INT) == HN_OK);
    }
    if (strcmp(how, "late") == 0)
        late(me, last);
    if (strcmp(how, "skip") == 0 && me == last)
        receive_from(0, TAG);
    if (strcmp(how, "skip") == 0 && me != last)
        hn_barrier(hn_world());
    if (strcmp(how, "mismatch") == 0)
        mismatch(me, last);
    if (strcmp(how, "threads") == 0)
        threads(me, last);
    if (strcmp(how, "joined") == 0)
        joined(me, last);
    if (strcmp(how, "exit") == 0 && me == 0) {
        CHECK(hn_exit() == HN_OK);
        compute();
        return 0;
    }
    if (strcmp(how, "exit") == 0)
        compute();
    return hn_exit() ? 7 : 0;
}
