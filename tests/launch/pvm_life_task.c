/* pvm_life_task.c - a PVM task that leaves and comes back, forks, becomes another program, or is
 * started by hand: pvm_life_task WHAT.
 */
#include "pvm_child.h"

#include <signal.h>
#include <sys/wait.h>

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
    int me = pvm_mytid(), client, again, *siblings;

    CHECK(me > 0 && pvm_parent() == PvmNoParent && pvm_joingroup((char *)"both") == 0);
    CHECK(put("server", me, PvmMboxDefault) == 0);
    client = receive_int(-1, ANSWER);
    CHECK(pvm_getinst((char *)"both", client) == 1 && pvm_barrier((char *)"both", 2) == PvmOk);
    CHECK(pvm_notify(PvmTaskExit, GONE, 1, &client) == PvmOk && receive_int(-1, GONE) == client);
    CHECK(pvm_siblings(&siblings) == 1 && siblings[0] == me);
    CHECK(pvm_exit() == PvmOk && (again = pvm_mytid()) > 0 && again != me);
    CHECK(pvm_siblings(&siblings) == 1 && siblings[0] == again);
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
        execl("/proc/self/exe", SELF, "victim", (char *)NULL);
    CHECK(read(ends[0], told, sizeof told) == (ssize_t)sizeof told);
    CHECK(pvm_pstat(told[0]) == PvmOk && pvm_notify(PvmTaskExit, GONE, 1, told) == PvmOk);
    kill(shot, SIGKILL);
    CHECK(status_of(shot) == SIGKILL && receive_int(-1, GONE) == told[0]);
    kill(told[1], SIGKILL);
    CHECK(pvm_pstat(told[0]) == PvmNoTask);
}

/* By hand: a machine of its own, as a program starts PVM's daemon. */
static void starting_daemon(void)
{
    int hosts;

    pvm_setopt(PvmAutoErr, 0);
    signal(SIGCHLD, SIG_IGN); /* then nobody can wait for what starts the machine */
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

/* For test_console, which ends the child and then this task. */
static void put_to_stay(char *name)
{
    CHECK(pvm_initsend(PvmDataDefault) > 0);
    CHECK(pvm_putinfo(name, pvm_getsbuf(), PvmMboxPersistent | PvmMboxOverWritable) == 0);
}

static void leaves_value(void)
{
    put_to_stay((char *)"orphan");
}

static void at_console(void)
{
    int child;

    put_to_stay((char *)"held");
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
        {"wait", waiting_child},    {"daemon", starting_daemon}, {"no-machine", no_machine},
        {"by-hand", by_hand},       {"leaving", leaving},        {"becoming", becoming},
        {"exiting", exiting_child}, {"exec", exec_child},        {"returning", returning_child},
        {"server", server},         {"client", client},          {"killed", killed},
        {"killer", killer},         {"forking", forking},        {"victim", victim},
        {"shooter", shooter},       {"console", at_console},     {"leaves", leaves_value},
    };

    if (strcmp(argv[argc - 1], "leaving") != 0) /* which begins as no task */
        pvm_setopt(PvmAutoErr, 0);
    return argc >= 2 ? pvm_run(tests, sizeof tests / sizeof *tests, argv[argc - 1]) : 2;
}
