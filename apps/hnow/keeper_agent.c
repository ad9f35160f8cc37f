/* keeper_agent.c - starts the agent of the next job in advance; see keeper.h.
 *
 * Starting an agent takes longer than everything else in a short job.  So one agent waits on every
 * host for its standard streams, which it receives over a socket.  The next one is started after a
 * job has ended, not while it starts or ends.
 */
#include "hrun/internal.h"
#include "keeper.h"
#include "runtime/internal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* When one host's agent has ended, hrun still waits for those of others.  Hosts that share
 * processors end a job in some 20 ms (`perf sched` of hello on eight of them). */
enum { SETTLE_MICROSECONDS = 50000 };

/* The agent that waits for the next job.  It belongs to this struct until agent_start() takes it;
 * `socket` is only valid together with `pid`. */
static struct {
    pthread_mutex_t mutex;
    pid_t pid; /* 0: none */
    int socket;
} waiting = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Starts the hnowd next to this program; `waits`: it waits for its streams on standard input. errno
 * is kept over free(), because the caller reports it. */
static pid_t spawn_agent(const int streams[3], bool waits)
{
    char *directory = launch_directory(), *path = NULL;
    pid_t pid = -1;

    if (directory && asprintf(&path, "%s/hnowd", directory) >= 0) {
        char *words[] = {path, (char *)"-agent", waits ? (char *)"-waits" : NULL, NULL};
        errno = process_spawn(words, streams, &pid);
    }
    int error = errno;
    free(path);
    free(directory);
    errno = error;
    return pid;
}

/* The waiting agent is taken under the lock, so that two jobs never get the same one.  If it has
 * ended, the streams cannot be sent to it, and a new one is started. */
pid_t agent_start(const int streams[3])
{
    pthread_mutex_lock(&waiting.mutex);
    pid_t pid = waiting.pid;
    int socket = waiting.socket;
    waiting.pid = 0;
    pthread_mutex_unlock(&waiting.mutex);
    if (pid == 0)
        return spawn_agent(streams, false);
    bool begins = machine_send(socket, "", 1, streams, 3) == HN_OK;
    close(socket);
    if (begins)
        return pid;
    kill(pid, SIGKILL); /* it was ended by someone else */
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return spawn_agent(streams, false);
}

/* The socket's other end is the agent's standard input and output until its streams arrive.  An
 * error here is no harm: the next job starts an agent of its own. */
void agent_prepare(void)
{
    int pair[2];

    pthread_mutex_lock(&waiting.mutex);
    if (waiting.pid == 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) {
        pid_t pid = spawn_agent((const int[]){pair[1], pair[1], STDERR_FILENO}, true);
        close(pair[1]);
        if (pid > 0) {
            waiting.pid = pid;
            waiting.socket = pair[0];
        } else {
            close(pair[0]);
        }
    }
    pthread_mutex_unlock(&waiting.mutex);
}

/* Blocks its thread; called when the job's client has its answer. */
void agent_replace(void)
{
    usleep(SETTLE_MICROSECONDS);
    agent_prepare();
}
