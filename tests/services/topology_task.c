/* topology_task.c - tasks with neighbours, for the tests of services: topology_task WHAT. Rank 0
 * prints WHAT when everything was as it should be.
 *     ring       neighbours in a ring of all; with a network file, how often it changes subnets
 *     mesh       meshes and tori of all sizes: coordinates, shifts, members left over
 *     graph      a directed graph with edges twice, to oneself, and a node without any
 *     exchange   all operations between neighbours, blocking and not, in meshes and graphs
 *     typed      alltoallw among all and among neighbours
 *     place      alltoallw in place, waiting, not waiting and persistent
 *     again      persistent operations between neighbours, started in orders that differ
 *     freed      topologies that are freed before operations between neighbours have ended
 *     wrong      what makes no topology
 */
#include "check.h"
#include "hnow_coll.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

/* Everybody tells the next one its rank in the world: it must be the place before. */
static void ring(void)
{
    hn_topology *t;
    const int *from, *to;
    int from_count, to_count;
    CHECK(hn_topology_ring(hn_world(), &t) == HN_OK);
    const hn_group *group = hn_topology_group(t);
    int me = hn_group_rank(group, hn_mytid()), got[2] = {-1, -1};
    CHECK(hn_group_size(group) == size);
    CHECK(hn_topology_neighbours(t, &from, &from_count, &to, &to_count) == HN_OK);
    CHECK(from_count == 2 && to_count == 2);
    CHECK(to[0] == (me + size - 1) % size && to[1] == (me + 1) % size);
    CHECK(from[0] == to[0] && from[1] == to[1]);
    CHECK(hn_neighbour_allgather(&me, 1, got, HN_INT, t) == HN_OK);
    CHECK(got[0] == from[0] && got[1] == from[1]);
    if (me == 0) { /* the way round, for who looks on */
        printf("way");
        for (int r = 0; r < size; r++)
            printf(" %s", hn_host_of(hn_group_tid(group, r)));
        printf("\n");
        fflush(stdout);
    }
    hn_topology_free(t);
}

/* Wherever a shift goes, the coordinates say the same. */
static void check_shifts(const hn_topology *t, int dimensions, const int *sizes,
                         const int *periodic)
{
    int mine[3], there[3], from, to, me = hn_group_rank(hn_topology_group(t), hn_mytid());
    CHECK(hn_topology_coords(t, me, mine) == HN_OK && hn_topology_rank(t, mine) == me);
    for (int d = 0; d < dimensions; d++)
        for (int by = -2 * sizes[d] - 1; by <= 2 * sizes[d] + 1; by++) {
            memcpy(there, mine, sizeof there);
            there[d] += by;
            bool inside = periodic[d] || (there[d] >= 0 && there[d] < sizes[d]);
            CHECK(hn_topology_shift(t, d, by, &from, &to) == HN_OK);
            CHECK(to == hn_topology_rank(t, there) && (to == HN_NOBODY) == !inside);
            if (to == HN_NOBODY)
                continue;
            CHECK(hn_topology_coords(t, to, there) == HN_OK);
            CHECK(there[d] == ((mine[d] + by) % sizes[d] + sizes[d]) % sizes[d]);
        }
    CHECK(hn_topology_shift(t, 0, INT32_MIN, &from, &to) == HN_OK);
    CHECK((from == HN_NOBODY) == !periodic[0] && (to == HN_NOBODY) == !periodic[0]);
    CHECK(hn_topology_shift(t, dimensions, 1, &from, &to) == HN_EARG);
}

/* Each sends its rank and the direction: what comes from below was sent upwards. */
static void check_directions(const hn_topology *t, int dimensions)
{
    int out[6][2], in[6][2], me = hn_group_rank(hn_topology_group(t), hn_mytid());
    const int *from, *to;
    int n;
    memset(in, 0xff, sizeof in);
    for (int i = 0; i < 2 * dimensions; i++) {
        out[i][0] = me;
        out[i][1] = i;
    }
    CHECK(hn_topology_neighbours(t, &from, &n, &to, &n) == HN_OK && n == 2 * dimensions);
    CHECK(hn_neighbour_alltoall(out, 2, in, HN_INT, t) == HN_OK);
    for (int i = 0; i < n; i++)
        CHECK(in[i][0] == from[i] && in[i][1] == (from[i] == HN_NOBODY ? -1 : (i ^ 1)));
}

