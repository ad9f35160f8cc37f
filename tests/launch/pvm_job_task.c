/* pvm_job_task.c - a task that tests PVM's functions with tasks of its own: pvm_job_task WHAT.  It
 * spawns itself: pvm_job_task child WHAT.
 */
#include "pvm_child.h"
#include "pvmtev.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

enum { CHILDREN = 3 };

/* ---- spawning ----------------------------------------------------------------------------- */

static void family(void)
{
    struct pvmtaskinfo *tasks;
    int tids[CHILDREN], n, *siblings, seen = 0;

    CHECK(pvm_parent() == PvmNoParent && pvm_siblings(&siblings) == 1);
    CHECK(siblings[0] == pvm_mytid());
    spawn("wait", CHILDREN, tids);
    for (int i = 0; i < CHILDREN; i++)
        CHECK(receive_int(tids[i], ANSWER) == 100 * CHILDREN + i);
    CHECK(pvm_tasks(0, &n, &tasks) == PvmOk && n == 1 + CHILDREN);
    for (int i = 0; i < n; i++)
        if (tasks[i].ti_ptid == pvm_mytid()) {
            CHECK(tasks[i].ti_host == pvm_tidtohost(pvm_mytid()) && tasks[i].ti_pid > 0);
            CHECK(tasks[i].ti_flag == 6);
            seen++;
        }
    CHECK(seen == CHILDREN && pvm_tasks(tids[0], &n, &tasks) == PvmOk && n == 1);
    CHECK(strcmp(tasks[0].ti_a_out, SELF) == 0); /* as it was spawned */
    send_int(tids[0], STOP, 0);
    tids[0] = pvm_mytid(); /* the caller is left out of a multicast */
    CHECK(pvm_mcast(tids, CHILDREN, STOP) == PvmOk && pvm_nrecv(-1, STOP) == 0);
    CHECK(pvm_mcast(tids, -1, STOP) == PvmBadParam);
    CHECK(pvm_recv(tids[1], 9) == PvmNoTask); /* it has ended */
    CHECK(pvm_notify(PvmTaskExit, GONE, 1, &tids[1]) == PvmOk && receive_int(-1, GONE) == tids[1]);
    CHECK(pvm_pstat(tids[1]) == PvmNoTask && pvm_pstat(pvm_mytid()) == PvmOk);
    CHECK(pvm_pstat(0) == PvmBadParam && pvm_send(tids[1], 1) == PvmOk);
    CHECK(pvm_kill(tids[1]) == PvmOk && pvm_kill(-1) == PvmBadParam);
}

static void killing(void)
{
    int tids[2];

    spawn("wait", 2, tids);
    CHECK(receive_int(tids[0], ANSWER) == 200 && receive_int(tids[1], ANSWER) == 201);
    CHECK(pvm_notify(PvmTaskExit, GONE, 2, tids) == PvmOk);
    CHECK(pvm_sendsig(tids[1], 0) == PvmOk && pvm_kill(tids[0]) == PvmOk);
    CHECK(receive_int(-1, GONE) == tids[0]);
    CHECK(pvm_nrecv(-1, GONE) == 0 && pvm_sendsig(tids[1], SIGKILL) == PvmOk);
    CHECK(receive_int(-1, GONE) == tids[1]);
}

static void failures(void)
{
    char no[] = "/nonexistent/program", none[] = "nohost", sun[] = "SUN4",
         wrong[] = ":/nonexistent";
    char child[] = "child", talk[] = "talk", *argv[] = {child, talk, NULL}, here[] = ".";
    struct pvmhostinfo *info;
    int tids[2];

    CHECK(pvm_config(NULL, NULL, &info) == PvmOk);
    CHECK(pvm_spawn(SELF, argv, PvmTaskArch, info[0].hi_arch, 1, tids) == 1);
    CHECK(pvm_spawn(SELF, argv, PvmTaskHost, info[0].hi_name, 1, tids) == 1);
    CHECK(pvm_spawn(SELF, argv, PvmTaskHost | PvmHostCompl, here, 1, tids) == 0);
    CHECK(tids[0] == PvmNoHost);
    CHECK(pvm_spawn(SELF, argv, PvmHostCompl, here, 1, tids) == 0 && tids[0] == PvmNoHost);
    CHECK(pvm_spawn(no, NULL, 0, NULL, 2, tids) == 0 && tids[0] == PvmNoFile);
    CHECK(tids[1] == PvmNoFile && pvm_spawn(SELF, NULL, 0, NULL, 0, tids) == PvmBadParam);
    CHECK(pvm_spawn(SELF, NULL, PvmTaskHost, none, 1, tids) == 0 && tids[0] == PvmNoHost);
    CHECK(pvm_spawn(SELF, NULL, PvmTaskArch, sun, 1, tids) == 0 && tids[0] == PvmNoHost);
    CHECK(pvm_spawn(SELF, NULL, PvmTaskHost, NULL, 1, tids) == 0 && tids[0] == PvmNoHost);
    CHECK(pvm_spawn(SELF, NULL, 0, wrong, 1, tids) == 0 && tids[0] == PvmNoFile);
}

