/* candidates.c - the best plan of each kind (candidates.h). */
#include "select/candidates.h"

/* The first of equal plans stays. */
static bool is_better(const struct candidate *candidate, hn_time makespan)
{
    return !candidate->choice.planner || makespan < candidate->makespan;
}

/* The index of a planner's plans; that of the last entry, if it has none.  The last entry is spare:
 * it is the worst of all, and is replaced. */
static int place_of(const struct candidates *r, const struct planner *planner)
{
    int place = 0;
    while (place < CANDIDATE_PLANNERS && r->by_planner[place].choice.planner != planner)
        place++;
    return place;
}

static void note_planner(struct candidates *r, const struct candidate *own)
{
    int place = place_of(r, own->choice.planner);
    if (!is_better(&r->by_planner[place], own->makespan))
        return;
    for (; place > 0 && is_better(&r->by_planner[place - 1], own->makespan); place--)
        r->by_planner[place] = r->by_planner[place - 1];
    r->by_planner[place] = *own;
}

void candidates_note(struct candidates *r, const struct choice *choice, int messages, bool joined,
                     hn_time makespan)
{
    struct candidate own = {*choice, makespan};
    int class = 0;
    /* Classes by messages: 1, 2, 8, 32, ... at most. */
    for (int most = 1; class < CANDIDATE_CLASSES - 1 && messages > most; class ++)
        most *= most > 1 ? 4 : 2;
    if (is_better(&r->by_messages[joined][class], makespan))
        r->by_messages[joined][class] = own;
    note_planner(r, &own);
}

/* One plan of each kind first, then the best of each other planner, until the list is full. */
void candidates_list(const struct candidates *r, const struct choice *chosen,
                     struct shortlist *shortlist)
{
    for (int i = 0; i < CANDIDATE_CLASSES; i++)
        for (int joined = 0; joined < 2; joined++)
            shortlist->candidates[joined * CANDIDATE_CLASSES + i] = r->by_messages[joined][i];
    int others = CANDIDATES_BY_KIND;
    for (int i = 0; i <= CANDIDATE_PLANNERS && others < CANDIDATES; i++)
        if (r->by_planner[i].choice.planner != chosen->planner)
            shortlist->candidates[others++] = r->by_planner[i];
}
