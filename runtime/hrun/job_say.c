/* job_say.c - prints hrun's messages on its standard error; see job.h. */
#include "hrun/job.h"

#include "base/clean.h"

#include <stdarg.h>
#include <stdlib.h>

/* Sanitises the text, as much of it is from other hosts: a terminal must not interpret it. */
static void job_vsay(const char *format, va_list list)
{
    char *text = NULL;
    if (vasprintf(&text, format, list) < 0)
        return;
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    clean_text(text);
    fprintf(stderr, "hrun: %s\n", text);
    free(text);
}

void job_say(struct job *job, const char *format, ...)
{
    va_list list;
    (void)job;
    va_start(list, format);
    job_vsay(format, list);
    va_end(list);
}

void job_verbose(struct job *job, const char *format, ...)
{
    va_list list;
    if (!job->options->verbose)
        return;
    va_start(list, format);
    job_vsay(format, list);
    va_end(list);
}
