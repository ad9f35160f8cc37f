/* last_task.c - what a task has sent arrives however the task ends: last_task WHERE WHAT
 *
 * A parent spawns children which send to it and end at once, in each way that a process can end.
 * It checks every byte that it gets, and then that it is told of the end.  Prints "all arrived".
 *     WHERE   here, or elsewhere: on another host
 *     WHAT    first       the first messages that there are between the two
 *             later       the child has heard from the parent
 *             unread      the same, and something that it has not read comes in meanwhile
 *             busy        first, while the parent computes
 *             stopped     first, while the parent is stopped by SIGSTOP
 *             crossing    while the parent sends its own first message
 *             many        to three receivers in one call, twice
 *             sibling     to a task that has not enrolled yet; both ends are the child's
 *             atexit      from a handler registered before enrolling, and one after it
 *             isend       by hn_isend() and hn_wait()
 *             heavy       64 MB while the parent is stopped; the agent holds them once, not twice
 */
#include "check.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SMALL = 40, LARGE = 1 << 18, HEAVY = 64, DATA = 1, GO = 2, NOISE = 3, SIBLING = 4 };

static const char *const ways[] = {"kill", "_exit", "exec", "abort", "segv", "exit", "quick_exit"};
static const size_t sizes[] = {1, 0, 25, 300, 5000, 70000, 2, LARGE, 26, 1};
enum { WAYS = sizeof ways / sizeof *ways, SIZES = sizeof sizes / sizeof *sizes };

static const char *self;
static int data[LARGE];

static void fill(size_t message, size_t count)
{
    for (size_t i = 0; i < count; i++)
        data[i] = (int)(message * 1000003 + i * 7);
}

/* Receives and checks what send_all() sends, or (not all) isend_all(), and then hears of the end.
 */
static void take_all(hn_tid from, bool all)
{
    static int got[LARGE];
    int word;
    for (size_t m = 0; m < SIZES; m++) {
        hn_info info;
        if (sizes[m] == LARGE && !all)
            continue;
        CHECK(hn_recv(from, DATA, got, LARGE, HN_INT, &info) == HN_OK);
        fill(m, sizes[m]);
        CHECK(info.count == sizes[m] && memcmp(got, data, info.count * sizeof *data) == 0);
    }
    CHECK(hn_recv(from, DATA, &word, 1, HN_INT, NULL) == HN_EDEAD);
}

/* ---- the child --------------------------------------------------------------------------------
 */

static void send_all(hn_tid to)
{
    for (size_t m = 0; m < SIZES; m++) {
        fill(m, sizes[m]);
        CHECK(hn_send(to, DATA, data, sizes[m], HN_INT) == HN_OK);
    }
}

static void isend_all(hn_tid to)
{
    for (size_t m = 0; m < SIZES; m++) {
        hn_request *r;
        if (sizes[m] == LARGE)
            continue; /* hn_wait() ends when the receiver has it: nothing would be left */
        fill(m, sizes[m]);
        CHECK(hn_isend(to, DATA, data, sizes[m], HN_INT, &r) == HN_OK);
        CHECK(hn_wait(r, NULL) == HN_OK);
    }
}

static void end(const char *how)
{
    const char *const words[] = {"true", NULL};
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "_exit") == 0)
        _exit(0);
    if (strcmp(how, "exec") == 0)
        execvp("true", (char *const *)words);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "segv") == 0)
        raise(SIGSEGV);
    if (strcmp(how, "quick_exit") == 0)
        quick_exit(0);
    exit(0);
}

static void in_handler(void)
{
    int sent = 1;
    CHECK(hn_send(hn_parent(), DATA, &sent, 1, HN_INT) == HN_OK);
}

