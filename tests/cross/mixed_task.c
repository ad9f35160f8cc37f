/* mixed_task.c - what tasks on machines of different byte order and word size say to each other,
 * for tests/cross/mixed: mixed_task WHAT
 *     types      every C type, both ways between all pairs, at the ends of its range
 *     width      long, int and floating point received in another width, or refused
 *     buffers    packed buffers: every type, strided, texts, buffers in buffers
 *     sums       collectives: the same bits on all machines
 *     plans      the same plans and forecasts on all machines
 *     hosts      hn_hosts() and hn_spawn() by machine class; rank 0 only prints
 * Prints "ok" at rank 0 when everything was as it should be; else says what was not, status 1.
 */
#include "hnow.h"
#include "hnow_coll.h"

#include <complex.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: rank %d: %s is false (%s)\n", __FILE__, __LINE__, hn_rank(),   \
                    #condition, hn_error_text());                                                  \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

static hn_tid tid_of(int rank)
{
    return hn_group_tid(hn_world(), rank);
}

/* ---- every type ---------------------------------------------------------------------------- */

/* Values at the ends of a type's range, and those whose bytes all differ. */
static const signed char chars[] = {SCHAR_MIN, -1, 0, 1, SCHAR_MAX};
static const short shorts[] = {SHRT_MIN, -1, 0, 0x0102, SHRT_MAX};
static const int ints[] = {INT_MIN, -1, 0, 0x01020304, INT_MAX};
static const long longs[] = {INT32_MIN, -1, 0, 0x01020304, INT32_MAX}; /* what both widths hold */
static const long long llongs[] = {LLONG_MIN, -1, 0, 0x0102030405060708, LLONG_MAX};
static const unsigned char uchars[] = {0, 1, 127, 128, UCHAR_MAX};
static const unsigned short ushorts[] = {0, 1, 0x0102, 0x8000, USHRT_MAX};
static const unsigned uints[] = {0, 1, 0x01020304, 0x80000000u, UINT_MAX};
static const unsigned long ulongs[] = {0, 1, 0x01020304, 0x80000000u, UINT32_MAX};
static const unsigned long long ullongs[] = {0, 1, 0x0102030405060708, 1ULL << 63, ULLONG_MAX};
static const float floats[] = {-FLT_MAX, -0.f, FLT_MIN, 1.f / 3, FLT_MAX};
static const double doubles[] = {-DBL_MAX, -0., DBL_MIN, 1. / 3, DBL_MAX};
static const float complexes[] = {1.f, -2.f, FLT_MAX, FLT_MIN, 0.f, -0.f, 3.f, 4.f, 5.f, 6.f};
static const double complex_doubles[] = {1., -2., DBL_MAX, DBL_MIN, 0., -0., 3., 4., 5., 6.};
static const bool bools[] = {false, true, true, false, true};
static const int16_t int16s[] = {INT16_MIN, -1, 0, 0x0102, INT16_MAX};
static const int32_t int32s[] = {INT32_MIN, -1, 0, 0x01020304, INT32_MAX};
static const int64_t int64s[] = {INT64_MIN, -1, 0, 0x0102030405060708, INT64_MAX};
static const uint16_t uint16s[] = {0, 1, 0x0102, 0x8000, UINT16_MAX};
static const uint32_t uint32s[] = {0, 1, 0x01020304, 0x80000000, UINT32_MAX};
static const uint64_t uint64s[] = {0, 1, 0x0102030405060708, UINT64_C(1) << 63, UINT64_MAX};

static const struct kind {
    hn_type type;
    const void *values; /* VALUES of them */
    size_t size;
} kinds[] = {
    {HN_BYTE, uchars, sizeof uchars},
    {HN_CHAR, chars, sizeof chars},
    {HN_INT8, chars, sizeof chars},
    {HN_INT16, int16s, sizeof int16s},
    {HN_INT32, int32s, sizeof int32s},
    {HN_INT64, int64s, sizeof int64s},
    {HN_UINT8, uchars, sizeof uchars},
    {HN_UINT16, uint16s, sizeof uint16s},
    {HN_UINT32, uint32s, sizeof uint32s},
    {HN_UINT64, uint64s, sizeof uint64s},
    {HN_SHORT, shorts, sizeof shorts},
    {HN_INT, ints, sizeof ints},
    {HN_LONG, longs, sizeof longs},
    {HN_LLONG, llongs, sizeof llongs},
    {HN_USHORT, ushorts, sizeof ushorts},
    {HN_UINT, uints, sizeof uints},
    {HN_ULONG, ulongs, sizeof ulongs},
    {HN_ULLONG, ullongs, sizeof ullongs},
    {HN_FLOAT, floats, sizeof floats},
    {HN_DOUBLE, doubles, sizeof doubles},
    {HN_COMPLEX, complexes, sizeof complexes},
    {HN_DOUBLE_COMPLEX, complex_doubles, sizeof complex_doubles},
    {HN_BOOL, bools, sizeof bools},
};
enum { KINDS = sizeof kinds / sizeof *kinds, VALUES = 5, MANY = 1 << 20 };

