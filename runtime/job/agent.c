/* agent.c - frames to and from the agent (which ones: control.h).
 *
 * During enrolment, reading blocks: WELCOME is available when the process starts.  Later the loop
 * reads and writes the descriptor like any other.  If the agent is gone, so is the job on this
 * host.  Then the process is ended, because nothing else could end it any more.
 */
#include "job/agent.h"

#include "base/array.h"
#include "base/error.h"
#include "job/question.h"
#include "job/task.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WELCOME_PATIENCE = 30000 /* ms */ };

/* Bytes of a read from the agent. */
enum { READ_MOST = 65536 };

/* Bytes that are always reserved for frames to the agent.  The library's own frames, which nobody
 * could send again, are shorter than 1 KiB. */
enum { SPARE = 4096 };

/* Numbers are assigned in the order of the list, so that a host is mostly at its number. */
static const char *find_host(const struct agent *a, uint32_t number)
{
    if (number < a->host_count && a->hosts[number].number == number)
        return a->hosts[number].name;
    for (unsigned i = 0; i < a->host_count; i++)
        if (a->hosts[i].number == number)
            return a->hosts[i].name;
    return NULL;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Stores hosts of the job, from WELCOME or added later. */
static bool take_hosts(struct task *t, struct unpack *u)
{
    struct agent *a = &t->agent;
    uint32_t n = unpack_count(u, 9);

    if (!ARRAY_ROOM(a->hosts, (size_t)a->host_count + n + 1))
        return false;
    for (; n > 0; n--) {
        uint32_t number = unpack_u32(u);
        const char *name = unpack_str(u);

        /* A host's own tid makes it known that this host exists. */
        tids_learn(&t->tids, (hn_tid)control_tid(number, 0));
        if (find_host(a, number))
            continue;
        a->hosts[a->host_count].number = number;
        a->hosts[a->host_count].name = strdup(name);
        if (!a->hosts[a->host_count].name)
            return false;
        a->host_count++;
    }
    return true;
}

/* The world is complete from the start, and constant: later tasks belong to worlds of their own. */
static bool take_world(struct hn_group *world, struct unpack *u)
{
    uint32_t n = unpack_count(u, 4);

    world->tid = calloc(n ? n : 1, sizeof *world->tid);
    if (!world->tid)
        return false;
    for (world->size = 0; world->size < (int)n; world->size++)
        world->tid[world->size] = (hn_tid)unpack_u32(u);
    return true;
}

void agent_take_hosts(struct task *t, struct unpack *u)
{
    take_hosts(t, u);
}

/* Processes WELCOME: secret, tid, rank, size, parent, ports, interface, wide, hosts, world. */
static int take_welcome(struct task *t, struct unpack *u)
{
    struct agent *a = &t->agent;
    const uint8_t *secret = unpack_raw(u, sizeof t->secret);

    if (secret)
        memcpy(t->secret, secret, sizeof t->secret);
    t->tid = (hn_tid)unpack_u32(u);
    t->rank = (int)unpack_u32(u);
    unpack_u32(u); /* the list of tids begins with the size, too */
    t->parent = (hn_tid)unpack_u32(u);
    t->others.grown = t->parent > 0;
    tids_learn(&t->tids, t->tid);
    tids_learn(&t->tids, t->parent);
    a->ports = strdup(unpack_str(u));
    a->iface = strdup(unpack_str(u));
    a->wide = unpack_u8(u) != 0;
    if (!a->ports || !a->iface || !take_hosts(t, u) || !take_world(&t->world, u))
        return error_set(HN_ENOMEM, "out of memory");
    tids_learn_all(&t->tids, t->world.tid, t->world.size);
    return u->failed ? error_set(HN_EPROTO, "the agent's first frame is not well formed") : HN_OK;
}

/* A text that cannot be stored is counted, so that a caller who waits for it does not wait
 * forever. */
void agent_take_text(struct task *t, struct unpack *u)
{
    struct agent *a = &t->agent;
    struct agent_text *text = calloc(1, sizeof *text);

    a->texts_lost += !text;
    if (!text)
        return;
    text->key = strdup(unpack_str(u));
    const uint8_t *bytes = unpack_blob(u, &text->length);
    text->text = malloc(text->length + 1);
    if (!text->key || !text->text) {
        a->texts_lost++;
        free(text->key);
        free(text->text);
        free(text);
        return;
    }
    if (text->length > 0)
        memcpy(text->text, bytes, text->length);
    text->text[text->length] = '\0';
    list_append(&a->texts, &text->node);
}

/* A kind without a route is an answer to a question. */
static void take_frame(struct task *t, struct control_frame *f)
{
    for (const struct agent_route *r = t->agent.routes; r->take; r++)
        if (r->kind == f->kind) {
            r->take(t, &f->payload);
            return;
        }
    question_answered(t, f);
}

/* Reads bytes from the agent into the decoder, which has room for them.  Returns their number; 0 at
 * the end, -1 when none are available. */
static ssize_t fill(int fd, struct control_decoder *in)
{
    uint8_t buffer[READ_MOST];
    ssize_t n = read(fd, buffer, sizeof buffer);

    if (n < 0)
        return errno == EAGAIN || errno == EINTR ? -1 : 0;
    control_feed(in, buffer, (size_t)n);
    return n;
}

/* A malformed frame ends the loop as a missing one does. */
static void take_frames(struct task *t, struct control_decoder *in)
{
    struct control_frame f;

    while (control_next(in, &f) == 1)
        take_frame(t, &f);
}

/* Reads once, at most READ_MOST bytes.  The loop calls again if there is more. */
bool agent_read(struct task *t, int fd, struct control_decoder *in)
{
    if (!control_room(in, READ_MOST)) {
        question_give_up(t); /* hrun's answers are read when there is memory again */
        return true;
    }
    if (fill(fd, in) == 0)
        return false;
    take_frames(t, in);
    return true;
}

static void on_readable(struct ev_loop *loop, ev_io *w, int events)
{
    struct task *t = w->data;

    (void)events;
    if (agent_read(t, w->fd, &t->agent.in))
        return;
    ev_io_stop(loop, w);
    /* not exit(): handlers of the program must not wait for a job that is gone */
    kill(getpid(), SIGTERM);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Any error ends the loop: EAGAIN is continued by the watcher, and a broken socket is found by
 * reading. */
static void write_out(struct agent *a)
{
    while (a->out.length > 0) {
        ssize_t n = write(a->fd, a->out.data + a->written, a->out.length - a->written);
        if (n < 0)
            return;
        pack_gone(&a->out, &a->written, (size_t)n);
    }
}

static void on_writable(struct ev_loop *loop, ev_io *w, int events)
{
    struct agent *a = &((struct task *)w->data)->agent;

    (void)events;
    write_out(a);
    if (a->out.length == 0)
        ev_io_stop(loop, w);
}

/* Writes at once what the socket takes. A task that computes for long does not run the loop. */
static void flush(struct task *t)
{
    struct agent *a = &t->agent;

    write_out(a);
    if (a->out.length > 0 && !ev_is_active(&a->writable)) {
        ev_io_start(t->engine.loop, &a->writable);
        engine_changed(&t->engine);
    }
}

/* Sends the frame packed after the first `before` bytes, if it is complete: a partial frame would
 * make everything after it unreadable. */
static bool send_behind(struct task *t, size_t before)
{
    struct pack *out = &t->agent.out;
    bool whole = !out->failed;

    if (!whole) {
        out->length = before;
        out->failed = false;
    }
    flush(t);
    return whole;
}

/* Returns false without memory; then nothing of the frame is sent. */
bool agent_send(struct task *t, const struct pack *frame)
{
    size_t before = t->agent.out.length;

    pack_raw(&t->agent.out, frame->data, frame->length);
    return !frame->failed && send_behind(t, before);
}

bool agent_put(struct task *t, enum control_kind kind, ...)
{
    size_t before = t->agent.out.length;
    va_list fields;

    va_start(fields, kind);
    control_vput(&t->agent.out, kind, fields);
    va_end(fields);
    return send_behind(t, before);
}

/* The text belongs to the agent's struct and lives as long as the task's context. */
const struct agent_text *agent_find_text(const struct task *t, const char *key)
{
    list_for_each (n, &t->agent.texts) {
        struct agent_text *text = list_entry(n, struct agent_text, node);
        if (strcmp(text->key, key) == 0)
            return text;
    }
    return NULL;
}

/* Writes without the loop.  At most WELCOME_PATIENCE ms for each step, because an agent that is
 * stopped must not keep the program from ending. */
void agent_leave(struct task *t, bool may_return)
{
    struct agent *a = &t->agent;

    if (a->fd < 0)
        return;
    t->asking.shortcut.answered = false; /* no question may overtake the following frames */
    control_put(&a->out, CONTROL_RETIRE, may_return ? 1u : 0u);
    control_put(&a->out, CONTROL_LEAVE);
    while (a->out.length > 0 && !a->out.failed) {
        struct pollfd p = {.fd = a->fd, .events = POLLOUT};
        write_out(a);
        int ready = a->out.length > 0 ? poll(&p, 1, WELCOME_PATIENCE) : 1;
        if (ready == 0 || (ready < 0 && errno != EINTR))
            return;
    }
}

/* ---- beginning and end -------------------------------------------------------------------- */

/* Value of HNOW_AGENT_FD after enrolling: this process was a task already.  Programs that it starts
 * are jobs of their own. */
static void remember_turn(void)
{
    char text[32];

    snprintf(text, sizeof text, "used by %d", (int)getpid());
    setenv("HNOW_AGENT_FD", text, 1);
}

static bool is_socket(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode);
}

/* HN_OK with -1: there is no agent, or the variable is not a number, as in a program that a task
 * has started. */
static int descriptor_from_environment(int *fd)
{
    const char *text = getenv("HNOW_AGENT_FD");
    char *end;
    int pid;

    *fd = -1;
    if (!text)
        return HN_OK;
    if (sscanf(text, "used by %d", &pid) == 1 && pid == getpid())
        return error_set(HN_ESTATE, "this process has left its job: it cannot enrol again");
    long n = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || n < 0 || n > INT_MAX)
        return HN_OK;
    if (!is_socket((int)n)) /* a job of its own would only seem to work: rank 0 of 1, many times */
        return error_set(HN_ESTATE,
                         "descriptor %ld, the way to the agent (HNOW_AGENT_FD), was closed by the "
                         "program that started this one, or by this one: let it pass (Python: "
                         "close_fds=False), or take HNOW_AGENT_FD out of the environment for a "
                         "job of its own",
                         n);
    *fd = (int)n;
    return HN_OK;
}

