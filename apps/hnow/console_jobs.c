/* console_jobs.c - jobs that the console spawns, here or in the background; see console.h. */
#include "console.h"
#include "hnow_verbs.h"
#include "hrun/internal.h"
#include "runtime/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS = 64, JOB_WORDS = 200 };

static char *trace_file; /* of the jobs that the prompt spawns; NULL: none */
static struct job_behind {
    pid_t pid; /* 0: free */
    char words[JOB_WORDS];
} jobs[JOBS];

int console_trace(int argc, char **argv)
{
    if (argc > 2)
        return hnow_fail("usage: trace [FILE.json | off]");
    if (argc == 2) {
        free(trace_file);
        trace_file = strcmp(argv[1], "off") == 0 ? NULL : strdup(argv[1]);
    }
    printf("spawn writes %s%s\n", trace_file ? "a trace to " : "no trace",
           trace_file ? trace_file : "");
    return 0;
}

/* ---- starting --------------------------------------------------------------------------------
 */

/* The words of hrun: those of spawn, where PVM's -N is -np N, and its -> (output here) is nothing;
 * NULL: out of memory. */
static char **hrun_words(int argc, char **argv)
{
    char **words = calloc((size_t)argc * 2 + 3, sizeof *words);
    bool options = true;
    int n = 0;

    if (!words)
        return NULL;
    words[n++] = (char *)"hrun";
    if (trace_file) {
        words[n++] = (char *)"-trace";
        words[n++] = trace_file;
    }
    for (int i = 1; i < argc; i++) {
        bool count = options && argv[i][0] == '-' && argv[i][1] >= '1' && argv[i][1] <= '9';
        options &= argv[i][0] == '-';
        if (options && strcmp(argv[i], "->") == 0)
            continue;
        if (count)
            words[n++] = (char *)"-np";
        words[n++] = argv[i] + count;
    }
    return words;
}

/* One in the background has no input, and does not get the terminal's Ctrl-C. */
static void become_hrun(const char *hrun, char **words, bool behind)
{
    if (behind) {
        int null = open("/dev/null", O_RDONLY);
        if (null >= 0)
            dup2(null, STDIN_FILENO);
        setpgid(0, 0);
    }
    execv(hrun, words);
    _exit(hnow_fail("hrun is not beside this program"));
}

static int exit_status(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A place in the list; NULL: there is none. */
static struct job_behind *free_place(void)
{
    for (int i = 0; i < JOBS; i++)
        if (!jobs[i].pid)
            return &jobs[i];
    return NULL;
}

static int keep(struct job_behind *job, pid_t pid, int argc, char **argv)
{
    size_t n = 0;

    *job = (struct job_behind){.pid = pid};
    for (int i = 1; i < argc && n < JOB_WORDS; i++)
        n += (size_t)snprintf(job->words + n, JOB_WORDS - n, "%s%s", i > 1 ? " " : "", argv[i]);
    printf("[%d] %d\n", (int)(job - jobs) + 1, (int)pid);
    return 0;
}

/* In the background with & at the end; else its output and status are ours. */
int console_spawn(int argc, char **argv)
{
    bool behind = argc > 2 && strcmp(argv[argc - 1], "&") == 0;
    struct job_behind *place = behind ? free_place() : NULL;
    char *directory = launch_directory(), *hrun = NULL, **words;
    int status = 0;

    argc -= behind;
    words = hrun_words(argc, argv);
    if (argc < 2 || !words || !directory || asprintf(&hrun, "%s/hrun", directory) < 0)
        return hnow_fail("usage: hnow spawn [OPTION...] PROGRAM [ARG...] [&], as hrun");
    if (behind && !place)
        return hnow_fail("spawn: 64 jobs are in the background already");
    pid_t pid = fork();
    if (pid == 0)
        become_hrun(hrun, words, behind);
    free(directory);
    free(hrun);
    free(words);
    if (pid < 0)
        return hnow_fail(strerror(errno));
    if (behind)
        return keep(place, pid, argc, argv);
    while (waitpid(pid, &status, 0) < 0)
        ;
    return exit_status(status);
}

/* ---- those in the background -------------------------------------------------------------------
 */

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

int console_jobs(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return hnow_fail("usage: jobs");
    for (int i = 0; i < JOBS; i++)
        if (jobs[i].pid)
            printf("[%d] %d %s\n", i + 1, (int)jobs[i].pid, jobs[i].words);
    return 0;
}
