/* hplan_draw.c - drawings of hplan: file, title, and measured beside predicted times.
 *
 * coll's draw_timing() and draw_map() make the SVG. This file supplies names and titles and
 * replaces the output in one step: an error leaves an older picture as it was.
 */
#include "hplan.h"

#include "hplan_trace.h"

#include "hnow.h"

#include <inttypes.h>
#include <string.h>

/* With a map, draws the messages on it; without, the timing diagram. */
static int draw_into(const char *path, const struct drawing *drawing, const hn_net *map)
{
    struct replacement file;
    int error = replace_open(&file, path);
    if (!error) {
        /* A drawing sets no text, only a number. */
        error = map ? draw_map(drawing, map, file.file) : draw_timing(drawing, file.file);
        if (error)
            error_set(error, "%s: %s", path, hn_strerror(error));
        /* HN_ESYS is an error of the file, which closing it reports (replace_close() has the
         * system's reason). */
        error = replace_close(&file, error == HN_ESYS ? HN_OK : error);
    }
    if (error)
        complain("%s", hn_error_text());
    return error ? 1 : 0;
}

/* The caller then prints no table, as it would damage the picture. */
bool prints_pictures(const struct pictures *p)
{
    return (p->timing && strcmp(p->timing, "-") == 0) || (p->map && strcmp(p->map, "-") == 0);
}

/* The title has the data and the plan; times are in the drawing. */
int draw_pictures(const struct pictures *pictures, const struct answer *answer,
                  const struct timing *measured)
{
    /* Only the first outcome is drawn: the best one of `all`. */
    const struct outcome *best = &answer->outcomes[0];
    char title[CHOICE_TEXT_ROOM + 64], text[CHOICE_TEXT_ROOM];
    const struct task *task = answer->task;
    choice_text(&best->choice, text, sizeof text);
    if (task->req.messages)
        snprintf(title, sizeof title, "%s of %d messages by %s", task->op, task->req.message_count,
                 text);
    else
        snprintf(title, sizeof title, "%s of %" PRId64 " bytes by %s", task->op, task->req.bytes,
                 text);
    struct drawing drawing = {.title = title,
                              .names = task->names,
                              .plan = best->plan,
                              .timing = &best->timing,
                              .measured = measured,
                              .host = task->host,
                              .model = &task->model,
                              .messages = task->req.messages};
    /* After the first error the second picture is left out. */
    int status = pictures->timing ? draw_into(pictures->timing, &drawing, NULL) : 0;
    if (!status && pictures->map)
        status = draw_into(pictures->map, &drawing, task->net);
    return status;
}

/* A ratio above 1: the model is pessimistic. */
static void report_times(const struct timing *measured, int runs, const struct timing *predicted,
                         FILE *file)
{
    /* An operation without messages takes no time in both. */
    double ratio =
        measured->makespan > 0 ? (double)predicted->makespan / (double)measured->makespan : 1;
    fprintf(file, "\nmeasured: %.9f s, the median of %d; predicted / measured: %.3f\n",
            (double)measured->makespan / 1e12, runs, ratio);
}

/* best is the only outcome, or the first of all: the trace must have followed this one. */
int draw_measured(const struct pictures *pictures, const struct answer *answer,
                  const struct trace *trace, FILE *report)
{
    struct outcome *best = &answer->outcomes[0];
    struct timing timing = {0};
    char name[CHOICE_TEXT_ROOM];
    int runs;
    /* The trace has the plan's name as choice_text() writes it. */
    choice_text(&best->choice, name, sizeof name);
    int status = trace_timing(trace, best->plan, name, &timing, &runs)
                     ? complain("%s", hn_error_text())
                     : draw_pictures(pictures, answer, &timing);
    /* With a picture on stdout a line of text would end up in it. */
    if (!status && report && !prints_pictures(pictures))
        report_times(&timing, runs, &best->timing, report);
    timing_free(&timing);
    return status;
}
