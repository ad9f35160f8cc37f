/* pipeline.c - our own: trees for many segments.
 *
 * A tree whose data comes in k segments takes about the time of the first segment plus k - 1
 * periods, where the period is that of the busiest resource for one segment: a rank (its receive
 * and all its sends), a connection, or a channel that several edges of the tree share. For whole
 * messages a rank with many children is good; for many segments it is the bottleneck.
 *
 * The best of several trees by this estimate is improved by local moves: a rank is hung, with its
 * subtree, under another one, or two ranks change places. Fixed work, fixed random numbers. One of
 * the trees is a path from the root, always on to the rank that is reached soonest: where all ranks
 * are alike nothing has a shorter period.
 *
 * Cost: O(n^2) for the path; MOVES * O(n) for the moves.
 */
#include "planners/planners.h"

#include "planners/broadcast.h"
#include "planners/random_number.h"

#include "hnow.h"
#include "probe/internal.h"
#include "runtime/internal.h"

#include <string.h>

enum { MOVES = 12000, RESTARTS = 4 };

struct pipe {
    const struct model *model;
    int n, root;
    int64_t later;        /* segments after the first */
    struct broadcast b;   /* of one segment */
    hn_time *recv;        /* [from * n + to]: how long the receive occupies the receiver */
    hn_time *lane;        /* the same: the connection */
    hn_time *channel;     /* [channel]: of one segment, all edges together */
    int *parent, *best;   /* [rank] */
    int *first, *next;    /* children */
    int *order;           /* parents before children */
    hn_time *tail, *load; /* [rank] */
    int *used;            /* channels of the tree in the making */
    int64_t bytes;
    uint64_t random;
    struct arena arena; /* of the arrays */
};

/* ---- the estimate ------------------------------------------------------------------------------
 */

static void list_children(struct pipe *p)
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

/* Time of the first segment, everybody's children in the order of their numbers; that order hardly
 * matters where there are many segments. */
static hn_time first_segment(struct pipe *p)
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

/* The busiest shared channel. */
static hn_time channel_period(struct pipe *p)
{
    hn_channel way[HN_WAY_MOST];
    hn_time most = 0;
    int used = 0;
    for (int rank = 0; rank < p->n; rank++) {
        int count = rank == p->root ? 0 : model_way(p->model, p->parent[rank], rank, way);
        for (int i = 0; i < count; i++) {
            hn_time time = wide_ratio(p->bytes, way[i].per_byte, 1000);
            if (p->channel[way[i].id] == 0 && time > 0)
                p->used[used++] = way[i].id;
            p->channel[way[i].id] += time;
            most = p->channel[way[i].id] > most ? p->channel[way[i].id] : most;
        }
    }
    for (int i = 0; i < used; i++)
        p->channel[p->used[i]] = 0;
    return most;
}

static hn_time period(struct pipe *p)
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
        if (media && p->lane[at] > most)
            most = p->lane[at];
    }
    for (int rank = 0; rank < p->n; rank++)
        most = p->load[rank] > most ? p->load[rank] : most;
    return most;
}

static hn_time estimate(struct pipe *p)
{
    hn_time time, sum;
    list_children(p);
    if (__builtin_mul_overflow(period(p), p->later, &time) ||
        __builtin_add_overflow(time, first_segment(p), &sum))
        return INT64_MAX;
    return sum;
}

/* ---- trees to start from -----------------------------------------------------------------------
 */

static void make_path(struct pipe *p)
{
    int here = p->root;
    for (int rank = 0; rank < p->n; rank++)
        p->parent[rank] = -1;
    for (int count = 1; count < p->n; count++) {
        int next = -1;
        for (int rank = 0; rank < p->n; rank++)
            if (rank != p->root && p->parent[rank] < 0 &&
                (next < 0 || p->b.deliver[broadcast_at(&p->b, here, rank)] <
                                 p->b.deliver[broadcast_at(&p->b, here, next)]))
                next = rank;
        p->parent[next] = here;
        here = next;
    }
}

static int use_tree(struct pipe *p, const struct problem *problem,
                    int (*grow)(const struct problem *, struct tree *))
{
    struct problem own = *problem;
    struct tree *tree = tree_new(p->n, p->root);
    own.arity = 2;
    int error = tree ? grow(&own, tree) : HN_ENOMEM;
    if (!error)
        memcpy(p->parent, tree->parent, (size_t)p->n * sizeof *p->parent);
    tree_free(tree);
    return error;
}

static void keep(struct pipe *p, hn_time time, hn_time *least)
{
    if (time >= *least)
        return;
    *least = time;
    memcpy(p->best, p->parent, (size_t)p->n * sizeof *p->best);
}

static int start(struct pipe *p, const struct problem *problem, hn_time *least)
{
    static int (*const trees[])(const struct problem *, struct tree *) = {
        planner_ecef, planner_mst, planner_kary, planner_flat};
    *least = INT64_MAX;
    make_path(p);
    memcpy(p->best, p->parent, (size_t)p->n * sizeof *p->best);
    keep(p, estimate(p), least);
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        int error = use_tree(p, problem, trees[i]);
        if (error)
            return error;
        keep(p, estimate(p), least);
    }
    return HN_OK;
}

