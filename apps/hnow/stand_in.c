/* stand_in.c - `hnow stand-in`: a task on behalf of a program that no agent has started.
 *
 * The gate spawns it for a program started by hand, and hrun spawns one for each process that
 * another launcher has started (runtime/job/launched.c).  It passes its connection to the agent to
 * the program (runtime/job/adopted.c), forwards signals that it gets, and ends when the program has
 * left.
 *
 *     hnow stand-in NUMBER PID    offers its descriptors to the gate, for request NUMBER
 *     hnow stand-in BASE          to the process that listens in the directory BASE + rank
 */
#include "hnow_verbs.h"
#include "runtime/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WORDS_MOST = 512 }; /* of HNOW_* variables; some 20 are defined */

/* Used by the signal handler.  `program`: process number, 0 if unknown.  `last_signal`: decides how
 * this process ends. */
static volatile sig_atomic_t program, last_signal;

/* The handler only calls kill(), which is async-signal-safe.  A signal before the program is known
 * is only remembered. */
static void pass_on(int number)
{
    last_signal = number;
    if (program > 0)
        kill((pid_t)program, number);
}

/* SIGKILL and SIGSTOP cannot be forwarded: they affect the stand-in alone, whose end does not end
 * the program. */
static void watch_signals(void)
{
    static const int passed[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCONT};
    struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};

    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        sigaction(passed[i], &action, NULL);
}

/* The number in an environment variable; -1: it is not set. */
static int descriptor_of(const char *name)
{
    const char *text = getenv(name);

    return text ? atoi(text) : -1;
}

/* Makes the request: the environment variables that the program needs.  Variables that describe
 * this process's own descriptors, or the machine, are left out: the receiver sets its own.  The
 * first two words are the verb and the request's id. */
static int make_words(const char **words, const char *id)
{
    static const char *const own[] = {
        "HNOW_AGENT_FD=", "HNOW_OUTBOX_FD=", "HNOW_TRACE_FD=", "HNOW_MACHINE_"};
    int n = 0;

    words[n++] = "offer";
    words[n++] = id;
    for (char **word = environ; *word && n < WORDS_MOST; word++) {
        bool wanted = strncmp(*word, "HNOW_", 5) == 0;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            wanted &= strncmp(*word, own[i], strlen(own[i])) != 0;
        if (wanted)
            words[n++] = *word;
    }
    return n;
}

/* The process at the other end of a connection; 0: unknown. */
static pid_t listener_of(int connection)
{
    struct ucred who = {0};
    socklen_t size = sizeof who;

    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 ? who.pid : 0;
}

/* The directory in which the process of this rank listens replaces the machine's. */
static bool choose_directory(const char *base)
{
    char path[MACHINE_PATH];
    const char *rank = getenv("HNOW_RANK");

    snprintf(path, sizeof path, "%s%s", base, rank ? rank : "");
    return setenv(MACHINE_DIRECTORY, path, 1) == 0;
}

/* Passes the descriptors on and closes this process's copies; else the agent would not notice the
 * program's end.  Without an id, the process that receives them is the program.  Three descriptors
 * are always sent, so /dev/null replaces a missing outbox.  Returns 0 if the program has taken
 * them, another status if it has not, or an error. */
static int hand_over(const char *id, int witness)
{
    const char *words[WORDS_MOST];
    int agent = descriptor_of("HNOW_AGENT_FD"), outbox = descriptor_of("HNOW_OUTBOX_FD");
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int offered[] = {agent, outbox >= 0 ? outbox : nothing, witness};
    int fd = machine_ask(words, make_words(words, id ? id : "0"), offered);
    if (fd >= 0 && !id)
        program = listener_of(fd);
    int status = fd < 0 ? fd : machine_answer(fd, NULL);

    if (fd >= 0)
        close(fd);
    close(agent);
    close(nothing);
    if (outbox >= 0)
        close(outbox);
    close(witness);
    return status;
}

/* Waits until the program has left or ended; a forked child may still hold the witness.  A program
 * of another PID namespace has no number here: it gets no signals, and only the witness counts.
 * poll() reports the witness when the last copy of the pipe's other end is closed. */
static void wait_for_end(int witness)
{
    int process = program > 0 ? pidfd_open(program, 0) : -1;
    struct pollfd wait[] = {{witness, POLLIN, 0}, {process, POLLIN, 0}};

    /* It has ended between its request and this call. */
    if (program > 0 && process < 0 && errno == ESRCH)
        return;
    while (poll(wait, 2, -1) < 0 && errno == EINTR)
        ;
}

/* Exit status 2: wrong usage or no pipe.  1: the descriptors were not taken. */
int hnow_stand_in(int argc, char **argv)
{
    int pair[2];

    if (argc < 2 || argc > 3 || (argc == 2 && !choose_directory(argv[1])) || pipe2(pair, O_CLOEXEC))
        return 2;
    program = argc == 3 ? atoi(argv[2]) : 0;
    watch_signals();
    if (hand_over(argc == 3 ? argv[1] : NULL, pair[1]))
        return 1;
    wait_for_end(pair[0]);
    /* The program was ended by a signal, so the job must see the same end of its task. */
    if (last_signal == SIGTERM || last_signal == SIGINT || last_signal == SIGHUP) {
        signal(last_signal, SIG_DFL);
        raise(last_signal);
    }
    return 0;
}
