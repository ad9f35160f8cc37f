/* auto_composed.c - `auto` for composed plans (compose.h): combines the best plans of each stage,
 * and tries other roots of the stages.
 *
 * A stage is a selection of its own, without composed plans.
 */
#include "select/selection.h"

#include "planners/compose.h"
#include "planners/work.h"

#include "hnow.h"

#include <stdio.h>

enum {
    COMPOSED_RANKS = 12,  /* if quick: with more ranks, composed plans are tried only ... */
    COMPOSED_CALLS = 16,  /* ... for so many calls, since they are most of the work */
    PROMISING_SHARE = 16, /* a root may be worse by this part of its time and still be examined */
    LOOKS = 8,            /* ... closely; at most so many are */
    BEHIND_SHARE = 4      /* roots behind the best plan by this part end the search */
};

/* Selects the best plans for a stage of a choice, without searching planners; none if there is no
 * time. best[] receives FAVOURITES plans, best first; planner NULL: fewer. The work is charged to
 * *c. */
static int choose_stage(struct selection *c, const struct choice *choice, int which,
                        bool whole_only, struct tuning *best)
{
    struct stage_request stage;
    struct selection own = {.model = c->model,
                            .left_out = c->left_out,
                            .baselines = c->baselines,
                            .quick = true,
                            .priced = c->priced,
                            .budget.calls = c->quick ? c->budget.calls : CALLS_ALL,
                            .budget.work = c->budget.work,
                            .facts.stage = true,
                            .stages = c->stages,
                            .whole_only = whole_only,
                            .budget.most = selection_most_work(c)};
    /* The request of the stage lives as long as its selection. */
    int error = stage_request_begin(&stage, c->req, choice, which);
    own.req = &stage.req;
    if (!error)
        error = selection_run(&own);
    for (int i = 0; i < FAVOURITES; i++) {
        const struct choice *found = &own.first[i].choice;
        best[i] = (struct tuning){found->planner, found->arity, found->segment};
    }
    c->budget.work = own.budget.work;
    c->shortlist.complete = c->shortlist.complete && own.shortlist.complete;
    plan_free(own.plan);
    timing_free(&own.timing);
    stage_request_end(&stage);
    /* A stage that no planner serves leaves best[] empty. */
    return error == HN_EPLAN ? HN_OK : error;
}

/* Tries a composed choice if there is time; *best and *least are updated. */
static int try_choice(struct selection *c, const struct choice *choice, struct choice *best,
                      hn_time *least)
{
    hn_time makespan = INT64_MAX;
    int error = HN_OK;
    if (selection_affords(c, 2 * STAGES * c->req->ranks * c->budget.message_work))
        error = selection_try(c, choice, &makespan);
    if (makespan < *least) {
        *least = makespan;
        *best = *choice;
    }
    return error;
}

/* Combines the best plans of both stages: up to FAVOURITES^2 pairs, for one stage FAVOURITES. */
static int try_favourites(struct selection *c, const struct choice *choice, bool whole_only,
                          struct choice *best, hn_time *least)
{
    struct tuning first[STAGES][FAVOURITES] = {{{0}}};
    int stages = planner_stages(choice->planner), error = HN_OK;
    hn_time work = STAGES * c->req->ranks * c->budget.message_work;
    for (int i = 0; i < stages && !error; i++)
        error =
            selection_affords(c, work) ? choose_stage(c, choice, i, whole_only, first[i]) : HN_OK;
    for (int i = 0; i < FAVOURITES && !error && first[0][i].planner; i++)
        for (int k = 0; k < FAVOURITES && !error; k++) {
            struct choice tried = *choice;
            tried.stage[0] = first[0][i];
            tried.stage[1] = first[1][k];
            if (first[1][k].planner || (stages == 1 && k == 0))
                error = try_choice(c, &tried, best, least);
        }
    return error;
}

/* By more than a third; distances are the times from the rank to all others (centre.h). */
static bool far_from(const struct timed *centre, const struct timed *rank)
{
    return rank->time > centre->time + centre->time / 3;
}

/* The roots examined closely, by the makespan of what was best elsewhere. Equal makespans are a
 * sign of equivalent ranks. */
struct looks {
    hn_time time[LOOKS];
    int count;
};

/* Whether a root is worth a close look: what was best elsewhere is nearly as good there, and its
 * makespan differs from those of roots examined already, which are likely to be equivalent. */
static bool is_promising(struct looks *looks, hn_time there, hn_time least)
{
    if (there - there / PROMISING_SHARE > least || looks->count == LOOKS)
        return false;
    for (int i = 0; i < looks->count; i++)
        if (looks->time[i] == there)
            return false;
    looks->time[looks->count++] = there;
    return true;
}

/* Tries another root: what was best so far, and, if promising, a new selection with whole
 * messages. */
static int try_root(struct selection *c, const struct choice *moved, struct looks *looks,
                    struct choice *best, hn_time *least)
{
    struct choice there;
    hn_time time = INT64_MAX;
    int error = try_choice(c, moved, &there, &time);
    bool promising = !error && is_promising(looks, time, *least);
    if (time < *least) {
        *least = time;
        *best = there;
    }
    return promising ? try_favourites(c, moved, true, best, least) : error;
}

/* Whether no more roots need be examined after the central ones: they are far behind the best
 * plan. */
static bool is_far_behind(const struct selection *c, int roots, hn_time least)
{
    return roots >= LOOKS && c->plan && least - least / BEHIND_SHARE > c->price;
}

/* Tries other roots, from the centre of the network outwards; everything at the best one. If quick,
 * distant roots are left out. Root 0 has been tried by the caller. */