static void mesh(void)
{
    for (int a = 1; a <= size; a++)
        for (int b = 1; a * b <= size; b++) {
            int sizes[3] = {a, b, size / (a * b)}, periodic[3] = {b % 2, a % 2, 1};
            int dimensions = 2 + a % 2;
            int nodes = a * b * (dimensions == 3 ? sizes[2] : 1), here, all;
            hn_topology *t;
            CHECK(hn_topology_mesh(hn_world(), dimensions, sizes, periodic, &t) == HN_OK);
            here = t != NULL;
            CHECK(hn_allreduce(&here, &all, 1, HN_INT, HN_SUM, hn_world()) == HN_OK);
            CHECK(all == nodes);
            if (!t)
                continue;
            CHECK(hn_group_size(hn_topology_group(t)) == nodes);
            check_shifts(t, dimensions, sizes, periodic);
            check_directions(t, dimensions);
            hn_topology_free(t);
        }
    int sizes[3] = {0, 0, 0}, fixed[2] = {0, 4}, prime[2] = {0, 0};
    CHECK(hn_mesh_sizes(60, 3, sizes) == HN_OK && sizes[0] * sizes[1] * sizes[2] == 60);
    CHECK(sizes[0] <= 5 && sizes[1] <= 5 && sizes[2] <= 5);
    CHECK(hn_mesh_sizes(24, 2, fixed) == HN_OK && fixed[0] == 6 && fixed[1] == 4);
    CHECK(hn_mesh_sizes(7, 2, prime) == HN_OK && prime[0] * prime[1] == 7);
    CHECK(hn_mesh_sizes(9, 2, fixed) == HN_EARG);
    int equal[3] = {0, 0, 0}, large[2] = {0, 0}, none[2] = {3, 5};
    CHECK(hn_mesh_sizes(88, 3, equal) == HN_OK);
    CHECK(equal[0] == 11 && equal[1] == 4 && equal[2] == 2); /* not 8 x 11 x 1 */
    CHECK(hn_mesh_sizes(INT32_MAX, 2, large) == HN_OK && large[0] == INT32_MAX && large[1] == 1);
    CHECK(hn_mesh_sizes(30, 2, none) == HN_EARG && strstr(hn_error_text(), "3 x 5 do not make 30"));
    CHECK(hn_mesh_sizes(20, 2, none) == HN_EARG &&
          strstr(hn_error_text(), "3 x 5 do not divide 20"));
}

/* Node v sends to v + 1, to v + 2 twice, and to itself; the last node to nobody. */
static int edges_of(int v, int *to)
{
    int n = 0;
    if (v == size - 1)
        return 0;
    to[n++] = (v + 2) % size;
    to[n++] = (v + 1) % size;
    to[n++] = (v + 2) % size;
    to[n++] = v;
    return n;
}

static hn_topology *make_graph(void)
{
    int to[4], weights[] = {5, 2000, 1, 1};
    hn_topology *t;
    CHECK(hn_topology_graph(hn_world(), to, weights, edges_of(rank, to), &t) == HN_OK);
    return t;
}

static void graph(void)
{
    hn_topology *t = make_graph();
    const int *from, *to;
    int from_count, to_count, wanted[4], senders = 0;
    const hn_group *group = hn_topology_group(t);
    int me = hn_group_rank(group, hn_mytid());
    CHECK(hn_group_size(group) == size);
    CHECK(hn_topology_neighbours(t, &from, &from_count, &to, &to_count) == HN_OK);
    CHECK(to_count == edges_of(me, wanted));
    CHECK(to_count == 0 || memcmp(to, wanted, (size_t)to_count * sizeof *to) == 0);
    for (int v = 0; v < size; v++)
        for (int i = 0, n = edges_of(v, wanted); i < n; i++)
            if (wanted[i] == me)
                CHECK(senders < from_count && from[senders++] == v);
    CHECK(senders == from_count);
    CHECK(hn_topology_coords(t, me, wanted) == HN_EARG);
    hn_topology_free(t);
}

/* ---- operations ---- */

enum { BLOCK = 3000, BLOCKS = 32 };

static int in[BLOCK * BLOCKS], out[BLOCK * BLOCKS];

/* What v's i-th message holds. */
static int value(int v, int edge, int i)
{
    return v * 100000 + edge * 10000 + i;
}

