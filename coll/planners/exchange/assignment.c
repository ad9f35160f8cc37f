/* assignment.c - the Hungarian method with potentials, and the lexicographically smallest of its
 * optima.
 *
 * Potentials u (rows) and v (columns) keep weight - u - v >= 0; a pair is tight where this is 0.
 * Rows are matched one by one along a shortest alternating path, by Dijkstra's method in O(n^2)
 * (Jonker and Volgenant 1987). Forbidding pairs keeps potentials valid, so a next solution starts
 * from the last one's: rows first take any free column for which they are tight, and only those
 * that find none look for a path.
 *
 * The optima are exactly the complete assignments of tight pairs. From any one of them, row by row:
 * the columns that row i can have when the rows before it keep theirs are those from which an
 * alternating path of tight pairs leads back to its present column; it gets the smallest. Tight
 * pairs are few, and listed once for all rows.
 */
#include "planners/exchange/assignment.h"

#include "runtime/internal.h"

#include <stdlib.h>
#include <string.h>

struct assignment {
    int n;
    int64_t *weight; /* FORBIDDEN: may not be assigned */
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

/* Larger than all weights, and their differences still fit. */
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

void assignment_forbid(struct assignment *a, int row, int column)
{
    a->weight[(size_t)row * (size_t)a->n + (size_t)column] = FORBIDDEN;
}

/* ---- one optimum -------------------------------------------------------------------------------
 */

static void take(struct assignment *a, int row, int column)
{
    a->row_of[column] = row;
    a->column_of[row] = column;
}

/* A free column for which the row is tight, if there is one. */
static void match_at_once(struct assignment *a, int row)
{
    const int64_t *weight = weights_of(a, row);
    for (int column = 0; column < a->n; column++)
        if (a->row_of[column] < 0 && weight[column] - a->u[row] == a->v[column]) {
            take(a, row, column);
            return;
        }
}

/* The pairs of a row at this distance shorten ways; returns the nearest column not done. */
static int look_from(struct assignment *a, int row, int from, int64_t distance)
{
    const int64_t *weight = weights_of(a, row);
    int64_t base = distance - a->u[row], least = INT64_MAX;
    int best = -1;
    for (int column = 0; column < a->n; column++) {
        if (a->done[column])
            continue;
        int64_t length =
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

/* Rows and columns nearer than the end of the path move, so that the path gets tight. */
static void shift(struct assignment *a, int start, int64_t end)
{
    a->u[start] += end;
    for (int column = 0; column < a->n; column++)
        if (a->done[column] && a->row_of[column] >= 0) {
            a->u[a->row_of[column]] += end - a->distance[column];
            a->v[column] -= end - a->distance[column];
        }
}

/* Matches one more row along a shortest alternating path. */
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
    while (column >= 0) {
        int before = a->through[column];
        take(a, before < 0 ? start : a->row_of[before], column);
        column = before;
    }
}

/* ---- the smallest optimum ----------------------------------------------------------------------
 */

/* Lists the rows that are tight for each column, ascending. */
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

/* Marks in done[] the columns from which row `first` could be given its column back: those that are
 * reached from its column, going from a column to the rows behind `first` for which it is tight,
 * and on to their columns. through[] is the column that such a row would take instead. Returns how
 * many, and lists them in queue[]. */
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

/* Gives `first` the column, and moves the rows along the path. */
static void hand_over(struct assignment *a, int first, int column)
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

static void make_smallest(struct assignment *a, bool *unique)
{
    memset(a->done, 0, (size_t)a->n * sizeof *a->done);
    list_tight(a);
    for (int row = 0; row < a->n; row++) {
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
            hand_over(a, row, best);
    }
}

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
