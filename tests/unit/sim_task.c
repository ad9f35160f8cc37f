/* sim_task.c - tasks: they enrol, write, ask, spawn, and end in all ways that there are; see
 * sim_job.h.
 *
 * What a task does is drawn, a thing at a time.  It checks what it is told: an answer belongs to a
 * question that is open, what hn_spawn() says was started was, a notice is one that was asked for.
 */
#include "sim_job.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sim_task *sim_tasks;
int sim_task_count;
struct sim_temper sim_temper;

struct sim_task *sim_task_of(uint32_t tid)
{
    for (struct sim_task *task = sim_tasks; task; task = task->next)
        if (task->tid == tid && tid)
            return task;
    return NULL;
}

void sim_tasks_name(const struct sim_process *agent)
{
    for (struct sim_task *task = sim_tasks; task && task->tid == 0; task = task->next)
        for (size_t i = 0; i < sim_agent(agent)->tasks.ntask; i++) {
            const struct hnowd_task *known = sim_agent(agent)->tasks.task[i];
            if (!known || known->pid != task->process->pid)
                continue;
            task->tid = known->tid;
            task->parent = known->parent;
            task->rank = known->rank;
        }
}

void sim_task_start(struct sim_process *process, int channel, int in, int out, int err)
{
    struct sim_task *task = calloc(1, sizeof *task);
    *task = (struct sim_task){.next = sim_tasks,
                              .process = process,
                              .channel = channel,
                              .in = in,
                              .out = out,
                              .err = err,
                              .actions = (int)sim_below(12),
                              .stranger = sim_below(12) == 0,
                              .stubborn = sim_below(8) == 0,
                              .fails = sim_temper.fail && sim_below(6) == 0};
    task->next_at = sim_now() + sim_between(0, 0.2);
    process->state = task;
    process->offers = sim_task_offer;
    sim_tasks = task;
    sim_task_count++;
}

void sim_task_ended(struct sim_process *process, enum sim_end how)
{
    struct sim_task *task = process->state;
    if (task->end != SIM_RUNS)
        return;
    task->end = how;
    task->ended = sim_now();
    sim_talk("task %u has ended (%d)", task->tid, how);
}

/* ---- what it writes ---------------------------------------------------------------------------
 */

/* Writes what waits; true when nothing does any more. */
static bool flush(struct pack *pack, int fd)
{
    while (pack->length > 0) {
        ssize_t n = sim_write(fd, pack->data, pack->length);
        if (n <= 0)
            return false;
        pack_drop(pack, (size_t)n);
    }
    return true;
}

static void say(struct sim_task *task)
{
    flush(&task->saying, task->channel);
}

static void write_lines(struct sim_task *task)
{
    char line[100];
    unsigned most = sim_below(20) ? 4 : sim_below(10) ? 400 : 24000; /* more than STREAM_WINDOW */
    if (most > 400)
        sim_temper.prompt = false;
    for (unsigned n = 1 + sim_below(most); n > 0; n--) {
        snprintf(line, sizeof line, "t%u %d %.*s\n", task->tid, ++task->lines, (int)sim_below(30),
                 "..............................");
        pack_raw(&task->writing[0], line, strlen(line));
    }
    if (sim_below(4) == 0)
        pack_raw(&task->writing[1], "an error\n", 9);
}

/* ---- what it asks -----------------------------------------------------------------------------
 */

static uint32_t ask(struct sim_task *task, enum control_kind kind)
{
    task->asked[task->nasked].number = ++task->number;
    task->asked[task->nasked].kind = kind;
    task->asked[task->nasked++].open = true;
    task->open++;
    return task->number;
}

/* A task that has been started so far. */
static uint32_t some_tid(void)
{
    unsigned at = sim_below((unsigned)sim_task_count);
    struct sim_task *task = sim_tasks;
    while (at-- > 0)
        task = task->next;
    return task->tid;
}

static const struct sim_host *some_host(void)
{
    return &sim_hosts[sim_below((unsigned)sim_nhosts)];
}