/* The number that edge number i of those that come here has at its sender. */
static int edge_at_sender(const hn_topology *t, bool is_mesh, const int *from, int i)
{
    int me = hn_group_rank(hn_topology_group(t), hn_mytid()), to[4], before = 0;
    if (is_mesh)
        return i ^ 1;
    for (int k = 0; k < i; k++)
        before += from[k] == from[i];
    for (int k = 0, n = edges_of(from[i], to); k < n; k++)
        if (to[k] == me && before-- == 0)
            return k;
    return -1;
}

static int length_of(int edge, int v)
{
    return (edge + v) % 3 * BLOCK / 3;
}

static void check_exchange(const hn_topology *t, bool is_mesh)
{
    const int *from, *to;
    int from_count, to_count, me = hn_group_rank(hn_topology_group(t), hn_mytid());
    size_t in_counts[BLOCKS], counts[BLOCKS], places[BLOCKS];
    hn_request *request;
    CHECK(hn_topology_neighbours(t, &from, &from_count, &to, &to_count) == HN_OK);
    for (int i = 0; i < to_count; i++)
        for (int k = 0; k < BLOCK; k++)
            in[i * BLOCK + k] = value(me, i, k);
    memset(out, 0xff, sizeof out);
    CHECK(hn_ineighbour_alltoall(in, BLOCK, out, HN_INT, t, &request) == HN_OK);
    CHECK(hn_wait(request, NULL) == HN_OK);
    for (int i = 0; i < from_count; i++)
        for (int k = 0; k < BLOCK; k++)
            CHECK(out[i * BLOCK + k] ==
                  (from[i] < 0 ? -1 : value(from[i], edge_at_sender(t, is_mesh, from, i), k)));
    for (int i = 0; i < BLOCKS; i++)
        places[i] = (size_t)i * BLOCK;
    for (int i = 0; i < to_count; i++)
        in_counts[i] = (size_t)length_of(i, me);
    for (int i = 0; i < from_count; i++)
        counts[i] =
            from[i] < 0 ? 7 : (size_t)length_of(edge_at_sender(t, is_mesh, from, i), from[i]);
    memset(out, 0xff, sizeof out);
    CHECK(hn_neighbour_alltoallv(in, in_counts, places, out, counts, places, HN_INT, t) == HN_OK);
    for (int i = 0; i < from_count; i++)
        for (int k = 0; k < BLOCK; k++)
            CHECK(out[i * BLOCK + k] ==
                  (from[i] < 0 || k >= (int)counts[i]
                       ? -1
                       : value(from[i], edge_at_sender(t, is_mesh, from, i), k)));
    for (int i = 0; i < from_count; i++)
        counts[i] = from[i] < 0 ? 0 : (size_t)from[i];
    memset(out, 0xff, sizeof out);
    CHECK(hn_neighbour_allgatherv(in, (size_t)me, out, counts, places, HN_INT, t) == HN_OK);
    for (int i = 0; i < from_count; i++)
        for (int k = 0; k < from[i] + 1; k++)
            CHECK(out[i * BLOCK + k] == (k < from[i] ? value(from[i], 0, k) : -1));
}

/* Many at the same time: the i-th carries its number. */
static void check_many(const hn_topology *t)
{
    enum { MANY = 20 };
    hn_request *requests[MANY];
    const int *from, *to;
    int n, values[MANY], got[MANY][BLOCKS];
    CHECK(hn_topology_neighbours(t, &from, &n, &to, &n) == HN_OK);
    for (int i = 0; i < MANY; i++) {
        values[i] = i;
        CHECK(hn_ineighbour_allgather(&values[i], 1, got[i], HN_INT, t, &requests[i]) == HN_OK);
    }
    CHECK(hn_topology_neighbours(t, &from, &n, &to, &(int){0}) == HN_OK);
    for (int i = MANY; i-- > 0;) {
        CHECK(hn_wait(requests[i], NULL) == HN_OK);
        for (int k = 0; k < n; k++)
            CHECK(from[k] == HN_NOBODY || got[i][k] == i);
    }
}

static void exchange(void)
{
    hn_topology *t = make_graph();
    check_exchange(t, false);
    check_many(t);
    hn_topology_free(t);
    for (int periodic = 0; periodic < 2; periodic++) {
        int sizes[2] = {2, size / 2}, both[2] = {periodic, periodic};
        CHECK(hn_topology_mesh(hn_world(), 2, sizes, both, &t) == HN_OK);
        if (t) {
            check_exchange(t, true);
            check_many(t);
        }
        hn_topology_free(t);
    }
}