/* What a child gets from its parent: the context, what is exported, the directory, no parent. */
static void heir(void)
{
    char there[4096];
    int context = pvm_getcontext();

    CHECK(getcwd(there, sizeof there) && strcmp(there, "/") == 0 && context > 0);
    CHECK(getenv("PVM_TEST") && strcmp(getenv("PVM_TEST"), "1=2") == 0);
    CHECK(getenv("PVM_EXPORT") && !getenv("PVM_OTHER") && pvm_parent() == PvmNoParent);
    CHECK(pvm_insert((char *)"heir", 0, context) == 0);
}

static void inheriting(void)
{
    char child[] = "child", what[] = "heir", *argv[] = {child, what, NULL}, where[] = ".:/";
    char heirs[] = "heir";
    int tid, value = 0, context = pvm_newcontext();

    setenv("PVM_TEST", "1=2", 1);
    setenv("PVM_OTHER", "x", 1);
    pvm_export((char *)"PVM_TEST");
    pvm_setcontext(context);
    CHECK(pvm_spawn(SELF, argv, PvmTaskHost | PvmNoSpawnParent, where, 1, &tid) == 1);
    CHECK(pvm_notify(PvmTaskExit, GONE, 1, &tid) == PvmOk && receive_int(-1, GONE) == tid);
    CHECK(pvm_lookup(heirs, 0, &value) == 0 && value == context);
    pvm_setcontext(0);
}

static void talking_child(void)
{
    printf("one\ntwo\n");
    fprintf(stderr, "err\n");
}

/* The file is read by test_pvm: what was caught is all there when pvm_exit() has returned. */
static void catching(void)
{
    FILE *file = fopen("caught", "w");
    int tids[2];

    CHECK(file && pvm_catchout(file) == PvmOk);
    spawn("talk", 2, tids);
    CHECK(pvm_exit() == PvmOk);
    fprintf(file, "t%x t%x\n", tids[0], tids[1]);
    fclose(file);
    exit(0);
}

static void catching_raw(void)
{
    int tid;

    pvm_setopt(PvmShowTids, 0);
    CHECK(pvm_catchout(stdout) == PvmOk);
    spawn("talk", 1, &tid);
}

/* PvmOutputTid: lines come as messages with the writer, their length and their bytes; the last one
 * is empty. */
static void catching_messages(void)
{
    char text[100] = "", line[50];
    int tid, from, n = 1;

    CHECK(pvm_setopt(PvmOutputTid, pvm_mytid()) == 0 && pvm_setopt(PvmOutputCode, GONE) == 0);
    spawn("talk", 1, &tid);
    while (n > 0) {
        CHECK(pvm_recv(-1, GONE) > 0 && pvm_upkint(&from, 1, 1) == PvmOk && from == tid);
        CHECK(pvm_upkint(&n, 1, 1) == PvmOk && n < (int)sizeof line);
        CHECK(pvm_upkbyte(line, n, 1) == PvmOk);
        strncat(text, line, (size_t)n);
    }
    CHECK(strstr(text, "one\ntwo\n") || strstr(text, "one\nerr\ntwo\n"));
    CHECK(strstr(text, "err\n") && strlen(text) == strlen("one\ntwo\nerr\n"));
    CHECK(pvm_setopt(PvmOutputTid, 0) == pvm_mytid());
    spawn("talk", 1, &tid);
}

