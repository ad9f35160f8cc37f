/* hnowd_task.c - the tasks of an agent: their start, their frames, their end.
 *
 * A task exists from its SPAWN to OVER. hnowd_task_event() is the only function that changes its
 * state.  It may free the task, so callers use the task no more after it.
 *
 * Order at the end: the process exits, its group gets SIGTERM, undelivered messages and the rest of
 * its output are forwarded, then TRACE and OVER. SIGKILL for the group follows after HNOWD_DRAIN.
 */
#include "hnowd/hnowd.h"

#include "base/array.h"
#include "base/error.h"
#include "hnowd/guardian.h"
#include "base/clock.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define HNOWD_DRAIN 0.3 /* seconds for which other processes may hold a dead task's output open */

/* NULL: not a task of this host, or it is over.  O(1). */
struct hnowd_task *hnowd_task(struct hnowd *agent, uint32_t tid)
{
    size_t serial = control_serial(tid);
    if (control_host(tid) != agent->number || serial == 0 || serial > agent->tasks.ntask)
        return NULL;
    return agent->tasks.task[serial - 1];
}

/* To the process group; nothing happens when the group has ended. */
void hnowd_signal(struct hnowd_task *task, int number)
{
    if (task->pid > 0)
        kill(-task->pid, number);
}

/* Entries of tasks that are over, or were never started, are NULL. */
void hnowd_signal_all(struct hnowd *agent, int number)
{
    for (size_t i = 0; i < agent->tasks.ntask; i++)
        if (agent->tasks.task[i])
            hnowd_signal(agent->tasks.task[i], number);
}

/* ---- the end of a task ------------------------------------------------------------------ */

/* Frees in any state.  Its entry in the table becomes NULL, and its serial number is never used
 * again. */
static void hnowd_task_free(struct hnowd_task *task)
{
    struct hnowd *agent = task->agent;
    agent->tasks.task[control_serial(task->tid) - 1] = NULL;
    agent->tasks.live--;
    hnowd_undelivered_stop(task);
    hnowd_world_let_go(&task->world);
    channel_close(&task->channel);
    stream_close(&task->out);
    stream_close(&task->err);
    inlet_close(&task->in);
    ev_child_stop(agent->loop, &task->exit);
    ev_timer_stop(agent->loop, &task->drain);
    free(task);
}

/* Called after guardian_sweep(), so no process of a task is left. */
void hnowd_tasks_close(struct hnowd *agent)
{
    for (size_t i = 0; i < agent->tasks.ntask; i++)
        if (agent->tasks.task[i])
            hnowd_task_free(agent->tasks.task[i]);
    free(agent->tasks.task);
    hnowd_world_let_go(&agent->tasks.world);
}

static void hnowd_task_event(struct hnowd_task *task, enum child_event event);

/* Both streams have ended, and no messages are being forwarded. Called whenever one of them may
 * have become true; the state machine ignores it before the exit. */
void hnowd_drained_if_ended(struct hnowd_task *task)
{
    if (task->out.fd < 0 && task->err.fd < 0 && !task->undelivered)
        hnowd_task_event(task, CHILD_DRAINED);
}

/* Repeats every HNOWD_DRAIN seconds, because hrun may not take the rest of the output yet. */
static void hnowd_on_drain(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct hnowd_task *task = timer->data;
    (void)loop, (void)events;
    hnowd_signal(task, SIGKILL);
    /* The group is empty now.  Its number may become another's while hrun takes the rest of the
     * output, which can be hours (hrun ... | less). */
    task->pid = 0;
    /* The end of the last stream may free the task. */
    bool more = task->err.fd >= 0;
    if ((task->out.fd < 0 || stream_finish(&task->out)) && more)
        stream_finish(&task->err);
}

/* Milliseconds since the process has ended. */
unsigned hnowd_since_end(const struct hnowd_task *task)
{
    return (unsigned)((clock_now() - task->ended) / 1000000);
}

/* OVER is the last frame about a task, so its trace is sent before. */
static void hnowd_do_over(struct hnowd_task *task)
{
    struct hnowd *agent = task->agent;
    hnowd_trace(task);
    channel_put(&agent->up, CONTROL_OVER, task->tid, (unsigned)task->wait_status, task->how,
                hnowd_since_end(task));
    hnowd_task_free(task);
    hnowd_end_if_done(agent);
}

