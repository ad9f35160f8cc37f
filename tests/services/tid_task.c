/* tid_task.c - what is no tid of the job is refused at once, by every call: tid_task WHAT
 *     refused   ranks, numbers that were never given, names of hosts; all ranks of the job do so
 *     strange   tids that only others know: of tasks that run, and of some that have ended
 *     child ... what strange spawns
 */
#include "check.h"
#include "hnow_coll.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1, DONE = 2 };

static const char *self;
static hn_tid bad;
static int code; /* that every call must give for `bad` */

/* The call gave the code, and its text has the hint where the number is a rank. */
static void refused(int result, const char *call)
{
    char hint[64];
    snprintf(hint, sizeof hint, "hn_group_tid(hn_world(), %d)", bad);
    if (result == code && (bad < 0 || bad >= hn_size() || strstr(hn_error_text(), hint)))
        return;
    fprintf(stderr, "task %d: %s with %d: %d, %s\n", hn_mytid(), call, bad, result,
            hn_error_text());
    _exit(1);
}
#define REFUSED(call) refused((call), #call)

static void nothing(const hn_info *info, hn_buffer *message, void *data)
{
    (void)info, (void)message, (void)data;
}

static void messages(void)
{
    int x = 1;
    char reached[2];
    hn_info info;
    hn_request *request;
    hn_buffer *buffer = hn_buffer_new();
    hn_tid list[2] = {hn_mytid(), bad};
    CHECK(buffer);
    REFUSED(hn_send(bad, TAG, &x, 1, HN_INT));
    REFUSED(hn_isend(bad, TAG, &x, 1, HN_INT, &request));
    REFUSED(hn_send_buffer(bad, TAG, buffer));
    REFUSED(hn_multicast(list, 2, TAG, &x, 1, HN_INT));
    REFUSED(hn_multicast_buffer(list, 2, TAG, buffer));
    REFUSED(hn_multicast_reach(list, 2, 10000, reached));
    REFUSED(hn_recv(bad, TAG, &x, 1, HN_INT, &info));
    REFUSED(hn_irecv(bad, TAG, &x, 1, HN_INT, &request));
    REFUSED(hn_recv_timeout(bad, TAG, &x, 1, HN_INT, 10000, &info));
    REFUSED(hn_recv_buffer(bad, TAG, 10000, buffer, &info));
    REFUSED(hn_probe(bad, TAG, &info));
    REFUSED(hn_iprobe(bad, TAG, &info));
    REFUSED(hn_probe_timeout(bad, TAG, 10000, &info));
    REFUSED(hn_handler_add(bad, TAG, nothing, NULL));
    hn_buffer_free(buffer);
}

static void others(void)
{
    hn_tid list[2] = {hn_mytid(), bad};
    hn_task_info info;
    hn_group *group;
    hn_context context;
    REFUSED(hn_signal(bad, 0));
    REFUSED(hn_kill(bad));
    REFUSED(hn_task_status(bad, &info));
    REFUSED(hn_notify(HN_TASK_EXIT, &bad, 1, TAG));
    REFUSED(hn_catch_output(&bad, 1, TAG));
    REFUSED(hn_group_from_tids(list, 2, &group));
    CHECK(hn_context_new(&context) == HN_OK);
    REFUSED(hn_group_new(list, 2, context, &group));
}

static void try(hn_tid tid, int wanted)
{
    bad = tid;
    code = wanted;
    messages();
    others();
}

