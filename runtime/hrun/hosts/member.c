/* member.c - the state machine of a host in hrun; see member.h. */
#include "hrun/hosts/member.h"

#include <stddef.h>

/* One transition. Rows are grouped by state, in the order of a host's life. */
static const struct member_rule {
    enum member_state state;
    enum member_event event;
    enum member_action action;
    enum member_state next;
} member_rules[] = {
    /* clang-format off */
    {MEMBER_QUEUED,   MEMBER_START,    MEMBER_DO_START,     MEMBER_STARTING},
    {MEMBER_QUEUED,   MEMBER_END,      MEMBER_DO_GONE,      MEMBER_GONE},
    {MEMBER_STARTING, MEMBER_SYNC,     MEMBER_DO_NOTHING,   MEMBER_SYNCED},
    {MEMBER_STARTING, MEMBER_DEADLINE, MEMBER_DO_TOO_LATE,  MEMBER_ENDING},
    {MEMBER_STARTING, MEMBER_LOST,     MEMBER_DO_UNREACHED, MEMBER_GONE},
    {MEMBER_STARTING, MEMBER_END,      MEMBER_DO_KILL,      MEMBER_ENDING},
    {MEMBER_SYNCED,   MEMBER_HELLO,    MEMBER_DO_UP,        MEMBER_UP},
    {MEMBER_SYNCED,   MEMBER_DEADLINE, MEMBER_DO_TOO_LATE,  MEMBER_ENDING},
    {MEMBER_SYNCED,   MEMBER_LOST,     MEMBER_DO_UNREACHED, MEMBER_GONE},
    {MEMBER_SYNCED,   MEMBER_END,      MEMBER_DO_SAY_END,   MEMBER_ENDING},
    {MEMBER_UP,       MEMBER_LOST,     MEMBER_DO_LOST,      MEMBER_GONE},
    {MEMBER_UP,       MEMBER_END,      MEMBER_DO_SAY_END,   MEMBER_ENDING},
    {MEMBER_ENDING,   MEMBER_DEADLINE, MEMBER_DO_KILL,      MEMBER_ENDING},
    {MEMBER_ENDING,   MEMBER_LOST,     MEMBER_DO_GONE,      MEMBER_GONE},
    {MEMBER_ENDING,   MEMBER_END,      MEMBER_DO_SAY_END,   MEMBER_ENDING}, /* less patience */
    /* clang-format on */
};

/* A linear search: events of hosts are rare. (The table has fifteen rows.) */
enum member_action member_step(enum member_state *state, enum member_event event)
{
    for (size_t i = 0; i < sizeof member_rules / sizeof *member_rules; i++) {
        const struct member_rule *rule = &member_rules[i];
        if (rule->state != *state || rule->event != event)
            continue;
        *state = rule->next;
        return rule->action;
    }
    return MEMBER_DO_NOTHING;
}
