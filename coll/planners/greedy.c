/* greedy.c - finds the best sender for each waiting rank by heaps with lazy updates.
 *
 * Each waiting rank j has a heap of all informed ranks i, ordered by (key, i). A key is the value
 * of ready[i] + deliver[i][j] when it was computed last. Ready times only grow, so keys are lower
 * bounds. If the key at the top is still correct, that sender is the best; otherwise it gets the
 * correct key and sinks. So a step costs O(log n) for most waiting ranks instead of O(n), and a
 * broadcast O(n^2 log n) instead of O(n^3). Memory: 16 bytes for each pair.
 */
#include "planners/greedy.h"

#include "model/heap.h"
#include "hnow.h"

#include <stdlib.h>

static bool candidate_before(const struct greedy *g, struct candidate a, struct candidate b)
{
    (void)g;
    return a.key < b.key || (a.key == b.key && a.rank < b.rank);
}

HEAP(heap, struct candidate, const struct greedy *, candidate_before);

/* The heap of a receiver has room for all ranks, so that it never has to grow. */
static struct candidate *heap_of(struct greedy *g, int to)
{
    return &g->senders[(size_t)to * (size_t)g->ranks];
}

/* Without ready times the key is the bare delivery time, as FEF compares edges (Bhat, section 4.3).
 */
static hn_time key_of(const struct greedy *g, int from, int to)
{
    return time_sum(g->with_ready ? g->ready[from] : 0, matrix_at(g->matrix, from, to));
}

/* Adds a newly informed rank to the possible senders of all waiting ranks. */
static void offer(struct greedy *g, int from)
{
    for (int i = 0; i < g->waiting_count; i++) {
        int to = g->waiting[i];
        heap_add(g, heap_of(g, to), (size_t)g->sender_count[to]++,
                 /* Waiting ranks have one candidate for each informed rank, so the counts of all
                  * heaps are equal. */
                 (struct candidate){key_of(g, from, to), from});
    }
}

int greedy_begin(struct greedy *g, const struct problem *problem, struct tree *tree,
                 bool with_ready)
{
    size_t n = (size_t)tree->ranks;
    *g = (struct greedy){.ranks = tree->ranks,
                         .model = problem->model,
                         .matrix = problem->matrix,
                         .tree = tree,
                         .with_ready = with_ready};
    /* Without a matrix there are too many ranks for n^2 candidates. */
    if (!g->matrix)
        return HN_EPLAN;
    ARENA_ARRAYS(&g->arena, n, g->ready, g->local, g->waiting, g->is_waiting);
    g->senders = malloc(n * n * sizeof *g->senders);
    g->sender_count = arena_array(&g->arena, n, sizeof *g->sender_count);
    if (g->arena.failed || !g->senders)
        return HN_ENOMEM;
    for (int rank = 0; rank < tree->ranks; rank++) {
        g->local[rank] = model_local(problem->model, rank);
        g->is_waiting[rank] = rank != tree->root;
        if (rank != tree->root)
            g->waiting[g->waiting_count++] = rank;
    }
    offer(g, tree->root);
    return HN_OK;
}

void greedy_end(struct greedy *g)
{
    arena_free(&g->arena);
    free(g->senders);
}

/* The best sender of a waiting rank. At least the root is in its heap. */
struct candidate greedy_sender(struct greedy *g, int to)
{
    struct candidate *heap = heap_of(g, to);
    for (;;) {
        /* Ready times only grow, so a key that is still right is below all other right keys. */
        hn_time now = key_of(g, heap[0].rank, to);
        if (now == heap[0].key)
            return heap[0];
        heap_sink(g, heap, (size_t)g->sender_count[to], 0, (struct candidate){now, heap[0].rank});
    }
}

/* Informs `to` from `from`: both become busy, and `to` is a candidate for all that still wait. The
 * times are those of one whole message, without shared media. */
void greedy_take(struct greedy *g, int from, int to)
{
    struct cost cost = model_cost(g->model, from, to, g->matrix->bytes);
    hn_time all = cost.send + cost.travel + cost.recv;
    hn_time start = g->ready[from];
    g->ready[from] = time_sum(start, g->model->port == PORT_BLOCKING ? all : cost.send);
    g->ready[to] = time_sum(start, all);
    tree_add(g->tree, from, to);
    /* The order of the waiting ranks stays, so that equal candidates are taken in the order of
     * ranks. */
    int kept = 0;
    for (int i = 0; i < g->waiting_count; i++)
        if (g->waiting[i] != to)
            g->waiting[kept++] = g->waiting[i];
    g->waiting_count = kept;
    g->is_waiting[to] = false;
    offer(g, to);
}
