/* job_tree.c - agents that start further agents, for large numbers of hosts; see job_host.h.
 *
 * hrun starts the first hosts itself, JOB_WINDOW at a time.  While others are queued, agents that
 * are up are tried as parents.  Such an agent runs the same command that hrun would run, and
 * forwards the channel of the new agent in frames (LAUNCH...).  Everything else is unchanged: hrun
 * exchanges frames with the new agent itself, gets its heartbeat, and detects its end.
 *
 * On a fresh cluster this cannot work: keys and known hosts exist only on the user's host, unless
 * the ssh agent is forwarded.  So it is tried first.  A parent starts one host.  If that fails, or
 * takes much longer than hrun's own starts, hrun starts that host itself.  After JOB_TREE_TRIES
 * such failures no other parent is tried.  If it works, each parent starts JOB_TREE_ABREAST at a
 * time and up to JOB_TREE_CHILDREN in all, and hrun itself at most JOB_DIRECT_MOST hosts.  A
 * message about an unreachable host always comes from hrun's own attempt.
 *
 * Hosts with a gateway (via=), loopback addresses, and all hosts with a -launcher never use the
 * tree.  When a parent is lost, so are the hosts that it has started.
 *
 * Cost: O(hosts) to find a parent; one more copy of each byte for each level.
 *
 * Invariant: tree.starting and tree.nchild of a parent count its hosts; a host that fails is
 * subtracted.
 */
#include "hrun/hosts/job_host.h"

enum {
    JOB_TREE_TRIES = 2,   /* one failure may be that host's own; each may cost seconds */
    JOB_TREE_ABREAST = 4, /* ssh logins at a time on a host that also computes */
    /* hosts that are lost with their parent, which also copies all their output */
    JOB_TREE_CHILDREN = 16,
    JOB_DIRECT_MOST = 32, /* ssh processes of hrun: two rounds of JOB_WINDOW */
};

/* Whether this host can start others, now or when its current starts are done. The host of hrun
 * itself is none: hrun starts hosts directly. */
static bool job_tree_may_parent(const struct job_host *host)
{
    if (!job_host_is_up(host) || host->about.direct || host->tree.reach == JOB_REACH_FAILS)
        return false;
    return host->tree.reach == JOB_REACH_WORKS ? host->tree.nchild < JOB_TREE_CHILDREN
                                               : host->job->tree.tree_failures < JOB_TREE_TRIES;
}

/* Number of starts in progress from hosts that have not started any host yet. At most
 * JOB_TREE_TRIES less the failures so far. */
static int job_tree_trials(const struct job *job)
{
    int trials = 0;
    for (int i = 0; i < job->nhost; i++)
        if (job->host[i].tree.reach != JOB_REACH_WORKS)
            trials += job->host[i].tree.starting;
    return trials;
}

/* Whether this host can start one more now, with so many trials in progress. A trial is one start
 * at a time. */
static bool job_tree_has_room(const struct job_host *host, int trials)
{
    if (host->tree.reach == JOB_REACH_WORKS)
        return host->tree.starting < JOB_TREE_ABREAST;
    return host->tree.starting == 0 && trials < JOB_TREE_TRIES - host->job->tree.tree_failures;
}

/* The host with the fewest children is chosen, so the tree stays flat. Hosts with a gateway, or
 * with a launcher, are excluded. */
bool job_tree_begin(struct job_host *host)
{
    struct job *job = host->job;
    struct job_host *parent = NULL;
    int trials = job_tree_trials(job);
    if (host->coming.alone || !host->line || host->line->via || job->launch.launcher ||
        launch_is_loopback(host->line))
        return false;
    for (int i = 0; i < job->nhost; i++) {
        struct job_host *one = &job->host[i];
        if (job_tree_may_parent(one) && job_tree_has_room(one, trials) &&
            (!parent || one->tree.nchild < parent->tree.nchild))
            parent = one;
    }
    host->parent = parent;
    return parent;
}

/* Whether hrun has started enough hosts itself and leaves the others to parents. */
bool job_tree_is_enough(const struct job *job)
{
    if (!job->tree.tree_works || job->tree.started < JOB_DIRECT_MOST)
        return false;
    for (int i = 0; i < job->nhost; i++)
        if (job_tree_may_parent(&job->host[i]))
            return true;
    return false;
}