/* The process has ended.  The rest of its process group gets SIGTERM now, SIGKILL when the timer
 * expires. The inlet is closed: nothing reads the input any more. */
static void hnowd_do_drain(struct hnowd_task *task)
{
    hnowd_signal(task, SIGTERM);
    inlet_close(&task->in);
    hnowd_undelivered(task);
    ev_timer_again(task->agent->loop, &task->drain);
    hnowd_drained_if_ended(task);
}

/* Without its channel the task finds that its agent is gone, and ends itself. */
static void hnowd_do_refuse(struct hnowd_task *task)
{
    channel_close(&task->channel);
}

/* The only place that changes the state. The task may be freed by DO_DRAIN and DO_OVER. */
static void hnowd_task_event(struct hnowd_task *task, enum child_event event)
{
    switch (child_step(&task->state, event)) {
    case CHILD_DO_DRAIN:
        hnowd_do_drain(task);
        break;
    case CHILD_DO_OVER:
        hnowd_do_over(task);
        break;
    case CHILD_DO_REFUSE:
        hnowd_do_refuse(task);
        break;
    case CHILD_DO_NOTHING:
        break;
    }
}

/* The process is reaped already, so its number may be used again, but its group's only when that is
 * empty. */
static void hnowd_on_exit(struct ev_loop *loop, ev_child *watcher, int events)
{
    struct hnowd_task *task = watcher->data;
    (void)events;
    ev_child_stop(loop, watcher);
    task->wait_status = watcher->rstatus;
    task->ended = clock_now();
    channel_read_now(&task->channel); /* it may have sent ENROL and LEAVE just before */
    if (task->refused)
        task->wait_status = SIGKILL; /* even for one that ended before the signal */
    hnowd_task_event(task, CHILD_EXIT);
}

/* ---- frames of a task ------------------------------------------------------------------- */

/* Its program has the library of another version, so its frames may have another meaning. It is
 * killed at once, so that it cannot act on frames that it misunderstands. */
static void hnowd_refuse_version(struct hnowd_task *task, const char *version)
{
    struct hnowd *agent = task->agent;
    char note[200];
    snprintf(
        note, sizeof note,
        "rank %u is linked with hnow %.40s, its agent is version %s: link the program with the "
        "hnow that runs it",
        task->rank, version, HNOW_VERSION);
    channel_put(&agent->up, CONTROL_NOTE, note);
    task->refused = true;
    hnowd_signal(task, SIGKILL);
}

/* Notifications of ends follow ENROL: the task knows its world since WELCOME, and now it can
 * process them. */
static void hnowd_on_enrol(struct hnowd_task *task, struct unpack *in)
{
    struct hnowd *agent = task->agent;
    const char *version = unpack_str(in);
    if (strcmp(version, HNOW_VERSION)) {
        hnowd_refuse_version(task, version);
        return;
    }
    unsigned port = unpack_u16(in);
    unsigned pid = unpack_u32(in);
    task->how |= CONTROL_DID_ENROL;
    channel_put(&agent->up, CONTROL_ENROLLED, task->tid, port, pid);
    hnowd_world_gone(task->world, channel_out(&task->channel));
    hnowd_world_let_go(&task->world);
    channel_send(&task->channel);
}

/* A job has few texts, so the search is linear. */
const struct hnowd_text *hnowd_text(const struct hnowd *agent, const char *key)
{
    static const struct hnowd_text none = {0};
    for (size_t i = 0; i < agent->tasks.ntext; i++)
        if (strcmp(agent->tasks.text[i].key, key) == 0)
            return &agent->tasks.text[i];
    return &none;
}

/* An unknown key is answered by an empty text, so the task does not wait in vain. */
static void hnowd_on_text_ask(struct hnowd_task *task, struct unpack *in)
{
    const char *key = unpack_str(in);
    const struct hnowd_text *found = hnowd_text(task->agent, key);
    channel_put(&task->channel, CONTROL_TEXT, key, found->text, found->length);
}

