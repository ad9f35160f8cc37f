/* bottleneck.c - compares connections with the ports and media on their routes (bottleneck.h). */
#include "model/bottleneck.h"

/* The longest occupation of a resource: sender, receiver, or a medium on the route for `bytes`
 * bytes. */
static hn_time busiest_of(const struct model *model, int from, int to, struct cost c, int64_t bytes)
{
    hn_channel route[HN_WAY_MOST];
    hn_time most = c.send > c.recv ? c.send : c.recv;
    int count = model->port == PORT_MEDIA ? model_route(model, from, to, route) : 0;
    for (int i = 0; i < count; i++) {
        hn_time shared = hn_cost_time(0, route[i].per_byte, bytes);
        most = shared > most ? shared : most;
    }
    return most;
}

hn_time bottleneck_time(const struct model *model, int from, int to, int64_t bytes)
{
    return busiest_of(model, from, to, model_cost(model, from, to, bytes), bytes);
}

/* The same without the cost of an empty message. */
static hn_time busiest_bare(const struct model *model, int from, int to, int64_t bytes)
{
    struct cost none = model_cost(model, from, to, 0), all = model_cost(model, from, to, bytes);
    struct cost bare = {all.send - none.send, 0, all.recv - none.recv};
    return busiest_of(model, from, to, bare, bytes);
}

/* Pairs of neighbouring ranks are a sample; all pairs would take n^2 steps. */
bool bottleneck_is_connection(const struct model *model)
{
    const int64_t bytes = 65536; /* so many that constants hardly matter */
    for (int rank = 0; rank + 1 < model->ranks; rank++) {
        hn_time connection =
            model_deliver(model, rank, rank + 1, bytes) - model_deliver(model, rank, rank + 1, 0);
        if (busiest_bare(model, rank, rank + 1, bytes) < connection / 10 * 9)
            return true;
    }
    return false;
}

/* Whether the slowest resource differs by more than a quarter among the pairs of a ring. */
bool bottleneck_varies(const struct model *model, int64_t bytes)
{
    hn_time least = INT64_MAX, most = 0;
    for (int rank = 0; rank < model->ranks; rank++) {
        int next = (rank + 1) % model->ranks;
        hn_time time = next == rank ? 0 : bottleneck_time(model, rank, next, bytes);
        least = time < least ? time : least;
        most = time > most ? time : most;
    }
    return most - least > least / 4;
}

/* Some pair of neighbours is enough: then plans with fewer stages may pay. */
bool bottleneck_is_latency(const struct model *model, int64_t bytes)
{
    for (int rank = 0; rank + 1 < model->ranks; rank++) {
        struct cost c = model_cost(model, rank, rank + 1, bytes);
        hn_time ends = c.send + c.recv, most = bottleneck_time(model, rank, rank + 1, bytes);
        if ((ends > most ? ends : most) <= (ends + c.travel) / 2)
            return true;
    }
    return false;
}
