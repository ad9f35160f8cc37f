/* job_trace.c - hrun -trace: the clocks of all hosts, and the records of their tasks; see
 * job_trace.h.
 *
 * Each host that comes up is asked for its clock, at once again until there are CLOCK_FIRST
 * answers, then every second while the job runs (clock.h).  Records arrive when a task has ended
 * (hnowd_trace.c) and are written at once (trace_file.h).  They are converted by one function of
 * their host's clock (timeline.h).
 *
 * If an agent is lost, so are the records of its tasks.  The file contains how many such tasks
 * there are, and how many records were dropped because the memory was full.
 *
 * The timelines belong to hosts' numbers, which are never reused.
 */
#include "hrun/hosts/job_host.h"
#include "hrun/diagnosis/job_trace.h"

#include "base/array.h"
#include "base/json.h"
#include "hrun/diagnosis/trace_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Exists only with -trace. All memory but the timelines' points is constant. */
struct job_trace {
    struct trace_file file;
    ev_timer tick;
    struct timeline *timeline; /* by host number */
    bool *named;
    int hosts; /* entries of both arrays */
    uint64_t dropped;
    bool failed; /* the message that the file cannot be written was printed */
};

/* ---- clocks ----------------------------------------------------------------------------- */

/* CLOCK_ASK returns with hrun's time of sending and the host's time. Half of the round trip bounds
 * the error of the offset (clock.h). The host's answer has both, so hrun keeps no state of the
 * question. */
static void job_trace_ask(struct job_host *host)
{
    channel_put(&host->channel, CONTROL_CLOCK_ASK, (uint64_t)clock_now());
}

/* Each second, for the drift of the clocks. */
static void job_trace_on_tick(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct job *job = timer->data;
    (void)loop, (void)events;
    for (int i = 0; i < job->nhost; i++)
        if (job_host_is_up(&job->host[i]))
            job_trace_ask(&job->host[i]);
}

/* Called when a host comes up. */
void job_trace_host(struct job_host *host)
{
    if (host->job->trace)
        job_trace_ask(host);
}

/* Hosts may be added while the job runs. New entries are empty: a host without samples keeps its
 * own times. */
static bool job_trace_grow(struct job_trace *trace, int hosts)
{
    if (hosts <= trace->hosts)
        return true;
    if (!ARRAY_ROOM(trace->timeline, hosts) || !ARRAY_ROOM(trace->named, hosts))
        return false;
    for (int i = trace->hosts; i < hosts; i++) {
        trace->timeline[i] = (struct timeline){0};
        trace->named[i] = false;
    }
    trace->hosts = hosts;
    return true;
}

/* The first samples are taken one after the other, to have an estimate before a short task ends. */
void job_trace_clock(struct job_host *host, struct unpack *in)
{
    struct job_trace *trace = host->job->trace;
    int64_t sent = (int64_t)unpack_u64(in), other = (int64_t)unpack_u64(in);
    struct clock_sample sample = clock_reading(sent, other, clock_now());
    if (!trace || !job_trace_grow(trace, host->job->nhost))
        return;
    struct clock *clock = &trace->timeline[host->number].clock;
    clock_take(clock, &sample);
    if (clock->samples < CLOCK_FIRST)
        job_trace_ask(host);
}

/* ---- records ---------------------------------------------------------------------------- */

/* The program without its directory. It belongs to the task. */
static const char *job_trace_program(const struct job_task *task)
{
    const char *name = job_program_name(task);
    return strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
}

/* Names precede the first event of a host or thread.  Threads are numbered from 0, so all up to
 * this one are named. Threads that never call hnow have no row. */
static void job_trace_names(struct job_trace *trace, struct job_task *task,
                            const struct trace_row *row, unsigned thread)
{
    uint32_t host = task->host->number;
    if (!trace->named[host])
        trace_file_name_host(&trace->file, row->host, task->host->name);
    trace->named[host] = true;
    for (; task->threads <= thread; task->threads++)
        trace_file_name_task(&trace->file, row, task->threads, task->rank, job_trace_program(task));
}

