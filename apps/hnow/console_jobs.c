/* console_jobs.c - jobs spawned by the console, in the foreground or background; see console.h.
 *
 * Every job is an hrun in a child process.  Only background jobs are stored, up to JOBS of them.
 * They are reaped before each prompt, so that their ends are reported between verbs and never
 * within one's output.
 */
#include "console.h"
#include "hnow_verbs.h"
#include "hrun/internal.h"
#include "runtime/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Maximum number of background jobs; bytes of their command lines that are shown. */
enum { JOBS = 64, JOB_WORDS = 200 };

static char *trace_file; /* for jobs spawned by the prompt; NULL: none */
/* A job's number for the user is its index + 1, and is used again after its end. */
static struct job_behind {
    pid_t pid; /* 0: unused */
    char words[JOB_WORDS];
} jobs[JOBS];

/* The selection of calls (+ and -) is accepted for PVM's sake and has no effect. */
int console_trace(int argc, char **argv)
{
    bool picks = argc > 1 && (strcmp(argv[1], "+") == 0 || strcmp(argv[1], "-") == 0);

    if (argc > 2 && !picks)
        return hnow_fail("usage: trace [FILE.json | off | + CALL... | - CALL...]");
    if (argc == 2 && !picks) {
        free(trace_file);
        trace_file = strcmp(argv[1], "off") == 0 ? NULL : strdup(argv[1]);
    }
    printf("spawn writes %s%s\n", trace_file ? "a trace of all calls to " : "no trace",
           trace_file ? trace_file : "");
    return 0;
}

/* ---- starting --------------------------------------------------------------------------------
 */

/* Arguments of spawn: words for hrun, and a file for output. */
struct order {
    char **words, *hosts; /* hosts: a list in the form of -map, to be freed */
    int n, mode;          /* mode: for opening the file */
    const char *file;     /* NULL: none */
};

/* The words are not copied; they must live until hrun runs. */
static void add_option(struct order *order, const char *name, char *value)
{
    order->words[order->n++] = (char *)name;
    order->words[order->n++] = value;
}

/* Returns the hosts with that name or architecture; NULL: none, or no machine is running.  Every
 * line of the answer of `conf` begins with a name and an architecture.  The result has commas
 * between the names. */
static char *hosts_of(const char *word)
{
    char *answer = NULL, *list = NULL;
    size_t size;
    FILE *out = open_memstream(&list, &size);
    int fd = machine_ask((const char *[]){"conf"}, 1, NULL);

    machine_limit(fd, ANSWER_SECONDS);
    if (out && fd >= 0 && machine_answer(fd, &answer) == 0)
        for (const char *line = answer; *line; line += strcspn(line, "\n"), line += *line == '\n')
            if (hnow_word_is(line, 0, word) || hnow_word_is(line, 1, word))
                fprintf(out, "%s%.*s", ftell(out) > 0 ? "," : "", (int)strcspn(line, " "), line);
    if (out)
        fclose(out);
    if (fd >= 0)
        close(fd);
    free(answer);
    if (list && *list)
        return list;
    free(list);
    return NULL;
}

/* Parses -HOST:DIRECTORY, either of which may be missing.  Returns true if the word has that form.
 * Else the word is unchanged and is an option of hrun.  Only one such word can name hosts. */
static bool take_place(struct order *order, char *word)
{
    char *directory = strchr(word, ':');

    if (directory)
        *directory = 0;
    if (*word && (order->hosts || !(order->hosts = hosts_of(word)))) {
        if (directory)
            *directory = ':';
        return false;
    }
    if (*word)
        add_option(order, "-map", order->hosts);
    if (directory)
        add_option(order, "-wdir", directory + 1);
    return true;
}

/* Parses a flag of PVM's spawn.  Returns true if it is one.  Flags for debuggers have no effect.  A
 * number is that of processes; > and >> are followed by a file for output, and @ by one for a
 * trace. */
static bool take_flag(struct order *order, char *word)
{
    if (word[1] >= '1' && word[1] <= '9') {
        add_option(order, "-np", word + 1);
    } else if (word[1] == '>') {
        order->mode = word[2] == '>' ? O_APPEND : O_TRUNC;
        order->file = word[2] == '>' ? word + 3 : word[2] ? word + 2 : NULL;
    } else if (word[1] == '@' && word[2]) {
        add_option(order, "-trace", word + 2);
    } else if (strcmp(word, "-?") != 0) {
        return take_place(order, strncmp(word, "--host=", 7) == 0 ? word + 7 : word + 1);
    }
    return true;
}

/* Options of hrun are passed on with their values; order->words has room for two of each.  An
 * option that hrun does not know is passed on alone, so that hrun prints the error. */
static void take_words(struct order *order, int argc, char **argv)
{
    int i = 1;

    order->words[order->n++] = (char *)"hrun";
    if (trace_file)
        add_option(order, "-trace", trace_file);
    while (i < argc && argv[i][0] == '-' && strcmp(argv[i], "--") != 0) {
        if (take_flag(order, argv[i])) {
            i++;
            continue;
        }
        int n = hrun_option_words(argc - i, argv + i);
        do /* hrun rejects unknown options */
            order->words[order->n++] = argv[i++];
        while (--n > 0);
    }
    while (i < argc)
        order->words[order->n++] = argv[i++];
}

