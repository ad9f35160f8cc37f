/* hmd_run.c - starts hmd and reads its record (hmd_run.h).
 *
 * hmd is the users' program, found next to hbench.  Its output arrives in messages; of its JSON
 * document only "time" is read.  If hmd fails, the job ends, and with it this task, by SIGTERM.
 * The signal is ignored meanwhile, so that the error message is still printed.
 *
 * hmd's tasks are spawned into this job, so they run on its hosts without another login. Task 0
 * receives what they print, line by line; an empty message means that a task has ended.
 */
#include "hmd_run.h"

#include "fail.h"
#include "hnow.h"
#include "runtime/internal.h"
#include "self.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG_OUTPUT = 7800, WORDS_MOST = 64 /* of hmd's options; the rest is dropped */ };

/* Options for the bundled system, in the source tree or installed.  NULL: out of memory. */
static char *bundled_options(void)
{
    /* A build tree is preferred to an installed system. */
    const char *at = access(HMD_DATA "/alad.psf", R_OK) == 0 ? HMD_DATA : HMD_DATA_INSTALLED;
    char *text;

    if (asprintf(&text,
                 "-psf %s/alad.psf -par %s/alad.prm -crd %s/alad.crd -box 25,25,25 -cutnb 12 "
                 "-ctofnb 10 -ctonnb 8",
                 at, at, at) < 0)
        return NULL;
    return text;
}

/* ---- hmd's record ---- */

/* No JSON library: json-c is optional, and hmd's own document has a fixed form. */
static double number_behind(const char *text, const char *key)
{
    const char *at = strstr(text, key);

    return at ? atof(at + strlen(key)) : 0;
}

/* Times are in seconds for each step. */
static bool read_times(const char *document, struct hmd_times *times)
{
    const char *at = document ? strstr(document, "\"time\":{") : NULL;

    if (!at)
        return fail("hmd", "it has not said how long its steps took");
    /* A key that is missing gives 0. */
    times->step = number_behind(at, "\"step\":");
    times->force = number_behind(at, "\"force\":");
    times->comm = number_behind(at, "\"comm\":");
    times->wait = number_behind(at, "\"wait\":");
    return true;
}

/* Processes one piece of output: keeps the document, prints anything else. */
static bool take_line(char **document, const char *line, size_t length)
{
    if (length == 0 || line[0] != '{')
        return fwrite(line, 1, length, stderr) == length;
    /* The last document counts. */
    free(*document);
    *document = strndup(line, length);
    return *document || fail("memory", "no room for hmd's record");
}

/* Receives all output of `tasks` tasks, until all have ended. */
static bool take_output(int tasks, char **document)
{
    char *line = malloc(HN_LINE_MAX);
    bool good = line != NULL || fail("memory", "no room for hmd's output");

    while (good && tasks > 0) {
        hn_info info;
        /* From any of hmd's tasks. */
        good = hn_recv(HN_ANY, TAG_OUTPUT, line, HN_LINE_MAX, HN_CHAR, &info) == HN_OK ||
               fail_hn("hn_recv");
        if (good && info.count == 0)
            tasks--;
        else if (good)
            good = take_line(document, line, info.count);
    }
    free(line);
    return good;
}

/* ---- starting it ---- */

/* Splits a text into words at its blanks. */
static int cut(char *text, const char **words, int most)
{
    char *rest;
    int n = 0;

    /* The text is modified, and must live as long as the words. */
    for (char *w = strtok_r(text, " ", &rest); w && n < most; w = strtok_r(NULL, " ", &rest))
        words[n++] = w;
    return n;
}

/* By messages instead of a pipe: with hn_spawn() the tasks run on all hosts of the job. */
static bool spawn(const char *const *words, int tasks)
{
    char path[PATH_MAX];

    if (!self_tool("hmd", path))
        return false;
    if (hn_catch_output(NULL, 0, TAG_OUTPUT) != HN_OK)
        return fail_hn("hn_catch_output");
    /* Fewer tasks than requested are an error: the numbers would mean something else. */
    return hn_spawn(path, words, tasks, NULL, NULL) == tasks || fail_hn(path);
}

/* Starts hmd and receives its output, to the end. */
static bool run(const char *const *words, int tasks, char **document)
{
    struct sigaction ignored = {.sa_handler = SIG_IGN}, before;

    if (sigaction(SIGTERM, &ignored, &before) != 0)
        return fail("sigaction", "a signal cannot be ignored");
    bool good = spawn(words, tasks) && take_output(tasks, document);
    /* A signal that arrived meanwhile has been discarded. */
    sigaction(SIGTERM, &before, NULL);
    return good;
}

bool hmd_run(const struct hmd_job *job, const char *plan, struct hmd_times *times)
{
    char *options = job->options ? strdup(job->options) : bundled_options(), *document = NULL,
         /* Its words, with -json and the other options behind; see below. */
        steps[24];
    const char *words[WORDS_MOST + 10];

    if (!options)
        return fail("memory", "no room for hmd's options");
    /* The user's options come first; those below are the benchmark's. */
    int n = cut(options, words, WORDS_MOST);
    snprintf(steps, sizeof steps, "%" PRId64, job->steps);
    words[n++] = "-json";
    words[n++] = "-nstep";
    words[n++] = steps;
    if (strcmp(plan, "auto") != 0) {
        words[n++] = "-plan";
        words[n++] = plan;
    }
    if (job->replicated) {
        words[n++] = "-decomp";
        words[n++] = "replicated";
    }
    words[n] = NULL;
    bool good = run(words, job->tasks, &document) && read_times(document, times);
    free(options);
    free(document);
    return good;
}

/* The mean of n + 1 runs, from that of n runs before. */
void hmd_note(struct result *r, double sample, const struct hmd_times *t)
{
    double n = (double)r->samples.count;
    const struct {
        const char *key;
        double value;
    } more[] = {{"step", t->step}, {"force", t->force}, {"comm", t->comm}, {"wait", t->wait}};

    samples_add(&r->samples, sample);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        result_extra(r, more[i].key,
                     (n * result_extra_of(r, more[i].key) + more[i].value) / (n + 1));
}
