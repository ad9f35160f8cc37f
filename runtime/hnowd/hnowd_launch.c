/* hnowd_launch.c - launches the agents of further hosts for hrun.
 *
 * For large numbers of hosts, hrun lets agents that are up start others, with the command that it
 * would use itself (job_tree.c).  The agent does not interpret anything: it runs the command,
 * forwards bytes in both directions, and reports how the command ended.  The credits between hrun
 * and the other agent bound the bytes in flight, so no further limit is needed here.  A command
 * dies with this agent, by PR_SET_PDEATHSIG and by the guardian.
 *
 * Cost: a process, three descriptors and a copy of each byte for a launched host.
 */
#include "hnowd/hnowd.h"

#include "base/error.h"
#include "hrun/hosts/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes of a frame of output: two frames contain the capacity of ssh's pipe. */
enum { HNOWD_LAUNCH_CHUNK = 32 * 1024 };

/* One command, from LAUNCH to LAUNCH_OVER. hrun knows it by the number of its host. */
struct hnowd_launch {
    struct list_node node; /* on agent->launches */
    struct hnowd *agent;
    uint32_t number; /* of the host */
    pid_t pid;       /* also its process group */
    struct inlet in;
    ev_io out, err;
    ev_child exit;
};

/* Reads once.  False: nothing is available, or nothing more will arrive.  Stream 1 is the other
 * agent's channel, stream 2 its errors. */
static bool hnowd_launch_read(struct hnowd_launch *launch, ev_io *watcher)
{
    char data[HNOWD_LAUNCH_CHUNK];
    ssize_t n = read(watcher->fd, data, sizeof data);
    if (n > 0)
        channel_put(&launch->agent->up, CONTROL_LAUNCH_OUT, launch->number,
                    watcher == &launch->err ? 2u : 1u, data, (size_t)n);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        ev_io_stop(launch->agent->loop, watcher);
    return n > 0;
}

/* Reads once for each event, so that one launched host cannot delay the others. */
static void hnowd_launch_on_readable(struct ev_loop *loop, ev_io *watcher, int events)
{
    (void)loop, (void)events;
    hnowd_launch_read(watcher->data, watcher);
}

/* Its process is not killed: either it has ended, or the guardian does that. */
static void hnowd_launch_free(struct hnowd_launch *launch)
{
    list_remove(&launch->node);
    ev_io_stop(launch->agent->loop, &launch->out);
    ev_io_stop(launch->agent->loop, &launch->err);
    ev_child_stop(launch->agent->loop, &launch->exit);
    inlet_close(&launch->in);
    close(launch->out.fd);
    close(launch->err.fd);
    free(launch);
}

/* Called after guardian_sweep(), so their processes have ended. */
void hnowd_launches_close(struct hnowd *agent)
{
    list_for_each_safe (node, &agent->launches)
        hnowd_launch_free(list_entry(node, struct hnowd_launch, node));
}

/* Other processes may hold its descriptors open, so only the available bytes are read. The launch
 * is freed here. */
static void hnowd_launch_on_exit(struct ev_loop *loop, ev_child *watcher, int events)
{
    struct hnowd_launch *launch = watcher->data;
    struct hnowd *agent = launch->agent;
    (void)loop, (void)events;
    /* A watcher that has stopped at end of file reads 0 again, which ends this at once. */
    while (hnowd_launch_read(launch, &launch->out))
        ;
    while (hnowd_launch_read(launch, &launch->err))
        ;
    channel_put(&agent->up, CONTROL_LAUNCH_OVER, launch->number, (unsigned)watcher->rstatus);
    hnowd_launch_free(launch);
    hnowd_end_if_done(agent);
}

/* The inlet requires a function for the room that it has. */
static void hnowd_launch_wrote(struct inlet *in, size_t n)
{
    (void)in, (void)n; /* hrun does not wait for it */
}

/* Non-blocking, since hnowd_launch_read() reads until nothing is left. */
static void hnowd_launch_watch(struct hnowd_launch *launch, ev_io *watcher, int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    ev_io_init(watcher, hnowd_launch_on_readable, fd, EV_READ);
    watcher->data = launch;
    ev_io_start(launch->agent->loop, watcher);
}

/* The command's channel is one descriptor for both directions.  It is duplicated, because the inlet
 * and the watcher close their own. HN_ESYS with hn_error_text(); words belong to the caller. */
static int hnowd_launch_begin(struct hnowd *agent, uint32_t number, char *const *words)
{
    struct hnowd_launch *launch = calloc(1, sizeof *launch);
    struct launched launched;
    if (!launch || !words || !words[0] || launch_start_words(words, &agent->files, &launched)) {
        free(launch);
        return HN_ESYS;
    }
    int in = fcntl(launched.channel, F_DUPFD_CLOEXEC, 0);
    launch->agent = agent;
    launch->number = number;
    launch->pid = launched.pid;
    launch->in.room = hnowd_launch_wrote;
    inlet_open(&launch->in, agent->loop, in);
    hnowd_launch_watch(launch, &launch->out, launched.channel);
    hnowd_launch_watch(launch, &launch->err, launched.errors);
    ev_child_init(&launch->exit, hnowd_launch_on_exit, launched.pid, 0);
    launch->exit.data = launch;
    ev_child_start(agent->loop, &launch->exit);
    list_append(&agent->launches, &launch->node);
    return HN_OK;
}

/* A command that cannot be started is reported as one that ended with status 126, as shells do. The
 * reason is sent as the command's standard error, so hrun prints it like ssh's. */
void hnowd_launch(struct hnowd *agent, struct unpack *in)
{
    uint32_t number = unpack_u32(in);
    char **words = hnowd_words(in);
    if (agent->ending || hnowd_launch_begin(agent, number, words)) {
        const char *why = agent->ending ? "its agent is ending" : hn_error_text();
        channel_put(&agent->up, CONTROL_LAUNCH_OUT, number, 2u, why, strlen(why));
        channel_put(&agent->up, CONTROL_LAUNCH_OVER, number, 126u << 8);
    }
    launch_free_words(words);
}

/* NULL: it has ended, and hrun does not know that yet. */
static struct hnowd_launch *hnowd_launch_of(struct hnowd *agent, uint32_t number)
{
    list_for_each (node, &agent->launches) {
        struct hnowd_launch *launch = list_entry(node, struct hnowd_launch, node);
        if (launch->number == number)
            return launch;
    }
    return NULL;
}

/* Bytes for the other agent; they wait in the inlet while its process does not read. */
void hnowd_launch_in(struct hnowd *agent, struct unpack *in)
{
    struct hnowd_launch *launch = hnowd_launch_of(agent, unpack_u32(in));
    size_t n;
    const uint8_t *data = unpack_blob(in, &n);
    if (launch)
        inlet_put(&launch->in, data, n);
}

/* To the whole group, because launchers such as ssh start helpers. */
void hnowd_launch_signal(struct hnowd *agent, struct unpack *in)
{
    struct hnowd_launch *launch = hnowd_launch_of(agent, unpack_u32(in));
    int number = (int)unpack_u32(in);
    if (launch)
        kill(-launch->pid, number);
}