/* Sends every type to a task, and takes the same from it. */
static void exchange_types(int other)
{
    for (int k = 0; k < KINDS; k++) {
        unsigned char got[128];
        hn_info info;
        CHECK(hn_send(tid_of(other), k, kinds[k].values, VALUES, kinds[k].type) == HN_OK);
        CHECK(hn_recv(tid_of(other), k, got, VALUES, kinds[k].type, &info) == HN_OK);
        CHECK(info.count == VALUES && memcmp(got, kinds[k].values, kinds[k].size) == 0);
    }
}

/* Long doubles, alone, in pairs and packed: what every machine's holds exactly; and a third, which
 * comes as precise as the less precise of the two machines has it. */
static void exchange_long_doubles(int other)
{
    enum { N = 6 };
    static const long double exact[N] = {
        0x1.0000000000000002p0L, -0x1p-16000L, 0x1p16383L, 0.L, INFINITY, -(long double)DBL_MAX};
    long double got[N], third = 1.L / 3;
    long double _Complex z = 1.5L - 0x1p-1000L * I, back;
    double narrow;
    hn_buffer *buffer = hn_buffer_new();
    CHECK(hn_send(tid_of(other), 200, exact, N, HN_LDOUBLE) == HN_OK);
    CHECK(hn_recv(tid_of(other), 200, got, N, HN_LDOUBLE, NULL) == HN_OK);
    for (int i = 0; i < N; i++)
        CHECK(got[i] == exact[i]);
    CHECK(hn_send(tid_of(other), 201, &z, 1, HN_LDOUBLE_COMPLEX) == HN_OK);
    CHECK(hn_recv(tid_of(other), 201, &back, 1, HN_LDOUBLE_COMPLEX, NULL) == HN_OK && back == z);
    CHECK(buffer && hn_pack(buffer, exact, N, HN_LDOUBLE, 1) == HN_OK);
    CHECK(hn_pack(buffer, &third, 1, HN_LDOUBLE, 1) == HN_OK);
    CHECK(hn_send_buffer(tid_of(other), 202, buffer) == HN_OK);
    CHECK(hn_recv_buffer(tid_of(other), 202, -1, buffer, NULL) == HN_OK);
    CHECK(hn_unpack(buffer, got, N, HN_LDOUBLE, 1) == HN_OK && got[0] == exact[0]);
    CHECK(hn_unpack(buffer, got, 1, HN_LDOUBLE, 1) == HN_OK);
    CHECK(fabsl(got[0] - third) <= 0x1p-64L);
    hn_buffer_free(buffer);
    CHECK(hn_send(tid_of(other), 203, exact, N, HN_LDOUBLE) == HN_OK);
    CHECK(hn_send(tid_of(other), 203, &third, 1, HN_LDOUBLE) == HN_OK);
    CHECK(hn_recv(tid_of(other), 203, got, N, HN_DOUBLE, NULL) == HN_ETYPE); /* too large for it */
    CHECK(hn_recv(tid_of(other), 203, &narrow, 1, HN_DOUBLE, NULL) == HN_OK);
    CHECK(narrow == 1. / 3);
    CHECK(hn_send(tid_of(other), 204, &narrow, 1, HN_DOUBLE) == HN_OK);
    CHECK(hn_recv(tid_of(other), 204, got, 1, HN_LDOUBLE, NULL) == HN_OK && got[0] == narrow);
}