/* Frames behind WELCOME stay in the decoder until agent_enrol(). */
static int wait_for_welcome(struct task *t)
{
    struct control_frame f;
    int result;

    while ((result = control_next(&t->agent.in, &f)) == 0) {
        struct pollfd p = {.fd = t->agent.fd, .events = POLLIN};
        int ready = poll(&p, 1, WELCOME_PATIENCE);

        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return error_set(HN_EPROTO, "the agent has not answered for %d s",
                             WELCOME_PATIENCE / 1000);
        if (!control_room(&t->agent.in, READ_MOST))
            return error_set(HN_ENOMEM, "out of memory");
        if (fill(t->agent.fd, &t->agent.in) == 0)
            return error_set(HN_EPROTO, "the agent has ended: the reason is in hrun's line about "
                                        "this host");
    }
    if (result < 0 || f.kind != CONTROL_WELCOME)
        return error_set(HN_EPROTO, "the agent does not speak this version's protocol");
    return take_welcome(t, &f.payload);
}

/* For a program that was started by hand: see adopted.c. */
static void take_witness(struct agent *a)
{
    const char *text = getenv("HNOW_WITNESS_FD");

    if (!text)
        return;
    a->witness = atoi(text);
    fcntl(a->witness, F_SETFD, FD_CLOEXEC);
    unsetenv("HNOW_WITNESS_FD");
}

