/* job_stdio.c - the standard streams of a job; see job_stdio.h.
 *
 * Output: agents send whole lines, and spout.c writes them.  Each byte written gives the agent
 * credit for another one.  Input is read only when every task that gets it has room, and only in
 * the foreground, so that `hrun ... &` on a terminal is not stopped.  If the one task that gets it
 * runs on this machine, and it is no terminal, the task simply inherits it.  So nothing is read
 * that the task does not read.
 */
#include "hrun/hosts/job_host.h"
#include "hrun/streams/job_stdio.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of a read: an eighth of INLET_ROOM, so that several are in flight. */
enum { JOB_INPUT_CHUNK = 32 * 1024 };
enum { JOB_QUOTED = 200 }; /* bytes of a quoted line */

/* ---- output ----------------------------------------------------------------------------- */

/* n bytes of that stream were written or discarded.  A task that is over has no agent to use it. */
void job_give_credit(struct job_task *task, uint8_t stream, size_t n)
{
    if (task->state == JOB_TASK_OVER)
        return;
    channel_put(&task->host->channel, CONTROL_CREDIT, task->tid, (unsigned)stream, (unsigned)n);
}

static void job_on_credit(struct output_source *source, size_t n)
{
    struct job_source *from = (void *)source;
    job_give_credit(from->task, from->stream, n);
}

/* The name of the file for a task's output, which the caller frees.  NULL: out of memory. */
static char *job_file_name(const struct job_task *task)
{
    const char *directory = task->host->job->options->output;
    char *path = NULL;
    if (asprintf(&path, task->spawned.parent ? "%s/task.%u" : "%s/rank.%u", directory,
                 task->spawned.parent ? task->tid : task->rank) < 0)
        return NULL;
    return path;
}

/* The job ends, or has failed if it is ending already. */
static void job_file_fails(const struct job_task *task)
{
    int error = errno;
    char *path = job_file_name(task);
    job_spoil(task->host->job, 1, "-output: %s cannot be written: %s", path ? path : "?",
              strerror(error));
    free(path);
}

/* Data that cannot be written are discarded, and credited.  Otherwise a task that waits to write,
 * or an agent that waits for credit, would prevent the end of the job. */
static void job_to_file(struct job_task *task, uint8_t stream, const uint8_t *data, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t written = write(task->file, data + done, n - done);
        if (written < 0 && errno != EINTR) {
            job_file_fails(task);
            break;
        }
        done += written > 0 ? (size_t)written : 0;
    }
    job_give_credit(task, stream, n);
}

/* Stores the last line that is not blank, to quote it if the task fails. */
static void job_keep_line(struct job_task *task, const uint8_t *data, size_t n)
{
    while (n > 0 && isspace(data[n - 1]))
        n--;
    size_t begin = n;
    while (begin > 0 && data[begin - 1] != '\n' && data[begin - 1] != '\r')
        begin--;
    size_t length = n - begin < JOB_QUOTED ? n - begin : JOB_QUOTED;
    if (length > 0 && !task->last_line)
        task->last_line = malloc(JOB_QUOTED + 1);
    if (length == 0 || !task->last_line)
        return;
    memcpy(task->last_line, data + begin, length);
    task->last_line[length] = 0;
}

/* In this order: a task that captures it, a file of -output, hrun's own stream.  The last line of
 * standard error is kept in any case. */
void job_output(struct job_task *task, uint8_t stream, const uint8_t *data, size_t n)
{
    struct job *job = task->host->job;
    if (stream == 2)
        job_keep_line(task, data, n);
    if (job_capture_output(task, stream, data, n))
        return;
    if (task->file >= 0)
        job_to_file(task, stream, data, n);
    else if (stream == 2)
        spout_add(&job->stdio.err, &task->err.source, data, n);
    else
        spout_add(&job->stdio.out, &task->out.source, data, n);
}

/* Its last unfinished line is written in any case. */
void job_output_end(struct job_task *task)
{
    struct job *job = task->host->job;
    spout_source_ended(&job->stdio.out, &task->out.source);
    spout_source_ended(&job->stdio.err, &task->err.source);
    if (task->file >= 0 && close(task->file) != 0) /* a server's disk may be full */
        job_file_fails(task);
    task->file = -1;
    if (task->input)
        job_input_check(job);
}

