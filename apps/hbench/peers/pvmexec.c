/* pvmexec.c - for PVM programs what mpiexec is for MPI programs: runs a private PVM for one
 * program.
 *
 *     hbench-pvmexec -n N PROGRAM [ARG]...
 *     hbench-pvmexec -n N -ssh SCRIPT -hosts A:2,B:1 PROGRAM [ARG]...
 *     hbench-pvmexec -slave ARG...              on another host, by way of SCRIPT (pvm_hoster.c)
 *
 * Starts pvmd in a private folder (PVM_TMP), so that it does not interfere with a running PVM of
 * the user; adds the hosts; runs PROGRAM as rank 0, which starts the others (pvm_world.h); and
 * exits with its status.
 *
 * Nothing is left behind.  The initial process, the guard, only waits for the worker that does all
 * this, or for a signal.  Then it ends all descendants of the worker (it is the subreaper) and
 * removes the folder.  On other hosts another guard does so when its ssh connection closes.  Every
 * process gets a signal when its parent dies.  So a guard that is killed leaves only its folder,
 * which the next one removes (pvm_folder.h).
 */
#include "hrun/internal.h"
#include "pvm_folder.h"
#include "pvm_hoster.h"
#include "pvm_world.h"

#include <pvm3.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* LISTED_MOST: hosts; further ones are dropped.  PORT_PATIENCE: seconds until the first daemon
 * prints its port. */
enum { LISTED_MOST = 1024, PORT_PATIENCE = 20 };

/* The command line.  The texts belong to argv. */
struct options {
    /* -n, -hosts and -ssh. `number` only matters without -hosts. */
    const char *number, *places, *ssh;
    char **program; /* NULL: -slave */
    char **slave;
};

static _Noreturn void stop(const char *what, const char *why)
{
    fprintf(stderr, "hbench-pvmexec: %s: %s\n", what, why);
    exit(1);
}

/* ---- pvmd ---- */

/* The last line of pvmd's log has the reason why it ended. */
static void show_log(void)
{
    char path[PATH_MAX], line[256], last[256] = "it ended without a word\n";

    snprintf(path, sizeof path, "%s/pvml.%u", getenv("PVM_TMP"), (unsigned)getuid());
    FILE *log = fopen(path, "r");
    /* Empty lines are skipped. */
    while (log && fgets(line, sizeof line, log))
        if (*line != '\n')
            strcpy(last, line);
    if (log)
        fclose(log);
    fprintf(stderr, "hbench-pvmexec: pvmd: %s", last);
}

/* Executes pvmd. */
static _Noreturn void become_pvmd(char **argv)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (null < 0 || dup2(null, STDIN_FILENO) < 0)
        stop("/dev/null", strerror(errno));
    /* The caller has left the first place free. */
    argv[0] = "pvmd";
    execvp(argv[0], argv);
    stop("pvmd", strerror(errno));
}

/* pvmd prints its address when it listens. */
static void start_pvmd(const char *name)
{
    char option[PVM_HOST_NAME + 2], said;
    char *argv[] = {NULL, option, NULL};
    int pipes[2];

    /* -n gives the name by which other hosts know this one. */
    snprintf(option, sizeof option, "-n%s", name);
    if (pipe2(pipes, O_CLOEXEC) < 0)
        stop("pipe", strerror(errno));
    if (pvm_hoster_fork() == 0) {
        dup2(pipes[1], STDOUT_FILENO);
        become_pvmd(argv);
    }
    close(pipes[1]);
    struct pollfd out = (struct pollfd){.fd = pipes[0], .events = POLLIN};
    if (poll(&out, 1, PORT_PATIENCE * 1000) > 0 && read(out.fd, &said, 1) == 1)
        return; /* the pipe stays open: pvmd may print more */
    show_log();
    exit(1);
}

/* ---- the hosts ---- */

/* Adds all hosts except the first, which is this one. */
static void add_hosts(const struct options *w)
{
    static char names[LISTED_MOST][PVM_HOST_NAME];
    char *list[LISTED_MOST];
    int results[LISTED_MOST], n = 0, count;
    const char *places = w->places;

    while (n < LISTED_MOST && pvm_places_next(&places, names[n], &count)) {
        list[n] = names[n];
        n++;
    }
    /* Without other hosts no hoster is needed. */
    if (n < 2)
        return;
    /* Before the first host is added: PVM asks a hoster only if there is one. */
    pvm_hoster_start(w->ssh);
    pvm_world_check(pvm_mytid(), "pvm_mytid");
    /* The first entry is this host, where pvmd runs already. */
    if (pvm_addhosts(list + 1, n - 1, results) == n - 1)
        return;
    for (int i = 1; i < n; i++)
        if (results[i - 1] < 0)
            fprintf(stderr, "hbench-pvmexec: pvmd could not be started on %s\n", list[i]);
    exit(1);
}

/* ---- the worker ---- */

