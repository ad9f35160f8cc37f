/* hnowd_load.c - reports the load of this host.
 *
 * The kernel's load (an average over a minute of runnable processes) changes every five seconds.
 * The agent reads it as often and notifies hrun when it has changed.  So hrun can answer questions
 * about hosts at once, even if a host does not respond.  Cost: a read of some bytes.
 */
#include "hnowd/hnowd.h"

#include <stdlib.h>

#define HNOWD_LOAD_TICK 5.0 /* seconds: the kernel computes it as often */

/* Without a load from the system nothing is reported. */
static void hnowd_on_load(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct hnowd *agent = timer->data;
    double load;
    (void)loop, (void)events;
    if (getloadavg(&load, 1) != 1)
        return;
    uint32_t hundredths = (uint32_t)(load * 100 + 0.5);
    if (hundredths != agent->load_said)
        channel_put(&agent->up, CONTROL_LOAD, hundredths);
    agent->load_said = hundredths;
}

/* The first report is sent at once, because no load equals UINT32_MAX. */
void hnowd_load_begin(struct hnowd *agent)
{
    agent->load_said = UINT32_MAX;
    ev_timer_init(&agent->load, hnowd_on_load, 0., HNOWD_LOAD_TICK);
    agent->load.data = agent;
    ev_timer_start(agent->loop, &agent->load);
}
