/* levels.c - grouping ranks by site, subnet, machine and host (levels.h).
 *
 * Every kind of group is a label of each rank. Groups are split level by level, breadth first, by a
 * stable distribution of their members, so the order in which they came is kept inside every part.
 */
#include "model/levels.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

enum kind { SITES, SUBNETS, MACHINES, HOSTS, KINDS }; /* of groups */

struct labels {
    int *of[KINDS]; /* [rank] */
    int most;       /* labels are smaller */
};

/* ---- what the network file says --------------------------------------------------------- */

struct named_subnet {
    const char *site;
    int subnet;
};

static int by_site(const void *a_, const void *b_)
{
    const struct named_subnet *a = a_, *b = b_;
    int order = strcmp(a->site, b->site);
    return order ? order : (a->subnet > b->subnet) - (a->subnet < b->subnet);
}

/* site[subnet]: the first subnet of its site; of none: itself. */
static bool name_sites(const hn_net *net, int *site)
{
    int count = hn_net_subnet_count(net);
    struct named_subnet *sorted = malloc((size_t)count * sizeof *sorted);
    if (!sorted)
        return false;
    for (int i = 0; i < count; i++)
        sorted[i] = (struct named_subnet){hn_net_subnet_site(net, i), i};
    qsort(sorted, (size_t)count, sizeof *sorted, by_site);
    for (int i = 0; i < count; i++) {
        bool same = i > 0 && *sorted[i].site && strcmp(sorted[i].site, sorted[i - 1].site) == 0;
        site[sorted[i].subnet] = same ? site[sorted[i - 1].subnet] : sorted[i].subnet;
    }
    free(sorted);
    return true;
}

/* A host that shares no machine is one: machines are numbered after hosts. */
static bool read_net(const struct model *model, const hn_net *net, struct labels *labels)
{
    int hosts = hn_net_size(net), *site = malloc((size_t)hn_net_subnet_count(net) * sizeof *site);
    bool ok = site && name_sites(net, site);
    for (int rank = 0; rank < model->ranks && ok; rank++) {
        int host = model_host(model, rank), machine = hn_net_machine_of(net, host);
        labels->of[SITES][rank] = site[hn_net_subnet_of(net, host)];
        labels->of[SUBNETS][rank] = hn_net_subnet_of(net, host);
        labels->of[MACHINES][rank] = machine < 0 ? host : hosts + machine;
        labels->of[HOSTS][rank] = host;
    }
    labels->most = hosts + hn_net_machine_count(net);
    free(site);
    return ok;
}

/* A model without a network file knows no groups. */
static bool labels_begin(struct labels *labels, const struct model *model, struct arena *arena)
{
    const hn_net *net = model_net(model);
    *labels = (struct labels){.most = 1};
    for (int kind = 0; kind < KINDS; kind++)
        labels->of[kind] = arena_array(arena, (size_t)model->ranks, sizeof *labels->of[kind]);
    return !arena->failed && (!net || read_net(model, net, labels));
}

/* ---- splitting -------------------------------------------------------------------------- */

struct splitting {
    struct levels *l;
    int *first;   /* [label]: the part that has it; -1: none yet */
    int *scratch; /* [ranks] */
    int *sizes;   /* [ranks]: of the parts */
};

/* Puts the members of a group into parts by their labels.  Returns the number of parts.
 *
 * s->first is all -1 before and after, so its cost is that of the members, not of the labels. */
static int distribute(struct splitting *s, const struct level_group *g, const int *label)
{
    int *member = s->l->member, parts = 0;
    for (int i = g->begin; i < g->end; i++) {
        int *part = &s->first[label[member[i]]];
        if (*part < 0) {
            s->sizes[parts] = 0;
            *part = parts++;
        }
        s->sizes[*part]++;
    }
    /* Sizes become the begins of the parts; the loop below advances them to the ends. */
    for (int i = 0, at = g->begin; i < parts; i++) {
        int size = s->sizes[i];
        s->sizes[i] = at;
        at += size;
    }
    memcpy(s->scratch, &member[g->begin], (size_t)(g->end - g->begin) * sizeof *member);
    for (int i = 0; i < g->end - g->begin; i++)
        member[s->sizes[s->first[label[s->scratch[i]]]]++] = s->scratch[i];
    for (int i = 0; i < g->end - g->begin; i++)
        s->first[label[s->scratch[i]]] = -1;
    return parts;
}

