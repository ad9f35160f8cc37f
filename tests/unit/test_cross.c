/* test_cross.c - the cross of the collectives: operation x planner x type x operator x size x
 * number of tasks x form x in place or not, on real tasks (job.h), against a sequential reference.
 *
 * The cross has about a million cells, so a run takes CELLS of them for every number of tasks,
 * drawn from HNOW_SEED; HNOW_CROSS=N draws N times as many. Values are small whole numbers, so that
 * results are exact in every type and in every order of combining, and need not be forgiven
 * anything.
 *
 * Long: thousands of jobs.
 */
#include "wire/fold.h"
#include "forms.h"
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "planners/planner.h"
#include "random.h"

#include <complex.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS_MOST = 17, CELLS = 80, BYTES_MOST = 1 << 20 };
enum { OWN = HN_LXOR + 1, RULES }; /* behind the built-in operators: one that does not commute */

enum kind {
    BARRIER,
    BCAST,
    SCATTER,
    SCATTERV,
    GATHER,
    GATHERV,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    MULTIMULTICAST,
    REDUCE,
    ALLREDUCE,
    SCAN,
    EXSCAN,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    KINDS
};
static const enum operation operations[KINDS] = {
    OP_BARRIER,   OP_BCAST,      OP_SCATTER,  OP_SCATTER,        OP_GATHER,         OP_GATHER,
    OP_ALLGATHER, OP_ALLGATHERV, OP_ALLTOALL, OP_ALLTOALL,       OP_MULTIMULTICAST, OP_REDUCE,
    OP_ALLREDUCE, OP_SCAN,       OP_EXSCAN,   OP_REDUCE_SCATTER, OP_REDUCE_SCATTER};
static const hn_type types[] = {HN_BYTE,   HN_INT8,    HN_INT16,         HN_INT32,  HN_INT64,
                                HN_UINT8,  HN_UINT16,  HN_UINT32,        HN_UINT64, HN_FLOAT,
                                HN_DOUBLE, HN_COMPLEX, HN_DOUBLE_COMPLEX};
enum { TYPES = sizeof types / sizeof *types };

struct cell {
    enum kind kind;
    hn_type type;
    int rule, root;
    enum form form;
    const char *plan; /* NULL: auto */
    size_t count;     /* elements of a part */
    bool in_place;
};

static const hn_group *world;
static int me, n;
static hn_op own;
static struct cell now;

static void check(bool good, const char *what)
{
    if (!good)
        fprintf(stderr,
                "%s: kind %d type 0x%x rule %d root %d form %d plan %s count %zu in place %d\n",
                what, now.kind, (unsigned)now.type, now.rule, now.root, now.form,
                now.plan ? now.plan : "auto", now.count, now.in_place);
    job_check(good);
}

/* ---- numbers -----------------------------------------------------------------------------------
 */

static bool is_complex(hn_type type)
{
    return type >> 8 == HN_CLASS_COMPLEX;
}

/* Whole numbers wrap around at the size of their type, those with a fraction never get one. */
static void put(void *data, size_t i, int64_t re, int64_t im)
{
    size_t size = hn_type_size(now.type);
    if (now.type == HN_FLOAT)
        ((float *)data)[i] = (float)re;
    else if (now.type == HN_DOUBLE)
        ((double *)data)[i] = (double)re;
    else if (now.type == HN_COMPLEX)
        ((float complex *)data)[i] = (float)re + (float)im * I;
    else if (now.type == HN_DOUBLE_COMPLEX)
        ((double complex *)data)[i] = (double)re + (double)im * I;
    else
        memcpy((uint8_t *)data + i * size, &re, size); /* little-endian, as all test hosts are */
}

/* What rank r contributes as element i: in pairs for those rules that want pairs. */
static void element(int r, size_t i, int64_t *re, int64_t *im)
{
    uint64_t x = ((uint64_t)r + 1) * 0x9e3779b97f4a7c15u + i * 0xbf58476d1ce4e5b9u;
    x ^= x >> 29;
    bool has_sign = now.type >> 8 != HN_CLASS_UINT && now.type != HN_BYTE;
    *re = (int64_t)(x % 4) - has_sign;
    *im = (int64_t)(x >> 8) % 2;
    if (now.rule == OWN && i % 2 == 0)
        *re = 1 + (int64_t)(x % 2); /* a slope */
    if ((now.rule == HN_MINLOC || now.rule == HN_MAXLOC) && i % 2 == 1)
        *re = r;
}

