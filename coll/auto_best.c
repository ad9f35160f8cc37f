/* auto_best.c - the ways to ask for the best plan (auto.h): each is a contest (contest.h) with its
 * own limits.
 */
#include "auto.h"

#include "contest.h"

/* Holds it, and hands out what was found. */
static int decide(struct contest contest, struct choice *choice, struct plan **plan,
                  struct timing *timing, struct entries *entries)
{
    struct contest c = contest;
    int error = contest_hold(&c);
    c.entries.makespan = error ? 0 : c.timing.makespan;
    rivals_tell(&c.rivals, &c.choice, &c.entries);
    if (error || !timing)
        timing_free(&c.timing);
    if (error) {
        plan_free(c.plan);
        c.plan = NULL;
    }
    *choice = c.choice;
    *plan = c.plan;
    if (timing)
        *timing = c.timing;
    if (entries)
        *entries = c.entries;
    return error;
}

int planner_best(const struct request *req, const struct model *model, const struct planner *only,
                 struct choice *choice, struct plan **plan, struct timing *timing)
{
    return decide((struct contest){.req = req, .model = model, .only = only}, choice, plan, timing,
                  NULL);
}

int planner_best_quick(const struct request *req, const struct model *model, int64_t calls,
                       struct choice *choice, struct plan **plan, struct timing *timing,
                       struct entries *entries)
{
    struct contest contest = {.req = req,
                              .model = model,
                              .quick = true,
                              .priced = true,
                              .calls = calls,
                              .crowd = model_crowd(model)};
    return decide(contest, choice, plan, timing, entries);
}

int planner_best_within(const struct request *req, const struct model *model, hn_time work,
                        struct choice *choice, struct plan **plan, struct timing *timing)
{
    struct contest contest = {
        .req = req, .model = model, .quick = true, .priced = true, .calls = 1, .most = work};
    return decide(contest, choice, plan, timing, NULL);
}

int planner_best_fast(const struct request *req, const struct model *model, struct choice *choice,
                      struct plan **plan, struct timing *timing)
{
    struct contest contest = {.req = req, .model = model, .quick = true, .calls = CALLS_ALL};
    return decide(contest, choice, plan, timing, NULL);
}
