/* test_operations.c - every operation by every planner that serves it, on real tasks (job.h),
 * against a sequential reference: types, operators, sizes 0, 1, odd and large, in place or not. */
#include "forms.h"
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "planners/planner.h"
#include "random.h"

#include <complex.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST = 17 };
#define ALL (OP_BIT(OP_COUNT) - 1)

static const hn_group *world;
static int me, n;

/* What members other than the root may pass where an argument is used at the root only. */
static void *const elsewhere = (void *)8;

static enum form form; /* of the operations */
#define RUN(name, ...) FORM(form, name, __VA_ARGS__)

/* Element i of what rank r contributes; small, so that products of many still differ. */
static int64_t element(int r, size_t i)
{
    uint64_t x = (uint64_t)(r + 1) * 0x9e3779b97f4a7c15u + i * 0xbf58476d1ce4e5b9u;
    return (int64_t)((x ^ x >> 31) % 2001) - 1000;
}

static int64_t *contribution(int r, size_t count)
{
    int64_t *data = calloc(count + 1, sizeof *data);
    for (size_t i = 0; i < count; i++)
        data[i] = element(r, i);
    return data;
}

/* What rank r contributes, in memory that may only be read, as that of a constant. */
static int64_t *sealed(int r, size_t count)
{
    int64_t *data = contribution(r, count);
    size_t size = (count + 1) * sizeof *data;
    int64_t *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    job_check(pages != MAP_FAILED);
    memcpy(pages, data, size);
    job_check(mprotect(pages, size, PROT_READ) == 0);
    free(data);
    return pages;
}

static void unseal(int64_t *pages, size_t count)
{
    munmap(pages, (count + 1) * sizeof *pages);
}

static int64_t *blank(size_t count)
{
    int64_t *data = malloc((count + 1) * sizeof *data);
    memset(data, 0xee, (count + 1) * sizeof *data);
    return data;
}

static void check_same(const int64_t *data, const int64_t *wanted, size_t count)
{
    job_check(memcmp(data, wanted, count * sizeof *data) == 0);
}

/* ---- moving ------------------------------------------------------------------------------------
 */

/* Part r of an irregular operation: its length, and where it stands (with a gap before it). */
static size_t length(int r, size_t count)
{
    return count * (size_t)(r % 3);
}

static size_t places(size_t count, size_t *counts, size_t *displs)
{
    size_t total = 0;
    for (int r = 0; r < n; r++) {
        counts[r] = length(r, count);
        displs[r] = total + 1;
        total += counts[r] + 1;
    }
    return total;
}

static void check_scatter(size_t count, int root, bool in_place)
{
    size_t all = count * (size_t)n, mine = count * (size_t)me;
    int64_t *in = contribution(99, all), *whole = contribution(99, all), *out = blank(count);
    if (me != root)
        memset(in, 0, all * sizeof *in);
    job_check(RUN(scatter, in, count, in_place && me == root ? HN_IN_PLACE : out, HN_INT64, root,
                  world) == HN_OK);
    if (!in_place || me != root)
        check_same(out, whole + mine, count);
    else
        check_same(in, whole, all);
    free(in);
    free(whole);
    free(out);
}

static void check_scatterv(size_t count, int root)
{
    size_t counts[MOST], displs[MOST], total = places(count, counts, displs);
    int64_t *in = contribution(7, total), *out = blank(2 * count);
    bool at_root = me == root;
    job_check(RUN(scatterv, at_root ? in : elsewhere, at_root ? counts : elsewhere,
                  at_root ? displs : elsewhere, out, counts[me], HN_INT64, root, world) == HN_OK);
    check_same(out, in + displs[me], counts[me]);
    free(in);
    free(out);
}

static void check_gather(size_t count, int root, bool in_place)
{
    size_t all = count * (size_t)n;
    int64_t *in = sealed(me, count), *out = blank(all);
    in_place = in_place && me == root;
    if (in_place)
        memcpy(out + count * (size_t)me, in, count * sizeof *in);
    job_check(RUN(gather, in_place ? HN_IN_PLACE : in, count, me == root ? out : NULL, HN_INT64,
                  root, world) == HN_OK);
    for (int r = 0; r < n && me == root; r++)
        for (size_t i = 0; i < count; i++)
            job_check(out[count * (size_t)r + i] == element(r, i));
    unseal(in, count);
    free(out);
}

