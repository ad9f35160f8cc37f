/* pvm_job_task.c - a task that tests PVM's functions with tasks of its own: pvm_job_task WHAT.  It
 * spawns itself: pvm_job_task child WHAT.
 */
#include "pvm_check.h"
#include "pvmtev.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>

enum { CHILDREN = 3, STOP = 1, ANSWER = 2, GONE = 3 };

static char self[] = "pvm_job_task"; /* found beside the caller's own program */

static void spawn(const char *what, int n, int *tids)
{
    char child[] = "child", *argv[] = {child, (char *)what, NULL};

    CHECK(pvm_spawn(self, argv, PvmTaskDefault, NULL, n, tids) == n);
    for (int i = 0; i < n; i++)
        CHECK(tids[i] > 0 && tids[i] != pvm_mytid());
}

static void send_int(int tid, int tag, int value)
{
    CHECK(pvm_initsend(PvmDataDefault) > 0 && pvm_pkint(&value, 1, 1) == PvmOk);
    CHECK(pvm_send(tid, tag) == PvmOk);
}

static int receive_int(int tid, int tag)
{
    int value;

    CHECK(pvm_recv(tid, tag) > 0 && pvm_upkint(&value, 1, 1) == PvmOk);
    return value;
}

/* A child that tells its place among its siblings, and waits until it is told to stop. */
static void waiting_child(void)
{
    int *siblings, n = pvm_siblings(&siblings), mine = -1;

    for (int i = 0; i < n; i++)
        if (siblings[i] == pvm_mytid())
            mine = i;
    send_int(pvm_parent(), ANSWER, 100 * n + mine);
    receive_int(pvm_parent(), STOP);
}

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
            seen++;
        }
    CHECK(seen == CHILDREN && pvm_tasks(tids[0], &n, &tasks) == PvmOk && n == 1);
    CHECK(strcmp(tasks[0].ti_a_out, self) == 0); /* as it was spawned */
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
    CHECK(pvm_spawn(self, argv, PvmTaskArch, info[0].hi_arch, 1, tids) == 1);
    CHECK(pvm_spawn(self, argv, PvmTaskHost, info[0].hi_name, 1, tids) == 1);
    CHECK(pvm_spawn(self, argv, PvmTaskHost | PvmHostCompl, here, 1, tids) == 0);
    CHECK(tids[0] == PvmNoHost);
    CHECK(pvm_spawn(no, NULL, 0, NULL, 2, tids) == 0 && tids[0] == PvmNoFile);
    CHECK(tids[1] == PvmNoFile && pvm_spawn(self, NULL, 0, NULL, 0, tids) == PvmBadParam);
    CHECK(pvm_spawn(self, NULL, PvmTaskHost, none, 1, tids) == 0 && tids[0] == PvmNoHost);
    CHECK(pvm_spawn(self, NULL, PvmTaskArch, sun, 1, tids) == 0 && tids[0] == PvmNoHost);
    CHECK(pvm_spawn(self, NULL, PvmTaskHost, NULL, 1, tids) == PvmBadParam);
    CHECK(pvm_spawn(self, NULL, 0, wrong, 1, tids) == 0 && tids[0] == PvmNoFile);
}

