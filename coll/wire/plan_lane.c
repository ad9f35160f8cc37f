/* plan_lane.c - choices hold for a size class, plans for exact sizes; the least recently used plan
 * is given up (lane.h).
 *
 * Memory: plans go when the cache and all operations that follow them have given them up.
 */
#include "wire/plan_lane.h"

#include "wire/journal.h"
#include "wire/multimulticast.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

const struct model *plan_lane_model(const struct plan_lane *lane)
{
    return &lane->adapt.outlook.now;
}

static struct choices *choices_of(struct plan_lane *lane)
{
    return lane->forced ? &lane->forced_choices : &lane->choices;
}

static struct circumstances now_of(const struct plan_lane *lane, const struct plan_names *names)
{
    return (struct circumstances){plan_lane_model(lane), lane->measured, names};
}

/* ---- plans made before -------------------------------------------------------------------------
 */

static bool same_request(const struct request *a, const struct request *b)
{
    if (a->op != b->op || a->root != b->root || a->grain != b->grain || a->ordered != b->ordered ||
        a->steady != b->steady || !a->sizes != !b->sizes || !multimulticast_same(a, b))
        return false;
    if (!a->sizes)
        return a->bytes == b->bytes;
    return !memcmp(a->sizes, b->sizes, (size_t)request_parts(a) * sizeof *a->sizes);
}

static void forget_plan(struct cached_plan *entry)
{
    free((void *)entry->req.sizes);
    free((void *)entry->req.messages);
    plan_free(entry->plan);
    *entry = (struct cached_plan){0};
}

static void forget_plans(struct plan_lane *lane)
{
    for (int i = 0; i < PLANS; i++)
        forget_plan(&lane->plans[i]);
}

/* The entry that holds the request, or else the one to put it into: an empty or the oldest one. */
static struct cached_plan *find_plan(struct plan_lane *lane, const struct request *req)
{
    struct cached_plan *oldest = &lane->plans[0];
    for (int i = 0; i < PLANS; i++) {
        struct cached_plan *c = &lane->plans[i];
        if (c->plan && same_request(&c->req, req))
            return c;
        if (c->used < oldest->used)
            oldest = c;
    }
    forget_plan(oldest);
    return oldest;
}

/* A decision has changed: plans that follow the one before go. */
static void forget_plans_of(struct plan_lane *lane, const struct decision *d)
{
    for (int i = 0; i < PLANS; i++) {
        struct cached_plan *c = &lane->plans[i];
        if (c->plan && choices_kept(choices_of(lane), &c->req) == d)
            forget_plan(c);
    }
}

static int copy_request(const struct request *req, struct request *copy)
{
    *copy = *req;
    copy->messages = NULL;
    if (!req->sizes)
        return HN_OK;
    size_t size = (size_t)request_parts(req) * sizeof *req->sizes;
    int64_t *sizes = malloc(size);
    copy->sizes = sizes;
    if (!sizes)
        return HN_ENOMEM;
    memcpy(sizes, req->sizes, size);
    copy->messages = req->messages ? multimulticast_copy(req) : NULL;
    return copy->messages || !req->messages ? HN_OK : HN_ENOMEM;
}

/* FNV-1a, of numbers, so that it is the same on all hosts. */
static uint32_t hash_number(uint32_t hash, int64_t number)
{
    for (int bit = 0; bit < 64; bit += 8)
        hash = (hash ^ (uint8_t)((uint64_t)number >> bit)) * 16777619u;
    return hash;
}

/* A number by which members find out whether they follow the same plan for the same request. */
static uint32_t mark_of(const struct request *req, const char *name)
{
    const int64_t said[] = {req->op,    req->ranks,   req->root,  req->sizes ? -1 : req->bytes,
                            req->grain, req->ordered, req->steady};
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        hash = hash_number(hash, said[i]);
    for (int i = 0; req->sizes && i < request_parts(req); i++)
        hash = hash_number(hash, req->sizes[i]);
    if (req->messages)
        hash = hash_number(hash, multimulticast_hash(req));
    for (; *name; name++)
        hash = hash_number(hash, *name);
    return hash | 1;
}

/* ---- making them -------------------------------------------------------------------------------
 */

/* When this member will have done its part, as far as the model knows. */
static hn_time predict(const struct plan_lane *lane, const struct plan *plan)
{
    struct timing timing = {0};
    hn_time done =
        plan_simulate(plan, plan_lane_model(lane), &timing) ? 0 : timing.done[lane->rank];
    timing_free(&timing);
    return done;
}

/* What the model says of the request, by the plan that it holds for best, whichever is followed. */
static hn_time scale_of(const struct plan_lane *lane, const struct request *req,
                        const struct decision *d, struct plan *followed)
{
    struct timing timing = {0};
    struct plan *plan = followed;
    if (choice_same(&d->choice, &d->best))
        plan_hold(plan);
    else if (choice_plan(&d->best, req, plan_lane_model(lane), &plan))
        return 0;
    hn_time makespan = plan_simulate(plan, plan_lane_model(lane), &timing) ? 0 : timing.makespan;
    timing_free(&timing);
    plan_free(plan);
    return makespan;
}