/* Messages too long to be copied, of which the receive is posted or not. */
static void exchange_long(int other)
{
    int64_t *out = malloc(MANY * sizeof *out), *in = calloc(MANY, sizeof *in);
    hn_request *send, *receive;
    CHECK(out && in);
    for (int64_t i = 0; i < MANY; i++)
        out[i] = i * 0x0102030405;
    CHECK(hn_irecv(tid_of(other), 100, in, MANY, HN_INT64, &receive) == HN_OK);
    CHECK(hn_isend(tid_of(other), 100, out, MANY, HN_INT64, &send) == HN_OK);
    CHECK(hn_wait(receive, NULL) == HN_OK && memcmp(in, out, MANY * sizeof *in) == 0);
    CHECK(hn_wait(send, NULL) == HN_OK);
    memset(in, 0, MANY * sizeof *in);
    CHECK(hn_send(tid_of(other), 101, out, MANY, HN_INT64) == HN_OK);
    CHECK(hn_recv(HN_ANY, 101, in, MANY, HN_INT64, NULL) == HN_OK);
    CHECK(memcmp(in, out, MANY * sizeof *in) == 0);
    free(out);
    free(in);
}

/* Every pair in turn: round r pairs a with r - a (also with itself: no message crosses then). */
static void with_everybody(void (*exchange)(int other))
{
    int n = hn_size();
    for (int round = 0; round < n; round++)
        exchange((round - hn_rank() + n) % n);
}

static void test_types(void)
{
    with_everybody(exchange_types);
    with_everybody(exchange_long);
    with_everybody(exchange_long_doubles);
}

/* ---- width --------------------------------------------------------------------------------- */

/* Each to its right, from its left: numbers in widths that are not those of the receive. */
static void test_width(void)
{
    hn_tid right = tid_of((hn_rank() + 1) % hn_size());
    hn_tid left = tid_of((hn_rank() + hn_size() - 1) % hn_size());
    int64_t big[2] = {INT64_C(1) << 40, -5}, wide[VALUES];
    int32_t narrow[VALUES];
    long as_long[VALUES];
    double as_double[VALUES];
    float as_float[VALUES];

    CHECK(hn_send(right, 1, longs, VALUES, HN_LONG) == HN_OK);
    CHECK(hn_send(right, 1, longs, VALUES, HN_LONG) == HN_OK);
    CHECK(hn_recv(left, 1, wide, VALUES, HN_INT64, NULL) == HN_OK);
    CHECK(hn_recv(left, 1, narrow, VALUES, HN_INT32, NULL) == HN_OK);
    for (int i = 0; i < VALUES; i++)
        CHECK(wide[i] == longs[i] && narrow[i] == longs[i]);
    CHECK(hn_send(right, 2, int32s, VALUES, HN_INT32) == HN_OK);
    CHECK(hn_recv(left, 2, as_long, VALUES, HN_LONG, NULL) == HN_OK);
    for (int i = 0; i < VALUES; i++)
        CHECK(as_long[i] == int32s[i]);
    CHECK(hn_send(right, 3, big, 2, HN_INT64) == HN_OK);
    CHECK(hn_recv(left, 3, narrow, 2, HN_INT32, NULL) == HN_ETYPE);
    CHECK(hn_send(right, 4, floats, VALUES, HN_FLOAT) == HN_OK);
    CHECK(hn_recv(left, 4, as_double, VALUES, HN_DOUBLE, NULL) == HN_OK);
    for (int i = 0; i < VALUES; i++)
        CHECK(as_double[i] == (double)floats[i]);
    CHECK(hn_send(right, 5, as_double, VALUES, HN_DOUBLE) == HN_OK);
    CHECK(hn_recv(left, 5, as_float, VALUES, HN_FLOAT, NULL) == HN_OK);
    CHECK(memcmp(as_float, floats, sizeof floats) == 0);
    CHECK(hn_send(right, 6, doubles, VALUES, HN_DOUBLE) == HN_OK); /* DBL_MAX fits no float */
    CHECK(hn_recv(left, 6, as_float, VALUES, HN_FLOAT, NULL) == HN_ETYPE);
    CHECK(hn_send(right, 7, big, 2, HN_INT64) == HN_OK); /* another class: it stays */
    CHECK(hn_recv(left, 7, as_double, 2, HN_DOUBLE, NULL) == HN_ETYPE);
    CHECK(hn_recv(left, 7, wide, 2, HN_INT64, NULL) == HN_OK && wide[0] == big[0]);
}

/* ---- buffers ------------------------------------------------------------------------------- */

