/* hnowd_run.c - runs the agent: its loop, its channel to hrun, its end; see hnowd.h.
 *
 * SIGINT and SIGHUP are watched only if they were not ignored at the start, as under nohup(1).
 *
 * The agent has one thread and one event loop.  It ends when hrun has asked for it and all tasks
 * are over, or at once when hrun's channel or a signal ends it.
 */
#include "hnowd/hnowd.h"

#include "hnowd/guardian.h"
#include "base/signals.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>

/* Without hrun no task can be reported or ended any more, so all end with the agent. */
static void hnowd_up_ended(struct channel *up, const char *why)
{
    hnowd_abandon(ev_userdata(up->loop), "the connection to hrun has ended%s%s", why ? ": " : "",
                  why ? why : "");
}

/* The guardian's end arrives here as SIGTERM, too. */
static void hnowd_on_signal(struct ev_loop *loop, ev_signal *watcher, int events)
{
    (void)events;
    hnowd_abandon(ev_userdata(loop), "the agent was ended by signal %d (%s)", watcher->signum,
                  strsignal(watcher->signum));
}

/* Silence is watched by pulse.c, not by the channel. */
static const struct channel_events hnowd_up_events = {.frame = hnowd_frame,
                                                      .ended = hnowd_up_ended};

/* SIGTERM is watched even if it was ignored: it is how hrun ends an agent. */
static void hnowd_watch_signals(struct hnowd *agent)
{
    static const int deadly[HNOWD_DEADLY] = {SIGTERM, SIGINT, SIGHUP};
    for (int i = 0; i < HNOWD_DEADLY; i++) {
        ev_signal_init(&agent->deadly[i], hnowd_on_signal, deadly[i]);
        if (deadly[i] == SIGTERM || !signals_is_ignored(deadly[i]))
            ev_signal_start(agent->loop, &agent->deadly[i]);
    }
}

/* HELLO is sent before anything is received.  The default loop is needed, because libev watches
 * children only there. */
bool hnowd_begin(struct hnowd *agent, int in, int out, int input, bool direct, const char *cache)
{
    *agent = (struct hnowd){.loop = ev_default_loop(EVFLAG_AUTO),
                            .input = input,
                            .direct = direct,
                            .cache = cache,
                            .files = spawn_raise_limit()};
    if (!agent->loop)
        return false;
    /* A write to a task that has closed its input gives EPIPE instead. */
    signal(SIGPIPE, SIG_IGN);
    list_init(&agent->launches);
    list_init(&agent->tasks.worlds);
    list_init(&agent->stages);
    /* Only the task that gets it may inherit it. */
    if (input >= 0)
        fcntl(input, F_SETFD, FD_CLOEXEC);
    ev_set_userdata(agent->loop, agent);
    hnowd_watch_signals(agent);
    hnowd_end_init(agent);
    channel_open(&agent->up, agent->loop, in, out, &hnowd_up_events);
    hnowd_hello(agent, direct);
    return true;
}

/* All descendants are killed first.  Then the data can be freed, as no callback runs any more. Exit
 * status 0 only if hrun has asked for the end. */
int hnowd_close(struct hnowd *agent)
{
    ev_timer_stop(agent->loop, &agent->load);
    /* Also processes that tasks have started and left behind. */
    guardian_sweep();
    relay_close(&agent->relay);
    hnowd_stage_close(agent);
    hnowd_tasks_close(agent);
    hnowd_launches_close(agent);
    channel_close(&agent->up);
    hnowd_frames_close(agent);
    return agent->ending ? 0 : 1;
}

/* The agent is on the stack, and the loop's user data points to it. */
int hnowd_run(int in, int out, int input, bool direct, const char *cache)
{
    struct hnowd agent;
    if (!hnowd_begin(&agent, in, out, input, direct, cache))
        return 1;
    ev_run(agent.loop, 0);
    return hnowd_close(&agent);
}
