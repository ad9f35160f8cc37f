/* auto_first.c - what `auto` tries first for an operation that waits: what other libraries usually
 * do (defaults.h), then what planners ask to be tried first (struct candidacy).
 */
#include "select/selection.h"

#include "planners/defaults.h"
#include "planners/work.h"

#include "hnow.h"

enum { SHORT = 1024 }; /* bytes: up to here the number of messages determines the cost */

/* ps: time for all ranks of a core together to simulate a first plan (2 ms). */
static const hn_time look_together = 2000000000;

/* Whether the number of messages matters most: tasks share cores, and data are short. */
static bool is_crowded(const struct selection *c)
{
    return c->budget.ranks_per_core > 1 && c->req->op == OP_ALLREDUCE &&
           request_part_bytes(c->req, 0) <= SHORT;
}

/* Whether a simulation takes long if each task on a shared core does it for itself. */
static bool is_much_work(const struct selection *c, hn_time work)
{
    return c->budget.ranks_per_core > 1 && work > look_together / c->budget.ranks_per_core;
}

/* What libraries usually do; where that is too much work to begin with, first what has the fewest
 * messages, and then only if that takes long enough. The result is the first estimate of the time
 * that the operation takes, on which the budget depends. */
int selection_try_defaults(struct selection *c)
{
    struct choice usual, few;
    hn_time makespan;
    /* Without defaults nothing is tried here, which is no error. */
    if (!defaults_choose(c->req, c->facts.stage, &usual))
        return HN_OK;
    hn_time work = work_messages(&usual, c->req) * c->budget.message_work;
    bool later = is_much_work(c, work) && defaults_choose_few(c->req, &few);
    if (is_crowded(c) && defaults_choose_few(c->req, &few))
        return selection_try(c, &few, &makespan);
    int error = selection_try(c, later ? &few : &usual, &makespan);
    if (!error && later && selection_affords(c, work))
        error = selection_try(c, &usual, &makespan);
    return error;
}

/* ---- what planners say ------------------------------------------------------------------ */

static bool is_likely(const struct selection *c, const struct planner *planner)
{
    bool (*likely)(const struct facts *) = planner->candidate.likely;
    return selection_takes(c, planner) && (!likely || likely(&c->facts));
}

/* The next larger order number of any planner; 0: no more. The orders of the rows need not be
 * consecutive. */
static int next_order(int (*order_of)(const struct planner *), int order)
{
    int next = 0;
    for (int i = 0; i < planner_count; i++) {
        int own = order_of(&planners[i]);
        if (own > order && (next == 0 || own < next))
            next = own;
    }
    return next;
}

static int whole_order(const struct planner *planner)
{
    return planner->candidate.first;
}

static int cut_order(const struct planner *planner)
{
    return planner->candidate.first_cut;
}

/* Long data need segments, whatever tree is best; so a few usual pipelines are tried before time
 * runs out. If single connections are slow, all ranks work at once when each has a piece to
 * forward. Then, and with unequal hosts, half as many pieces are tried first. With pieces, the
 * first segments are about twice as long as a piece for each rank. */
static int try_cut(struct selection *c, const struct planner *planner)
{
    int64_t bytes = request_part_bytes(c->req, 0);
    bool pieces = planner->candidate.pieces;
    return selection_try_smaller(
        c, planner, selection_largest_segment(pieces ? 4 * bytes / c->req->ranks : bytes));
}

static int try_whole(struct selection *c, const struct planner *planner)
{
    return selection_try_planner(c, planner, 0, NULL);
}

/* For each order number all planners that have it, in the order of the table. */
static int try_in_order(struct selection *c, int (*order_of)(const struct planner *),
                        int (*try)(struct selection *, const struct planner *))
{
    int error = HN_OK;
    for (int at = next_order(order_of, 0); at > 0 && !error; at = next_order(order_of, at))
        for (int i = 0; i < planner_count && !error; i++)
            if (order_of(&planners[i]) == at && is_likely(c, &planners[i]) &&
                (planners[i].multicasts || !selection_is_at_bound(c)))
                error = try(c, &planners[i]);
    return error;
}

/* Tasks on shared cores have little time, and gain most from a root at the centre. */
int selection_try_first(struct selection *c)
{
    bool composed = !c->facts.stage, shared = c->budget.ranks_per_core > 1;
    int error = composed && shared ? selection_try_usual(c, USUAL_MIDDLE) : HN_OK;
    if (!error)
        error = try_in_order(c, whole_order, try_whole);
    if (composed && !error)
        error = selection_try_usual(c, USUAL_ALWAYS);
    return error || !composed || shared ? error : selection_try_usual(c, USUAL_MIDDLE);
}

/* Without segments: these planners cut the data themselves. */
int selection_try_bulk(struct selection *c)
{
    int error = HN_OK;
    if (!c->budget.bulk || c->facts.stage)
        return HN_OK;
    for (int i = 0; i < planner_count && !error; i++)
        if (planners[i].candidate.bulk && selection_takes(c, &planners[i]))
            error = try_whole(c, &planners[i]);
    return error || c->only ? error : selection_try_usual(c, USUAL_BULK);
}

int selection_try_first_cut(struct selection *c)
{
    return c->facts.stage ? HN_OK : try_in_order(c, cut_order, try_cut);
}