/* To rank r go r integers, or r doubles where both ranks are even. */
static void typed(void)
{
    size_t in_counts[64], counts[64], places[64];
    hn_type types[64];
    static double a[64][64], b[64][64];
    CHECK(size <= 64);
    for (int r = 0; r < size; r++) {
        bool doubles = rank % 2 == 0 && r % 2 == 0;
        in_counts[r] = (size_t)r;
        counts[r] = (size_t)rank;
        places[r] = (size_t)r * sizeof a[0];
        types[r] = doubles ? HN_DOUBLE : HN_INT32;
        for (int i = 0; i < r; i++)
            if (doubles)
                a[r][i] = rank + i / 2.0;
            else
                ((int32_t *)a[r])[i] = rank * 100 + i;
    }
    CHECK(hn_alltoallw(a, in_counts, places, types, b, counts, places, types, hn_world()) == HN_OK);
    for (int r = 0; r < size; r++)
        for (int i = 0; i < rank; i++)
            CHECK(types[r] == HN_DOUBLE ? b[r][i] == r + i / 2.0
                                        : ((int32_t *)b[r])[i] == r * 100 + i);
    hn_topology *t;
    CHECK(hn_topology_ring(hn_world(), &t) == HN_OK);
    size_t two[2] = {1, 1}, apart[2] = {0, 8};
    hn_type mixed[2] = {HN_INT32, HN_DOUBLE}, mixed_out[2] = {HN_DOUBLE, HN_INT32};
    struct {
        int32_t i, gap;
        double d;
    } mine = {rank, 0, rank / 2.0};
    struct {
        double d;
        int32_t i, gap;
    } got;
    CHECK(hn_neighbour_alltoallw(&mine, two, apart, mixed, &got, two, apart, mixed_out, t) ==
          HN_OK);
    int before, next;
    hn_tid below, above;
    CHECK(hn_topology_shift(t, 0, 1, &before, &next) == HN_OK);
    below = hn_group_tid(hn_topology_group(t), before);
    above = hn_group_tid(hn_topology_group(t), next);
    CHECK(got.d == hn_group_rank(hn_world(), below) / 2.0);
    CHECK(got.i == hn_group_rank(hn_world(), above));
    hn_topology_free(t);
}

/* Between ranks a and b go a + b elements each way: doubles where both are even, else integers. */
static void fill(double blocks[][64], int round, bool received)
{
    for (int r = 0; r < size; r++)
        for (int i = 0; i < rank + r; i++) {
            int value = received ? 100 * r + rank : 100 * rank + r;
            if (rank % 2 == 0 && r % 2 == 0)
                blocks[r][i] = value + i / 2.0 + round;
            else
                ((int32_t *)blocks[r])[i] = value + i + round;
        }
}

static void place(void)
{
    static double blocks[32][64], wanted[32][64];
    size_t counts[32], places[32];
    hn_type types[32];
    hn_request *once, *again;
    CHECK(size <= 32);
    for (int r = 0; r < size; r++) {
        counts[r] = (size_t)(rank + r);
        places[r] = (size_t)r * sizeof blocks[0];
        types[r] = rank % 2 == 0 && r % 2 == 0 ? HN_DOUBLE : HN_INT32;
    }
    CHECK(hn_alltoallw_init(HN_IN_PLACE, NULL, NULL, NULL, blocks, counts, places, types,
                            hn_world(), &again) == HN_OK);
    for (int round = 0; round < 6; round++) {
        fill(blocks, round, false);
        fill(wanted, round, true);
        if (round % 3 == 0) {
            CHECK(hn_alltoallw(HN_IN_PLACE, NULL, NULL, NULL, blocks, counts, places, types,
                               hn_world()) == HN_OK);
        } else if (round % 3 == 1) {
            CHECK(hn_ialltoallw(HN_IN_PLACE, NULL, NULL, NULL, blocks, counts, places, types,
                                hn_world(), &once) == HN_OK);
            CHECK(hn_start(once) == HN_EARG && hn_wait(once, NULL) == HN_OK);
        } else {
            CHECK(hn_start(again) == HN_OK && hn_wait(again, NULL) == HN_OK);
        }
        CHECK(memcmp(blocks, wanted, sizeof blocks) == 0);
    }
    CHECK(hn_request_free(again) == HN_OK);
}

