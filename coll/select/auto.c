/* auto.c - `auto`: simulates every suitable planner with every useful parameter and keeps the best
 * plan.
 *
 * By construction no single planner of the table beats it in the model. It first tries what other
 * libraries usually do (defaults.c), then what planners ask to be tried first. Then all planners
 * follow with whole messages, and with segments from large to small, which are the most work, as
 * long as that gets better. Searching planners come last, starting from the best segment size.
 *
 * Operations that wait skip the baselines, and make a search only if the operation is long enough.
 * Otherwise the selection ends when a plan reaches the lower bound, or comes near it if data are
 * long: plans for long data have many messages, which are expensive to simulate.
 */
#include "select/selection.h"

#include "model/bounds/bound.h"
#include "model/array_grow.h"
#include "planners/planners.h"
#include "planners/radix.h"
#include "planners/work.h"

#include "hnow.h"

#include <stdlib.h>

enum {
    SEGMENT_LEAST = 1024, /* bytes: smaller segments cost more in constants than they gain */
    STEPS_MOST = 1 << 17, /* most steps of a plan tried with segments */
    STEPS_MANY = 1 << 15, /* ... with more than RANKS_FOR_ALL ranks */
    RANKS_FOR_ALL = WORK_RANKS_FREE, /* up to so many ranks everything is tried */
    LATE_MOST = 3, /* a planner later than this multiple of the best is not tried in segments */
    DEAD_ENDS = 2, /* segment sizes in a row without improvement, though there are enough segments
                      for a pipeline */
    BOUND_SHARE = 1000, /* no search if the best plan is within this part of the bound, ... */
    NEAR_SHARE = 40     /* ... and for long data nothing else is tried within this part */
};

static void clear(struct plan *plan, struct timing *timing)
{
    plan_free(plan);
    timing_free(timing);
}

/* The limit for simulating a plan: the best makespan. Whole messages may be later, since the
 * planner may be best with segments, as a composed plan at another root, or for a search. Without a
 * plan there is no limit. A wrong limit costs only time: a plan beyond it is dropped. */
static hn_time limit_of(const struct selection *c, const struct choice *choice)
{
    hn_time best = c->plan ? c->price : INT64_MAX;
    bool informs = c->quick || c->searching || choice->segment == 0;
    hn_time limit = informs && best < INT64_MAX / LATE_MOST ? LATE_MOST * best : best;
    /* For a stage only the best ones matter, once it is known which planners are finalists. */
    const struct candidate *last = &c->first[FAVOURITES - 1];
    bool beaten = c->facts.stage && choice->segment > 0 && last->choice.planner;
    return beaten && last->makespan < limit ? last->makespan : limit;
}

/* ---- trying ----------------------------------------------------------------------------- */

/* Insertion into a short list, best first. */
static void note_favourite(struct selection *c, const struct choice *choice, hn_time price)
{
    int i = FAVOURITES - 1;
    if (c->first[i].choice.planner && price >= c->first[i].makespan)
        return;
    for (; i > 0 && (!c->first[i - 1].choice.planner || price < c->first[i - 1].makespan); i--)
        c->first[i] = c->first[i - 1];
    c->first[i] = (struct candidate){*choice, price};
}

/* The result of a choice tried before; NULL: not tried. */
static const struct tried *tried_choice(const struct selection *c, const struct choice *choice)
{
    for (int i = 0; i < c->tried.count; i++)
        if (choice_same(&c->tried.list[i].choice, choice))
            return &c->tried.list[i];
    return NULL;
}

/* The result of another choice that made the same plan; NULL: none. */
static const struct tried *tried_plan(const struct selection *c, uint64_t hash)
{
    for (int i = 0; i < c->tried.count; i++)
        if (c->tried.list[i].made && c->tried.list[i].hash == hash)
            return &c->tried.list[i];
    return NULL;
}

/* Stages of composed choices may have no planner; that is never left out. */
static bool is_left_out(const struct selection *c, const struct planner *planner)
{
    return planner && c->left_out && c->left_out[planner - planners];
}

