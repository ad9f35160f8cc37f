/* up.c - `hnow up` and `hnow down`: start and end of the virtual machine.
 *
 * The machine is a job: hrun, in the background, with one keeper on each host.
 *
 * All state is in the machine's directory: hosts files, a log, a socket, and files that are only
 * locked.  Locks end with their processes, so nothing must be cleaned up after a crash.
 *
 *   starting   held by `hnow up` while it works: two calls do not start two machines
 *   hrun       held by the machine's hrun, and names its process
 *   lock       held by the gate
 */
#include "gate.h"
#include "hnow_verbs.h"
#include "hrun/internal.h"
#include "runtime/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

/* seconds: hrun gives up a host after 15 s (JOB_DEADLINE), a lost one ends after 10 s
 * (PULSE_TICKS) */
enum { UP_SECONDS = 60, DOWN_SECONDS = 15, POLL_MICROSECONDS = 5000 };

/* Returns the machine's answer to a word; negative: no answer, or none within so many seconds (0:
 * no limit).  A time limit matters for a stopped gate, whose socket still accepts connections. */
static int ask(const char *word, int seconds)
{
    int fd = machine_ask(&word, 1, NULL);

    if (fd < 0)
        return fd;
    machine_limit(fd, seconds);
    int status = machine_answer(fd, NULL);
    close(fd);
    return status;
}

/* ---- the hosts ---------------------------------------------------------------------------------
 */

/* Reports what the system says about a file of the machine. */
static int fail_on(const char *path)
{
    error_set(HN_ESYS, "%s: %s", path, strerror(errno));
    return hnow_fail(hn_error_text());
}

/* Writes a file of the machine from two parts.  Returns an exit status. */
static int write_file(const char *name, const char *text, const char *more)
{
    char path[MACHINE_PATH];
    FILE *file = machine_file(path, name) ? NULL : fopen(path, "we");

    if (!file)
        return fail_on(path);
    fputs(text, file);
    fputs(more, file);
    return ferror(file) | fclose(file) ? fail_on(path) : 0;
}

/* Writes the hosts file for jobs, and that of the machine itself, which also has this host: jobs
 * and users start here, as in PVM. */
static int write_hosts(const char *source)
{
    struct hosts *hosts;
    int result =
        source ? hosts_open(source, &hosts) : hosts_parse("hnow up", "localhost\n", 10, &hosts);

    if (result)
        return hnow_fail(hn_error_text());
    const char *own = launch_any_is_here(hosts) ? "" : "\nlocalhost addr=127.0.0.1\n";
    int status = write_file(MACHINE_HOSTS, hosts->text, "");
    if (status == 0)
        status = write_file("all-hosts", hosts->text, own);
    hosts_free(hosts);
    return status;
}

/* ---- hrun --------------------------------------------------------------------------------------
 *
 * The machine's hrun holds a lock of fcntl() as long as it runs.  Such a lock survives exec(), ends
 * with the process, and names its holder.  A process number in a file could be another process's.
 */

/* Without O_CLOEXEC: hrun must inherit the descriptor.  A lock of fcntl() ends when its process
 * closes any descriptor of the file. */
static int open_lock(void)
{
    char path[MACHINE_PATH];

    return machine_file(path, "hrun") ? -1 : open(path, O_RDWR | O_CREAT, 0600);
}

/* The descriptor is deliberately never closed. */
static void hold_lock(void)
{
    if (fcntl(open_lock(), F_SETLK, &(struct flock){.l_type = F_WRLCK}))
        _exit(fail_on("the lock of the machine"));
}

/* Returns the process of the machine's hrun; 0: none runs; -1: it is in another PID namespace.
 * F_GETLK in a process that holds the lock itself would find nothing; only other processes call
 * this. */
static pid_t find_hrun(void)
{
    struct flock lock = {.l_type = F_WRLCK};
    int fd = open_lock();
    bool held = fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;

    if (fd >= 0)
        close(fd);
    return !held ? 0 : lock.l_pid > 0 ? lock.l_pid : -1;
}

/* The job of the machine has ended when no process holds the gate's lock and hrun has exited.  Both
 * must be checked: the gate may end before hrun has cleaned up, and hrun may be killed before its
 * gate. */
static bool has_ended(void)
{
    char path[MACHINE_PATH];
    int fd = machine_file(path, "lock") ? -1 : open(path, O_RDWR | O_CLOEXEC);
    bool held = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0;

    if (fd >= 0)
        close(fd);
    return !held && find_hrun() == 0;
}

/* Returns false if it was not there. */
static bool remove_file(const char *name)
{
    char path[MACHINE_PATH];

    return machine_file(path, name) == HN_OK && unlink(path) == 0;
}

/* Polls, because neither process is a child of this one.  The files are removed only when no
 * process can use them. */
static int await_end(void)
{
    for (int i = 0; i < DOWN_SECONDS * (1000000 / POLL_MICROSECONDS); i++) {
        if (has_ended()) {
            remove_file("all-hosts");
            remove_file(MACHINE_HOSTS);
            remove_file("socket");
            return 0;
        }
        usleep(POLL_MICROSECONDS);
    }
    return hnow_fail("the machine still ends after 15 s: see 'hnow log'");
}