static void job_on_broken(struct spout *spout)
{
    if (spout->error == EPIPE) /* as if by SIGPIPE: `hrun ... | head` is intended */
        job_spoil(spout->user, 128 + SIGPIPE, "%s", "");
    else
        job_spoil(spout->user, 1, "standard output cannot be written: %s", strerror(spout->error));
}

/* The end of a job waits for its output (job.c). */
static void job_on_empty(struct spout *spout)
{
    struct job *job = spout->user;
    if (job->end.ending)
        job_step(job);
}

/* hrun's own messages need none. */
static void job_no_credit(struct output_source *source, size_t n)
{
    (void)source, (void)n;
}

/* ---- input ------------------------------------------------------------------------------ */

/* Bytes that may be read now: the smallest room of the tasks that get them. The slowest task
 * determines the speed, because each gets every byte and hrun stores none. */
static size_t job_input_room(const struct job *job)
{
    size_t room = JOB_INPUT_CHUNK;
    bool any = false;
    for (int i = 0; i < job->tasks.ntask; i++) {
        const struct job_task *task = job->tasks.task[i];
        if (!task->input || task->state == JOB_TASK_OVER)
            continue;
        any = true;
        if (task->room < room)
            room = task->room;
    }
    return any ? room : 0;
}

/* In the background, a read from the terminal would stop hrun by SIGTTIN, and with it the job. This
 * holds only for the controlling terminal; any other (of `su -c`, `setsid`) has no group. */
static bool job_in_foreground(void)
{
    pid_t group = isatty(0) ? tcgetpgrp(0) : -1;
    return group < 0 || group == getpgrp();
}

/* There is no event for becoming the foreground process group, so hrun looks again every second. */
void job_input_check(struct job *job)
{
    bool may = !job->stdio.input_ended && !job->stdio.input_direct && job_input_room(job) > 0;
    bool front = may && job_in_foreground();
    if (front)
        ev_io_start(job->loop, &job->stdio.input);
    else
        ev_io_stop(job->loop, &job->stdio.input);
    if (may && !front)
        ev_timer_again(job->loop, &job->stdio.input_later);
    else
        ev_timer_stop(job->loop, &job->stdio.input_later);
}

static void job_on_input_later(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop, (void)events;
    job_input_check(timer->data);
}

/* Reads at most what every receiver can take, so nothing is stored here. */
static void job_on_input(struct ev_loop *loop, ev_io *watcher, int events)
{
    struct job *job = watcher->data;
    uint8_t data[JOB_INPUT_CHUNK];
    (void)loop, (void)events;
    /* The user may have moved hrun into the background since the last event. */
    if (!job_in_foreground()) {
        job_input_check(job);
        return;
    }
    ssize_t n = read(0, data, job_input_room(job));
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n < 0)
        n = 0; /* a closed terminal counts as end of file */
    job->stdio.input_ended = n == 0;
    for (int i = 0; i < job->tasks.ntask; i++) {
        struct job_task *task = job->tasks.task[i];
        if (!task->input || task->state == JOB_TASK_OVER)
            continue;
        task->room -= (size_t)n;
        channel_put(&task->host->channel, CONTROL_INPUT, task->tid, data, (size_t)n);
    }
    job_input_check(job);
}

void job_room(struct job_task *task, uint32_t n)
{
    task->room += n;
    if (n == 0)
        task->input = false; /* the task has closed its standard input */
    job_input_check(task->host->job);
}

/* ---- start and end ---------------------------------------------------------------------- */

/* An existing directory is used; only its last component is made. */
static bool job_make_directory(struct job *job)
{
    const char *directory = job->options->output;
    if (!directory || !mkdir(directory, 0777) || errno == EEXIST)
        return true;
    job_say(job, "-output %s: cannot be made: %s", directory, strerror(errno));
    return false;
}

/* The tasks' standard error is a pipe.  HNOW_TERMINAL tells programs with progress displays that it
 * leads to a terminal with so many columns.  Not set if it goes to files or gets tags. */
