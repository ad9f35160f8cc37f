/* keeper_process.c - the commands that run on this host; see keeper.h.
 *
 * A command is identified by its first process, a session leader.  Its processes are all
 * descendants, found in /proc, because an agent gives its tasks separate sessions.
 */
#include "hrun/internal.h"
#include "keeper.h"
#include "runtime/internal.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* COMMANDS_MOST: commands on a host at the same time; further ones are not ended with their
 * clients.  GRACE_SECONDS: from the client's end to SIGTERM, because a command may exit at the end
 * of its input. */
enum { COMMANDS_MOST = 4096, GRACE_SECONDS = 2 };

/* First processes of the commands that this process has started and not yet reaped.  The mutex
 * protects the list and, with it, the validity of the process numbers. */
static struct {
    pthread_mutex_t mutex;
    pid_t pid[COMMANDS_MOST];
    int n;
} commands = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* ---- the list -------------------------------------------------------------------------------- */

static void add_command(pid_t pid)
{
    pthread_mutex_lock(&commands.mutex);
    if (commands.n < COMMANDS_MOST)
        commands.pid[commands.n++] = pid;
    pthread_mutex_unlock(&commands.mutex);
}

/* The lock is held. */
static bool is_listed(pid_t pid)
{
    for (int i = 0; i < commands.n; i++)
        if (commands.pid[i] == pid)
            return true;
    return false;
}

/* Reaps it under the lock, so that no thread signals a process id that has been reused.  The wait
 * before takes no lock and leaves the process a zombie (WNOWAIT), so its number is still its
 * own. */
static void remove_command(pid_t pid, int *status)
{
    siginfo_t info;

    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    pthread_mutex_lock(&commands.mutex);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    for (int i = 0; i < commands.n; i++)
        if (commands.pid[i] == pid)
            commands.pid[i] = commands.pid[--commands.n];
    pthread_mutex_unlock(&commands.mutex);
}

/* ---- starting and ending --------------------------------------------------------------------- */

/* The command gets the user's environment, not that of a task of the machine's job. */
static char **own_environment(void)
{
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **list = malloc((n + 1) * sizeof *list);
    for (size_t i = 0; list && i < n; i++)
        if (strncmp(environ[i], "HNOW_", 5) != 0)
            list[kept++] = environ[i];
    if (list)
        list[kept] = NULL;
    return list;
}

/* The streams must be above 2 or already in their places, since they are duplicated in order.  All
 * signals get their default action and are unblocked.  All other descriptors are closed, so that no
 * command keeps another one's pipe open. */
int process_spawn(char *const *words, const int streams[3], pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    const char *home = getenv("HOME");
    char **environment = own_environment();
    sigset_t all, none;

    if (!environment)
        return ENOMEM;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int i = 0; i < 3; i++)
        posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (home && access(home, X_OK) == 0)
        posix_spawn_file_actions_addchdir_np(&actions, home);
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int error = posix_spawnp(pid, words[0], &actions, &attributes, words, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return error;
}

pid_t process_start(char *const *words, const int streams[3])
{
    pid_t pid = -1;

    if (!words[0])
        pid = agent_start(streams);
    else
        errno = process_spawn(words, streams, &pid);
    if (pid > 0)
        add_command(pid);
    return pid;
}

int process_wait(pid_t pid)
{
    int status = 0;

    remove_command(pid, &status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A thread that signals the group of the command's first process, if that has still not been
 * reaped. */
static void *end_later(void *data)
{
    pid_t pid = (pid_t)(intptr_t)data;

    sleep(GRACE_SECONDS);
    pthread_mutex_lock(&commands.mutex);
    if (is_listed(pid))
        kill(-pid, SIGTERM);
    pthread_mutex_unlock(&commands.mutex);
    return NULL;
}

void process_end(pid_t pid)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, end_later, (void *)(intptr_t)pid) == 0)
        pthread_detach(thread);
}

/* ---- processes in /proc ---------------------------------------------------------------------- */

/* True if it is a process of a listed command.  Each step reads one file, so a process costs as
 * many as it has ancestors.  A process whose parent has ended is found only if its new parent
 * belongs to the command.  The lock is held. */
static bool belongs(pid_t pid)
{
    while (pid > 1 && !is_listed(pid))
        pid = guardian_parent(pid);
    return pid > 1;
}

/* The command line is cut at 4095 bytes.  Kernel threads and zombies have none, and are left
 * out. */
static void put_process(FILE *out, const char *host, pid_t pid)
{
    char name[64], text[4096];
    snprintf(name, sizeof name, "/proc/%d/cmdline", (int)pid);
    FILE *file = fopen(name, "re");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    if (n == 0) /* it has ended, or is starting */
        return;
    text[n] = 0;
    fprintf(out, "%-24s %7d %-8s", host, (int)pid, "-");
    for (size_t i = 0; i < n; i += strlen(text + i) + 1) {
        clean_text(text + i); /* a process is one line */
        fprintf(out, " %s", text + i);
    }
    putc('\n', out);
}

char *process_list(const char *host)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    DIR *directory = opendir("/proc");

    pthread_mutex_lock(&commands.mutex);
    for (struct dirent *entry; out && directory && (entry = readdir(directory));)
        if (isdigit((unsigned char)entry->d_name[0]) && belongs(atoi(entry->d_name)))
            put_process(out, host, atoi(entry->d_name));
    pthread_mutex_unlock(&commands.mutex);
    if (directory)
        closedir(directory);
    if (out)
        fclose(out);
    return text;
}

int process_signal(pid_t pid, int signal)
{
    pthread_mutex_lock(&commands.mutex);
    int result = belongs(pid) && kill(pid, signal) == 0 ? HN_OK : HN_ENOTASK;
    pthread_mutex_unlock(&commands.mutex);
    return result;
}
