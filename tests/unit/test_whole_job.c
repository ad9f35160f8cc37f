/* test_whole_job.c - whole jobs, from the first ssh to the last line, on machines in memory
 * (sim.h): hrun's and hnowd's own files run, while tasks, agents, connections and hosts fail as the
 * seed wants it.  Whatever happens,
 *
 *     the job ends, soon after the last fault;
 *     no process is left;
 *     no task is counted twice, and none is forgotten;
 *     a job without a fault has status 0, says nothing, and all of its output is there;
 *     any other says once why it ended, and that is true: what it names has failed;
 *     lines of tasks are neither lost, nor doubled, nor mixed up;
 *     questions of tasks are answered once, and notices come once (sim_task.c).
 *
 * A history that fails prints its seed; HNOW_SEED replays from it, HNOW_HISTORIES says how many,
 * HNOW_TALK prints what happens.
 *
 * Long: ten thousand histories.
 */
#include "sim_job.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    HISTORIES = 10000,
    MOST_TASKS = 24,
    MANY_HOSTS = 24, /* more than hrun starts at a time: agents start others */
};

/* What may happen in a history. */
struct plot {
    bool calm; /* nothing fails */
    bool interrupted, aborts, out_breaks, notify, times_out, files, disk_fills, pauses;
    int faults;
    int hosts, standby, np;
    double last; /* when the last fault happened, or was mended */
    bool placed; /* tasks were */
};
static struct plot plot;

/* ---- faults -----------------------------------------------------------------------------------
 */

static void spoil(struct sim_host *host)
{
    if (!host->faulty)
        host->fault = sim_now();
    host->faulty = true;
    plot.last = sim_now();
}

static void on_mended(void *arg, int value)
{
    struct sim_host *host = arg;
    (void)value;
    host->cut = host->stopped = false;
    plot.last = sim_now();
    sim_talk("host %s: is mended", host->name);
}

static void kill_task(void)
{
    struct sim_task *task = sim_tasks;
    for (unsigned at = sim_task_count > 0 ? sim_below((unsigned)sim_task_count) : 0; at > 0; at--)
        task = task->next;
    if (!task || !task->process->alive)
        return;
    sim_talk("fault: task %u is killed", task->tid);
    sim_task_ended(task->process, SIM_KILLED);
    sim_exit(task->process, SIGKILL);
    plot.last = sim_now();
}

static void kill_agent(struct sim_host *host)
{
    struct sim_process *agent = sim_agent_of(host);
    if (!agent)
        return;
    sim_talk("fault: the agent of %s is killed", host->name);
    spoil(host);
    sim_exit(agent, SIGKILL);
}

static void break_connection(struct sim_host *host)
{
    for (struct sim_process *p = sim_processes; p; p = p->next)
        if (p->kind == SIM_SSH && p->host == host && p->alive) {
            sim_talk("fault: the ssh to %s is killed", host->name);
            spoil(host);
            sim_exit(p, SIGKILL);
            return;
        }
}

/* No byte arrives; its processes stand still; for a while, or for ever. */
static void part(struct sim_host *host, bool stops)
{
    if (host->direct)
        return;
    sim_talk("fault: %s %s", host->name, stops ? "stands still" : "is cut off");
    spoil(host);
    if (stops)
        host->stopped = true;
    else
        host->cut = true;
    if (sim_below(2))
        sim_after(sim_between(0, 20), on_mended, host, 0);
}

static void on_fault(void *arg, int kind)
{
    struct sim_host *host = &sim_hosts[sim_below((unsigned)sim_nhosts)];
    (void)arg;
    if (!sim_hrun->alive)
        return;
    switch (kind) {
    case 0:
    case 1:
        kill_task();
        break;
    case 2:
        kill_agent(host);
        break;
    case 3:
        break_connection(host);
        break;
    default:
        part(host, kind == 5);
    }
}

static void on_signal(void *arg, int number)
{
    (void)arg;
    sim_talk("hrun gets signal %d", number);
    plot.last = sim_now();
    if (sim_hrun->alive)
        sim_loop_raise(sim_hrun->loop, number);
}