static void job_export_terminal(const struct job *job)
{
    char columns[16];
    struct winsize size;
    bool shown = isatty(2) && !job->options->output && !job->options->tag;
    unsetenv("HNOW_TERMINAL"); /* set by an outer hrun */
    if (!shown)
        return;
    bool known = !ioctl(2, TIOCGWINSZ, &size) && size.ws_col > 0;
    snprintf(columns, sizeof columns, "%d", known ? size.ws_col : 80);
    setenv("HNOW_TERMINAL", columns, 1);
}

/* False after a message: the directory for output cannot be made. */
bool job_stdio_begin(struct job *job)
{
    struct stat status;
    job_export_terminal(job);
    job->stdio.out.on_broken = job->stdio.err.on_broken = job_on_broken;
    job->stdio.out.on_empty = job->stdio.err.on_empty = job_on_empty;
    job->stdio.out.user = job->stdio.err.user = job;
    spout_open(&job->stdio.out, job->loop, 1);
    spout_open(&job->stdio.err, job->loop, 2);
    output_source_init(&job->stdio.own, strdup("hrun: "), job_no_credit);
    ev_io_init(&job->stdio.input, job_on_input, 0, EV_READ);
    ev_timer_init(&job->stdio.input_later, job_on_input_later, 0., 1.);
    job->stdio.input.data = job->stdio.input_later.data = job;
    job->stdio.input_ended = fstat(0, &status) != 0; /* standard input may be closed */
    job->launch.input = -1;
    /* A task on this host, the only one that reads it, gets the descriptor itself: no copies. */
    if (job->options->input >= 0 && !job->stdio.input_ended && !isatty(0))
        job->launch.input = fcntl(0, F_DUPFD_CLOEXEC, 3);
    return job_make_directory(job);
}

/* An existing file is overwritten, as by a shell's >. */
static bool job_open_file(struct job_task *task)
{
    if (!task->host->job->options->output)
        return true;
    char *path = job_file_name(task);
    task->file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (task->file < 0)
        job_file_fails(task);
    free(path);
    return task->file >= 0;
}

/* NULL: no tags are wanted, or there is no memory for this one. */
static char *job_tag(const struct job_task *task)
{
    char *tag = NULL;
    if (task->host->job->options->tag &&
        asprintf(&tag, task->spawned.parent ? "[t%u@%s] " : "[%u@%s] ",
                 task->spawned.parent ? task->tid : task->rank, task->host->name) < 0)
        tag = NULL;
    return tag;
}

/* False: its file cannot be opened, and the job ends.  Called before the task is started, since
 * output may arrive at once. */
bool job_stdio_open_task(struct job_task *task)
{
    struct job *job = task->host->job;
    long wanted = job->options->input;
    task->input = !task->spawned.parent && (wanted == HRUN_INPUT_ALL || wanted == (long)task->rank);
    if (task->input && wanted >= 0 && job->launch.input >= 0 && task->host->about.direct)
        job->stdio.input_direct = true;
    task->out.task = task->err.task = task;
    task->out.stream = 1;
    task->err.stream = 2;
    output_source_init(&task->out.source, job_tag(task), job_on_credit);
    output_source_init(&task->err.source, job_tag(task), job_on_credit);
    return job_open_file(task);
}

/* False: something of its output is still to be written, so the task must not be freed yet. */
bool job_stdio_close_task(struct job_task *task)
{
    struct job *job = task->host->job;
    if (!task->out.task)
        return true;
    if (!output_forget(&job->stdio.out.output, &task->out.source) ||
        !output_forget(&job->stdio.err.output, &task->err.source))
        return false;
    output_source_free(&task->out.source);
    output_source_free(&task->err.source);
    task->out.task = task->err.task = NULL;
    return true;
}

/* Sources are freed before the spouts, which may still write what is ready. */
void job_stdio_end(struct job *job)
{
    for (int i = 0; i < job->tasks.ntask; i++)
        if (job->tasks.task[i]->out.task) {
            output_source_free(&job->tasks.task[i]->out.source);
            output_source_free(&job->tasks.task[i]->err.source);
        }
    spout_close(&job->stdio.out);
    spout_close(&job->stdio.err);
    output_source_free(&job->stdio.own);
    ev_io_stop(job->loop, &job->stdio.input);
    ev_timer_stop(job->loop, &job->stdio.input_later);
    if (job->launch.input >= 0)
        close(job->launch.input);
}