/* Who has stopped catching does not wait for its children: this one lives until the caller has
 * left. */
static void not_catching(void)
{
    int tid;

    CHECK(pvm_catchout(stdout) == PvmOk);
    spawn("outlive", 1, &tid);
    CHECK(receive_int(tid, ANSWER) == 1 && pvm_catchout(NULL) == PvmOk);
}

static void outliving_child(void)
{
    send_int(pvm_parent(), ANSWER, 1);
    CHECK(pvm_recv(pvm_parent(), STOP) == PvmNoTask);
}

/* "elsewhere" stands beside this program, but cannot be started; test_pvm has put another one into
 * $PATH. */
static void searching(void)
{
    char name[] = "elsewhere";
    int tids[2];

    CHECK(pvm_spawn(name, NULL, 0, NULL, 2, tids) == 2 && tids[0] > 0 && tids[1] > 0);
}

/* Ends a child that would wait for ever, and the caller. */
static void halting(void)
{
    int tid;

    spawn("wait", 1, &tid);
    CHECK(receive_int(tid, ANSWER) == 100);
    pvm_halt();
    CHECK(!"still there");
}

/* ---- watching ----------------------------------------------------------------------------- */

static void watching(void)
{
    struct timeval some = {10, 0};
    int tids[2], dead, buffer, bytes, unknown = 0x7fff;

    spawn("wait", 2, tids);
    CHECK(pvm_notify(9, GONE, 1, tids) == PvmBadParam);
    CHECK(pvm_notify(PvmTaskExit, -1, 1, tids) == PvmBadParam);
    CHECK(pvm_notify(PvmTaskExit, GONE, 0, tids) == PvmBadParam);
    CHECK(pvm_notify(PvmTaskExit, GONE, 2, tids) == PvmOk);
    CHECK(pvm_notify(PvmTaskExit | PvmNotifyCancel, GONE, 1, &tids[1]) == PvmOk);
    CHECK(receive_int(-1, GONE) == tids[1]); /* taken back: told of at once */
    for (int i = 0; i < 2; i++)
        send_int(tids[i], STOP, 0);
    buffer = pvm_trecv(-1, GONE, &some);
    CHECK(buffer > 0 && pvm_bufinfo(buffer, &bytes, NULL, NULL) == PvmOk && bytes == 4);
    CHECK(pvm_upkint(&dead, 1, 1) == PvmOk && dead == tids[0]);
    CHECK(pvm_upkint(&dead, 1, 1) == PvmNoData);
    CHECK(pvm_notify(PvmTaskExit, GONE, 1, &tids[1]) == PvmOk); /* has ended already */
    CHECK(pvm_precv(-1, GONE, &dead, 1, PVM_INT, NULL, NULL, NULL) == PvmOk && dead == tids[1]);
    CHECK(pvm_notify(PvmTaskExit, GONE, 1, &unknown) == PvmOk && receive_int(-1, GONE) == unknown);
    CHECK(receive_int(tids[0], ANSWER) == 200 && receive_int(tids[1], ANSWER) == 201);
    CHECK(pvm_notify(PvmRouteDelete, GONE, 1, tids) == PvmOk && receive_int(-1, GONE) == tids[0]);
}

/* ---- a long message for a task that waits is stored once ---- */

enum { LONG = 64 << 20, KIB = 1024 };

/* The most memory that this process has had, in KiB. */
static int most_memory(void)
{
    struct rusage usage;

    CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
    return (int)usage.ru_maxrss;
}

static void storing_child(void)
{
    int before = most_memory(), length;

    send_int(pvm_parent(), ANSWER, 0);
    CHECK(pvm_bufinfo(pvm_recv(pvm_parent(), STOP), &length, NULL, NULL) == PvmOk);
    CHECK(length == LONG);
    send_int(pvm_parent(), ANSWER, most_memory() - before);
}

static void storing(void)
{
    char *data = calloc(LONG, 1);
    int tid;

    spawn("storing-child", 1, &tid);
    CHECK(data && receive_int(tid, ANSWER) == 0);
    usleep(500000); /* now it waits */
    CHECK(pvm_initsend(PvmDataInPlace) > 0 && pvm_pkbyte(data, LONG, 1) == PvmOk);
    CHECK(pvm_send(tid, STOP) == PvmOk && receive_int(tid, ANSWER) < LONG / KIB * 3 / 2);
    free(data);
}

