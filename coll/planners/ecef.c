/* ecef.c - fastest edge first and earliest completing edge first (Bhat, section 4.3; Wu calls them
 * FEF and ECF).
 *
 * FEF takes the cheapest edge from an informed to a waiting rank, whenever its sender may be free;
 * ECEF the edge whose message is there first. FEF builds something near a minimum spanning tree and
 * is late where one rank is near many; ECEF is the base of all look-ahead variants.
 */
#include "planners/planners.h"

#include "planners/greedy.h"

#include "hnow.h"

static int grow(const struct problem *problem, struct tree *tree, bool with_ready)
{
    struct greedy g;
    int error = greedy_begin(&g, problem, tree, with_ready);
    while (!error && g.waiting_count > 0) {
        struct candidate best = {INT64_MAX, 0};
        int to = -1;
        for (int i = 0; i < g.waiting_count; i++) {
            struct candidate c = greedy_sender(&g, g.waiting[i]);
            if (to < 0 || greedy_before(c.key, c.rank, g.waiting[i], best.key, best.rank, to)) {
                best = c;
                to = g.waiting[i];
            }
        }
        greedy_take(&g, best.rank, to);
    }
    greedy_end(&g);
    return error;
}

int planner_fef(const struct problem *problem, struct tree *tree)
{
    return grow(problem, tree, false);
}

int planner_ecef(const struct problem *problem, struct tree *tree)
{
    return grow(problem, tree, true);
}
