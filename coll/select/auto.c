/* auto.c - `auto`: every suitable planner with every useful parameter, simulated; the best one is
 * kept.
 *
 * By construction no single planner of the table beats it in the model. What libraries usually do
 * is tried first (defaults.c), then what planners say should be tried first, then all planners with
 * whole messages, and then in segments, from large ones to small ones, which are the most work, as
 * long as that gets better. Planners that search come last, from the best segment size on.
 *
 * Operations that wait do without the baselines, and for each search there must be time in the
 * operation itself. Who has time ends where a plan is at the lower bound, or near it if data are
 * long: plans for such data have many messages, which are much work to simulate.
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
    SEGMENT_LEAST = 1024,            /* smaller pieces cost more in constants than they can win */
    STEPS_MOST = 1 << 17,            /* of a plan that is tried with segments */
    STEPS_MANY = 1 << 15,            /* ... for more than RANKS_FOR_ALL ranks */
    RANKS_FOR_ALL = WORK_RANKS_FREE, /* up to here, there is time for all */
    LATE_MOST = 3,                   /* times the best: beyond, no planner is tried in segments */
    DEAD_ENDS = 2, /* segment sizes in a row that bring nothing, though there are enough of them to
                      fill a pipeline */
    BOUND_SHARE = 1000, /* no search is made when the best plan is so near to the bound, ... */
    NEAR_SHARE = 40     /* ... and of long data, nothing else is tried when it is so near */
};

static void clear(struct plan *plan, struct timing *timing)
{
    plan_free(plan);
    timing_free(timing);
}

/* How late a plan may be and still matter: no later than the best; but whole messages that are not
 * much later may be best with segments, a composed plan at another root, and what a search finds
 * with more or fewer segments. */
static hn_time limit_of(const struct selection *c, const struct choice *choice)
{
    hn_time best = c->plan ? c->price : INT64_MAX;
    bool informs = c->quick || c->searching || choice->segment == 0;
    hn_time limit = informs && best < INT64_MAX / LATE_MOST ? LATE_MOST * best : best;
    /* Of a stage, only the best ones matter, once it is known who is a finalist. */
    const struct candidate *last = &c->first[FAVOURITES - 1];
    bool beaten = c->stage && choice->segment > 0 && last->choice.planner;
    return beaten && last->makespan < limit ? last->makespan : limit;
}

/* ---- trying ------------------------------------------------------------------------------------
 */

static void note_favourite(struct selection *c, const struct choice *choice, hn_time price)
{
    int i = FAVOURITES - 1;
    if (c->first[i].choice.planner && price >= c->first[i].makespan)
        return;
    for (; i > 0 && (!c->first[i - 1].choice.planner || price < c->first[i - 1].makespan); i--)
        c->first[i] = c->first[i - 1];
    c->first[i] = (struct candidate){*choice, price};
}

/* What a choice took when it was tried; NULL: it has not been. */
static const struct tried *tried_choice(const struct selection *c, const struct choice *choice)
{
    for (int i = 0; i < c->tried.count; i++)
        if (choice_same(&c->tried.list[i].choice, choice))
            return &c->tried.list[i];
    return NULL;
}

/* What the same plan took that another choice made; NULL: none has. */
static const struct tried *tried_plan(const struct selection *c, uint64_t hash)
{
    for (int i = 0; i < c->tried.count; i++)
        if (c->tried.list[i].made && c->tried.list[i].hash == hash)
            return &c->tried.list[i];
    return NULL;
}

static bool is_left_out(const struct selection *c, const struct planner *planner)
{
    return planner && c->left_out && c->left_out[planner - planners];
}