static void check_gatherv(size_t count, int root)
{
    size_t counts[MOST], displs[MOST], total = places(count, counts, displs);
    int64_t *in = sealed(me, counts[me]), *out = blank(total), *none = blank(1);
    bool at_root = me == root;
    job_check(RUN(gatherv, in, counts[me], at_root ? out : elsewhere, at_root ? counts : elsewhere,
                  at_root ? displs : elsewhere, HN_INT64, root, world) == HN_OK);
    for (int r = 0; r < n && at_root; r++) {
        job_check(out[displs[r] - 1] == none[0]);
        for (size_t i = 0; i < counts[r]; i++)
            job_check(out[displs[r] + i] == element(r, i));
    }
    unseal(in, counts[me]);
    free(out);
    free(none);
}

static void check_alltoall(size_t count, bool in_place)
{
    size_t all = count * (size_t)n;
    int64_t *in = sealed(me, all), *out = blank(all);
    if (in_place)
        memcpy(out, in, all * sizeof *in);
    job_check(RUN(alltoall, in_place ? HN_IN_PLACE : in, count, out, HN_INT64, world) == HN_OK);
    for (int r = 0; r < n; r++)
        for (size_t i = 0; i < count; i++)
            job_check(out[count * (size_t)r + i] == element(r, count * (size_t)me + i));
    unseal(in, all);
    free(out);
}

/* s sends d length(s + d): row and column of a pair are equal, so that it can also be in place. */
static void check_alltoallv(size_t count, bool in_place)
{
    size_t counts[MOST], displs[MOST], total = 0;
    for (int r = 0; r < n; r++) {
        counts[r] = length(r + me, count);
        displs[r] = total;
        total += counts[r];
    }
    int64_t *in = blank(total), *out = blank(total);
    for (int r = 0; r < n; r++)
        for (size_t i = 0; i < counts[r]; i++)
            in[displs[r] + i] = element(me * MOST + r, i);
    if (in_place)
        memcpy(out, in, total * sizeof *in);
    job_check(RUN(alltoallv, in_place ? HN_IN_PLACE : in, in_place ? NULL : counts,
                  in_place ? NULL : displs, out, counts, displs, HN_INT64, world) == HN_OK);
    for (int r = 0; r < n; r++)
        for (size_t i = 0; i < counts[r]; i++)
            job_check(out[displs[r] + i] == element(r * MOST + me, i));
    free(in);
    free(out);
}

static void check_allgather(size_t count)
{
    size_t all = count * (size_t)n;
    int64_t *in = sealed(me, count), *out = blank(all);
    job_check(RUN(allgather, in, count, out, HN_INT64, world) == HN_OK);
    for (int r = 0; r < n; r++)
        for (size_t i = 0; i < count; i++)
            job_check(out[count * (size_t)r + i] == element(r, i));
    unseal(in, count);
    free(out);
}

static void check_bcast(size_t count, int root)
{
    int64_t *data = me == root ? contribution(root, count) : blank(count),
            *wanted = contribution(root, count);
    job_check(RUN(bcast, data, count, HN_INT64, root, world) == HN_OK);
    check_same(data, wanted, count);
    free(data);
    free(wanted);
}

/* ---- combining ---------------------------------------------------------------------------------
 */

/* 2 x 2 matrices of integers that wrap around: associative, but not commutative. */
static void multiply(const void *left, const void *right, void *result, size_t count, hn_type type,
                     void *data)
{
    const uint64_t *a = left, *b = right;
    job_check(type == HN_INT64 && count % 4 == 0 && data == &world);
    for (size_t i = 0; i < count; i += 4) {
        uint64_t product[4];
        for (int k = 0; k < 4; k++)
            product[k] = a[i + (k & 2)] * b[i + (k & 1)] + a[i + (k & 2) + 1] * b[i + 2 + (k & 1)];
        memcpy((uint64_t *)result + i, product, sizeof product);
    }
}

/* What first ... last make together. */
static int64_t *combination(int first, int last, size_t count, hn_op op)
{
    int64_t *all = contribution(first, count);
    for (int r = first + 1; r <= last; r++) {
        int64_t *next = contribution(r, count);
        if (op == HN_SUM)
            for (size_t i = 0; i < count; i++)
                all[i] += next[i];
        else
            multiply(all, next, all, count, HN_INT64, &world);
        free(next);
    }
    return all;
}

