/* hnowd_frames.c - processes hrun's frames in the agent: one function for each kind.
 *
 * hrun is trusted, and the channel has validated each payload.  So fields are read without checks,
 * in the order of the signature.  What concerns an ended task is ignored: hrun may not know of the
 * end yet.
 *
 * Frames arrive in the order in which hrun has sent them: SETUP and the texts come first, and a
 * PROGRAM comes before its SPAWN.
 */
#include "hnowd/hnowd.h"

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "hnowd/mpi_front.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Whether the directory (of `length` bytes) is in a list like $PATH. */
static bool hnowd_path_has(const char *list, const char *directory, size_t length)
{
    for (const char *at = list; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL)
        if (strcspn(at, ":") == length && strncmp(at, directory, length) == 0)
            return true;
    return false;
}

/* Appends to $PATH of this host the directories that only hrun's has.  So programs in the same
 * directory as on hrun's host are found, but the tools of this host take precedence. A directory
 * that both have keeps its place in this host's list. */
static void hnowd_extend_path(const char *more)
{
    const char *own = getenv("PATH");
    struct pack path = {0};
    pack_raw(&path, own ? own : "", own ? strlen(own) : 0);
    while (more[0]) {
        size_t n = strcspn(more, ":");
        if (n > 0 && !(own && hnowd_path_has(own, more, n))) {
            if (path.length > 0)
                pack_u8(&path, ':');
            pack_raw(&path, more, n);
        }
        more += n + (more[n] == ':');
    }
    pack_u8(&path, 0);
    if (!path.failed)
        setenv("PATH", (char *)path.data, 1);
    pack_free(&path);
}

/* Into the agent's own environment, which its tasks inherit. Entries without '=' are ignored. */
static void hnowd_set_environment(struct unpack *in)
{
    uint32_t n = unpack_u32(in);
    for (uint32_t i = 0; i < n; i++) {
        char *entry = strdup(unpack_str(in));
        char *value = entry ? strchr(entry, '=') : NULL;
        if (value) {
            *value = 0;
            setenv(entry, value + 1, 1);
        }
        free(entry);
    }
}

/* SETUP is hrun's answer to HELLO: with it the agent knows its number and the job's secret. From
 * here on hrun sends keep-alives, so silence counts. It comes once. */
static void hnowd_setup(struct hnowd *agent, struct unpack *in)
{
    memcpy(agent->secret, unpack_raw(in, CONTROL_SECRET), CONTROL_SECRET);
    agent->number = unpack_u32(in);
    agent->base = strdup(unpack_str(in));
    hnowd_extend_path(unpack_str(in));
    agent->ports = strdup(unpack_str(in));
    agent->iface = strdup(unpack_str(in));
    hnowd_keep_list(&agent->hosts, in, true);
    hnowd_set_environment(in);
    hnowd_expect_pulse(agent);
    hnowd_load_begin(agent);
    relay_open(&agent->relay, &agent->up, agent->number, agent->secret);
}

/* Without memory the text is missing, and tasks get an empty one. Each key is sent once. */
static void hnowd_jobtext(struct hnowd *agent, struct unpack *in)
{
    if (!ARRAY_ROOM(agent->tasks.text, agent->tasks.ntext + 1))
        return;
    struct hnowd_text *text = &agent->tasks.text[agent->tasks.ntext];
    text->key = strdup(unpack_str(in));
    const uint8_t *bytes = unpack_blob(in, &text->length);
    text->text = malloc(text->length + 1);
    if (text->key && text->text) {
        memcpy(text->text, bytes, text->length);
        agent->tasks.ntext++;
    } else {
        free(text->key);
        free(text->text);
    }
}

/* The entry itself stays in the table. */
static void hnowd_program_free(struct hnowd_program *program)
{
    spawn_program_free(&program->program);
    free(program->flaw);
}

/* The entry of a program: an existing one, or a new one.  An agent that is started late does not
 * get the first programs. NULL: out of memory. Former entries are freed, as a spawn replaces its
 * program. */
static struct hnowd_program *hnowd_program_at(struct hnowd *agent, uint32_t number)
{
    if (number < agent->tasks.nprogram) {
        struct hnowd_program *old = &agent->tasks.program[number];
        hnowd_program_free(old);
        return old;
    }
    if (!ARRAY_ROOM(agent->tasks.program, (size_t)number + 1))
        return NULL;
    while (agent->tasks.nprogram <= number)
        agent->tasks.program[agent->tasks.nprogram++] = (struct hnowd_program){0};
    return &agent->tasks.program[number];
}

/* Selects hnow's library for an MPI program; reports that with -v. HN_OK, or the error that makes
 * the program unusable. */