/* A choice may fail where another size or operator let it pass: then what is best here is taken. */
static int make_plan(struct plan_lane *lane, const struct request *req, struct decision *decision,
                     struct cached_plan *entry)
{
    const struct model *model = plan_lane_model(lane);
    struct choice choice = decision->choice;
    int error = copy_request(req, &entry->req);
    if (!error)
        error = choice_plan(&choice, req, model, &entry->plan);
    if (error == HN_EPLAN)
        error = planner_best_quick(req, model, 1, &choice, &entry->plan, NULL, NULL);
    if (error)
        return error;
    choice_text(&choice, entry->plan->name, sizeof entry->plan->name);
    entry->plan->mark = mark_of(req, entry->plan->name);
    if (req->sizes && lane->adapt.on && decision->why == WHY_BEST)
        entry->scale = scale_of(lane, req, decision, entry->plan);
    if (lane->journal) {
        journal_chosen(lane->journal, req, model, decision);
        entry->predicted = predict(lane, entry->plan);
    }
    return HN_OK;
}

int plan_lane_plan(struct plan_lane *lane, const struct plan_names *names,
                   const struct request *req, struct plan **plan, struct decision **settles)
{
    struct circumstances now = now_of(lane, names);
    struct decision *decision;
    bool changed;
    int error = choices_call(choices_of(lane), &now, req, &decision, &changed);
    if (error)
        return error;
    if (changed)
        forget_plans_of(lane, decision);
    struct cached_plan *entry = find_plan(lane, req);
    if (!entry->plan)
        error = make_plan(lane, req, decision, entry);
    if (error)
        return error;
    if (settles && adapt_count(&lane->adapt, decision))
        *settles = decision;
    entry->used = ++lane->clock;
    plan_hold(entry->plan);
    *plan = entry->plan;
    return HN_OK;
}

int plan_lane_foresee(struct plan_lane *lane, const struct plan_names *names,
                      const struct request *req, struct choice *choice)
{
    struct circumstances now = now_of(lane, names);
    struct decision decision;
    int error = choices_foresee(choices_of(lane), &now, req, &decision);
    if (!error)
        *choice = decision.choice;
    return error;
}

struct decision *plan_lane_decision(struct plan_lane *lane, const struct request *req)
{
    return choices_kept(choices_of(lane), req);
}

/* ---- following the network ---------------------------------------------------------------------
 */

/* What an operation took, as one of the size that the decision was made for. */
static int64_t scaled(const struct cached_plan *c, const struct decision *d, int64_t took)
{
    if (!c->req.sizes)
        return took;
    return c->scale > 0 ? (int64_t)((double)took * (double)d->entries.makespan / (double)c->scale)
                        : 0;
}

void plan_lane_note(struct plan_lane *lane, const struct plan *plan, int64_t took, bool deflated)
{
    for (int i = 0; i < PLANS; i++) {
        const struct cached_plan *c = &lane->plans[i];
        if (c->plan != plan)
            continue;
        journal_measured(lane->journal, c->req.op, choices_class(&c->req), plan->name, c->predicted,
                         took, deflated);
        struct decision *d = plan_lane_decision(lane, &c->req);
        int64_t noted = d ? scaled(c, d, took) : 0;
        if (noted > 0)
            adapt_note(&lane->adapt, d, noted);
    }
}

/* All plans are to be made anew. */
static void renew(struct plan_lane *lane)
{
    choices_renew(&lane->choices);
    choices_renew(&lane->forced_choices);
    forget_plans(lane);
}

void plan_lane_settled(struct plan_lane *lane, const struct settling *settling)
{
    if (settling->outcome == SETTLED_NETWORK)
        renew(lane);
    else if (settling->outcome == SETTLED_PLAN)
        forget_plans_of(lane, settling->decision);
    else if (settling->outcome == SETTLED_NEVER)
        lane->adapt.on = false;
}

void plan_lane_adapt(struct plan_lane *lane, const struct model *stated, bool follows, bool sums)
{
    lane->sums = sums;
    if (follows == lane->adapt.on)
        return;
    adapt_free(&lane->adapt);
    adapt_init(&lane->adapt, stated, follows);
    renew(lane);
}

/* ---- making lanes ------------------------------------------------------------------------------
 */

void plan_lane_force(struct plan_lane *lane, bool forced)
{
    lane->forced = forced;
    choices_forget(&lane->forced_choices);
    forget_plans(lane);
}

void plan_lane_init(struct plan_lane *lane, const struct model *stated, bool follows)
{
    turns_init(&lane->turns);
    adapt_init(&lane->adapt, stated, follows);
}

void plan_lane_free(struct plan_lane *lane)
{
    forget_plans(lane);
    choices_free(&lane->choices);
    choices_free(&lane->forced_choices);
    adapt_free(&lane->adapt);
    turns_free(&lane->turns);
}
