/* long_task.c - longs in collective operations of tasks whose long has 4 bytes, and 8.
 *
 * What a long is on a machine of 32 bits, every second task of the others says, too: so half of
 * them are narrow anywhere.  Values are int64_t here, and stand in buffers in the task's own width.
 * Prints "ok" at rank 0; else says what was not as it should be, status 1.
 */
#include "../services/check.h"
#include "hnow_coll.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 30000, GAP = 3, UNTOUCHED = -77 };

static int rank, size;
static bool narrow;
static hn_type type;

/* ---- buffers in the task's own width ------------------------------------------------------- */

static void *new_buffer(size_t count)
{
    void *buffer = malloc((count + 1) * 8);
    CHECK(buffer);
    return buffer;
}

static void put(void *buffer, size_t i, int64_t value)
{
    if (narrow)
        ((int32_t *)buffer)[i] = (int32_t)value;
    else
        ((int64_t *)buffer)[i] = value;
}

static int64_t get(const void *buffer, size_t i)
{
    return narrow ? ((const int32_t *)buffer)[i] : ((const int64_t *)buffer)[i];
}

/* Element i of what rank r has. */
static int64_t value(int r, size_t i)
{
    return (r + 1) * 1000 - (int64_t)(i % 9973);
}

static void fill(void *buffer, size_t count, int r)
{
    for (size_t i = 0; i < count; i++)
        put(buffer, i, value(r, i));
}

/* The buffer holds, from `at` on, elements of rank r from `from` on. */
static void holds(const void *buffer, size_t at, size_t count, int r, size_t from)
{
    for (size_t i = 0; i < count; i++)
        CHECK(get(buffer, at + i) == value(r, from + i));
}

static int64_t sum_of(int ranks, size_t i)
{
    int64_t sum = 0;
    for (int r = 0; r < ranks; r++)
        sum += value(r, i);
    return sum;
}

/* ---- equal parts --------------------------------------------------------------------------- */

static void moves(void *mine, void *all, size_t n)
{
    const hn_group *world = hn_world();
    for (int root = 0; root < size; root++) {
        fill(mine, n, root == rank ? root : 99);
        CHECK(hn_bcast(mine, n, type, root, world) == HN_OK);
        holds(mine, 0, n, root, 0);
        fill(all, n * (size_t)size, root);
        CHECK(hn_scatter(all, n, mine, type, root, world) == HN_OK);
        holds(mine, 0, n, root, n * (size_t)rank);
        fill(mine, n, rank);
        CHECK(hn_gather(mine, n, all, type, root, world) == HN_OK);
        for (int r = 0; r < size && rank == root; r++)
            holds(all, n * (size_t)r, n, r, 0);
    }
    memset(all, 0, n * 8);
    CHECK(hn_allgather(mine, n, all, type, world) == HN_OK);
    for (int r = 0; r < size; r++)
        holds(all, n * (size_t)r, n, r, 0);
    fill(all, n * (size_t)size, rank);
    CHECK(hn_alltoall(HN_IN_PLACE, n, all, type, world) == HN_OK);
    for (int r = 0; r < size; r++)
        holds(all, n * (size_t)r, n, r, n * (size_t)rank);
}

static void sums(void *mine, void *all, size_t n)
{
    const hn_group *world = hn_world();
    fill(mine, n, rank);
    CHECK(hn_allreduce(mine, all, n, type, HN_SUM, world) == HN_OK);
    for (size_t i = 0; i < n; i++)
        CHECK(get(all, i) == sum_of(size, i));
    holds(mine, 0, n, rank, 0);
    CHECK(hn_scan(mine, all, n, type, HN_SUM, world) == HN_OK);
    for (size_t i = 0; i < n; i++)
        CHECK(get(all, i) == sum_of(rank + 1, i));
    fill(all, n, rank);
    CHECK(hn_exscan(HN_IN_PLACE, all, n, type, HN_SUM, world) == HN_OK);
    for (size_t i = 0; i < n && rank > 0; i++)
        CHECK(get(all, i) == sum_of(rank, i));
    for (int root = 0; root < size; root++) {
        CHECK(hn_reduce(mine, rank == root ? all : NULL, n, type, HN_MAX, root, world) == HN_OK);
        if (rank == root)
            holds(all, 0, n, size - 1, 0);
    }
    fill(all, n * (size_t)size, rank);
    CHECK(hn_reduce_scatter_block(all, mine, n, type, HN_SUM, world) == HN_OK);
    for (size_t i = 0; i < n; i++)
        CHECK(get(mine, i) == sum_of(size, n * (size_t)rank + i));
}

/* ---- parts that differ --------------------------------------------------------------------- */

static void parts(void *mine, void *all, size_t n)
{
    const hn_group *world = hn_world();
    size_t counts[size], displs[size], own = n + (size_t)rank, total = 0, begin = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = n + (size_t)r;
        displs[r] = total + GAP * (size_t)r;
        begin += r < rank ? counts[r] : 0;
        total += counts[r];
    }
    fill(mine, own, rank);
    for (size_t i = 0; i < total + GAP * (size_t)size; i++)
        put(all, i, UNTOUCHED);
    CHECK(hn_allgatherv(mine, all, counts, displs, type, world) == HN_OK);
    for (int r = 0; r < size; r++) {
        holds(all, displs[r], counts[r], r, 0);
        CHECK(get(all, displs[r] + counts[r]) == UNTOUCHED);
    }
    memset(mine, 0, own * 8);
    CHECK(hn_scatterv(all, counts, displs, mine, own, type, size - 1, world) == HN_OK);
    holds(mine, 0, own, rank, 0);
    memset(all, 0, total * 8);
    CHECK(hn_gatherv(mine, own, all, counts, displs, type, 0, world) == HN_OK);
    for (int r = 0; r < size && rank == 0; r++)
        holds(all, displs[r], counts[r], r, 0);
    fill(all, total, rank);
    CHECK(hn_reduce_scatter(all, mine, counts, type, HN_SUM, world) == HN_OK);
    for (size_t i = 0; i < own; i++)
        CHECK(get(mine, i) == sum_of(size, begin + i));
}

