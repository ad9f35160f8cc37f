/* launch_process.c - starts the process that connects to another host; see launch.h.
 *
 * The child has a socket as standard input and output, and a pipe for errors.  It becomes ssh,
 * another launcher, or an agent on this machine.  That is mostly decided in the child (launch.c),
 * where slow name look-ups do not block hrun.
 *
 * A start costs a fork of hrun, a socket pair and a pipe.
 */
#include "hrun/hosts/launch.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* NULL is allowed. */
void launch_free_words(char **words)
{
    for (char **word = words; word && *word; word++)
        free(*word);
    free(words);
}

/* Returns only on failure, after a message on standard error. The words are searched in PATH. */
void launch_exec_words(char *const *words)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* ssh may not be reading its input for long */
    if (words)
        execvp(words[0], words);
    dprintf(2, "%s cannot be executed: %s\n", words ? words[0] : "ssh", strerror(errno));
}

/* Until exec, the child has hrun's signal handlers, which would only record a signal.  Resets
 * them. */
static void launch_forget_handlers(void)
{
    struct sigaction action;
    for (int number = 1; number < NSIG; number++)
        if (!sigaction(number, NULL, &action) && action.sa_handler != SIG_IGN &&
            action.sa_handler != SIG_DFL)
            signal(number, SIG_DFL);
}

/* Never returns.  Status 126: the program could not be executed. */
static void launch_child(void (*become)(const void *arg), const void *arg,
                         const struct rlimit *files, int channel, int errors)
{
    static const int ignored[] = {SIGPIPE, SIGTTIN, SIGTTOU, SIGXFSZ}; /* ignored by hrun itself */
    sigset_t none;
    setsid(); /* the terminal's Ctrl-C reaches only hrun, which ends the job in order */
    launch_forget_handlers();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_DFL);
    /* hrun has raised its own limit; tasks get the user's. */
    setrlimit(RLIMIT_NOFILE, files);
    if (dup2(channel, 0) >= 0 && dup2(channel, 1) >= 0 && dup2(errors, 2) >= 0)
        become(arg);
    _exit(126);
}

/* Both ends are closed at exec().  On an error nothing is open. channel[0] and errors[0] are
 * hrun's. */
int launch_streams(int channel[2], int errors[2])
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel))
        return error_set(HN_ESYS, "no descriptors: %s (limit: ulimit -n)", strerror(errno));
    if (pipe2(errors, O_CLOEXEC)) {
        close(channel[0]);
        close(channel[1]);
        return error_set(HN_ESYS, "no descriptors: %s (limit: ulimit -n)", strerror(errno));
    }
    return HN_OK;
}

/* All signals are blocked across fork(), and unblocked in the child only after its handlers are
 * reset. On an error *launched is not set. */
int launch_process(void (*become)(const void *arg), const void *arg, const struct rlimit *files,
                   struct launched *launched)
{
    int channel[2], errors[2];
    int error = launch_streams(channel, errors);
    if (error)
        return error;
    /* No handler of hrun may run in the child before it is reset. */
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    if (pid == 0)
        launch_child(become, arg, files, channel[1], errors[1]);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(channel[1]);
    close(errors[1]);
    if (pid < 0) {
        close(channel[0]);
        close(errors[0]);
        return error_set(HN_ESYS, "no process: %s", strerror(errno));
    }
    *launched = (struct launched){.pid = pid, .channel = channel[0], .errors = errors[0]};
    return HN_OK;
}

static void launch_become_words(const void *words)
{
    launch_exec_words(words);
}

int launch_start_words(char *const *words, const struct rlimit *files, struct launched *launched)
{
    return launch_process(launch_become_words, words, files, launched);
}
