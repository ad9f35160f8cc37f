/* child.c - a task as its agent sees it; see child.h. */
#include "hnowd/child.h"

static const struct child_rule {
    enum child_action action;
    enum child_state next;
} child_rules[CHILD_STATES][CHILD_EVENTS] = {
    /* clang-format off */
    [CHILD_RUNNING] = {
        [CHILD_ENROL]   = {CHILD_DO_ENROL,   CHILD_ENROLLED},
        [CHILD_LEAVE]   = {CHILD_DO_REFUSE,  CHILD_RUNNING},
        [CHILD_EXIT]    = {CHILD_DO_DRAIN,   CHILD_DRAINING},
        [CHILD_DRAINED] = {CHILD_DO_NOTHING, CHILD_RUNNING}, /* it closed its output, and works on */
    },
    [CHILD_ENROLLED] = {
        [CHILD_ENROL]   = {CHILD_DO_REFUSE,  CHILD_ENROLLED},
        [CHILD_LEAVE]   = {CHILD_DO_NOTHING, CHILD_LEAVING},
        [CHILD_EXIT]    = {CHILD_DO_DRAIN,   CHILD_DRAINING},
        [CHILD_DRAINED] = {CHILD_DO_NOTHING, CHILD_ENROLLED},
    },
    [CHILD_LEAVING] = {
        [CHILD_ENROL]   = {CHILD_DO_REFUSE,  CHILD_LEAVING},
        [CHILD_LEAVE]   = {CHILD_DO_NOTHING, CHILD_LEAVING},
        [CHILD_EXIT]    = {CHILD_DO_DRAIN,   CHILD_DRAINING},
        [CHILD_DRAINED] = {CHILD_DO_NOTHING, CHILD_LEAVING},
    },
    [CHILD_DRAINING] = { /* frames may still lie in the channel: they count */
        [CHILD_ENROL]   = {CHILD_DO_NOTHING, CHILD_DRAINING},
        [CHILD_LEAVE]   = {CHILD_DO_NOTHING, CHILD_DRAINING},
        [CHILD_EXIT]    = {CHILD_DO_NOTHING, CHILD_DRAINING},
        [CHILD_DRAINED] = {CHILD_DO_OVER,    CHILD_OVER},
    },
    [CHILD_OVER] = {
        [CHILD_ENROL]   = {CHILD_DO_NOTHING, CHILD_OVER},
        [CHILD_LEAVE]   = {CHILD_DO_NOTHING, CHILD_OVER},
        [CHILD_EXIT]    = {CHILD_DO_NOTHING, CHILD_OVER},
        [CHILD_DRAINED] = {CHILD_DO_NOTHING, CHILD_OVER},
    },
    /* clang-format on */
};

enum child_action child_step(enum child_state *state, enum child_event event)
{
    struct child_rule rule = child_rules[*state][event];
    *state = rule.next;
    return rule.action;
}
