/* scan_ways.c - our own: prefixes with as few messages over long routes as possible.
 *
 * If ranks are in distant groups (sites), a chain uses a long route at every change of the group,
 * and doubling about log2 n times. Here every run of ranks in one group is combined first. Then the
 * results of the runs are combined as scan_routes.h determines. One central relay can receive all
 * contributions and send all prefixes: two long routes in sequence for any distribution of ranks.
 * Relays in each group, or all heads, need one long route, but every result is sent to all of them.
 * Heads between may forward prefixes. The arity determines which heads may be relays.
 *
 *     1. A scan inside each run, by doubling distances (with segments: a chain). Its last rank, the
 *        head, sends the result to all heads that add it. In an exscan every rank then has the
 *        result of the preceding rank.
 *     2. Heads combine the prefixes in the order of ranks. They send them to the heads that forward
 *        them, and to the first rank of the next run.
 *     3. That rank sends them to its run (a binomial tree; with segments: a chain).
 *
 * Every phase processes all segments before the next one begins. A head has one value of a block,
 * so it saves values by messages to itself: in phase 1 the sum of its run, and before others'
 * prefixes its own data. It receives them in the same order.
 *
 * Cost: O(n + r^3) for r runs.
 */
#include "planners/planners.h"
#include "planners/scan_routes.h"

#include "hnow.h"

/* One call; the routes between runs are those of scan_routes.h. */
struct scanning {
    const struct problem *problem;
    struct plan *plan;
    struct scan_routes r;
    bool inclusive;
};

static bool is_alone(const struct scanning *s, int run)
{
    return s->r.first[run] == s->r.last[run];
}

/* A rank saves the value of a block by a message to itself; take_back() receives it. */
static void keep(const struct scanning *s, int rank, int block)
{
    plan_step(s->plan, rank, PLAN_SEND, rank, block, 1);
}

static void take_back(const struct scanning *s, int rank, enum plan_kind kind, int block)
{
    plan_step(s->plan, rank, kind, rank, block, 1);
}

/* Whether the head of a run handles this or later prefixes, besides its final result. */
static bool has_later(const struct scanning *s, int prefix, int run)
{
    return scan_routes_later(&s->r, prefix, run);
}

static bool adds_itself(const struct scanning *s, int run)
{
    return scan_route(&s->r, run, run) != SCAN_NEVER;
}

/* Whether the head keeps the sum of its run for phase 2. */
static bool keeps_sum(const struct scanning *s, int run)
{
    return is_alone(s, run) ? run > 0 && (s->inclusive || adds_itself(s, run))
                            : adds_itself(s, run);
}

/* Whether a head has its own result in phase 2 before others' prefixes, so that it must save it. */
static bool is_early(const struct scanning *s, int run)
{
    return is_alone(s, run) && has_later(s, s->inclusive || run == 0 ? run + 1 : run, run);
}

/* ---- phase 1: inside the runs ----------------------------------------------------------- */

/* Combines inside a run: at doubling distances, or as a chain if there are segments. */
static void scan_run(const struct scanning *s, int first, int last, int block)
{
    if (s->problem->segment > 0) {
        for (int rank = first; rank < last; rank++)
            plan_message(s->plan, rank, rank + 1, PLAN_FOLD_LEFT, block, 1);
        return;
    }
    for (int d = 1; d <= last - first; d *= 2) {
        for (int rank = first; rank + d <= last; rank++)
            plan_step(s->plan, rank, PLAN_SEND, rank + d, block, 1);
        for (int rank = first; rank + d <= last; rank++)
            plan_step(s->plan, rank + d, PLAN_FOLD_LEFT, rank, block, 1);
    }
}

/* The head of a run sends the sum to all heads that add it, and keeps it for itself. */
static void send_sum(const struct scanning *s, int run, int block)
{
    for (int head = 0; head < s->r.runs; head++)
        if (head != run && scan_route(&s->r, run, head) == SCAN_ADDS)
            plan_step(s->plan, s->r.last[run], PLAN_SEND, s->r.last[head], block, 1);
    if (keeps_sum(s, run))
        keep(s, s->r.last[run], block);
}

/* Appends the shift of an exscan: every rank of a run sends its prefix to the next rank. */
static void shift(const struct scanning *s, int first, int last, int block)
{
    for (int rank = first; rank < last; rank++)
        plan_step(s->plan, rank, PLAN_SEND, rank + 1, block, 1);
    for (int rank = first + 1; rank <= last; rank++)
        plan_step(s->plan, rank, PLAN_RECV, rank - 1, block, 1);
}

/* Phase 1 for all segments. */
static void begin_run(const struct scanning *s, int run)
{
    for (int block = 0; block < s->plan->block_count; block++) {
        scan_run(s, s->r.first[run], s->r.last[run], block);
        send_sum(s, run, block);
        if (!s->inclusive)
            shift(s, s->r.first[run], s->r.last[run], block);
    }
}

/* ---- phase 2: between the runs ---------------------------------------------------------- */

/* Finishes a run of one rank: the head has the preceding prefix and adds its own contribution. */
static void finish_alone(const struct scanning *s, int head, int block)
{
    int rank = s->r.last[head];
    bool before = !s->inclusive || head == 0;
    if (is_early(s, head) && before)
        keep(s, rank, block);
    if (keeps_sum(s, head))
        take_back(s, rank, PLAN_FOLD_RIGHT, block);
    if (is_early(s, head) && !before)
        keep(s, rank, block);
}

