/* bottom_up.c - serve first what is hardest to reach (Barchet, section 5.4: BottomUp).
 *
 * For each waiting rank, the cheapest way to get it informed and its local part done; the rank for
 * which that is largest is next. The paper leaves open whether the sender's ready time counts:
 * bottom_up does without, bottom_up_rt with it.
 */
#include "planners/planners.h"

#include "planners/greedy.h"

#include "hnow.h"

static int grow(const struct problem *problem, struct tree *tree, bool with_ready)
{
    struct greedy g;
    int error = greedy_begin(&g, problem, tree, with_ready);
    while (!error && g.waiting_count > 0) {
        hn_time worst = -1;
        int from = -1, to = -1;
        for (int i = 0; i < g.waiting_count; i++) {
            struct candidate c = greedy_sender(&g, g.waiting[i]);
            if (c.key + g.local[g.waiting[i]] > worst) {
                worst = c.key + g.local[g.waiting[i]];
                from = c.rank;
                to = g.waiting[i];
            }
        }
        greedy_take(&g, from, to);
    }
    greedy_end(&g);
    return error;
}

int planner_bottom_up(const struct problem *problem, struct tree *tree)
{
    return grow(problem, tree, false);
}

int planner_bottom_up_rt(const struct problem *problem, struct tree *tree)
{
    return grow(problem, tree, true);
}