/* ---- frames to the parent --------------------------------------------------------------- */

/* Called by the host's channel in place of write(). n = 0 asks only whether writing is possible. */
static void job_tree_forward(struct channel *channel, const void *data, size_t n)
{
    struct job_host *host = job_host_of(channel);
    if (n == 0 || !host->parent)
        return;
    channel_put(&host->parent->channel, CONTROL_LAUNCH_IN, host->number, data, n);
}

/* The words are those that hrun would execute itself.  The channel of the new host is forwarded in
 * frames of its parent's. Without memory the list of words is empty, which fails at the parent. */
void job_tree_start(struct job_host *host, const struct channel_events *events)
{
    struct job *job = host->job;
    struct pack *out = channel_out(&host->parent->channel);
    char **words = launch_words(&job->launch, host->line);
    uint32_t n = 0;
    while (words && words[n])
        n++;
    size_t begun = control_begin(out, CONTROL_LAUNCH);
    pack_u32(out, host->number);
    pack_u32(out, n);
    for (uint32_t i = 0; i < n; i++)
        pack_str(out, words[i]);
    control_end(out, begun);
    launch_free_words(words);
    channel_open_forwarded(&host->channel, job->loop, job_tree_forward, events);
    host->parent->tree.nchild++;
    job_verbose(job, "host %s: is started from host %s", host->name, host->parent->name);
    job_host_send(host->parent);
}

/* The parent sends it to the process group of the command. number: of the signal; equal on all
 * Linux hosts. */
void job_tree_signal(struct job_host *host, int number)
{
    channel_put(&host->parent->channel, CONTROL_LAUNCH_SIGNAL, host->number, (unsigned)number);
}

/* ---- results -------------------------------------------------------------------------------- */

/* One success shows that keys and known hosts exist there; from now on the parent starts several at
 * a time. */
void job_tree_worked(struct job_host *host)
{
    host->job->tree.tree_works = true;
    host->parent->tree.reach = JOB_REACH_WORKS;
}

/* The host's time starts anew, since hrun's own attempt has not begun. If the parent had succeeded
 * before, it keeps its reputation. */
void job_tree_failed(struct job_host *host)
{
    struct job_host *parent = host->parent;
    host->parent = NULL;
    host->coming.alone = true;
    host->coming.first_start = 0;
    parent->tree.nchild--;
    /* it has started others: the failure is this host's own */
    if (parent->tree.reach == JOB_REACH_WORKS)
        return;
    parent->tree.reach = JOB_REACH_FAILS;
    host->job->tree.tree_failures++;
}

/* An agent may report only about hosts that it has started. number and lengths are another
 * machine's. */
void job_tree_frame(struct job_host *parent, struct control_frame *frame)
{
    struct job *job = parent->job;
    struct unpack *in = &frame->payload;
    uint32_t number = unpack_u32(in);
    struct job_host *host = number < (uint32_t)job->nhost ? &job->host[number] : NULL;
    if (!host || host->parent != parent || host->process.exited)
        return; /* hrun has given up on it */
    if (frame->kind == CONTROL_LAUNCH_OVER) {
        job_agent_ended(host, (int)unpack_u32(in));
        return;
    }
    /* Stream 2 is standard error; everything else is the new agent's channel. */
    unsigned stream = unpack_u8(in);
    size_t n;
    const uint8_t *data = unpack_blob(in, &n);
    if (stream == 2)
        job_host_said(host, (const char *)data, n);
    else if (n > 0)
        channel_feed(&host->channel, data, n);
}

/* The hosts are lost together with their parent, whose message is enough. Each is handled as if its
 * process had ended. */
void job_tree_orphans(struct job_host *parent)
{
    struct job *job = parent->job;
    for (int i = 0; i < job->nhost; i++) {
        struct job_host *host = &job->host[i];
        if (host->parent != parent || host->state == MEMBER_GONE || host->process.exited)
            continue;
        snprintf(host->process.fault, JOB_LINE, "host %s, from which it was started, is gone",
                 parent->name);
        host->coming.refused |= job->end.decided; /* a message was printed */
        job_agent_ended(host, 255 << 8);
    }
}
