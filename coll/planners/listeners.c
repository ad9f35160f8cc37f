/* listeners.c - who hears a multicast of a rank (listeners.h). */
#include "planners/listeners.h"

#include "hnow.h"

#include <stdlib.h>

struct ear {
    bool deaf;       /* a datagram of the sender does not reach it */
    hn_time latency; /* X of an empty message */
    int behind;      /* its host, counted from the sender's on */
    int rank;
};

static int by_place(const void *a, const void *b)
{
    const struct ear *x = a, *y = b;
    if (x->deaf != y->deaf)
        return x->deaf - y->deaf;
    if (x->latency != y->latency)
        return x->latency > y->latency ? -1 : 1;
    return x->behind != y->behind ? x->behind - y->behind : x->rank - y->rank;
}

int listeners_of(const struct model *model, int from, const int *member, int count, int *to)
{
    struct ear *ears = malloc(((size_t)count + 1) * sizeof *ears);
    int own = model_host(model, from), found = 0, hear = 0;
    if (!ears)
        return HN_ENOMEM;
    for (int i = 0; i < count; i++) {
        int host = model_host(model, member[i]);
        if (member[i] == from)
            continue;
        bool deaf = !model_casts(model, from, member[i]);
        hear += !deaf;
        ears[found++] = (struct ear){deaf, model_cost(model, from, member[i], 0).travel,
                                     host > own ? host - own - 1 : host + INT32_MAX / 2, member[i]};
    }
    qsort(ears, (size_t)found, sizeof *ears, by_place);
    for (int i = 0; i < found; i++)
        to[i] = ears[i].rank;
    free(ears);
    return hear;
}

void listeners_send(const struct model *model, int from, const int *member, int count, int list,
                    int blocks, struct plan *plan)
{
    int *to = malloc(((size_t)count + 1) * sizeof *to);
    int hear = to ? listeners_of(model, from, member, count, to) : HN_ENOMEM;
    if (hear < 0)
        plan_fail(plan, hear);
    for (int i = 0, n = 0; n < count && hear >= 0; n++) {
        if (member[n] == from)
            continue;
        plan_step(plan, from, PLAN_SEND, to[i], list, blocks);
        if (i > 0 && i < hear)
            plan_join(plan);
        i++;
    }
    free(to);
}