static void check_reduce(size_t count, int root, hn_op op, bool in_place)
{
    int64_t *in = sealed(me, count), *out = blank(count),
            *wanted = combination(0, n - 1, count, op);
    in_place = in_place && me == root;
    if (in_place)
        memcpy(out, in, count * sizeof *in);
    job_check(RUN(reduce, in_place ? HN_IN_PLACE : in, me == root ? out : NULL, count, HN_INT64, op,
                  root, world) == HN_OK);
    if (me == root)
        check_same(out, wanted, count);
    unseal(in, count);
    free(out);
    free(wanted);
}

static void check_allreduce(size_t count, hn_op op)
{
    int64_t *in = sealed(me, count), *out = blank(count),
            *wanted = combination(0, n - 1, count, op);
    job_check(RUN(allreduce, in, out, count, HN_INT64, op, world) == HN_OK);
    check_same(out, wanted, count);
    unseal(in, count);
    free(out);
    free(wanted);
}

static void check_scan(size_t count, hn_op op, bool in_place)
{
    int64_t *in = sealed(me, count), *out = contribution(me, count),
            *wanted = combination(0, me, count, op), *before = NULL;
    job_check(RUN(scan, in_place ? HN_IN_PLACE : in, out, count, HN_INT64, op, world) == HN_OK);
    check_same(out, wanted, count);
    memcpy(out, in, count * sizeof *in);
    job_check(RUN(exscan, in_place ? HN_IN_PLACE : in, out, count, HN_INT64, op, world) == HN_OK);
    before = me ? combination(0, me - 1, count, op) : contribution(0, count);
    check_same(out, before, count);
    unseal(in, count);
    free(out);
    free(wanted);
    free(before);
}

static void check_reduce_scatter(size_t count, hn_op op, bool in_place)
{
    size_t all = count * (size_t)n, mine = count * (size_t)me;
    int64_t *in = sealed(me, all), *out = contribution(me, all),
            *wanted = combination(0, n - 1, all, op);
    job_check(RUN(reduce_scatter_block, in_place ? HN_IN_PLACE : in, out, count, HN_INT64, op,
                  world) == HN_OK);
    check_same(out, wanted + mine, count);
    unseal(in, all);
    free(out);
    free(wanted);
}

static void check_reduce_scatter_irregular(size_t count, hn_op op)
{
    size_t counts[MOST], total = 0, mine = 0;
    for (int r = 0; r < n; r++) {
        mine = r == me ? total : mine;
        counts[r] = length(r, count);
        total += counts[r];
    }
    int64_t *in = sealed(me, total), *out = blank(counts[me]),
            *wanted = combination(0, n - 1, total, op);
    job_check(RUN(reduce_scatter, in, out, counts, HN_INT64, op, world) == HN_OK);
    check_same(out, wanted + mine, counts[me]);
    unseal(in, total);
    free(out);
    free(wanted);
}

/* ---- all of it ---------------------------------------------------------------------------------
 */

/* The operations that a set of OP_BIT()s holds. */
static void check_size(unsigned set, size_t count, int root, hn_op product)
{
    bool in_place = (count + (size_t)root) % 2;
    if (set & OP_BIT(OP_BCAST))
        check_bcast(count, root);
    if (set & OP_BIT(OP_SCATTER)) {
        check_scatter(count, root, in_place);
        check_scatterv(count, root);
    }
    if (set & OP_BIT(OP_GATHER)) {
        check_gather(count, root, in_place);
        check_gatherv(count, root);
    }
    if (set & OP_BIT(OP_ALLGATHER))
        check_allgather(count);
    if (set & OP_BIT(OP_ALLTOALL)) {
        check_alltoall(count, in_place);
        check_alltoallv(count, in_place);
    }
    for (int k = 0; k < 2; k++) {
        hn_op op = k ? product : HN_SUM;
        size_t whole = k ? (count + 3) / 4 * 4 : count;
        if (set & OP_BIT(OP_REDUCE))
            check_reduce(whole, root, op, in_place);
        if (set & OP_BIT(OP_ALLREDUCE))
            check_allreduce(whole, op);
        if (set & OP_BIT(OP_SCAN))
            check_scan(whole, op, in_place);
        if (set & OP_BIT(OP_REDUCE_SCATTER)) {
            check_reduce_scatter(whole, op, in_place);
            check_reduce_scatter_irregular(whole, op);
        }
    }
}