/* Simulates a plan that is new, and keeps it if it is the best. The plan belongs to the selection
 * from here on. *makespan: INT64_MAX if it is not known. */
static int judge(struct selection *c, const struct choice *choice, struct plan *plan,
                 hn_time *makespan)
{
    struct timing timing = {0};
    int error = selection_simulate(c, choice, plan, limit_of(c, choice), &timing);
    *makespan = error ? INT64_MAX : timing.makespan;
    /* Beyond its limit a plan is late, but the first plan is kept even then. */
    bool late = timing.makespan == INT64_MAX && c->plan;
    hn_time price = error || late ? INT64_MAX : selection_price(c, plan, timing.makespan);
    /* A quarter less than four for each message: some of them are joined to a multicast. */
    if (!error && !late) {
        int64_t quarters = plan_message_quarters(plan);
        int messages = (int)((quarters + 3) / 4);
        candidates_note(&c->candidates, choice, (messages + c->req->ranks - 1) / c->req->ranks,
                        quarters < 4 * plan_message_count(plan), timing.makespan);
        note_favourite(c, choice, price);
    }
    /* Among equals the first plan stays. */
    if (error || late || (c->plan && price >= c->price)) {
        clear(plan, &timing);
        return error;
    }
    clear(c->plan, &c->timing);
    c->price = price;
    c->choice = *choice;
    c->plan = plan;
    c->timing = timing;
    return HN_OK;
}

/* Makes the plan of a new choice, and adds an entry to the list of tried ones. *plan NULL with
 * HN_OK: another choice has made the same plan, whose makespan is taken. */
static int make(struct selection *c, const struct choice *choice, struct plan **plan)
{
    /* For a waiting operation only searches have a limit, beyond which they may stop. */
    bool limited = c->plan && (!c->quick || c->searching);
    struct problem problem = {.req = c->req,
                              .model = c->model,
                              .matrix = choice->planner->pairs ? c->matrix : NULL,
                              .limit = limited ? c->price : 0,
                              .stages = c->stages};
    if (!ARRAY_GROW(c->tried.list, c->tried.count, c->tried.room, 64))
        return HN_ENOMEM;
    struct tried *own = &c->tried.list[c->tried.count++];
    *own = (struct tried){.choice = *choice, .makespan = INT64_MAX};
    int error = (c->facts.stage ? choice_plan_stage : choice_plan_with)(choice, problem, plan);
    if (error)
        return error;
    c->shortlist.plans++;
    own->hash = plan_hash(*plan);
    const struct tried *same = tried_plan(c, own->hash);
    own->made = true;
    if (same) {
        own->makespan = same->makespan;
        c->budget.work += plan_message_count(*plan) * (hn_time)WORK_LATE;
        plan_free(*plan);
        *plan = NULL;
    }
    return HN_OK;
}

/* HN_EPLAN is no error here: the planner refuses this request. *makespan stays as it was. */
int selection_try(struct selection *c, const struct choice *choice, hn_time *makespan)
{
    const struct tried *before = tried_choice(c, choice);
    struct plan *plan;
    if (is_left_out(c, choice->planner) || is_left_out(c, choice->stage[0].planner) ||
        is_left_out(c, choice->stage[1].planner))
        return HN_OK;
    if (before) {
        *makespan = before->makespan;
        return HN_OK;
    }
    int error = make(c, choice, &plan);
    if (error)
        return error == HN_EPLAN ? HN_OK : error;
    struct tried *own = &c->tried.list[c->tried.count - 1];
    if (plan)
        error = judge(c, choice, plan, &own->makespan);
    *makespan = own->makespan;
    return error;
}

/* Searching planners take part only in the last phase, alone. Planners of many messages refuse by
 * themselves. Composed planners are tried elsewhere (auto_composed.c). */
