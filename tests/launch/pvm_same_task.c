/* pvm_same_task.c - prints what PVM's functions return, for a comparison with real PVM: linked with
 * libpvm3 and libgpvm3, of PVM or of hnow.  What differs from run to run (tids, numbers of buffers)
 * is not printed, but whether it is as it should be.
 */
#include <pvm3.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG = 5, GONE = 6 };
#define SHOW(call) printf("%-52s %d\n", #call, call)
/* Also, whether an error was printed. */
#define SHOW_PRINTED(call)                                                                         \
    do {                                                                                           \
        off_t before = lseek(STDERR_FILENO, 0, SEEK_CUR);                                          \
        int result = call;                                                                         \
        printf("%-52s %d%s\n", #call, result,                                                      \
               lseek(STDERR_FILENO, 0, SEEK_CUR) > before ? " printed" : "");                      \
    } while (0)

extern int pvm_errno, pvm_nerr; /* which pvm3.h does not declare */
extern char *pvm_errlist[];

static int me;
static char group[] = "same", program[4096];

/* Sends what is packed to oneself, and receives it. */
static void turn(int tag)
{
    SHOW(pvm_send(me, tag));
    SHOW(pvm_recv(-1, tag) > 0);
}

static void unpacking(void)
{
    int x[4] = {1, 2, 3, 4}, length, tag, from;
    double d = 1.5, two[2];
    char text[100] = "";

    SHOW(pvm_initsend(PvmDataDefault) > 0);
    SHOW(pvm_pkint(x, 2, 1));
    turn(TAG);
    SHOW(pvm_upkint(x, 1, 1));
    SHOW(pvm_upkint(x, 2, 1)); /* more than there is */
    SHOW(pvm_upkint(x, 1, 1)); /* then nothing is there any more */
    SHOW(pvm_upkstr(text));
    SHOW(pvm_initsend(PvmDataRaw) > 0);
    SHOW(pvm_pkbyte(text, 18, 1));
    turn(TAG);
    SHOW(pvm_upkdouble(two, 2, 1));
    SHOW(pvm_upkdouble(&d, 1, 1)); /* 2 bytes are left, too few */
    SHOW(pvm_upkbyte(text, 2, 1)); /* then none */
    d = 1.5;
    SHOW(pvm_initsend(PvmDataRaw) > 0);
    SHOW(pvm_pkstr((char *)"seven"));
    SHOW(pvm_pkdouble(&d, 1, 1));
    SHOW(pvm_pkint(x, 4, 3) == PvmOk);
    turn(TAG);
    SHOW(pvm_bufinfo(pvm_getrbuf(), &length, &tag, &from));
    SHOW(tag == TAG && from == me);
    SHOW(pvm_upkstr(text) == PvmOk && strcmp(text, "seven") == 0);
    SHOW(pvm_upkdouble(&d, 1, 1) == PvmOk && d == 1.5);
    SHOW(pvm_upkint(x, -1, 1));
    SHOW(pvm_upkbyte(NULL, 0, 1));
}

static void exporting(void)
{
    setenv("PVM_EXPORT", "A:B", 1);
    SHOW(pvm_export((char *)"A"));
    printf("%s\n", getenv("PVM_EXPORT"));
    SHOW(pvm_export((char *)"C"));
    SHOW(pvm_unexport((char *)"B"));
    printf("%s\n", getenv("PVM_EXPORT"));
}

/* Texts are their length and their bytes; other encodings than the raw one fill up to 4 bytes. */
static void texts(void)
{
    int length, bytes;
    char text[100] = "";

    SHOW(pvm_initsend(PvmDataRaw) > 0);
    SHOW(pvm_pkstr((char *)"seven"));
    length = 3;
    SHOW(pvm_pkint(&length, 1, 1));
    SHOW(pvm_pkbyte((char *)"ab", 3, 1));
    SHOW(pvm_bufinfo(pvm_getsbuf(), &bytes, NULL, NULL));
    SHOW(bytes);
    turn(TAG);
    SHOW(pvm_upkint(&length, 1, 1));
    SHOW(length);
    SHOW(pvm_upkbyte(text, length, 1));
    SHOW(strcmp(text, "seven"));
    SHOW(pvm_upkstr(text));
    SHOW(strcmp(text, "ab"));
}

