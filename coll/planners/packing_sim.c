/* packing_sim.c - orders the messages of a packing (packing.h).
 *
 * The plan is simulated in a simple model of the network: each port, link and medium serves
 * messages in FIFO order, and a message arrives when all resources of its route have served it. A
 * rank forwards a block as soon as it has received it. A rank's own blocks are released evenly over
 * the time of the busiest resource, so that they do not delay forwarded blocks.
 *
 * The steps of every rank are listed in the simulated order, so there is no deadlock.
 *
 * Cost for m messages over w resources each: O(m (w + log m)).
 */
#include "planners/packing.h"

#include "model/heap.h"
#include "model/array_grow.h"

#include "hnow.h"
#include "probe/internal.h"

#include <stdlib.h>

enum event_at {
    AT_READY,
    AT_ARRIVAL
}; /* events of a block at a rank: it can be forwarded, or it has to be received */

/* An entry of the queue of events. */
struct happening {
    hn_time time;
    int order; /* of insertion: events of equal time are handled in FIFO order */
    int block, from, to;
    uint8_t at, dir;
};

struct sim {
    const struct packing *p;
    const struct order *given;
    struct plan *plan;
    int *child[PACKING_DIRECTIONS], *sibling[PACKING_DIRECTIONS]; /* [tree * n + rank]; -1: none */
    int *missing;  /* [block * n + rank]: contributions of children that have not arrived */
    hn_time *free; /* [resource]: time at which it has served all messages so far */
    hn_time *sent; /* [from * n + to]: likewise, for the connection */
    hn_time *busy; /* [rank]: likewise, for the processor */
    struct happening *heap;
    size_t count, room;
    int order;
    bool failed;        /* out of memory */
    struct arena arena; /* of all arrays but heap */
};

static bool is_before(const struct sim *s, struct happening a, struct happening b)
{
    (void)s;
    return a.time != b.time ? a.time < b.time : a.order < b.order;
}
HEAP(happenings, struct happening, const struct sim *, is_before);

/* After a failure events are dropped, and the loop ends. */
static void push(struct sim *s, struct happening next)
{
    if (!ARRAY_GROW(s->heap, s->count, s->room, 256)) {
        s->failed = true;
        return;
    }
    next.order = s->order++;
    happenings_add(s, s->heap, s->count++, next);
}

/* ---- one message ------------------------------------------------------------------------ */

/* Time at which all resources of the route have served a message. */
static hn_time pass(struct sim *s, const struct prices *prices, int edge, hn_time begin,
                    int64_t bytes)
{
    hn_time end = begin;
    bool ports = s->p->problem->model->port == PORT_BLOCKING;
    for (int i = prices->first[edge]; i < prices->first[edge + 1]; i++) {
        const struct usage *usage = &prices->usage[i];
        if (!ports && usage->resource < 2 * s->p->n) /* a processor */
            continue;
        hn_time *free = &s->free[usage->resource];
        hn_time time = wide_ratio(usage->time, bytes, s->p->bytes) << prices->shift;
        *free = time_later(*free, begin) + time;
        end = time_later(end, *free);
    }
    return end;
}

/* Sends a block: reserves its resources, and makes the event of its arrival.  With given arrival
 * times (order.there) only the order of events is new. */
static void send(struct sim *s, int dir, int block, int from, int to, hn_time now)
{
    const struct packing *p = s->p;
    const struct model *model = p->problem->model;
    int64_t bytes = p->cut->blocks[block].bytes;
    int edge = dir == PACKING_UP ? to * p->n + from : from * p->n + to;
    hn_time begin = now;
    if (model->port != PORT_BLOCKING)
        plan_step(s->plan, from, PLAN_SEND, to, block, 1);
    /* Arrival times are known: only the order on the connection is kept. */
    if (s->given->there) {
        hn_time *sent = &s->sent[from * p->n + to];
        hn_time end =
            s->given->there[packing_message(p, dir, block, dir == PACKING_UP ? from : to)];
        *sent = time_later(*sent, time_later(now, end));
        push(s, (struct happening){*sent + s->given->slack, 0, block, from, to, AT_ARRIVAL,
                                   (uint8_t)dir});
        return;
    }
    /* Otherwise the message passes the processor, the connection and the resources of its route. */
    struct cost c = model_cost(model, from, to, bytes);
    hn_time latency = 0;
    if (model->port != PORT_BLOCKING) {
        latency = model_cost(model, from, to, 0).travel;
        begin = s->busy[from] = time_later(s->busy[from], now) + c.send;
        hn_time *sent = &s->sent[from * p->n + to];
        *sent = time_later(*sent, begin) + c.travel - latency;
    }
    hn_time end = pass(s, &p->prices[dir], edge, begin, bytes);
    end = time_later(end, s->sent[from * p->n + to]) + latency;
    push(s,
         (struct happening){end + s->given->slack, 0, block, from, to, AT_ARRIVAL, (uint8_t)dir});
}

/* Handles an arrival.  A reduction's rank may go on when the contributions of all its children are
 * there. */