static void child(const char *what, const char *how)
{
    int word;
    if (strcmp(what, "atexit") == 0)
        atexit(in_handler);
    CHECK(hn_enrol() == HN_OK);
    if (strcmp(what, "atexit") == 0) {
        atexit(in_handler);
        exit(0);
    }
    if (strcmp(what, "later") == 0 || strcmp(what, "unread") == 0) {
        CHECK(hn_send(hn_parent(), GO, NULL, 0, HN_INT) == HN_OK);
        CHECK(hn_recv(hn_parent(), GO, &word, 1, HN_INT, NULL) == HN_OK);
    }
    if (strcmp(what, "unread") == 0)
        usleep(20000); /* what comes lies in the socket */
    if (strcmp(what, "isend") == 0)
        isend_all(hn_parent());
    else if (strcmp(what, "heavy") == 0)
        for (int m = 0; m < HEAVY; m++)
            CHECK(hn_send(hn_parent(), DATA, data, LARGE, HN_INT) == HN_OK);
    else
        send_all(hn_parent());
    end(how);
}

/* One of three children that get a list of messages from the first of them. */
static void child_many(const char *how)
{
    hn_tid family[4];
    CHECK(hn_enrol() == HN_OK);
    CHECK(hn_recv(hn_parent(), GO, family, 4, HN_INT, NULL) == HN_OK);
    if (hn_mytid() == family[0]) {
        for (int round = 0; round < 2; round++)
            for (size_t m = 0; m < SIZES; m++) {
                fill(m, sizes[m]);
                CHECK(hn_multicast(family + 1, 3, DATA, data, sizes[m], HN_INT) == HN_OK);
            }
        end(how);
    }
    for (int i = 0; i < 2 * (int)SIZES; i++) {
        static int got[LARGE];
        hn_info info;
        fill((size_t)i % SIZES, sizes[i % (int)SIZES]);
        CHECK(hn_recv(family[0], DATA, got, LARGE, HN_INT, &info) == HN_OK);
        CHECK(info.count == sizes[i % (int)SIZES]);
        CHECK(memcmp(got, data, info.count * sizeof *data) == 0);
    }
    CHECK(hn_send(hn_parent(), GO, NULL, 0, HN_INT) == HN_OK);
    exit(0);
}

/* ---- the parent -------------------------------------------------------------------------------
 */

/* Stops this process for a while. */
static void stop_here(void)
{
    pid_t me = getpid(), waker = fork();
    if (waker == 0) {
        usleep(400000);
        kill(me, SIGCONT);
        _exit(0);
    }
    kill(me, SIGSTOP);
    waitpid(waker, NULL, 0);
}

/* A line of /proc/PID/status, in KB. */
static long memory_of(pid_t process, const char *name)
{
    char path[64], line[256];
    long kb = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            kb = atol(line + strlen(name));
    if (file)
        fclose(file);
    return kb;
}

/* Stops until the agent has read all that the child has sent, and receives it. */
static void take_heavy(hn_tid from)
{
    enum { ALL = HEAVY * LARGE / 256 /* KB */, POLLS = 3000 };
    pid_t me = getpid(), agent = getppid(), waker = fork();
    int word;
    if (waker == 0) {
        for (int i = 0; i < POLLS && memory_of(agent, "RssAnon:") < ALL; i++)
            usleep(10000);
        usleep(100000);
        kill(me, SIGCONT);
        _exit(0);
    }
    kill(me, SIGSTOP);
    waitpid(waker, NULL, 0);
    long peak = memory_of(agent, "VmHWM:");
    if (peak < ALL || peak > ALL + ALL / 2)
        fprintf(stderr, "the agent's memory: %ld KB for %d\n", peak, (int)ALL);
    CHECK(peak >= ALL && peak <= ALL + ALL / 2);
    for (int m = 0; m < HEAVY; m++)
        CHECK(hn_recv(from, DATA, data, LARGE, HN_INT, NULL) == HN_OK);
    CHECK(hn_recv(from, DATA, &word, 1, HN_INT, NULL) == HN_EDEAD);
}

static hn_place place;

static void begin(const char *what, const char *how, int count, hn_tid *tids)
{
    const char *const words[] = {"child", what, how, NULL};
    CHECK(hn_spawn(self, words, count, &place, tids) == count);
}