static void begin(hn_op *product)
{
    world = hn_world();
    me = hn_rank();
    n = hn_size();
    job_check(hn_op_new(multiply, &world, 4, 0, product) == HN_OK);
}

/* Planners that take long are tried by few tasks: each plans for itself. */
enum { SLOW_MOST = 5 };

static _Bool all_planners(void)
{
    static const size_t sizes[] = {0, 1, 37};
    hn_op product;
    begin(&product);
    for (int i = 0; i < planner_count; i++) {
        if (planners[i].search > 0 && n > SLOW_MOST)
            continue;
        job_check(hn_set_plan(world, planners[i].name) == HN_OK);
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            form = ((size_t)i + k) % FORMS;
            check_size(planners[i].operations, sizes[k], (i + (int)k) % n, product);
        }
        form = BLOCKING;
        job_check(hn_barrier(world) == HN_OK);
    }
    job_check(hn_set_plan(world, NULL) == HN_OK);
    check_size(ALL, 5, n - 1, product);
    job_check(hn_op_free(product) == HN_OK);
    return 1;
}

Test(operations, every_planner_and_number_of_tasks)
{
    /* The work grows with the square of their number: all of the first, then one that has a tree of
     * one level more. A sanitizer gets three numbers below ten. */
    static const int few[] = {1, 4, 7, 0}, many[] = {1, 2, 3, 4, 5, 7, 9, MOST, 0};
    for (const int *tasks = random_short() ? few : many; *tasks; tasks++)
        cr_assert_eq(job_run(*tasks, 120, all_planners), 0, "%d tasks", *tasks);
}

static _Bool large(void)
{
    hn_op product;
    begin(&product);
    for (form = BLOCKING; form < FORMS; form++)
        check_size(ALL, 131072 / 8, 1, product);
    form = NONBLOCKING;
    check_bcast(131072, 0);
    check_reduce(131072, 2, HN_SUM, false);
    check_allreduce(131072, HN_SUM);
    check_scan(131072, product, true);
    job_check(hn_set_plan(world, "halving") == HN_OK);
    check_allreduce(131072 + 4, product);
    return 1;
}

Test(operations, large)
{
    cr_assert_eq(job_run(5, 120, large), 0);
}

/* ---- types, operators, lists, errors -----------------------------------------------------------
 */

static _Bool other_operators(void)
{
    begin(&(hn_op){0});
    double pair[4] = {10.0 - me % 3, me, -5, me}, least[4];
    job_check(hn_allreduce(pair, least, 4, HN_DOUBLE, HN_MINLOC, world) == HN_OK);
    job_check(least[0] == 8 && least[1] == 2 && least[2] == -5 && least[3] == 0);
    int32_t place[2] = {me == 3 ? 9 : 4, me}, most[2];
    job_check(hn_allreduce(place, most, 2, HN_INT32, HN_MAXLOC, world) == HN_OK);
    job_check(most[0] == 9 && most[1] == 3);
    job_check(hn_allreduce(pair, least, 3, HN_DOUBLE, HN_MINLOC, world) == HN_EARG);
    double complex z = 1 + me * I, sum;
    job_check(hn_reduce(&z, &sum, 1, HN_DOUBLE_COMPLEX, HN_SUM, 1, world) == HN_OK);
    job_check(me != 1 || sum == n + n * (n - 1) / 2 * I);
    float complex factor = I, product;
    job_check(hn_scan(&factor, &product, 1, HN_COMPLEX, HN_PROD, world) == HN_OK);
    static const float complex powers[] = {1, I, -1, -I};
    job_check(product == powers[(me + 1) % 4]);
    job_check(hn_op_new(NULL, NULL, 1, 1, &(hn_op){0}) == HN_EARG);
    job_check(hn_op_free(HN_SUM) == HN_EARG);
    return 1;
}

Test(operations, other_operators)
{
    cr_assert_eq(job_run(5, 60, other_operators), 0);
}

