/* launch_task.c - a task for the launch tests: launch_task WHAT
 *     ring    every rank sends its rank to the next one, and prints what it got
 *     later   rank 0 waits for a line of input; then as exchange
 *     meet    every rank sends its rank to every other one
 *     close   rank 0 closes all its descriptors and lives on, the others wait for it
 *     exchange  every rank sends 8 MB to every other one, all at once
 *     tell T  rank 0 sends the text T to all others, a hundred times
 *     quit    enrols, and ends with status 0 but without hn_exit()
 *     wait    rank 0 waits for a message that nobody sends
 *     abort   the last rank calls hn_abort() with status 3, the others wait for a message
 *     still   the others make a file "still.RANK" and stop themselves (SIGSTOP); rank 0 waits for
 *             each, and for its answer
 *     deaf    rank 1 closes its listening sockets and makes a file "deaf"; rank 0 connects twice
 *     twice   enrols again after leaving
 *     forks   ring, after children that it forks have called what a task calls, and have ended
 *     victim  the others send to rank 1 until it is killed
 *     text K  prints the job's text of this key
 *     at-hand K  the same while its agent is stopped, for two seconds at most
 */
#include "hnow.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int tell(const char *text)
{
    char got[256] = "";
    size_t length = strlen(text);
    for (int i = 0; i < 100 * hn_size(); i++)
        if (hn_rank() == 0 && i % hn_size() != 0 &&
            hn_send(hn_group_tid(hn_world(), i % hn_size()), 1, text, length, HN_CHAR))
            return 1;
    for (int i = 0; i < 100 && hn_rank() != 0; i++)
        if (hn_recv(HN_ANY, 1, got, sizeof got, HN_CHAR, NULL) || strcmp(got, text))
            return 1;
    return 0;
}

static int ring(void)
{
    int mine = hn_rank(), got = -1;
    hn_tid next = hn_group_tid(hn_world(), (mine + 1) % hn_size());
    if (hn_send(next, 1, &mine, 1, HN_INT) || hn_recv(HN_ANY, 1, &got, 1, HN_INT, NULL))
        return 1;
    printf("rank %d of %d on %s got %d\n", mine, hn_size(), hn_host_of(hn_mytid()), got);
    return 0;
}

static int meet(void)
{
    int mine = hn_rank(), size = hn_size(), got;
    for (int i = 1; i < size; i++)
        if (hn_send(hn_group_tid(hn_world(), (mine + i) % size), 1, &mine, 1, HN_INT) ||
            hn_recv(hn_group_tid(hn_world(), (mine + size - i) % size), 1, &got, 1, HN_INT, NULL))
            return 1;
    return 0;
}

static int close_all(void)
{
    int got;
    if (hn_rank() != 0)
        return hn_recv(hn_group_tid(hn_world(), 0), 1, &got, 1, HN_INT, NULL);
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    pause();
    return 1;
}

enum { EXCHANGE = 2 << 20 };

/* Element i of what `from` sends to `to`. */
static int element(int from, int to, int i)
{
    return (from * 31 + to) * EXCHANGE + i;
}

static int exchange(void)
{
    int mine = hn_rank();
    int *words = malloc(EXCHANGE * sizeof *words);
    if (!words)
        return 1;
    for (int to = 0; to < hn_size(); to++) {
        for (int i = 0; i < EXCHANGE; i++)
            words[i] = element(mine, to, i);
        if (hn_send(hn_group_tid(hn_world(), to), 2, words, EXCHANGE, HN_INT))
            return 1;
    }
    for (int from = 0; from < hn_size(); from++) {
        if (hn_recv(hn_group_tid(hn_world(), from), 2, words, EXCHANGE, HN_INT, NULL))
            return 1;
        for (int i = 0; i < EXCHANGE; i++)
            if (words[i] != element(from, mine, i))
                return 1;
    }
    free(words);
    return 0;
}

/* Nobody can reach us any more, but we live. */
static void become_deaf(void)
{
    int quiet[2];
    if (pipe(quiet))
        return;
    for (int fd = 3; fd < 1024; fd++) {
        int listens = 0;
        socklen_t size = sizeof listens;
        if (!getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) && listens)
            dup2(quiet[0], fd);
    }
    fclose(fopen("deaf", "w"));
    pause();
}

static void make_file(const char *name, int number)
{
    FILE *file = fopen(name, "w");
    if (file && fprintf(file, "%d\n", number) >= 0)
        fclose(file);
}

/* A task that is held by a debugger, or stopped, has not gone. */
static int still(void)
{
    char name[32];
    int got = 0;
    for (int rank = 1; rank < hn_size(); rank++) {
        snprintf(name, sizeof name, "still.%d", rank);
        if (hn_rank() == rank) {
            make_file(name, getpid());
            raise(SIGSTOP);
            return hn_recv(hn_group_tid(hn_world(), 0), 1, &got, 1, HN_INT, NULL) ||
                   hn_send(hn_group_tid(hn_world(), 0), 1, &rank, 1, HN_INT);
        }
    }
    for (int rank = 1; rank < hn_size(); rank++) {
        snprintf(name, sizeof name, "still.%d", rank);
        while (access(name, F_OK))
            usleep(10000);
        if (hn_send(hn_group_tid(hn_world(), rank), 1, &rank, 1, HN_INT))
            return 1;
    }
    for (int rank = 1; rank < hn_size(); rank++)
        if (hn_recv(hn_group_tid(hn_world(), rank), 1, &got, 1, HN_INT, NULL) || got != rank)
            return 1;
    puts("all have answered");
    return 0;
}

