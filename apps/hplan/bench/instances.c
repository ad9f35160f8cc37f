/* instances.c - random networks and messages in the papers' ranges.
 *
 * Each function draws a fixed number of random numbers for given sizes, in a fixed order. Rows of a
 * table are therefore equal on every machine, and a row does not depend on the rows before it.
 */
#include "bench.h"

#include "hnow.h"

static const hn_time us = 1000000; /* picoseconds */

/* In the order of enum bench_kind. */
const char *bench_kind_name(enum bench_kind kind)
{
    static const char *const names[] = {"gusto", "grid", "cluster"};
    return names[kind];
}

/* kind: below BENCH_EXCHANGES. */
const char *bench_exchange_name(int kind)
{
    static const char *const names[] = {"1 kB", "1 MB", "mixed", "servers"};
    return names[kind];
}

/* A generator of its own (a 64-bit LCG with a mixed output): old tables can be made again as long
 * as it does not change.  The bias of % is below n / 2^63. n is small in all uses. */
int64_t bench_below(uint64_t *state, int64_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *state ^ (*state >> 29);
    /* The multiplication moves the better upper bits down; the shift keeps the number positive. */
    return (int64_t)((x * 0x9e3779b97f4a7c15u >> 1) % (uint64_t)n);
}

/* Latencies of 4 to 90 ms; rates of 0.2 to 6.4 Mb/s, nearly uniform on a logarithmic scale, as
 * picoseconds per byte. */
static void draw_gusto(struct table *t, size_t at, size_t back, uint64_t *state)
{
    /* 200 to 399 kb/s, doubled none to four times. */
    int64_t rate = (200 + bench_below(state, 200)) << bench_below(state, 5); /* kb/s */
    t->constant[TABLE_SEND][at] = t->constant[TABLE_SEND][back] =
        (4000 + bench_below(state, 86000)) * us;
    t->per_byte[TABLE_SEND][at] = t->per_byte[TABLE_SEND][back] = 8000000000 / rate;
}

/* Gaps of 100 to 600 ms and latencies of 1 to 15 ms, Barchet's Table 2. */
static void draw_grid(struct table *t, size_t at, size_t back, uint64_t *state)
{
    /* One gap for both directions of a pair. */
    hn_time gap = (100 + bench_below(state, 501)) * 1000 * us;
    hn_time latency = (1 + bench_below(state, 15)) * 1000 * us;
    t->constant[TABLE_SEND][at] = t->constant[TABLE_SEND][back] = gap;
    t->constant[TABLE_TRAVEL][at] = t->constant[TABLE_TRAVEL][back] = latency;
}

/* 155 Mb/s or 1 Gb/s. 8000 ps a byte are 1 Gb/s, 51613 are 155 Mb/s. */
static void draw_link(struct table *t, size_t at, size_t back, uint64_t *state)
{
    int64_t per_byte = bench_below(state, 2) ? 8000 : 51613;
    t->per_byte[TABLE_TRAVEL][at] = t->per_byte[TABLE_TRAVEL][back] = per_byte;
}

/* For each rank: constants of 80 to 400 us, 0.1 to 10 ns per byte. */
static void draw_overheads(struct table *t, uint64_t *state)
{
    size_t n = (size_t)t->ranks;
    for (size_t i = 0; i < n; i++) {
        /* A node's costs are equal towards all others, as in Wu's model. */
        hn_time send = (80 + bench_below(state, 321)) * us,
                recv = (80 + bench_below(state, 321)) * us;
        int64_t send_byte = 100 + bench_below(state, 9901),
                recv_byte = 100 + bench_below(state, 9901);
        for (size_t k = 0; k < n; k++) {
            t->constant[TABLE_SEND][i * n + k] = send;
            t->per_byte[TABLE_SEND][i * n + k] = send_byte;
            t->constant[TABLE_RECV][k * n + i] = recv;
            t->per_byte[TABLE_RECV][k * n + i] = recv_byte;
        }
    }
}

/* Each function draws both directions of a pair at once: the links are symmetric. */
struct table *bench_table(enum bench_kind kind, int ranks, uint64_t *state)
{
    /* Indexed by enum bench_kind. */
    static void (*const draw[])(struct table *, size_t, size_t,
                                uint64_t *) = {draw_gusto, draw_grid, draw_link};
    struct table *t = table_new(ranks);
    size_t n = (size_t)ranks;
    if (!t)
        return NULL;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            draw[kind](t, i * n + k, k * n + i, state);
    if (kind == BENCH_CLUSTER)
        draw_overheads(t, state);
    /* The broadcast inside a cluster: 20 to 3000 ms, from the same table. Only this kind has a
     * local part; others leave it 0. */
    for (size_t i = 0; i < n && kind == BENCH_GRID; i++)
        t->local[i] = (20 + bench_below(state, 2981)) * 1000 * us;
    return t;
}

/* Every other node on average is a destination. */
void bench_messages(struct multicast_message *messages, bool *wants, int count, int nodes,
                    uint64_t *state)
{
    static const int64_t lengths[] = {512, 1024, 1000000, 1500000};
    for (int k = 0; k < count; k++) {
        messages[k] = (struct multicast_message){(int)bench_below(state, nodes),
                                                 lengths[bench_below(state, 4)],
                                                 &wants[(size_t)k * (size_t)nodes]};
        bool any = false;
        for (int i = 0; i < nodes; i++) {
            bool chosen = i != messages[k].source && bench_below(state, 2);
            wants[(size_t)k * (size_t)nodes + (size_t)i] = chosen;
            any = any || chosen;
        }
        /* A message needs a destination; the next node is as good as any. */
        if (!any)
            wants[(size_t)k * (size_t)nodes + (size_t)((messages[k].source + 1) % nodes)] =
                nodes > 1;
    }
}

/* Bytes from i to k. The first fifth of the ranks are servers. */
static int64_t exchange_bytes(int kind, int ranks, int from, int to, uint64_t *state)
{
    int servers = (ranks + 4) / 5;
    if (kind < 2)
        return kind == 0 ? 1000 : 1000000;
    if (kind == 2)
        return bench_below(state, 2) ? 1000 : 1000000;
    return from < servers && to >= servers ? 1000000 : 1000;
}

/* cost[from * ranks + to]: the whole cost of a message, as Bhat's one-port model needs it. A
 * table's unit is ps, with rates in ps a byte, so no number is rounded. */
int bench_costs(int kind, int ranks, uint64_t *state, hn_time *cost)
{
    struct table *t = bench_table(BENCH_GUSTO, ranks, state);
    if (!t)
        return HN_ENOMEM;
    for (int i = 0; i < ranks; i++)
        for (int k = 0; k < ranks; k++) {
            size_t at = (size_t)i * (size_t)ranks + (size_t)k;
            int64_t bytes = exchange_bytes(kind, ranks, i, k, state);
            cost[at] =
                i == k ? 0 : t->constant[TABLE_SEND][at] + bytes * t->per_byte[TABLE_SEND][at];
        }
    table_free(t);
    return HN_OK;
}