static int hnowd_choose_mpi(struct hnowd *agent, struct spawn_program *program)
{
    char *note;
    int error = mpi_front_prepare(program, &note);
    if (note && hnowd_text(agent, "verbose")->length > 0)
        channel_put(&agent->up, CONTROL_NOTE, note);
    free(note);
    return error;
}

/* A program that cannot be used is stored with the reason, which each SPAWN of it then reports. So
 * hrun is informed for every task, and need not know about programs itself. Ownership of argv
 * passes to the program, also after an error. */
static void hnowd_program(struct hnowd *agent, struct unpack *in)
{
    struct hnowd_program *program = hnowd_program_at(agent, unpack_u32(in));
    char *note;
    if (!program)
        return;
    *program = (struct hnowd_program){0};
    const char *directory = unpack_str(in);
    bool must = unpack_u8(in);
    char **argv = hnowd_words(in);
    if (!argv)
        return;
    /* A staged program takes precedence over one of the same name that is installed here. */
    char *known = hnowd_stage_path(agent, &argv);
    int error = spawn_find(&program->program, argv, directory, must, agent->base, known, &note);
    /* spawn_find() has cleared the program, so its environment is set afterwards. */
    program->program.environment = hnowd_words(in);
    if (note)
        channel_put(&agent->up, CONTROL_NOTE, note);
    free(note);
    error = error ? error : hnowd_choose_mpi(agent, &program->program);
    program->usable = !error;
    program->flaw = program->usable ? NULL : strdup(hn_error_text());
}

/* n = 0 is the end of the input. Input for a task that is over is dropped. */
static void hnowd_input(struct hnowd *agent, struct unpack *in)
{
    struct hnowd_task *task = hnowd_task(agent, unpack_u32(in));
    size_t n;
    const uint8_t *data = unpack_blob(in, &n);
    if (task)
        inlet_put(&task->in, data, n);
}

/* hrun has written so many bytes of the task's output. */
static void hnowd_credit(struct hnowd *agent, struct unpack *in)
{
    struct hnowd_task *task = hnowd_task(agent, unpack_u32(in));
    unsigned number = unpack_u8(in);
    uint32_t n = unpack_u32(in);
    if (task)
        stream_credit(number == 2 ? &task->err : &task->out, n);
}

/* tid 0: all tasks. */
static void hnowd_signal_frame(struct hnowd *agent, struct unpack *in)
{
    uint32_t tid = unpack_u32(in);
    int number = (int)unpack_u32(in);
    struct hnowd_task *task = tid ? hnowd_task(agent, tid) : NULL;
    /* hrun itself stops next, or has continued */
    if (!tid && (number == SIGTSTP || number == SIGCONT))
        pulse_pause(&agent->pulse, number == SIGTSTP);
    if (!tid)
        hnowd_signal_all(agent, number);
    else if (task)
        hnowd_signal(task, number);
    if (task && number == SIGTERM) /* a stopped process would not handle the signal */
        hnowd_signal(task, SIGCONT);
}

/* Forwards a frame to a task under another kind, from the reader's position on. */
static void hnowd_pass(struct hnowd_task *task, enum control_kind kind, const struct unpack *in)
{
    control_pass(channel_out(&task->channel), kind, in);
    channel_send(&task->channel);
}

/* ANSWER names the asking task first; the rest becomes ADDRESS unchanged. */
static void hnowd_answer(struct hnowd *agent, struct unpack *in)
{
    struct hnowd_task *task = hnowd_task(agent, unpack_u32(in));
    if (task)
        hnowd_pass(task, CONTROL_ADDRESS, in);
}

/* Delivers messages that another task sent before it ended. */
static void hnowd_deliver(struct hnowd *agent, struct unpack *in)
{
    struct unpack fields = *in;
    struct hnowd_task *task = hnowd_task(agent, unpack_u32(&fields));
    if (task)
        hnowd_pass(task, CONTROL_UNDELIVERED, in);
}

/* Notifies all enrolled tasks of an end.  Others, which may be programs that never enrol, are
 * notified when they enrol. */
static void hnowd_gone(struct hnowd *agent, struct unpack *in)
{
    struct unpack tid = *in;
    for (size_t i = 0; i < agent->tasks.ntask; i++)
        if (agent->tasks.task[i] && agent->tasks.task[i]->how & CONTROL_DID_ENROL)
            hnowd_pass(agent->tasks.task[i], CONTROL_ENDED, in);
    hnowd_world_note_end(agent, unpack_u32(&tid), in);
}