/* ---- a history --------------------------------------------------------------------------------
 */

static void make_hosts(struct pack *text)
{
    static const double delays[] = {0, 0.0001, 0.01, 0.2};
    for (int i = 0; i < sim_nhosts; i++) {
        struct sim_host *host = &sim_hosts[i];
        const char *standby = i >= plot.hosts - plot.standby ? "& " : "";
        char line[64];
        *host = (struct sim_host){.number = i, .delay = delays[sim_below(4)]};
        snprintf(host->name, sizeof host->name, "host%d", i);
        host->direct = i == 0 && sim_below(2);
        host->delay = host->direct ? 0 : host->delay;
        host->starts = sim_below(4) ? sim_between(0, 0.2) : sim_between(0, 3);
        host->slow = sim_below(5) ? 0 : sim_between(0, 0.01);
        if (sim_below(12) == 0) {
            host->start = SIM_IS_BUSY;
            host->busy = 1 + (int)sim_below(4);
            host->starts = sim_between(0, 0.3);
        } else if (!plot.calm && sim_below(20) == 0 && !host->direct) {
            host->start = SIM_REFUSES + sim_below(5);
            host->busy = 100;
            if (host->start == SIM_IS_SILENT && sim_below(2))
                host->start = SIM_STARTS, host->starts = sim_between(10, 30);
            host->faulty = true;
        }
        snprintf(line, sizeof line, "%shost%d slots=4\n", standby, i);
        pack_raw(text, line, strlen(line));
    }
}

static void draw_plot(void)
{
    plot = (struct plot){.calm = sim_below(4) == 0};
    plot.hosts = sim_below(50) ? 1 + (int)sim_below(5) : MANY_HOSTS;
    plot.standby = plot.hosts > 2 ? (int)sim_below(3) : 0;
    plot.np = 1 + (int)sim_below(plot.hosts < 6 ? 6 : MANY_HOSTS);
    sim_nhosts = plot.hosts;
    sim_temper = (struct sim_temper){.spawn = sim_below(3) > 0, .most = MOST_TASKS};
    sim_stdio = (struct sim_stdio){.breaks = SIZE_MAX, .disk = SIZE_MAX};
    plot.files = sim_below(8) == 0;
    plot.pauses = sim_below(8) == 0;
    if (sim_below(8) == 0)
        sim_stdio.in = 1 + sim_below(sim_below(2) ? 100 : 600000);
    if (sim_below(5) == 0)
        sim_stdio.blocked = sim_between(0, 10);
    plot.last = sim_stdio.blocked;
    if (plot.calm)
        return;
    sim_temper.fail = sim_below(3) == 0;
    sim_temper.abort = plot.aborts = sim_below(20) == 0;
    sim_temper.hosts = sim_below(4) == 0;
    plot.notify = sim_below(3) == 0;
    plot.faults = (int)sim_below(4);
    plot.interrupted = sim_below(12) == 0;
    plot.times_out = sim_temper.hang = sim_below(12) == 0;
    plot.out_breaks = sim_below(20) == 0;
    if (plot.out_breaks)
        sim_stdio.breaks = sim_below(2000);
    plot.disk_fills = plot.files && sim_below(3) == 0;
    if (plot.disk_fills)
        sim_stdio.disk = sim_below(2000);
}

static void draw_faults(void)
{
    for (int i = 0; i < plot.faults; i++)
        sim_after(sim_between(0, sim_below(2) ? 1 : 10), on_fault, NULL, (int)sim_below(6));
    if (sim_below(8) == 0)
        sim_after(sim_between(0, 8), on_signal, NULL, SIGQUIT);
    if (plot.pauses)
        sim_after(sim_between(0, 8), on_signal, NULL, SIGTSTP);
    for (int i = 0; plot.interrupted && i < 1 + (int)sim_below(2); i++)
        sim_after(sim_between(0, 8), on_signal, NULL, sim_below(2) ? SIGINT : SIGTERM);
}