/* A machine whose gate has ended does not answer, but its hrun may still run. */
static int end_rest(pid_t hrun)
{
    fputs("hnow: the machine that is up does not answer: it is ended\n", stderr);
    if (hrun > 0)
        kill(hrun, SIGTERM);
    return await_end();
}

/* ---- up ----------------------------------------------------------------------------------------
 */

/* Becomes the machine's hrun, detached from the terminal.  It always encrypts, since secrets of
 * jobs are transmitted.  Hosts added later may have ssh= (-allow-ssh), since only the user can send
 * requests. hold_lock() comes after closefrom(), which would release the lock. */
static void become_hrun(void)
{
    char hosts[MACHINE_PATH], log[MACHINE_PATH], home[GATE_HOME];
    const char *list = getenv("PATH");
    char *directory = launch_directory(), *hrun, *home_word, *place, *path;

    gate_home(home);
    if (!directory || machine_file(hosts, "all-hosts") || machine_file(log, MACHINE_LOG) ||
        asprintf(&hrun, "%s/hrun", directory) < 0 ||
        asprintf(&path, "%s:%s", directory, list ? list : "/usr/bin:/bin") < 0 ||
        asprintf(&home_word, GATE_HOME_VARIABLE "=%s", home) < 0 ||
        asprintf(&place, MACHINE_DIRECTORY "=%.*s", (int)(strrchr(hosts, '/') - hosts), hosts) < 0)
        _exit(127);
    int null = open("/dev/null", O_RDWR), out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (null < 0 || out < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
        _exit(fail_on(null < 0 ? "/dev/null" : log));
    closefrom(3); /* descriptors of the caller, for example a PVM program */
    hold_lock();
    setenv("PATH", path, 1); /* other hosts search hnow there, too */
    setsid();
    execl(hrun, "hrun", "-hosts", hosts, "-ppn", "1", "-on-failure", "notify", "-stdin", "none",
          "-allow-ssh", "-encrypt", "-env", home_word, "-env", place, "hnow", "keep", (char *)NULL);
    _exit(127);
}

bool hnow_log(FILE *out)
{
    char path[MACHINE_PATH], line[4096];
    FILE *file = machine_file(path, MACHINE_LOG) ? NULL : fopen(path, "re");

    while (file && fgets(line, sizeof line, file))
        fputs(line, out);
    return file && fclose(file) == 0;
}

/* Waits until the socket answers, or hrun has ended.  The machine answers when the gate has read
 * the hosts and listens. */
static int wait_until_up(pid_t hrun)
{
    for (int64_t end = clock_now() + UP_SECONDS * INT64_C(1000000000); clock_now() < end;) {
        if (ask("hosts", ANSWER_SECONDS) == 0)
            return 0;
        if (waitpid(hrun, NULL, WNOHANG) == hrun) {
            hnow_log(stderr);
            return hnow_fail("the machine could not be started");
        }
        usleep(POLL_MICROSECONDS);
    }
    kill(hrun, SIGTERM);
    hnow_log(stderr);
    return hnow_fail("the machine has not answered within 60 s");
}

/* Serialises calls: the second one finds a running machine.  The lock ends with this process.  The
 * lock is not inherited by hrun, because its descriptor has O_CLOEXEC. */
static int await_turn(void)
{
    char path[MACHINE_PATH];

    if (machine_make_directory() || machine_file(path, "starting"))
        return hnow_fail(hn_error_text());
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return fd >= 0 && flock(fd, LOCK_EX) == 0 ? 0 : fail_on(path);
}

/* A machine that answers is never replaced.  Remains of one that does not answer are ended
 * first. */
int hnow_up(int argc, char **argv)
{
    const char *source = NULL;

    if (argc == 3 && (strcmp(argv[1], "-hosts") == 0 || strcmp(argv[1], "--hosts") == 0))
        source = argv[2];
    else if (argc == 2 && argv[1][0] != '-')
        source = argv[1];
    else if (argc != 1)
        return hnow_fail("usage: hnow up [-hosts FILE]");
    int status = await_turn();
    if (status)
        return status;
    int answer = ask("hosts", ANSWER_SECONDS);
    if (answer == 0)
        return hnow_fail("a machine is up already: 'hnow down' ends it");
    if (answer == HN_ESYS) /* its gate may be stopped, and jobs may run on it */
        return hnow_fail(hn_error_text());
    pid_t hrun = find_hrun();
    if (hrun)
        status = end_rest(hrun);
    if (status == 0)
        status = write_hosts(source);
    if (status)
        return status;
    /* The child becomes hrun; this process only waits until the machine answers. */
    hrun = fork();
    if (hrun == 0)
        become_hrun();
    if (hrun < 0)
        return hnow_fail(strerror(errno));
    return wait_until_up(hrun);
}

/* ---- down --------------------------------------------------------------------------------------
 */

/* Blocks until everything has ended, so that `hnow up` can follow at once.  A machine without a
 * gate is ended through its hrun. */
int hnow_down(int argc, char **argv)
{
    (void)argv;
    if (argc != 1)
        return hnow_fail("usage: hnow down");
    if (ask("down", DOWN_SECONDS) == 0) /* the gate may be stopped */
        return await_end();
    pid_t hrun = find_hrun();
    if (hrun)
        return end_rest(hrun);
    return hnow_fail(remove_file("socket") ? "the machine has ended before: 'hnow log' prints why"
                                           : hn_error_text());
}