static void without_a_buffer(void)
{
    int x = 1;
    double d;

    SHOW(pvm_freebuf(pvm_setsbuf(0)));
    SHOW(pvm_freebuf(pvm_setrbuf(0)));
    SHOW(pvm_pkint(&x, -1, 1));
    SHOW(pvm_pkint(&x, 1, 1));
    SHOW(pvm_mcast(&x, -1, TAG));
    SHOW(pvm_send(-1, TAG));
    SHOW(pvm_upkdouble(&d, -1, 1));
    SHOW(pvm_upkdouble(&d, 1, 1));
    SHOW(pvm_psend(me, TAG, "text", 5, PVM_STR));
    SHOW(pvm_precv(me, TAG, &x, 5, PVM_STR, NULL, NULL, NULL));
    SHOW(pvm_psend(-1, TAG, "text", 5, PVM_STR));
    SHOW(pvm_psend(me, TAG, &x, 1, 99));
}

static void tickling(void)
{
    int asked[11] = {5}, set[2] = {6, 3}, n = 7, answer[10] = {9};

    SHOW(pvm_tickle(0, asked, &n, answer));
    SHOW(pvm_tickle(11, asked, &n, answer));
    SHOW(pvm_tickle(1, asked, &n, answer));
    SHOW(n);
    SHOW(answer[0]);
    SHOW(pvm_tickle(2, set, &n, answer));
    SHOW(n);
    SHOW(pvm_tickle(1, asked, NULL, answer));
    SHOW(answer[0]);
    set[1] = 0;
    SHOW(pvm_tickle(2, set, NULL, NULL));
    asked[0] = 99;
    SHOW(pvm_tickle(1, asked, &n, answer));
    SHOW(n);
}

static void arguments(void)
{
    int *tids, n;
    struct pvmhostinfo *hosts;
    struct timeval none = {0, 0};
    int daemon = pvm_tidtohost(me);

    SHOW(pvm_parent());
    SHOW(pvm_siblings(&tids));
    SHOW(pvm_send(me, -3));
    SHOW(pvm_errno);
    SHOW(pvm_nerr);
    SHOW(pvm_errlist[-PvmNoInst] && strcmp(pvm_errlist[-pvm_errno], pvm_strerror()) == 0);
    SHOW(pvm_send(me, -1));
    SHOW(pvm_send(-5, TAG));
    SHOW(pvm_nrecv(-1, -1));
    SHOW(pvm_trecv(-1, TAG, &none));
    SHOW(pvm_probe(-1, TAG));
    SHOW(pvm_freebuf(1000));
    SHOW(pvm_setsbuf(1000));
    SHOW(pvm_setrbuf(-1));
    SHOW(pvm_initsend(77));
    SHOW(pvm_mkbuf(PvmDataDefault) > 0);
    SHOW(pvm_bufinfo(1000, NULL, NULL, NULL));
    SHOW(pvm_config(&n, NULL, &hosts));
    SHOW(n);
    SHOW(pvm_pstat(me));
    SHOW(pvm_pstat(0x4ffff));
    SHOW(pvm_tidtohost(me) == hosts[0].hi_tid);
    SHOW(pvm_mstat((char *)"no-such-host"));
    SHOW(pvm_mstat(hosts[0].hi_name));
    SHOW(pvm_mstat((char *)""));
    SHOW(pvm_pstat(daemon));
    SHOW(pvm_send(daemon, TAG));
    SHOW(pvm_sendsig(daemon, SIGTERM));
    SHOW(pvm_notify(PvmTaskExit, GONE, 1, &daemon));
    SHOW(pvm_notify(99, GONE, 1, &me));
    SHOW(pvm_notify(PvmTaskExit, GONE, 0, &me));
    SHOW(pvm_setopt(PvmRoute, PvmRouteDirect));
    SHOW(pvm_getopt(PvmRoute));
    SHOW(pvm_setopt(PvmResvTids, 1));
    SHOW(pvm_getopt(PvmResvTids));
    SHOW(pvm_setopt(99, 1));
    SHOW(pvm_setopt(PvmResvTids, 0));
}

