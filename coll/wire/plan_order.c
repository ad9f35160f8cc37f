/* plan_order.c - decisions are made for a size class, plans for exact sizes (plan_order.h).
 *
 * Memory: a plan is freed when the cache and all operations that follow it have released it.
 */
#include "wire/plan_order.h"

#include "wire/history.h"
#include "wire/multimulticast.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

/* The model for which its plans are made. */
static const struct model *plan_order_model(const struct plan_order *order)
{
    return &order->adapt.model_update.now;
}

/* Choices forced by the program are kept apart, so that the automatic ones are still there
 * afterwards. */
static struct choices *choices_of(struct plan_order *order)
{
    return order->forced ? &order->forced_choices : &order->choices;
}

/* Choices of the first network are valid for the file's network only. */
static struct circumstances now_of(const struct plan_order *order, const struct plan_names *names)
{
    return (struct circumstances){
        .model = plan_order_model(order),
        .measured = order->measured,
        .names = names,
        .first = order->adapt.model_update.changed ? NULL : order->first,
    };
}

/* ---- plans made before ------------------------------------------------------------------ */

/* Whether a cached plan serves a request: it contains the exact sizes of blocks. */
static bool same_request(const struct request *a, const struct request *b)
{
    if (a->op != b->op || a->root != b->root || a->grain != b->grain || a->ordered != b->ordered ||
        a->steady != b->steady || !a->sizes != !b->sizes || !multimulticast_same(a, b))
        return false;
    if (!a->sizes)
        return a->bytes == b->bytes;
    return memcmp(a->sizes, b->sizes, (size_t)request_parts(a) * sizeof *a->sizes) == 0;
}

static void forget_plan(struct cached_plan *entry)
{
    free((void *)entry->req.sizes);
    free((void *)entry->req.messages);
    plan_free(entry->plan);
    *entry = (struct cached_plan){0};
}

static void forget_plans(struct plan_order *order)
{
    for (int i = 0; i < PLANS; i++)
        forget_plan(&order->plans[i]);
}

/* The entry of the request; or else an unused one, or the least recently used one. */
static struct cached_plan *find_plan(struct plan_order *order, const struct request *req)
{
    struct cached_plan *oldest = &order->plans[0];
    for (int i = 0; i < PLANS; i++) {
        struct cached_plan *c = &order->plans[i];
        if (c->plan && same_request(&c->req, req))
            return c;
        /* An unused entry has 0, which is before every clock. */
        if (c->used < oldest->used)
            oldest = c;
    }
    forget_plan(oldest);
    return oldest;
}

/* A decision has changed: drops plans that follow the old one. Plans of operations in progress are
 * kept by their references. */
static void forget_plans_of(struct plan_order *order, const struct decision *d)
{
    for (int i = 0; i < PLANS; i++) {
        struct cached_plan *c = &order->plans[i];
        if (c->plan && choices_kept(choices_of(order), &c->req) == d)
            forget_plan(c);
    }
}

/* HN_OK or HN_ENOMEM; forget_plan() frees the copy in either case. */
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

/* FNV-1a over numbers, so that it is the same on all hosts. */
static uint32_t hash_number(uint32_t hash, int64_t number)
{
    for (int bit = 0; bit < 64; bit += 8)
        hash = (hash ^ (uint8_t)((uint64_t)number >> bit)) * 16777619u;
    return hash;
}

/* A hash by which members find out whether they follow the same plan for the same request. Never 0,
 * which means that it is not known. */
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

/* ---- making them ------------------------------------------------------------------------ */

/* Predicted time of the request with the model's best plan, to which measured times are scaled. 0:
 * it cannot be planned. */
static hn_time scale_of(const struct plan_order *order, const struct request *req,
                        const struct decision *d, struct plan *followed)
{
    struct plan *plan = followed;
    if (choice_same(&d->choice, &d->best))
        plan_hold(plan);
    else if (choice_plan(&d->best, req, plan_order_model(order), &plan))
        return 0;
    hn_time makespan = plan_makespan(plan, plan_order_model(order));
    plan_free(plan);
    return makespan;
}

/* A choice may fail for this size or operator although it was valid for others of its class; then
 * the best plan for this request is used. After an error the entry has no plan, and is reused. */
