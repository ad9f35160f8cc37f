/* member.c - a host as hrun sees it; see member.h. */
#include "hrun/member.h"

static const struct member_rule {
    enum member_action action;
    enum member_state next;
} member_rules[MEMBER_STATES][MEMBER_EVENTS] = {
    /* clang-format off */
    [MEMBER_QUEUED] = {
        [MEMBER_START]    = {MEMBER_DO_START,     MEMBER_STARTING},
        [MEMBER_SYNC]     = {MEMBER_DO_NOTHING,   MEMBER_QUEUED},
        [MEMBER_HELLO]    = {MEMBER_DO_NOTHING,   MEMBER_QUEUED},
        [MEMBER_DEADLINE] = {MEMBER_DO_NOTHING,   MEMBER_QUEUED},
        [MEMBER_LOST]     = {MEMBER_DO_NOTHING,   MEMBER_QUEUED},
        [MEMBER_END]      = {MEMBER_DO_GONE,      MEMBER_GONE},
    },
    [MEMBER_STARTING] = {
        [MEMBER_START]    = {MEMBER_DO_NOTHING,   MEMBER_STARTING},
        [MEMBER_SYNC]     = {MEMBER_DO_NOTHING,   MEMBER_SYNCED},
        [MEMBER_HELLO]    = {MEMBER_DO_NOTHING,   MEMBER_STARTING},
        [MEMBER_DEADLINE] = {MEMBER_DO_TOO_LATE,  MEMBER_ENDING},
        [MEMBER_LOST]     = {MEMBER_DO_UNREACHED, MEMBER_GONE},
        [MEMBER_END]      = {MEMBER_DO_KILL,      MEMBER_ENDING},
    },
    [MEMBER_SYNCED] = {
        [MEMBER_START]    = {MEMBER_DO_NOTHING,   MEMBER_SYNCED},
        [MEMBER_SYNC]     = {MEMBER_DO_NOTHING,   MEMBER_SYNCED},
        [MEMBER_HELLO]    = {MEMBER_DO_UP,        MEMBER_UP},
        [MEMBER_DEADLINE] = {MEMBER_DO_TOO_LATE,  MEMBER_ENDING},
        [MEMBER_LOST]     = {MEMBER_DO_UNREACHED, MEMBER_GONE},
        [MEMBER_END]      = {MEMBER_DO_SAY_END,   MEMBER_ENDING},
    },
    [MEMBER_UP] = {
        [MEMBER_START]    = {MEMBER_DO_NOTHING,   MEMBER_UP},
        [MEMBER_SYNC]     = {MEMBER_DO_NOTHING,   MEMBER_UP},
        [MEMBER_HELLO]    = {MEMBER_DO_NOTHING,   MEMBER_UP},
        [MEMBER_DEADLINE] = {MEMBER_DO_NOTHING,   MEMBER_UP},
        [MEMBER_LOST]     = {MEMBER_DO_LOST,      MEMBER_GONE},
        [MEMBER_END]      = {MEMBER_DO_SAY_END,   MEMBER_ENDING},
    },
    [MEMBER_ENDING] = {
        [MEMBER_START]    = {MEMBER_DO_NOTHING,   MEMBER_ENDING},
        [MEMBER_SYNC]     = {MEMBER_DO_NOTHING,   MEMBER_ENDING},
        [MEMBER_HELLO]    = {MEMBER_DO_NOTHING,   MEMBER_ENDING},
        [MEMBER_DEADLINE] = {MEMBER_DO_KILL,      MEMBER_ENDING},
        [MEMBER_LOST]     = {MEMBER_DO_GONE,      MEMBER_GONE},
        [MEMBER_END]      = {MEMBER_DO_SAY_END,   MEMBER_ENDING}, /* again, with less patience */
    },
    [MEMBER_GONE] = {
        [MEMBER_START]    = {MEMBER_DO_NOTHING,   MEMBER_GONE},
        [MEMBER_SYNC]     = {MEMBER_DO_NOTHING,   MEMBER_GONE},
        [MEMBER_HELLO]    = {MEMBER_DO_NOTHING,   MEMBER_GONE},
        [MEMBER_DEADLINE] = {MEMBER_DO_NOTHING,   MEMBER_GONE},
        [MEMBER_LOST]     = {MEMBER_DO_NOTHING,   MEMBER_GONE},
        [MEMBER_END]      = {MEMBER_DO_NOTHING,   MEMBER_GONE},
    },
    /* clang-format on */
};

enum member_action member_step(enum member_state *state, enum member_event event)
{
    struct member_rule rule = member_rules[*state][event];
    *state = rule.next;
    return rule.action;
}
