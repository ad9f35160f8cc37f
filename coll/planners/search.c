/* search.c - the best greedy tree, improved by local moves on its critical path.
 *
 * Only the shape of the tree is searched: for a given one, the best order of each rank's children
 * is known (broadcast.h). A move takes a rank on the critical path (the chain of edges that decides
 * the makespan) and either hangs it, with its subtree, under another rank, or swaps its place with
 * another rank's. It is kept when the makespan does not grow, or grows by less than a threshold
 * that shrinks to nothing ("threshold accepting"). Every round begins again at the best tree, with
 * another threshold: small ones improve it, large ones leave its neighbourhood.
 *
 * A move recomputes tails on the way from two ranks to the root only. The number of moves, not the
 * time, is limited, and the random numbers are always the same, so that all members of a group find
 * the same tree.
 *
 * Cost: ROUNDS * MOVES moves of O(depth * children * log children).
 */
#include "planners.h"

#include "../broadcast.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 60,     /* each begins at the best tree so far */
    MOVES = 6000,    /* of a round, at most */
    MOVES_EACH = 12, /* ... and for each two ranks */
    NEAR = 8         /* senders from which a rank is reached soonest */
};

struct search {
    struct broadcast b;
    int n, root;
    int *parent;
    int *first, *next; /* children as linked lists */
    hn_time *tail;     /* time the subtree needs once its top has the message */
    int *last;         /* the child that decides the tail; -1: the rank's own local part */
    struct pending {
        hn_time after;
        int rank;
    } * order; /* children in sending order, while a tail is computed */
    int *critical;
    int *near; /* [rank * NEAR + ...]: from whom it is reached soonest, in order */
    uint64_t random;
};

static int below(struct search *s, int n)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (int)((s->random >> 33) % (uint64_t)n);
}

/* ---- the tree ----------------------------------------------------------------------------------
 */

static void attach(struct search *s, int rank, int parent)
{
    s->parent[rank] = parent;
    s->next[rank] = s->first[parent];
    s->first[parent] = rank;
}

static void detach(struct search *s, int rank)
{
    int *link = &s->first[s->parent[rank]];
    while (*link != rank)
        link = &s->next[*link];
    *link = s->next[rank];
}

static bool is_below(const struct search *s, int rank, int top)
{
    while (rank >= 0 && rank != top)
        rank = s->parent[rank];
    return rank == top;
}

/* ---- tails -------------------------------------------------------------------------------------
 */

/* Sorts the children into sending order: longest (deliver - busy + tail) first. Insertion sort:
 * most ranks have few. */
static int sort_children(struct search *s, int rank)
{
    int count = 0;
    for (int child = s->first[rank]; child >= 0; child = s->next[child]) {
        size_t at = broadcast_at(&s->b, rank, child);
        struct pending p = {s->b.deliver[at] - s->b.busy[at] + s->tail[child], child};
        int i = count++;
        for (; i > 0 && (s->order[i - 1].after < p.after ||
                         (s->order[i - 1].after == p.after && s->order[i - 1].rank > p.rank));
             i--)
            s->order[i] = s->order[i - 1];
        s->order[i] = p;
    }
    return count;
}

static void compute_tail(struct search *s, int rank)
{
    int count = sort_children(s, rank);
    hn_time time = 0, tail = 0;
    s->last[rank] = -1;
    for (int i = 0; i < count; i++) {
        time += s->b.busy[broadcast_at(&s->b, rank, s->order[i].rank)];
        if (time + s->order[i].after > tail) {
            tail = time + s->order[i].after;
            s->last[rank] = s->order[i].rank;
        }
    }
    if (time + s->b.local[rank] > tail) {
        tail = time + s->b.local[rank];
        /* Fewer or cheaper sends are what would help: any child will do. */
        s->last[rank] = count > 0 ? s->order[count - 1].rank : -1;
    }
    s->tail[rank] = tail;
}

static void compute_below(struct search *s, int rank)
{
    for (int child = s->first[rank]; child >= 0; child = s->next[child])
        compute_below(s, child);
    compute_tail(s, rank);
}