static void watch(struct sim_task *task)
{
    uint32_t what = 1 + sim_below(3),
             times = what == HN_HOST_ADDED || sim_below(4) == 0 ? 1 + sim_below(2) : 1;
    uint32_t about = what == HN_TASK_EXIT   ? some_tid()
                     : what == HN_HOST_LOST ? control_tid((uint32_t)some_host()->number, 0)
                                            : 0;
    struct pack *out = &task->saying;
    if (task->nwatched == SIM_REQUESTS || (about == 0 && what != HN_HOST_ADDED) ||
        about == task->tid)
        return;
    uint32_t number = ask(task, CONTROL_NOTIFY_ASK);
    size_t begun = control_begin(out, CONTROL_NOTIFY_ASK);
    pack_u32(out, number);
    pack_u32(out, what);
    pack_u32(out, (uint32_t)task->nwatched); /* its tag */
    pack_u32(out, 0);
    pack_u32(out, times);
    pack_u8(out, 0);
    pack_u32(out, about != 0);
    if (about)
        pack_u32(out, about);
    control_end(out, begun);
    task->watched[task->nwatched].what = what;
    task->watched[task->nwatched].about = about;
    task->watched[task->nwatched].times = about ? 1 : times;
    task->watched[task->nwatched++].question = number;
}

static void spawn(struct sim_task *task)
{
    struct pack *out = &task->saying;
    unsigned n = 1 + sim_below(3);
    bool here = sim_below(3) == 0;
    if (!sim_temper.spawn || sim_task_count + (int)n > sim_temper.most)
        return;
    size_t begun = control_begin(out, CONTROL_SPAWN_ASK);
    pack_u32(out, ask(task, CONTROL_SPAWN_ASK));
    pack_u32(out, n);
    pack_u8(out, here ? CONTROL_ON_HOST : CONTROL_ANYWHERE);
    pack_str(out, here ? some_host()->name : "");
    pack_str(out, "");
    pack_str(out, "");
    pack_u32(out, 1);
    pack_str(out, "worker");
    pack_u32(out, 0);
    control_end(out, begun);
}

static void ask_tasks(struct sim_task *task)
{
    struct pack *out = &task->saying;
    size_t begun = control_begin(out, CONTROL_TASKS_ASK);
    pack_u32(out, ask(task, CONTROL_TASKS_ASK));
    pack_u32(out, 0);
    control_end(out, begun);
}

/* Ends another task, as hn_kill() does. */
static void end_other(struct sim_task *task)
{
    uint32_t tid = some_tid();
    if (tid == task->tid || !tid)
        return;
    sim_task_of(tid)->told = true;
    control_put(&task->saying, CONTROL_SIGNAL_ASK, ask(task, CONTROL_SIGNAL_ASK), tid,
                (unsigned)SIGTERM, 1u);
}

static void exchange_value(struct sim_task *task)
{
    char name[8];
    snprintf(name, sizeof name, "n%u", sim_below(4));
    if (sim_below(2))
        control_put(&task->saying, CONTROL_PUT_ASK, ask(task, CONTROL_PUT_ASK), name,
                    sim_below(2) ? 0 : UINT32_MAX, 0u, "value", (size_t)5);
    else
        control_put(&task->saying, CONTROL_GET_ASK, ask(task, CONTROL_GET_ASK), name, UINT32_MAX,
                    0u, sim_temper.hang && sim_below(2) ? UINT32_MAX : sim_below(3000));
}

static void change_hosts(struct sim_task *task)
{
    struct pack *out = &task->saying;
    struct sim_host *host = &sim_hosts[sim_below((unsigned)sim_nhosts)];
    bool adds = sim_below(2);
    if (!sim_temper.hosts)
        return;
    if (!adds)
        host->removed = true;
    else
        host->added = true;
    enum control_kind kind = adds ? CONTROL_ADD_HOSTS_ASK : CONTROL_REMOVE_HOSTS_ASK;
    size_t begun = control_begin(out, kind);
    pack_u32(out, ask(task, kind));
    pack_u32(out, 1);
    pack_str(out, host->name);
    control_end(out, begun);
    task->asked[task->nasked - 1].host = host;
}

