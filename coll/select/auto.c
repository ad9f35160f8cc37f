/* auto.c - `auto`: every suitable planner with every useful parameter, simulated; the best one is
 * kept.
 *
 * By construction no single planner of the table beats it in the model. Operations that wait do
 * without the baselines. Choices are tried size by
 * size, so that the delivery times of all pairs are computed once for a size. With many ranks, only
 * the planners that were best with whole messages are tried with segments, and only as long as
 * there is time (work.h): then a planner that was left out may be better. Planners that search
 * come last, and are tried with smaller and smaller segments as long as that helps; not when the
 * best plan is at the lower bound, and each only for as long as it may become the best.
 *
 * Plans for long data have many messages, which are much work to simulate. Planners made for such
 * data come first, and a plan that is near the lower bound ends the search.
 *
 * The quick way, for operations that wait, begins with what libraries usually do (thumb.c), leaves
 * out what it has no time for, and goes from large segments to small ones, which are the most work,
 * as long as that gets better; pipelines do so only when they have as many segments as ranks.
 */
#include "select/contest.h"

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
    RANKS_FOR_ALL = WORK_RANKS_FREE, /* up to here, every planner is tried with segments */
    FINALISTS = 3,                   /* ... and beyond, so many, besides those made for segments */
    LATE_MOST = 3,                   /* times the best: beyond, nobody becomes a finalist */
    DEAD_ENDS = 2, /* segment sizes in a row that bring nothing, though there are enough of them to
                      fill a pipeline, or to be much work */
    CELLS_FEW = 1024, /* segments * ranks: more are much work for a slow planner, which is spared */
    BOUND_SHARE = 1000, /* ... when the best plan is so near to the bound */
    NEAR_SHARE = 40     /* of long data, nothing else is tried when it is so near to the bound */
};

static void clear(struct plan *plan, struct timing *timing)
{
    plan_free(plan);
    timing_free(timing);
}

/* How late a plan may be and still matter: no later than the best; but of many ranks, whole
 * messages that are not much later may be best with segments, a slow planner that comes near with
 * some segments with more or fewer, and a composed plan at another root. */
static hn_time limit_of(const struct contest *c, const struct choice *choice)
{
    hn_time best = c->plan ? c->price : INT64_MAX;
    bool cut_later = c->req->ranks > RANKS_FOR_ALL && request_parts(c->req) == 1 &&
                     request_part_bytes(c->req, 0) > SEGMENT_LEAST && choice->segment == 0;
    bool tells = c->quick || cut_later || (choice->planner->slow && choice->segment > 0) ||
                 planner_roots(choice->planner);
    hn_time limit = tells && best < INT64_MAX / LATE_MOST ? LATE_MOST * best : best;
    /* Of a stage, only the best ones matter, once it is known who is a finalist. */
    const struct rival *last = &c->first[FAVOURITES - 1];
    bool beaten = c->stage && choice->segment > 0 && last->choice.planner;
    return beaten && last->makespan < limit ? last->makespan : limit;
}

/* ---- trying ------------------------------------------------------------------------------------
 */

static void note_favourite(struct contest *c, const struct choice *choice, hn_time price)
{
    int i = FAVOURITES - 1;
    if (c->first[i].choice.planner && price >= c->first[i].makespan)
        return;
    for (; i > 0 && (!c->first[i - 1].choice.planner || price < c->first[i - 1].makespan); i--)
        c->first[i] = c->first[i - 1];
    c->first[i] = (struct rival){*choice, price};
}

/* The same plan, if it has been tried; otherwise a new place for it, without a time. NULL: out of
 * memory. */
static struct tried *find_tried(struct contest *c, const struct plan *plan)
{
    uint64_t print = plan_print(plan);
    for (int i = 0; i < c->tried.count; i++)
        if (c->tried.list[i].print == print)
            return &c->tried.list[i];
    if (!ARRAY_GROW(c->tried.list, c->tried.count, c->tried.room, 64))
        return NULL;
    c->tried.list[c->tried.count] = (struct tried){print, -1};
    return &c->tried.list[c->tried.count++];
}

