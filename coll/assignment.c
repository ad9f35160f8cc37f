/* assignment.c - the Hungarian method with potentials, and the lexicographically smallest of its
 * optima.
 *
 * Potentials u (rows) and v (columns) keep weight - u - v >= 0; a pair is tight where this is 0.
 * Rows are matched one by one along a cheapest alternating path, O(n^2) each (Jonker and
 * Volgenant's form of Kuhn's and Munkres's method). Forbidding pairs keeps potentials valid, so a
 * next solution starts from the last one's.
 *
 * The optima are exactly the complete assignments of tight pairs. From any one of them, row by row:
 * the columns that row i can have when the rows before it keep theirs are those from which an
 * alternating path of tight pairs leads back to its present column; it gets the smallest.
 */
#include "assignment.h"

#include <stdlib.h>
#include <string.h>

struct assignment {
    int n;
    const int64_t *weight;
    bool *forbidden;
    int64_t *u, *v;
    int *row_of, *column_of;
    int64_t *slack; /* [column]: least weight - u - v over the rows of the path tree */
    int *through;   /* [column]: the column before it on the path; -1: the starting row */
    bool *done;     /* [column] */
    int *queue;
};

struct assignment *assignment_new(int n, const int64_t *weight)
{
    struct assignment *a = calloc(1, sizeof *a);
    size_t size = (size_t)n;
    if (!a)
        return NULL;
    a->n = n;
    a->weight = weight;
    a->forbidden = calloc(size * size, sizeof *a->forbidden);
    a->u = calloc(size, sizeof *a->u);
    a->v = calloc(size, sizeof *a->v);
    a->row_of = malloc(size * sizeof *a->row_of);
    a->column_of = malloc(size * sizeof *a->column_of);
    a->slack = malloc(size * sizeof *a->slack);
    a->through = malloc(size * sizeof *a->through);
    a->done = malloc(size * sizeof *a->done);
    a->queue = malloc(size * sizeof *a->queue);
    if (!a->forbidden || !a->u || !a->v || !a->row_of || !a->column_of || !a->slack ||
        !a->through || !a->done || !a->queue) {
        assignment_free(a);
        return NULL;
    }
    /* The least weight of each row is a valid first potential. */
    for (int row = 0; row < n; row++) {
        a->u[row] = INT64_MAX;
        for (int column = 0; column < n; column++)
            if (weight[row * n + column] < a->u[row])
                a->u[row] = weight[row * n + column];
    }
    return a;
}

void assignment_free(struct assignment *a)
{
    if (!a)
        return;
    free(a->forbidden);
    free(a->u);
    free(a->v);
    free(a->row_of);
    free(a->column_of);
    free(a->slack);
    free(a->through);
    free(a->done);
    free(a->queue);
    free(a);
}

static size_t pair(const struct assignment *a, int row, int column)
{
    return (size_t)row * (size_t)a->n + (size_t)column;
}

void assignment_forbid(struct assignment *a, int row, int column)
{
    a->forbidden[pair(a, row, column)] = true;
}

static int64_t reduced(const struct assignment *a, int row, int column)
{
    return a->weight[pair(a, row, column)] - a->u[row] - a->v[column];
}

/* ---- one optimum -------------------------------------------------------------------------------
 */

/* The pairs of a row that joined the tree shorten paths. */
static void look_from(struct assignment *a, int row, int from)
{
    for (int column = 0; column < a->n; column++) {
        if (a->done[column] || a->forbidden[pair(a, row, column)])
            continue;
        int64_t slack = reduced(a, row, column);
        if (slack < a->slack[column]) {
            a->slack[column] = slack;
            a->through[column] = from;
        }
    }
}

static int nearest(const struct assignment *a)
{
    int best = -1;
    for (int column = 0; column < a->n; column++)
        if (!a->done[column] && (best < 0 || a->slack[column] < a->slack[best]))
            best = column;
    return best;
}

/* Moves the potentials of the tree, so that its nearest column gets tight. */
static void shift(struct assignment *a, int start, int64_t delta)
{
    a->u[start] += delta;
    for (int column = 0; column < a->n; column++) {
        if (a->done[column]) {
            a->v[column] -= delta;
            a->u[a->row_of[column]] += delta;
        } else if (a->slack[column] < INT64_MAX) {
            a->slack[column] -= delta;
        }
    }
}

/* Matches one more row along a cheapest alternating path. */
static void match_row(struct assignment *a, int start)
{
    int column = -1, row = start;
    for (int k = 0; k < a->n; k++) {
        a->slack[k] = INT64_MAX;
        a->done[k] = false;
    }
    do {
        look_from(a, row, column);
        column = nearest(a);
        shift(a, start, a->slack[column]);
        a->done[column] = true;
        row = a->row_of[column];
    } while (row >= 0);
    while (column >= 0) {
        int before = a->through[column];
        a->row_of[column] = before < 0 ? start : a->row_of[before];
        a->column_of[a->row_of[column]] = column;
        column = before;
    }
}

/* ---- the smallest optimum ----------------------------------------------------------------------
 */

static bool is_tight(const struct assignment *a, int row, int column)
{
    return !a->forbidden[pair(a, row, column)] && reduced(a, row, column) == 0;
}

/* Marks in done[] the columns from which row `first` could be given its column back: those that are
 * reached from its column, going from a column to the rows behind `first` for which it is tight,
 * and on to their columns. through[] is the column that such a row would take instead. */
static void reach_back(struct assignment *a, int first)
{
    int count = 0, own = a->column_of[first];
    memset(a->done, 0, (size_t)a->n * sizeof *a->done);
    a->done[own] = true;
    a->queue[count++] = own;
    for (int i = 0; i < count; i++)
        for (int row = first + 1; row < a->n; row++) {
            int column = a->column_of[row];
            if (a->done[column] || !is_tight(a, row, a->queue[i]))
                continue;
            a->done[column] = true;
            a->through[column] = a->queue[i];
            a->queue[count++] = column;
        }
}

/* Gives `first` the column, and moves the rows along the path. */
static void hand_over(struct assignment *a, int first, int column)
{
    int own = a->column_of[first], row = a->row_of[column];
    a->column_of[first] = column;
    a->row_of[column] = first;
    while (column != own) {
        int next = a->through[column], displaced = a->row_of[next];
        a->column_of[row] = next;
        a->row_of[next] = row;
        row = displaced;
        column = next;
    }
}

static void make_smallest(struct assignment *a, bool *unique)
{
    for (int row = 0; row < a->n; row++) {
        int best = -1, ways = 0;
        reach_back(a, row);
        for (int column = a->n - 1; column >= 0; column--)
            if (a->done[column] && is_tight(a, row, column)) {
                best = column;
                ways++;
            }
        if (ways > 1)
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
        match_row(a, row);
    *unique = true;
    make_smallest(a, unique);
    memcpy(column_of, a->column_of, (size_t)a->n * sizeof *column_of);
}