/* Hosts were added: notifies running tasks; later ones get the list in WELCOME. */
static void hnowd_hosts_more(struct hnowd *agent, struct unpack *in)
{
    struct unpack list = *in;
    struct unpack known = unpack_from(agent->hosts.data, agent->hosts.length);
    uint32_t n = unpack_u32(&list) + unpack_u32(&known);
    /* The new entries follow the old ones; the count in front is replaced below. */
    pack_raw(&agent->hosts, list.data + list.at, list.length - list.at);
    if (!agent->hosts.failed)
        bytes_put32(agent->hosts.data, n);
    for (size_t i = 0; i < agent->tasks.ntask; i++)
        if (agent->tasks.task[i])
            hnowd_pass(agent->tasks.task[i], CONTROL_HOSTS_MORE, in);
}

/* Tasks on other hosts exist from now on, so tasks must listen on the network, too. It is never
 * taken back. */
static void hnowd_wide(struct hnowd *agent, struct unpack *in)
{
    agent->wide = true;
    for (size_t i = 0; i < agent->tasks.ntask; i++)
        if (agent->tasks.task[i])
            hnowd_pass(agent->tasks.task[i], CONTROL_WIDE, in);
}

/* Forwards a frame of hrun to a task, or to all, even before they have enrolled. An inner frame
 * that is damaged is dropped. */
static void hnowd_to_task(struct hnowd *agent, struct unpack *in)
{
    uint32_t tid = unpack_u32(in);
    struct control_frame inner;
    if (control_unwrap(in, &inner))
        return;
    for (size_t i = 0; i < agent->tasks.ntask; i++)
        if (agent->tasks.task[i] && (tid == 0 || agent->tasks.task[i]->tid == tid))
            hnowd_pass(agent->tasks.task[i], inner.kind, &inner.payload);
}

/* First the refused connections that the relay has not reported yet. */
static void hnowd_end_frame(struct hnowd *agent, struct unpack *in)
{
    uint32_t milliseconds = unpack_u32(in);
    relay_report(&agent->relay);
    hnowd_end(agent, milliseconds, unpack_str(in));
}

/* One row for each kind of frame.  Frames that are not for this file have their handlers in
 * others. */
static const struct hnowd_handler {
    enum control_kind kind;
    void (*handle)(struct hnowd *agent, struct unpack *in);
} hnowd_handlers[] = {
    {CONTROL_SETUP, hnowd_setup},
    {CONTROL_JOBTEXT, hnowd_jobtext},
    {CONTROL_WORLD, hnowd_world},
    {CONTROL_PROGRAM, hnowd_program},
    {CONTROL_SPAWN, hnowd_spawn},
    {CONTROL_INPUT, hnowd_input},
    {CONTROL_CREDIT, hnowd_credit},
    {CONTROL_SIGNAL, hnowd_signal_frame},
    {CONTROL_ANSWER, hnowd_answer},
    {CONTROL_GONE, hnowd_gone},
    {CONTROL_END, hnowd_end_frame},
    {CONTROL_TO_TASK, hnowd_to_task},
    {CONTROL_LAUNCH, hnowd_launch},
    {CONTROL_LAUNCH_IN, hnowd_launch_in},
    {CONTROL_LAUNCH_SIGNAL, hnowd_launch_signal},
    {CONTROL_STAGE, hnowd_stage},
    {CONTROL_STAGE_DATA, hnowd_stage_data},
    {CONTROL_HOSTS_MORE, hnowd_hosts_more},
    {CONTROL_WIDE, hnowd_wide},
    {CONTROL_UNDELIVERED, hnowd_deliver},
    {CONTROL_CLOCK_ASK, hnowd_clock},
};

/* A kind without a handler is ignored: PULSE, which only has to arrive. O(kinds), which is little
 * beside the work of a frame. */
void hnowd_frame(struct channel *up, struct control_frame *frame)
{
    struct hnowd *agent = ev_userdata(up->loop);
    for (size_t i = 0; i < sizeof hnowd_handlers / sizeof *hnowd_handlers; i++)
        if (hnowd_handlers[i].kind == frame->kind) {
            hnowd_handlers[i].handle(agent, &frame->payload);
            return;
        }
    if (frame->kind >= CONTROL_RELAY_OPEN && frame->kind <= CONTROL_RELAY_CLOSE)
        relay_frame(&agent->relay, frame);
}

/* Frees what SETUP, the texts and the programs have left. */
void hnowd_frames_close(struct hnowd *agent)
{
    for (size_t i = 0; i < agent->tasks.nprogram; i++)
        hnowd_program_free(&agent->tasks.program[i]);
    for (size_t i = 0; i < agent->tasks.ntext; i++) {
        free(agent->tasks.text[i].key);
        free(agent->tasks.text[i].text);
    }
    free(agent->tasks.program);
    free(agent->tasks.text);
    free(agent->base);
    free(agent->ports);
    free(agent->iface);
    pack_free(&agent->hosts);
}