static void look_up(struct sim_task *task)
{
    uint32_t tid = some_tid();
    if (tid)
        control_put(&task->saying, CONTROL_LOOKUP, tid);
}

static void act_once(struct sim_task *task)
{
    static void (*const deeds[])(struct sim_task * task) = {
        write_lines, write_lines, write_lines, watch,          watch,        spawn,
        ask_tasks,   end_other,   look_up,     exchange_value, change_hosts, watch};
    if (task->nasked == SIM_REQUESTS || task->stranger)
        write_lines(task);
    else
        deeds[sim_below(sizeof deeds / sizeof *deeds)](task);
}

/* ---- what it is told --------------------------------------------------------------------------
 */

static void answered(struct sim_task *task, enum control_kind kind, uint32_t number, uint32_t error)
{
    for (int i = 0; i < task->nasked; i++) {
        if (task->asked[i].number != number)
            continue;
        if (!task->asked[i].open)
            sim_fail("task %u: question %u (%s) is answered twice", task->tid, number,
                     control_name(task->asked[i].kind));
        task->asked[i].open = false;
        task->open--;
        for (int k = 0; k < task->nwatched && kind == CONTROL_DONE; k++)
            if (task->watched[k].question == number)
                task->watched[k].kept = error == 0;
        return;
    }
    sim_fail("task %u: %s answers no question of it", task->tid, control_name(kind));
}

static void on_spawned(struct sim_task *task, struct unpack *in)
{
    uint32_t number = unpack_u32(in);
    const char *why = unpack_str(in);
    bool failed = false;
    for (uint32_t n = unpack_u32(in); n > 0; n--) {
        uint32_t tid = unpack_u32(in), error = unpack_u32(in);
        const struct sim_task *child = sim_task_of(tid);
        failed |= error;
        if (!tid != (error != 0))
            sim_fail("hn_spawn() of task %u: tid %u with error %u", task->tid, tid, error);
        if (tid && (!child || child->parent != task->tid))
            sim_fail("hn_spawn() of task %u names task %u, which it has not started", task->tid,
                     tid);
    }
    if (failed && !why[0])
        sim_fail("hn_spawn() of task %u does not say why it failed", task->tid);
    answered(task, CONTROL_SPAWN_DONE, number, 0);
}

static void on_notification(struct sim_task *task, struct unpack *in)
{
    uint32_t tag = unpack_u32(in);
    unpack_u32(in);
    uint32_t about = unpack_u32(in);
    if (tag >= (uint32_t)task->nwatched)
        sim_fail("task %u gets a notice that it has not asked for", task->tid);
    if (task->watched[tag].about && task->watched[tag].about != about)
        sim_fail("task %u gets a notice about %u instead of %u", task->tid, about,
                 task->watched[tag].about);
    if (++task->watched[tag].told > task->watched[tag].times)
        sim_fail("task %u gets a notice about %u once too often", task->tid, about);
    const struct sim_task *other = sim_task_of(about);
    if (task->watched[tag].what == HN_TASK_EXIT && other && other->process->alive &&
        !other->process->host->faulty && !other->process->host->removed)
        sim_fail("task %u is told that task %u has ended, which runs", task->tid, about);
}

static void on_tasks(struct sim_task *task, struct unpack *in)
{
    uint32_t number = unpack_u32(in), last = 0;
    for (uint32_t n = unpack_u32(in); n > 0; n--) {
        uint32_t tid = unpack_u32(in);
        for (int i = 0; i < 3; i++)
            unpack_u32(in);
        unpack_str(in);
        unsigned state = unpack_u8(in);
        unpack_u32(in);
        if (tid == last)
            sim_fail("hn_tasks() names task %u twice", tid);
        if (state == JOB_TASK_ENROLLED && !sim_task_of(tid))
            sim_fail("hn_tasks() names task %u, which has never run", tid);
        last = tid;
    }
    answered(task, CONTROL_TASKS, number, 0);
}