/* To r go, and from r come, as many elements as the two ranks say. */
static void pairs(void *mine, void *all, size_t n)
{
    size_t counts[size], displs[size], total = 0, most = n / (size_t)size + 1;
    for (int r = 0; r < size; r++) {
        counts[r] = most > (size_t)(rank + r) ? most - (size_t)(rank + r) : 0;
        displs[r] = total;
        total += counts[r] + 1;
    }
    fill(mine, total, rank);
    for (size_t i = 0; i < total; i++)
        put(all, i, UNTOUCHED);
    CHECK(hn_alltoallv(mine, counts, displs, all, counts, displs, type, hn_world()) == HN_OK);
    for (int r = 0; r < size; r++) {
        size_t there = 0; /* where our part stands at r */
        for (int i = 0; i < rank; i++)
            there += (most > (size_t)(r + i) ? most - (size_t)(r + i) : 0) + 1;
        holds(all, displs[r], counts[r], r, there);
        CHECK(get(all, displs[r] + counts[r]) == UNTOUCHED);
    }
}

/* ---- later, again, and own operators ------------------------------------------------------- */

static void later(void *mine, void *all, size_t n)
{
    hn_request *request, *lasting;
    fill(mine, n, rank);
    CHECK(hn_iallreduce(mine, all, n, type, HN_SUM, hn_world(), &request) == HN_OK);
    CHECK(hn_wait(request, NULL) == HN_OK);
    CHECK(get(all, n - 1) == sum_of(size, n - 1));
    CHECK(hn_bcast_init(all, n, type, 1 % size, hn_world(), &lasting) == HN_OK);
    for (int round = 0; round < 3; round++) {
        fill(all, n, rank == 1 % size ? round : 99);
        CHECK(hn_start(lasting) == HN_OK && hn_wait(lasting, NULL) == HN_OK);
        holds(all, 0, n, round, 0);
    }
    CHECK(hn_request_free(lasting) == HN_OK);
}

/* (a, b) o (c, d) = (a * c, a * d + b): x -> a x + b, one after the other; does not commute. */
static void after(const void *left, const void *right, void *result, size_t count, hn_type of,
                  void *data)
{
    CHECK(of == type && data == &size);
    for (size_t i = 0; i < count; i += 2) {
        int64_t a = get(left, i), b = get(left, i + 1), c = get(right, i), d = get(right, i + 1);
        put(result, i, a * c);
        put(result, i + 1, a * d + b);
    }
}

static void own_operator(void *mine, void *all, size_t n)
{
    hn_op op;
    int64_t a = 1, b = 0;
    CHECK(hn_op_new(after, &size, 2, 0, &op) == HN_OK);
    for (size_t i = 0; i < 2 * n; i += 2) {
        put(mine, i, rank % 3 - 1);
        put(mine, i + 1, rank + 5);
    }
    CHECK(hn_allreduce(mine, all, 2 * n, type, op, hn_world()) == HN_OK);
    for (int r = 0; r < size; r++) {
        b += a * (r + 5);
        a *= r % 3 - 1;
    }
    for (size_t i = 0; i < 2 * n; i += 2)
        CHECK(get(all, i) == a && get(all, i + 1) == b);
    CHECK(hn_op_free(op) == HN_OK);
}

/* Who cannot hold a number is told, nobody else; the next operation goes on. */
static void too_large(void)
{
    int64_t large[2] = {INT64_C(1) << 40, 5};
    int error;
    void *buffer = new_buffer(2);
    put(buffer, 0, 7);
    put(buffer, 1, 7);
    error = rank == 0 ? hn_bcast(large, 2, HN_INT64, 0, hn_world())
                      : hn_bcast(buffer, 2, type, 0, hn_world());
    CHECK(error == (rank > 0 && narrow ? HN_ETYPE : HN_OK));
    CHECK(rank == 0 || narrow || (get(buffer, 0) == large[0] && get(buffer, 1) == 5));
    CHECK(hn_barrier(hn_world()) == HN_OK);
    free(buffer);
}

int main(void)
{
    static const size_t counts[] = {1, 7, 1000, MOST};
    CHECK(hn_enrol() == HN_OK);
    rank = hn_rank();
    size = hn_size();
    narrow = sizeof(long) == 4 || rank % 2 == 1;
    type = narrow ? HN_TYPE(HN_CLASS_LONG, 4) : HN_INT64;
    CHECK(sizeof(long) == 8 || HN_LONG == type);
    void *mine = new_buffer(2 * MOST + 64), *all = new_buffer((MOST + 64) * (size_t)size);
    for (int i = 0; i < 4; i++) {
        moves(mine, all, counts[i]);
        sums(mine, all, counts[i]);
        parts(mine, all, counts[i]);
        pairs(mine, all, counts[i]);
        later(mine, all, counts[i]);
        own_operator(mine, all, counts[i] < MOST ? counts[i] : MOST / 2);
    }
    too_large();
    free(mine);
    free(all);
    if (rank == 0)
        puts("ok");
    return hn_exit() == HN_OK ? 0 : 1;
}
