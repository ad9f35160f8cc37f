/* zones.c - costs between zones, computed from one pair of members each.
 *
 * A zone is a subnet if the network file states no cost of single pairs; otherwise each rank is
 * one. Costs of a zone are minima over its members, as a lower bound needs them; what a member
 * needs in addition is asked for separately (zones_extra_...()). */
#include "model/zones.h"

#include "model/bounds/growth.h"

#include "hnow.h"

#include <stdlib.h>

/* Whether S depends on the sender, R on the receiver, and X (but for wake-ups) on the subnets
 * only. */
static bool is_by_subnet(const struct model *model)
{
    const hn_net *net = model_net(model);
    return net && hn_net_stated_pairs(net) == 0;
}

/* Every rank is a zone of its own. */
static int one_each(struct clusters *c, int ranks)
{
    int *label = malloc((size_t)ranks * sizeof *label);
    for (int rank = 0; label && rank < ranks; rank++)
        label[rank] = rank;
    int error = label ? clusters_begin(c, ranks, label, ranks) : HN_ENOMEM;
    free(label);
    return error;
}

/* Whether two ranks are on one host. The zones of a model without a network have no hosts. */
static int find_shared_hosts(struct zones *z)
{
    const hn_net *net = model_net(z->model);
    if (!z->model->host || !net)
        return HN_OK;
    bool *taken = calloc((size_t)hn_net_size(net), sizeof *taken);
    if (!taken)
        return HN_ENOMEM;
    for (int rank = 0; rank < z->model->ranks; rank++) {
        z->shares = z->shares || taken[z->model->host[rank]];
        taken[z->model->host[rank]] = true;
    }
    free(taken);
    return HN_OK;
}

/* Wake-up time of a rank's host. Only of models with a network (alike zones). */
static hn_time wake_of(const struct zones *z, int rank)
{
    return hn_net_host(model_net(z->model), model_host(z->model, rank))->wake;
}

/* The shortest wake-up of each zone: a lower bound may assume the quickest receiver. */
static int find_least_wake(struct zones *z)
{
    z->least_wake = arena_array(&z->arena, (size_t)z->c.count, sizeof *z->least_wake);
    for (int zone = 0; z->least_wake && zone < z->c.count; zone++) {
        z->least_wake[zone] = INT64_MAX;
        for (int m = z->c.first[zone]; m < z->c.first[zone + 1]; m++)
            if (wake_of(z, z->c.member[m]) < z->least_wake[zone])
                z->least_wake[zone] = wake_of(z, z->c.member[m]);
    }
    return z->least_wake ? HN_OK : HN_ENOMEM;
}

/* Costs for one size.  -1: not computed yet. */
static int costs_begin(struct zones *z, struct zone_costs *costs)
{
    size_t ranks = (size_t)z->model->ranks, zones = (size_t)z->c.count;
    costs->bytes = -1;
    ARENA_ARRAYS(&z->arena, ranks, costs->send, costs->recv);
    ARENA_ARRAYS(&z->arena, zones, costs->least_send, costs->least_recv);
    return z->arena.failed ? HN_ENOMEM : HN_OK;
}

/* Too many ranks without subnets: c.count stays 0, and callers skip what needs pairs. */
int zones_begin(struct zones *z, const struct model *model)
{
    *z = (struct zones){.model = model, .alike = is_by_subnet(model)};
    if (!z->alike && model->ranks > ZONES_MOST)
        return HN_OK;
    int error = z->alike ? clusters_of_model(&z->c, model) : one_each(&z->c, model->ranks);
    if (!error)
        error = find_shared_hosts(z);
    if (error)
        return error;
    if (z->alike)
        error = find_least_wake(z);
    for (int i = 0; z->alike && i < ZONES_SIZES && !error; i++)
        error = costs_begin(z, &z->sizes[i]);
    z->now = z->sizes;
    return error;
}

