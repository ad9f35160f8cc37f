/* cluster.c - grouping ranks by subnet. */
#include "model/cluster.h"

#include "hnow.h"

#include <stdlib.h>

/* Gives new numbers to labels, in the order in which ranks show them. */
static void renumber(struct clusters *c, const int *label, int labels, int *number)
{
    for (int i = 0; i < labels; i++)
        number[i] = -1;
    for (int rank = 0; rank < c->ranks; rank++) {
        if (number[label[rank]] < 0)
            number[label[rank]] = c->count++;
        c->of[rank] = number[label[rank]];
    }
}

/* Counting sort: ranks by cluster, ascending. */
static void list_members(struct clusters *c)
{
    for (int rank = 0; rank < c->ranks; rank++)
        c->first[c->of[rank] + 2]++;
    for (int i = 0; i < c->count; i++)
        c->first[i + 2] += c->first[i + 1];
    for (int rank = 0; rank < c->ranks; rank++)
        c->member[c->first[c->of[rank] + 1]++] = rank;
}

/* first[] is used with an offset of 2 while counting, so that no second array is needed. */
int clusters_begin(struct clusters *c, int ranks, const int *label, int labels)
{
    size_t n = (size_t)ranks;
    *c = (struct clusters){.ranks = ranks};
    ARENA_ARRAYS(&c->arena, n, c->of, c->member);
    c->first = arena_array(&c->arena, n + 2, sizeof *c->first);
    int *number = arena_array(&c->arena, (size_t)labels + 1, sizeof *number);
    if (!c->arena.failed) {
        renumber(c, label, labels, number);
        list_members(c);
    }
    return c->arena.failed ? HN_ENOMEM : HN_OK;
}

/* Without a network all ranks are one cluster. */
int clusters_of_model(struct clusters *c, const struct model *model)
{
    const hn_net *net = model_net(model);
    int *label = malloc((size_t)model->ranks * sizeof *label);
    int labels = net ? hn_net_subnet_count(net) : 1;
    *c = (struct clusters){0};
    for (int rank = 0; label && rank < model->ranks; rank++)
        label[rank] = model_subnet(model, rank);
    int error = label ? clusters_begin(c, model->ranks, label, labels) : HN_ENOMEM;
    free(label);
    return error;
}

bool clusters_many(const struct model *model)
{
    for (int rank = 1; rank < model->ranks; rank++)
        if (model_subnet(model, rank) != model_subnet(model, 0))
            return true;
    return false;
}

void clusters_end(struct clusters *c)
{
    arena_free(&c->arena);
}
