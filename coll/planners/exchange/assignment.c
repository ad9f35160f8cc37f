/* assignment.c - the linear assignment problem by shortest augmenting paths (the Hungarian method:
 * Kuhn 1955; Jonker and Volgenant 1987), and the lexicographically smallest optimum.
 *
 * The potentials u of rows and v of columns keep weight - u - v >= 0; a pair is tight if this is 0.
 * Rows are matched one by one along a shortest alternating path, which Dijkstra's algorithm finds
 * in O(n^2). Potentials remain valid if pairs are forbidden, so a later solution starts from the
 * last potentials: rows first take any free column for which they are tight; for the others a path
 * is searched.
 *
 * The optima are exactly the complete assignments of tight pairs. The smallest one is computed from
 * any of them, row by row. With the rows before row i fixed, row i can have those columns from
 * which an alternating path of tight pairs leads back to its present column; it gets the smallest.
 * Tight pairs are few, and listed once for all rows.
 */
#include "planners/exchange/assignment.h"

#include "runtime/internal.h"

#include <stdlib.h>
#include <string.h>

/* Potentials outlive a solution, so that the next one starts from them. The other arrays are set
 * anew by each. weight - u - v >= 0 holds between calls, for all pairs that are not forbidden. */
struct assignment {
    int n;
    int64_t *weight; /* [row * n + column]; FORBIDDEN: must not be assigned */
    int64_t *u, *v;
    int *row_of, *column_of;
    int64_t *distance; /* [column]: from the starting row, in weight - u - v */
    int *through;      /* [column]: the column before it on the path; -1: the starting row */
    bool *done;        /* [column] */
    int *queue;
    int *tight_first; /* tight rows of column c from tight_first[c] on */
    int *tight;
    struct arena arena; /* of the arrays */
};

/* Larger than all weights; differences with weights do not overflow. */
static const int64_t FORBIDDEN = INT64_MAX / 2;

static bool allocate(struct assignment *a, size_t n)
{
    ARENA_ARRAYS(&a->arena, n * n, a->weight, a->tight);
    ARENA_ARRAYS(&a->arena, n, a->u, a->v, a->row_of, a->column_of, a->distance, a->through,
                 a->done, a->queue);
    a->tight_first = arena_array(&a->arena, n + 2, sizeof *a->tight_first);
    return !a->arena.failed;
}

struct assignment *assignment_new(int n, const int64_t *weight)
{
    struct assignment *a = calloc(1, sizeof *a);
    size_t size = (size_t)n;
    if (!a)
        return NULL;
    a->n = n;
    if (!allocate(a, size)) {
        assignment_free(a);
        return NULL;
    }
    memcpy(a->weight, weight, size * size * sizeof *weight);
    /* The least weight of each row is a valid first potential. */
    for (size_t row = 0; row < size; row++) {
        a->u[row] = INT64_MAX;
        for (size_t column = 0; column < size; column++)
            if (weight[row * size + column] < a->u[row])
                a->u[row] = weight[row * size + column];
    }
    return a;
}

void assignment_free(struct assignment *a)
{
    if (!a)
        return;
    arena_free(&a->arena);
    free(a);
}

static const int64_t *weights_of(const struct assignment *a, int row)
{
    return a->weight + (size_t)row * (size_t)a->n;
}

/* Weights only grow, so the potentials stay valid. */
void assignment_forbid(struct assignment *a, int row, int column)
{
    a->weight[(size_t)row * (size_t)a->n + (size_t)column] = FORBIDDEN;
}

/* ---- one optimum ------------------------------------------------------------------------ */

/* The column's former row, if any, must get another column, or is matched later. */
static void take(struct assignment *a, int row, int column)
{
    a->row_of[column] = row;
    a->column_of[row] = column;
}

/* Matches the row with a free column for which it is tight, if there is one. Usually most rows find
 * their column here, and only a few need a path. If no free column is tight for the row,
 * match_row() serves it. */
static void match_at_once(struct assignment *a, int row)
{
    const int64_t *weight = weights_of(a, row);
    for (int column = 0; column < a->n; column++)
        if (a->row_of[column] < 0 && weight[column] - a->u[row] == a->v[column]) {
            take(a, row, column);
            return;
        }
}

/* Relaxes the pairs of a row at this distance; returns the nearest column that is not done. Also
 * updates the lengths for columns that are reached through this row. from: the column through which
 * the row was reached; -1: the start. */
static int look_from(struct assignment *a, int row, int from, int64_t distance)
{
    const int64_t *weight = weights_of(a, row);
    int64_t base = distance - a->u[row], least = INT64_MAX;
    int best = -1;
    for (int column = 0; column < a->n; column++) {
        if (a->done[column])
            continue;
        int64_t length =
            /* Reduced costs are never negative, so Dijkstra's order is valid. */
            weight[column] < FORBIDDEN ? base + weight[column] - a->v[column] : FORBIDDEN;
        if (length < a->distance[column]) {
            a->distance[column] = length;
            a->through[column] = from;
        }
        if (a->distance[column] < least) {
            least = a->distance[column];
            best = column;
        }
    }
    return best;
}

