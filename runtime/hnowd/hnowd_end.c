/* hnowd_end.c - the end of an agent: hrun requests it, or hrun is gone; see hnowd.h.
 *
 * Three ends: hrun requests it (END), the channel or a signal ends it (hnowd_abandon()), or hrun
 * never answers.  Only the first waits for tasks.
 *
 * The loop ends by ev_break(); hnowd_close() then kills what is left and frees everything.
 */
#include "base/tcp_look.h"
#include "hnowd/hnowd.h"

#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { HNOWD_LAST_WORDS = 2000 }; /* milliseconds for hrun to read them */
/* Seconds for hrun to answer HELLO.  It answers at once, unless the user has stopped it (Ctrl-Z).
 * Without the limit, a cable that is cut at that moment would remain undetected. */
#define HNOWD_ANSWER 60.
enum { HNOWD_WHY = 300 }; /* bytes of the reason why an agent gives up */

/* Patience is over.  The tasks' ends then end the agent as usual. */
static void hnowd_on_kill(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop, (void)events;
    hnowd_signal_all(timer->data, SIGKILL);
}

/* hrun's end of the channel is open, but it has not answered HELLO. */
static void hnowd_on_no_setup(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop, (void)events;
    hnowd_abandon(timer->data, "hrun has not answered for %.0f s", HNOWD_ANSWER);
}

/* On hrun's own host an end of hrun closes the channel, so no time limit is needed. */
void hnowd_end_init(struct hnowd *agent)
{
    ev_timer_init(&agent->kill, hnowd_on_kill, 0., 0.);
    ev_timer_init(&agent->answer, hnowd_on_no_setup, HNOWD_ANSWER, 0.);
    agent->kill.data = agent->answer.data = agent;
    if (!agent->direct)
        ev_timer_start(agent->loop, &agent->answer);
}

/* Called after every event that may have been the last: the end of a task or of a launched
 * agent. The channel is written out first, for at most HNOWD_LAST_WORDS. */
void hnowd_end_if_done(struct hnowd *agent)
{
    if (!agent->ending || agent->tasks.live > 0 || !list_empty(&agent->launches))
        return;
    channel_drain(&agent->up, HNOWD_LAST_WORDS);
    ev_break(agent->loop, EVBREAK_ALL);
}

/* Tasks that have enrolled are notified, so that their calls return HN_EJOB. May be called again
 * with a shorter time. milliseconds 0: SIGKILL at once. */
void hnowd_end(struct hnowd *agent, uint32_t milliseconds, const char *why)
{
    for (size_t i = 0; i < agent->tasks.ntask; i++) {
        struct hnowd_task *task = agent->tasks.task[i];
        /* A program that has not enrolled could not process the frame. */
        if (task && task->state != CHILD_RUNNING) {
            channel_put(&task->channel, CONTROL_QUIT, why);
        }
    }
    agent->ending = true;
    hnowd_signal_all(agent, milliseconds > 0 ? SIGTERM : SIGKILL);
    hnowd_signal_all(agent, SIGCONT); /* a stopped process would not handle SIGTERM */
    ev_timer_stop(agent->loop, &agent->kill);
    ev_timer_set(&agent->kill, milliseconds / 1000., 0.);
    ev_timer_start(agent->loop, &agent->kill);
    hnowd_end_if_done(agent);
}

/* hrun is gone, or a signal requests the end: nothing may remain.  The guardian kills the rest.  If
 * hrun is alive after all, it reads the reason from the standard error of this process (ssh's, or a
 * pipe).  Writing it must not block. The loop ends as soon as its present callback returns. */
void hnowd_abandon(struct hnowd *agent, const char *format, ...)
{
    struct pollfd errors = {.fd = STDERR_FILENO, .events = POLLOUT};
    char why[HNOWD_WHY];
    va_list list;
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    hnowd_signal_all(agent, SIGKILL);
    if (!agent->ending && poll(&errors, 1, 0) == 1)
        dprintf(errors.fd, "hnowd: %s\n", why);
    ev_break(agent->loop, EVBREAK_ALL);
}

/* A path that loses many packets, but has delivered some recently, gets more time. False: wait for
 * longer. may_wait: pulse.c still allows it. */
static bool hnowd_up_silent(struct channel *up, bool may_wait)
{
    struct hnowd *agent = ev_userdata(up->loop);
    char hint[TCP_LOOK_TEXT];
    if (tcp_look_silent_sshd(getenv("SSH_CONNECTION"), agent->pulse.busy, hint) && may_wait)
        return false;
    hnowd_abandon(agent, "nothing was heard from hrun for %.0f s%s",
                  PULSE_TICK * agent->pulse.silent, hint);
    return true;
}

/* Called with SETUP, since hrun sends keep-alives from then on. */
void hnowd_expect_pulse(struct hnowd *agent)
{
    ev_timer_stop(agent->loop, &agent->answer);
    if (!agent->direct)
        pulse_start(&agent->pulse, &agent->up, hnowd_up_silent);
}