static void mailboxes(void)
{
    int buffer = pvm_initsend(PvmDataDefault), x = 1, n;
    char name[] = "box", none[] = "no-box";
    struct pvmmboxinfo *list;

    SHOW(pvm_pkint(&x, 1, 1));
    SHOW(pvm_putinfo(name, buffer, PvmMboxMultiInstance));
    SHOW(pvm_putinfo(name, buffer, PvmMboxMultiInstance));
    SHOW(pvm_putinfo(name, buffer, PvmMboxMultiInstance | PvmMboxDirectIndex(7)));
    SHOW(pvm_putinfo(name, buffer, PvmMboxMultiInstance | PvmMboxDirectIndex(7)));
    SHOW(pvm_recvinfo(name, 8, PvmMboxDefault) > 0);
    SHOW(pvm_recvinfo((char *)"", 0, PvmMboxDefault));
    SHOW(pvm_lookup((char *)"", 0, &x));
    SHOW(pvm_recvinfo(none, 0, PvmMboxDefault));
    SHOW(pvm_recvinfo(name, 1, PvmMboxDefault) > 0);
    SHOW(pvm_recvinfo(name, 2, PvmMboxDefault));
    SHOW(pvm_delinfo(none, 0, 0));
    SHOW(pvm_delinfo(name, 0, 0));
    SHOW(pvm_delinfo(name, 0, 0));
    SHOW(pvm_putinfo(none, buffer, PvmMboxPersistent | PvmMboxDirectIndex(5)));
    SHOW(pvm_getmboxinfo(none, &n, &list));
    SHOW(list[0].mi_flags[0]);
    SHOW(pvm_delinfo(none, 5, 0));
    SHOW(pvm_insert(none, 3, 7));
    SHOW(pvm_insert(none, 3, 7));
    SHOW(pvm_lookup(none, 3, &x));
    SHOW(x);
    SHOW(pvm_delete(none, 3));
    SHOW(pvm_lookup(none, 3, &x));
}

static void groups(void)
{
    int x = 5, tid = me;
    char none[] = "no-group";

    SHOW(pvm_joingroup(group));
    SHOW(pvm_joingroup(group));
    SHOW(pvm_gsize(group));
    SHOW(pvm_getinst(group, me));
    SHOW(pvm_gettid(group, 0) == me);
    SHOW(pvm_gettid(group, 1));
    SHOW(pvm_getinst(group, -1)); /* the first place where nobody is */
    SHOW(pvm_getinst(none, me));
    SHOW(pvm_getinst(none, -1));
    SHOW(pvm_gettid(none, 0));
    SHOW(pvm_lvgroup(none));
    SHOW(pvm_barrier(group, 1));
    SHOW(pvm_barrier(group, 0));
    SHOW(pvm_barrier(none, 1));
    SHOW(pvm_barrier(none, 0));
    SHOW(pvm_reduce(PvmSum, &x, 1, PVM_INT, TAG, group, 0));
    SHOW(x);
    SHOW(pvm_reduce(PvmSum, &x, 0, PVM_INT, TAG, group, 0));
    SHOW(pvm_gather(NULL, &x, 1, PVM_INT, TAG, group, 0));
    SHOW(pvm_gather(&tid, NULL, 1, PVM_INT, TAG, group, 0));
    SHOW(pvm_gather(&tid, &x, 0, PVM_INT, TAG, group, 0));
    SHOW(pvm_scatter(NULL, &x, 1, PVM_INT, TAG, group, 0));
    SHOW(pvm_scatter(&tid, NULL, 1, PVM_INT, TAG, group, 0));
    SHOW(pvm_scatter(&x, &x, 0, PVM_INT, TAG, group, 0));
    SHOW(pvm_initsend(PvmDataDefault) > 0);
    SHOW(pvm_bcast(group, TAG));
    SHOW(pvm_nrecv(-1, TAG)); /* it is not for the sender */
    SHOW(pvm_lvgroup(group));
    SHOW(pvm_lvgroup(group));
    SHOW(pvm_mcast(&tid, 1, TAG)); /* nor is this */
    SHOW(pvm_nrecv(-1, TAG));
}