/* A task cannot reach another one: hrun decides whether that is worth a message. */
static void hnowd_on_fault(struct hnowd_task *task, struct unpack *in)
{
    unsigned other = unpack_u32(in), fault = unpack_u8(in);
    channel_put(&task->agent->up, CONTROL_UNREACHED, task->tid, other, fault, unpack_str(in));
}

/* Something that is no task of the job has connected to it; hrun decides about a message. */
static void hnowd_on_knocked(struct hnowd_task *task, struct unpack *in)
{
    const char *source = unpack_str(in);
    unsigned attempts = unpack_u32(in);
    channel_put(&task->agent->up, CONTROL_STRANGER, task->tid, source, attempts, unpack_str(in));
}

/* The payload is forwarded unread. */
static void hnowd_pass_question(struct hnowd_task *task, const struct control_frame *frame)
{
    struct channel *up = &task->agent->up;
    channel_put(up, CONTROL_FROM_TASK, task->tid, (unsigned)frame->kind,
                (const void *)frame->payload.data, frame->payload.length);
}

/* A task can send what it likes. Only these kinds are processed, and only questions go on to hrun,
 * each with the tid that the agent knows, not one that the task names. */
static void hnowd_task_frame(struct channel *channel, struct control_frame *frame)
{
    struct hnowd_task *task = (void *)((char *)channel - offsetof(struct hnowd_task, channel));
    struct hnowd *agent = task->agent;
    switch (frame->kind) {
    case CONTROL_ENROL:
        /* A second one is refused by the state machine. hrun must not hear of it. */
        if (!(task->how & CONTROL_DID_ENROL))
            hnowd_on_enrol(task, &frame->payload);
        hnowd_task_event(task, CHILD_ENROL);
        break;
    case CONTROL_LOOKUP:
        channel_put(&agent->up, CONTROL_ASK, task->tid, unpack_u32(&frame->payload));
        break;
    case CONTROL_FAULT:
        hnowd_on_fault(task, &frame->payload);
        break;
    case CONTROL_KNOCKED:
        hnowd_on_knocked(task, &frame->payload);
        break;
    case CONTROL_TEXT_ASK:
        hnowd_on_text_ask(task, &frame->payload);
        break;
    case CONTROL_LEAVE:
        task->how |= CONTROL_DID_LEAVE;
        hnowd_task_event(task, CHILD_LEAVE);
        break;
    default:
        if (CONTROL_IS_QUESTION(frame->kind))
            hnowd_pass_question(task, frame);
        else
            hnowd_do_refuse(task);
    }
}

/* A task's end is reported when its process ends. If the process continues, it has closed foreign
 * descriptors (closefrom(3)), or has executed another program. Then it cannot receive anything any
 * more, and tasks that wait for it would wait forever. A task that has not enrolled may close
 * everything: it may be no program of hnow at all. why: an error of the channel. */
static void hnowd_task_hung_up(struct channel *channel, const char *why)
{
    struct hnowd_task *task = (void *)((char *)channel - offsetof(struct hnowd_task, channel));
    if (why || task->state != CHILD_ENROLLED || !guardian_works(task->pid))
        return;
    task->how |= CONTROL_DID_CLOSE;
    hnowd_signal(task, SIGKILL);
}

/* Every frame comes here only after its payload was validated against its signature. */
static const struct channel_events hnowd_task_events = {.frame = hnowd_task_frame,
                                                        .ended = hnowd_task_hung_up};

/* Bytes of a text that each task gets with WELCOME: as much as a pipe takes at once.  Longer texts
 * are sent on request. */
enum { HNOWD_TEXT_SHORT = 4096 };

/* Appends to WELCOME the texts that the first collective operation of each task would request.
 * Otherwise all tasks of the host would wait at the same time until the agent gets a core. */
static void hnowd_give_texts(const struct hnowd_task *task, struct pack *out)
{
    const struct hnowd *agent = task->agent;
    for (size_t i = 0; i < agent->tasks.ntext; i++)
        if (agent->tasks.text[i].length <= HNOWD_TEXT_SHORT)
            control_put(out, CONTROL_TEXT, agent->tasks.text[i].key, agent->tasks.text[i].text,
                        agent->tasks.text[i].length);
}

/* Sent at once when the process exists, before it asks.  So enrolment needs no round trip. The
 * texts follow in the same write. */
