/* routes.c - the table of functions for the agent's frames (agent.h). */
#include "job/routes.h"

#include "job/delegation.h"
#include "job/failure.h"
#include "job/notification.h"
#include "job/others.h"
#include "job/task.h"
#include "job/waits_answer.h"

/* Posted receives fail here; sends, probes and questions find `quitting` in their conditions. */
static void quit(struct task *t, struct unpack *fields)
{
    (void)fields;
    t->quitting = HN_EJOB;
    match_fail_all(&t->match, HN_EJOB);
}

static void widen(struct task *t, struct unpack *fields)
{
    (void)fields;
    listener_widen(t);
}

const struct agent_route task_routes[] = {
    {CONTROL_ADDRESS, others_address},
    {CONTROL_ENDED, others_end},
    {CONTROL_GROWN, others_grown},
    {CONTROL_QUIT, quit},
    {CONTROL_WIDE, widen},
    {CONTROL_CAPTURED, captured_receive},
    {CONTROL_WAITS_ASK, waits_answer},
    {CONTROL_NOTIFICATION, notification_receive},
    {CONTROL_SHRINKS, failure_shrinks},
    {CONTROL_DELEGATE, delegation_take},
    {CONTROL_RECALL, delegation_recall},
    {CONTROL_UNDELIVERED, others_undelivered},
    {CONTROL_HOSTS_MORE, agent_take_hosts},
    {CONTROL_TEXT, agent_take_text},
    {0, NULL},
};
