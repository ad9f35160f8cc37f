/* hnowd_run.c - the agent's life: its loop, its channel to hrun, its end; see hnowd.h. */
#include "hnowd/hnowd.h"

#include "hnowd/guardian.h"
#include "base/signals.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void hnowd_up_ended(struct channel *up, const char *why)
{
    hnowd_abandon(ev_userdata(up->loop), "the connection to hrun has ended%s%s", why ? ": " : "",
                  why ? why : "");
}

static void hnowd_on_signal(struct ev_loop *loop, ev_signal *watcher, int events)
{
    (void)events;
    hnowd_abandon(ev_userdata(loop), "the agent was ended by signal %d (%s)", watcher->signum,
                  strsignal(watcher->signum));
}

static const struct channel_events hnowd_up_events = {.frame = hnowd_frame,
                                                      .ended = hnowd_up_ended};

int hnowd_run(int in, int out, int input, bool direct, const char *cache)
{
    static const int deadly[] = {SIGTERM, SIGINT, SIGHUP};
    ev_signal watchers[3];
    struct hnowd agent = {.loop = ev_default_loop(EVFLAG_AUTO), .input = input, .direct = direct};
    if (!agent.loop)
        return 1;
    signal(SIGPIPE, SIG_IGN);
    list_init(&agent.launches);
    list_init(&agent.tasks.worlds);
    list_init(&agent.stages);
    agent.cache = cache;
    agent.files = spawn_raise_limit();
    if (input >= 0)
        fcntl(input, F_SETFD, FD_CLOEXEC);
    ev_set_userdata(agent.loop, &agent);
    for (int i = 0; i < 3; i++) {
        ev_signal_init(&watchers[i], hnowd_on_signal, deadly[i]);
        if (deadly[i] == SIGTERM || !signals_is_ignored(deadly[i]))
            ev_signal_start(agent.loop, &watchers[i]);
    }
    hnowd_end_init(&agent);
    channel_open(&agent.up, agent.loop, in, out, &hnowd_up_events);
    hnowd_hello(&agent, direct);
    ev_run(agent.loop, 0);
    ev_timer_stop(agent.loop, &agent.load);
    guardian_sweep();
    relay_close(&agent.relay);
    hnowd_stage_close(&agent);
    channel_close(&agent.up);
    return agent.ending ? 0 : 1;
}