/* ---- groups of several tasks ---- */

/* OPERATION: PVM's group server uses low tags itself, in the context of these operations. */
enum { ORDER = 8, DONE = 9, OPERATION = 500 };
enum order { END, JOIN, LEAVE, FREEZE, BARRIER, REDUCE };

/* A call about the group; `n` is its number. */
static int obey(enum order order, int n)
{
    switch (order) {
    case JOIN:
        return pvm_joingroup(group);
    case LEAVE:
        return pvm_lvgroup(group);
    case FREEZE:
        return pvm_freezegroup(group, n);
    case BARRIER:
        return pvm_barrier(group, n);
    case REDUCE:
        return pvm_reduce(PvmSum, &n, 1, PVM_INT, OPERATION, group, 0);
    default:
        return 0;
    }
}

static int obedient_child(void)
{
    int order[2];

    group[0] = 'S';
    do {
        int result;
        pvm_recv(pvm_parent(), ORDER);
        pvm_upkint(order, 2, 1);
        result = obey(order[0], order[1]);
        pvm_initsend(PvmDataDefault);
        pvm_pkint(&result, 1, 1);
        pvm_send(pvm_parent(), DONE);
    } while (order[0] != END);
    return pvm_exit();
}

static void order(int tid, enum order what, int n)
{
    int order[] = {what, n};

    pvm_initsend(PvmDataDefault);
    pvm_pkint(order, 2, 1);
    pvm_send(tid, ORDER);
}

static int result_of(int tid)
{
    int result = 77;

    pvm_recv(tid, DONE);
    pvm_upkint(&result, 1, 1);
    return result;
}

static int ask(int tid, enum order what, int n)
{
    order(tid, what, n);
    return result_of(tid);
}

/* Instance 1 of 3 leaves: without it nothing can be gathered or scattered. */
static void gap(const int *tids)
{
    int x = 1, all[3] = {0};

    SHOW(pvm_joingroup(group));
    SHOW(ask(tids[0], JOIN, 0));
    SHOW(ask(tids[1], JOIN, 0));
    SHOW(ask(tids[0], LEAVE, 0));
    SHOW(pvm_gather(all, &x, 1, PVM_INT, OPERATION, group, 0));
    SHOW(pvm_scatter(&x, all, 1, PVM_INT, OPERATION, group, 0));
    order(tids[1], REDUCE, 5);
    SHOW(pvm_reduce(PvmSum, &x, 1, PVM_INT, OPERATION, group, 0));
    SHOW(x);
    SHOW(result_of(tids[1]));
    SHOW(ask(tids[1], LEAVE, 0));
    SHOW(pvm_lvgroup(group));
}

/* One of two members freezes the group: it has both, and a third task cannot join. */
static void half_frozen(const int *tids)
{
    int x = 1;

    SHOW(pvm_joingroup(group));
    SHOW(ask(tids[0], JOIN, 0));
    SHOW(pvm_freezegroup(group, 1));
    SHOW(ask(tids[0], FREEZE, 1));
    SHOW(pvm_gsize(group));
    SHOW(pvm_gettid(group, 1) == tids[0]);
    SHOW(pvm_getinst(group, tids[0]));
    SHOW(ask(tids[1], JOIN, 0));
    SHOW(pvm_getinst(group, tids[1]));
    SHOW(pvm_joingroup(group));
    order(tids[0], REDUCE, 5);
    SHOW(pvm_reduce(PvmSum, &x, 1, PVM_INT, OPERATION, group, 0));
    SHOW(x);
    SHOW(result_of(tids[0]));
    order(tids[0], BARRIER, 2);
    SHOW(pvm_barrier(group, 2));
    SHOW(result_of(tids[0]));
    SHOW(pvm_lvgroup(group));
    SHOW(ask(tids[0], LEAVE, 0));
    SHOW(ask(tids[1], JOIN, 0));
    SHOW(ask(tids[1], LEAVE, 0));
}

