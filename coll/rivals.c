/* rivals.c - the best of each kind (rivals.h). */
#include "rivals.h"

static bool is_better(const struct rival *rival, hn_time makespan)
{
    return !rival->choice.planner || makespan < rival->makespan;
}

void rivals_note(struct rivals *r, const struct choice *choice, int messages, bool casts,
                 hn_time makespan)
{
    struct rival own = {*choice, makespan};
    int class = 0;
    for (int most = 1; class < RIVAL_CLASSES - 1 && messages > most; class ++)
        most *= most > 1 ? 4 : 2;
    if (is_better(&r->by_messages[casts][class], makespan))
        r->by_messages[casts][class] = own;
    bool another = r->leader.choice.planner != choice->planner;
    if (is_better(&r->leader, makespan)) {
        if (another)
            r->other = r->leader;
        r->leader = own;
    } else if (another && is_better(&r->other, makespan)) {
        r->other = own;
    }
}

void rivals_tell(const struct rivals *r, const struct choice *chosen, struct entries *entries)
{
    for (int i = 0; i < RIVAL_CLASSES; i++)
        for (int casts = 0; casts < 2; casts++)
            entries->rivals[casts * RIVAL_CLASSES + i] = r->by_messages[casts][i];
    entries->rivals[RIVALS - 1] =
        r->leader.choice.planner == chosen->planner ? r->other : r->leader;
}
