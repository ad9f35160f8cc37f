/* foresight.c - a plan looked at from its end.
 *
 * Steps are gone through backwards. rest[rank] is what is to come at a rank from the beginning of
 * the step looked at last, next[connection] what is to come from the time at which a message begins
 * to move on it. Of a channel: the work of one machine whose jobs have heads and tails (Carlier
 * 1982, in the simplest form): the least head, all work, the least tail.
 */
#include "model/foresight.h"

#include "model/cast.h"

#include "hnow.h"

struct view {
    struct foresight *f;
    const struct plan *plan;
    struct connections *connections;
    hn_time *rest;  /* [rank] */
    hn_time *next;  /* [connection] */
    hn_time *first; /* [channel]: when the first message can be on it */
    int channels;
};

/* The connection of a message, for its bytes; NULL: it stays at its rank. */
static struct connection *weighed(const struct view *v, int from, int to,
                                  const struct plan_step *step)
{
    struct connections *all = v->connections;
    if (from == to)
        return NULL;
    struct connection *c = &all->all[connection_of(all, from, to)];
    connection_weigh(all, c, plan_step_bytes(v->plan, step));
    return c;
}

static void look_at_channels(struct view *v, const struct connection *c, hn_time sent,
                             hn_time behind)
{
    for (int i = 0; i < c->way_count; i++) {
        int id = c->way[i].id;
        v->f->load[id] = foresight_plus(v->f->load[id], c->of[i]);
        v->first[id] = sent < v->first[id] ? sent : v->first[id];
        v->f->behind[id] = behind < v->f->behind[id] ? behind : v->f->behind[id];
    }
}

/* One more receiver of a message that is under way: nothing else is busy with it. */
static void look_at_joined(struct view *v, int rank, int32_t at)
{
    const struct plan_step *step = &v->plan->steps[at];
    const struct connection *c = weighed(v, rank, step->peer, step);
    hn_time behind = foresight_plus(v->f->after[step->match], c->cost.travel + c->cost.recv);
    v->f->after[at] = v->rest[rank] = time_later(v->rest[rank], behind);
}

static void look_at_send(struct view *v, int rank, int32_t at, hn_time sent)
{
    const struct plan_step *step = &v->plan->steps[at];
    hn_time *rest = &v->rest[rank];
    v->f->after[at] = *rest;
    const struct connection *c = weighed(v, rank, step->peer, step);
    if (!c)
        return;
    enum part part = cast_part(v->plan, v->connections->model, rank, at);
    hn_time *next = &v->next[connection_part(v->connections, rank, step->peer, part)];
    hn_time behind = foresight_plus(v->f->after[step->match], c->latency + c->cost.recv);
    hn_time lasts = time_later(behind, *next - c->less);
    look_at_channels(v, c, sent, part == PART_ALL ? lasts : behind);
    *next = foresight_plus(lasts, c->busy);
    v->f->after[at] = time_later(*rest, *next);
    *rest = foresight_plus(v->f->after[at], c->cost.send);
}

static void look_at_receive(struct view *v, int rank, int32_t at)
{
    const struct plan_step *step = &v->plan->steps[at];
    v->f->after[at] = v->rest[rank];
    const struct connection *c = weighed(v, step->peer, rank, step);
    if (c)
        v->rest[rank] = foresight_plus(v->rest[rank], c->cost.recv);
}

static void look_back(struct view *v, const int32_t *order, const struct span *spans)
{
    const struct plan *plan = v->plan;
    for (int32_t i = plan->first[plan->ranks] - 1; i >= 0; i--) {
        int32_t at = order[i];
        int rank = plan->steps[plan->steps[at].match].peer;
        if (cast_joins(plan, v->connections->model, rank, at))
            look_at_joined(v, rank, at);
        else if (plan->steps[at].kind == PLAN_SEND)
            look_at_send(v, rank, at, spans[at].end);
        else
            look_at_receive(v, rank, at);
    }
    for (int rank = 0; rank < plan->ranks; rank++)
        v->f->least = time_later(v->f->least, v->rest[rank]);
    for (int id = 0; id < v->channels; id++)
        if (v->f->behind[id] < INT64_MAX)
            v->f->least =
                time_later(v->f->least, foresight_plus(foresight_plus(v->first[id], v->f->load[id]),
                                                       v->f->behind[id]));
}

int foresight_begin(struct foresight *f, const struct plan *plan, struct connections *connections,
                    const int32_t *order, const struct span *spans)
{
    const struct model *model = connections->model;
    const hn_net *net = model_net(model);
    struct view v = {.f = f, .plan = plan, .connections = connections};
    v.channels = net ? hn_net_channel_count(net) : 0;
    size_t channels = (size_t)v.channels + 1, ranks = (size_t)plan->ranks;
    *f = (struct foresight){0};
    f->after = arena_array(&f->arena, (size_t)plan->first[plan->ranks] + 1, sizeof *f->after);
    f->load = arena_array(&f->arena, channels, sizeof *f->load);
    f->behind = arena_array(&f->arena, channels, sizeof *f->behind);
    v.rest = arena_array(&f->arena, ranks, sizeof *v.rest);
    v.next = arena_array(&f->arena, (size_t)connections->numbers.count + 1, sizeof *v.next);
    v.first = arena_array(&f->arena, channels, sizeof *v.first);
    bool there = !f->arena.failed;
    for (int rank = 0; there && rank < plan->ranks; rank++)
        v.rest[rank] = model_local(model, rank);
    for (int id = 0; there && id < v.channels; id++)
        f->behind[id] = v.first[id] = INT64_MAX;
    if (there)
        look_back(&v, order, spans);
    return there ? HN_OK : HN_ENOMEM;
}

void foresight_end(struct foresight *f)
{
    arena_free(&f->arena);
}
