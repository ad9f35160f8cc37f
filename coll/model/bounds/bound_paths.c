/* bound_paths.c - the contribution of a rank a must reach every rank b that wants it. This takes at
 * least the length of the shortest path from a to b, with edges of length S + X + R (Bhat, lemma 1,
 * generalized).
 *
 * If parts may be cut, the transfers of pieces overlap, so only the times of empty messages count.
 *
 * Shortest paths are computed by Dijkstra's algorithm on zones. A zone is entered at the lowest
 * cost of all routes, and left through the member of the lowest cost. If every zone is one rank,
 * these are the exact shortest paths. Otherwise a path may continue from a member that it has not
 * entered, so the distance is a lower bound. Cost: O(zones^2 + ranks) for each source. Operations
 * to which all ranks contribute examine as many sources as WORK allows.
 */
#include "model/bounds/bounds.h"

#include "runtime/internal.h"

#include <string.h>

static const int64_t WORK = 100000000; /* costs examined: some tenths of a second */

/* Distances from or to one rank at a time. `work` limits all searches together. */
struct search {
    const struct bounding *b;
    bool backward;     /* distances to the root instead of from it */
    hn_time *entry;    /* [zone]: lowest cost of a path into it, up to its cheapest receiver ... */
    hn_time *leave;    /* [zone]: ... and through it, up to the next send */
    hn_time *through;  /* [zone]: lowest extra cost of a member that receives and sends */
    bool *done;        /* [zone]: its distance is final */
    hn_time *distance; /* [rank]: from the root; backward: to the root */
    int64_t work;
    struct arena arena; /* of the arrays */
};

/* Extra cost of reaching this rank rather than the cheapest rank of its zone. Zone costs are minima
 * over the ranks; a single rank may cost more. */
static hn_time extra_arrival(const struct zones *z, int rank)
{
    return zones_extra_wake(z, rank) + zones_extra_recv(z, rank);
}

/* Extra cost of entering a zone at this rank; backward: of leaving it there. */
static hn_time extra_in(const struct search *s, int rank)
{
    const struct zones *z = s->b->zones;
    return s->backward ? zones_extra_send(z, rank) : extra_arrival(z, rank);
}

static hn_time extra_out(const struct search *s, int rank)
{
    const struct zones *z = s->b->zones;
    return s->backward ? extra_arrival(z, rank) : zones_extra_send(z, rank);
}

/* Length of an edge between two zones, in the direction of the data. */
static hn_time distance(const struct search *s, int from, int to)
{
    struct cost c = zones_cost(s->b->zones, s->backward ? to : from, s->backward ? from : to);
    return c.send + c.travel + c.recv;
}

/* A path through a zone enters one member and leaves the same one. */
static void look_through(struct search *s)
{
    const struct zones *z = s->b->zones;
    for (int zone = 0; zone < z->c.count; zone++)
        s->through[zone] = INT64_MAX;
    for (int rank = 0; rank < s->b->req->ranks; rank++) {
        hn_time *least = &s->through[z->c.of[rank]];
        *least = int64_smaller(*least, extra_in(s, rank) + extra_out(s, rank));
    }
}

/* A linear search: graphs are complete, so a heap would not pay. */
static int nearest(const struct search *s)
{
    int best = -1;
    for (int zone = 0; zone < s->b->zones->c.count; zone++)
        if (!s->done[zone] && s->leave[zone] < INT64_MAX &&
            (best < 0 || s->leave[zone] < s->leave[best]))
            best = zone;
    return best;
}

