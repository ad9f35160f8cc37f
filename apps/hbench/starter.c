/* starter.c - commands that start jobs; see starter.h.
 *
 * The ssh command of a host is the one that hrun suggests for trying it by hand.  A shell starts
 * all of them and waits for each: the minimum cost of reaching the hosts with one ssh each.
 *
 * A command is a list of words, which execvp() gets as they are: no shell is between, except for
 * ssh's script. Output is discarded, so that printing is not measured.
 */
#include "starter.h"

#include "clock.h"
#include "fail.h"
#include "runtime/internal.h"
#include "hrun/internal.h"
#include "self.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STARTER_PATIENCE = 10 }; /* seconds; some launchers of peers hang with many tasks */

/* Copies the words; false: out of memory.  The NULL after the last word is that of the zeroed
 * structure. */
static bool starter_words(struct starter *s, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (!(s->word[i] = strdup(words[i])))
            return false;
    return true;
}

void starter_free(struct starter *s)
{
    /* NULL words are free places. */
    for (int i = 0; i < STARTER_WORDS; i++)
        free(s->word[i]);
    *s = (struct starter){0};
}

/* ---- hrun ---- */

/* `started` is a benchmark of hbench itself (hbench_launch.c). */
bool starter_hrun(struct starter *s, const char *hosts, int64_t tasks)
{
    char self[PATH_MAX], hrun[PATH_MAX], number[24];
    size_t directory;
    const char *const with[] = {hrun, "-hosts", hosts, "-np", number, self, "started", NULL};
    const char *const without[] = {hrun, "-np", number, self, "started", NULL};

    *s = (struct starter){.tasks = tasks};
    snprintf(number, sizeof number, "%" PRId64, tasks);
    /* hrun from the same build as this program. */
    return self_find(self, &directory) && self_tool("hrun", hrun) &&
           starter_words(s, hosts ? with : without);
}

/* ---- references ---- */

/* Each ssh runs in a session of its own, like those of hrun: some schedulers share time by
 * session. */
static char *starter_script(const struct hosts *hosts, int64_t *n)
{
    struct launch launch = {.hosts = hosts};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    *n = 0;
    for (int i = 0; out && i < hosts->n; i++) {
        char *command = hosts->line[i].standby ? NULL : launch_by_hand(&launch, &hosts->line[i]);
        if (command)
            fprintf(out, "setsid -w %s & p=\"$p $!\"\n", command);
        *n += command != NULL;
        free(command);
    }
    /* Any host that fails makes the script fail. */
    if (out) {
        fputs("for i in $p; do wait $i || exit 1; done\n", out);
        fclose(out);
    }
    return text;
}

/* The script reaches the same hosts as hrun would, except those on standby. */
bool starter_ssh(struct starter *s, const char *file)
{
    struct hosts *hosts;

    *s = (struct starter){.peer = "ssh"};
    if (hosts_open(file, &hosts) != HN_OK)
        return fail_hn("-hosts");
    char *text = starter_script(hosts, &s->tasks);
    /* The script is one word of a shell. */
    const char *const words[] = {"/bin/sh", "-c", text, NULL};
    bool good = text && starter_words(s, words);
    free(text);
    hosts_free(hosts);
    return good;
}

bool starter_peer(struct starter *s, int which, int64_t tasks)
{
    static const struct {
        const char *peer, *program, *options[3];
    } peers[STARTER_PEERS] = {
        {"mpich", "mpiexec.mpich", {NULL}},
        {"openmpi", "mpiexec.openmpi", {"--oversubscribe", "--allow-run-as-root", NULL}},
    };
    char number[24];
    const char *words[STARTER_WORDS] = {peers[which].program, "-n", number};
    /* A launcher that is not installed is no error (starter.h). */
    char *path = search_program(getenv("PATH"), words[0]);
    int n = 3;

    *s = (struct starter){.peer = peers[which].peer, .tasks = tasks};
    snprintf(number, sizeof number, "%" PRId64, tasks);
    for (int i = 0; peers[which].options[i]; i++)
        words[n++] = peers[which].options[i];
    /* The array was zeroed, so NULL follows. */
    words[n] = "true";
    bool there = path && starter_words(s, words);
    free(path);
    return there;
}

/* ---- PVM ---- */

static const char pvm_starts[] = "hbench-pvmexec", pvm_program[] = "hbench-pvm";