static void forget(void)
{
    sim_processes = NULL;
    sim_tasks = NULL;
    sim_task_count = 0;
    sim_lines = NULL;
    sim_nlines = 0;
    sim_hrun_on = 0;
    sim_forget_files();
}

/* ---- what has to be true ----------------------------------------------------------------------
 */

/* Who was told that hrun is stopped does not count its silence: the connection of such a host that
 * is cut off ends by TCP's keepalive, after two hours. */
static void end_paused(void)
{
    for (struct sim_process *p = sim_processes; p; p = p->next)
        if (p->kind == SIM_AGENT && p->alive && sim_agent(p)->pulse.paused && p->host->cut)
            sim_break(p->other->wire[1], true, true);
}

/* Processes that are still there end by themselves, when hosts that stand still go on. */
static void check_nothing_left(void)
{
    double end = sim_now() + 80;
    for (int i = 0; i < sim_nhosts; i++)
        sim_hosts[i].stopped = false;
    end_paused();
    while (sim_now() < end && sim_step())
        ;
    for (struct sim_process *p = sim_processes; p; p = p->next)
        if (p->alive && p != sim_hrun)
            sim_fail("process %d (kind %d) of host %s is left", p->pid, (int)p->kind,
                     p->host->name);
}

/* A line, or what has been written of one.  The last one of a task may have no end; of one that was
 * killed while it wrote, or where hrun could write no more, there may be any part. */
static void check_item(const char *text, size_t n, bool whole)
{
    char item[128];
    unsigned tid = 0;
    int number = 0, end = 0;
    snprintf(item, sizeof item, "%.*s", (int)n, text);
    sscanf(item, "t%u %d%n", &tid, &number, &end);
    struct sim_task *task = sim_task_of(tid);
    if (!whole && (!task || task->end != SIM_LEFT || plot.out_breaks || plot.disk_fills))
        return;
    if (!task || end == 0 || strspn(item + end, " .") != strlen(item + end))
        sim_fail("no task has written this: '%s'", item);
    if (number != ++task->seen)
        sim_fail("line %d of task %u is there instead of line %d", number, tid, task->seen);
}

/* Lines of tasks come whole and in their order; each begins with a t, and has no other. */
static void check_text(const struct pack *text)
{
    if (text->length == 0) /* it may have no memory */
        return;
    const char *data = (char *)text->data, *end = data + text->length;
    while (data < end && (data = memchr(data, 't', (size_t)(end - data)))) {
        const char *next = data + 1;
        while (next < end && *next != 't' && *next != '\n')
            next++;
        check_item(data, (size_t)(next - data), next < end && *next == '\n');
        data = next;
    }
}

static void check_file(const struct sim_task *task)
{
    char path[64];
    bool first = task->parent == 0;
    snprintf(path, sizeof path, first ? "out/rank.%u" : "out/task.%u",
             first ? task->rank : task->tid);
    if (sim_file(path))
        check_text(sim_file(path));
}

static void check_output(void)
{
    check_text(&sim_stdio.out);
    for (struct sim_task *task = sim_tasks; task; task = task->next)
        if (plot.files)
            check_file(task);
    for (struct sim_task *task = sim_tasks; task; task = task->next)
        if (task->end == SIM_LEFT && !task->process->host->faulty &&
            !task->process->host->removed && !plot.out_breaks && !plot.disk_fills &&
            task->seen != task->lines)
            sim_fail("of %d lines of task %u %d are there", task->lines, task->tid, task->seen);
}

static bool is_note(const char *line)
{
    return strstr(line, "more tasks than slots") || strstr(line, "hosts get no task") ||
           strstr(line, "what tasks do now") || line[0] == ' ';
}

/* The host that the text begins with. */
static struct sim_host *named_host(const char *text)
{
    for (int i = 0; i < sim_nhosts; i++) {
        size_t n = strlen(sim_hosts[i].name);
        if (strncmp(text, sim_hosts[i].name, n) == 0 && (text[n] == ':' || text[n] == ','))
            return &sim_hosts[i];
    }
    return NULL;
}