/* Changes the potentials of rows and columns nearer than the end of the path, so that all pairs on
 * the path become tight. end: the length of the path. */
static void shift(struct assignment *a, int start, int64_t end)
{
    a->u[start] += end;
    for (int column = 0; column < a->n; column++)
        if (a->done[column] && a->row_of[column] >= 0) {
            a->u[a->row_of[column]] += end - a->distance[column];
            a->v[column] -= end - a->distance[column];
        }
}

/* Matches one more row along a shortest alternating path. Dijkstra's algorithm over columns; it
 * ends at the first free one. Then the path is turned round. A complete assignment exists, so a
 * free column is always found. */
static void match_row(struct assignment *a, int start)
{
    int column = -1, row = start;
    int64_t distance = 0;
    for (int k = 0; k < a->n; k++) {
        a->distance[k] = FORBIDDEN;
        a->done[k] = false;
    }
    do {
        column = look_from(a, row, column, distance);
        distance = a->distance[column];
        a->done[column] = true;
        row = a->row_of[column];
    } while (row >= 0);
    shift(a, start, distance);
    /* Each row on the path gets the next column. */
    while (column >= 0) {
        int before = a->through[column];
        take(a, before < 0 ? start : a->row_of[before], column);
        column = before;
    }
}

/* ---- the smallest optimum --------------------------------------------------------------- */

/* Lists the rows that are tight for each column, ascending. Two passes: count, then fill. */
static void list_tight(struct assignment *a)
{
    int n = a->n, *first = a->tight_first;
    memset(first, 0, ((size_t)n + 2) * sizeof *first);
    for (int pass = 0; pass < 2; pass++) {
        for (int row = 0; row < n; row++) {
            const int64_t *weight = weights_of(a, row);
            for (int column = 0; column < n; column++) {
                if (weight[column] - a->u[row] != a->v[column])
                    continue;
                if (pass == 0)
                    first[column + 2]++;
                else
                    a->tight[first[column + 1]++] = row;
            }
        }
        for (int column = 0; column < n && pass == 0; column++)
            first[column + 2] += first[column + 1];
    }
}

/* Marks in done[] all columns that row `first` can have: those reached from its present column by
 * steps from a column to a row after `first` that is tight for it, and on to that row's column.
 * through[] is the column that this row would get instead. Lists the columns in queue[] and returns
 * their number. Rows before `first` are fixed and not passed. */
static int reach_back(struct assignment *a, int first)
{
    int count = 0, own = a->column_of[first];
    a->done[own] = true;
    a->queue[count++] = own;
    for (int i = 0; i < count; i++) {
        int from = a->queue[i];
        for (int k = a->tight_first[from]; k < a->tight_first[from + 1]; k++) {
            int row = a->tight[k], column = a->column_of[row];
            if (row <= first || a->done[column])
                continue;
            a->done[column] = true;
            a->through[column] = from;
            a->queue[count++] = column;
        }
    }
    return count;
}

/* Assigns the column to row `first`, and new columns to the rows along the path. The path leads
 * back to the row's former column, so all columns stay assigned. */
static void reassign(struct assignment *a, int first, int column)
{
    int own = a->column_of[first], row = a->row_of[column];
    take(a, first, column);
    while (column != own) {
        int next = a->through[column], displaced = a->row_of[next];
        take(a, row, next);
        row = displaced;
        column = next;
    }
}

/* *unique becomes false if some row could have several columns. */
static void make_smallest(struct assignment *a, bool *unique)
{
    memset(a->done, 0, (size_t)a->n * sizeof *a->done);
    list_tight(a);
    for (int row = 0; row < a->n; row++) {
        /* Columns that the row can have are those reached, if it is tight for them itself. */
        int best = a->n, alternatives = 0, count = reach_back(a, row);
        const int64_t *weight = weights_of(a, row);
        for (int i = 0; i < count; i++) {
            int column = a->queue[i];
            a->done[column] = false;
            if (weight[column] - a->u[row] != a->v[column])
                continue;
            best = column < best ? column : best;
            alternatives++;
        }
        if (alternatives > 1)
            *unique = false;
        if (best != a->column_of[row])
            reassign(a, row, best);
    }
}

/* *unique: there is only one optimum. Every call starts from the potentials of the last one. The
 * caller's column_of gets a copy. */
void assignment_solve(struct assignment *a, int *column_of, bool *unique)
{
    for (int i = 0; i < a->n; i++)
        a->row_of[i] = a->column_of[i] = -1;
    for (int row = 0; row < a->n; row++)
        match_at_once(a, row);
    for (int row = 0; row < a->n; row++)
        if (a->column_of[row] < 0)
            match_row(a, row);
    *unique = true;
    make_smallest(a, unique);
    memcpy(column_of, a->column_of, (size_t)a->n * sizeof *column_of);
}