static void hnowd_welcome(struct hnowd_task *task)
{
    struct hnowd *agent = task->agent;
    struct pack *out = channel_out(&task->channel);
    size_t begun = control_begin(out, CONTROL_WELCOME);
    pack_raw(out, agent->secret, CONTROL_SECRET);
    pack_u32(out, task->tid);
    pack_u32(out, task->rank);
    pack_u32(out, hnowd_world_size(task->world));
    pack_u32(out, task->parent);
    pack_str(out, agent->ports);
    pack_str(out, agent->iface);
    pack_u8(out, agent->wide);
    pack_raw(out, agent->hosts.data, agent->hosts.length);
    hnowd_world_tids(task->world, out);
    control_end(out, begun);
    hnowd_give_texts(task, out);
    channel_send(&task->channel);
}

/* ---- its streams ------------------------------------------------------------------------ */

/* Whole lines, as stream.h cuts them. */
static void hnowd_pass_output(struct stream *stream, const uint8_t *data, size_t n)
{
    struct hnowd_task *task = stream->user;
    struct channel *up = &task->agent->up;
    channel_put(up, CONTROL_OUTPUT, task->tid, stream == &task->err ? 2u : 1u, data, n);
}

/* The last of both streams may end the task, and free it. */
static void hnowd_output_ended(struct stream *stream)
{
    hnowd_drained_if_ended(stream->user);
}

/* 0 bytes: the task has closed its input. */
static void hnowd_input_room(struct inlet *inlet, size_t n)
{
    struct hnowd_task *task = inlet->user;
    channel_put(&task->agent->up, CONTROL_ROOM, task->tid, (unsigned)n);
}

/* ---- starting --------------------------------------------------------------------------- */

/* The agent learns of the end from three sides: the process, its streams, and its channel. The task
 * is over when the process has ended and both streams are closed (child.h). */
static void hnowd_task_run(struct hnowd_task *task, const struct spawned *spawned)
{
    struct hnowd *agent = task->agent;
    struct ev_loop *loop = agent->loop;
    task->pid = spawned->pid;
    ev_child_init(&task->exit, hnowd_on_exit, spawned->pid, 0);
    ev_timer_init(&task->drain, hnowd_on_drain, 0., HNOWD_DRAIN);
    task->exit.data = task->drain.data = task->out.user = task->err.user = task->in.user = task;
    task->out.pass = task->err.pass = hnowd_pass_output;
    task->out.ended = task->err.ended = hnowd_output_ended;
    task->in.room = hnowd_input_room;
    /* A stream that is not opened below counts as closed. */
    task->in.fd = -1;
    task->trace = spawned->trace;
    task->outbox = spawned->outbox;
    ev_child_start(loop, &task->exit);
    channel_open(&task->channel, loop, spawned->agent, spawned->agent, &hnowd_task_events);
    stream_open(&task->out, loop, spawned->out);
    stream_open(&task->err, loop, spawned->err);
    control_put(channel_out(&agent->up), CONTROL_SPAWNED, task->tid, (unsigned)task->pid);
    if (spawned->in >= 0) {
        inlet_open(&task->in, loop, spawned->in);
        hnowd_input_room(&task->in, INLET_ROOM);
    }
    hnowd_welcome(task);
}

/* The serial number comes from hrun. Numbers of tasks that could not be started leave gaps. NULL:
 * out of memory. */
static struct hnowd_task *hnowd_task_new(struct hnowd *agent, uint32_t tid, uint32_t rank)
{
    size_t serial = control_serial(tid);
    if (serial > agent->tasks.ntask && !ARRAY_ROOM(agent->tasks.task, serial))
        return NULL;
    while (agent->tasks.ntask < serial)
        agent->tasks.task[agent->tasks.ntask++] = NULL;
    struct hnowd_task *task = calloc(1, sizeof *task);
    if (!task)
        return NULL;
    *task = (struct hnowd_task){.agent = agent, .tid = tid, .rank = rank};
    agent->tasks.task[serial - 1] = task;
    agent->tasks.live++;
    return task;
}

/* The counterpart of SPAWNED: each task of a SPAWN gets one of both. */
static void hnowd_unspawned(struct hnowd *agent, uint32_t tid, const char *why)
{
    channel_put(&agent->up, CONTROL_UNSPAWNED, tid, why);
}