/* (a, b) stands for x -> a x + b; left after right. */
static void compose(const int64_t left[2], const int64_t right[2], int64_t result[2])
{
    int64_t a = (int64_t)((uint64_t)left[0] * (uint64_t)right[0]);
    result[1] = (int64_t)((uint64_t)left[0] * (uint64_t)right[1] + (uint64_t)left[1]);
    result[0] = a;
}

static int64_t get(const void *data, size_t i, hn_type type)
{
    switch (type) {
    case HN_INT8:
        return ((const int8_t *)data)[i];
    case HN_INT16:
        return ((const int16_t *)data)[i];
    case HN_INT32:
        return ((const int32_t *)data)[i];
    case HN_FLOAT:
        return (int64_t)((const float *)data)[i];
    case HN_DOUBLE:
        return (int64_t)((const double *)data)[i];
    default:
        break;
    }
    int64_t value = 0;
    memcpy(&value, (const uint8_t *)data + i * hn_type_size(type), hn_type_size(type));
    return value;
}

static void own_operator(const void *left, const void *right, void *result, size_t count,
                         hn_type type, void *data)
{
    (void)data;
    for (size_t i = 0; i < count; i += 2) {
        int64_t l[2] = {get(left, i, type), get(left, i + 1, type)};
        int64_t r[2] = {get(right, i, type), get(right, i + 1, type)}, both[2];
        compose(l, r, both);
        for (size_t k = 0; k < 2; k++)
            put(result, i + k, both[k], 0);
    }
}

/* The smaller (greater) value, the lower place; one element of the pair. */
static int64_t better(const int64_t a[2], const int64_t b[2], bool most, size_t i)
{
    bool first = a[0] == b[0] ? a[1] < b[1] : (a[0] < b[0]) != most;
    return first ? a[i % 2] : b[i % 2];
}

/* sum o next, for whole numbers; complex ones are done by the caller. */
static int64_t combine(int64_t a, int64_t b)
{
    switch (now.rule) {
    case HN_SUM:
        return a + b;
    case HN_PROD:
        return (int64_t)((uint64_t)a * (uint64_t)b);
    case HN_MIN:
        return a < b ? a : b;
    case HN_MAX:
        return a > b ? a : b;
    case HN_LAND:
        return a && b;
    case HN_LOR:
        return a || b;
    case HN_LXOR:
        return !a != !b;
    case HN_BAND:
        return a & b;
    case HN_BOR:
        return a | b;
    default:
        return a ^ b;
    }
}

/* Element i of what ranks 0 ... last make together, into data[at]. */
static void reference(int last, size_t i, void *data, size_t at)
{
    int64_t pair[2] = {0, 0}, next[2] = {0, 0}, im, re, zi;
    size_t even = i - i % 2;
    bool pairs = now.rule == OWN || now.rule == HN_MINLOC || now.rule == HN_MAXLOC;
    element(0, pairs ? even : i, &pair[0], &zi);
    re = pair[0];
    if (pairs)
        element(0, even + 1, &pair[1], &im);
    for (int r = 1; r <= last; r++) {
        element(r, pairs ? even : i, &next[0], &im);
        if (pairs)
            element(r, even + 1, &next[1], &(int64_t){0});
        if (now.rule == OWN) {
            compose(pair, next, pair);
        } else if (pairs) {
            int64_t best[2] = {better(pair, next, now.rule == HN_MAXLOC, 0),
                               better(pair, next, now.rule == HN_MAXLOC, 1)};
            memcpy(pair, best, sizeof pair);
        } else if (is_complex(now.type)) {
            int64_t x = re;
            re = now.rule == HN_SUM ? re + next[0] : re * next[0] - zi * im;
            zi = now.rule == HN_SUM ? zi + im : x * im + zi * next[0];
        } else {
            re = combine(re, next[0]);
        }
    }
    put(data, at, pairs ? pair[i % 2] : re, zi);
}