/* A host that has been removed is gone; one that has been added is there. */
static void on_hosts(struct sim_task *task, struct unpack *in)
{
    uint32_t number = unpack_u32(in);
    unpack_u32(in); /* one outcome */
    uint32_t error = unpack_u32(in), tid = unpack_u32(in);
    for (int i = 0; i < task->nasked && error == 0; i++) {
        if (task->asked[i].number != number)
            continue;
        const struct sim_host *host = task->asked[i].host;
        bool removes = task->asked[i].kind == CONTROL_REMOVE_HOSTS_ASK;
        if (tid == 0 || (!host->faulty && removes && sim_agent_of(host) && !host->added))
            sim_fail("host %s was removed, and is there", host->name);
        if (!host->faulty && !removes && !sim_agent_of(host) && !host->removed && sim_nlines == 0)
            sim_fail("host %s was added, and is not there", host->name);
    }
    answered(task, CONTROL_HOSTS_DONE, number, 0);
}

static void hear(struct sim_task *task, struct control_frame *frame)
{
    struct unpack *in = &frame->payload;
    switch (frame->kind) {
    case CONTROL_WELCOME:
        in->at += CONTROL_SECRET;
        if (unpack_u32(in) != task->tid || sim_task_of(task->tid) != task)
            sim_fail("two tasks have the tid %u", task->tid);
        task->welcome = true;
        break;
    case CONTROL_SPAWN_DONE:
        on_spawned(task, in);
        break;
    case CONTROL_NOTIFICATION:
        on_notification(task, in);
        break;
    case CONTROL_TASKS:
        on_tasks(task, in);
        break;
    case CONTROL_HOSTS_DONE:
        on_hosts(task, in);
        break;
    case CONTROL_DONE: {
        uint32_t number = unpack_u32(in);
        answered(task, frame->kind, number, unpack_u32(in));
        break;
    }
    case CONTROL_NUMBER:
    case CONTROL_VALUE:
        answered(task, frame->kind, unpack_u32(in), 0);
        break;
    default:
        break;
    }
}

static void act_hear(struct sim_process *process)
{
    struct sim_task *task = process->state;
    struct control_frame frame;
    char data[4096];
    ssize_t n = sim_read(task->channel, data, sizeof data);
    if (n <= 0) {
        sim_close(task->channel);
        task->channel = -1;
        return;
    }
    control_feed(&task->decoder, data, (size_t)n);
    while (process->alive && control_next(&task->decoder, &frame) == 1)
        hear(task, &frame);
}

/* ---- its life ---------------------------------------------------------------------------------
 */

/* What should have been told by now: what happened long ago, on a host that nothing was wrong with.
 */
#define SIM_NOTIFICATION 8.0 /* seconds: its output comes first, over slow lines */
static void check_notices(const struct sim_task *task)
{
    for (int i = 0; i < task->nwatched && sim_temper.prompt; i++) {
        const struct sim_task *other = sim_task_of(task->watched[i].about);
        if (task->watched[i].kept && task->watched[i].what == HN_TASK_EXIT && other &&
            other->end != SIM_RUNS && other->ended + SIM_NOTIFICATION < sim_now() &&
            task->watched[i].told == 0 && !other->process->host->faulty &&
            !task->process->host->faulty)
            sim_fail("task %u was not told that task %u has ended", task->tid, other->tid);
    }
}

/* Standard input, of which every task that hrun has started gets all. */
static void act_read(struct sim_process *process)
{
    struct sim_task *task = process->state;
    char data[5000];
    ssize_t n = sim_read(task->in, data, sizeof data);
    for (ssize_t i = 0; i < n; i++)
        if (data[i] != 'i')
            sim_fail("task %u reads what is no input", task->tid);
    if (n > 0)
        task->in_bytes += (size_t)n;
    if (n != 0)
        return;
    if (task->in_bytes != sim_stdio.in)
        sim_fail("task %u gets %zu bytes of input instead of %zu", task->tid, task->in_bytes,
                 sim_stdio.in);
    sim_close(task->in);
    task->in = -1;
}

