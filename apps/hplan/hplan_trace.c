/* hplan_trace.c - finds the runs of a plan in a trace (docs/tracing.md).
 *
 * All ranks call a group's operations equally often, in the same order. So the k-th calls of an
 * operation at all ranks form one run, and a message belongs to the call during which it occurs.
 * Runs with a missing message (a full trace buffer), another plan or another size do not count.
 *
 * Cost: O(events log events); the whole file is in memory.
 *
 * Times of a trace are those of each host's clock, already corrected to one clock by hrun. What
 * remains of the correction's error is not visible here.
 */
#include "hplan_trace.h"

#include "runtime/internal.h"

#include "hnow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HNOW_JSON
#include "json_document.h"

/* A call of the operation (step -1), or a message within it. The name of the plan belongs to the
 * JSON document. */
struct event {
    int rank, step;
    bool sends;
    bool waits; /* waits for a message that was sent or posted earlier */
    int64_t bytes;
    hn_time begin, end;
    const char *plan;
};

/* The row of a task in the trace, and its rank. Rows that are no rank's have other names, and no
 * entry. */
struct task {
    int64_t tid;
    int rank;
};

/* A trace that was read.  Plans' names belong to the JSON document, which is kept until the end. */
struct trace {
    json_object *json;
    struct task *tasks;
    int task_count;
    struct event *events; /* by rank; calls before their messages */
    int count;
    int *first; /* [rank]: its events are first[rank] ... first[rank + 1] - 1 */
    int ranks;
};

/* In microseconds: 23 days, so that sums and differences of four times fit hn_time. */
static const double TIME_MOST = 2e12;

/* Converts microseconds to picoseconds. False: no job takes so long. */
static bool read_time(json_object *object, const char *key, hn_time *time)
{
    double us = json_document_number(object, key);
    bool good = us >= -TIME_MOST && us <= TIME_MOST;
    /* A number outside is 0, so that no later sum overflows before the error is reported. */
    *time = good ? (hn_time)(us * 1e6) : 0;
    return good;
}

/* ---- reading ---------------------------------------------------------------------------- */

/* "rank 3 (hmd)" names the row of a task; rows of other threads are ignored. */
static void read_task(struct trace *t, json_object *event)
{
    int rank, used = 0;
    /* "%n" is reached only if the parenthesis is there, too. */
    if (strcmp(json_document_text(event, "name"), "thread_name") ||
        sscanf(json_document_text(json_document_member(event, "args"), "name"), "rank %d (%n",
               &rank, &used) != 1 ||
        !used)
        return;
    t->tasks[t->task_count++] =
        (struct task){json_object_get_int64(json_document_member(event, "tid")), rank};
}

/* Linear, since there is one task for each host. */
static int rank_of(const struct trace *t, int64_t tid)
{
    for (int i = 0; i < t->task_count; i++)
        if (t->tasks[i].tid == tid)
            return t->tasks[i].rank;
    return -1;
}

/* False: its times are wrong. An event of another kind or operation is skipped, which is no error.
 */
static bool read_event(struct trace *t, json_object *json, const char *operation)
{
    json_object *args = json_document_member(json, "args");
    const char *name = json_document_text(json, "name");
    bool call = strcmp(json_document_text(json, "cat"), "collective") == 0;
    /* "X" is an event with a duration; the file also has names, arrows and counters. */
    if (strcmp(json_document_text(json, "ph"), "X") ||
        strcmp(json_document_text(args, "operation"), operation) ||
        (!call && !json_document_member(args, "step")))
        return true;
    struct event e = {.rank = rank_of(t, json_object_get_int64(json_document_member(json, "tid"))),
                      .step = call ? -1 : json_object_get_int(json_document_member(args, "step")),
                      .sends = strcmp(name, "send") == 0 || strcmp(name, "isend") == 0,
                      .waits = strcmp(name, "wait") == 0,
                      .bytes = json_object_get_int64(json_document_member(args, "bytes")),
                      .plan = json_document_text(args, "plan")};
    /* `end` first gets the duration, then the time. */
    if (!read_time(json, "ts", &e.begin) || !read_time(json, "dur", &e.end) || e.end < 0)
        return false;
    e.end += e.begin;
    /* Events of tasks that are no rank of the job are dropped. */
    if (e.rank >= 0 && e.rank < t->ranks)
        t->events[t->count++] = e;
    return true;
}

