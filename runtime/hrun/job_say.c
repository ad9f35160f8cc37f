/* job_say.c - prints hrun's messages on its standard error; see job.h.
 *
 * While the job runs, they go the way of the tasks' output, because a write could block hrun.
 */
#include "hrun/job.h"

#include "base/clean.h"

#include <stdarg.h>
#include <stdlib.h>

/* Sanitises the text, as much of it is from other hosts: a terminal must not interpret it. */
static void job_vsay(struct job *job, const char *format, va_list list)
{
    char *text = NULL;
    int n = vasprintf(&text, format, list);
    if (n < 0)
        return;
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    clean_text(text);
    text[n] = '\n'; /* in place of the 0 */
    /* Before the streams are open, and after they are closed, a direct write is the only way. */
    if (job->stdio.err.loop)
        spout_add(&job->stdio.err, &job->stdio.own, text, (size_t)n + 1);
    else
        fprintf(stderr, "hrun: %.*s", n + 1, text);
    free(text);
}

/* One line on standard error, without a line end in format. */
void job_say(struct job *job, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    job_vsay(job, format, list);
    va_end(list);
}

/* Formats nothing without -v. */
void job_verbose(struct job *job, const char *format, ...)
{
    va_list list;
    if (!job->options->verbose)
        return;
    va_start(list, format);
    job_vsay(job, format, list);
    va_end(list);
}
