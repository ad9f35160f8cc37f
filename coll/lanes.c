/* lanes.c - connections beside the ports of their hosts (lanes.h). */
#include "lanes.h"

/* What the busiest part of a way takes for `bytes` bytes, besides what a message takes. */
static hn_time busiest(const struct model *model, int from, int to, int64_t bytes)
{
    hn_channel way[HN_WAY_MOST];
    struct cost none = model_cost(model, from, to, 0), all = model_cost(model, from, to, bytes);
    hn_time send = all.send - none.send, recv = all.recv - none.recv;
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
        if (busiest(model, rank, rank + 1, bytes) < lane / 10 * 9)
            return true;
    }
    return false;
}
