/* exchange_greedy.c - total exchange in steps, in which every rank sends its longest possible
 * message (Bhat 1998b, section 4.4).
 *
 * Each rank has a list of its messages, longest first. In a step the ranks in turn select the first
 * entry whose receiver is still free in this step. Ranks without such an entry select first in the
 * next step; if there are none, the last rank does. This approximates the maximum matching
 * (matching.c) at a total cost of O(n^3).
 */
#include "planners/exchange/heuristics.h"

#include "model/timed.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

/* One run. The lists are in descending order of cost, and lose the entries that were selected. */
struct greedy_exchange {
    struct exchange *x;
    struct timed *lists; /* [from * ranks + ...]: costs and receivers of its messages */
    int *left;           /* [from]: length of its list */
    int *order, *next;   /* ranks in the order of this step and the next */
    int count;
    bool *taken;        /* [to]: the receiver is selected in this step */
    bool *found;        /* [from]: the sender has selected a message in this step */
    struct arena arena; /* of the arrays */
};

/* Makes the lists.  Ranks without messages take part in no step. */
static void make_lists(struct greedy_exchange *g)
{
    int n = g->x->ranks;
    for (int from = 0; from < n; from++) {
        struct timed *list = &g->lists[(size_t)from * (size_t)n];
        for (int to = 0; to < n; to++)
            if (to != from || exchange_cost(g->x, from, to) > 0)
                list[g->left[from]++] = (struct timed){exchange_cost(g->x, from, to), to};
        qsort(list, (size_t)g->left[from], sizeof *list, timed_descending);
        if (g->left[from] > 0)
            g->order[g->count++] = from;
    }
}

/* Selects the first possible entry of a rank; false: there is none. O(length of the list). */
static bool take(struct greedy_exchange *g, int from)
{
    struct timed *list = &g->lists[(size_t)from * (size_t)g->x->ranks];
    for (int i = 0; i < g->left[from]; i++) {
        if (g->taken[list[i].number])
            continue;
        g->taken[list[i].number] = true;
        exchange_add(g->x, from, list[i].number);
        g->left[from]--;
        memmove(&list[i], &list[i + 1], (size_t)(g->left[from] - i) * sizeof *list);
        return true;
    }
    return false;
}

/* Sets the order of the next step; ranks without messages are removed. First those that found
 * nothing, then the others, each in their present order. */
static void reorder(struct greedy_exchange *g, bool all_found)
{
    int count = 0, last = g->order[g->count - 1];
    if (all_found && g->left[last] > 0)
        g->next[count++] = last;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < g->count; i++) {
            int rank = g->order[i];
            bool moved = all_found && rank == last;
            if (g->found[rank] == (pass == 1) && g->left[rank] > 0 && !moved)
                g->next[count++] = rank;
        }
    memcpy(g->order, g->next, (size_t)count * sizeof *g->order);
    g->count = count;
}

/* The first rank of a step always finds a receiver, so the loop ends. */
static void run_steps(struct greedy_exchange *g)
{
    while (g->count > 0) {
        bool all_found = true;
        memset(g->taken, 0, (size_t)g->x->ranks * sizeof *g->taken);
        /* A step is no barrier: events begin as soon as their ports are free, and the steps
         * determine only their order. */
        for (int i = 0; i < g->count; i++) {
            g->found[g->order[i]] = take(g, g->order[i]);
            all_found = all_found && g->found[g->order[i]];
        }
        reorder(g, all_found);
    }
}

int exchange_greedy(struct exchange *x)
{
    size_t n = (size_t)x->ranks;
    struct greedy_exchange g = {.x = x};
    g.lists = arena_array(&g.arena, n * n, sizeof *g.lists);
    ARENA_ARRAYS(&g.arena, n, g.left, g.order, g.next, g.taken, g.found);
    bool ok = !g.arena.failed;
    exchange_clear(x);
    if (ok) {
        make_lists(&g);
        run_steps(&g);
    }
    arena_free(&g.arena);
    return ok ? HN_OK : HN_ENOMEM;
}