static bool is_left_out(const struct contest *c, const struct planner *planner)
{
    return planner && c->left_out && c->left_out[planner - planners];
}

int contest_try(struct contest *c, const struct choice *choice, hn_time *makespan)
{
    if (is_left_out(c, choice->planner) || is_left_out(c, choice->stage[0].planner) ||
        is_left_out(c, choice->stage[1].planner))
        return HN_OK;
    struct plan *plan;
    struct timing timing = {0};
    const struct matrix *matrix = choice->planner->pairs ? c->matrix : NULL;
    bool limited = c->plan && (!c->quick || c->searching);
    int error = choice_plan_with(choice, c->req, c->model, matrix, limited ? c->price : 0, &plan);
    if (error)
        return error == HN_EPLAN ? HN_OK : error;
    c->entries.plans++;
    struct tried *tried = find_tried(c, plan);
    if (!tried || tried->makespan >= 0) {
        *makespan = tried ? tried->makespan : INT64_MAX;
        c->budget.work += plan_message_count(plan) * (hn_time)WORK_LATE;
        plan_free(plan);
        return tried ? HN_OK : HN_ENOMEM;
    }
    hn_time limit = limit_of(c, choice);
    error = contest_play(c, choice, plan, limit, &timing);
    tried->makespan = error ? INT64_MAX : timing.makespan;
    if (!error)
        *makespan = timing.makespan;
    bool late = timing.makespan == INT64_MAX && c->plan;
    hn_time price = error || late ? INT64_MAX : contest_price(c, plan, timing.makespan);
    if (!error && !late) {
        int64_t quarters = plan_message_quarters(plan);
        int messages = (int)((quarters + 3) / 4);
        rivals_note(&c->rivals, choice, (messages + c->req->ranks - 1) / c->req->ranks,
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

/* What searches comes at the end, alone; planners of many messages refuse by themselves. */
bool contest_takes(const struct contest *c, const struct planner *planner)
{
    bool turn = !c->quick || c->searching == (planner->search > 0);
    bool soon = !c->quick || !planner->slow || planner->search > 0;
    bool affordable = !c->searching || c->price / c->req->ranks >= planner->search;
    bool suits = (!c->quick && c->req->messages) || planner_suits(planner, &c->facts);
    if (c->only)
        return c->only == planner && planner_serves(planner, c->req) && !planner->composed;
    return planner_serves(planner, c->req) && !is_left_out(c, planner) && !planner->composed &&
           (!planner->candidate.baseline || c->baselines) && turn && soon && affordable && suits;
}

/* The delivery times for the size of a choice. */
static int prepare_matrix(struct contest *c, const struct choice *choice)
{
    if (!choice->planner->pairs || (c->matrix && c->matrix->bytes == choice_bytes(choice, c->req)))
        return HN_OK;
    matrix_free(c->matrix);
    c->matrix = matrix_new(c->model, choice_bytes(choice, c->req));
    return c->matrix ? HN_OK : HN_ENOMEM;
}

int contest_try_planner(struct contest *c, const struct planner *planner, int64_t segment,
                        hn_time *least)
{
    struct choice choice = {planner, planner->arity, segment};
    int error = HN_OK;
    hn_time *whole = &c->whole[planner - planners], best = INT64_MAX;
    for (; choice.arity <= planner->arity_most && !error;
         radix_next(&choice, c->quick, c->req, c->model)) {
        hn_time makespan = INT64_MAX;
        hn_time search = work_search(&choice, c->req);
        if (!contest_affords(c, search + work_messages(&choice, c->req) * c->budget.message_work))
            continue;
        c->budget.work += search;
        error = prepare_matrix(c, &choice);
        if (!error)
            error = contest_try(c, &choice, &makespan);
        best = makespan < best ? makespan : best;
    }
    if (best < *whole && (segment == 0 || c->quick))
        *whole = best;
    if (least)
        *least = best;
    return error;
}

/* Whether a planner is worth trying with segments: it is among the best without, or lives on them,
 * as chains, binary trees, and what gives every segment a way of its own. The searches of multiple
 * multicasts are for whole messages: they are as much work for every segment size, and look at no
 * shared way. */
static bool is_finalist(const struct contest *c, int planner)
{
    if (!planners[planner].segments)
        return false;
    if (c->req->messages && planners[planner].slow)
        return false;
    if (c->only || (!c->quick && c->req->ranks <= RANKS_FOR_ALL))
        return true;
    if (planners[planner].candidate.pipelines)
        return true;
    if (c->whole[planner] == INT64_MAX)
        return false;
    if (c->quick)
        return true;
    int better = 0;
    for (int i = 0; i < planner_count; i++)
        better += c->whole[i] < c->whole[planner];
    return better < FINALISTS;
}

/* Whether there is time for all, of few ranks: then the slow planners are the last. */
static bool has_time(const struct contest *c)
{
    return !c->quick && c->req->ranks <= RANKS_FOR_ALL && !c->req->messages && !c->budget.bulk;
}

/* When it is a planner's turn: of many ranks, those made for such networks come first, and then
 * those that do not look at all pairs, so that there is soon a good plan. */
enum { EARLY_MOST = 3, TURNS = EARLY_MOST + 3 };
static int turn_of(const struct contest *c, const struct planner *planner)
{
    if (c->quick || has_time(c))
        return planner->slow;
    if (planner->candidate.early)
        return EARLY_MOST - planner->candidate.early;
    return EARLY_MOST + planner->pairs + planner->slow;
}

static int try_whole(struct contest *c, int first_turn, int turns)
{
    int error = HN_OK;
    for (int turn = first_turn; turn < first_turn + turns; turn++)
        for (int i = 0; i < planner_count && !error; i++)
            if (contest_takes(c, &planners[i]) && turn_of(c, &planners[i]) == turn) {
                error = contest_try_planner(c, &planners[i], 0, NULL);
                c->entries.planners++;
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
static bool may_cut(const struct contest *c, int64_t segment)
{
    int64_t n = c->req->ranks, steps = n > RANKS_FOR_ALL ? STEPS_MANY : STEPS_MOST;
    return longest_part(c->req) / segment <= steps / n;
}

/* Whether no plan can be better, or, where that is much work, hardly; multicasts can. */
static bool is_at_bound(struct contest *c, bool much_work)
{
    if ((!has_time(c) && (c->quick || !c->budget.bulk)) || c->only || !c->plan)
        return false;
    if (c->enough < 0)
        c->enough = lower_bound(c->req, c->model, true);
    hn_time share = c->budget.bulk ? NEAR_SHARE : BOUND_SHARE;
    return c->price <= c->enough + (much_work || c->budget.bulk ? c->enough / share : 0);
}

static bool may_be_cut(const struct contest *c, const struct planner *planner)
{
    bool (*suits)(const struct facts *) = planner->candidate.suits_cut;
    return c->only || !suits || suits(&c->facts);
}

/* All planners that need no search of their own for every segment size. */
static int try_segment(struct contest *c, int64_t segment)
{
    int error = HN_OK;
    bool done = is_at_bound(c, false);
    for (int i = 0; i < planner_count && !error && may_cut(c, segment); i++)
        if (contest_takes(c, &planners[i]) && !planners[i].slow && is_finalist(c, i) &&
            (!done || planners[i].casts) && may_be_cut(c, &planners[i]))
            error = contest_try_planner(c, &planners[i], segment, NULL);
    return error;
}

/* A slow planner, from large segments to small ones. Where there are many, each size is as much
 * work as all before it, so it ends when smaller ones have not been better for a while. */
static int try_slow(struct contest *c, const struct planner *planner, const int64_t *sizes,
                    int count)
{
    hn_time best = INT64_MAX, own;
    int error = HN_OK, dead_ends = 0;
    for (int i = count - 1; i >= 0 && dead_ends < DEAD_ENDS && may_cut(c, sizes[i]) && !error;
         i--) {
        bool many = longest_part(c->req) / sizes[i] > CELLS_FEW / c->req->ranks;
        if (is_at_bound(c, many))
            break;
        error = contest_try_planner(c, planner, sizes[i], &own);
        dead_ends = own < best ? 0 : dead_ends + many;
        best = own < best ? own : best;
    }
    return error;
}

static bool is_scan(const struct contest *c)
{
    return c->req->op == OP_SCAN || c->req->op == OP_EXSCAN;
}

/* Segments are smaller than this; of scans one may hold all, which one relay puts together then. */
static int64_t segment_limit(const struct contest *c, int64_t bytes, int step)
{
    return !is_scan(c) ? bytes : bytes > SEGMENT_LEAST ? bytes * step : SEGMENT_LEAST + 1;
}

/* The segment sizes that are tried, ascending; returns their number. */
static int list_sizes(const struct contest *c, int64_t sizes[64])
{
    int count = 0, step = c->req->ranks > RANKS_FOR_ALL ? 4 : 2;
    int64_t limit = segment_limit(c, longest_part(c->req), step);
    for (int64_t size = SEGMENT_LEAST; size < limit; size *= step)
        sizes[count++] = size;
    return count;
}

/* Large segments come first: small ones are much work, the less the better the plan is that they
 * have to beat, and of many ranks there may not be time for all. */
static int try_segment_sizes(struct contest *c, const int64_t *sizes, int count)
{
    int error = HN_OK;
    for (int i = count - 1; i >= 0 && !error; i--)
        error = try_segment(c, sizes[i]);
    return error;
}

static int try_slow_planners(struct contest *c, const int64_t *sizes, int count)
{
    int error = HN_OK;
    for (int i = 0; i < planner_count && !error; i++)
        if (contest_takes(c, &planners[i]) && planners[i].slow && is_finalist(c, i))
            error = try_slow(c, &planners[i], sizes, count);
    return error;
}

int contest_try_smaller(struct contest *c, const struct planner *planner, int64_t size, int64_t end)
{
    int64_t bytes = request_part_bytes(c->req, 0);
    hn_time least = INT64_MAX, own = INT64_MAX - 1;
    int error = HN_OK;
    for (; size >= SEGMENT_LEAST && size >= end && size < bytes && own < least && !error;
         size /= 2) {
        least = own;
        error = contest_try_planner(c, planner, size, &own);
    }
    return error;
}

/* Of many ranks, not all sizes are tried with all planners: with the best one, smaller ones. */
static int try_finer(struct contest *c)
{
    int64_t end = request_part_bytes(c->req, 0) / (STEPS_MOST / c->req->ranks);
    bool cut = c->plan && c->choice.segment > 0 && !c->req->messages && !c->choice.planner->slow;
    return cut ? contest_try_smaller(c, c->choice.planner, c->choice.segment / 2, end) : HN_OK;
}

/* Whether there is something to cut. In segments scans go other ways, even when nothing is sent. */
static bool has_segments(const struct contest *c)
{
    return (longest_part(c->req) > 0 || is_scan(c)) && c->req->ranks <= STEPS_MANY;
}

/* Where there may be segments, half of the time goes to whole messages. Slow planners are the last,
 * where there is time for all: who must be better than a good plan sees sooner that it will not. */
static int try_all(struct contest *c)
{
    int64_t sizes[64];
    int ranks = c->req->ranks; /* many messages or segments are as much work as many ranks */
    if ((c->req->messages || c->budget.bulk) && ranks <= RANKS_FOR_ALL)
        ranks = RANKS_FOR_ALL + 1;
    hn_time patience = work_patience(ranks);
    bool segments = has_segments(c);
    int count = segments ? list_sizes(c, sizes) : 0;
    c->budget.most = INT64_MAX;
    int error = contest_try_bulk(c);
    if (error || (!c->facts.casts && is_at_bound(c, false)))
        return error;
    c->budget.work = 0;
    c->budget.most = segments && patience < INT64_MAX ? patience / 2 : patience;
    error = try_whole(c, 0, has_time(c) ? 1 : TURNS);
    c->budget.most = patience;
    if (!error)
        error = try_segment_sizes(c, sizes, count);
    if (!error && !has_time(c) && count > 0)
        error = try_finer(c);
    if (!error && has_time(c) && !is_at_bound(c, false))
        error = try_whole(c, 1, 1);
    return error ? error : try_slow_planners(c, sizes, count);
}

int64_t contest_largest_segment(int64_t bytes)
{
    int64_t segment = SEGMENT_LEAST;
    while (segment < bytes / 2)
        segment *= 2;
    return segment;
}

/* From segments of about half the data on, to smaller ones as long as that gets better. */
static int try_segments(struct contest *c)
{
    int64_t bytes = request_part_bytes(c->req, 0);
    int64_t limit = segment_limit(c, bytes, 2), segment = contest_largest_segment(limit);
    int error = HN_OK, dead_ends = 0;
    for (; segment >= SEGMENT_LEAST && segment < limit && dead_ends < DEAD_ENDS && !error;
         segment /= 2) {
        hn_time before = c->price;
        error = try_segment(c, segment);
        bool filled = bytes / segment >= c->req->ranks;
        dead_ends = c->price < before ? 0 : dead_ends + filled;
    }
    return error;
}

/* A planner that searches: first in segments as the best plan so far has them, then in larger and
 * smaller ones, for as long as one of both is better. */
static int try_search(struct contest *c, const struct planner *planner)
{
    int64_t sizes[64];
    int count = list_sizes(c, sizes), at = 0, error = HN_OK, dead_ends = 0;
    while (at + 1 < count && (c->choice.segment == 0 || sizes[at] < c->choice.segment))
        at++;
    for (int i = 0; i < 2 * count && dead_ends < 2 * DEAD_ENDS && !error; i++) {
        int next = at + (i % 2 ? -(i + 1) / 2 : i / 2);
        hn_time before = c->price;
        if (next < 0 || next >= count || !may_cut(c, sizes[next]))
            continue;
        error = contest_try_planner(c, planner, sizes[next], NULL);
        dead_ends = c->price < before ? 0 : dead_ends + 1;
    }
    return error;
}

/* The planners that search, where one search takes no longer than the operation; the longest ones
 * are the last. Segments that go up and down a tree at the same time take some 15 % longer than the
 * model says (measured on buses), so an allreduce is left to the others. */
static int try_searches(struct contest *c)
{
    int error = HN_OK;
    if (c->req->op == OP_ALLREDUCE || !c->plan)
        return HN_OK;
    c->searching = true;
    for (hn_time length = 0, next = 0; next < INT64_MAX && !error; length = next) {
        next = INT64_MAX;
        for (int i = 0; i < planner_count && !error; i++) {
            hn_time own = planners[i].search;
            if (own == length && length > 0 && contest_takes(c, &planners[i]))
                error = try_search(c, &planners[i]);
            if (own > length && own < next)
                next = own;
        }
    }
    c->searching = false;
    return error;
}

/* When an operation waits: what is usual, what planners say comes first, then all, cheap before
 * dear. */
static int try_quickly(struct contest *c)
{
    bool segments = request_parts(c->req) == 1 && !c->whole_only;
    int error = contest_try_thumb(c);
    if (!error)
        error = contest_try_bulk(c);
    if (!error)
        error = contest_try_first(c);
    if (!error && segments)
        error = contest_try_first_cut(c);
    if (!error)
        error = try_whole(c, 0, TURNS);
    if (!error && segments)
        error = try_segments(c);
    return error || c->stage || !segments ? error : try_searches(c);
}

/* ---- all of it ---------------------------------------------------------------------------------
 */

int contest_hold(struct contest *c)
{
    c->facts = facts_of(c->req, c->model, !c->quick, c->stage);
    c->whole = malloc((size_t)planner_count * sizeof *c->whole);
    int error = c->whole ? HN_OK : HN_ENOMEM;
    for (int i = 0; i < planner_count && !error; i++)
        c->whole[i] = INT64_MAX;
    c->budget.message_work = work_message(c->model);
    c->budget.bulk = contest_is_bulk(c);
    c->entries.complete = true;
    c->enough = -1;
    if (!error)
        error = c->quick ? try_quickly(c) : try_all(c);
    if (!error && !c->stage && (c->facts.casts || !is_at_bound(c, false)))
        error = contest_try_composed(c);
    matrix_free(c->matrix);
    c->matrix = NULL;
    free(c->order);
    c->order = NULL;
    free(c->whole);
    free(c->tried.list);
    return error || c->plan ? error : HN_EPLAN;
}