static _Bool lists(void)
{
    begin(&(hn_op){0});
    static const int to[] = {4, 0, 2}, twice[] = {1, 1}, self[] = {3};
    int64_t value = me == 3 ? 42 : me;
    if (me != 1)
        job_check(hn_bcast_to(&value, 1, HN_INT64, 3, to, 3, world) == HN_OK);
    job_check(value == (me == 1 ? 1 : 42));
    job_check(hn_bcast_to(&value, 1, HN_INT64, 0, twice, 2, world) == HN_EARG);
    job_check(hn_bcast_to(&value, 1, HN_INT64, 3, self, 1, world) == HN_EARG);
    job_check(hn_bcast_to(&value, 1, HN_INT64, me, NULL, 0, world) == HN_OK);
    job_check(hn_bcast_to(&value, 1, HN_INT64, 0, NULL, 0, world) == (me ? HN_EARG : HN_OK));
    job_check(me == 0 || strstr(hn_error_text(), "the caller is neither the root nor"));
    job_check(hn_bcast_to(&value, 1, HN_INT64, me, NULL, 3, world) == HN_EARG);
    job_check(hn_barrier(world) == HN_OK);
    return 1;
}

Test(operations, multicast_to_lists)
{
    cr_assert_eq(job_run(5, 60, lists), 0);
}

/* What one member does wrong ends in an error, at whom it concerns, and nobody waits. */
static _Bool disagreements(void)
{
    begin(&(hn_op){0});
    size_t counts[MOST] = {2, 2, 2}, displs[MOST] = {0, 2, 4};
    int64_t in[6] = {1, 2, 3, 4, 5, 6}, out[6] = {0};
    job_check(hn_scatterv(in, counts, displs, out, me == 2 ? 1 : 2, HN_INT64, 0, world) ==
              (me == 2 ? HN_ETRUNC : HN_OK));
    job_check(out[0] == (me == 2 ? 0 : 2 * me + 1));
    job_check(hn_gatherv(in, me == 1 ? 3 : 2, out, counts, displs, HN_INT64, 0, world) ==
              (me == 0 ? HN_ETRUNC : HN_OK));
    job_check(hn_gatherv(in, 2, out, NULL, NULL, HN_INT64, 0, world) == HN_EARG);
    counts[1] = me == 0 ? 1 : 2;
    job_check(hn_alltoallv(in, counts, displs, out, (size_t[]){2, 2, 2}, displs, HN_INT64, world) ==
              (me == 1 ? HN_ETRUNC : HN_OK));
    job_check(hn_set_plan(world, "no such plan") == HN_EARG);
    return 1;
}

Test(operations, members_that_do_not_agree)
{
    cr_assert_eq(job_run(3, 60, disagreements), 0);
}

static int bcast_or_sum(bool sum, bool waits, int64_t *in, int64_t *out, size_t count)
{
    hn_request *request;
    if (waits)
        return sum ? hn_allreduce(in, out, count, HN_INT64, HN_SUM, world)
                   : hn_bcast(in, count, HN_INT64, 0, world);
    int error = sum ? hn_iallreduce(in, out, count, HN_INT64, HN_SUM, world, &request)
                    : hn_ibcast(in, count, HN_INT64, 0, world, &request);
    return error ? error : hn_wait(request, NULL);
}

/* Rank 1, in the middle of a chain of four, has a count of its own: it hears of it, and so do all
 * that would have had the result from it; nobody waits for ever, and the next operation is right.
 */
static _Bool other_counts(void)
{
    me = hn_rank();
    world = hn_world();
    job_check(hn_set_plan(world, "chain") == HN_OK);
    for (int round = 0; round < 16; round++) {
        bool sum = round & 1, waits = round & 2, more = round & 4;
        size_t count = me == 1 ? (more ? 7 : 3) : 5;
        int64_t in[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, out[9] = {0};
        int error = bcast_or_sum(sum, waits, in, out, count);
        const char *text = sum ? "allreduce: task " : "bcast: task ";
        /* In a sum, rank 3 sends to 2 and hears what rank 1 has not got together. */
        job_check(error == (me == 0 && !sum ? HN_OK : HN_ETRUNC));
        job_check(!error || strstr(hn_error_text(), text));
        job_check(me != 1 || strstr(hn_error_text(), "5 elements instead of"));
        job_check(in[count] == (int64_t)count + 1 && out[count] == 0);
        out[0] = hn_rank();
        job_check(hn_bcast(out, 1, HN_INT64, 3, world) == HN_OK && out[0] == 3);
    }
    return 1;
}

Test(operations, counts_that_differ)
{
    cr_assert_eq(job_run(4, 60, other_counts), 0);
}
