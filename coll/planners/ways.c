/* ways.c - ports and wires, and the messages that take them (ways.h). */
#include "planners/ways.h"

#include "planners/busy.h"

#include "hnow.h"
#include "probe/internal.h"

static hn_time scaled(const struct ways *w, int64_t full, int64_t bytes)
{
    if (bytes == w->bytes) /* most are, and a division of 128 bits takes its time */
        return bytes ? full : 0;
    return w->bytes ? wide_ratio(full, bytes, w->bytes) : 0;
}

static hn_time toll(const struct ways *w, int i, int64_t bytes)
{
    hn_time none = w->none.tolls[i].time << w->none.shift;
    return none + scaled(w, (w->full.tolls[i].time << w->full.shift) - none, bytes);
}

hn_time ways_free(const struct ways *w, int e, int64_t bytes, hn_time at, bool fills)
{
    hn_time before;
    do {
        before = at;
        for (int i = w->full.first[e]; i < w->full.first[e + 1]; i++) {
            const struct busy *busy = &w->busy[w->full.tolls[i].resource];
            at = fills ? busy_until(busy, at, toll(w, i, bytes)) : time_later(at, busy_last(busy));
        }
    } while (at > before);
    return at;
}

hn_time ways_arrival(const struct ways *w, int e, int64_t bytes, hn_time begin)
{
    hn_time end = begin + w->start[e] + scaled(w, w->each[e], bytes);
    for (int i = w->full.first[e]; i < w->full.first[e + 1]; i++)
        end = time_later(end, begin + toll(w, i, bytes));
    return end;
}

bool ways_take(struct ways *w, int e, int64_t bytes, hn_time begin)
{
    bool taken = true;
    for (int i = w->full.first[e]; i < w->full.first[e + 1]; i++)
        taken = busy_add(&w->busy[w->full.tolls[i].resource], begin, toll(w, i, bytes)) && taken;
    return taken;
}

void ways_clear(struct ways *w)
{
    for (int i = 0; i < w->full.resources; i++)
        w->busy[i].count = 0;
}

static void set_costs(struct ways *w, const struct model *model)
{
    for (int from = 0; from < w->n; from++)
        for (int to = 0; to < w->n; to++) {
            int e = from * w->n + to;
            if (from == to)
                continue;
            w->start[e] = model_deliver(model, from, to, 0);
            w->each[e] = model_deliver(model, from, to, w->bytes) - w->start[e];
        }
}

int ways_begin(struct ways *w, const struct model *model, int64_t bytes)
{
    size_t n = (size_t)model->ranks;
    *w = (struct ways){.n = (int)n, .bytes = bytes};
    int error = prices_begin(&w->none, model, 0, 0, false, false);
    if (!error)
        error = prices_begin(&w->full, model, 0, bytes, false, false);
    ARENA_ARRAYS(&w->arena, n * n, w->start, w->each);
    w->busy = arena_array(&w->arena, (size_t)w->full.resources, sizeof *w->busy);
    if (error || w->arena.failed)
        return error ? error : HN_ENOMEM;
    set_costs(w, model);
    return HN_OK;
}

void ways_end(struct ways *w)
{
    for (int i = 0; w->busy && i < w->full.resources; i++)
        busy_end(&w->busy[i]);
    prices_end(&w->none);
    prices_end(&w->full);
    arena_free(&w->arena);
}