static void refuse_all(void)
{
    hn_host_info *hosts;
    int n, x = 1;
    CHECK(hn_hosts(&hosts, &n) == HN_OK);
    hn_tid here = hosts[0].tid;
    free(hosts);
    try(0, HN_EARG);
    REFUSED(hn_host_tid(0));
    try(-7, HN_EARG);
    try(1, HN_ENOTASK);
    REFUSED(hn_host_tid(1));
    CHECK(hn_host_of(1) == NULL && strstr(hn_error_text(), "hn_group_tid(hn_world(), 1)"));
    CHECK(hn_notify(HN_HOST_LOST, &bad, 1, TAG) == HN_ENOTASK);
    try(1000, HN_ENOTASK);
    try(99999999, HN_ENOTASK);    /* a host that is not there */
    try(here + 5000, HN_ENOTASK); /* a task that is not there */
    try(2147483647, HN_ENOTASK);
    CHECK(hn_host_of(99999999) == NULL);
    CHECK(hn_send(here, TAG, &x, 1, HN_INT) == HN_ENOTASK && strstr(hn_error_text(), "of a host"));
    CHECK(hn_iprobe(here, TAG, NULL) == 0); /* a notice may come from there */
    CHECK(hn_barrier(hn_world()) == HN_OK); /* nothing of it has disturbed others */
}

/* ---- tids that others know ----------------------------------------------------------------------
 */

/* Sends its tid to the one named; the parent hears when it has. */
static void child_says(hn_tid to)
{
    hn_tid me = hn_mytid();
    CHECK(hn_send(to, TAG, &me, 1, HN_INT) == HN_OK);
    CHECK(hn_send(hn_parent(), DONE, NULL, 0, HN_INT) == HN_OK);
}

/* Receives from a task that it has never heard of, to its end. */
static void child_hears(hn_tid from)
{
    hn_tid got;
    CHECK(hn_recv(from, TAG, &got, 1, HN_INT, NULL) == HN_OK && got == from);
    CHECK(hn_recv(from, TAG, &got, 1, HN_INT, NULL) == HN_EDEAD);
    CHECK(hn_send(hn_parent(), DONE, NULL, 0, HN_INT) == HN_OK);
}

/* Of one that ended before this one was started. */
static void child_late(hn_tid dead)
{
    int x;
    CHECK(hn_recv(dead, TAG, &x, 1, HN_INT, NULL) == HN_EDEAD);
    CHECK(hn_send(hn_parent(), DONE, NULL, 0, HN_INT) == HN_OK);
}

static hn_tid begin(const char *what, hn_tid about)
{
    char number[16];
    const char *const words[] = {"child", what, number, NULL};
    hn_tid tid;
    snprintf(number, sizeof number, "%d", about);
    CHECK(hn_spawn(self, words, 1, NULL, &tid) == 1);
    return tid;
}

static void done(hn_tid tid)
{
    int x;
    CHECK(hn_recv(tid, DONE, NULL, 0, HN_INT, NULL) == HN_OK);
    CHECK(hn_recv(tid, TAG, &x, 1, HN_INT, NULL) == HN_EDEAD);
}

static void strange(void)
{
    hn_tid hears, says;
    for (int round = 0; round < 5; round++) {
        says = begin("says", hn_mytid());
        hn_tid got;
        CHECK(hn_recv(says, TAG, &got, 1, HN_INT, NULL) == HN_OK && got == says);
        done(says);
        hears = begin("late", says);
        done(hears);
    }
    for (int round = 0; round < 5; round++) {
        hn_tid first = begin("waits", 0);
        hears = begin("hears", first);
        CHECK(hn_send(first, DONE, &hears, 1, HN_INT) == HN_OK);
        done(first);
        done(hears);
    }
    printf("all known\n");
}

int main(int argc, char **argv)
{
    self = argv[0];
    CHECK(hn_enrol() == HN_OK);
    if (argc == 4 && strcmp(argv[1], "child") == 0) {
        hn_tid about = atoi(argv[3]);
        if (strcmp(argv[2], "says") == 0)
            child_says(about);
        if (strcmp(argv[2], "hears") == 0)
            child_hears(about);
        if (strcmp(argv[2], "late") == 0)
            child_late(about);
        if (strcmp(argv[2], "waits") == 0) {
            CHECK(hn_recv(hn_parent(), DONE, &about, 1, HN_INT, NULL) == HN_OK);
            child_says(about);
        }
        return hn_exit();
    }
    CHECK(argc == 2);
    if (strcmp(argv[1], "refused") == 0) {
        refuse_all();
        printf("all refused\n");
    } else {
        strange();
    }
    return hn_exit();
}
