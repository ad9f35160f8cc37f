/* watch_task.c - tasks that are told what happens to others: watch_task WHAT [ARG...]
 *     exits           children end in several ways: each is told once, with its status
 *     past            about tasks that have ended already, and one that could not be started
 *     names           names that there are not, and other arguments that are refused
 *     cancel          what was taken back does not come
 *     alone           the last notice comes before HN_EDEAD
 *     last            the notice is the last that comes from a task, behind its messages
 *     running_on      the notice is waited for though its task has called hn_exit() before
 *     context         notices come in the context in which they were asked for
 *     lost N          waits for N hosts to be lost; prints what it was told, in order
 *     child HOW       what the above spawn: leaves, fails, or waits to be killed
 */
#include "check.h"

#include <stdio.h>

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TAG = 5, OTHER = 6, FLOOD = 300, LARGEST = 100000, CHILDREN = 8 };

static const char *self;

static hn_tid spawn(const char *how, const hn_place *place)
{
    const char *words[] = {"child", how, NULL};
    hn_tid tid = 0;
    CHECK(hn_spawn(self, words, 1, place, &tid) == 1);
    return tid;
}

/* Messages of all ways through the library, then the end. */
static void flood(void)
{
    static char data[LARGEST];
    for (int i = 0; i < FLOOD; i++)
        CHECK(hn_send(hn_parent(), OTHER, data, (size_t)i * i % LARGEST, HN_BYTE) == HN_OK);
    _exit(3);
}

static void child(const char *how)
{
    int nothing;
    if (strcmp(how, "wait") == 0)
        hn_recv(hn_parent(), TAG, &nothing, 1, HN_INT, NULL);
    if (strcmp(how, "fail") == 0)
        exit(3);
    if (strcmp(how, "flood") == 0)
        flood();
    if (strcmp(how, "gone") == 0)
        _exit(0);
    if (strcmp(how, "run on") == 0) {
        CHECK(hn_send(hn_parent(), OTHER, NULL, 0, HN_BYTE) == HN_OK && hn_exit() == HN_OK);
        usleep(150000);
        _exit(0);
    }
}

/* The status that the next notice about this task holds. */
static int next_about(hn_tid tid)
{
    hn_info info;
    int status = -1;
    CHECK(hn_recv(tid, TAG, &status, 1, HN_INT, &info) == HN_OK && info.from == tid);
    return status;
}

static void last(void)
{
    static char data[LARGEST];
    hn_tid tids[CHILDREN];
    hn_info info;
    for (int i = 0; i < CHILDREN; i++) {
        tids[i] = spawn("flood", NULL);
        CHECK(hn_notify(HN_TASK_EXIT, &tids[i], 1, TAG) == HN_OK);
    }
    for (int ended = 0; ended < CHILDREN;) {
        int status;
        CHECK(hn_probe(HN_ANY, HN_ANY, &info) == HN_OK);
        if (info.tag == OTHER) {
            int result = hn_recv(info.from, OTHER, data, LARGEST, HN_BYTE, NULL);
            CHECK(result == HN_OK || result == HN_EDEAD); /* it has ended in the middle of it */
            continue;
        }
        CHECK(hn_recv(info.from, TAG, &status, 1, HN_INT, NULL) == HN_OK);
        CHECK(hn_recv(info.from, OTHER, data, LARGEST, HN_BYTE, NULL) == HN_EDEAD);
        ended++;
    }
    puts("behind all messages");
}

static void exits(void)
{
    hn_tid tids[3] = {spawn("leave", NULL), spawn("wait", NULL), spawn("fail", NULL)};
    int status;
    CHECK(hn_notify(HN_TASK_EXIT, tids, 3, TAG) == HN_OK);
    CHECK(hn_notify(HN_TASK_EXIT, tids, 1, OTHER) == HN_OK);
    CHECK(next_about(tids[0]) == 0);
    CHECK(hn_signal(tids[1], 9) == HN_OK);
    status = next_about(tids[1]);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == 9);
    status = next_about(tids[2]);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    CHECK(hn_recv(HN_ANY, OTHER, &status, 1, HN_INT, NULL) == HN_OK && status == 0);
    CHECK(hn_probe(HN_ANY, HN_ANY, NULL) == HN_EDEAD);
    puts("three ends");
}