static void echoing_child(void)
{
    receive_int(pvm_parent(), ANSWER);
    send_int(pvm_parent(), ANSWER, pvm_nrecv(pvm_parent(), ANSWER));
}

/* One that is in a list twice gets one message. */
static void multicast(void)
{
    int tids[4], value = 1;

    spawn("echoing", 1, tids);
    tids[1] = pvm_mytid();
    tids[2] = tids[3] = tids[0];
    CHECK(pvm_initsend(PvmDataDefault) > 0 && pvm_pkint(&value, 1, 1) == PvmOk);
    CHECK(pvm_mcast(tids, 4, ANSWER) == PvmOk && receive_int(tids[0], ANSWER) == 0);
}

/* Sends what it gets when the parent surely waits. */
static void late_child(void)
{
    for (int i = 0; i < 2; i++) {
        int value = receive_int(pvm_parent(), ANSWER);
        usleep(100000);
        send_int(pvm_parent(), ANSWER, value);
    }
}

static bool is_readable(int fd, int milliseconds)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};

    return poll(&p, 1, milliseconds) == 1;
}

/* A message makes the descriptor readable until it has been received, by whatever call. */
static void selecting(void)
{
    int tid, *fds, bytes, value;

    CHECK(pvm_getfds(&fds) == 1);
    spawn("late", 1, &tid);
    CHECK(!is_readable(fds[0], 200));
    send_int(tid, ANSWER, 5);
    CHECK(is_readable(fds[0], 20000) && is_readable(fds[0], 200));
    CHECK(pvm_nrecv(-1, ANSWER) > 0 && pvm_upkint(&value, 1, 1) == PvmOk && value == 5);
    CHECK(!is_readable(fds[0], 200));
    send_int(tid, ANSWER, 6);
    CHECK(is_readable(fds[0], 20000));
    CHECK(pvm_precv(-1, ANSWER, &value, 1, PVM_INT, NULL, NULL, &bytes) == PvmOk && value == 6);
    CHECK(!is_readable(fds[0], 200) && pvm_nrecv(-1, -1) == 0);
}

/* Says how many hosts there are, as often as it is asked. */
static void counting_child(void)
{
    for (;;) {
        int n = -1;
        if (receive_int(pvm_parent(), STOP))
            return;
        CHECK(pvm_config(&n, NULL, NULL) == PvmOk);
        send_int(pvm_parent(), ANSWER, n);
    }
}

/* How many hosts the caller and a child on its host see. */
static int counted(int child)
{
    int n;

    send_int(child, STOP, 0);
    CHECK(pvm_config(&n, NULL, NULL) == PvmOk && receive_int(child, ANSWER) == n);
    return n;
}

/* hrun is stopped meanwhile: neither call waits for it. */
static int hrun;

static void wake_hrun(int signo)
{
    (void)signo;
    kill(hrun, SIGCONT);
    _exit(1);
}

static void without_hrun(void)
{
    int n, tid;

    hrun = atoi(getenv("HRUN_PID"));
    signal(SIGALRM, wake_hrun);
    spawn("wait", 1, &tid);
    CHECK(receive_int(tid, ANSWER) == 100);
    CHECK(pvm_config(&n, NULL, NULL) == PvmOk && n == 1);
    alarm(10);
    CHECK(kill(hrun, SIGSTOP) == 0);
    CHECK(pvm_config(&n, NULL, NULL) == PvmOk && n == 1);
    CHECK(pvm_notify(PvmTaskExit, GONE, 1, &tid) == PvmOk && pvm_nrecv(-1, GONE) == 0);
    send_int(tid, STOP, 0);
    CHECK(kill(hrun, SIGCONT) == 0);
    alarm(0);
    CHECK(receive_int(-1, GONE) == tid);
}

