/* history.c - log lines about plans (history.h).
 *
 * This is the only place of the library that prints, and only on request. Each line is written at
 * once, so that lines of several groups do not mix. For the median each row keeps a sample of fixed
 * size of its times (Vitter's algorithm R, 1985): memory does not grow with the number of
 * operations.
 */
#include "wire/history.h"

#include "model/array_grow.h"

#include "hnow.h"
#include "probe/internal.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Most rows (2 MB); others are not listed. Times kept a row: in 19 of 20 cases their median is in
 * the middle eighth of all times. Bytes of a line, which is cut if it is longer. */
enum { ROWS_MOST = 1024, SAMPLE = 255, LINE = 400 };

/* Times of operations with the same operation, size class, plan and use of compression. */
struct row {
    enum operation op;
    int class;
    char plan[PLAN_NAME_ROOM];
    bool deflated;     /* messages were deflated, which the model does not predict */
    hn_time predicted; /* of the last one */
    int64_t count;
    int64_t times[SAMPLE];
};

struct history {
    int ranks;
    pthread_mutex_t guard; /* of what follows: threads end persistent operations of one group */
    struct row *rows;
    int count;
    uint64_t state; /* of the sample's random numbers */
};

static bool is_wanted(void)
{
    /* The environment counts more than the job's option. */
    const char *text = getenv("HNOW_VERBOSE");
    size_t length = 0;
    if (text && *text)
        return strcmp(text, "0") != 0;
    return hn_job_text("verbose", &text, &length) == HN_OK && length > 0;
}

struct history *history_open(int ranks)
{
    if (!is_wanted())
        return NULL;
    struct history *history = calloc(1, sizeof *history);
    if (history)
        *history = (struct history){.ranks = ranks, .guard = PTHREAD_MUTEX_INITIALIZER};
    return history;
}

void history_log(const struct history *history, const char *format, ...)
{
    /* One write() for each line, so that lines of several tasks do not mix. */
    if (!history)
        return;
    char line[LINE];
    va_list arguments;
    va_start(arguments, format);
    int head = snprintf(line, sizeof line, "hnow: group of %d: ", history->ranks);
    int used = vsnprintf(line + head, sizeof line - (size_t)head, format, arguments);
    va_end(arguments);
    /* A line that is too long is cut; the last byte is the newline. */
    size_t length = (size_t)(head + used) < sizeof line ? (size_t)(head + used) : sizeof line - 1;
    line[length] = '\n';
    /* A line that cannot be written is lost: no caller could be notified. */
    ssize_t written = write(STDERR_FILENO, line, length + 1);
    (void)written;
}

/* ---- a plan is chosen ------------------------------------------------------------------- */

static double milliseconds(hn_time picoseconds)
{
    return (double)picoseconds / 1e9;
}

/* The predicted time of a choice; 0: unknown.  It is planned again for this: the plan that is
 * followed is not touched. */
static hn_time predict(const struct choice *choice, const struct request *req,
                       const struct model *model)
{
    struct plan *plan;
    if (choice_plan(choice, req, model, &plan))
        return 0;
    hn_time makespan = plan_makespan(plan, model);
    plan_free(plan);
    return makespan;
}

/* Describes the selection: how many plans, and for comparison the time of a well-known plan. */
static void describe_selection(const struct decision *d, const struct request *req,
                               const struct model *model, char *text, size_t size)
{
    struct choice usual;
    int used = snprintf(text, size, "best of %d plans by %d planners, found in %.3f ms",
                        d->shortlist.plans, d->shortlist.planners, (double)d->took / 1e6);
    hn_time time = choice_parse("binomial", &usual) ? 0 : predict(&usual, req, model);
    if (time > 0)
        snprintf(text + used, size - (size_t)used, "; binomial: %.3f ms", milliseconds(time));
}

