/* child.c - the state machine of a task in its agent; see child.h. */
#include "hnowd/child.h"

#include <stddef.h>

/* Without a rule for DRAINED, a program has closed its output and continues.  Frames of an ended
 * task may still be in the channel. A row that is missing leaves the state as it is. */
static const struct child_rule {
    enum child_state state;
    enum child_event event;
    enum child_action action;
    enum child_state next;
} child_rules[] = {
    /* clang-format off */
    {CHILD_RUNNING,  CHILD_ENROL,   CHILD_DO_NOTHING, CHILD_ENROLLED},
    {CHILD_RUNNING,  CHILD_LEAVE,   CHILD_DO_REFUSE,  CHILD_RUNNING},
    {CHILD_RUNNING,  CHILD_EXIT,    CHILD_DO_DRAIN,   CHILD_DRAINING},
    {CHILD_ENROLLED, CHILD_ENROL,   CHILD_DO_REFUSE,  CHILD_ENROLLED},
    {CHILD_ENROLLED, CHILD_LEAVE,   CHILD_DO_NOTHING, CHILD_LEAVING},
    {CHILD_ENROLLED, CHILD_EXIT,    CHILD_DO_DRAIN,   CHILD_DRAINING},
    {CHILD_LEAVING,  CHILD_ENROL,   CHILD_DO_REFUSE,  CHILD_LEAVING},
    {CHILD_LEAVING,  CHILD_EXIT,    CHILD_DO_DRAIN,   CHILD_DRAINING},
    {CHILD_DRAINING, CHILD_DRAINED, CHILD_DO_OVER,    CHILD_OVER},
    /* clang-format on */
};

/* A task has few events, so a linear search will do. */
enum child_action child_step(enum child_state *state, enum child_event event)
{
    for (size_t i = 0; i < sizeof child_rules / sizeof *child_rules; i++) {
        const struct child_rule *rule = &child_rules[i];
        if (rule->state != *state || rule->event != event)
            continue;
        *state = rule->next;
        return rule->action;
    }
    return CHILD_DO_NOTHING;
}