static void frozen(const int *tids)
{
    SHOW(pvm_joingroup(group));
    SHOW(ask(tids[0], JOIN, 0));
    order(tids[0], FREEZE, -1);
    SHOW(pvm_freezegroup(group, -1));
    SHOW(result_of(tids[0]));
    SHOW(ask(tids[1], JOIN, 0));
    SHOW(ask(tids[1], FREEZE, 2));
    SHOW(ask(tids[0], LEAVE, 0));
    SHOW(ask(tids[0], JOIN, 0)); /* it is still frozen for the other member */
    SHOW(pvm_barrier(group, 2));
    SHOW(pvm_lvgroup(group));
    SHOW(ask(tids[1], JOIN, 0));
    SHOW(ask(tids[1], LEAVE, 0));
}

static void groups_of_tasks(void)
{
    char *argv[] = {(char *)"obedient", NULL};
    int tids[2];

    group[0] = 'S'; /* another group */
    SHOW(pvm_spawn(program, argv, PvmTaskDefault, NULL, 2, tids));
    gap(tids);
    half_frozen(tids);
    frozen(tids);
    SHOW(ask(tids[0], END, 0));
    SHOW(ask(tids[1], END, 0));
}

/* The output of a child, without its tid. */
static void caught(void)
{
    char *argv[] = {(char *)"talking", NULL}, line[100];
    FILE *file = tmpfile();
    int tid;

    SHOW(pvm_catchout(file));
    SHOW(pvm_spawn(program, argv, PvmTaskDefault, NULL, 1, &tid));
    SHOW(pvm_exit());
    rewind(file);
    while (fgets(line, sizeof line, file))
        printf("%s", strchr(line, ']') ? strchr(line, ']') : line);
}

static int ignore(int buffer)
{
    return buffer;
}

static void contexts(void)
{
    int context = pvm_newcontext();

    SHOW(pvm_setcontext(-1));
    SHOW(pvm_getcontext());
    SHOW(pvm_setcontext(-5));
    SHOW(pvm_setcontext(0));
    SHOW(pvm_freecontext(77));
    SHOW(pvm_freecontext(-1));
    SHOW(pvm_freecontext(context));
    SHOW(pvm_freecontext(context));
    SHOW(pvm_addmhf(-1, 90, 0, ignore) >= 0);
    SHOW(pvm_addmhf(me, 90, 0, ignore));
    SHOW(pvm_addmhf(-1, -1, 0, ignore));
    SHOW(pvm_addmhf(-1, 90, -1, ignore));
    SHOW(pvm_addmhf(me, 91, 0, ignore) >= 0);
    SHOW(pvm_addmhf(me, -1, 3, ignore) >= 0);
    SHOW(pvm_addmhf(-1, 92, 3, ignore));
}

/* Sets an option, and gets it. */
static void set(const char *name, int what, int value)
{
    int before = pvm_setopt(what, value);

    printf("%-24s %8d %8d\n", name, before == me ? -1000 : before, pvm_getopt(what) == value);
}

#define SET(what, value) set(#what " " #value, what, value)

static void options(void)
{
    int *list, n;

    SET(PvmTraceTid, 5);
    SET(PvmTraceTid, me);
    SET(PvmTraceTid, 0);
    SET(PvmOutputTid, -1);
    SET(PvmOutputTid, pvm_tidtohost(me));
    SET(PvmSelfOutputTid, 5);
    SET(PvmSelfTraceTid, -1);
    SET(PvmTraceOptions, PvmTraceTime);
    SET(PvmTraceOptions, 77);
    SET(PvmFragSize, 51);
    SET(PvmFragSize, 52);
    SET(PvmFragSize, 1048576);
    SET(PvmFragSize, 1048577);
    SET(PvmPollType, PvmPollSleep);
    SET(PvmPollTime, 9);
    SET(PvmDebugMask, 3);
    SET(PvmDebugMask, 0);
    SHOW(pvm_getnoresets(&list, &n));
    SHOW(n);
    SET(PvmNoReset, 1);
    SHOW(pvm_getnoresets(&list, &n));
    SHOW(n == 1 && list[0] == me);
    SHOW(pvm_getfds(&list) > 0);
}