bool selection_takes(const struct selection *c, const struct planner *planner)
{
    bool due = c->searching == (planner->search > 0);
    /* A search takes planner->search for each rank, which must be less than the operation's time.
     */
    bool affordable = !c->quick || !c->searching || c->price / c->req->ranks >= planner->search;
    bool suits = (!c->quick && c->req->messages) || planner_suits(planner, &c->facts);
    if (!planner_serves(planner, c->req) || planner->composed || !due)
        return false;
    if (c->only)
        return c->only == planner;
    return !is_left_out(c, planner) && (!planner->candidate.baseline || c->baselines) &&
           affordable && suits;
}

/* Computes the delivery times for the size of a choice. */
static int prepare_matrix(struct selection *c, const struct choice *choice)
{
    if (!choice->planner->pairs || (c->matrix && c->matrix->bytes == choice_bytes(choice, c->req)))
        return HN_OK;
    matrix_free(c->matrix);
    c->matrix = matrix_new(c->model, choice_bytes(choice, c->req));
    return c->matrix ? HN_OK : HN_ENOMEM;
}

/* Radices and arities are tried one after the other, each only if the budget allows its messages.
 */
int selection_try_planner(struct selection *c, const struct planner *planner, int64_t segment,
                          hn_time *least)
{
    struct choice choice = {planner, planner->arity, segment};
    int error = HN_OK;
    hn_time *whole = &c->whole[planner - planners], best = INT64_MAX;
    for (; choice.arity <= planner->arity_most && !error;
         radix_next(&choice, c->quick, c->req, c->model)) {
        hn_time makespan = INT64_MAX;
        hn_time search = work_search(&choice, c->req);
        if (!selection_affords(c, search + work_messages(&choice, c->req) * c->budget.message_work))
            /* The search is charged before it is made, as its time is only estimated. */
            continue;
        c->budget.work += search;
        error = prepare_matrix(c, &choice);
        if (!error)
            error = selection_try(c, &choice, &makespan);
        best = makespan < best ? makespan : best;
    }
    *whole = best < *whole ? best : *whole;
    if (least)
        *least = best;
    return error;
}

/* Whether a planner is worth trying with segments: it is not far behind the best without them, or
 * depends on them, as chains, binary trees, and planners that route each segment separately do. */
static bool is_finalist(const struct selection *c, const struct planner *planner)
{
    bool (*suits)(const struct facts *) = planner->candidate.suits_cut;
    bool likely = (!suits || suits(&c->facts)) &&
                  (planner->candidate.pipelines || c->whole[planner - planners] < INT64_MAX);
    /* A planner without whole messages is tried with segments if it depends on them. */
    return planner->segments && (c->only || likely);
}

/* An operation that waits computes the bound only for long data of one rank, for which it takes a
 * few milliseconds. */
bool selection_is_at_bound(struct selection *c)
{
    bool looks = c->quick ? c->budget.bulk && request_parts(c->req) == 1 && !c->facts.stage
                          : c->req->ranks <= RANKS_FOR_ALL || c->budget.bulk;
    if (c->only || !c->plan || !looks)
        return false;
    if (c->enough < 0)
        c->enough = lower_bound(c->req, c->model, true);
    hn_time near = c->budget.bulk ? c->enough / NEAR_SHARE
                   : c->searching ? c->enough / BOUND_SHARE
                                  : 0;
    return c->price <= c->enough + near;
}

/* Tries all planners of the present phase, with whole messages or in segments. At the bound only
 * multicasts can be better, since the bounds do not cover them. */
static int try_planners(struct selection *c, int64_t segment)
{
    int error = HN_OK;
    for (int i = 0; i < planner_count && !error; i++) {
        const struct planner *planner = &planners[i];
        if (selection_takes(c, planner) && (segment == 0 || is_finalist(c, planner)) &&
            (planner->multicasts || !selection_is_at_bound(c)))
            error = selection_try_planner(c, planner, segment, NULL);
        c->shortlist.planners += segment == 0 && selection_takes(c, planner);
    }
    return error;
}