/* Where the labels of a kind separate some members of a group from others, its parts become groups;
 * s->sizes are their ends then. */
static void split(struct splitting *s, int which, const int *label)
{
    struct levels *l = s->l;
    int begin = l->group[which].begin, parts = distribute(s, &l->group[which], label);
    int first = l->count, depth = l->group[which].depth + 1;
    /* One part is no division.  Parts of one member each would add a level without groups. */
    if (parts == 1 || parts == l->group[which].end - begin)
        return;
    for (int i = 0; i < parts; i++) {
        int end = s->sizes[i];
        l->group[l->count++] = (struct level_group){begin, end, -1, end - begin, depth, true};
        begin = end;
    }
    l->group[which].first = first;
    l->group[which].parts = parts;
    l->group[which].leaf = false;
    l->depth = depth > l->depth ? depth : l->depth;
}

/* Only the groups that existed before are split by a kind; their parts wait for the next one. */
static void split_all(struct splitting *s, const struct labels *labels, enum kind first,
                      enum kind last)
{
    for (enum kind kind = first; kind <= last; kind++)
        for (int i = 0, count = s->l->count; i < count; i++)
            if (s->l->group[i].leaf)
                split(s, i, labels->of[kind]);
}

/* By all kinds from the first to the last. */
static int begin(struct levels *l, const struct model *model, const int *order, enum kind first,
                 enum kind last)
{
    size_t n = (size_t)model->ranks;
    struct labels labels;
    struct arena scratch = {0};
    struct splitting s = {.l = l};
    *l = (struct levels){.ranks = model->ranks, .count = 1};
    bool ok = labels_begin(&labels, model, &scratch);
    s.first = arena_array(&scratch, (size_t)labels.most, sizeof *s.first);
    ARENA_ARRAYS(&scratch, n, s.scratch, s.sizes);
    l->member = arena_array(&l->arena, n, sizeof *l->member);
    /* Every split makes two parts at least. */
    l->group = arena_array(&l->arena, 2 * n, sizeof *l->group);
    ok = ok && !l->arena.failed && !scratch.failed;
    if (ok) {
        l->group[0] = (struct level_group){0, l->ranks, -1, l->ranks, 0, true};
        for (int i = 0; i < labels.most; i++)
            s.first[i] = -1;
        for (int i = 0; i < l->ranks; i++)
            l->member[i] = order ? order[i] : i;
        split_all(&s, &labels, first, last);
    }
    arena_free(&scratch);
    return ok ? HN_OK : HN_ENOMEM;
}

int levels_begin(struct levels *l, const struct model *model, const int *order)
{
    return begin(l, model, order, SITES, HOSTS);
}

int levels_of_subnets(struct levels *l, const struct model *model)
{
    return begin(l, model, NULL, SUBNETS, SUBNETS);
}

void levels_end(struct levels *l)
{
    arena_free(&l->arena);
}

void levels_part(const struct levels *l, const struct level_group *group, int part, int *begin,
                 int *end)
{
    *begin = group->leaf ? group->begin + part : l->group[group->first + part].begin;
    *end = group->leaf ? *begin + 1 : l->group[group->first + part].end;
}

bool levels_nested(const struct model *model)
{
    struct levels l;
    bool nested = levels_begin(&l, model, NULL) == HN_OK && l.depth > 0;
    if (nested && l.depth == 1) { /* its parts may be subnets: then two members differ in theirs */
        int begin, end;
        levels_part(&l, &l.group[0], 1, &begin, &end);
        nested = model_subnet(model, l.member[begin]) == model_subnet(model, l.member[0]);
    }
    levels_end(&l);
    return nested;
}