/* Plays a plan that is like no other, and keeps it when it is the best. */
static int judge(struct selection *c, const struct choice *choice, struct plan *plan,
                 hn_time *makespan)
{
    struct timing timing = {0};
    int error = selection_play(c, choice, plan, limit_of(c, choice), &timing);
    *makespan = error ? INT64_MAX : timing.makespan;
    bool late = timing.makespan == INT64_MAX && c->plan;
    hn_time price = error || late ? INT64_MAX : selection_price(c, plan, timing.makespan);
    if (!error && !late) {
        int64_t quarters = plan_message_quarters(plan);
        int messages = (int)((quarters + 3) / 4);
        candidates_note(&c->candidates, choice, (messages + c->req->ranks - 1) / c->req->ranks,
                        quarters < 4 * plan_message_count(plan), timing.makespan);
        note_favourite(c, choice, price);
    }
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

/* Makes the plan of a choice that has not been tried, into an entry of the list. */
static int make(struct selection *c, const struct choice *choice, struct plan **plan)
{
    const struct matrix *matrix = choice->planner->pairs ? c->matrix : NULL;
    bool limited = c->plan && (!c->quick || c->searching);
    if (!ARRAY_GROW(c->tried.list, c->tried.count, c->tried.room, 64))
        return HN_ENOMEM;
    struct tried *own = &c->tried.list[c->tried.count++];
    *own = (struct tried){.choice = *choice, .makespan = INT64_MAX};
    int error = choice_plan_with(choice, c->req, c->model, matrix, limited ? c->price : 0, plan);
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

/* What searches comes at the end, alone; planners of many messages refuse by themselves. */
bool selection_takes(const struct selection *c, const struct planner *planner)
{
    bool turn = c->searching == (planner->search > 0);
    bool affordable = !c->quick || !c->searching || c->price / c->req->ranks >= planner->search;
    bool suits = (!c->quick && c->req->messages) || planner_suits(planner, &c->facts);
    if (!planner_serves(planner, c->req) || planner->composed || !turn)
        return false;
    if (c->only)
        return c->only == planner;
    return !is_left_out(c, planner) && (!planner->candidate.baseline || c->baselines) &&
           affordable && suits;
}

/* The delivery times for the size of a choice. */
static int prepare_matrix(struct selection *c, const struct choice *choice)
{
    if (!choice->planner->pairs || (c->matrix && c->matrix->bytes == choice_bytes(choice, c->req)))
        return HN_OK;
    matrix_free(c->matrix);
    c->matrix = matrix_new(c->model, choice_bytes(choice, c->req));
    return c->matrix ? HN_OK : HN_ENOMEM;
}

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

/* Whether a planner is worth trying with segments: it is not far behind the best without, or lives
 * on them, as chains, binary trees, and what gives every segment a way of its own. */
static bool is_finalist(const struct selection *c, const struct planner *planner)
{
    bool (*suits)(const struct facts *) = planner->candidate.suits_cut;
    bool likely = (!suits || suits(&c->facts)) &&
                  (planner->candidate.pipelines || c->whole[planner - planners] < INT64_MAX);
    return planner->segments && (c->only || likely);
}

/* An operation that waits looks at the bound only for long data of one rank: that bound is found in
 * a few milliseconds. */
bool selection_is_at_bound(struct selection *c)
{
    bool looks = c->quick ? c->budget.bulk && request_parts(c->req) == 1 && !c->stage
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

/* All planners whose turn it is, with whole messages or in segments. At the bound only multicasts
 * can be better. */
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

/* The longest part of which there may be segments; 0: there are none in this operation. */
static int64_t longest_part(const struct request *req)
{
    int64_t longest = 0;
    if (request_parts(req) > 1 && req->op != OP_MULTIMULTICAST)
        return 0;
    for (int part = 0; part < request_parts(req); part++)
        longest = request_part_bytes(req, part) > longest ? request_part_bytes(req, part) : longest;
    return longest;
}

/* Whether a plan in such segments may be tried: there are not too many. */
static bool may_cut(const struct selection *c, int64_t segment)
{
    int64_t n = c->req->ranks, steps = n > RANKS_FOR_ALL ? STEPS_MANY : STEPS_MOST;
    return longest_part(c->req) / segment <= steps / n;
}

static bool is_scan(const struct selection *c)
{
    return c->req->op == OP_SCAN || c->req->op == OP_EXSCAN;
}

/* Segments are smaller than this; of scans one may hold all, which one relay puts together then. */
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

/* Whether there is something to cut. In segments scans go other ways, even when nothing is sent. */
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

/* From segments of about half the data on, to smaller ones; where an operation waits, as long as
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
        dead_ends = c->price < before ? 0 : dead_ends + (filled && c->quick);
    }
    return error;
}

/* The sizes in which a search is made, ascending, and whole messages (0) where there is time for
 * that; returns their number. The searches of multiple multicasts are for whole messages: they are
 * as much work for every segment size, and look at no shared way. */
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

/* A planner that searches: first in segments as the best plan so far has them, then in larger and
 * smaller ones, for as long as that makes it better; where an operation waits, better than all. */
static int try_search(struct selection *c, const struct planner *planner)
{
    int64_t sizes[64];
    int count = list_sizes(c, planner, sizes), at = 0, error = HN_OK, dead_ends = 0;
    hn_time best = INT64_MAX, own;
    while (at + 1 < count && (c->choice.segment == 0 || sizes[at] < c->choice.segment))
        at++;
    for (int i = 0;
         i < 2 * count && dead_ends < 2 * DEAD_ENDS && !error && !selection_is_at_bound(c); i++) {
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

/* The planners that search. In an operation that waits, segments that go up and down a tree at the
 * same time take some 15 % longer than the model says (measured on buses), so an allreduce is left
 * to the others. */
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

/* What says how long an operation waits, and what is made for long data. */
static int try_usual(struct selection *c)
{
    int error = c->quick ? selection_try_defaults(c) : HN_OK;
    return error ? error : selection_try_bulk(c);
}

/* What planners say comes first. */
static int try_likely(struct selection *c)
{
    int error = selection_is_at_bound(c) ? HN_OK : selection_try_first(c);
    return error || !has_segments(c) ? error : selection_try_first_cut(c);
}

/* How much work there is time for besides, without haste: many messages or segments are as much
 * work as many ranks. Long scans have many segments, too. */
static hn_time patience(const struct selection *c)
{
    bool many = c->req->messages || c->budget.bulk || is_scan(c);
    bool much = many && c->req->ranks <= RANKS_FOR_ALL;
    return work_patience(much ? RANKS_FOR_ALL + 1 : c->req->ranks);
}

static int try_all(struct selection *c)
{
    int error = c->only ? HN_OK : try_usual(c);
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
    return error || c->stage ? error : try_searches(c);
}

/* ---- all of it ---------------------------------------------------------------------------------
 */

int selection_hold(struct selection *c)
{
    c->facts = facts_of(c->req, c->model, !c->quick, c->stage);
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
    if (!error && !c->stage && (c->facts.multicasts || !selection_is_at_bound(c)))
        error = selection_try_composed(c);
    matrix_free(c->matrix);
    c->matrix = NULL;
    free(c->order);
    c->order = NULL;
    free(c->whole);
    free(c->tried.list);
    return error || c->plan ? error : HN_EPLAN;
}