bool starter_pvm(struct starter *s, const char *folder, int64_t tasks)
{
    char start[PATH_MAX], program[PATH_MAX], number[24], where[PATH_MAX + 16], places[64];
    const char *const fresh[] = {start, "-n", number, program, NULL};
    const char *const up[] = {"env", "PVM_ALLOW_ROOT=1", where, places, program, NULL};

    *s = (struct starter){.peer = folder ? "pvm-up" : "pvm", .tasks = tasks};
    snprintf(number, sizeof number, "%" PRId64, tasks);
    snprintf(where, sizeof where, "PVM_TMP=%s", folder ? folder : "");
    snprintf(places, sizeof places, "HBENCH_PVM_PLACES=localhost:%s", number);
    /* Missing programs mean that hbench was built without PVM. */
    return self_beside(pvm_starts, start) && self_beside(pvm_program, program) &&
           starter_words(s, folder ? up : fresh);
}

/* The child: a PVM whose only program prints its folder, and waits for this side to close. The
 * daemon of pvm-up must outlive the measured starts. It lives as long as the socket, so it also
 * ends when hbench is killed. */
static void starter_become_pvm(int line, const char *start)
{
    /* One socket for both directions. */
    if (dup2(line, STDIN_FILENO) >= 0 && dup2(line, STDOUT_FILENO) >= 0)
        execl(start, start, "-n", "1", "sh", "-c", "echo \"$PVM_TMP\"; exec cat >&2", NULL);
    fail_system(start);
    _exit(127);
}

bool starter_pvm_up(struct starter_pvm *pvm)
{
    char start[PATH_MAX];
    int ends[2];

    *pvm = (struct starter_pvm){.pid = -1, .line = -1};
    if (!self_beside(pvm_starts, start) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return false;
    pvm->line = ends[0];
    /* A failed fork() leaves pid -1: the read below then fails. */
    pvm->pid = fork();
    if (pvm->pid == 0)
        starter_become_pvm(ends[1], start);
    /* With the child's end closed here, a child that fails ends the input of fgets(). */
    close(ends[1]);
    /* A duplicate, since the stream is closed, but the line must remain open. */
    FILE *said = fdopen(dup(pvm->line), "r");
    /* The folder's name is the only line that it prints. */
    bool good = said && fgets(pvm->folder, sizeof pvm->folder, said);
    pvm->folder[strcspn(pvm->folder, "\n")] = '\0';
    if (said)
        fclose(said);
    return good;
}

/* Closing the line ends `cat`, the PVM's only program, and with it the daemon. */
void starter_pvm_down(struct starter_pvm *pvm)
{
    if (pvm->line > 0)
        close(pvm->line);
    while (pvm->pid > 0 && waitpid(pvm->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* ---- running a command ---- */

/* The child: no input, output discarded, and no ssh prompts. */
static void starter_become(const struct starter *s)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    setenv("SSH_ASKPASS", "/bin/false", 1);
    setenv("SSH_ASKPASS_REQUIRE", "force", 1);
    /* A group of its own, which starter_watch() can end with all descendants. */
    setpgid(0, 0);
    /* The messages of peers are dropped.  Those of hrun are shown: it must not fail. */
    if (s->peer && dup2(null, STDERR_FILENO) < 0)
        _exit(127);
    if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0)
        /* Returns only after an error. */
        execvp(s->word[0], s->word);
    fail_system(s->word[0]);
    _exit(127);
}

/* Ends a peer that hangs, with its descendants. hrun is not watched: if it hangs, that is a fault
 * that its user should see. */
static void starter_watch(pid_t pid)
{
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};

    if (end.fd < 0)
        return;
    /* A pidfd becomes readable when its process ends, so no signal handler is needed. */
    if (poll(&end, 1, STARTER_PATIENCE * 1000) == 0)
        kill(-pid, SIGKILL);
    close(end.fd);
}

/* The clock includes fork() and exec(): a user's shell needs them as well. */
bool starter_run(const struct starter *s, double *seconds)
{
    int64_t start = clock_now();
    pid_t pid = fork();
    int status;

    if (pid < 0)
        return fail_system("fork");
    if (pid == 0)
        starter_become(s);
    if (s->peer)
        starter_watch(pid);
    /* The end of the launcher, which has waited for its tasks. */
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return fail_system("waitpid");
    *seconds = clock_since(start);
    return status == 0;
}