static void past(void)
{
    hn_tid tid = spawn("leave", NULL), other;
    hn_task_info info;
    CHECK(hn_notify(HN_TASK_EXIT, &tid, 1, TAG) == HN_OK && next_about(tid) == 0);
    for (int i = 0; i < 2; i++)
        CHECK(hn_notify(HN_TASK_EXIT, &tid, 1, TAG) == HN_OK && next_about(tid) == 0);
    CHECK(hn_spawn("no-such-program", NULL, 1, NULL, &other) == 0);
    CHECK(hn_task_status(tid + 1, &info) == HN_OK);
    other = tid + 1;
    CHECK(hn_notify(HN_TASK_EXIT, &other, 1, TAG) == HN_OK);
    CHECK(WEXITSTATUS(next_about(other)) == 127);
    puts("told afterwards");
}

static void names(void)
{
    hn_tid me = hn_mytid(), list[2] = {me, 12345678}, host = hn_host_tid(me);
    CHECK(hn_notify(HN_TASK_EXIT, list, 2, TAG) == HN_ENOTASK);
    CHECK(hn_notify(HN_TASK_EXIT, &host, 1, TAG) == HN_ENOTASK);
    CHECK(hn_notify(HN_HOST_LOST, &host, 1, TAG) == HN_OK);
    CHECK(hn_notify(HN_HOST_LOST, &list[1], 1, TAG) == HN_ENOTASK);
    CHECK(hn_notify(HN_HOST_LOST, NULL, 0, TAG) == HN_OK);
    CHECK(hn_notify(HN_HOST_ADDED, NULL, -1, TAG) == HN_OK);
    CHECK(hn_notify(HN_HOST_ADDED, NULL, 0, TAG) == HN_EARG);
    CHECK(hn_notify(HN_HOST_ADDED, list, 1, TAG) == HN_EARG);
    CHECK(hn_notify(HN_TASK_EXIT, NULL, 0, TAG) == HN_EARG);
    CHECK(hn_notify(HN_TASK_EXIT, &me, 1, -3) == HN_EARG);
    CHECK(hn_notify(77, &me, 1, TAG) == HN_EARG);
    CHECK(hn_host_tid(0) == HN_EARG && hn_host_tid(host) == host);
    CHECK(strcmp(hn_host_of(host), hn_host_of(me)) == 0);
    puts("refused");
}

static void cancel(void)
{
    hn_tid tids[3] = {spawn("wait", NULL), spawn("wait", NULL), spawn("wait", NULL)};
    CHECK(hn_notify(HN_TASK_EXIT, tids, 3, TAG) == HN_OK);
    CHECK(hn_notify(HN_TASK_EXIT, tids, 3, OTHER) == HN_OK);
    CHECK(hn_notify(HN_TASK_EXIT | HN_NOTIFY_CANCEL, tids, 1, TAG) == HN_OK);
    CHECK(hn_notify(HN_TASK_EXIT | HN_NOTIFY_CANCEL, NULL, 0, OTHER) == HN_OK);
    for (int i = 0; i < 3; i++)
        CHECK(hn_kill(tids[i]) == HN_OK);
    next_about(tids[1]);
    next_about(tids[2]);
    CHECK(hn_probe(HN_ANY, HN_ANY, NULL) == HN_EDEAD);
    puts("two of six");
}

static void alone(void)
{
    hn_tid tids[20];
    hn_info info;
    int status;
    for (int i = 0; i < 20; i++)
        tids[i] = spawn("leave", NULL);
    CHECK(hn_notify(HN_TASK_EXIT, tids, 20, TAG) == HN_OK);
    for (int i = 0; i < 20; i++)
        CHECK(hn_recv(HN_ANY, HN_ANY, &status, 1, HN_INT, &info) == HN_OK && status == 0);
    CHECK(hn_recv(HN_ANY, HN_ANY, &status, 1, HN_INT, &info) == HN_EDEAD);
    puts("twenty and no more");
}

/* A child that has called hn_exit(), and whose process goes on. */
static hn_tid running_on_child(void)
{
    hn_tid tid = spawn("run on", NULL);
    CHECK(hn_notify(HN_TASK_EXIT, &tid, 1, TAG) == HN_OK);
    CHECK(hn_recv(tid, OTHER, NULL, 0, HN_BYTE, NULL) == HN_OK);
    CHECK(hn_recv(tid, OTHER, NULL, 0, HN_BYTE, NULL) == HN_EDEAD); /* no such message is due */
    return tid;
}