/* A background job has no input, and does not get the terminal's Ctrl-C. Runs in the child and
 * never returns.  Its own process group is what keeps the terminal's signals away. */
static void become_hrun(const char *hrun, const struct order *order, bool behind)
{
    if (behind) {
        int null = open("/dev/null", O_RDONLY);
        if (null >= 0)
            dup2(null, STDIN_FILENO);
        setpgid(0, 0);
    }
    if (order->file) {
        int file = open(order->file, O_WRONLY | O_CREAT | O_CLOEXEC | order->mode, 0666);
        if (file < 0) {
            fprintf(stderr, "hnow: %s: %s\n", order->file, strerror(errno));
            _exit(2);
        }
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
    }
    execv(hrun, order->words);
    _exit(hnow_fail("hrun is not beside this program"));
}

/* As in a shell: 128 and the signal's number for a process that a signal has ended. */
static int exit_status(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Returns an unused entry of the list; NULL: none. */
static struct job_behind *free_place(void)
{
    for (int i = 0; i < JOBS; i++)
        if (!jobs[i].pid)
            return &jobs[i];
    return NULL;
}

/* Stores a background job and prints its number.  A command line longer than JOB_WORDS is cut. */
static int keep(struct job_behind *job, pid_t pid, int argc, char **argv)
{
    size_t n = 0;

    *job = (struct job_behind){.pid = pid};
    for (int i = 1; i < argc && n < JOB_WORDS; i++)
        n += (size_t)snprintf(job->words + n, JOB_WORDS - n, "%s%s", i > 1 ? " " : "", argv[i]);
    printf("[%d] %d\n", (int)(job - jobs) + 1, (int)pid);
    return 0;
}

/* Meanwhile the terminal's Ctrl-C and Ctrl-\ only affect the child.  A process number below 0 is
 * the error of a failed fork(). */
static int wait_for(pid_t pid)
{
    int status = 0;

    if (pid < 0)
        return hnow_fail(strerror(errno));
    void (*interrupt)(int) = signal(SIGINT, SIG_IGN), (*quit)(int) = signal(SIGQUIT, SIG_IGN);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    signal(SIGINT, interrupt);
    signal(SIGQUIT, quit);
    return exit_status(status);
}

int console_apart(int (*run)(int argc, char **argv), int argc, char **argv)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(run(argc, argv));
    return wait_for(pid);
}

/* A trailing & starts it in the background; else the console waits and returns its status. */
int console_spawn(int argc, char **argv)
{
    bool behind = argc > 2 && strcmp(argv[argc - 1], "&") == 0;
    struct job_behind *place = behind ? free_place() : NULL;
    char *directory = launch_directory(), *hrun = NULL;
    /* Room for two words for each argument; `spawn` itself pays for "hrun" and the NULL.  The other
     * four are -trace, and -wdir behind a -map from the same word, with their values. */
    struct order order = {.words = calloc((size_t)argc * 2 + 4, sizeof *order.words)};

    argc -= behind;
    if (argc < 2 || !order.words || !directory || asprintf(&hrun, "%s/hrun", directory) < 0)
        return hnow_fail("usage: hnow spawn [OPTION...] PROGRAM [ARG...] [&], as hrun");
    if (behind && !place)
        return hnow_fail("spawn: 64 jobs are in the background already");
    take_words(&order, argc, argv);
    pid_t pid = fork();
    if (pid == 0)
        become_hrun(hrun, &order, behind);
    free(directory);
    free(hrun);
    free(order.words);
    free(order.hosts);
    return behind && pid > 0 ? keep(place, pid, argc, argv) : wait_for(pid);
}

/* ---- background jobs
 * --------------------------------------------------------------------------- */

void console_reap(void)
{
    int status;

    for (int i = 0; i < JOBS; i++)
        if (jobs[i].pid && waitpid(jobs[i].pid, &status, WNOHANG) == jobs[i].pid) {
            jobs[i].pid = 0;
            printf("[%d] has ended with status %d: %s\n", i + 1, exit_status(status),
                   jobs[i].words);
        }
}

/* hrun ends the tasks of its job.  The entries remain until console_reap() finds the processes
 * ended. */
void console_end_jobs(void)
{
    for (int i = 0; i < JOBS; i++)
        if (jobs[i].pid)
            kill(jobs[i].pid, SIGTERM);
}

int console_jobs(int argc, char **argv)
{
    if (argc > 2 || (argc == 2 && strcmp(argv[1], "-l") != 0))
        return hnow_fail("usage: jobs [-l]");
    for (int i = 0; i < JOBS; i++)
        if (jobs[i].pid)
            printf("[%d] %d %s\n", i + 1, (int)jobs[i].pid, jobs[i].words);
    return 0;
}