/* ---- buffers -----------------------------------------------------------------------------------
 */

static uint8_t *buffer(size_t elements)
{
    size_t bytes = (elements + 1) * hn_type_size(now.type);
    uint8_t *data = malloc(bytes);
    memset(data, 0xee, bytes);
    return data;
}

/* Elements first ... of rank r, at data[at ...]. */
static void fill(void *data, size_t at, int r, size_t first, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int64_t re, im;
        element(r, first + i, &re, &im);
        put(data, at + i, re, im);
    }
}

static uint8_t *contribution(int r, size_t count)
{
    uint8_t *data = buffer(count);
    fill(data, 0, r, 0, count);
    return data;
}

static uint8_t *combination(int last, size_t first, size_t count)
{
    uint8_t *data = buffer(count);
    for (size_t i = 0; i < count; i++)
        reference(last, first + i, data, i);
    return data;
}

/* Equal to the bit, but for the sign of 0, which an integer does not have. */
static bool same(const void *got, const void *wanted, size_t count)
{
    size_t bytes = count * hn_type_size(now.type), singles = bytes / sizeof(float);
    const float *f = got, *g = wanted;
    const double *d = got, *e = wanted;
    bool good = true;
    if (now.type == HN_FLOAT || now.type == HN_COMPLEX)
        for (size_t i = 0; i < singles; i++)
            good = good && f[i] == g[i];
    else if (now.type == HN_DOUBLE || now.type == HN_DOUBLE_COMPLEX)
        for (size_t i = 0; i < singles / 2; i++)
            good = good && d[i] == e[i];
    else
        good = memcmp(got, wanted, bytes) == 0;
    return good;
}

/* The gaps of irregular results must be as they were: 0xee in each byte, the same in both. */
static void compare(const void *got, uint8_t *wanted, size_t count)
{
    check(same(got, wanted, count), "another result");
    free(wanted);
}

/* ---- the operations ----------------------------------------------------------------------------
 */

#define RUN(name, ...) check(FORM(now.form, name, __VA_ARGS__) == HN_OK, #name)

static size_t counts[TASKS_MOST], displs[TASKS_MOST];

/* Part r of the irregular operations: its length, and where it stands, a gap before it. */
static size_t irregular(bool pairs)
{
    size_t total = 0;
    for (int r = 0; r < n; r++) {
        counts[r] = now.count * (size_t)((r + (pairs ? me : 0)) % 3) / 2;
        counts[r] -= counts[r] % 2;
        displs[r] = total + 2;
        total += counts[r] + 2;
    }
    return total;
}

static void run_scatter(bool vector)
{
    size_t size = hn_type_size(now.type), total = vector ? irregular(false) : now.count * (size_t)n;
    size_t mine = vector ? counts[me] : now.count;
    size_t from = vector ? displs[me] : now.count * (size_t)me;
    uint8_t *in = me == now.root ? contribution(99, total) : NULL, *out = buffer(mine);
    bool in_place = now.in_place && me == now.root;
    void *target = in_place ? HN_IN_PLACE : out;
    if (vector)
        RUN(scatterv, in, in ? counts : NULL, in ? displs : NULL, target, mine, now.type, now.root,
            world);
    else
        RUN(scatter, in, mine, target, now.type, now.root, world);
    uint8_t *wanted = buffer(mine);
    fill(wanted, 0, 99, from, mine);
    compare(in_place ? in + from * size : out, wanted, mine);
    free(in);
    free(out);
}

/* Gathering, to the root or to all. */
static void run_gather(bool vector, bool all)
{
    size_t size = hn_type_size(now.type), total = vector ? irregular(false) : now.count * (size_t)n;
    bool at_root = all || me == now.root, in_place = now.in_place && at_root;
    size_t mine = vector ? counts[me] : now.count;
    uint8_t *in = contribution(me, mine), *out = at_root ? buffer(total) : NULL;
    uint8_t *wanted = buffer(total);
    const void *source = in_place ? HN_IN_PLACE : in;
    for (int r = 0; r < n; r++)
        fill(wanted, vector ? displs[r] : now.count * (size_t)r, r, 0,
             vector ? counts[r] : now.count);
    if (in_place)
        memcpy(out + (vector ? displs[me] : now.count * (size_t)me) * size, in, mine * size);
    if (vector && all)
        RUN(allgatherv, source, out, counts, displs, now.type, world);
    else if (vector)
        RUN(gatherv, source, mine, out, out ? counts : NULL, out ? displs : NULL, now.type,
            now.root, world);
    else if (all)
        RUN(allgather, source, mine, out, now.type, world);
    else
        RUN(gather, source, mine, out, now.type, now.root, world);
    if (at_root)
        compare(out, wanted, total);
    else
        free(wanted);
    free(in);
    free(out);
}