static void many(const char *how)
{
    hn_tid family[4];
    begin("many", how, 4, family);
    for (int i = 0; i < 4; i++)
        CHECK(hn_send(family[i], GO, family, 4, HN_INT) == HN_OK);
    for (int i = 1; i < 4; i++)
        CHECK(hn_recv(family[i], GO, NULL, 0, HN_INT, NULL) == HN_OK);
}

static void one(const char *what, const char *how)
{
    hn_tid tid;
    if (strcmp(what, "many") == 0) {
        many(how);
        return;
    }
    begin(what, how, 1, &tid);
    if (strcmp(what, "crossing") == 0) {
        int result = hn_send(tid, NOISE, data, 1000, HN_INT);
        CHECK(result == HN_OK || result == HN_EDEAD);
    }
    if (strcmp(what, "busy") == 0)
        usleep(200000);
    if (strcmp(what, "stopped") == 0)
        stop_here();
    if (strcmp(what, "later") == 0 || strcmp(what, "unread") == 0) {
        CHECK(hn_recv(tid, GO, NULL, 0, HN_INT, NULL) == HN_OK);
        CHECK(hn_send(tid, GO, &tid, 1, HN_INT) == HN_OK);
    }
    if (strcmp(what, "unread") == 0)
        CHECK(hn_send(tid, NOISE, data, 1000, HN_INT) == HN_OK);
    if (strcmp(what, "atexit") == 0) {
        int got = 0;
        for (int i = 0; i < 2; i++)
            CHECK(hn_recv(tid, DATA, &got, 1, HN_INT, NULL) == HN_OK && got == 1);
        CHECK(hn_recv(tid, DATA, &got, 1, HN_INT, NULL) == HN_EDEAD);
        return;
    }
    if (strcmp(what, "heavy") == 0)
        take_heavy(tid);
    else
        take_all(tid, strcmp(what, "isend") != 0);
}

/* ---- siblings ---------------------------------------------------------------------------------
 */

/* The second of two children sleeps before it enrols, and gets what the first had sent. */
static void sibling_child(const char *how, hn_tid late)
{
    if (late == 0) {
        usleep(300000);
        CHECK(hn_enrol() == HN_OK);
        hn_tid from;
        CHECK(hn_recv(hn_parent(), SIBLING, &from, 1, HN_INT, NULL) == HN_OK);
        take_all(from, true);
        CHECK(hn_send(hn_parent(), GO, NULL, 0, HN_INT) == HN_OK);
        exit(0);
    }
    CHECK(hn_enrol() == HN_OK);
    send_all(late);
    end(how);
}

static void siblings(const char *how)
{
    char number[16];
    const char *const late_words[] = {"child", "sibling", how, NULL};
    const char *const words[] = {"child", "sibling", how, number, NULL};
    hn_tid late, tid;
    CHECK(hn_spawn(self, late_words, 1, &place, &late) == 1);
    snprintf(number, sizeof number, "%d", late);
    CHECK(hn_spawn(self, words, 1, NULL, &tid) == 1);
    CHECK(hn_send(late, SIBLING, &tid, 1, HN_INT) == HN_OK);
    CHECK(hn_recv(late, GO, NULL, 0, HN_INT, NULL) == HN_OK);
}

int main(int argc, char **argv)
{
    self = argv[0];
    if (argc >= 4 && strcmp(argv[1], "child") == 0) {
        if (strcmp(argv[2], "sibling") == 0)
            sibling_child(argv[3], argc > 4 ? atoi(argv[4]) : 0);
        if (strcmp(argv[2], "many") == 0)
            child_many(argv[3]);
        child(argv[2], argv[3]);
    }
    CHECK(argc == 3 && hn_enrol() == HN_OK);
    place = (hn_place){.host = ".", .other = strcmp(argv[1], "elsewhere") == 0};
    size_t ends = strcmp(argv[2], "heavy") == 0 ? 1 : WAYS;
    for (size_t w = 0; w < ends; w++)
        if (strcmp(argv[2], "sibling") == 0)
            siblings(ways[w]);
        else
            one(argv[2], ways[w]);
    printf("all arrived\n");
    return hn_exit();
}