/* The order of events: by rank, then by begin.  A call comes before a message that begins with it.
 */
static int by_rank_and_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank - y->rank;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->step >= 0) - (y->step >= 0);
}

/* Reads all tasks, then all events: an event may precede the name of its task. */
static int read_all(struct trace *t, const char *path, json_object *list, enum operation op)
{
    /* Upper bounds of both counts, so neither array grows. */
    size_t count = json_object_array_length(list);
    t->tasks = malloc((count + 1) * sizeof *t->tasks);
    t->events = malloc((count + 1) * sizeof *t->events);
    t->first = calloc((size_t)t->ranks + 2, sizeof *t->first);
    if (!t->tasks || !t->events || !t->first)
        return error_set(HN_ENOMEM, "-trace %s: out of memory", path);
    for (size_t i = 0; i < count; i++)
        read_task(t, json_object_array_get_idx(list, i));
    for (size_t i = 0; i < count; i++)
        if (!read_event(t, json_object_array_get_idx(list, i), operation_name(op)))
            return error_set(HN_EARG,
                             "-trace %s: event %zu: ts or dur is no time of a job: make a new one "
                             "with hrun -trace FILE",
                             path, i);
    qsort(t->events, (size_t)t->count, sizeof *t->events, by_rank_and_time);
    /* Counts each rank's events, then sums the counts to the ranks' first indices. O(events +
     * ranks). */
    for (int i = 0; i < t->count; i++)
        t->first[t->events[i].rank + 1]++;
    for (int rank = 0; rank < t->ranks; rank++)
        t->first[rank + 1] += t->first[rank];
    return HN_OK;
}

/* On an error, too, *trace is to be closed. */
int trace_open(const char *path, enum operation op, int ranks, struct trace **trace)
{
    struct trace *t = calloc(1, sizeof *t);
    *trace = t;
    if (!t)
        return error_set(HN_ENOMEM, "out of memory");
    t->ranks = ranks;
    int error = json_document_read(path, &t->json);
    if (error)
        return error;
    json_object *list = json_document_member(t->json, "traceEvents");
    if (!json_object_is_type(list, json_type_array))
        return error_set(HN_EARG, "-trace %s: not a trace: make one with hrun -trace FILE", path);
    error = read_all(t, path, list, op);
    if (error)
        return error;
    /* With several tasks on a host, ranks of the trace and of the plan would differ. A task for
     * each rank is also what a plan of this network assumes. */
    if (t->task_count != ranks)
        return error_set(HN_EARG,
                         "-trace %s: there are %d tasks, but %d hosts in the network: trace one "
                         "task a host",
                         path, t->task_count, ranks);
    if (t->count == 0)
        return error_set(HN_EARG, "-trace %s: no task called %s", path, operation_name(op));
    return HN_OK;
}

void trace_close(struct trace *t)
{
    if (!t)
        return;
    json_object_put(t->json);
    free(t->tasks);
    free(t->events);
    free(t->first);
    free(t);
}

/* Names of plans are compared as text; equal ones may be different objects of JSON. */
static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The name belongs to the trace. */
const char *trace_plan_name(const struct trace *t)
{
    /* Sorting brings equal names together; the longest run of them is the answer. O(calls log
     * calls). */
    size_t count = 0, run = 0, most = 0;
    const char *best = "", **names = malloc((size_t)(t->first[1] + 1) * sizeof *names);
    for (int i = t->first[0]; i < t->first[1] && names; i++)
        if (t->events[i].step < 0)
            names[count++] = t->events[i].plan;
    if (count > 1)
        qsort(names, count, sizeof *names, by_text);
    for (size_t i = 0; i < count; i++) {
        /* Of names that are equally frequent, the first in the alphabet. */
        run = i > 0 && strcmp(names[i], names[i - 1]) == 0 ? run + 1 : 1;
        if (run > most)
            best = names[i];
        most += run > most;
    }
    free(names);
    return best;
}

/* ---- runs ------------------------------------------------------------------------------- */

/* The requested plan and its name. */
struct wanted {
    const struct plan *plan;
    const char *name;
};

/* A copy from a rank to itself is no message, and not in the trace: it completes with the step
 * before. Returns the number of such steps. `begin`: of the call, for a copy that is the rank's
 * first step. The steps must be in order, since each takes its time from the one before. */