static int make_plan(struct plan_order *order, const struct request *req, struct decision *decision,
                     struct cached_plan *entry)
{
    const struct model *model = plan_order_model(order);
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
    if (req->sizes && order->adapt.on && decision->why == WHY_BEST)
        entry->scale = scale_of(order, req, decision, entry->plan);
    if (order->history) {
        history_chosen(order->history, req, model, decision);
        entry->predicted = plan_done(entry->plan, model, order->rank);
    }
    return HN_OK;
}

/* Counts the call first, since it may change the decision. All members count the same calls. */
int plan_order_plan(struct plan_order *order, const struct plan_names *names,
                    const struct request *req, struct plan **plan, struct decision **pending)
{
    struct circumstances now = now_of(order, names);
    struct decision *decision;
    bool changed;
    int error = choices_call(choices_of(order), &now, req, &decision, &changed);
    if (error)
        return error;
    if (changed)
        forget_plans_of(order, decision);
    struct cached_plan *entry = find_plan(order, req);
    if (!entry->plan)
        error = make_plan(order, req, decision, entry);
    if (error)
        return error;
    if (pending && adapt_count(&order->adapt, decision))
        *pending = decision;
    entry->used = ++order->clock;
    plan_hold(entry->plan);
    *plan = entry->plan;
    return HN_OK;
}

int plan_order_foresee(struct plan_order *order, const struct plan_names *names,
                       const struct request *req, struct choice *choice)
{
    struct circumstances now = now_of(order, names);
    struct decision decision;
    int error = choices_foresee(choices_of(order), &now, req, &decision);
    if (!error)
        *choice = decision.choice;
    return error;
}

struct decision *plan_order_decision(struct plan_order *order, const struct request *req)
{
    return choices_kept(choices_of(order), req);
}

/* ---- following the network -------------------------------------------------------------- */

/* Scales a measured time to the size for which the decision was made. 0: the time cannot be
 * compared. Sizes of a class with equal parts differ by less than two times, and are not scaled. */
static int64_t scaled(const struct cached_plan *c, const struct decision *d, int64_t took)
{
    if (!c->req.sizes)
        return took;
    return c->scale > 0 ? (int64_t)((double)took * (double)d->shortlist.makespan / (double)c->scale)
                        : 0;
}

void plan_order_note(struct plan_order *order, const struct plan *plan, int64_t took, bool deflated)
{
    for (int i = 0; i < PLANS; i++) {
        const struct cached_plan *c = &order->plans[i];
        if (c->plan != plan)
            continue;
        history_measured(order->history, c->req.op, choices_class(&c->req), plan->name,
                         c->predicted, took, deflated);
        struct decision *d = plan_order_decision(order, &c->req);
        int64_t noted = d ? scaled(c, d, took) : 0;
        if (noted > 0)
            adapt_note(&order->adapt, d, noted);
    }
}

/* All plans are made anew. */
static void renew(struct plan_order *order)
{
    choices_renew(&order->choices);
    choices_renew(&order->forced_choices);
    forget_plans(order);
}

/* With the lock. After AGREED_NEVER plans stay as they are. */
void plan_order_agreed(struct plan_order *order, const struct agreement *agreement)
{
    if (agreement->outcome == AGREED_NETWORK)
        renew(order);
    else if (agreement->outcome == AGREED_PLAN)
        forget_plans_of(order, agreement->decision);
    else if (agreement->outcome == AGREED_NEVER)
        order->adapt.on = false;
}

void plan_order_adapt(struct plan_order *order, const struct model *stated, bool follows, bool sums)
{
    order->sums = sums;
    if (follows == order->adapt.on)
        return;
    /* The state of adaptation begins anew, and plans are those of the network file. */
    adapt_free(&order->adapt);
    adapt_init(&order->adapt, stated, follows);
    renew(order);
}

/* ---- making orders ---------------------------------------------------------------------- */

void plan_order_force(struct plan_order *order, bool forced)
{
    order->forced = forced;
    choices_forget(&order->forced_choices);
    forget_plans(order);
}

void plan_order_init(struct plan_order *order, const struct model *stated, bool follows)
{
    sequence_init(&order->sequence);
    adapt_init(&order->adapt, stated, follows);
}

void plan_order_free(struct plan_order *order)
{
    forget_plans(order);
    choices_free(&order->choices);
    choices_free(&order->forced_choices);
    adapt_free(&order->adapt);
    sequence_free(&order->sequence);
}