/* Out of the machine, and back. */
static void leaving(void)
{
    char name[] = "left";

    SHOW(pvm_joingroup(group));
    SHOW(pvm_initsend(PvmDataDefault) > 0);
    SHOW(pvm_putinfo(name, pvm_getsbuf(), PvmMboxDefault));
    SHOW(pvm_send(me, TAG));
    SHOW(pvm_exit());
    SHOW(pvm_exit());
    SHOW(pvm_parent());
    SHOW(pvm_mytid() > 0);
    SHOW(pvm_nrecv(-1, TAG));
    SHOW(pvm_getsbuf() > 0);
    SHOW(pvm_recvinfo(name, 0, PvmMboxDefault));
    SHOW(pvm_gsize(group));
    SHOW(pvm_joingroup(group));
    SHOW(pvm_addmhf(-1, 90, 0, ignore) >= 0); /* again: it was forgotten */
}

static void children(void)
{
    char *argv[] = {(char *)"child", NULL};
    struct pvmtaskinfo *tasks;
    int tid, n, gone;

    SHOW(pvm_spawn((char *)"/nonexistent/program", NULL, PvmTaskDefault, NULL, 1, &tid));
    SHOW(tid);
    SHOW(pvm_spawn(program, argv, PvmTaskDefault, NULL, 1, &tid));
    SHOW(pvm_tasks(tid, &n, &tasks));
    SHOW(n);
    SHOW(strcmp(tasks[0].ti_a_out, program));
    SHOW(tasks[0].ti_ptid == me);
    SHOW(pvm_notify(PvmTaskExit, GONE, 1, &tid));
    kill(tasks[0].ti_pid, SIGKILL);
    SHOW(pvm_recv(-1, GONE) > 0);
    SHOW(pvm_upkint(&gone, 1, 1));
    SHOW(gone == tid);
    SHOW(pvm_pstat(tid));
    SHOW(pvm_tasks(tid, &n, &tasks));
    SHOW(n);
    SHOW(pvm_kill(tid));
    SHOW(pvm_sendsig(tid, SIGTERM));
    SHOW(pvm_notify(PvmTaskExit, GONE, 1, &tid)); /* it is told of at once */
    SHOW(pvm_recv(-1, GONE) > 0);
}

/* Tids that never were, and other arguments that name nothing. */
/* Prints how many notifications of the tag arrive. */
static void arriving(const char *what)
{
    struct timeval time = {0, 200000};
    int n = 0;

    while (pvm_trecv(-1, TAG, &time) > 0)
        n++;
    printf("%s: %d\n", what, n);
}