static void act_end(struct sim_process *process)
{
    struct sim_task *task = process->state;
    unsigned how = sim_below(3);
    if (task->nwatched > 0 && !task->waited && sim_below(3)) { /* for notices */
        task->waited = true;
        task->next_at = sim_now() + sim_between(8, 15);
        return;
    }
    if (sim_temper.prompt && !task->unended && sim_below(4) == 0) { /* a line without an end */
        char line[40];
        snprintf(line, sizeof line, "t%u %d", task->tid, ++task->lines);
        pack_raw(&task->writing[0], line, strlen(line));
        task->unended = true;
        return;
    }
    check_notices(task);
    if (task->fails && how == 0) {
        sim_task_ended(process, SIM_FAILED);
        sim_exit(process, 3 << 8);
    } else if (task->fails && how == 1) {
        sim_task_ended(process, SIM_FAILED);
        sim_exit(process, SIGSEGV);
    } else if (task->fails && !task->stranger && how == 2) {
        sim_task_ended(process, SIM_FAILED); /* without hn_exit() */
        sim_exit(process, 0);
    } else if (!task->stranger && !task->leaves) {
        task->leaves = true;
        control_put(&task->saying, CONTROL_RETIRE, 0u);
        control_put(&task->saying, CONTROL_LEAVE);
        say(task);
    } else {
        sim_task_ended(process, SIM_LEFT);
        sim_exit(process, 0);
    }
}

static void act_next(struct sim_process *process)
{
    struct sim_task *task = process->state;
    task->next_at = sim_now() + sim_between(0, sim_below(4) ? 0.3 : 3);
    if (!task->stranger && !task->enrolled) {
        task->enrolled = true;
        control_put(&task->saying, CONTROL_ENROL, HNOW_VERSION, 1u, (unsigned)process->pid);
        say(task);
    } else if (sim_temper.abort && sim_below(50) == 0 && !task->stranger) {
        control_put(&task->saying, CONTROL_ABORT_ASK, ++task->number, 7u, "enough");
        say(task);
        task->fails = true;
        task->ended = sim_now();
        task->actions = 0;
    } else if (task->actions > 0) {
        task->actions--;
        act_once(task);
        say(task);
    } else if ((task->open == 0 && task->in < 0) || task->fails || task->channel < 0) {
        act_end(process);
    }
}

static void act_say(struct sim_process *process)
{
    say(process->state);
}

static void act_write(struct sim_process *process)
{
    struct sim_task *task = process->state;
    flush(&task->writing[0], task->out);
}

static void act_complain(struct sim_process *process)
{
    struct sim_task *task = process->state;
    flush(&task->writing[1], task->err);
}

void sim_task_offer(struct sim_process *process)
{
    struct sim_task *task = process->state;
    bool waits = task->actions == 0 && !task->fails && task->channel >= 0 &&
                 (task->open > 0 || task->in >= 0);
    if (task->channel >= 0)
        sim_offer(process, act_hear, sim_readable(process, task->channel));
    if (task->in >= 0)
        sim_offer(process, act_read, sim_readable(process, task->in));
    if (task->saying.length > 0 && task->channel >= 0)
        sim_offer(process, act_say, sim_writable(process, task->channel));
    if (task->writing[0].length > 0)
        sim_offer(process, act_write, sim_writable(process, task->out));
    if (task->writing[1].length > 0)
        sim_offer(process, act_complain, sim_writable(process, task->err));
    if (task->writing[0].length + task->writing[1].length == 0 &&
        (task->saying.length == 0 || task->channel < 0) && !waits &&
        (task->welcome || task->stranger || task->channel < 0))
        sim_offer(process, act_next, task->next_at);
}