enum { AGAIN = 5 };

/* Starts them all, in an order that differs from task to task and time to time, and ends them. */
static void start_all(hn_request *const *requests, int round)
{
    for (int i = 0; i < AGAIN; i++)
        CHECK(hn_start(requests[(i + rank + round) % AGAIN]) == HN_OK);
    for (int i = 0; i < AGAIN; i++)
        CHECK(hn_wait(requests[(i + round) % AGAIN], NULL) == HN_OK);
}

static void again(void)
{
    hn_topology *t;
    hn_request *requests[AGAIN];
    CHECK(hn_topology_ring(hn_world(), &t) == HN_OK);
    int me = hn_group_rank(hn_topology_group(t), hn_mytid()), mine[2],
        beside[2] = {(me + size - 1) % size, (me + 1) % size}, got[AGAIN][2];
    size_t ones[2] = {1, 1}, displs[2] = {0, 1}, places[2] = {0, sizeof(int)};
    hn_type types[2] = {HN_INT, HN_INT};
    CHECK(hn_neighbour_allgather_init(mine, 1, got[0], HN_INT, t, &requests[0]) == HN_OK);
    CHECK(hn_neighbour_allgatherv_init(mine, 1, got[1], ones, displs, HN_INT, t, &requests[1]) ==
          HN_OK);
    CHECK(hn_neighbour_alltoall_init(mine, 1, got[2], HN_INT, t, &requests[2]) == HN_OK);
    CHECK(hn_neighbour_alltoallv_init(mine, ones, displs, got[3], ones, displs, HN_INT, t,
                                      &requests[3]) == HN_OK);
    CHECK(hn_neighbour_alltoallw_init(mine, ones, places, types, got[4], ones, places, types, t,
                                      &requests[4]) == HN_OK);
    for (int round = 0; round < 20; round++) {
        mine[0] = 1000 * round + 2 * me; /* to the one below, */
        mine[1] = mine[0] + 1;           /* to the one above */
        memset(got, 0xff, sizeof got);
        start_all(requests, round);
        for (int i = 0; i < AGAIN; i++)
            for (int side = 0; side < 2; side++)
                CHECK(got[i][side] == 1000 * round + 2 * beside[side] + (i >= 2 && side == 0));
    }
    for (int i = 0; i < AGAIN; i++)
        CHECK(hn_request_free(requests[i]) == HN_OK);
    hn_topology_free(t);
}

/* Takes the place of what has just been freed, and overwrites it. */
static void scribble(void)
{
    void *blocks[64];
    for (size_t i = 0; i < 64; i++) {
        blocks[i] = malloc(8 + i);
        memset(blocks[i], 0xff, 8 + i);
    }
    for (size_t i = 0; i < 64; i++)
        free(blocks[i]);
}

static void freed(void)
{
    for (int round = 0; round < 20; round++) {
        hn_topology *t;
        hn_request *once, *again;
        CHECK(hn_topology_ring(hn_world(), &t) == HN_OK);
        int me = hn_group_rank(hn_topology_group(t), hn_mytid()), mine[2], got[2][2];
        CHECK(hn_ineighbour_allgather(&me, 1, got[0], HN_INT, t, &once) == HN_OK);
        CHECK(hn_neighbour_alltoall_init(mine, 1, got[1], HN_INT, t, &again) == HN_OK);
        hn_topology_free(t);
        scribble();
        for (int start = 0; start < 2; start++) {
            mine[0] = 1000 * start + 2 * me;
            mine[1] = mine[0] + 1;
            CHECK(hn_start(again) == HN_OK && hn_wait(again, NULL) == HN_OK);
            for (int side = 0; side < 2; side++)
                CHECK(got[1][side] / 2 == 500 * start + (me + (side ? 1 : size - 1)) % size);
        }
        CHECK(hn_wait(once, NULL) == HN_OK && hn_request_free(again) == HN_OK);
        CHECK(got[0][0] == (me + size - 1) % size && got[0][1] == (me + 1) % size);
    }
}