/* What a child gets from its parent: the context, what is exported, the directory, no parent. */
static void heir(void)
{
    char there[4096];
    int context = pvm_getcontext();

    CHECK(getcwd(there, sizeof there) && !strcmp(there, "/") && context > 0);
    CHECK(getenv("PVM_TEST") && !strcmp(getenv("PVM_TEST"), "1=2"));
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
    CHECK(pvm_spawn(self, argv, PvmTaskHost | PvmNoSpawnParent, where, 1, &tid) == 1);
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

/* By hand: a machine of its own, as a program starts PVM's daemon. */
static void starting_daemon(void)
{
    int hosts;

    pvm_setopt(PvmAutoErr, 0);
    CHECK(pvm_start_pvmd(0, NULL, 1) == PvmOk);
    CHECK(pvm_mytid() > 0 && pvm_config(&hosts, NULL, NULL) == PvmOk && hosts == 1);
    CHECK(pvm_start_pvmd(0, NULL, 1) == PvmDupHost);
    pvm_initsend(PvmDataDefault);
    CHECK(pvm_putinfo("value", pvm_getsbuf(), PvmMboxDefault) == 0);
    CHECK(pvm_recvinfo("value", 0, PvmMboxDefault) > 0);
    signal(SIGTERM, SIG_DFL);
    pvm_halt();
    CHECK(!"still there");
}

/* Without a machine, and where none may be started. */
static void no_machine(void)
{
    pvm_setopt(PvmAutoErr, 0);
    CHECK(pvm_mytid() == PvmSysErr);
    CHECK(pvm_start_pvmd(0, NULL, 1) == PvmCantStart);
    CHECK(pvm_spawn("true", NULL, PvmTaskDefault, NULL, 1, NULL) == PvmSysErr);
}

/* What PVM's programs do that are started by hand, each under a name of its own. */
static void by_hand(void)
{
    char name[32];
    int tid = 0;

    snprintf(name, sizeof name, "of %d", (int)getpid());
    pvm_setopt(PvmAutoErr, 0);
    CHECK(pvm_mytid() > 0 && pvm_parent() == PvmNoParent);
    CHECK(pvm_spawn("/bin/true", NULL, PvmTaskDefault, NULL, 1, &tid) == 1 && tid > 0);
    pvm_initsend(PvmDataDefault);
    CHECK(pvm_putinfo(name, pvm_getsbuf(), PvmMboxDefault) == 0);
    CHECK(pvm_recvinfo(name, 0, PvmMboxDefault) > 0);
    CHECK(pvm_recvinfo("nothing", 0, PvmMboxDefault) == PvmNotFound);
    CHECK(pvm_joingroup(name) == 0 && pvm_barrier(name, 1) == PvmOk);
    CHECK(pvm_send(pvm_mytid(), STOP) == PvmOk && pvm_nrecv(-1, STOP) > 0);
    CHECK(pvm_start_pvmd(0, NULL, 1) == PvmDupHost);
    CHECK(pvm_exit() == PvmOk && pvm_mytid() > 0 && pvm_exit() == PvmOk);
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

/* Hosts that come and go: b and c of hosts "a", "& b" and "& c", all this machine. */
static void hosts(void)
{
    char b[] = "b", c[] = "c", no[] = "no slots=two", *names[] = {b, c, no};
    struct pvmhostinfo *info;
    int n, kinds, outcomes[3], list[2], added, gone;

    CHECK(pvm_config(&n, &kinds, &info) == PvmOk && n == 1 && kinds == 1);
    CHECK(!strcmp(info[0].hi_name, "a") && !strncmp(info[0].hi_arch, "LINUX", 5));
    CHECK(info[0].hi_tid == pvm_tidtohost(pvm_mytid()) && info[0].hi_speed > 0);
    CHECK(pvm_archcode(info[0].hi_arch) == info[0].hi_dsig && info[0].hi_dsig > 0);
    CHECK(pvm_archcode((char *)"SUN4") == PvmNotFound && pvm_mstat(b) == PvmNoHost);
    CHECK(pvm_notify(PvmHostAdd, GONE, -1, NULL) == PvmOk);
    CHECK(pvm_addhosts(names, 3, outcomes) == 2 && outcomes[0] > 0 && outcomes[1] > 0);
    CHECK(outcomes[2] == PvmBadParam);
    CHECK(pvm_addhosts(names, 1, outcomes + 2) == 0 && outcomes[2] == PvmDupHost);
    CHECK(pvm_recv(-1, GONE) > 0 && pvm_upkint(&added, 1, 1) == PvmOk && added == 2);
    CHECK(pvm_upkint(list, 2, 1) == PvmOk && !memcmp(list, outcomes, sizeof list));
    CHECK(pvm_nrecv(-1, GONE) == 0 && pvm_mstat(b) == PvmOk && pvm_mstat(c) == PvmOk);
    CHECK(pvm_notify(PvmHostDelete, GONE, 2, outcomes) == PvmOk);
    CHECK(pvm_delhosts(names, 2, list) == 2 && list[0] == PvmOk && list[1] == PvmOk);
    gone = receive_int(-1, GONE);
    CHECK(gone == outcomes[0] || gone == outcomes[1]);
    CHECK(receive_int(-1, GONE) == outcomes[0] + outcomes[1] - gone);
    CHECK(pvm_delhosts(names + 2, 1, list) == 0 && list[0] == PvmNoHost);
    CHECK(pvm_hostsync(0, NULL, NULL) == PvmNoHost);
    CHECK(pvm_hostsync(info[0].hi_tid, NULL, NULL) == PvmOk);
}

/* ---- mailboxes ---------------------------------------------------------------------------- */

static int put(const char *name, int value, int flags)
{
    CHECK(pvm_initsend(PvmDataDefault) > 0 && pvm_pkint(&value, 1, 1) == PvmOk);
    return pvm_putinfo((char *)name, pvm_getsbuf(), flags);
}

static int get(const char *name, int index, int flags)
{
    int value, buffer = pvm_recvinfo((char *)name, index, flags);

    if (buffer < 0)
        return buffer;
    CHECK(pvm_getrbuf() == buffer && pvm_upkint(&value, 1, 1) == PvmOk);
    return value;
}

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
    CHECK(get(many, -1, 0) == PvmBadParam && pvm_putinfo(many, 99, 0) == PvmNoSuchBuf);
    CHECK(pvm_getmboxinfo((char *)"*", &n, &list) == PvmOk && n == 3);
    CHECK(!strcmp(list[0].mi_name, "many") && list[0].mi_nentries == 3);
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

/* ---- leaving ----------------------------------------------------------------------- */

static const int large[1 << 20];

static void send_large(int tid)
{
    CHECK(pvm_initsend(PvmDataDefault) > 0 && pvm_pkint((int *)large, 1 << 20, 1) == PvmOk);
    CHECK(pvm_send(tid, ANSWER) == PvmOk);
}

/* What was sent arrives whatever becomes of the process, which is no failure. */
static void exiting_child(void)
{
    send_large(pvm_parent());
    CHECK(pvm_exit() == PvmOk);
    _exit(0);
}

/* Longer than others try to reach it, 30 s. */
static void exec_child(void)
{
    send_int(pvm_parent(), ANSWER, 3);
    pvm_exit();
    execl("/bin/sleep", "sleep", "40", (char *)NULL);
}

static void returning_child(void)
{
    int parent = pvm_parent();

    CHECK(pvm_exit() == PvmOk);
    send_int(parent, ANSWER, 4);
    CHECK(receive_int(parent, STOP) == 5 && pvm_exit() == PvmOk);
    _exit(0);
}

/* Each end is notified once, when the process has ended. */
static void leaving_children(void)
{
    int left, back;

    spawn("exiting", 1, &left);
    spawn("returning", 1, &back);
    CHECK(pvm_notify(PvmTaskExit, GONE, 1, &back) == PvmOk);
    CHECK(receive_int(back, ANSWER) == 4 && pvm_nrecv(-1, GONE) == 0);
    send_int(back, STOP, 5);
    CHECK(receive_int(-1, GONE) == back && pvm_nrecv(-1, GONE) == 0);
    CHECK(pvm_notify(PvmTaskExit, GONE, 1, &left) == PvmOk && receive_int(-1, GONE) == left);
    CHECK(pvm_recv(left, ANSWER) > 0);
}

/* A child becomes another program.  The caller gives it up before that ends, and the
 * job continues. */
static void becoming(void)
{
    int tid;

    spawn("exec", 1, &tid);
    CHECK(receive_int(tid, ANSWER) == 3 && pvm_notify(PvmTaskExit, GONE, 1, &tid) == PvmOk);
    for (int i = 0; i < 3; i++)
        send_large(tid);
    CHECK(receive_int(-1, GONE) == tid && pvm_nrecv(-1, GONE) == 0);
}

/* A task comes back into its job, but not into its groups, and finds neither its values nor the
 * messages to it. */
static void leaving(void)
{
    char group[] = "left";
    int me;

    CHECK(pvm_exit() == PvmOk && (me = pvm_mytid()) > 0); /* it was no task yet */
    CHECK(pvm_joingroup(group) == 0 && pvm_freezegroup(group, 1) == 1);
    CHECK(put("left", 1, PvmMboxDefault) == 0);
    send_int(me, ANSWER, 1);
    CHECK(pvm_exit() == PvmOk && pvm_exit() == PvmOk && pvm_parent() == PvmNoParent);
    CHECK(pvm_mytid() == me && pvm_nrecv(-1, -1) == 0 && pvm_gsize(group) == PvmNoGroup);
    CHECK(get("left", 0, 0) == PvmNotFound && pvm_joingroup(group) == 0);
    leaving_children();
    CHECK(pvm_exit() == PvmOk && pvm_exit() == PvmOk);
}

/* ---- forking ------------------------------------------------------------------------------ */

static int status_of(pid_t child)
{
    int status;

    CHECK(waitpid(child, &status, 0) == child);
    return status;
}

/* A forked child may end by exit(), with the parent's handlers, and does not disturb the parent. */
static void forking(void)
{
    int me = pvm_mytid();
    pid_t child = fork();

    if (child == 0)
        exit(pvm_mytid() != PvmSysErr || pvm_initsend(PvmDataDefault) != PvmSysErr ||
             pvm_send(me, ANSWER) != PvmSysErr || pvm_nrecv(-1, -1) != PvmSysErr ||
             pvm_exit() != PvmOk);
    CHECK(status_of(child) == 0 && pvm_probe(-1, -1) == 0);
    send_int(me, ANSWER, 7);
    CHECK(receive_int(me, ANSWER) == 7);
}

/* ---- started by hand, on a machine that stays ------------------------------------------------ */

/* A server and a client that find each other by a name; the server serves one client. */
static void server(void)
{
    int me = pvm_mytid(), client, again;

    CHECK(me > 0 && pvm_parent() == PvmNoParent && pvm_joingroup((char *)"both") == 0);
    CHECK(put("server", me, PvmMboxDefault) == 0);
    client = receive_int(-1, ANSWER);
    CHECK(pvm_getinst((char *)"both", client) == 1 && pvm_barrier((char *)"both", 2) == PvmOk);
    CHECK(pvm_notify(PvmTaskExit, GONE, 1, &client) == PvmOk && receive_int(-1, GONE) == client);
    CHECK(pvm_exit() == PvmOk && (again = pvm_mytid()) > 0 && again != me);
    CHECK(get("server", 0, 0) == PvmNotFound); /* it went with its owner */
}

static void client(void)
{
    int tid = get("server", 0, PvmMboxWaitForInfo), n, by_hand = 0, child;
    struct pvmtaskinfo *tasks;

    CHECK(tid > 0 && pvm_joingroup((char *)"both") == 1);
    spawn("wait", 1, &child);
    CHECK(receive_int(child, ANSWER) == 100 && pvm_tasks(0, &n, &tasks) == PvmOk && n == 3);
    for (int i = 0; i < n; i++)
        by_hand += tasks[i].ti_ptid == 0 && tasks[i].ti_a_out[0] == 0;
    CHECK(by_hand == 2);
    send_int(child, STOP, 0);
    send_int(tid, ANSWER, pvm_mytid());
    CHECK(pvm_barrier((char *)"both", 2) == PvmOk);
}

static void killed(void)
{
    put("killed", pvm_mytid(), PvmMboxDefault);
    receive_int(-1, STOP);
}

static void killer(void)
{
    int tid = get("killed", 0, PvmMboxWaitForInfo);

    CHECK(pvm_notify(PvmTaskExit, GONE, 1, &tid) == PvmOk && pvm_kill(tid) == PvmOk);
    CHECK(receive_int(-1, GONE) == tid && pvm_pstat(tid) == PvmNoTask);
}

/* Tells its tid, and a process that it has forked and that outlives it. */
static void victim(void)
{
    int told[] = {pvm_mytid(), fork()};

    if (told[1] == 0)
        pause();
    CHECK(write(STDOUT_FILENO, told, sizeof told) == (ssize_t)sizeof told);
    receive_int(-1, STOP);
}

static void shooter(void)
{
    int told[2], ends[2];

    CHECK(pvm_mytid() > 0 && pipe(ends) == 0);
    pid_t shot = fork();
    if (shot == 0 && dup2(ends[1], STDOUT_FILENO) == STDOUT_FILENO)
        execl("/proc/self/exe", self, "victim", (char *)NULL);
    CHECK(read(ends[0], told, sizeof told) == (ssize_t)sizeof told);
    CHECK(pvm_pstat(told[0]) == PvmOk && pvm_notify(PvmTaskExit, GONE, 1, told) == PvmOk);
    kill(shot, SIGKILL);
    CHECK(status_of(shot) == SIGKILL && receive_int(-1, GONE) == told[0]);
    kill(told[1], SIGKILL);
    CHECK(pvm_pstat(told[0]) == PvmNoTask);
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

/* For test_console, which ends the child and then this task. */
static void at_console(void)
{
    int child;

    spawn("wait", 1, &child);
    receive_int(child, ANSWER);
    CHECK(pvm_notify(PvmTaskExit, GONE, 1, &child) == PvmOk);
    printf("t%x t%x\n", (unsigned)pvm_mytid(), (unsigned)child);
    fflush(stdout);
    CHECK(receive_int(-1, GONE) == child);
    puts("ended");
    fflush(stdout);
    pause();
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
        {"watching", watching},
        {"hosts", hosts},
        {"mailboxes", mailboxes},
        {"wait", waiting_child},
        {"heir", heir},
        {"talk", talking_child},
        {"mailbox", mailbox_child},
        {"halting", halting},
        {"daemon", starting_daemon},
        {"no-machine", no_machine},
        {"by-hand", by_hand},
        {"searching", searching},
        {"not-catching", not_catching},
        {"outlive", outliving_child},
        {"threads", threads},
        {"thread-child", thread_child},
        {"leaving", leaving},
        {"becoming", becoming},
        {"exiting", exiting_child},
        {"exec", exec_child},
        {"returning", returning_child},
        {"masks", masks},
        {"server", server},
        {"client", client},
        {"killed", killed},
        {"killer", killer},
        {"masked", masked_child},
        {"forking", forking},
        {"victim", victim},
        {"shooter", shooter},
        {"console", at_console},
        {"multicast", multicast},
        {"echoing", echoing_child},
        {"selecting", selecting},
        {"late", late_child},
    };

    if (strcmp(argv[argc - 1], "leaving") != 0) /* which begins as no task */
        pvm_setopt(PvmAutoErr, 0);
    return argc >= 2 ? pvm_run(tests, sizeof tests / sizeof *tests, argv[argc - 1]) : 2;
}
