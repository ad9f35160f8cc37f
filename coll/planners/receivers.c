/* receivers.c - the receivers of a multicast (receivers.h). */
#include "planners/receivers.h"

#include "hnow.h"

#include <stdlib.h>

struct receiver {
    bool missed;     /* datagrams of the sender do not reach it */
    hn_time latency; /* X of an empty message */
    int behind;      /* number of its host, relative to the sender's host */
    int rank;
};

static int by_place(const void *a, const void *b)
{
    const struct receiver *x = a, *y = b;
    if (x->missed != y->missed)
        return x->missed - y->missed;
    if (x->latency != y->latency)
        return x->latency > y->latency ? -1 : 1;
    return x->behind != y->behind ? x->behind - y->behind : x->rank - y->rank;
}

int receivers_of(const struct model *model, int from, const int *member, int count, int *to)
{
    struct receiver *receivers = malloc(((size_t)count + 1) * sizeof *receivers);
    int own = model_host(model, from), found = 0, reached = 0;
    if (!receivers)
        return HN_ENOMEM;
    for (int i = 0; i < count; i++) {
        int host = model_host(model, member[i]);
        if (member[i] == from)
            continue;
        bool missed = !model_multicasts(model, from, member[i]);
        reached += !missed;
        receivers[found++] =
            (struct receiver){missed, model_cost(model, from, member[i], 0).travel,
                              /* The hosts behind the sender's come first, then those before it, as
                               * on a ring. */
                              host > own ? host - own - 1 : host + INT32_MAX / 2, member[i]};
    }
    qsort(receivers, (size_t)found, sizeof *receivers, by_place);
    for (int i = 0; i < found; i++)
        to[i] = receivers[i].rank;
    free(receivers);
    return reached;
}

void receivers_send(const struct model *model, int from, const int *member, int count, int list,
                    int blocks, struct plan *plan)
{
    int *to = malloc(((size_t)count + 1) * sizeof *to);
    int reached = to ? receivers_of(model, from, member, count, to) : HN_ENOMEM;
    if (reached < 0)
        plan_fail(plan, reached);
    /* i: entry of to[], which does not have the sender; n: index of the member. */
    for (int i = 0, n = 0; n < count && reached >= 0; n++) {
        if (member[n] == from)
            continue;
        plan_step(plan, from, PLAN_SEND, to[i], list, blocks);
        /* Each send but the first one joins the multicast before it. */
        if (i > 0 && i < reached)
            plan_join(plan);
        i++;
    }
    free(to);
}
