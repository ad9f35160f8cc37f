/* rivals.c - the best of each kind (rivals.h). */
#include "select/rivals.h"

static bool is_better(const struct rival *rival, hn_time makespan)
{
    return !rival->choice.planner || makespan < rival->makespan;
}

/* Where the plans of a planner stand, or, of one that is not among them, the last ones. */
static int place_of(const struct rivals *r, const struct planner *planner)
{
    int place = 0;
    while (place < RIVAL_PLANNERS && r->by_planner[place].choice.planner != planner)
        place++;
    return place;
}

static void note_planner(struct rivals *r, const struct rival *own)
{
    int place = place_of(r, own->choice.planner);
    if (!is_better(&r->by_planner[place], own->makespan))
        return;
    for (; place > 0 && is_better(&r->by_planner[place - 1], own->makespan); place--)
        r->by_planner[place] = r->by_planner[place - 1];
    r->by_planner[place] = *own;
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
    note_planner(r, &own);
}

void rivals_list(const struct rivals *r, const struct choice *chosen, struct entries *entries)
{
    for (int i = 0; i < RIVAL_CLASSES; i++)
        for (int casts = 0; casts < 2; casts++)
            entries->rivals[casts * RIVAL_CLASSES + i] = r->by_messages[casts][i];
    int others = RIVALS_BY_KIND;
    for (int i = 0; i <= RIVAL_PLANNERS && others < RIVALS; i++)
        if (r->by_planner[i].choice.planner != chosen->planner)
            entries->rivals[others++] = r->by_planner[i];
}