/* Recomputes a rank and all above it. */
static void update(struct search *s, int rank)
{
    for (; rank >= 0; rank = s->parent[rank])
        compute_tail(s, rank);
}

/* ---- moves -------------------------------------------------------------------------------------
 */

static void hang(struct search *s, int rank, int parent)
{
    int old = s->parent[rank];
    detach(s, rank);
    attach(s, rank, parent);
    update(s, old);
    update(s, parent);
}

/* Two ranks change places, neither being the root nor one the other's parent. */
static void swap(struct search *s, int a, int b)
{
    int parent_a = s->parent[a], parent_b = s->parent[b], children = s->first[a];
    detach(s, a);
    detach(s, b);
    s->first[a] = s->first[b];
    s->first[b] = children;
    for (int child = s->first[a]; child >= 0; child = s->next[child])
        s->parent[child] = a;
    for (int child = s->first[b]; child >= 0; child = s->next[child])
        s->parent[child] = b;
    attach(s, a, parent_b);
    attach(s, b, parent_a);
    update(s, a);
    update(s, b);
}

/* The ranks on the critical path, the root left out. */
static int critical_path(struct search *s)
{
    int count = 0;
    for (int rank = s->last[s->root]; rank >= 0; rank = s->last[rank])
        s->critical[count++] = rank;
    return count;
}

/* One random move; keeps it when the makespan stays within `limit`. */
static void move(struct search *s, hn_time limit)
{
    int count = critical_path(s);
    if (count == 0)
        return;
    int rank = s->critical[below(s, count)], kind = below(s, 3);
    int other = kind == 0 ? s->near[rank * NEAR + below(s, NEAR)] : below(s, s->n);
    bool swapping = kind == 1 && other != s->root && other != rank && s->parent[other] != rank &&
                    s->parent[rank] != other;
    int old = s->parent[rank];
    if (!swapping && (other == old || is_below(s, other, rank)))
        return;
    if (swapping)
        swap(s, rank, other);
    else
        hang(s, rank, other);
    if (s->tail[s->root] <= limit)
        return;
    /* Tails follow from the tree alone: going back restores them. */
    if (swapping)
        swap(s, rank, other);
    else
        hang(s, rank, old);
}

/* ---- the search --------------------------------------------------------------------------------
 */

/* A round: the threshold goes from a share of the makespan to nothing over the first three
 * quarters. */
static void climb(struct search *s, int share, int moves, int *best, hn_time *least)
{
    for (int i = 0; i < moves; i++) {
        int heat = moves * 3 / 4 - i;
        hn_time now = s->tail[s->root];
        hn_time slack = heat > 0 ? now / share * heat / moves : 0;
        move(s, now + slack);
        if (s->tail[s->root] < *least) {
            *least = s->tail[s->root];
            memcpy(best, s->parent, (size_t)s->n * sizeof *best);
        }
    }
}

static void load(struct search *s, const int *parent)
{
    for (int rank = 0; rank < s->n; rank++)
        s->first[rank] = -1;
    for (int rank = 0; rank < s->n; rank++)
        if (rank == s->root)
            s->parent[rank] = -1;
        else
            attach(s, rank, parent[rank]);
    compute_below(s, s->root);
}

/* Parts of the makespan: small thresholds improve what is there, large ones leave it. */
static const int shares[] = {60, 16, 4};

static void search(struct search *s, int *best)
{
    int moves = s->n < MOVES / (MOVES_EACH * s->n) ? MOVES_EACH * s->n * s->n : MOVES;
    hn_time least = s->tail[s->root];
    memcpy(best, s->parent, (size_t)s->n * sizeof *best);
    for (int round = 0; round < ROUNDS; round++) {
        load(s, best);
        climb(s, shares[round % 3], moves, best, &least);
    }
}

/* Writes the tree, every rank's children in their best order. */
static void store(struct search *s, struct tree *tree)
{
    for (int i = 0; i < s->n; i++) {
        int rank = tree->order[i], count = sort_children(s, rank);
        for (int k = 0; k < count; k++)
            tree_add(tree, rank, s->order[k].rank);
    }
}