static const char *why_words(enum why why)
{
    return why == WHY_NAME    ? "asked for by name"
           : why == WHY_FIRST ? "a rule of thumb, to begin with: the tasks share their cores"
                              : "a rule of thumb: no measured network";
}

void history_chosen(const struct history *history, const struct request *req,
                    const struct model *model, struct decision *d)
{
    char name[64], why[160];
    if (!history || d->logged)
        return;
    d->logged = true;
    if (d->why == WHY_BEST)
        describe_selection(d, req, model, why, sizeof why);
    else
        snprintf(why, sizeof why, "%s", why_words(d->why));
    history_log(history, "%s, %" PRId64 " bytes: plan %s, predicted %.3f ms (%s)",
                operation_name(req->op), request_part_bytes(req, 0),
                choice_text(&d->choice, name, sizeof name),
                milliseconds(predict(&d->choice, req, model)), why);
}

/* ---- what operations took --------------------------------------------------------------- */

/* The row of these operations, which is added if there is room; NULL: there is none. */
static struct row *row_of(struct history *history, enum operation op, int class, const char *plan,
                          bool deflated)
{
    for (int i = 0; i < history->count; i++) {
        struct row *row = &history->rows[i];
        if (row->op == op && row->class == class && row->deflated == deflated &&
            strcmp(row->plan, plan) == 0)
            return row;
    }
    if (history->count == ROWS_MOST)
        return NULL;
    if (!ARRAY_ROOM(history->rows, history->count + 1))
        return NULL;
    struct row *row = &history->rows[history->count++];
    *row = (struct row){.op = op, .class = class, .deflated = deflated};
    snprintf(row->plan, sizeof row->plan, "%s", plan);
    return row;
}

/* A generator of its own, since the program's random numbers must not depend on the log. */
static uint64_t roll(struct history *history)
{
    history->state = history->state * 6364136223846793005u + 1442695040888963407u;
    return history->state >> 33;
}

/* Algorithm R: the n-th time replaces a random one with probability SAMPLE / n. */
static void note(struct history *history, struct row *row, hn_time predicted, int64_t nanoseconds)
{
    row->predicted = predicted;
    uint64_t place =
        row->count < SAMPLE ? (uint64_t)row->count : roll(history) % (uint64_t)row->count;
    row->count++;
    if (place < SAMPLE)
        row->times[place] = nanoseconds;
}

void history_measured(struct history *history, enum operation op, int class, const char *plan,
                      hn_time predicted, int64_t nanoseconds, bool deflated)
{
    if (!history)
        return;
    pthread_mutex_lock(&history->guard);
    struct row *row = row_of(history, op, class, plan, deflated);
    if (row)
        note(history, row, predicted, nanoseconds);
    pthread_mutex_unlock(&history->guard);
}

/* ---- the end ---------------------------------------------------------------------------- */

static double median_of(struct row *row)
{
    int64_t count = row->count < SAMPLE ? row->count : SAMPLE;
    values_sort(row->times, count);
    return (double)row->times[count / 2] / 1e6;
}

static void log_row(const struct history *history, struct row *row)
{
    char what[128];
    snprintf(what, sizeof what, "%s up to %" PRIu64 " bytes by %s", operation_name(row->op),
             UINT64_C(1) << row->class, row->plan);
    if (row->deflated)
        history_log(history,
                    "%s: %" PRId64 " times with deflated messages, at rank 0 median %.3f ms; "
                    "without deflating predicted %.3f ms",
                    what, row->count, median_of(row), milliseconds(row->predicted));
    else
        history_log(history, "%s: %" PRId64 " times, at rank 0 predicted %.3f ms, median %.3f ms",
                    what, row->count, milliseconds(row->predicted), median_of(row));
}

/* Prints one line for each row. NULL is allowed. */
void history_close(struct history *history)
{
    for (int i = 0; history && i < history->count; i++)
        log_row(history, &history->rows[i]);
    if (history)
        free(history->rows);
    free(history);
}