/* Each cancelled request gives one notification, and nothing else does. */
static void cancelling(void)
{
    char *argv[] = {"child", NULL};
    int tids[2], pair[2] = {5, 6}, host = pvm_tidtohost(me);

    SHOW(pvm_spawn(program, argv, PvmTaskDefault, "", 2, tids));
    SHOW(pvm_notify(PvmTaskExit | PvmNotifyCancel, TAG, 1, tids));
    arriving("not requested");
    SHOW(pvm_notify(PvmTaskExit, TAG, 2, tids));
    SHOW(pvm_psend(me, TAG, (char *)pair, 2, PVM_INT)); /* no notification, only the same tag */
    SHOW(pvm_recv(me, TAG) > 0);
    SHOW(pvm_upkint(pair, 2, 1));
    printf("%d %d\n", pair[0], pair[1]);
    SHOW(pvm_notify(PvmTaskExit, TAG, 1, tids));
    SHOW(pvm_notify(PvmTaskExit | PvmNotifyCancel, TAG, 1, tids));
    arriving("one of two");
    SHOW(pvm_notify(PvmTaskExit | PvmNotifyCancel, TAG, 2, tids));
    arriving("both");
    SHOW(pvm_notify(PvmTaskExit, TAG, 2, tids));
    SHOW(pvm_notify(PvmTaskExit, TAG, 1, tids));
    SHOW(pvm_notify(PvmTaskExit | PvmNotifyCancel, TAG, 1, tids));
    SHOW(pvm_kill(tids[0]));
    SHOW(pvm_kill(tids[1]));
    sleep(1);
    arriving("ended, one cancelled");
    SHOW(pvm_notify(PvmTaskExit | PvmNotifyCancel, TAG, 2, tids));
    arriving("received before");
    SHOW(pvm_notify(PvmHostDelete, TAG, 1, &host));
    SHOW(pvm_notify(PvmHostDelete | PvmNotifyCancel, TAG, 1, &host));
    arriving("of a host");
    SHOW(pvm_notify(PvmHostDelete | PvmNotifyCancel, TAG, 1, &host));
    arriving("of none");
    SHOW(pvm_notify(PvmTaskExit | PvmNotifyCancel, TAG, 1, &me));
    arriving("of itself, not requested");
}

static void names_of_nothing(void)
{
    static const int hosts[] = {-1, 0, 5, 0x01fc0000, 0x7fffffff};
    int never = me + 1000, list[2] = {never, never + 1}, x = 1, tag = 70,
        daemon = pvm_tidtohost(me);
    struct timeval soon = {0, 1000};
    char nothing[] = "", *argv[] = {(char *)"child", NULL};

    SHOW(pvm_initsend(PvmDataDefault) > 0);
    SHOW(pvm_send(never, TAG));
    SHOW(pvm_send(0x7fffffff, TAG));
    SHOW(pvm_mcast(list, 2, TAG));
    SHOW(pvm_mcast(&daemon, 1, TAG));
    SHOW(pvm_psend(never, TAG, &x, 1, PVM_INT));
    SHOW(pvm_psend(daemon, TAG, &x, 1, PVM_INT));
    SHOW(pvm_kill(never));
    SHOW(pvm_kill(0x7fffffff));
    SHOW(pvm_sendsig(never, 0));
    SHOW(pvm_sendsig(me, 1000));
    SHOW(pvm_nrecv(never, TAG));
    SHOW(pvm_nrecv(0, TAG));
    SHOW(pvm_nrecv(-2, TAG));
    SHOW(pvm_nrecv(-1, -2));
    SHOW(pvm_trecv(never, TAG, &soon));
    SHOW(pvm_trecv(-2, TAG, &soon));
    SHOW(pvm_probe(-2, TAG));
    SHOW(pvm_probe(-1, -2));
    SHOW(pvm_tidtohost(0));
    SHOW(pvm_tidtohost(-1));
    SHOW(pvm_tidtohost(5));
    SHOW(pvm_tasks(-1, NULL, NULL));
    SHOW(pvm_tasks(0, NULL, NULL));
    SHOW(pvm_pstat(never));
    SHOW(pvm_pstat(0x7fffffff));
    SHOW(pvm_spawn(nothing, NULL, PvmTaskDefault, NULL, 2, list));
    SHOW(list[0]);
    SHOW(list[1]);
    SHOW(pvm_spawn(program, argv, PvmTaskHost, nothing, 1, list));
    SHOW(list[0]);
    SHOW(pvm_spawn(program, argv, PvmTaskHost, NULL, 1, list));
    SHOW(pvm_spawn(program, argv, PvmTaskArch, nothing, 1, list));
    SHOW(list[0]);
    SHOW(pvm_spawn(program, argv, PvmTaskHost | PvmHostCompl, nothing, 1, list));
    SHOW(pvm_kill(list[0]));
    SHOW(pvm_spawn(program, argv, PvmHostCompl, nothing, 1, list));
    SHOW(list[0]);
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts;
         i++, tag++) { /* at once, or a little later */
        int host = hosts[i];
        SHOW(pvm_notify(PvmHostDelete, tag, 1, &host));
        SHOW(pvm_recv(-1, tag) > 0);
    }
    SHOW(pvm_delinfo(nothing, 0, 0));
    SHOW(pvm_getmboxinfo(NULL, NULL, NULL));
    SHOW(pvm_export(nothing));
    SHOW(pvm_unexport(nothing));
}