/* ---- the search --------------------------------------------------------------------------------
 */

static bool is_below(const struct pipe *p, int rank, int top)
{
    while (rank >= 0 && rank != top)
        rank = p->parent[rank];
    return rank == top;
}

/* Two ranks, neither the root, change places. */
static void swap(struct pipe *p, int a, int b)
{
    for (int rank = 0; rank < p->n; rank++) {
        int parent = p->parent[rank];
        p->parent[rank] = parent == a ? b : parent == b ? a : parent;
    }
    int parent = p->parent[a];
    p->parent[a] = p->parent[b];
    p->parent[b] = parent;
}

/* A random move, kept when the estimate stays within `limit`. */
static hn_time move(struct pipe *p, hn_time now, hn_time limit)
{
    int a = random_number(&p->random, p->n), b = random_number(&p->random, p->n),
        old = p->parent[a];
    bool swaps = random_number(&p->random, 2) && b != p->root;
    if (a == p->root || a == b || (!swaps && is_below(p, b, a)))
        return now;
    if (swaps)
        swap(p, a, b);
    else
        p->parent[a] = b;
    hn_time time = estimate(p);
    if (time <= limit)
        return time;
    if (swaps)
        swap(p, a, b);
    else
        p->parent[a] = old;
    return now;
}

static void improve(struct pipe *p, int moves, hn_time *least)
{
    static const int shares[RESTARTS] = {50, 10, 4, 30};
    int each = moves / RESTARTS;
    for (int restart = 0; restart < RESTARTS && p->n > 2; restart++) {
        memcpy(p->parent, p->best, (size_t)p->n * sizeof *p->best);
        hn_time now = *least;
        for (int i = 0; i < each; i++) {
            int heat = each * 3 / 4 - i;
            hn_time slack = heat > 0 ? wide_ratio(now / shares[restart], heat, each) : 0;
            now = move(p, now, now + slack);
            keep(p, now, least);
        }
    }
}

/* ---- planning ----------------------------------------------------------------------------------
 */

static int begin(struct pipe *p, const struct problem *problem, int n)
{
    const hn_net *net = model_net(problem->model);
    size_t count = (size_t)n, channels = net ? (size_t)hn_net_channel_count(net) + 1 : 1;
    int error = broadcast_begin(&p->b, problem);
    if (error)
        return error;
    int64_t whole = request_part_bytes(problem->req, 0);
    p->bytes = problem->matrix->bytes;
    p->later = p->bytes > 0 ? (whole - 1) / p->bytes : 0;
    p->recv = arena_array(&p->arena, count * count, sizeof *p->recv);
    p->lane = arena_array(&p->arena, count * count, sizeof *p->lane);
    p->channel = arena_array(&p->arena, channels, sizeof *p->channel);
    p->used = arena_array(&p->arena, channels, sizeof *p->used);
    p->parent = arena_array(&p->arena, count, sizeof *p->parent);
    p->best = arena_array(&p->arena, count, sizeof *p->best);
    p->first = arena_array(&p->arena, count, sizeof *p->first);
    p->next = arena_array(&p->arena, count, sizeof *p->next);
    p->order = arena_array(&p->arena, count, sizeof *p->order);
    p->tail = arena_array(&p->arena, count, sizeof *p->tail);
    p->load = arena_array(&p->arena, count, sizeof *p->load);
    if (p->arena.failed)
        return HN_ENOMEM;
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++) {
            size_t at = broadcast_at(&p->b, from, to);
            struct cost all = model_cost(p->model, from, to, p->bytes);
            p->lane[at] = all.travel - model_cost(p->model, from, to, 0).travel;
            p->recv[at] = p->model->port == PORT_BLOCKING ? p->b.deliver[at] : all.recv;
        }
    return HN_OK;
}

static void end(struct pipe *p)
{
    broadcast_end(&p->b);
    arena_free(&p->arena);
}

/* Adds the edges of the best tree, each rank's children in the order that is best for one segment.
 */
static int store(struct pipe *p, struct tree *tree)
{
    struct tree *plain = tree_new(p->n, p->root);
    if (!plain)
        return HN_ENOMEM;
    memcpy(p->parent, p->best, (size_t)p->n * sizeof *p->best);
    list_children(p);
    for (int i = 1; i < p->n; i++)
        tree_add(plain, p->parent[p->order[i]], p->order[i]);
    int error = tree_finish(plain);
    if (!error)
        error = broadcast_sort(&p->b, plain, tree);
    tree_free(plain);
    return error;
}

int planner_pipeline(const struct problem *problem, struct tree *tree)
{
    struct pipe p = {.model = problem->model, .n = tree->ranks, .root = tree->root, .random = 1};
    hn_time least = 0;
    int error = begin(&p, problem, tree->ranks);
    if (!error)
        error = start(&p, problem, &least);
    if (!error) {
        improve(&p, MOVES, &least);
        error = store(&p, tree);
    }
    end(&p);
    return error;
}