static int try_roots(struct selection *c, struct choice *best, hn_time *least)
{
    const struct timed *order = c->order;
    struct choice moved = *best;
    struct looks looks = {{*least}, 1};
    int error = HN_OK;
    for (int i = 0; i < c->req->ranks && !error && !is_far_behind(c, i, *least); i++) {
        moved.root = order[i].number;
        if (moved.root != 0 && !(c->quick && far_from(&order[0], &order[i])))
            error = try_root(c, &moved, &looks, best, least);
    }
    /* Until here only whole messages were tried at other roots. */
    if (error || best->root == 0)
        return error;
    moved = *best;
    return try_favourites(c, &moved, false, best, least);
}

/* The default plans of the stages come first: they show whether the composition is any good. */
static int try_composer(struct selection *c, const struct planner *planner)
{
    struct choice begin = {.planner = planner}, best = begin;
    hn_time least = INT64_MAX;
    int error = try_choice(c, &begin, &best, &least);
    if (!error)
        error = try_favourites(c, &begin, false, &best, &least);
    if (!error && least < INT64_MAX && c->order && planner_roots(planner))
        error = try_roots(c, &best, &least);
    return error;
}

/* Computes c->order; NULL: no composed plan of this request may choose its root, or there is no
 * time. */
static int find_centre(struct selection *c)
{
    struct matrix *matrix;
    bool roots = false;
    for (int i = 0; i < planner_count; i++)
        roots = roots || (planner_roots(&planners[i]) && planner_serves(&planners[i], c->req));
    /* Computed once for all composed plans, if some of them may choose a root. */
    if (c->order || !roots || !selection_affords(c, work_pairs(c->req->ranks)))
        return HN_OK;
    c->budget.work += work_pairs(c->req->ranks);
    matrix = matrix_new(c->model, request_part_bytes(c->req, 0));
    if (matrix)
        c->order = centre_order(matrix);
    matrix_free(matrix);
    return c->order ? HN_OK : HN_ENOMEM;
}

/* Whether rank 0 is at or near the centre. */
static bool is_central(const struct timed *order)
{
    int zero = 0;
    while (order[zero].number != 0)
        zero++;
    return !far_from(&order[0], &order[zero]);
}

static bool stage_suits(const struct selection *c, const struct planner *planner)
{
    return !planner || planner_suits(planner, &c->facts);
}

/* Whether a composed choice is worth trying and there is time. Total exchanges and gossip have n
 * messages a rank, and more. The number of messages is estimated before any plan is made. */
static bool is_worth(struct selection *c, const struct choice *choice)
{
    int64_t n = c->req->ranks, messages = 0;
    for (int i = 0; i < planner_stages(choice->planner); i++) {
        const struct tuning *stage = &choice->stage[i];
        struct choice own = {stage->planner, stage->arity, stage->segment};
        bool all = stage->planner && !stage->planner->tree && !stage->planner->multicasts;
        if (!stage->planner || !stage_suits(c, stage->planner) || (all && n > COMPOSED_RANKS))
            return false;
        messages += all ? work_messages(&own, c->req) * COMPOSED_WORK : 2 * n;
    }
    return selection_affords(c, messages * c->budget.message_work);
}

/* Tries the usual stages of a row (planner.h). */
static int try_stages(struct selection *c, const struct planner *composer, const char *stages,
                      enum usual kind, int root)
{
    char text[CHOICE_TEXT_ROOM];
    struct choice tried, best;
    hn_time least = INT64_MAX;
    snprintf(text, sizeof text, "%s:%s", composer->name, stages);
    /* Unknown names are a mistake of the table. */
    if (choice_parse(text, &tried))
        return HN_EARG;
    tried.root = root;
    bool worth = kind == USUAL_BULK ? stage_suits(c, tried.stage[0].planner) &&
                                          stage_suits(c, tried.stage[1].planner)
                                    : is_worth(c, &tried);
    return worth ? try_choice(c, &tried, &best, &least) : HN_OK;
}

/* Tries a row's usual stages of one kind. */
static int try_row(struct selection *c, const struct planner *planner, enum usual kind, int root)
{
    const char *const *usual = planner->candidate.usual;
    int error = HN_OK;
    for (; usual && *usual && planner_serves(planner, c->req) && !error; usual++) {
        if (usual_mark(*usual) == kind)
            error = try_stages(c, planner, *usual + (kind != USUAL_ALWAYS), kind, root);
    }
    return error;
}

/* With USUAL_MIDDLE only a root that is clearly better than rank 0 is tried. */
int selection_try_usual(struct selection *c, enum usual kind)
{
    int error = kind == USUAL_MIDDLE ? find_centre(c) : HN_OK, root = 0;
    if (error || (kind == USUAL_MIDDLE && (!c->order || is_central(c->order))))
        return error;
    if (kind == USUAL_MIDDLE)
        root = c->order[0].number;
    for (int i = 0; i < planner_count && !error; i++)
        error = try_row(c, &planners[i], kind, root);
    return error;
}

/* Composed plans are most of the work, so a waiting operation of many ranks does without at first.
 */
int selection_try_composed(struct selection *c)
{
    if (c->quick && c->req->ranks > COMPOSED_RANKS && c->budget.calls < COMPOSED_CALLS) {
        c->shortlist.complete = false;
        return HN_OK;
    }
    int error = find_centre(c);
    for (int i = 0; i < planner_count && !error; i++)
        if (planners[i].composed && (!c->only || c->only == &planners[i]) &&
            !(c->left_out && c->left_out[i]) &&
            (c->only || c->baselines || !planners[i].candidate.baseline) &&
            planner_serves(&planners[i], c->req)) {
            error = try_composer(c, &planners[i]);
            c->shortlist.planners++;
        }
    return error;
}