static int fill_kept(const struct plan *plan, int rank, hn_time begin, struct timing *timing)
{
    int count = 0;
    for (int32_t i = plan->first[rank]; i < plan->first[rank + 1]; i++) {
        if (plan->steps[i].peer == rank) {
            timing->spans[i] = (struct span){begin, begin, begin};
            count++;
        }
        begin = timing->spans[i].end;
    }
    return count;
}

/* True if a message may be one of the plan's. In a job blocks are divided between elements, which
 * hplan does not know, as it is given bytes. */
static bool is_alike(int64_t measured, int64_t planned)
{
    enum { WIDEST = 32 }; /* bytes of an element */
    if (measured < 0)
        return false;
    /* An eighth, for short messages, whose sizes would otherwise all be alike. */
    int64_t away = llabs(measured - planned);
    return away < WIDEST && away <= planned / 8;
}

/* Fills in a rank's spans from the call at event `at`. Returns false if something is missing. at:
 * the event of the call. Events are sorted, so the scan ends with the first one after the call. */
static bool fill_rank(const struct trace *t, const struct wanted *w, int rank, int at,
                      struct timing *timing)
{
    const struct event *call = &t->events[at];
    const struct plan *plan = w->plan;
    int steps = plan->first[rank + 1] - plan->first[rank], found = 0;
    /* The rank's messages follow their call in time.  An event of another call in between means
     * that calls overlap, and the run does not count. */
    for (int i = at + 1; i < t->first[rank + 1] && t->events[i].begin <= call->end; i++) {
        /* A call inside the call: another operation has been started before this one ended. */
        const struct event *e = &t->events[i];
        if (e->step < 0 || e->step >= steps)
            return false;
        int32_t step = plan->first[rank] + e->step;
        bool sends = plan->steps[step].kind == PLAN_SEND;
        if (e->waits && sends)
            continue; /* ready to receive; the send is an event of its own */
        if (e->sends != sends || !is_alike(e->bytes, plan_step_bytes(plan, &plan->steps[step])))
            return false;
        /* Arrival is not traced separately: a receive ends when its message is there. */
        timing->spans[step] = (struct span){e->begin, e->end, e->end};
        found++;
    }
    found += fill_kept(plan, rank, call->begin, timing);
    timing->done[rank] = call->end;
    /* a trace only has the beginning of a long name (TRACE_PLAN bytes, with its final zero). */
    return found == steps && strncmp(call->plan, w->name, TRACE_PLAN - 1) == 0;
}

/* The begin of the first send. One rank alone sends nothing: its end. */
static hn_time first_send(const struct plan *plan, const struct timing *timing)
{
    /* The plan's messages define 0, not the calls: ranks may have called long before. */
    hn_time first = INT64_MAX;
    for (int32_t i = 0; i < plan->first[plan->ranks]; i++)
        if (plan->steps[i].kind == PLAN_SEND && timing->spans[i].begin < first)
            first = timing->spans[i].begin;
    return first < INT64_MAX ? first : timing->done[0];
}

/* A receive in a trace begins when the rank begins to wait; in a simulation, when the message has
 * been sent. A receive may have been posted long before; the time until its message is sent is not
 * that of the network. A message can arrive while its send still ends. */
static void leave_out_waiting(const struct plan *plan, struct span *spans)
{
    for (int32_t i = 0; i < plan->first[plan->ranks]; i++) {
        hn_time sent = spans[plan->steps[i].match].end;
        if (plan->steps[i].kind != PLAN_SEND && spans[i].begin < sent)
            spans[i].begin = sent < spans[i].end ? sent : spans[i].end;
    }
}

/* Makes the times those of a simulation, which begins with the first send at 0. leave_out_waiting()
 * comes before the shift, but would give the same after it. */
static void settle(const struct plan *plan, struct timing *timing)
{
    hn_time zero = first_send(plan, timing);
    leave_out_waiting(plan, timing->spans);
    /* All times move by the same amount. Those of a rank that called before the first send become
     * negative. */
    for (int32_t i = 0; i < plan->first[plan->ranks]; i++) {
        struct span *span = &timing->spans[i];
        *span = (struct span){span->begin - zero, span->end - zero, span->arrived - zero};
    }
    /* The operation ends with its last rank's call. */
    timing->makespan = 0;
    for (int rank = 0; rank < plan->ranks; rank++) {
        timing->done[rank] -= zero;
        timing->makespan = time_later(timing->makespan, timing->done[rank]);
    }
}

