/* guardian.c - the parent process of the agent; see guardian.h.
 *
 * Everything is decided from the kernel's list of processes; the agent keeps none that could be
 * incomplete.
 */
#include "hnowd/guardian.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process from /proc/PID/stat: "pid (name) state ppid pgrp session tty tpgid flags ..."; the name
 * may contain anything, so parsing starts at the last ')'.  False: there is none. */
struct guardian_stat {
    char state;
    int parent;
    unsigned flags;
};

/* Reads one process. False: it does not exist, or the line could not be parsed. */
static bool guardian_stat(pid_t pid, struct guardian_stat *stat)
{
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = 0;
    const char *end = strrchr(text, ')');
    return end && sscanf(end + 1, " %c %d %*d %*d %*d %*d %u", &stat->state, &stat->parent,
                         &stat->flags) == 3;
}

/* -1: there is no such process. */
pid_t guardian_parent(pid_t pid)
{
    struct guardian_stat stat;
    return guardian_stat(pid, &stat) ? stat.parent : -1;
}

/* False for a process that is ending, whose files may be closed already. */
bool guardian_works(pid_t pid)
{
    /* PF_EXITING of the kernel: the process is exiting, and its files are being closed */
    enum { EXITING = 4 };
    struct guardian_stat stat;
    return guardian_stat(pid, &stat) && !(stat.flags & EXITING) && stat.state != 'Z' &&
           stat.state != 'X';
}

/* Without /proc.  The kernel assigns process numbers in a cycle, so those of all descendants are
 * between the caller's and that of a new process. */
static void guardian_kill_numbers(void)
{
    enum { NUMBERS = 1 << 22 }; /* PID_MAX_LIMIT of the kernel */
    pid_t own = getpid(), end = fork();
    if (end == 0)
        _exit(0);
    if (end < 0)
        end = own;
    for (pid_t pid = own + 1; pid != end; pid = pid < NUMBERS ? pid + 1 : 1)
        /* WNOWAIT: only asks whether this is a child. */
        if (waitid(P_PID, (id_t)pid, &(siginfo_t){0}, WEXITED | WNOHANG | WNOWAIT) == 0)
            kill(pid, SIGKILL);
}

/* Only direct children: when these are dead, their children become ours, as this process is a
 * subreaper. Other entries of /proc have number 0, which is no process. */
static void guardian_kill_children(void)
{
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    if (access("/proc/self", F_OK) < 0)
        guardian_kill_numbers();
    while (proc && (entry = readdir(proc)))
        if (guardian_parent(atoi(entry->d_name)) == getpid())
            kill(atoi(entry->d_name), SIGKILL);
    if (proc)
        closedir(proc);
}

/* A process that becomes an orphan may appear in /proc behind the reader's position.  So each round
 * ends with waiting for one child, and the last round finds no children. Killing is repeated, since
 * a child may fork before it dies. */
void guardian_sweep(void)
{
    for (;;) {
        pid_t pid = waitpid(-1, NULL, WNOHANG);
        if (pid < 0 && errno == ECHILD)
            return;
        if (pid != 0)
            continue;
        guardian_kill_children();
        if (waitpid(-1, NULL, 0) < 0 && errno == ECHILD)
            return;
    }
}

/* Never returns.  Orphans that end meanwhile are waited for, too, so that no zombies remain. */
static void guardian_wait(pid_t agent)
{
    int status = 0;
    pid_t pid;
    close(0);
    close(1);
    do
        pid = waitpid(-1, &status, 0);
    while (pid != agent && (pid > 0 || errno == EINTR));
    guardian_sweep();
    _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

/* The check of getppid() covers a guardian that has ended before PR_SET_PDEATHSIG took effect.  The
 * agent is a subreaper as well, for the time while it lives. The guardian is a subreaper before it
 * forks, so no descendant can escape between. */
int guardian_split(void)
{
    pid_t guardian = getpid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t agent = fork();
    if (agent > 0)
        guardian_wait(agent);
    if (agent < 0)
        return -1;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != guardian)
        _exit(1);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    return 0;
}