/* What r sends to me stands among its elements from me * count on. */
static void run_alltoall(bool vector)
{
    size_t size = hn_type_size(now.type), total = vector ? irregular(true) : now.count * (size_t)n;
    uint8_t *in = buffer(total), *out = buffer(total), *wanted = buffer(total);
    for (int r = 0; r < n; r++) {
        size_t at = vector ? displs[r] : now.count * (size_t)r;
        size_t length = vector ? counts[r] : now.count;
        fill(in, at, me, now.count * (size_t)r, length);
        fill(wanted, at, r, now.count * (size_t)me, length);
    }
    if (now.in_place)
        memcpy(out, in, total * size);
    const void *source = now.in_place ? HN_IN_PLACE : in;
    if (vector)
        RUN(alltoallv, source, counts, displs, out, counts, displs, now.type, world);
    else
        RUN(alltoall, source, now.count, out, now.type, world);
    compare(out, wanted, total);
    free(in);
    free(out);
}

/* Every task sends to the half of all that comes behind it, every third one something longer. */
static void run_multimulticast(void)
{
    hn_multicast_message messages[TASKS_MOST];
    int to[TASKS_MOST][TASKS_MOST], half = n / 2;
    for (int r = 0; r < n; r++) {
        bool gets = (me - r + n) % n <= half, longer = r % 3 == 2;
        size_t count = longer ? 2 * now.count : now.count;
        messages[r] = (hn_multicast_message){r, to[r], half, gets ? buffer(count) : NULL, count};
        for (int i = 0; i < half; i++)
            to[r][i] = (r + 1 + i) % n;
        if (r == me)
            fill(messages[r].data, 0, r, 0, count);
    }
    RUN(multimulticast, messages, n, now.type, world);
    for (int r = 0; r < n; r++) {
        if (messages[r].data)
            compare(messages[r].data, contribution(r, messages[r].count), messages[r].count);
        free(messages[r].data);
    }
}

static hn_op rule(void)
{
    return now.rule == OWN ? own : (hn_op)now.rule;
}

static void run_combining(void)
{
    size_t size = hn_type_size(now.type), count = now.count;
    uint8_t *in = contribution(me, count), *out = buffer(count);
    bool in_place = now.in_place && (now.kind != REDUCE || me == now.root);
    const void *source = in_place ? HN_IN_PLACE : in;
    if (in_place)
        memcpy(out, in, count * size);
    switch (now.kind) {
    case REDUCE:
        RUN(reduce, source, me == now.root ? out : NULL, count, now.type, rule(), now.root, world);
        if (me == now.root)
            compare(out, combination(n - 1, 0, count), count);
        break;
    case ALLREDUCE:
        RUN(allreduce, source, out, count, now.type, rule(), world);
        compare(out, combination(n - 1, 0, count), count);
        break;
    case SCAN:
        RUN(scan, source, out, count, now.type, rule(), world);
        compare(out, combination(me, 0, count), count);
        break;
    default:
        RUN(exscan, source, out, count, now.type, rule(), world);
        if (me > 0)
            compare(out, combination(me - 1, 0, count), count);
    }
    free(in);
    free(out);
}

static void run_reduce_scatter(bool vector)
{
    size_t size = hn_type_size(now.type), total = 0, first = 0;
    irregular(false);
    for (int r = 0; r < n; r++) {
        first = r == me ? total : first;
        counts[r] = vector ? counts[r] : now.count;
        total += counts[r];
    }
    uint8_t *in = contribution(me, total), *out = buffer(total);
    if (now.in_place)
        memcpy(out, in, total * size);
    const void *source = now.in_place ? HN_IN_PLACE : in;
    if (vector)
        RUN(reduce_scatter, source, out, counts, now.type, rule(), world);
    else
        RUN(reduce_scatter_block, source, out, now.count, now.type, rule(), world);
    compare(out, combination(n - 1, first, counts[me]), counts[me]);
    free(in);
    free(out);
}