/* Hosts that come and go: b and c of hosts "a", "& b" and "& c", all this machine. */
static void hosts(void)
{
    char a[] = "a", b[] = "b", c[] = "c", read[] = "c \n", no[] = "no slots=two",
         *names[] = {b, read, no}, unknown[] = "unknown.invalid", *same[] = {unknown, unknown};
    struct pvmhostinfo *info;
    int n, kinds, outcomes[3], list[2], added, gone, child;

    spawn("counting", 1, &child);
    CHECK(counted(child) == 1);
    CHECK(pvm_config(&n, &kinds, &info) == PvmOk && n == 1 && kinds == 1);
    CHECK(strcmp(info[0].hi_name, "a") == 0 && strncmp(info[0].hi_arch, "LINUX", 5) == 0);
    CHECK(info[0].hi_tid == pvm_tidtohost(pvm_mytid()) && info[0].hi_speed > 0);
    CHECK(pvm_archcode(info[0].hi_arch) == info[0].hi_dsig && info[0].hi_dsig > 0);
    CHECK(pvm_archcode((char *)"SUN4") == PvmNotFound && pvm_mstat(b) == PvmNoHost);
    CHECK(pvm_notify(PvmHostAdd, GONE, -1, NULL) == PvmOk);
    CHECK(pvm_addhosts(names, 3, outcomes) == 2 && outcomes[0] > 0 && outcomes[1] > 0);
    CHECK(outcomes[2] == PvmBadParam && counted(child) == 3);
    CHECK(pvm_addhosts(names, 1, outcomes + 2) == 0 && outcomes[2] == PvmDupHost);
    CHECK(pvm_addhosts(same, 2, list) == 0 && list[0] == PvmNoHost && list[1] == PvmNoHost);
    CHECK(pvm_recv(-1, GONE) > 0 && pvm_upkint(&added, 1, 1) == PvmOk && added == 2);
    CHECK(pvm_upkint(list, 2, 1) == PvmOk && memcmp(list, outcomes, sizeof list) == 0);
    CHECK(pvm_nrecv(-1, GONE) == 0 && pvm_mstat(b) == PvmOk && pvm_mstat(c) == PvmOk);
    gone = outcomes[1] | 5; /* no task has had this tid, but it names the host */
    CHECK(pvm_notify(PvmHostDelete, GONE, 1, &gone) == PvmOk);
    CHECK(pvm_notify(PvmHostDelete, GONE, 1, outcomes) == PvmOk && pvm_nrecv(-1, GONE) == 0);
    CHECK(pvm_delhosts(names, 2, list) == 2 && list[0] == PvmOk && list[1] == PvmOk);
    CHECK(counted(child) == 1);
    send_int(child, STOP, 1);
    gone = receive_int(-1, GONE);
    CHECK(gone == outcomes[0] || gone == outcomes[1]);
    CHECK(receive_int(-1, GONE) == outcomes[0] + outcomes[1] - gone);
    CHECK(pvm_delhosts(names + 2, 1, list) == 0 && list[0] == PvmNoHost);
    names[0] = a; /* hrun's own */
    CHECK(pvm_delhosts(names, 1, list) == 0 && list[0] == PvmBadParam);
    CHECK(pvm_tasks(outcomes[0], &n, NULL) == PvmNoHost && n == 0);
    CHECK(pvm_hostsync(0, NULL, NULL) == PvmNoHost);
    CHECK(pvm_hostsync(pvm_tidtohost(pvm_mytid()), NULL, NULL) == PvmOk);
}

/* ---- mailboxes ---------------------------------------------------------------------------- */

static void mailbox_child(void)
{
    CHECK(put("mine", 1, PvmMboxDefault) == PvmDenied);
    CHECK(put("mine", 1, PvmMboxOverWritable) == PvmDenied);
    CHECK(pvm_delinfo((char *)"mine", 0, 0) == PvmDenied);
    CHECK(get("mine", 0, PvmMboxReadAndDelete) == PvmDenied && get("mine", 0, 0) == 8);
    CHECK(put("ours", 3, PvmMboxOverWritable) == 0);
    CHECK(put("kept", 4, PvmMboxPersistent) == 0 && put("lost", 5, PvmMboxDefault) == 0);
    CHECK(put("late", 6, PvmMboxPersistent) == 0);
}

