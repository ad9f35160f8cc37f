/* greedy_trees.c - greedy broadcast trees. Each step adds one edge, from an informed rank i to a
 * waiting rank j, chosen by:
 *
 *     fef             the smallest deliver[i][j], even if i is busy        (Bhat, section 4.3)
 *     ecef            the smallest ready[i] + deliver[i][j]                (Bhat; Wu's ECF)
 *     bottom_up       the largest deliver[i][j] + local[j] of the best i   (Barchet, section 5.4)
 *     bottom_up_rt    the same with ready[i], which the paper leaves open
 *
 * FEF gives nearly a minimum spanning tree, which is slow if one rank is near many others. ECEF is
 * the base of the look-aheads. They compare edges by ready[i] + deliver[i][j] + F_j, where F_j
 * estimates how useful j will be as a sender. B is the set of waiting ranks without j, A the set of
 * informed ranks:
 *
 *     ecef_la         min over k in B of deliver[j][k]                     (Bhat, section 4.3)
 *     ecef_la_avg     mean over k in B of deliver[j][k]                    (Bhat, alternative)
 *     ecef_la_avg_ab  mean over i' in A + j, k in B of deliver[i'][k]      (Bhat, alternative)
 *     ecef_la_t       min over k in B of deliver[j][k] + local[k]          (Barchet: ECEF-LAt)
 *     ecef_la_T       max over k in B of deliver[j][k] + local[k]          (Barchet: ECEF-LAT)
 *
 * F does not depend on i, so the best sender of each j is the same as in ECEF. Means are compared
 * as sums, since all candidates of a step average over equally many edges. Sums are updated in O(n)
 * for each step. For the minimum and the maximum each rank stores its best receiver. When that rank
 * is informed, a heap of the waiting receivers is built, and informed ranks are removed from its
 * top. Cost: O(n^2 log n).
 */
#include "planners/planners.h"

#include "planners/greedy.h"

#include "model/heap.h"
#include "hnow.h"
#include "probe/internal.h"

#include <stdlib.h>

enum kind { LA_NONE, BOTTOM_UP, LA_MIN, LA_AVG, LA_AVG_AB, LA_MIN_LOCAL, LA_MAX_LOCAL };

/* One call. greedy.h has the informed and waiting ranks and the best senders; here is how useful
 * each waiting rank will be. */
struct ahead {
    struct greedy g;
    enum kind kind;
    int *next;             /* [rank]: heap of its receivers */
    int *next_count;       /* [rank]: length of its heap; -1: not built yet */
    struct candidate *top; /* [rank]: its best receiver and the key; the rank itself: none */
    wide *row;             /* [rank]: sum over waiting k of deliver[rank][k] */
    wide *column;          /* [rank]: sum over informed i of deliver[i][rank] */
    wide total;            /* sum of column over the waiting ranks */
    struct arena arena;    /* of all arrays but `next`, the largest, which is not zeroed */
};

/* ---- the best receiver of a waiting rank ------------------------------------------------ */

/* Sort key of a receiver: the best one has the smallest key. */
static inline hn_time key_of(const struct ahead *a, int from, int to)
{
    hn_time key = matrix_at(a->g.matrix, from, to) + (a->kind == LA_MIN ? 0 : a->g.local[to]);
    return a->kind == LA_MAX_LOCAL ? -key : key;
}

/* The context of a heap: the receivers of one rank. */
struct row {
    const struct ahead *a;
    int from;
};

/* Of equal keys the highest rank comes first, since it is likely to be informed last. */
static inline bool sooner(struct row row, int to, int other)
{
    hn_time x = key_of(row.a, row.from, to), y = key_of(row.a, row.from, other);
    return x < y || (x == y && to > other);
}

HEAP(heap, int, struct row, sooner);

/* Builds the heap of the waiting receivers of a rank. Heaps are built only for ranks whose first
 * choice has been informed. Bottom up, in O(n). */
static void make_heap(struct ahead *a, int from)
{
    const struct greedy *g = &a->g;
    int *heap = &a->next[(size_t)from * (size_t)g->ranks], count = 0;
    for (int i = 0; i < g->waiting_count; i++)
        if (g->waiting[i] != from)
            heap[count++] = g->waiting[i];
    for (int i = count / 2 - 1; i >= 0; i--)
        heap_sink((struct row){a, from}, heap, (size_t)count, (size_t)i, heap[i]);
    a->next_count[from] = count;
}

static void set_top(struct ahead *a, int from, int to)
{
    a->top[from] = (struct candidate){to == from ? 0 : key_of(a, from, to), to};
}

/* Finds the first top by a linear scan. The heap is built when that rank has been informed. */
static void find_top(struct ahead *a, int from)
{
    const struct greedy *g = &a->g;
    int best = from;
    for (int i = 0; i < g->waiting_count; i++)
        if (g->waiting[i] != from &&
            (best == from || sooner((struct row){a, from}, g->waiting[i], best)))
            best = g->waiting[i];
    a->next_count[from] = -1;
    set_top(a, from, best);
}

/* Replaces a top that has been informed by the next waiting receiver. */
static void renew_top(struct ahead *a, int from)
{
    int *heap = &a->next[(size_t)from * (size_t)a->g.ranks], *count = &a->next_count[from];
    if (*count < 0)
        make_heap(a, from);
    while (*count > 0 && !a->g.is_waiting[heap[0]])
        heap_take((struct row){a, from}, heap, (size_t)(*count)--);
    set_top(a, from, *count > 0 ? heap[0] : from);
}

/* F of a waiting rank, for the look-aheads by minimum and maximum. The top may have been informed
 * since; then the next waiting receiver is found. */
