/* cluster.c - grouping ranks by subnet; ECO's broadcast tree and ring. */
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

int clusters_begin(struct clusters *c, int ranks, const int *label, int labels)
{
    size_t n = (size_t)ranks;
    int *number = malloc(((size_t)labels + 1) * sizeof *number);
    *c = (struct clusters){.ranks = ranks};
    c->of = malloc(n * sizeof *c->of);
    c->first = calloc(n + 2, sizeof *c->first);
    c->member = malloc(n * sizeof *c->member);
    bool ok = number && c->of && c->first && c->member;
    if (ok) {
        renumber(c, label, labels, number);
        list_members(c);
    }
    free(number);
    return ok ? HN_OK : HN_ENOMEM;
}

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
    free(c->of);
    free(c->first);
    free(c->member);
}

void clusters_leaders(const struct clusters *c, int root, const hn_time *reach, int *leader)
{
    for (int i = 0; i < c->count; i++) {
        leader[i] = c->member[c->first[i]];
        for (int m = c->first[i] + 1; m < c->first[i + 1]; m++)
            if (reach[c->member[m]] < reach[leader[i]])
                leader[i] = c->member[m];
    }
    leader[c->of[root]] = root;
}

int clusters_eco(const struct clusters *c, const int *leader, const int *arity, struct tree *tree)
{
    int *host = malloc((size_t)c->ranks * sizeof *host), home = c->of[tree->root];
    if (!host)
        return HN_ENOMEM;
    for (int i = 0; i < c->count; i++)
        if (i != home)
            tree_add(tree, tree->root, leader[i]);
    for (int i = 0; i < c->count; i++) {
        int count = 0;
        host[count++] = leader[i];
        for (int m = c->first[i]; m < c->first[i + 1]; m++)
            if (c->member[m] != leader[i])
                host[count++] = c->member[m];
        for (int k = 1; k < count; k++)
            tree_add(tree, host[(k - 1) / arity[i]], host[k]);
    }
    free(host);
    return HN_OK;
}

void clusters_tour(const struct clusters *c, const hn_time *cost, int *tour)
{
    int n = c->ranks;
    for (int i = 0; i < n; i++)
        tour[i] = i;
    for (int place = 1; place < n; place++) {
        int here = tour[place - 1], best = -1;
        bool best_home = false;
        hn_time least = 0;
        for (int i = place; i < n; i++) {
            int rank = tour[i];
            bool home = c->of[rank] == c->of[here];
            hn_time away = cost[(size_t)here * (size_t)n + (size_t)rank] +
                           cost[(size_t)rank * (size_t)n + (size_t)here];
            bool nearer = away < least || (best >= 0 && away == least && rank < tour[best]);
            if (best < 0 || home > best_home || (home == best_home && nearer)) {
                best = i;
                best_home = home;
                least = away;
            }
        }
        int next = tour[best];
        tour[best] = tour[place];
        tour[place] = next;
    }
}