/* The greedy trees that the search may start from. */
static int best_start(struct search *s, const struct problem *problem, struct tree **best)
{
    static int (*const starts[])(const struct problem *, struct tree *) = {
        planner_ecef,      planner_ecef_la,   planner_ecef_la_avg, planner_ecef_la_avg_ab,
        planner_ecef_la_T, planner_bottom_up, planner_fnf,         planner_flat};
    hn_time least = INT64_MAX;
    *best = NULL;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        struct tree *tree = tree_new(s->n, s->root);
        int error = tree ? starts[i](problem, tree) : HN_ENOMEM;
        hn_time time = error ? 0 : broadcast_makespan(&s->b, tree);
        if (error || time >= least) {
            tree_free(tree);
            if (error)
                return error;
            continue;
        }
        least = time;
        tree_free(*best);
        *best = tree;
    }
    return HN_OK;
}

/* Lists the nearest senders of each rank; with few ranks, some of them several times. */
static void find_near(struct search *s)
{
    for (int to = 0; to < s->n; to++) {
        int *near = &s->near[to * NEAR], count = 0;
        for (int from = 0; from < s->n; from++) {
            if (from == to)
                continue;
            int i = count < NEAR ? count++ : NEAR;
            hn_time time = s->b.deliver[broadcast_at(&s->b, from, to)];
            for (; i > 0 && time < s->b.deliver[broadcast_at(&s->b, near[i - 1], to)]; i--)
                if (i < NEAR)
                    near[i] = near[i - 1];
            if (i < NEAR)
                near[i] = from;
        }
        for (int i = count; i < NEAR; i++)
            near[i] = count > 0 ? near[i % count] : s->root;
    }
}

static bool allocate(struct search *s)
{
    size_t n = (size_t)s->n;
    s->parent = malloc(n * sizeof *s->parent);
    s->first = malloc(n * sizeof *s->first);
    s->next = malloc(n * sizeof *s->next);
    s->tail = calloc(n, sizeof *s->tail);
    s->last = malloc(n * sizeof *s->last);
    s->order = malloc(n * sizeof *s->order);
    s->critical = malloc(n * sizeof *s->critical);
    s->near = malloc(n * NEAR * sizeof *s->near);
    return s->parent && s->first && s->next && s->tail && s->last && s->order && s->critical &&
           s->near;
}

static void release(struct search *s)
{
    broadcast_end(&s->b);
    free(s->parent);
    free(s->first);
    free(s->next);
    free(s->tail);
    free(s->last);
    free(s->order);
    free(s->critical);
    free(s->near);
}

int planner_search(const struct problem *problem, struct tree *tree)
{
    struct search s = {.n = tree->ranks, .root = tree->root, .random = 1};
    struct tree *start = NULL;
    int error = broadcast_begin(&s.b, problem);
    int *best = malloc((size_t)s.n * sizeof *best);
    if (!error && (!best || !allocate(&s)))
        error = HN_ENOMEM;
    if (!error)
        error = best_start(&s, problem, &start);
    if (!error) {
        find_near(&s);
        load(&s, start->parent);
        search(&s, best);
        load(&s, best);
        store(&s, tree);
    }
    tree_free(start);
    free(best);
    release(&s);
    return error;
}

int planner_improve(const struct problem *problem, const int *parent, int moves, struct tree *tree)
{
    struct search s = {.n = tree->ranks, .root = tree->root, .random = 1};
    int error = broadcast_begin(&s.b, problem);
    int *best = malloc((size_t)s.n * sizeof *best);
    if (!error && (!best || !allocate(&s)))
        error = HN_ENOMEM;
    if (!error) {
        find_near(&s);
        load(&s, parent);
        hn_time least = s.tail[s.root];
        memcpy(best, s.parent, (size_t)s.n * sizeof *best);
        for (int round = 0; round < 6; round++) {
            climb(&s, shares[round % 3], moves / 6, best, &least);
            load(&s, best);
        }
        store(&s, tree);
    }
    free(best);
    release(&s);
    return error;
}