void agent_init(struct agent *a, const struct agent_route *routes)
{
    a->routes = routes;
    a->fd = a->witness = -1;
    list_init(&a->texts);
}

/* Several programs of one task (of a shell script) share the descriptor, but only one may use it.
 * The first one makes it nonblocking, which the others detect. */
int agent_welcome(struct task *t)
{
    struct agent *a = &t->agent;

    take_witness(a);
    int result = descriptor_from_environment(&a->fd);
    if (result != HN_OK || a->fd < 0)
        return result;
    int flags = fcntl(a->fd, F_GETFL);
    if (flags & O_NONBLOCK) {
        a->fd = -1;
        return error_set(HN_ESTATE, "another program of this task has enrolled before: a task of "
                                    "a job is one program");
    }
    fcntl(a->fd, F_SETFD, FD_CLOEXEC);
    fcntl(a->fd, F_SETFL, flags | O_NONBLOCK);
    remember_turn();
    return wait_for_welcome(t);
}

/* From here on the agent's frames are processed by the loop.  The reserve in `out` is allocated
 * first, so that a later lack of memory does not lose the library's own frames. */
void agent_enrol(struct task *t, uint16_t port)
{
    struct agent *a = &t->agent;

    ev_io_init(&a->readable, on_readable, a->fd, EV_READ);
    ev_io_init(&a->writable, on_writable, a->fd, EV_WRITE);
    a->readable.data = a->writable.data = t;
    ev_io_start(t->engine.loop, &a->readable);
    take_frames(t, &a->in); /* frames that arrived directly after WELCOME */
    pack_room(&a->out, SPARE);
    a->out.failed = false; /* without the reserve it works as long as there is memory */
    control_put(&a->out, CONTROL_ENROL, HNOW_VERSION, port, (unsigned)getpid());
    flush(t);
}

/* NULL: no host with that number is known. */
const char *agent_host_name(const struct task *t, uint32_t number)
{
    return find_host(&t->agent, number);
}

/* Also for a context that was only partly made: all pointers are NULL, and fd is -1, from the
 * start. */
void agent_clear(struct task *t)
{
    struct agent *a = &t->agent;

    shortcut_close(t);
    for (unsigned i = 0; i < a->host_count; i++)
        free(a->hosts[i].name);
    free(a->hosts);
    list_for_each_safe (n, &a->texts) {
        struct agent_text *text = list_entry(n, struct agent_text, node);
        free(text->key);
        free(text->text);
        free(text);
    }
    free(a->ports);
    free(a->iface);
    pack_free(&a->out);
    control_decoder_free(&a->in);
    if (a->witness >= 0)
        close(a->witness);
    if (a->fd < 0)
        return;
    /* The loop may not have been made; then the watchers were never started. */
    if (t->engine.loop) {
        ev_io_stop(t->engine.loop, &a->readable);
        ev_io_stop(t->engine.loop, &a->writable);
    }
    close(a->fd);
    a->fd = -1;
}