static void mailboxes(void)
{
    char many[] = "many", old[] = "old";
    struct pvmmboxinfo *list;
    int tid, n, value;

    CHECK(put("mine", 7, PvmMboxDefault) == 0 && put("mine", 8, PvmMboxDefault) == 0);
    CHECK(put("ours", 1, PvmMboxOverWritable) == 0 && get("none", 0, 0) == PvmNotFound);
    for (int i = 0; i < 3; i++)
        CHECK(put(many, 10 + i, PvmMboxMultiInstance) == i);
    CHECK(put(many, 15, PvmMboxMultiInstance | PvmMboxDirectIndex(5)) == 5);
    CHECK(pvm_delinfo(many, 1, 0) == 1 && pvm_delinfo(many, 1, 0) == PvmNotFound);
    CHECK(get(many, 1, 0) == PvmNotFound && get(many, 1, PvmMboxFirstAvail) == 12);
    CHECK(put(many, 11, PvmMboxMultiInstance) == 1); /* the first that is free */
    CHECK(get(many, 0, PvmMboxReadAndDelete) == 10 && get(many, 0, 0) == PvmNotFound);
    for (int i = 0; i < 2; i++)
        CHECK(put("all", i, PvmMboxMultiInstance | PvmMboxOverWritable) == i);
    CHECK(pvm_delinfo((char *)"all", 0, 0) == 0);
    CHECK(put("all", 2, PvmMboxMultiInstance | PvmMboxOverWritable) == 0);
    CHECK(put("all", 3, PvmMboxMultiInstance | PvmMboxOverWritable | PvmMboxDirectIndex(1)) == 2);
    for (int i = 0; i < 3; i++)
        CHECK(pvm_delinfo((char *)"all", i, 0) == i);
    CHECK(get(many, -1, 0) == PvmBadParam && pvm_putinfo(many, 99, 0) == PvmNoSuchBuf);
    CHECK(pvm_getmboxinfo((char *)"*", &n, &list) == PvmOk && n == 3);
    CHECK(strcmp(list[0].mi_name, "many") == 0 && list[0].mi_nentries == 3);
    CHECK(list[0].mi_indices[2] == 5 && list[0].mi_owners[2] == pvm_mytid());
    CHECK(list[0].mi_flags[0] == PvmMboxMultiInstance && list[2].mi_flags[0] == 4);
    static const struct {
        const char *pattern;
        int n;
    } found[] = {{"m", 2},   {"in*", 1}, {"m*y", 1}, {"*", 3},    {"", 3},
                 {"m.*", 0}, {"^m", 0},  {"[m]", 0}, {"min?", 0}, {"m\\*", 0}};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        CHECK(pvm_getmboxinfo((char *)found[i].pattern, &n, &list) == PvmOk && n == found[i].n);
    spawn("mailbox", 1, &tid);
    CHECK(get("late", 0, PvmMboxWaitForInfo) == 6);
    CHECK(pvm_notify(PvmTaskExit, GONE, 1, &tid) == PvmOk && receive_int(-1, GONE) == tid);
    CHECK(get("ours", 0, 0) == PvmNotFound && get("lost", 0, 0) == PvmNotFound);
    CHECK(get("kept", 0, 0) == 4 && pvm_getmboxinfo((char *)"kept", &n, &list) == PvmOk);
    CHECK(n == 1 && list[0].mi_owners[0] == 0 && list[0].mi_flags[0] == PvmMboxPersistent);
    CHECK(pvm_delinfo((char *)"kept", 0, 0) == PvmDenied);
    CHECK(pvm_insert(old, -1, 5) == 0 && pvm_insert(old, -1, 6) == 1 && pvm_insert(old, 7, 8) == 7);
    CHECK(pvm_insert(old, 7, 8) == PvmDupEntry && pvm_lookup(old, 9, &value) == PvmNoEntry);
    CHECK(pvm_lookup(old, -1, &value) == 0 && value == 5 && pvm_lookup(old, 7, &value) == 7);
    CHECK(value == 8 && pvm_delete(old, 0) == PvmOk && pvm_delete(old, 0) == PvmNoEntry);
    CHECK(pvm_lookup(old, -1, &value) == 1 && value == 6 && pvm_insert(old, -1, 9) == 0);
}

/* ---- threads ------------------------------------------------------------------------------ */

/* Two pairs of tasks' threads exchange messages at once; each pair has a tag. */
enum { PAIRS = 2, MESSAGES = 5000, PAIR_TAG = 100 };