static void pack_all(hn_buffer *buffer)
{
    static const int every_second[] = {1, 0, 2, 0, 3};
    for (int k = 0; k < KINDS; k++)
        CHECK(hn_pack(buffer, kinds[k].values, VALUES, kinds[k].type, 1) == HN_OK);
    CHECK(hn_pack(buffer, every_second, 3, HN_INT, 2) == HN_OK);
    CHECK(hn_pack_string(buffer, "grüße") == HN_OK);
}

static void unpack_all(hn_buffer *buffer)
{
    unsigned char got[128];
    int spread[7] = {0};
    char text[32];
    for (int k = 0; k < KINDS; k++) {
        CHECK(hn_unpack(buffer, got, VALUES, kinds[k].type, 1) == HN_OK);
        CHECK(memcmp(got, kinds[k].values, kinds[k].size) == 0);
    }
    CHECK(hn_unpack(buffer, spread, 3, HN_INT, 3) == HN_OK);
    CHECK(spread[0] == 1 && spread[3] == 2 && spread[6] == 3 && spread[1] == 0);
    CHECK(hn_unpack_string(buffer, text, sizeof text) == HN_OK && strcmp(text, "grüße") == 0);
}

/* A buffer goes right and comes from the left; it is handed on as it came, once round the ring,
 * so that machines also pass on what they would not write themselves. */
static void test_buffers(void)
{
    hn_tid right = tid_of((hn_rank() + 1) % hn_size());
    hn_tid left = tid_of((hn_rank() + hn_size() - 1) % hn_size());
    hn_buffer *out = hn_buffer_new(), *inner = hn_buffer_new(), *in = hn_buffer_new();
    int number = hn_rank(), got;

    CHECK(out && inner && in);
    pack_all(inner);
    pack_all(out);
    CHECK(hn_pack_buffer(out, inner) == HN_OK);
    CHECK(hn_pack(out, &number, 1, HN_INT, 1) == HN_OK);
    CHECK(hn_send_buffer(right, 1, out) == HN_OK);
    for (int step = 1; step <= hn_size(); step++) {
        CHECK(hn_recv_buffer(left, 1, -1, in, NULL) == HN_OK);
        unpack_all(in);
        CHECK(hn_unpack_buffer(in, inner) == HN_OK);
        unpack_all(inner);
        CHECK(hn_unpack(in, &got, 1, HN_INT, 1) == HN_OK);
        CHECK(got == (hn_rank() - step + hn_size()) % hn_size());
        if (step < hn_size())
            CHECK(hn_send_buffer(right, 1, in) == HN_OK);
    }
    hn_buffer_free(out);
    hn_buffer_free(inner);
    hn_buffer_free(in);
}

/* ---- collectives --------------------------------------------------------------------------- */

/* All members hold the same bytes, whatever their order. */
static void check_same(const void *mine, size_t count, hn_type type)
{
    size_t bytes = count * hn_type_size(type);
    void *first = malloc(bytes);
    CHECK(first);
    memcpy(first, mine, bytes);
    CHECK(hn_bcast(first, count, type, 0, hn_world()) == HN_OK);
    CHECK(memcmp(first, mine, bytes) == 0);
    free(first);
}

/* Sums of fractions, whose last bits depend on the order of adding. */
static void sum_doubles(void)
{
    enum { N = 3000 };
    static double in[N], out[N];
    double expected = 0;
    for (int i = 0; i < N; i++)
        in[i] = 1. / (1 + i + hn_rank());
    for (int r = 0; r < hn_size(); r++)
        expected += 1. / (1 + r);
    CHECK(hn_allreduce(in, out, N, HN_DOUBLE, HN_SUM, hn_world()) == HN_OK);
    CHECK(out[0] > expected - 1e-12 && out[0] < expected + 1e-12);
    check_same(out, N, HN_DOUBLE);
    CHECK(hn_allreduce(in, out, 1, HN_DOUBLE, HN_MAX, hn_world()) == HN_OK && out[0] == 1);
}

static void sum_integers(void)
{
    int n = hn_size(), rank = hn_rank();
    long one = rank + 1, sum, prefix;
    int32_t pair[2] = {(rank + n / 2) % n, rank}, least[2];
    float _Complex z = (float)rank + 2.f * I, product;

    CHECK(hn_allreduce(&one, &sum, 1, HN_LONG, HN_SUM, hn_world()) == HN_OK);
    CHECK(sum == (long)n * (n + 1) / 2);
    CHECK(hn_scan(&one, &prefix, 1, HN_LONG, HN_SUM, hn_world()) == HN_OK);
    CHECK(prefix == one * (one + 1) / 2);
    CHECK(hn_allreduce(pair, least, 2, HN_INT32, HN_MINLOC, hn_world()) == HN_OK);
    CHECK(least[0] == 0 && (least[1] + n / 2) % n == 0);
    CHECK(hn_allreduce(&z, &product, 1, HN_COMPLEX, HN_PROD, hn_world()) == HN_OK);
    check_same(&product, 1, HN_COMPLEX);
}