/* The longest part that can be cut into segments; 0: none in this operation. */
static int64_t longest_part(const struct request *req)
{
    int64_t longest = 0;
    if (request_parts(req) > 1 && req->op != OP_MULTIMULTICAST)
        return 0;
    for (int part = 0; part < request_parts(req); part++)
        longest = request_part_bytes(req, part) > longest ? request_part_bytes(req, part) : longest;
    return longest;
}

/* Whether plans with this segment size may be tried: they do not have too many steps. Each segment
 * means about two steps a rank. */
static bool may_cut(const struct selection *c, int64_t segment)
{
    int64_t n = c->req->ranks, steps = n > RANKS_FOR_ALL ? STEPS_MANY : STEPS_MOST;
    return longest_part(c->req) / segment <= steps / n;
}

static bool is_scan(const struct selection *c)
{
    return c->req->op == OP_SCAN || c->req->op == OP_EXSCAN;
}

/* Upper limit of segments. In a scan one segment may hold everything, which a single relay then
 * combines. So there the first size is not below the length of the data. */
static int64_t segment_limit(const struct selection *c)
{
    int64_t bytes = longest_part(c->req);
    return !is_scan(c) ? bytes : bytes > SEGMENT_LEAST ? 2 * bytes : SEGMENT_LEAST + 1;
}

int selection_try_smaller(struct selection *c, const struct planner *planner, int64_t size)
{
    int64_t bytes = request_part_bytes(c->req, 0);
    hn_time least = INT64_MAX, own = INT64_MAX - 1;
    int error = HN_OK;
    for (; size >= SEGMENT_LEAST && size < bytes && own < least && !error; size /= 2) {
        least = own;
        error = selection_try_planner(c, planner, size, &own);
    }
    return error;
}

/* Whether there is something to cut. With segments, scans use other routes even if they carry no
 * data. */
static bool has_segments(const struct selection *c)
{
    return !c->whole_only && (longest_part(c->req) > 0 || is_scan(c)) &&
           c->req->ranks <= STEPS_MANY;
}

int64_t selection_largest_segment(int64_t bytes)
{
    int64_t segment = SEGMENT_LEAST;
    while (segment < bytes / 2)
        segment *= 2;
    return segment;
}

/* Tries segments from half the data down to smaller ones; for an operation that waits, as long as
 * that gets better. */
static int try_segments(struct selection *c)
{
    int64_t bytes = longest_part(c->req), limit = segment_limit(c),
            segment = selection_largest_segment(limit);
    int error = HN_OK, dead_ends = 0;
    for (; segment >= SEGMENT_LEAST && segment < limit && may_cut(c, segment) &&
           dead_ends < DEAD_ENDS && !error;
         segment /= 2) {
        hn_time before = c->price;
        error = try_planners(c, segment);
        bool filled = bytes / segment >= c->req->ranks;
        /* Without enough segments for all ranks a pipeline is not filled, so smaller ones may still
         * help. */
        dead_ends = c->price < before ? 0 : dead_ends + (filled && c->quick);
    }
    return error;
}

/* Lists the segment sizes for a search, ascending, and whole messages (0) if time permits; returns
 * their number. Searches for multiple multicasts use whole messages: they cost as much for every
 * segment size, and ignore shared routes. */
static int list_sizes(const struct selection *c, const struct planner *planner, int64_t sizes[64])
{
    int count = 0;
    bool cut = has_segments(c) && planner->segments && !c->req->messages;
    for (int64_t size = SEGMENT_LEAST; cut && size < segment_limit(c); size *= 2)
        if (may_cut(c, size))
            sizes[count++] = size;
    if (!c->quick)
        sizes[count++] = 0;
    return count;
}

/* Runs a searching planner: first with the segments of the best plan so far, then with larger and
 * smaller ones, as long as it gets better; for an operation that waits, better than all. */