/* The worker's job.  Returns the exit status of the program, 128 + signal as shells do. */
static int run_program(const struct options *w)
{
    char first[PVM_HOST_NAME];
    int count, status;
    const char *places = w->places;

    if (!pvm_places_next(&places, first, &count))
        stop(w->places, "give hosts as A:2,B:1");
    start_pvmd(first);
    add_hosts(w);
    /* Read by rank 0 (pvm_world.c). */
    setenv(PVM_PLACES, w->places, 1);
    pid_t pid = pvm_hoster_fork();
    if (pid == 0) {
        execvp(w->program[0], w->program);
        stop(w->program[0], strerror(errno));
    }
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The guard has blocked its signals; a child would inherit that. */
static _Noreturn void work(const struct options *w)
{
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* On another host the daemon is all that is needed. */
    if (w->slave)
        become_pvmd(w->slave);
    exit(run_program(w));
}

/* ---- the guard ---- */

/* pvmd searches PVM's own programs, such as the group server, in PVM_PATH. */
static void make_folder(char folder[PATH_MAX])
{
    const char *above = getenv("TMPDIR"), *path = getenv("PATH");

    if (!pvm_folder_make(above && *above ? above : "/tmp", folder))
        stop(folder, strerror(errno));
    setenv("PVM_TMP", folder, 1);
    setenv("PVM_PATH", path ? path : "/usr/bin", 0);
    /* Else the program would join the user's running PVM. */
    unsetenv("PVMSOCK");
    if (getuid() == 0)
        setenv("PVM_ALLOW_ROOT", "1", 1);
}

/* Waits until the worker has ended, a signal has arrived, or (on another host) the connection has
 * closed. */
static int guard(pid_t worker, int signals, bool connected)
{
    struct pollfd what[] = {{.fd = signals, .events = POLLIN},
                            {.fd = connected ? STDIN_FILENO : -1, .events = POLLIN}};

    for (;;) {
        struct signalfd_siginfo came;
        char ignored[64];
        int status;

        if (poll(what, 2, -1) < 0 && errno != EINTR)
            return 1;
        /* Input is dropped; its end means that the connection has closed. */
        if (what[1].revents && read(STDIN_FILENO, ignored, sizeof ignored) <= 0)
            return 1;
        if (!what[0].revents || read(signals, &came, sizeof came) != (ssize_t)sizeof came)
            continue;
        /* As shells report it. */
        if (came.ssi_signo != SIGCHLD)
            return 128 + (int)came.ssi_signo;
        /* Orphans of the worker are collected as well: this process is their reaper. */
        for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
            if (pid == worker)
                return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
}

/* Signals are read from a descriptor, so that poll() waits for them and for the connection. */
static int catch_signals(void)
{
    sigset_t some;

    sigemptyset(&some);
    sigaddset(&some, SIGCHLD);
    sigaddset(&some, SIGTERM);
    sigaddset(&some, SIGINT);
    sigaddset(&some, SIGHUP);
    /* Blocked before the worker exists, so that its end cannot be missed. */
    sigprocmask(SIG_BLOCK, &some, NULL);
    return signalfd(-1, &some, SFD_CLOEXEC);
}

static void read_options(struct options *w, char **argv)
{
    static char alone[PVM_HOST_NAME];

    *w = (struct options){0};
    if (argv[1] && strcmp(argv[1], "-slave") == 0) {
        w->slave = argv + 1;
        return;
    }
    for (argv++; argv[0] && argv[0][0] == '-' && argv[1]; argv += 2)
        if (strcmp(argv[0], "-n") == 0)
            w->number = argv[1];
        else if (strcmp(argv[0], "-hosts") == 0)
            w->places = argv[1];
        else if (strcmp(argv[0], "-ssh") == 0)
            w->ssh = argv[1];
        else
            break;
    w->program = argv;
    /* -ssh and -hosts belong together. */
    if (!argv[0] || argv[0][0] == '-' || !w->number || !w->places != !w->ssh)
        stop("usage", "hbench-pvmexec -n N [-ssh SCRIPT -hosts A:2,B:1] PROGRAM [ARG]...");
    /* Without -hosts all tasks run here. */
    snprintf(alone, sizeof alone, "localhost:%s", w->number);
    if (!w->places)
        w->places = alone;
}

int main(int argc, char **argv)
{
    char folder[PATH_MAX];
    struct options w;
    /* First of all, so that a signal during the set-up is kept. */
    int signals = catch_signals(), status;

    (void)argc;
    read_options(&w, argv);
    make_folder(folder);
    /* Orphaned descendants become children of this process, and can be found. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t worker = pvm_hoster_fork();
    if (worker == 0)
        work(&w);
    /* Whatever ended the wait, all descendants are ended, and then the folder is removed. */
    status = guard(worker, signals, w.slave != NULL);
    guardian_sweep();
    pvm_folder_remove(folder);
    return status;
}