static void move_blocks(void)
{
    int n = hn_size(), rank = hn_rank();
    enum { N = 1000 };
    int *mine = malloc((size_t)n * N * sizeof *mine), *all = malloc((size_t)n * N * sizeof *all);
    CHECK(mine && all);
    for (int i = 0; i < n * N; i++)
        mine[i] = rank * 0x01010101 + i;
    CHECK(hn_alltoall(mine, N, all, HN_INT, hn_world()) == HN_OK);
    for (int i = 0; i < n * N; i++)
        CHECK(all[i] == i / N * 0x01010101 + rank * N + i % N);
    CHECK(hn_allgather(mine, N, all, HN_INT, hn_world()) == HN_OK);
    for (int i = 0; i < n * N; i++)
        CHECK(all[i] == i / N * 0x01010101 + i % N);
    for (int root = 0; root < n; root++) {
        CHECK(hn_scatter(all, N, mine, HN_INT, root, hn_world()) == HN_OK);
        CHECK(hn_gather(mine, N, all, HN_INT, root, hn_world()) == HN_OK);
        CHECK(mine[1] == rank * 0x01010101 + 1);
    }
    free(mine);
    free(all);
}

static void test_sums(void)
{
    sum_doubles();
    sum_integers();
    move_blocks();
    CHECK(hn_barrier(hn_world()) == HN_OK);
}

/* ---- plans --------------------------------------------------------------------------------- */

static void test_plans(void)
{
    static const char *const operations[] = {"bcast", "allreduce", "alltoall", "reduce"};
    for (int o = 0; o < 4; o++)
        for (size_t count = 1; count <= 1 << 20; count *= 1024) {
            hn_forecast f;
            int64_t times[2];
            memset(&f, 0, sizeof f);
            CHECK(hn_forecast_plan(hn_world(), operations[o], count, HN_BYTE, 0, NULL, &f) ==
                  HN_OK);
            times[0] = f.makespan;
            times[1] = f.lower_bound;
            check_same(f.plan, sizeof f.plan, HN_BYTE);
            check_same(times, 2, HN_INT64);
        }
}

/* ---- hosts --------------------------------------------------------------------------------- */

/* Rank 0 lists the hosts and starts a task on each class of machine, which says where it is. */
static void test_hosts(const char *program)
{
    static const char *const child[] = {"child", NULL};
    hn_host_info *hosts;
    int n;
    if (hn_rank() != 0)
        return;
    CHECK(hn_hosts(&hosts, &n) == HN_OK);
    for (int i = 0; i < n; i++) {
        hn_place place = {.machine = hosts[i].machine};
        hn_tid tid;
        long width;
        CHECK(hn_spawn(program, child, 1, &place, &tid) == 1);
        CHECK(hn_recv(tid, 1, &width, 1, HN_LONG, NULL) == HN_OK);
        printf("%s %s %s spawned: %ld bits on %s\n", hosts[i].name, hosts[i].machine,
               hosts[i].big_endian ? "big" : "little", width, hn_host_of(tid));
    }
    free(hosts);
}

static void child(void)
{
    int32_t width = 8 * (int)sizeof(long);
    CHECK(hn_send(hn_parent(), 1, &width, 1, HN_INT32) == HN_OK);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    CHECK(hn_enrol() == HN_OK);
    if (strcmp(what, "child") == 0)
        child();
    else if (strcmp(what, "types") == 0)
        test_types();
    else if (strcmp(what, "width") == 0)
        test_width();
    else if (strcmp(what, "buffers") == 0)
        test_buffers();
    else if (strcmp(what, "sums") == 0)
        test_sums();
    else if (strcmp(what, "plans") == 0)
        test_plans();
    else if (strcmp(what, "hosts") == 0)
        test_hosts("./mixed_task");
    else
        CHECK(!"a known word");
    if (strcmp(what, "child") && hn_rank() == 0)
        puts("ok");
    return hn_exit() == HN_OK ? 0 : 1;
}
