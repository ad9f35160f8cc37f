/* pipeline.c - our own: trees for many segments.
 *
 * A tree takes about the time of the first of k segments plus k - 1 periods. The period is the time
 * of the busiest resource for one segment: a rank (its receive and all its sends), a connection, or
 * a channel shared by several edges of the tree. A rank with many children suits whole messages,
 * but is the bottleneck for many segments.
 *
 * The search (tree_search_simulated.c) minimizes this estimate. It starts from the trees of all
 * planners and from a path on which each rank forwards to the rank that it reaches first. If all
 * ranks are equal, no tree has a shorter period than a path.
 *
 * Cost: O(n) for each tree of the search; O(n^2) for the path.
 */
#include "planners/pipeline.h"

#include "hnow.h"
#include "probe/internal.h"
#include "runtime/internal.h"

/* ---- the estimate ----------------------------------------------------------------------- */

/* Lists children and the order of ranks, for any tree.  Inserting the ranks in descending order
 * leaves each list in ascending order. */
static void list_children(struct pipeline *p)
{
    int count = 0;
    for (int rank = 0; rank < p->n; rank++)
        p->first[rank] = -1;
    for (int rank = p->n - 1; rank >= 0; rank--)
        if (rank != p->root) {
            p->next[rank] = p->first[p->parent[rank]];
            p->first[p->parent[rank]] = rank;
        }
    p->order[count++] = p->root;
    for (int i = 0; i < count; i++)
        for (int child = p->first[p->order[i]]; child >= 0; child = p->next[child])
            p->order[count++] = child;
}

/* Time of the first segment, with every rank's children in the order of their numbers; with many
 * segments that order hardly matters. */
static hn_time first_segment(struct pipeline *p)
{
    hn_time most = 0;
    p->tail[p->root] = 0;
    for (int i = 0; i < p->n; i++) {
        int rank = p->order[i];
        hn_time ready = p->tail[rank];
        for (int child = p->first[rank]; child >= 0; child = p->next[child]) {
            size_t at = broadcast_at(&p->b, rank, child);
            p->tail[child] = ready + p->b.deliver[at];
            ready += p->b.busy[at];
        }
        most = ready + p->b.local[rank] > most ? ready + p->b.local[rank] : most;
    }
    return most;
}

/* Time for which the busiest shared channel is occupied by one segment. */
static hn_time channel_period(struct pipeline *p)
{
    hn_channel route[HN_WAY_MOST];
    hn_time most = 0;
    int used = 0;
    for (int rank = 0; rank < p->n; rank++) {
        int count = rank == p->root ? 0 : model_route(p->model, p->parent[rank], rank, route);
        for (int i = 0; i < count; i++) {
            /* per_byte is in femtoseconds. */
            hn_time time = wide_ratio(p->bytes, route[i].per_byte, 1000);
            if (p->channel[route[i].id] == 0 && time > 0)
                p->used[used++] = route[i].id;
            p->channel[route[i].id] += time;
            most = p->channel[route[i].id] > most ? p->channel[route[i].id] : most;
        }
    }
    for (int i = 0; i < used; i++)
        p->channel[p->used[i]] = 0;
    return most;
}

/* The period: time of the busiest rank, connection or channel for one segment.  With blocking ports
 * a rank sends and receives at the same time, so its receive counts alone. */
static hn_time period(struct pipeline *p)
{
    bool blocking = p->model->port == PORT_BLOCKING, media = p->model->port == PORT_MEDIA;
    hn_time most = media ? channel_period(p) : 0;
    for (int rank = 0; rank < p->n; rank++)
        p->load[rank] = 0;
    for (int rank = 0; rank < p->n; rank++) {
        if (rank == p->root)
            continue;
        size_t at = broadcast_at(&p->b, p->parent[rank], rank);
        p->load[p->parent[rank]] += p->b.busy[at];
        if (!blocking)
            p->load[rank] += p->recv[at];
        else if (p->recv[at] > most)
            most = p->recv[at];
        if (media && p->connection[at] > most)
            most = p->connection[at];
    }
    for (int rank = 0; rank < p->n; rank++)
        most = p->load[rank] > most ? p->load[rank] : most;
    return most;
}

hn_time pipeline_time(void *self, int root, const int *parent)
{
    struct pipeline *p = self;
    hn_time time, sum;
    p->root = root;
    p->parent = parent;
    list_children(p);
    /* Very slow networks with many segments exceed 63 bits. */
    if (__builtin_mul_overflow(period(p), p->later, &time) ||
        __builtin_add_overflow(time, first_segment(p), &sum))
        return INT64_MAX;
    return sum;
}

/* ---- planning --------------------------------------------------------------------------- */

int pipeline_path(const struct problem *problem, struct tree *tree)
{
    int here = tree->root;
    while (tree->count < tree->ranks - 1) {
        int next = -1;
        for (int rank = 0; rank < tree->ranks; rank++)
            if (rank != tree->root && tree->parent[rank] < 0 &&
                (next < 0 ||
                 matrix_at(problem->matrix, here, rank) < matrix_at(problem->matrix, here, next)))
                next = rank;
        tree_add(tree, here, next);
        here = next;
    }
    return HN_OK;
}

int pipeline_begin(struct pipeline *p, const struct problem *problem)
{
    const hn_net *net = model_net(problem->model);
    int n = problem->req->ranks;
    *p = (struct pipeline){.model = problem->model, .n = n};
    size_t count = (size_t)n, channels = net ? (size_t)hn_net_channel_count(net) + 1 : 1;
    int error = broadcast_begin(&p->b, problem);
    if (error)
        return error;
    int64_t whole = request_part_bytes(problem->req, 0);
    p->bytes = problem->matrix->bytes;
    /* The last segment may be shorter and counts as a whole one. */
    p->later = p->bytes > 0 ? (whole - 1) / p->bytes : 0;
    ARENA_ARRAYS(&p->arena, count * count, p->recv, p->connection);
    ARENA_ARRAYS(&p->arena, channels, p->channel, p->used);
    ARENA_ARRAYS(&p->arena, count, p->first, p->next, p->order, p->tail, p->load);
    if (p->arena.failed)
        return HN_ENOMEM;
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++) {
            size_t at = broadcast_at(&p->b, from, to);
            struct cost all = model_cost(p->model, from, to, p->bytes);
            p->connection[at] = all.travel - model_cost(p->model, from, to, 0).travel;
            p->recv[at] = p->model->port == PORT_BLOCKING ? p->b.deliver[at] : all.recv;
        }
    return HN_OK;
}

void pipeline_end(struct pipeline *p)
{
    broadcast_end(&p->b);
    arena_free(&p->arena);
}