/* The head adds the sum of its run, which it has kept, on the right of the prefix. */
static void add_own(const struct scanning *s, int head, int block)
{
    if (is_alone(s, head))
        finish_alone(s, head, block);
    else if (keeps_sum(s, head))
        take_back(s, s->r.last[head], head > 0 ? PLAN_FOLD_RIGHT : PLAN_RECV, block);
}

/* A head receives or computes a prefix. */
static void get_prefix(const struct scanning *s, int prefix, int head, int block)
{
    int from = scan_route(&s->r, prefix, head), rank = s->r.last[head];
    if (head == prefix)
        add_own(s, head, block);
    else if (from == SCAN_ADDS)
        plan_step(s->plan, rank, prefix > 0 ? PLAN_FOLD_RIGHT : PLAN_RECV, s->r.last[prefix], block,
                  1);
    else if (from >= 0)
        plan_step(s->plan, rank, PLAN_RECV, s->r.last[from], block, 1);
}

/* Appends the sends of a prefix by the heads that have it. */
static void send_prefix(const struct scanning *s, int prefix, int block)
{
    const struct scan_routes *r = &s->r;
    for (int head = 0; head < r->runs; head++) {
        int from = scan_route(r, prefix, head);
        if (from >= 0)
            plan_step(s->plan, r->last[from], PLAN_SEND, r->last[head], block, 1);
    }
    int next = prefix + 1;
    if (next < r->runs && !is_alone(s, next))
        plan_step(s->plan, r->last[r->source[next]], PLAN_SEND, r->first[next], block, 1);
}

/* Prefix by prefix: first the heads that get it, then their sends. */
static void between_runs(const struct scanning *s, int block)
{
    for (int run = 0; run < s->r.runs; run++)
        if (!is_alone(s, run) && has_later(s, 0, run))
            keep(s, s->r.last[run], block);
    for (int prefix = 0; prefix < s->r.runs; prefix++) {
        for (int head = 0; head < s->r.runs; head++)
            get_prefix(s, prefix, head, block);
        send_prefix(s, prefix, block);
    }
}

/* ---- phase 3: to the members ------------------------------------------------------------ */

/* Returns `reach`: member `at` of a run forwards to at + d for d = reach / 2, reach / 4, ... 1. */
static int reach_of(const struct scanning *s, int at, int count)
{
    int reach = s->problem->segment > 0 ? 2 : 1;
    while (s->problem->segment <= 0 && reach < count && at % (2 * reach) == 0)
        reach *= 2;
    return reach;
}

/* A member other than the head receives the prefix before its run. If it forwards the prefix, it
 * saves its own value meanwhile; in an exscan the first member has none. */
static void send_to_member(const struct scanning *s, int run, int at, int from, int block)
{
    int rank = s->r.first[run] + at, count = s->r.last[run] - s->r.first[run] + 1;
    int reach = reach_of(s, at, count);
    bool own = s->inclusive || at > 0, passes = reach > 1 && at + 1 < count;
    if (own && passes)
        keep(s, rank, block);
    plan_step(s->plan, rank, own && !passes ? PLAN_FOLD_LEFT : PLAN_RECV, from, block, 1);
    for (int d = reach / 2; d > 0; d /= 2)
        if (at + d < count)
            plan_step(s->plan, rank, PLAN_SEND, rank + d, block, 1);
    if (own && passes)
        take_back(s, rank, PLAN_FOLD_RIGHT, block);
}

/* A binomial tree over the positions in the run; with segments a chain. */
static void send_to_members(const struct scanning *s, int run, int block)
{
    const struct scan_routes *r = &s->r;
    int count = r->last[run] - r->first[run] + 1;
    for (int at = 0; at < count && run > 0; at++) {
        int parent = s->problem->segment > 0 ? at - 1 : at & (at - 1);
        int from = at > 0 ? r->first[run] + parent : r->last[r->source[run]];
        send_to_member(s, run, at, from, block);
    }
}

/* Phase 3: the head takes back its own result, and members get the prefix before the run. */
static void end_run(const struct scanning *s, int run)
{
    bool put_aside = is_alone(s, run) ? is_early(s, run) : has_later(s, 0, run);
    for (int block = 0; block < s->plan->block_count; block++) {
        if (put_aside)
            take_back(s, s->r.last[run], PLAN_RECV, block);
        if (!is_alone(s, run))
            send_to_members(s, run, block);
    }
}

/* ---- all of it -------------------------------------------------------------------------- */

void planner_scan_ways(const struct problem *problem, struct plan *plan)
{
    struct scanning s = {
        .problem = problem, .plan = plan, .inclusive = problem->req->op == OP_SCAN};
    plan_cut(plan, problem->req, problem->segment);
    int error = scan_routes_begin(&s.r, problem, (enum scan_relays)problem->arity);
    if (error)
        plan_fail(plan, error);
    for (int run = 0; run < s.r.runs && !error; run++)
        begin_run(&s, run);
    for (int block = 0; block < plan->block_count && !error; block++)
        between_runs(&s, block);
    for (int run = 0; run < s.r.runs && !error; run++)
        end_run(&s, run);
    scan_routes_end(&s.r);
}