/* Starts one process.  Its outcome is read later, when all processes are started. False: UNSPAWNED
 * was sent. */
static bool hnowd_start(struct hnowd *agent, const struct hnowd_program *program, uint32_t tid,
                        uint32_t rank, bool input, struct spawned *spawned)
{
    struct spawn_rank place = hnowd_world_rank(agent->tasks.world, tid, rank);
    int from = !input ? SPAWN_NO_INPUT : agent->input >= 0 ? agent->input : SPAWN_PIPE_INPUT;
    /* The reason was stored by PROGRAM; without memory for it there is no text. */
    if (!program->usable) {
        hnowd_unspawned(agent, tid, program->flaw ? program->flaw : "out of memory");
        return false;
    }
    if (spawn_start(&program->program, from, &agent->files, &place, spawned)) {
        hnowd_unspawned(agent, tid, hn_error_text());
        return false;
    }
    return true;
}

/* Either the task exists afterwards, or hrun gets UNSPAWNED with the reason. A process whose task
 * cannot be stored is killed. */
static void hnowd_started(struct hnowd *agent, const struct hnowd_program *program, uint32_t tid,
                          uint32_t rank, uint32_t parent, struct spawned *spawned)
{
    struct hnowd_task *task;
    if (spawn_result(&program->program, spawned)) {
        hnowd_unspawned(agent, tid, hn_error_text());
    } else if (!(task = hnowd_task_new(agent, tid, rank))) {
        kill(-spawned->pid, SIGKILL);
        spawn_drop(spawned);
        hnowd_unspawned(agent, tid, "out of memory");
    } else {
        task->parent = parent;
        task->world = hnowd_world_hold(agent);
        hnowd_task_run(task, spawned);
    }
}

/* Whether one of these blocked signals has arrived. */
static bool hnowd_any_waits(const sigset_t *signals)
{
    sigset_t waiting;
    return sigpending(&waiting) == 0 && sigandset(&waiting, &waiting, signals) == 0 &&
           !sigisemptyset(&waiting);
}

/* All processes are started before the first result is read, so that they execve() side by side on
 * a host with several cores.  Thousands take seconds: a signal that ends the agent, which the loop
 * would see only afterwards, ends this.  New processes clear the signal mask (spawn.c). Tasks that
 * were not started for that reason are not reported: the agent is ending. */
void hnowd_spawn(struct hnowd *agent, struct unpack *in)
{
    struct start {
        uint32_t tid, rank;
        bool runs;
        struct spawned spawned;
    };
    uint32_t program = unpack_u32(in), parent = unpack_u32(in), n = unpack_u32(in);
    struct start spare, *start = calloc((size_t)n + 1, sizeof *start);
    char why[ERROR_TEXT];
    /* Used in place of a program that does not exist, and to refuse all tasks when there are too
     * few descriptors, or there is no memory. */
    struct hnowd_program none = {.flaw = spawn_check_room(n) ? strcpy(why, hn_error_text()) : NULL};
    const struct hnowd_program *run = none.flaw || !start || program >= agent->tasks.nprogram
                                          ? &none
                                          : &agent->tasks.program[program];
    sigset_t deadly;
    sigemptyset(&deadly);
    for (int i = 0; i < HNOWD_DEADLY; i++)
        sigaddset(&deadly, agent->deadly[i].signum);
    sigprocmask(SIG_BLOCK, &deadly, NULL);
    for (uint32_t i = 0; i < n && !hnowd_any_waits(&deadly); i++) {
        struct start *one = start ? &start[i] : &spare;
        one->tid = unpack_u32(in);
        one->rank = unpack_u32(in);
        one->runs = hnowd_start(agent, run, one->tid, one->rank, unpack_u8(in), &one->spawned);
    }
    /* Each result is awaited, which takes as long as the slowest execve(). */
    for (uint32_t i = 0; i < n && start; i++)
        if (start[i].runs)
            hnowd_started(agent, run, start[i].tid, start[i].rank, parent, &start[i].spawned);
    free(start);
    sigprocmask(SIG_UNBLOCK, &deadly, NULL);
    channel_send(&agent->up);
    hnowd_end_if_done(agent);
}