static void printing(void)
{
    char none[] = "none", nothing[] = "", name[] = "printing";
    int x = 1, y[2];

    dup2(fileno(tmpfile()), STDERR_FILENO);
    SHOW(pvm_setopt(PvmAutoErr, 1));
    SHOW_PRINTED(pvm_joingroup(nothing));
    SHOW_PRINTED(pvm_lvgroup(none));
    SHOW_PRINTED(pvm_gsize(nothing));
    SHOW_PRINTED(pvm_gettid(none, 0));
    SHOW_PRINTED(pvm_barrier(none, 0));
    SHOW_PRINTED(pvm_freezegroup(none, 1));
    SHOW_PRINTED(pvm_bcast(nothing, TAG));
    SHOW_PRINTED(pvm_reduce(PvmSum, &x, 1, PVM_INT, TAG, none, 0));
    SHOW_PRINTED(pvm_gather(y, &x, 1, PVM_INT, TAG, none, 0));
    SHOW_PRINTED(pvm_scatter(&x, y, 1, PVM_INT, TAG, none, 0));
    SHOW_PRINTED(pvm_joingroup(group));
    SHOW_PRINTED(pvm_joingroup(group));
    SHOW_PRINTED(pvm_freezegroup(group, 0));
    SHOW_PRINTED(pvm_freezegroup(group, -4));
    SHOW_PRINTED(pvm_barrier(group, 0));
    SHOW_PRINTED(pvm_lvgroup(group));
    SHOW(pvm_initsend(PvmDataDefault) > 0);
    SHOW_PRINTED(pvm_putinfo(name, pvm_getsbuf(), PvmMboxDefault));
    SHOW_PRINTED(pvm_putinfo(NULL, pvm_getsbuf(), PvmMboxDefault));
    SHOW_PRINTED(pvm_recvinfo(none, 0, PvmMboxDefault));
    SHOW_PRINTED(pvm_recvinfo(name, -1, PvmMboxDefault));
    SHOW_PRINTED(pvm_delinfo(none, 0, PvmMboxDefault));
    SHOW_PRINTED(pvm_insert(name, 0, 1));
    SHOW_PRINTED(pvm_insert(name, -4, 1));
    SHOW_PRINTED(pvm_lookup(none, 0, &x));
    SHOW_PRINTED(pvm_delete(none, 0));
    SHOW_PRINTED(pvm_delinfo(name, 0, PvmMboxDefault));
    SHOW_PRINTED(pvm_mstat(none));
    SHOW_PRINTED(pvm_mstat(NULL));
    SHOW_PRINTED(pvm_pstat(me + 1000));
    SHOW_PRINTED(pvm_pstat(0));
    SHOW_PRINTED(pvm_parent());
    SHOW_PRINTED(pvm_freebuf(1000));
    SHOW(pvm_setopt(PvmAutoErr, 0));
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "child") == 0)
        return pvm_mytid() > 0 ? pause() : 1;
    if (argc > 1 && strcmp(argv[1], "obedient") == 0)
        return obedient_child();
    if (argc > 1 && strcmp(argv[1], "talking") == 0)
        return printf("one\ntwo") < 0;
    if (!realpath("/proc/self/exe", program))
        return 1;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    me = pvm_mytid();
    SHOW(pvm_setopt(PvmAutoErr, 0));
    unpacking();
    exporting();
    texts();
    without_a_buffer();
    tickling();
    arguments();
    mailboxes();
    groups();
    children();
    cancelling();
    names_of_nothing();
    contexts();
    options();
    printing();
    groups_of_tasks();
    leaving();
    caught();
    return 0;
}