/* All tasks have been counted, once. */
static void check_counts(void *user)
{
    const struct job *job = user;
    plot.placed = job->tasks.placed;
    /* after a second signal hrun does not wait for a reader that reads nothing */
    plot.out_breaks = plot.out_breaks || job->end.signals > 1;
    if (job->tasks.over > job->tasks.ntask)
        sim_fail("%d of %d tasks are over", job->tasks.over, job->tasks.ntask);
    for (int i = 0; i < job->tasks.ntask && job->end.exit_status == 0; i++)
        if (job->tasks.task[i]->state != JOB_TASK_OVER && !job->end.signals)
            sim_fail("task %u has been forgotten", job->tasks.task[i]->tid);
    for (int i = 0; i < job->nhost; i++) {
        uint32_t live = 0;
        for (int k = 0; k < job->tasks.ntask; k++)
            live += job->tasks.task[k]->host == &job->host[i] &&
                    job->tasks.task[k]->state != JOB_TASK_OVER;
        if (live != job->host[i].tasks.live)
            sim_fail("host %s: %u tasks are counted, %u are there", job->host[i].name,
                     job->host[i].tasks.live, live);
    }
}

/* Whether what the line says is true; returns when that has happened. */
static double check_cause(const struct sim_line *line)
{
    unsigned tid = 0;
    const char *text = line->text, *at = strstr(text, "tid ");
    if (strncmp(text, "host", 4) == 0) {
        const struct sim_host *host = named_host(text + (text[4] == 's' ? 6 : 5));
        if (!host)
            sim_fail("no host is named: %s", text);
        if (!host->faulty && !strstr(text, "simulated") && !strstr(text, "is gone"))
            sim_fail("nothing was wrong with host %s: %s", host->name, text);
        return host->fault;
    }
    if ((strncmp(text, "rank ", 5) == 0 && at && sscanf(at, "tid %u", &tid) == 1) ||
        sscanf(text, "task %u", &tid) == 1) {
        const struct sim_task *task = sim_task_of(tid);
        bool own = task && (task->end == SIM_FAILED || task->end == SIM_KILLED || task->fails);
        if (!own)
            sim_fail("task %u has not failed: %s", tid, text);
        return task->ended;
    }
    if (strncmp(text, "-output: ", 9) == 0 && plot.disk_fills)
        return line->at;
    if (strstr(text, "the time is up") || strstr(text, "Interrupt") || strstr(text, "Terminated"))
        return line->at;
    sim_fail("what is this? %s", text);
}

static bool ends_job(const char *line)
{
    return strstr(line, "the job was ended") || strstr(line, "ended the job") ||
           strstr(line, "-output: ") || strstr(line, "simulated");
}

/* hrun's status when this line says why. */
static int status_of(const char *line)
{
    const char *how = strstr(line, " ended by ");
    int number;
    if (strstr(line, "ended the job"))
        return 7;
    if (strncmp(line, "host", 4) != 0 && how && sscanf(how, " ended by signal %d", &number) == 1)
        return 128 + number;
    if (strncmp(line, "host", 4) != 0 && how && sscanf(how, " ended by status %d", &number) == 1)
        return number ? number : 1;
    if (strstr(line, "the time is up"))
        return 124;
    return strncmp(line, "Interrupt", 9) == 0     ? 128 + SIGINT
           : strncmp(line, "Terminated", 10) == 0 ? 128 + SIGTERM
                                                  : 1;
}

/* Nothing has failed long before what is named as the reason.  hrun learns at once of the end of a
 * task, but its output comes first. */
#define LEARNS 6.0 /* seconds: the slowest wire needs them for the longest burst of lines */
static void check_first(const char *named, double at)
{
    if (!sim_temper.prompt)
        return;
    for (const struct sim_task *task = sim_tasks; task; task = task->next)
        if ((task->end == SIM_FAILED || task->end == SIM_KILLED) && !task->told &&
            !task->process->host->faulty && !task->process->host->removed &&
            task->ended + LEARNS < at)
            sim_fail("task %u had failed before, at %.3f s: %s", task->tid, task->ended, named);
}

