/* refusal.c - explains why a plan does not serve a request (refusal.h). */
#include "planners/refusal.h"

#include <stdio.h>

/* Whether a choice suits the network; with several stages, all must. */
static bool suits(const struct choice *choice, const struct model *model)
{
    bool good = planner_can(choice->planner, model);
    for (int i = 0; i < STAGES && good; i++)
        good = !choice->stage[i].planner || planner_can(choice->stage[i].planner, model);
    return good;
}

const char *refusal_text(const struct choice *choice, const struct request *req,
                         const struct model *model, char *text, size_t size)
{
    const struct planner *planner = choice->planner;
    bool serves = planner->operations & OP_BIT(req->op);
    if (serves && planner->ranks_most && req->ranks > planner->ranks_most)
        snprintf(text, size, "it is for %d ranks at most", planner->ranks_most);
    else if (serves && choice->root >= req->ranks)
        snprintf(text, size, "there is no rank %d among %d", choice->root, req->ranks);
    else if (serves && !suits(choice, model))
        snprintf(text, size, "no subnet of the network has multicast=yes");
    else if (serves && planner->arity && choice->arity != planner->arity)
        snprintf(text, size, "not with :%d for %d ranks: give another number, or none",
                 choice->arity, req->ranks);
    else
        snprintf(text, size, "hplan -list shows what does");
    return text;
}