/* Computes distance[] from (backward: to) the root, by Dijkstra's algorithm on zones. */
static void find_distances(struct search *s, int root, int64_t bytes)
{
    struct zones *z = s->b->zones;
    int count = z->c.count;
    zones_set_bytes(z, bytes);
    look_through(s);
    for (int zone = 0; zone < count; zone++) {
        s->entry[zone] = s->leave[zone] = INT64_MAX;
        s->done[zone] = false;
    }
    /* The root's zone is left by the root itself; its other members are reached like any zone. */
    s->leave[z->c.of[root]] = extra_out(s, root);
    for (int here; (here = nearest(s)) >= 0; s->done[here] = true)
        for (int next = 0; next < count; next++) {
            hn_time entry =
                zones_linked(z, here, next) ? s->leave[here] + distance(s, here, next) : INT64_MAX;
            if (entry >= s->entry[next])
                continue;
            s->entry[next] = entry;
            s->leave[next] = int64_smaller(s->leave[next], entry + s->through[next]);
        }
    for (int rank = 0; rank < s->b->req->ranks; rank++)
        s->distance[rank] =
            s->entry[z->c.of[rank]] == INT64_MAX ? 0 : s->entry[z->c.of[rank]] + extra_in(s, rank);
    s->distance[root] = 0;
    s->work += (int64_t)count * count + s->b->req->ranks;
}

/* The longest distance of a part between the root and the ranks that want it (backward: contribute
 * to it). */
static hn_time reach(const struct search *s, int root, int part)
{
    const struct request *req = s->b->req;
    hn_time bound = 0;
    int first, count;
    if (s->backward)
        request_contributors(req, part, &first, &count);
    else
        request_wanters(req, part, &first, &count);
    for (int rank = first; rank < first + count; rank++) {
        int from = s->backward ? rank : root, to = s->backward ? root : rank;
        if (request_needs(req, to, from, part))
            bound = int64_larger(bound, s->distance[rank] + model_local(s->b->model, to));
    }
    return bound;
}

/* The bound of all parts that one rank contributes (backward: wants); parts of equal size have the
 * same paths. */
static hn_time paths_of(struct search *s, int root)
{
    const struct request *req = s->b->req;
    hn_time bound = 0;
    int64_t known = -1;
    int first = 0, count = request_parts(req);
    if (!s->backward)
        request_contributed(req, root, &first, &count);
    for (int part = first; part < first + count && s->work < WORK; part++) {
        int64_t bytes = s->b->cut ? 0 : request_part_bytes(req, part);
        if (!s->backward && !request_contributes(req, root, part))
            continue;
        if (bytes != known)
            find_distances(s, root, bytes);
        known = bytes;
        bound = int64_larger(bound, reach(s, root, part));
        /* The work of reach() itself. */
        s->work += req->op == OP_ALLTOALL ? 1 : req->ranks;
    }
    return bound;
}

static bool coprime(int a, int b)
{
    while (b > 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a == 1;
}

static hn_time search_all(struct search *s)
{
    const struct request *req = s->b->req;
    int n = req->ranks;
    hn_time bound = 0;
    s->backward = req->op == OP_REDUCE || req->op == OP_GATHER;
    if (operation_rooted(req->op))
        return paths_of(s, req->root);
    /* Sources are examined with a stride, so that they are spread if the work does not allow all.
     */
    int stride = n / 2;
    while (!coprime(stride, n))
        stride++;
    for (int i = 0; i < n && s->work < WORK; i++)
        bound = int64_larger(bound, paths_of(s, (int)((int64_t)i * stride % n)));
    return bound;
}

/* false: out of memory. The caller frees s->arena in either case. */
static bool begin(struct search *s, const struct bounding *b)
{
    size_t count = (size_t)b->zones->c.count + 1;
    *s = (struct search){.b = b};
    ARENA_ARRAYS(&s->arena, count, s->entry, s->leave, s->through, s->done);
    s->distance = arena_array(&s->arena, (size_t)b->req->ranks, sizeof *s->distance);
    return !s->arena.failed;
}

hn_time bound_by_paths(const struct bounding *b)
{
    struct search s;
    hn_time bound = begin(&s, b) ? search_all(&s) : 0;
    arena_free(&s.arena);
    return bound;
}

void bound_distances(const struct bounding *b, int root, bool backward, hn_time *distance)
{
    struct search s;
    if (begin(&s, b)) {
        s.backward = backward;
        find_distances(&s, root, 0);
        memcpy(distance, s.distance, (size_t)b->req->ranks * sizeof *distance);
    }
    arena_free(&s.arena);
}
