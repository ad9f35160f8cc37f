/* levels_exchange.c - barrier and allreduce whose outermost groups exchange their results.
 *
 * Every group (levels.h) has a head, its rank that is nearest to the centre. From the smallest
 * groups upwards, the heads of a group's parts combine at the group's head, by a binomial tree. The
 * heads of the outermost parts exchange, so that all of them have the result at the same time.
 * Last, it goes down the trees again. So the longest routes are used once, not there and back
 * (MagPIe: Kielmann and others 1999, for two levels).
 *
 *     levels_exchange   every head sends to all others at once (up to HEADS_DIRECT of them): one
 *                       long route, but c - 1 messages out of each of c groups
 *     levels_doubling   recursive doubling (doubling.c): log2 c routes and messages
 *
 * All heads must get bitwise equal results. So all of them combine in the same order; a head that
 * is not among the first two saves its own contribution until its position is reached.
 *
 * Without groups both are plain doubling. Contributions are combined in the order of the levels. So
 * operators that do not commute are refused, unless every group is one rank.
 *
 * Cost: O(n log n), and c^2 messages of levels_exchange.
 */
#include "planners/planners.h"

#include "planners/centre.h"
#include "model/levels.h"

#include "hnow.h"

#include <stdlib.h>

/* State of writing a plan. */
struct gathering {
    const struct problem *problem;
    struct plan *plan;
    struct levels l;
    int *heads; /* [parts of the group at hand] */
};

/* Lists the heads of a group's parts. The head of a part is its first member, since begin() has
 * passed that order to levels_begin(). */
static void find_heads(struct gathering *m, const struct level_group *g)
{
    for (int part = 0; part < g->parts; part++) {
        int begin, end;
        levels_part(&m->l, g, part, &begin, &end);
        m->heads[part] = m->l.member[begin];
    }
}

/* Appends a broadcast from the first head to the others, along a binomial tree. */
static void down(struct gathering *m, int count)
{
    int s = 1;
    while (s < count)
        s *= 2;
    for (s /= 2; s > 0; s /= 2)
        for (int i = 0; i + s < count; i += 2 * s)
            plan_message(m->plan, m->heads[i], m->heads[i + s], PLAN_RECV, 0, 1);
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Whether the model has no groups: then more messages gain nothing. */
static bool is_one_group(const struct gathering *m)
{
    const struct model *model = m->problem->model;
    return m->l.group[0].leaf &&
           (model->ranks == 1 || model_subnet(model, 0) == model_subnet(model, 1));
}

static void gather(struct gathering *m, bool direct)
{
    const struct level_group *all = &m->l.group[0];
    bool plain = is_one_group(m), directly = direct && !plain && all->parts <= HEADS_DIRECT;
    for (int g = m->l.count - 1; g > 0; g--) { /* parts are listed after their groups */
        find_heads(m, &m->l.group[g]);
        planner_combine_up(m->heads, m->l.group[g].parts, m->plan);
    }
    find_heads(m, all);
    /* Without groups the order of ranks is kept, for operators that do not commute. */
    for (int i = 0; i < all->parts && plain; i++)
        m->heads[i] = i;
    if (directly) {
        /* All heads combine in the order of ranks, which is the same for all. */
        qsort(m->heads, (size_t)all->parts, sizeof *m->heads, ascending);
        planner_combine_all(m->heads, all->parts, m->plan);
    } else {
        planner_exchange_doubling(m->heads, all->parts, 2, false, m->plan);
    }
    for (int g = 1; g < m->l.count; g++) {
        find_heads(m, &m->l.group[g]);
        down(m, m->l.group[g].parts);
    }
}

/* Orders the ranks from the centre outwards. */
static int begin(struct gathering *m)
{
    size_t n = (size_t)m->problem->req->ranks;
    struct timed *reach = centre_order(m->problem->matrix);
    int *order = malloc(n * sizeof *order), error = HN_ENOMEM;
    m->heads = malloc(n * sizeof *m->heads);
    if (reach && order && m->heads) {
        for (size_t i = 0; i < n; i++)
            order[i] = reach[i].number;
        error = levels_begin(&m->l, m->problem->model, order);
    }
    free(reach);
    free(order);
    return error;
}

/* direct: the heads of the outermost groups exchange in one step, if they are few. */
static void plan_exchange(const struct problem *problem, bool direct, struct plan *plan)
{
    struct gathering m = {.problem = problem, .plan = plan};
    plan_cut(plan, problem->req, 0);
    int error = begin(&m);
    if (error)
        plan_fail(plan, error);
    else
        gather(&m, direct);
    levels_end(&m.l);
    free(m.heads);
}

void planner_levels_exchange(const struct problem *problem, struct plan *plan)
{
    plan_exchange(problem, true, plan);
}

void planner_levels_doubling(const struct problem *problem, struct plan *plan)
{
    plan_exchange(problem, false, plan);
}