static void check_lines(int status)
{
    int ends = 0, causes = 0;
    double first = 0;
    const char *decides = NULL;
    for (size_t i = 0; i < sim_nlines; i++) {
        const char *text = sim_lines[i].text;
        if (is_note(text))
            continue;
        double at = check_cause(&sim_lines[i]);
        if (!decides || (ends_job(text) && !ends))
            decides = text;
        if (causes++ == 0)
            first = at;
        ends += ends_job(text);
    }
    if (causes > 0)
        check_first(decides, first);
    if (ends > 1)
        sim_fail("%d lines say why the job was ended", ends);
    if (plot.calm && (status != 0 || causes > 0))
        sim_fail("nothing has failed, but the status is %d", status);
    if (status != 0 && causes == 0 && !plot.interrupted && !plot.out_breaks)
        sim_fail("status %d, and nobody says why", status);
    if (decides && status != status_of(decides) && !plot.interrupted && !plot.out_breaks)
        sim_fail("the status is %d, but: %s", status, decides);
}

/* Nothing that has failed may be passed over. */
static void check_failures(int status)
{
    for (struct sim_task *task = sim_tasks; task && status == 0; task = task->next)
        if (task->end == SIM_FAILED && !task->told && !task->process->host->removed)
            sim_fail("task %u has failed, and the status is 0", task->tid);
}

/* The job ends so many seconds after the last fault: a host that cannot be reached or is not heard
 * of is given up by then, and what it leaves is cleaned up. */
#define SOON (JOB_DEADLINE + 2 * PULSE_TICK * PULSE_TICKS + 20)

#define BURST 60.0 /* seconds: the longest burst of lines through the slowest wire */

static void check_end(double ended)
{
    double last = fmax(plot.last, sim_hrun_on) + (sim_temper.prompt ? 0 : BURST);
    for (struct sim_task *task = sim_tasks; task; task = task->next)
        last = fmax(last, fmax(task->next_at, task->ended));
    if (ended > last + SOON)
        sim_fail("the job has ended at %.1f s, and the last thing happened at %.1f s", ended, last);
}

static void play(uint64_t seed)
{
    char *argv[] = {"program", NULL};
    struct hrun_program program = {.argv = argv, .argc = 1};
    struct hrun_options options = {.program = &program, .nprogram = 1, .input = HRUN_INPUT_NONE};
    struct pack text = {0};
    struct hosts *hosts;
    sim_begin(seed);
    forget();
    draw_plot();
    make_hosts(&text);
    if (hosts_parse("hosts", (char *)text.data, text.length, &hosts))
        sim_fail("%s", hn_error_text());
    program.np = plot.np;
    options.notify = plot.notify;
    sim_temper.prompt = sim_stdio.blocked == 0 && !plot.pauses && sim_stdio.in < 1000;
    options.input = sim_stdio.in > 0 ? HRUN_INPUT_ALL : HRUN_INPUT_NONE;
    options.output = plot.files ? "out" : NULL;
    options.verbose = sim_below(4) == 0;
    options.timeout = plot.times_out ? sim_between(0.5, 8) : 0;
    sim_hrun = sim_process(SIM_HRUN, NULL, NULL);
    sim_hrun->loop = sim_loop_new(sim_hrun);
    sim_hrun->over = check_counts;
    draw_faults();
    sim_self = sim_hrun;
    int status = job_run(&options, hosts);
    sim_self = NULL;
    double ended = sim_now();
    sim_talk("hrun ends with status %d", status);
    sim_exit(sim_hrun, status << 8);
    check_nothing_left();
    check_output();
    check_lines(status);
    check_failures(status);
    check_end(ended);
    hosts_free(hosts);
    pack_free(&text);
    pack_free(&sim_stdio.out);
}

Test(whole_job, ends_well_whatever_happens)
{
    uint64_t failed = sim_play(HISTORIES, play);
    cr_assert_eq(failed, 0, "HNOW_SEED=%llu HNOW_HISTORIES=1 fails", (unsigned long long)failed);
}