/* Lists that are missing. */
static void wrong_lists(const hn_topology *ring)
{
    int a[64] = {0}, b[64];
    size_t n[32] = {1, 1}, at[32] = {0, sizeof(int)};
    hn_type types[32];
    CHECK(size <= 32);
    for (int i = 0; i < 32; i++)
        types[i] = HN_INT;
    CHECK(hn_neighbour_allgatherv(a, 1, b, NULL, at, HN_INT, ring) == HN_EARG);
    CHECK(hn_neighbour_alltoallv(a, NULL, at, b, n, at, HN_INT, ring) == HN_EARG);
    CHECK(hn_neighbour_alltoallv(a, n, at, b, n, NULL, HN_INT, ring) == HN_EARG);
    CHECK(hn_neighbour_alltoallw(a, n, at, NULL, b, n, at, types, ring) == HN_EARG);
    CHECK(hn_neighbour_alltoallw(a, n, NULL, types, b, n, at, types, ring) == HN_EARG);
    CHECK(hn_alltoallw(a, n, at, types, b, NULL, at, types, hn_world()) == HN_EARG);
    CHECK(hn_alltoallw(a, n, at, types, b, n, at, NULL, hn_world()) == HN_EARG);
}

/* One member makes another mesh than the others. */
static void wrong_sizes(int culprit)
{
    int sizes[2] = {size, 1}, periodic[2] = {rank == culprit, 0};
    hn_topology *t;
    CHECK(hn_topology_mesh(hn_world(), 2, sizes, periodic, &t) == HN_EARG && !t);
    CHECK(strstr(hn_error_text(), "task "));
    sizes[0] = rank == culprit ? 1 : 2;
    CHECK(hn_topology_mesh(hn_world(), 2, sizes, NULL, &t) == HN_EARG && !t);
    CHECK(strstr(hn_error_text(), "task "));
}

static void wrong(void)
{
    hn_topology *t;
    int zero = 0;
    int large[2] = {size, 2}, none[1] = {0}, nobody = size, good = 0;
    CHECK(hn_topology_mesh(hn_world(), 2, large, NULL, &t) == HN_EARG && !t);
    CHECK(hn_topology_mesh(hn_world(), 1, none, NULL, &t) == HN_EARG);
    CHECK(hn_topology_mesh(hn_world(), 0, none, NULL, &t) == HN_EARG);
    CHECK(hn_topology_mesh(hn_world(), 17, none, NULL, &t) == HN_EARG);
    /* Only one of them is wrong, and named. */
    CHECK(hn_topology_mesh(hn_world(), 1, rank == 1 ? none : &size, NULL, &t) == HN_EARG && !t);
    CHECK(rank == 1 || strstr(hn_error_text(), "has ended it with an error: "));
    CHECK(hn_topology_ring(NULL, &t) == HN_EARG);
    CHECK(hn_topology_graph(hn_world(), rank == 1 ? &nobody : &good, NULL, 1, &t) == HN_EARG);
    CHECK(!t && strstr(hn_error_text(), "node 1, is not one of nodes"));
    CHECK(hn_topology_graph(hn_world(), &good, rank == 1 ? &zero : NULL, 1, &t) == HN_EARG);
    CHECK(!t && strstr(hn_error_text(), "node 1, has a weight below 1"));
    wrong_sizes(1);
    wrong_sizes(0);
    CHECK(hn_neighbour_allgather(none, 1, large, HN_INT, NULL) == HN_EARG);
    CHECK(hn_topology_ring(hn_world(), &t) == HN_OK);
    CHECK(hn_neighbour_allgather(NULL, 1, large, HN_INT, t) == HN_EARG);
    CHECK(hn_neighbour_allgather(none, SIZE_MAX / 2, large, HN_INT, t) == HN_EARG);
    CHECK(hn_neighbour_allgather(none, 1, large, 77, t) == HN_EARG);
    CHECK(hn_neighbour_allgather(none, 1, large, HN_INT, t) == HN_OK);
    wrong_lists(t);
    CHECK(hn_neighbour_allgather(none, 1, large, HN_INT, t) == HN_OK);
    hn_topology_free(t);
    hn_topology_free(NULL);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"ring", ring},   {"mesh", mesh},   {"graph", graph}, {"exchange", exchange}, {"typed", typed},
    {"place", place}, {"again", again}, {"freed", freed}, {"wrong", wrong},
};

int main(int argc, char **argv)
{
    CHECK(argc == 2 && hn_enrol() == HN_OK);
    rank = hn_rank();
    size = hn_size();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, argv[1]) == 0)
            cases[i].run();
    CHECK(hn_barrier(hn_world()) == HN_OK);
    if (rank == 0)
        puts(argv[1]);
    return 0;
}
