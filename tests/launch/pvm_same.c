/* pvm_same.c - the calls in their order, and those about the process itself (pvm_same.h). */
#include "pvm_same.h"

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

int me;
char group[] = "same", program[4096];

static void exporting(void)
{
    setenv("PVM_EXPORT", "A:B", 1);
    SHOW(pvm_export((char *)"A"));
    printf("%s\n", getenv("PVM_EXPORT"));
    SHOW(pvm_export((char *)"C"));
    SHOW(pvm_unexport((char *)"B"));
    printf("%s\n", getenv("PVM_EXPORT"));
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

int ignore(int buffer)
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
