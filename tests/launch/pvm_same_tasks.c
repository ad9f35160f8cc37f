/* pvm_same_tasks.c - children, their ends and their output; leaving the machine. */
#include "pvm_same.h"

void children(void)
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
void cancelling(void)
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

/* The output of a child, without its tid. */
void caught(void)
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

/* Out of the machine, and back. */
void leaving(void)
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