static void take(struct sim *s, const struct happening *h)
{
    const struct packing *p = s->p;
    bool up = h->dir == PACKING_UP;
    enum plan_kind kind = !up ? PLAN_RECV : h->from > h->to ? PLAN_FOLD_RIGHT : PLAN_FOLD_LEFT;
    hn_time time = h->time;
    if (p->problem->model->port == PORT_BLOCKING) /* steps are in the order of their ends */
        plan_step(s->plan, h->from, PLAN_SEND, h->to, h->block, 1);
    plan_step(s->plan, h->to, kind, h->from, h->block, 1);
    if (!s->given->there && p->problem->model->port != PORT_BLOCKING) {
        int64_t bytes = p->cut->blocks[h->block].bytes;
        time = s->busy[h->to] = time_later(s->busy[h->to], time) +
                                model_cost(p->problem->model, h->from, h->to, bytes).recv;
    }
    if (!up || --s->missing[h->block * p->n + h->to] == 0)
        push(s, (struct happening){time, 0, h->block, h->from, h->to, AT_READY, h->dir});
}

/* Forwards a block of which a rank has received everything that it needs. */
static void forward(struct sim *s, int dir, int block, int rank, hn_time now)
{
    const struct packing *p = s->p;
    int tree = p->tree[block], at = tree * p->n;
    if (dir == PACKING_UP && rank != p->root[tree]) {
        send(s, dir, block, rank, p->parent[dir][at + rank], now);
        return;
    }
    if (!p->goes[PACKING_DOWN])
        return;
    const int *sibling = &s->sibling[PACKING_DOWN][at];
    for (int to = s->child[PACKING_DOWN][at + rank]; to >= 0; to = sibling[to])
        send(s, PACKING_DOWN, block, rank, to, now);
}

/* ---- all of them ------------------------------------------------------------------------ */

/* Lists the children of all ranks in a tree, those with the largest subtrees first. */
static void list_children(struct sim *s, int dir, int tree, int *below)
{
    int n = s->p->n;
    const int *parent = &s->p->parent[dir][tree * n];
    int *child = &s->child[dir][tree * n], *sibling = &s->sibling[dir][tree * n];
    for (int rank = 0; rank < n; rank++) {
        below[rank] = 0;
        child[rank] = sibling[rank] = -1;
    }
    for (int rank = 0; rank < n; rank++)
        for (int at = rank; at != s->p->root[tree]; at = parent[at])
            below[parent[at]]++;
    for (int rank = 0; rank < n; rank++) {
        if (rank == s->p->root[tree])
            continue;
        /* Insertion into the sorted list; equal sizes keep the order of ranks. */
        int *at = &child[parent[rank]];
        while (*at >= 0 && below[*at] >= below[rank])
            at = &sibling[*at];
        sibling[rank] = *at;
        *at = rank;
    }
}

/* Sets the number of contributions that every rank waits for in a reduction; the leaves begin. */
static void release_up(struct sim *s, int block, hn_time time)
{
    int n = s->p->n, tree = s->p->tree[block];
    for (int rank = 0; rank < n; rank++) {
        int *missing = &s->missing[block * n + rank];
        for (int at = s->child[PACKING_UP][tree * n + rank]; at >= 0;
             at = s->sibling[PACKING_UP][tree * n + at])
            ++*missing;
        if (*missing == 0)
            push(s, (struct happening){time, 0, block, rank, rank, AT_READY, PACKING_UP});
    }
}

/* A part's blocks are released at equal distances, from 0 up to `release`. */
static void release_all(struct sim *s)
{
    const struct packing *p = s->p;
    for (int block = 0; block < p->cut->block_count; block++) {
        int part = p->cut->blocks[block].part, first = p->cut->part_first[part];
        hn_time time =
            wide_ratio(s->given->release, block - first, p->cut->part_first[part + 1] - first);
        if (p->goes[PACKING_UP])
            release_up(s, block, time);
        else
            push(s, (struct happening){time, 0, block, p->root[p->tree[block]],
                                       p->root[p->tree[block]], AT_READY, PACKING_DOWN});
    }
}

static int begin(struct sim *s)
{
    const struct packing *p = s->p;
    size_t n = (size_t)p->n, cells = (size_t)p->trees * n;
    /* Both directions have the same resources. */
    int resources = p->prices[p->goes[PACKING_DOWN] ? PACKING_DOWN : PACKING_UP].resources;
    s->missing = arena_array(&s->arena, (size_t)p->cut->block_count * n, sizeof *s->missing);
    s->free = arena_array(&s->arena, (size_t)resources, sizeof *s->free);
    s->sent = arena_array(&s->arena, n * n, sizeof *s->sent);
    s->busy = arena_array(&s->arena, n, sizeof *s->busy);
    int *below = arena_array(&s->arena, n, sizeof *below);
    bool ok = !s->arena.failed;
    for (int dir = 0; dir < PACKING_DIRECTIONS && ok; dir++) {
        if (!p->goes[dir])
            continue;
        ARENA_ARRAYS(&s->arena, cells, s->child[dir], s->sibling[dir]);
        ok = !s->arena.failed;
        for (int tree = 0; tree < p->trees && ok; tree++)
            list_children(s, dir, tree, below);
    }
    return ok ? HN_OK : HN_ENOMEM;
}

static void end(struct sim *s)
{
    arena_free(&s->arena);
    free(s->heap);
}

int packing_simulate(const struct packing *p, const struct order *order, struct plan *plan)
{
    struct sim s = {.p = p, .given = order, .plan = plan};
    int error = begin(&s);
    if (!error)
        release_all(&s);
    while (!error && !s.failed && s.count > 0) {
        struct happening next = happenings_take(&s, s.heap, s.count--);
        if (next.at == AT_ARRIVAL)
            take(&s, &next);
        else
            forward(&s, next.dir, next.block, next.to, next.time);
    }
    error = s.failed ? HN_ENOMEM : error;
    end(&s);
    return error;
}