static void running_on(void)
{
    hn_request *first, *second;
    hn_tid tid = running_on_child();
    int status = -1;
    CHECK(hn_irecv(tid, TAG, &status, 1, HN_INT, &first) == HN_OK);
    CHECK(hn_irecv(tid, HN_ANY, &status, 1, HN_INT, &second) == HN_OK);
    CHECK(hn_wait(first, NULL) == HN_OK && status == 0);
    CHECK(hn_wait(second, NULL) == HN_EDEAD);

    tid = running_on_child();
    CHECK(hn_probe(tid, TAG, NULL) == HN_OK && next_about(tid) == 0);
    tid = running_on_child();
    CHECK(hn_recv(HN_ANY, TAG, &status, 1, HN_INT, NULL) == HN_OK && status == 0);
    CHECK(hn_recv(HN_ANY, TAG, &status, 1, HN_INT, NULL) == HN_EDEAD);

    tid = running_on_child();
    CHECK(hn_irecv(tid, TAG, &status, 1, HN_INT, &first) == HN_OK);
    CHECK(hn_irecv(HN_ANY, TAG, &status, 1, HN_INT, &second) == HN_OK);
    CHECK(hn_notify(HN_TASK_EXIT | HN_NOTIFY_CANCEL, &tid, 1, TAG) == HN_OK);
    CHECK(hn_wait(first, NULL) == HN_EDEAD && hn_wait(second, NULL) == HN_EDEAD);
    puts("after it has left");
}

static void context(void)
{
    hn_tid tid = spawn("wait", NULL);
    int status;
    hn_set_context(0x20000);
    CHECK(hn_notify(HN_TASK_EXIT, &tid, 1, TAG) == HN_OK);
    hn_set_context(0);
    CHECK(hn_kill(tid) == HN_OK);
    CHECK(hn_recv(tid, TAG, &status, 1, HN_INT, NULL) == HN_EDEAD);
    hn_set_context(0x20000);
    CHECK(hn_recv(tid, TAG, &status, 1, HN_INT, NULL) == HN_OK);
    puts("in its context");
}

/* On each other host a child that waits; then whoever kills hosts may begin. */
static void lost(int n)
{
    hn_host_info *hosts;
    int count, value;
    hn_info info;
    CHECK(hn_hosts(&hosts, &count) == HN_OK && count > n);
    for (int i = 0; i < count; i++) {
        if (hosts[i].tid == hn_host_tid(hn_mytid()))
            continue;
        hn_tid tid = spawn("wait", &(hn_place){.host = hosts[i].name});
        CHECK(hn_notify(HN_TASK_EXIT, &tid, 1, TAG) == HN_OK);
        CHECK(hn_notify(HN_HOST_LOST, &tid, 1, TAG) == HN_OK);
    }
    CHECK(hn_notify(HN_HOST_LOST, NULL, 0, OTHER) == HN_OK);
    puts("watching");
    fflush(stdout);
    for (int i = 0; i < 3 * n; i++) {
        CHECK(hn_recv(HN_ANY, HN_ANY, &value, 1, HN_INT, &info) == HN_OK);
        printf("%s %s %d tag %d\n", info.from == hn_host_tid(info.from) ? "host" : "task of",
               hn_host_of(info.from), value, info.tag);
    }
    CHECK(hn_hosts(&hosts, &value) == HN_OK && value == count - n);
    hn_tid tid = spawn("leave", &(hn_place){.host = ".", .other = 1});
    CHECK(hn_notify(HN_TASK_EXIT, &tid, 1, TAG) == HN_OK && next_about(tid) == 0);
    hn_task_info *tasks;
    CHECK(hn_tasks(&tasks, &count) == HN_OK);
    for (int i = 0; i < count; i++)
        if (tasks[i].parent == hn_mytid())
            CHECK(hn_kill(tasks[i].tid) == HN_OK);
    puts("goes on");
}

int main(int argc, char **argv)
{
    self = argv[0];
    if (argc < 2 || hn_enrol())
        return 9;
    const char *what = argv[1], *more = argc > 2 ? argv[2] : "1";
    if (strcmp(what, "child") == 0)
        child(more);
    if (strcmp(what, "exits") == 0)
        exits();
    if (strcmp(what, "past") == 0)
        past();
    if (strcmp(what, "names") == 0)
        names();
    if (strcmp(what, "cancel") == 0)
        cancel();
    if (strcmp(what, "alone") == 0)
        alone();
    if (strcmp(what, "last") == 0)
        last();
    if (strcmp(what, "running_on") == 0)
        running_on();
    if (strcmp(what, "context") == 0)
        context();
    if (strcmp(what, "lost") == 0)
        lost(atoi(more));
    return hn_exit() ? 7 : 0;
}