static hn_time extreme(struct ahead *a, int from)
{
    if (!a->g.is_waiting[a->top[from].rank])
        renew_top(a, from);
    return a->kind == LA_MAX_LOCAL ? -a->top[from].key : a->top[from].key;
}

/* ---- sums ------------------------------------------------------------------------------- */

static void add(wide *sum, hn_time time)
{
    *sum = wide_plus(*sum, wide_of(time));
}

/* O(n^2) once; update_sums() then costs O(n) a step. */
static void make_sums(struct ahead *a)
{
    const struct greedy *g = &a->g;
    for (int i = 0; i < g->waiting_count; i++) {
        int from = g->waiting[i];
        for (int k = 0; k < g->waiting_count; k++)
            if (g->waiting[k] != from)
                add(&a->row[from], matrix_at(g->matrix, from, g->waiting[k]));
        a->column[from] = wide_of(matrix_at(g->matrix, g->tree->root, from));
        a->total = wide_plus(a->total, a->column[from]);
    }
}

/* Updates the sums after a rank has been informed. */
static void update_sums(struct ahead *a, int informed)
{
    const struct greedy *g = &a->g;
    a->total = wide_minus(a->total, a->column[informed]);
    for (int i = 0; i < g->waiting_count; i++) {
        int rank = g->waiting[i];
        hn_time deliver = matrix_at(g->matrix, informed, rank);
        add(&a->row[rank], -matrix_at(g->matrix, rank, informed));
        add(&a->column[rank], deliver);
        add(&a->total, deliver);
    }
}

/* ---- the heuristic ---------------------------------------------------------------------- */

/* The value of informing `to` at time `key`; smaller is better. Means are multiplied by the number
 * of edges. */
static wide value(struct ahead *a, int to, hn_time key)
{
    const struct greedy *g = &a->g;
    int others = g->waiting_count - 1, informed = g->ranks - g->waiting_count;
    if (a->kind == BOTTOM_UP)
        return wide_of(-time_sum(key, g->local[to]));
    if (others == 0 || a->kind == LA_NONE)
        return wide_of(key);
    wide sum;
    switch (a->kind) {
    case LA_AVG:
        return wide_plus(wide_product(key, others), a->row[to]);
    case LA_AVG_AB:
        sum = wide_times(wide_product(key, others), informed + 1);
        return wide_plus(wide_plus(sum, wide_minus(a->total, a->column[to])), a->row[to]);
    default:
        return wide_plus(wide_of(key), wide_of(extreme(a, to)));
    }
}

/* Adds the best edge. Of equal edges it takes that of the lowest sender; in BottomUp, which
 * compares receivers, that of the lowest receiver. */
static void step(struct ahead *a)
{
    struct greedy *g = &a->g;
    wide best = wide_of(0);
    int from = -1, to = -1;
    for (int i = 0; i < g->waiting_count; i++) {
        /* The best sender for each waiting rank is known; only receivers are compared. */
        struct candidate c = greedy_sender(g, g->waiting[i]);
        wide v = value(a, g->waiting[i], c.key);
        bool even = a->kind != BOTTOM_UP && wide_equal(v, best);
        if (to < 0 || wide_less(v, best) || (even && c.rank < from)) {
            best = v;
            from = c.rank;
            to = g->waiting[i];
        }
    }
    greedy_take(g, from, to);
    if (a->kind == LA_AVG || a->kind == LA_AVG_AB)
        update_sums(a, to);
}

static bool prepare(struct ahead *a)
{
    size_t n = (size_t)a->g.ranks;
    bool sums = a->kind == LA_AVG || a->kind == LA_AVG_AB;
    if (a->kind == LA_NONE || a->kind == BOTTOM_UP)
        return true;
    if (sums) {
        ARENA_ARRAYS(&a->arena, n, a->row, a->column);
        if (!a->arena.failed)
            make_sums(a);
        return !a->arena.failed;
    }
    /* The other kinds of look-ahead need the order of each rank's edges instead of sums. */
    a->next = malloc(n * n * sizeof *a->next);
    ARENA_ARRAYS(&a->arena, n, a->next_count, a->top);
    if (!a->next || a->arena.failed)
        return false;
    for (int i = 0; i < a->g.waiting_count; i++)
        find_top(a, a->g.waiting[i]);
    return true;
}

/* with_ready: senders are compared by when they become ready, too. */
static int grow(const struct problem *problem, struct tree *tree, enum kind kind, bool with_ready)
{
    struct ahead a = {.kind = kind};
    int error = greedy_begin(&a.g, problem, tree, with_ready);
    if (!error && !prepare(&a))
        error = HN_ENOMEM;
    while (!error && a.g.waiting_count > 0)
        step(&a);
    greedy_end(&a.g);
    free(a.next);
    arena_free(&a.arena);
    return error;
}

/* Defines the planner of a rule; with_ready: senders are compared by ready + deliver. */
#define GREEDY(name, kind, with_ready)                                                             \
    int name(const struct problem *problem, struct tree *tree)                                     \
    {                                                                                              \
        return grow(problem, tree, kind, with_ready);                                              \
    }

GREEDY(planner_fef, LA_NONE, false)
GREEDY(planner_ecef, LA_NONE, true)
GREEDY(planner_bottom_up, BOTTOM_UP, false)
GREEDY(planner_bottom_up_rt, BOTTOM_UP, true)
GREEDY(planner_ecef_la, LA_MIN, true)
GREEDY(planner_ecef_la_avg, LA_AVG, true)
GREEDY(planner_ecef_la_avg_ab, LA_AVG_AB, true)
GREEDY(planner_ecef_la_t, LA_MIN_LOCAL, true)
GREEDY(planner_ecef_la_T, LA_MAX_LOCAL, true)