/* Fills in the run whose calls are at[rank]. Returns false if it is incomplete. Each rank
 * overwrites its spans of the run before, so `timing` needs no clearing: a complete run fills all
 * of them. */
static bool fill_run(const struct trace *t, const struct wanted *w, const int *at,
                     struct timing *timing)
{
    for (int rank = 0; rank < t->ranks; rank++)
        if (!fill_rank(t, w, rank, at[rank], timing))
            return false;
    settle(w->plan, timing);
    return true;
}

/* Advances every rank to its next call. Returns false if a rank has none. */
static bool next_run(const struct trace *t, int *at)
{
    /* All ranks advance, also after one has no more calls, as the caller stops then anyway. */
    bool all = true;
    for (int rank = 0; rank < t->ranks; rank++) {
        while (at[rank] < t->first[rank + 1] && t->events[at[rank]].step >= 0)
            at[rank]++;
        all = all && at[rank] < t->first[rank + 1];
    }
    return all;
}

/* Lists the makespans of the complete runs; places[] has one entry of every rank for each run.
 * places[] has room for one run more than rank 0 has calls. */
static int list_runs(const struct trace *t, const struct wanted *w, struct timing *timing,
                     struct timed *runs, int *places)
{
    int count = 0, *at = places;
    memcpy(at, t->first, (size_t)t->ranks * sizeof *at);
    while (next_run(t, at)) {
        /* The next entry keeps this run's calls if the run is complete; otherwise it is
         * overwritten. */
        int *next = at + t->ranks;
        memcpy(next, at, (size_t)t->ranks * sizeof *at);
        if (fill_run(t, w, at, timing)) {
            runs[count] = (struct timed){timing->makespan, count};
            count++;
            at = next;
        }
        for (int rank = 0; rank < t->ranks; rank++)
            at[rank] = next[rank] + 1;
    }
    return count;
}

int trace_timing(const struct trace *t, const struct plan *plan, const char *name,
                 struct timing *timing, int *count)
{
    struct wanted wanted = {plan, name};
    /* Rank 0's events are at least as many as its calls, and no run is complete without one of
     * them. */
    size_t ranks = (size_t)t->ranks, most = (size_t)(t->first[1] - t->first[0]) + 1;
    struct timed *runs = malloc(most * sizeof *runs);
    int *places = malloc((most + 1) * ranks * sizeof *places), error = HN_OK;
    /* `timing` is room for each run in turn; at the end it is filled with the median run again. */
    timing->spans = calloc((size_t)plan->first[ranks] + 1, sizeof *timing->spans);
    timing->done = calloc(ranks, sizeof *timing->done);
    bool ok = runs && places && timing->spans && timing->done;
    *count = ok ? list_runs(t, &wanted, timing, runs, places) : 0;
    if (*count > 0) {
        /* Equal makespans keep the order of the runs (timed_ascending()). */
        qsort(runs, (size_t)*count, sizeof *runs, timed_ascending);
        /* The upper one of two medians. It was complete before, so it is again. */
        fill_run(t, &wanted, &places[runs[*count / 2].number * t->ranks], timing);
    } else {
        error = error_set(ok ? HN_EARG : HN_ENOMEM,
                          "-trace: no complete run of plan %s with messages of these sizes: give "
                          "-plan, -bytes and -root as they were (most followed %s)",
                          name, trace_plan_name(t));
    }
    free(runs);
    free(places);
    return error;
}

#else

int trace_open(const char *path, enum operation op, int ranks, struct trace **trace)
{
    (void)op;
    (void)ranks;
    *trace = NULL;
    return error_set(HN_EARG,
                     "-trace %s: this hplan was built without json-c: build it with libjson-c-dev",
                     path);
}

/* No trace can exist in this build. The functions below only satisfy the linker: hplan.c calls them
 * with NULL. */
void trace_close(struct trace *trace)
{
    (void)trace;
}

const char *trace_plan_name(const struct trace *trace)
{
    (void)trace;
    return "";
}

int trace_timing(const struct trace *trace, const struct plan *plan, const char *name,
                 struct timing *timing, int *runs)
{
    (void)trace;
    (void)plan;
    (void)name;
    (void)timing;
    *runs = 0;
    return HN_EARG;
}

#endif