void zones_end(struct zones *z)
{
    clusters_end(&z->c);
    arena_free(&z->arena);
}

/* With alike routes S depends on the sender and R on the receiver only, so any other rank serves.
 */
static void look_up(struct zones *z, struct zone_costs *costs)
{
    for (int zone = 0; zone < z->c.count; zone++) {
        costs->least_send[zone] = costs->least_recv[zone] = INT64_MAX;
        for (int m = z->c.first[zone]; m < z->c.first[zone + 1]; m++) {
            /* The other rank must exist: zones_set_bytes() leaves out a single rank. */
            int rank = z->c.member[m], other = rank == 0 ? 1 : 0;
            costs->send[rank] = model_cost(z->model, rank, other, costs->bytes).send;
            costs->recv[rank] = model_cost(z->model, other, rank, costs->bytes).recv;
            if (costs->send[rank] < costs->least_send[zone])
                costs->least_send[zone] = costs->send[rank];
            if (costs->recv[rank] < costs->least_recv[zone])
                costs->least_recv[zone] = costs->recv[rank];
        }
    }
    z->work += z->model->ranks;
}

/* The least recently computed sizes are replaced in turn. */
void zones_set_bytes(struct zones *z, int64_t bytes)
{
    if (!z->alike || z->model->ranks < 2) {
        z->now->bytes = bytes;
        return;
    }
    for (int i = 0; i < ZONES_SIZES; i++)
        if (z->sizes[i].bytes == bytes) {
            z->now = &z->sizes[i];
            return;
        }
    z->now = &z->sizes[z->next];
    z->next = (z->next + 1) % ZONES_SIZES;
    z->now->bytes = bytes;
    look_up(z, z->now);
}

/* Whether there is a pair of ranks between two zones, or inside one. */
bool zones_linked(const struct zones *z, int from, int to)
{
    return from != to || z->c.first[from + 1] - z->c.first[from] > 1;
}

/* Picks two ranks, one of each zone; inside a zone its first two. */
static void two_of(const struct zones *z, int from, int to, int *a, int *b)
{
    *a = z->c.member[z->c.first[from]];
    *b = z->c.member[z->c.first[to] + (from == to)];
}

/* Whether the route may be inside a host, at no cost. A lower bound must assume that. */
static bool is_free(const struct zones *z, int from, int to)
{
    return z->alike && from == to && z->shares;
}

/* Of two alike zones: minima of S and R, and the travel time with the shortest wake-up. */
struct cost zones_cost(const struct zones *z, int from, int to)
{
    int a, b;
    two_of(z, from, to, &a, &b);
    struct cost cost = model_cost(z->model, a, b, z->now->bytes);
    if (!z->alike)
        return cost;
    hn_time travel = cost.travel - wake_of(z, b) + z->least_wake[to];
    return (struct cost){z->now->least_send[from], is_free(z, from, to) ? 0 : travel,
                         z->now->least_recv[to]};
}

hn_time zones_growth(const struct zones *z, int from, int to)
{
    int a, b;
    two_of(z, from, to, &a, &b);
    return is_free(z, from, to) ? 0 : growth_least(z->model, a, b, z->now->bytes);
}

hn_time zones_connection(const struct zones *z, int from, int to)
{
    int a, b;
    two_of(z, from, to, &a, &b);
    return is_free(z, from, to) ? 0 : growth_connection(z->model, a, b, z->now->bytes);
}

hn_time zones_extra_send(const struct zones *z, int rank)
{
    return z->alike ? z->now->send[rank] - z->now->least_send[z->c.of[rank]] : 0;
}

hn_time zones_extra_recv(const struct zones *z, int rank)
{
    return z->alike ? z->now->recv[rank] - z->now->least_recv[z->c.of[rank]] : 0;
}

hn_time zones_extra_wake(const struct zones *z, int rank)
{
    return z->alike ? wake_of(z, rank) - z->least_wake[z->c.of[rank]] : 0;
}
