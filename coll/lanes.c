/* lanes.c - connections and the ports of their hosts, beside each other (lanes.h). */
#include "lanes.h"

/* What the busiest part of a way takes for `bytes` bytes; bare: besides what a message takes. */
static hn_time busiest(const struct model *model, int from, int to, int64_t bytes, bool bare)
{
    hn_channel way[HN_WAY_MOST];
    struct cost none = model_cost(model, from, to, 0), all = model_cost(model, from, to, bytes);
    hn_time send = all.send - (bare ? none.send : 0), recv = all.recv - (bare ? none.recv : 0);
    hn_time most = send > recv ? send : recv;
    int count = model->port == PORT_MEDIA ? model_way(model, from, to, way) : 0;
    for (int i = 0; i < count; i++) {
        hn_time shared = hn_cost_time(0, way[i].per_byte, bytes);
        most = shared > most ? shared : most;
    }
    return most;
}

bool lanes_are_slow(const struct model *model)
{
    const int64_t bytes = 65536;
    for (int rank = 0; rank + 1 < model->ranks; rank++) {
        hn_time lane =
            model_deliver(model, rank, rank + 1, bytes) - model_deliver(model, rank, rank + 1, 0);
        if (busiest(model, rank, rank + 1, bytes, true) < lane / 10 * 9)
            return true;
    }
    return false;
}

bool lanes_are_unequal(const struct model *model, int64_t bytes)
{
    hn_time least = INT64_MAX, most = 0;
    for (int rank = 0; rank < model->ranks; rank++) {
        int next = (rank + 1) % model->ranks;
        hn_time time = next == rank ? 0 : busiest(model, rank, next, bytes, false);
        least = time < least ? time : least;
        most = time > most ? time : most;
    }
    return most - least > least / 4;
}

bool lanes_are_long(const struct model *model, int64_t bytes)
{
    for (int rank = 0; rank + 1 < model->ranks; rank++) {
        struct cost c = model_cost(model, rank, rank + 1, bytes);
        hn_time ends = c.send + c.recv, most = busiest(model, rank, rank + 1, bytes, false);
        if ((ends > most ? ends : most) <= (ends + c.travel) / 2)
            return true;
    }
    return false;
}