/* Writes otherData. Offsets and their errors are those of the last estimate. */
static void job_trace_rest(FILE *file, void *arg)
{
    struct job *job = arg;
    const struct job_trace *trace = job->trace;
    int missing = 0;
    for (int i = 0; i < job->tasks.ntask; i++)
        /* A task that has run and has sent no records: its agent was lost, or it was killed. */
        missing += job->tasks.task[i]->state != JOB_TASK_STARTING && !job->tasks.task[i]->traced;
    fprintf(file,
            "\"hnow\":\"%s\",\"clock\":\"hrun's, us since it began\",\"dropped\":%" PRIu64
            ",\"tasks_missing\":%d,\"hosts\":[",
            HNOW_VERSION, trace->dropped, missing);
    for (int i = 0; i < trace->hosts; i++) {
        const struct timeline *line = &trace->timeline[i];
        const struct clock *clock = &line->clock;
        fputs(i ? ",\n{\"name\":" : "\n{\"name\":", file);
        json_text(file, job->host[i].name);
        fprintf(file, ",\"pid\":%d,\"clock_samples\":%u", i + 1, clock->samples);
        if (clock->samples > 0)
            fprintf(file, ",\"clock_offset_us\":%.3f,\"clock_error_us\":%.3f",
                    (double)clock->late.offset / 1000,
                    (double)timeline_error(line, clock_now()) / 1000);
        putc('}', file);
    }
    putc(']', file);
}

/* Ends the file for now, or for good.  An error is reported once. An error makes hrun's exit status
 * 1, as the file was asked for. */
static void job_trace_write_end(struct job *job, bool last)
{
    if (trace_file_end(&job->trace->file, last, job_trace_rest, job) == HN_OK || job->trace->failed)
        return;
    job->trace->failed = true;
    job_say(job, "-trace %s", hn_error_text());
    if (job->end.exit_status == 0)
        job->end.exit_status = 1;
}

/* The latest time in a batch; 0: it has no records. A time beyond CLOCK_MOST is no time of a clock;
 * a task could otherwise spoil the timeline of all. Damaged records are skipped. */
static int64_t job_trace_latest(const uint8_t *records, size_t n)
{
    struct trace_record record;
    uint64_t latest = 0;
    for (size_t i = 0; i + TRACE_RECORD <= n; i += TRACE_RECORD)
        if (trace_decode(records + i, &record) && record.end > latest)
            latest = record.end;
    return (int64_t)latest;
}

/* The timeline is fixed up to the latest record before any of them is converted, so all use the
 * same function. The batch is written and the file completed before the next frame is handled. */
void job_trace_records(struct job_task *task, struct unpack *in)
{
    struct job *job = task->host->job;
    struct job_trace *trace = job->trace;
    uint64_t dropped = unpack_u64(in);
    size_t n;
    const uint8_t *records = unpack_blob(in, &n);
    struct trace_record record;
    if (!trace || !job_trace_grow(trace, job->nhost))
        return;
    /* Numbers of hosts begin at 1 in the file. */
    const struct trace_row row = {task->host->number + 1, task->tid,
                                  &trace->timeline[task->host->number]};
    timeline_use(&trace->timeline[task->host->number], job_trace_latest(records, n), clock_now());
    /* each frame of a task contains its total */
    trace->dropped += task->traced ? 0 : dropped;
    task->traced = true;
    for (size_t i = 0; i + TRACE_RECORD <= n; i += TRACE_RECORD)
        if (trace_decode(records + i, &record)) {
            job_trace_names(trace, task, &row, record.thread);
            trace_file_record(&trace->file, &row, &record);
        }
    job_trace_write_end(job, false);
}

/* ---- start and end ---------------------------------------------------------------------- */

/* False after a message: the file cannot be written. HNOW_TRACE in the environment makes tasks
 * record; without -trace it is removed. */
bool job_trace_begin(struct job *job)
{
    if (!job->options->trace) {
        unsetenv("HNOW_TRACE"); /* set by an outer hrun */
        return true;
    }
    struct job_trace *trace = calloc(1, sizeof *trace);
    if (!trace || trace_file_open(&trace->file, job->options->trace, (uint64_t)clock_now())) {
        job_say(job, "-trace %s", trace ? hn_error_text() : hn_strerror(HN_ENOMEM));
        free(trace);
        return false;
    }
    job->trace = trace;
    ev_timer_init(&trace->tick, job_trace_on_tick, 1., 1.);
    trace->tick.data = job;
    ev_timer_start(job->loop, &trace->tick);
    return true;
}

/* Without -trace it does nothing. */
void job_trace_end(struct job *job)
{
    struct job_trace *trace = job->trace;
    if (!trace)
        return;
    job_trace_write_end(job, true);
    if (trace->dropped > 0)
        job_say(job, "-trace: %" PRIu64 " events found no room: HNOW_TRACE_EVENTS=N makes more",
                trace->dropped);
    ev_timer_stop(job->loop, &trace->tick);
    trace_file_close(&trace->file);
    for (int i = 0; i < trace->hosts; i++)
        timeline_free(&trace->timeline[i]);
    free(trace->timeline);
    free(trace->named);
    free(trace);
    job->trace = NULL;
}
