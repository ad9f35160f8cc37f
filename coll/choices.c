/* choices.c - choosing plans for a group: by name, by a rule of thumb, or by the model.
 *
 * All members make the same choice: they read the same network file, and nothing else counts but
 * that, the request, and integers.  Cost: that of planner_best_quick() for the first request of a
 * kind and size class, a look at the kept ones after that.
 */
#include "choices.h"

#include "engine.h"
#include "thumb.h"

#include "hnow.h"

/* Up to so many members are planned for on a network that is guessed. */
enum { AUTO_UNMEASURED = 12 };

int choices_class(const struct request *req)
{
    int64_t bytes = 0;
    for (int part = 0; part < request_parts(req); part++)
        bytes += request_part_bytes(req, part);
    int class = 0;
    while (class < 62 && (int64_t)1 << class < bytes)
        class ++;
    return class;
}

void choices_forget(struct choices *choices)
{
    choices->count = choices->next = 0;
}

static bool decide_by_name(const struct circumstances *now, const struct request *req,
                           struct decision *d)
{
    if (!now->name || !planner_serves(now->name->planner, req))
        return false;
    d->choice = *now->name;
    d->why = WHY_NAME;
    return true;
}

/* Where nobody has measured the network and planning would take longer than the operation. */
static bool decide_by_rule(const struct circumstances *now, const struct request *req,
                           struct decision *d)
{
    d->why = WHY_RULE;
    return !now->measured && req->ranks > AUTO_UNMEASURED && thumb_choose(req, &d->choice);
}

static int decide(const struct circumstances *now, const struct request *req, struct decision *d)
{
    struct plan *plan;
    if (decide_by_name(now, req, d) || decide_by_rule(now, req, d))
        return HN_OK;
    d->why = WHY_BEST;
    int error = planner_best_quick(req, now->model, &d->choice, &plan, NULL, &d->entries);
    plan_free(plan);
    return error;
}

static struct decision *look_up(struct choices *choices, const struct request *req, int class)
{
    for (int i = 0; i < choices->count; i++) {
        struct decision *d = &choices->kept[i];
        if (d->op == req->op && d->root == req->root && d->class == class &&
            d->ordered == req->ordered)
            return d;
    }
    return NULL;
}

int choices_find(struct choices *choices, const struct circumstances *now,
                 const struct request *req, struct decision **decision)
{
    struct decision made = {
        .op = req->op, .root = req->root, .class = choices_class(req), .ordered = req->ordered};
    *decision = look_up(choices, req, made.class);
    if (*decision)
        return HN_OK;
    uint64_t begun = engine_now();
    int error = decide(now, req, &made);
    if (error)
        return error;
    made.took = (int64_t)(engine_now() - begun);
    *decision = &choices->kept[choices->next];
    **decision = made;
    choices->next = (choices->next + 1) % CHOICES;
    choices->count += choices->count < CHOICES;
    return HN_OK;
}
