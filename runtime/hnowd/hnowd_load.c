/* hnowd_load.c - reports the load of this host.
 *
 * The kernel's load (an average over a minute of runnable processes) changes every five seconds.
 * The agent reads it as often and notifies hrun when it has changed.  So hrun can answer questions
 * about hosts at once, even if a host does not respond.  Cost: a read of some bytes.
 */
#include "hnowd/hnowd.h"

#include <stdio.h>

#define HNOWD_LOAD_TICK 5.0 /* seconds: the kernel computes it as often */

/* Reads the kernel's load in hundredths.  False: it is unavailable. */
static bool hnowd_load_now(uint32_t *load)
{
    FILE *file = fopen("/proc/loadavg", "re");
    unsigned whole, hundredths;
    if (!file)
        return false;
    int n = fscanf(file, "%u.%2u", &whole, &hundredths);
    fclose(file);
    *load = whole * 100 + hundredths;
    return n == 2;
}

/* Only changes are sent; an idle host sends nothing. */
static void hnowd_on_load(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct hnowd *agent = timer->data;
    uint32_t load;
    (void)loop, (void)events;
    if (!hnowd_load_now(&load) || load == agent->load_said)
        return;
    agent->load_said = load;
    channel_put(&agent->up, CONTROL_LOAD, load);
}

/* The first report is sent at once, because no load equals UINT32_MAX. */
void hnowd_load_begin(struct hnowd *agent)
{
    agent->load_said = UINT32_MAX;
    ev_timer_init(&agent->load, hnowd_on_load, 0., HNOWD_LOAD_TICK);
    agent->load.data = agent;
    ev_timer_start(agent->loop, &agent->load);
}