static void run_bcast(void)
{
    uint8_t *data = me == now.root ? contribution(99, now.count) : buffer(now.count);
    RUN(bcast, data, now.count, now.type, now.root, world);
    compare(data, contribution(99, now.count), now.count);
    free(data);
}

static void run_cell(void)
{
    check(hn_set_plan(world, now.plan) == HN_OK, "plan");
    switch (now.kind) {
    case BARRIER:
        RUN(barrier, world);
        break;
    case BCAST:
        run_bcast();
        break;
    case SCATTER:
    case SCATTERV:
        run_scatter(now.kind == SCATTERV);
        break;
    case GATHER:
    case GATHERV:
        run_gather(now.kind == GATHERV, false);
        break;
    case ALLGATHER:
    case ALLGATHERV:
        run_gather(now.kind == ALLGATHERV, true);
        break;
    case ALLTOALL:
    case ALLTOALLV:
        run_alltoall(now.kind == ALLTOALLV);
        break;
    case MULTIMULTICAST:
        run_multimulticast();
        break;
    case REDUCE_SCATTER:
    case REDUCE_SCATTER_BLOCK:
        run_reduce_scatter(now.kind == REDUCE_SCATTER);
        break;
    default:
        run_combining();
    }
}

/* ---- drawing cells -----------------------------------------------------------------------------
 */

/* A planner that serves the operation and does not take long with so many tasks; NULL: auto. */
static const char *draw_plan(uint64_t *state)
{
    const struct planner *p = &planners[random_below(state, planner_count)];
    bool serves = p->operations & OP_BIT(operations[now.kind]);
    return serves && (p->search == 0 || n <= 5) ? p->name : NULL;
}

static size_t draw_count(uint64_t *state)
{
    size_t sizes[] = {0, 1, 2, 37, 38, 1000, BYTES_MOST / hn_type_size(now.type)};
    size_t count = sizes[random_below(state, random_below(state, 4) ? 6 : 7)];
    enum operation op = operations[now.kind];
    bool one_part = op == OP_BCAST || now.kind >= REDUCE;
    count = count > 1000 && !one_part ? count / (size_t)n : count;
    count = count > 1000 && now.kind >= REDUCE_SCATTER ? count / (size_t)n : count;
    return now.rule >= HN_MINLOC ? count / 2 * 2 : count;
}

static void draw(uint64_t *state)
{
    now = (struct cell){.kind = (enum kind)random_below(state, KINDS),
                        .root = (int)random_below(state, n),
                        .form = (enum form)random_below(state, FORMS),
                        .in_place = random_below(state, 2)};
    bool combines = now.kind >= REDUCE, good;
    do {
        now.type = types[random_below(state, TYPES)];
        now.rule = combines ? (int)random_below(state, RULES) : HN_SUM;
        good = !combines || (now.rule == OWN ? !is_complex(now.type)
                                             : fold_of((hn_op)now.rule, now.type) != NULL);
    } while (!good);
    now.plan = draw_plan(state);
    now.count = draw_count(state);
}

static _Bool cells(void)
{
    const char *times = getenv("HNOW_CROSS");
    uint64_t state = random_seed() * 1000 + (uint64_t)hn_size();
    world = hn_world();
    me = hn_rank();
    n = hn_size();
    job_check(hn_op_new(own_operator, NULL, 2, 0, &own) == HN_OK);
    for (int i = random_rounds(CELLS) * (times ? atoi(times) : 1); i > 0; i--) {
        draw(&state);
        run_cell();
    }
    return 1;
}

Test(cross, cells, .timeout = 3600)
{
    for (int tasks = 1; tasks <= TASKS_MOST; tasks++)
        cr_assert_eq(job_run(tasks, 300, cells), 0, "%d tasks, HNOW_SEED=%llu", tasks,
                     (unsigned long long)random_seed());
}