struct pair_end {
    int peer, tag;
};

static void *send_numbers(void *data)
{
    const struct pair_end *end = data;

    for (int i = 0; i < MESSAGES; i++) {
        int numbers[] = {i, end->tag};
        CHECK(pvm_initsend(i % 2 ? PvmDataDefault : PvmDataRaw) > 0);
        CHECK(pvm_pkint(numbers, 2, 1) == PvmOk && pvm_send(end->peer, end->tag) == PvmOk);
    }
    return NULL;
}

static void *receive_numbers(void *data)
{
    const struct pair_end *end = data;

    for (int i = 0; i < MESSAGES; i++) {
        int numbers[] = {-1, -1};
        CHECK(pvm_recv(end->peer, end->tag) > 0 && pvm_upkint(numbers, 2, 1) == PvmOk);
        CHECK(numbers[0] == i && numbers[1] == end->tag);
    }
    return NULL;
}

static void exchange_with(int peer)
{
    struct pair_end ends[PAIRS];
    pthread_t threads[2 * PAIRS];

    for (int i = 0; i < PAIRS; i++) {
        ends[i] = (struct pair_end){.peer = peer, .tag = PAIR_TAG + i};
        pthread_create(&threads[2 * i], NULL, send_numbers, &ends[i]);
        pthread_create(&threads[2 * i + 1], NULL, receive_numbers, &ends[i]);
    }
    for (int i = 0; i < 2 * PAIRS; i++)
        pthread_join(threads[i], NULL);
}

/* In a context of the parent's, which all threads of both share. */
static void thread_child(void)
{
    exchange_with(pvm_parent());
}

static void threads(void)
{
    int tid;

    CHECK(pvm_setcontext(pvm_newcontext()) == 0);
    spawn("thread-child", 1, &tid);
    exchange_with(tid);
}

/* ---- trace masks ------------------------------------------------------------------------------
 */

static void masked_child(void)
{
    Pvmtmask mask;

    CHECK(pvm_gettmask(PvmTaskSelf, mask) == PvmOk && TEV_MASK_CHECK(mask, 9));
    CHECK(!TEV_MASK_CHECK(mask, 8) && pvm_gettmask(PvmTaskChild, mask) == PvmOk);
    CHECK(TEV_MASK_CHECK(mask, 9) && !TEV_MASK_CHECK(mask, 10));
    send_int(pvm_parent(), ANSWER, 1);
}

static void masks(void)
{
    Pvmtmask mask;
    int tid;

    TEV_MASK_INIT(mask);
    TEV_MASK_SET(mask, 9);
    CHECK(pvm_settmask(PvmTaskChild, mask) == PvmOk && pvm_settmask(2, mask) == PvmBadParam);
    CHECK(pvm_gettmask(PvmTaskSelf, mask) == PvmOk && !TEV_MASK_CHECK(mask, 9));
    CHECK(pvm_gettmask(PvmTaskSelf, NULL) == PvmBadParam);
    spawn("masked", 1, &tid);
    CHECK(receive_int(tid, ANSWER) == 1);
}

int main(int argc, char **argv)
{
    static const struct pvm_test tests[] = {
        {"family", family},
        {"killing", killing},
        {"failures", failures},
        {"inheriting", inheriting},
        {"catching", catching},
        {"catching-raw", catching_raw},
        {"catching-messages", catching_messages},
        {"watching", watching},
        {"hosts", hosts},
        {"counting", counting_child},
        {"without-hrun", without_hrun},
        {"mailboxes", mailboxes},
        {"wait", waiting_child},
        {"heir", heir},
        {"talk", talking_child},
        {"mailbox", mailbox_child},
        {"halting", halting},
        {"searching", searching},
        {"not-catching", not_catching},
        {"outlive", outliving_child},
        {"threads", threads},
        {"thread-child", thread_child},
        {"masks", masks},
        {"masked", masked_child},
        {"multicast", multicast},
        {"echoing", echoing_child},
        {"storing", storing},
        {"storing-child", storing_child},
        {"selecting", selecting},
        {"late", late_child},
    };

    pvm_setopt(PvmAutoErr, 0);
    return argc >= 2 ? pvm_run(tests, sizeof tests / sizeof *tests, argv[argc - 1]) : 2;
}