static int try_search(struct selection *c, const struct planner *planner)
{
    int64_t sizes[64];
    int count = list_sizes(c, planner, sizes), at = 0, error = HN_OK, dead_ends = 0;
    hn_time best = INT64_MAX, own;
    /* The sizes are ascending; the search begins with that of the best plan. */
    while (at + 1 < count && (c->choice.segment == 0 || sizes[at] < c->choice.segment))
        at++;
    for (int i = 0;
         i < 2 * count && dead_ends < 2 * DEAD_ENDS && !error && !selection_is_at_bound(c); i++) {
        /* Alternately one size larger and one smaller, farther and farther away. */
        int next = at + (i % 2 ? -(i + 1) / 2 : i / 2);
        if (next < 0 || next >= count)
            continue;
        hn_time before = c->price;
        error = selection_try_planner(c, planner, sizes[next], &own);
        bool better = c->quick ? c->price < before : own < best;
        dead_ends = better ? 0 : dead_ends + 1;
        best = own < best ? own : best;
    }
    return error;
}

/* Runs the searching planners. Segments that go up and down a tree at the same time take some 15 %
 * longer than predicted (measured on buses). So for an operation that waits an allreduce is left to
 * the others. */
static int try_searches(struct selection *c)
{
    int error = HN_OK;
    if (c->quick && (c->req->op == OP_ALLREDUCE || !c->plan))
        return HN_OK;
    c->searching = true;
    for (int i = 0; i < planner_count && !error; i++)
        if (selection_takes(c, &planners[i]))
            error = try_search(c, &planners[i]);
    c->searching = false;
    return error;
}

/* Tries what shows how long the operation takes, and planners for long data. */
static int try_usual(struct selection *c)
{
    int error = c->quick ? selection_try_defaults(c) : HN_OK;
    return error ? error : selection_try_bulk(c);
}

/* Tries what planners ask to be tried first. */
static int try_likely(struct selection *c)
{
    int error = selection_is_at_bound(c) ? HN_OK : selection_try_first(c);
    return error || !has_segments(c) ? error : selection_try_first_cut(c);
}

/* The limit of work if no operation waits: many messages or segments count like many ranks. Long
 * scans have many segments, too. */
static hn_time patience(const struct selection *c)
{
    bool many = c->req->messages || c->budget.bulk || is_scan(c);
    bool much = many && c->req->ranks <= RANKS_FOR_ALL;
    return work_patience(much ? RANKS_FOR_ALL + 1 : c->req->ranks);
}

/* Later phases use what earlier ones have found: limits, finalists, and the best segment size. */
static int try_all(struct selection *c)
{
    int error = c->only ? HN_OK : try_usual(c);
    /* Only the usual plans of a waiting operation count; other callers have a limit of their own.
     */
    if (!c->quick) {
        c->budget.work = 0;
        c->budget.most = patience(c);
    }
    if (!error && !c->only)
        error = try_likely(c);
    if (!error)
        error = try_planners(c, 0);
    if (!error && has_segments(c))
        error = try_segments(c);
    return error || c->facts.stage ? error : try_searches(c);
}

/* ---- all of it -------------------------------------------------------------------------- */

int selection_run(struct selection *c)
{
    c->facts = facts_of(c->req, c->model, !c->quick, c->facts.stage);
    c->whole = malloc((size_t)planner_count * sizeof *c->whole);
    int error = c->whole ? HN_OK : HN_ENOMEM;
    for (int i = 0; i < planner_count && !error; i++)
        c->whole[i] = INT64_MAX;
    c->budget.message_work = work_message(c->model);
    c->budget.bulk = selection_is_bulk(c);
    c->shortlist.complete = true;
    c->enough = -1;
    c->budget.most = c->quick ? c->budget.most : INT64_MAX;
    if (!error)
        error = try_all(c);
    /* Near the lower bound only multicasts can be better. */
    if (!error && !c->facts.stage && (c->facts.multicasts || !selection_is_at_bound(c)))
        error = selection_try_composed(c);
    matrix_free(c->matrix);
    c->matrix = NULL;
    free(c->order);
    c->order = NULL;
    free(c->whole);
    free(c->tried.list);
    return error || c->plan ? error : HN_EPLAN;
}