/* A send that waits for room ends with the task that it was meant for. */
static int victim(void)
{
    static char data[1 << 20];
    int error = HN_OK;
    if (hn_rank() == 1) {
        usleep(300000);
        raise(SIGKILL);
    }
    while (!error)
        error = hn_send(hn_group_tid(hn_world(), 1), 1, data, sizeof data, HN_BYTE);
    return error != HN_EDEAD;
}

static int text(const char *key)
{
    const char *words;
    size_t n;
    if (hn_job_text(key, &words, &n))
        return 1;
    fwrite(words, 1, n, stdout);
    return 0;
}

static volatile sig_atomic_t waited;

static void wake_agent(int signal)
{
    (void)signal;
    waited = 1;
    kill(getppid(), SIGCONT);
}

/* A short text is there without asking the agent for it. */
static int at_hand(const char *key)
{
    int error;
    signal(SIGALRM, wake_agent);
    alarm(2);
    kill(getppid(), SIGSTOP);
    error = text(key);
    kill(getppid(), SIGCONT);
    return error || waited;
}

/* hn_enrol(), or says why not. */
static int enrol(void)
{
    int error = hn_enrol();
    if (error)
        fprintf(stderr, "launch_task: %s\n", hn_error_text());
    return error;
}

/* What a child is told, and that its end is not the end of the connections that it shares. */
static int forks(void)
{
    int status, got;
    if (ring())
        return 1;
    fflush(stdout);
    for (int i = 0; i < 4; i++) {
        pid_t child = fork();
        if (child == 0)
            exit(hn_send(hn_mytid(), 1, &i, 1, HN_INT) != HN_ESTATE || hn_rank() != HN_ESTATE ||
                 hn_recv_timeout(HN_ANY, 1, &got, 1, HN_INT, 10, NULL) != HN_ESTATE ||
                 (i % 2 == 0 && hn_exit() != HN_ESTATE) ||
                 (i == 3 && (enrol() || hn_size() != 1 || hn_exit())));
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
            return 1;
    }
    return ring();
}

int main(int argc, char **argv)
{
    int got;
    if (argc < 2 || enrol())
        return 9;
    if (strcmp(argv[1], "quit") == 0)
        _exit(0);
    if (strcmp(argv[1], "deaf") == 0 && hn_rank() == 1)
        become_deaf();
    while (strcmp(argv[1], "deaf") == 0 && access("deaf", F_OK))
        usleep(10000);
    if (strcmp(argv[1], "deaf") == 0) {
        signal(SIGTERM, SIG_IGN); /* to say what it has learned before the job ends */
        int failed = hn_send(hn_group_tid(hn_world(), 1), 1, &argc, 1, HN_INT) ||
                     hn_recv(hn_group_tid(hn_world(), 1), 1, &got, 1, HN_INT, NULL);
        puts(hn_error_text());
        fflush(stdout);
        return failed;
    }
    if (strcmp(argv[1], "wait") == 0 && hn_rank() == 0)
        return hn_recv(HN_ANY, 1, &got, 1, HN_INT, NULL) == HN_EDEAD ? 4 : 5;
    if (strcmp(argv[1], "abort") == 0 && hn_rank() == hn_size() - 1)
        hn_abort(3, "no more");
    if (strcmp(argv[1], "abort") == 0)
        return hn_recv(HN_ANY, 1, NULL, 0, HN_BYTE, NULL);
    if (strcmp(argv[1], "tell") == 0 && argc > 2 && tell(argv[2]))
        return 8;
    if (strcmp(argv[1], "still") == 0 && still()) {
        fprintf(stderr, "launch_task: %s\n", hn_error_text());
        return 8;
    }
    if (strcmp(argv[1], "victim") == 0 && victim())
        return 8;
    if (strcmp(argv[1], "ring") == 0 && ring())
        return 8;
    if (strcmp(argv[1], "meet") == 0 && meet())
        return 8;
    if (strcmp(argv[1], "close") == 0 && close_all())
        return 8;
    if (strcmp(argv[1], "forks") == 0 && forks())
        return 8;
    if (strcmp(argv[1], "later") == 0 && hn_rank() == 0 && getchar() == EOF)
        return 8;
    if ((strcmp(argv[1], "exchange") == 0 || strcmp(argv[1], "later") == 0) && exchange())
        return 8;
    if (strcmp(argv[1], "at-hand") == 0 && argc > 2 && at_hand(argv[2]))
        return 1;
    if (strcmp(argv[1], "text") == 0 && argc > 2 && text(argv[2]))
        return 8;
    if (strcmp(argv[1], "twice") == 0)
        return hn_exit() || enrol() ? 9 : 0;
    return hn_exit() ? 7 : 0;
}
