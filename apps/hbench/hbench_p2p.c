/* hbench_p2p.c - two tasks: latency, bandwidth, message rate.
 *
 *     latency  half the time of a round trip; a sample is one round trip
 *     stream   time per message of a window of consecutive ones; a sample is one window, from the
 *              first send until the receiver's acknowledgement
 *     rate     the same with 64 bytes and a window of 64
 *
 * Each is measured with hnow's messages and, in the same run, with a plain socket between the same
 * two tasks (wire.h), and with the peers of -peer (peer.h).  Task 0 leads: it sends task 1 each
 * step (struct step) and takes the times, so no clocks are compared.  First every case is tried
 * once, smallest sizes first, to determine its cost.  Then all are measured in ROUNDS rounds of
 * shuffled order (order.h).
 *
 * Ranks above 1 only exist because a job may have more tasks; they end at once. A case is a
 * test, a wire and a size. Its samples are spread over the rounds, and derived values are
 * computed at the end.
 */
#include "bench.h"

#include "clock.h"
#include "fail.h"
#include "order.h"
#include "peer_round.h"
#include "raw_tcp.h"
#include "step.h"
#include "wire.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Four rounds: enough for each case to see different states of the machine, and few enough that
 * each part of a case is long enough to be warm. */
enum { ROUNDS = 4, MOST = 1000, LEAST = 2, RATE_BYTES = 64 };
static const double case_seconds = 0.25; /* for all samples of a case, unless MOST are reached */
static const double longest = 0.5;       /* default sizes end where a message takes longer */
/* Bytes in a window at most: 64 MiB, so that windows of large messages fit in memory. */
static const int64_t window_bytes = INT64_C(64) << 20;

enum test { LATENCY, STREAM, RATE, TESTS };
static const char *const test_names[TESTS] = {"latency", "stream", "rate"};

struct p2p_case {
    struct step step; /* count: remaining samples */
    size_t result;
    int64_t planned;  /* total samples */
    double cpu, wall; /* of task 0 */
};

/* State of task 0; task 1 uses only the pair. */
struct p2p {
    struct pair pair;
    struct results *results;
    struct p2p_case *cases;
    size_t count;
    /* Filled in anew for each round. */
    struct peer_case *peer_cases; /* cases for peers */
    size_t peer_count;
    struct peer_round peers;
    int round;
};

/* ---- a step ---- */

/* What a step asks for; sets how its socket waits. Both tasks derive the same loop from the
 * step. */
static struct pingpong loop_of(struct pair *p, const struct step *s)
{
    p->spins = s->wire == WIRE_SPINNING;
    return (struct pingpong){s->what == LATENCY, (size_t)s->bytes, (int)s->window, s->warm,
                             s->count};
}

/* Task 1. */
static bool serve(void *pair, const struct step *s)
{
    struct pingpong c = loop_of(pair, s);

    return pingpong_follow(&wires[s->wire], pair, &c);
}

/* ---- task 0 ---- */

static bool take_step(struct pair *p, const struct step *s, struct samples *samples)
{
    struct pingpong c = loop_of(p, s);

    if (!samples_reserve(samples, (size_t)s->count))
        return fail("memory", "no room for the samples");
    /* The other task starts its loop when it gets the step; the first sample of a pair waits for
     * it. */
    return step_send(p->other, s) && pingpong_lead(&wires[s->wire], p, &c, samples);
}

/* Seconds of one sample: the second of two. The first one opens the connection, and writes to
 * memory for the first time. */
static bool try_case(struct pair *p, struct step s, double *seconds)
{
    struct samples samples = {0};

    s.warm = 1;
    s.count = 1;
    bool good = take_step(p, &s, &samples);
    if (good)
        /* A sample is per message; a case needs the time of a whole turn. */
        *seconds = samples.at[0] * (s.what == LATENCY ? 2 : (double)s.window);
    samples_free(&samples);
    return good;
}

/* The double is compared before it is converted: a huge quotient has no int64_t. */
static int64_t clamp(double x, int64_t low, int64_t high)
{
    /* NaN is not expected: all times are positive. */
    return x < (double)low ? low : x > (double)high ? high : (int64_t)x;
}

/* Adds a case: tries it, and plans its samples in rounds. */
static bool add_case(struct p2p *b, struct step s, int64_t iters, double *seconds)
{
    struct p2p_case *c = &b->cases[b->count];

    if (!try_case(&b->pair, s, seconds))
        return false;
    s.count = iters > 0 ? iters : clamp(case_seconds / *seconds, LEAST, MOST);
    /* A tenth of the samples of a round, up to 10. */
    s.warm = clamp((double)s.count / (10 * ROUNDS), 0, 10);
    *c = (struct p2p_case){.step = s, .result = b->results->count, .planned = s.count};
    if (!results_add(b->results, test_names[s.what], wires[s.wire].peer, s.bytes, 0))
        return false;
    b->count++;
    return true;
}

/* A window that fills the network, but takes neither much memory nor much time. */
static int64_t window_for(int64_t bytes, double latency)
{
    /* At least two messages: a window of one would be a round trip. */
    int64_t most = clamp((double)window_bytes / (double)(bytes + 1), 2, PINGPONG_WINDOW);

    return clamp(longest / latency, 2, most);
}

/* Adds all cases of one size; *latency: hnow's. */
static bool add_size(struct p2p *b, int64_t bytes, int64_t iters, double *latency)
{
    for (int test = 0; test < TESTS; test++) {
        if (test == RATE && bytes != RATE_BYTES)
            continue;
        for (int wire = 0; wire < WIRES; wire++) {
            /* Wires of plain sockets need a connection and at least one byte: a socket cannot
             * transmit an empty message. */
            struct step s = {.what = test, .wire = wire, .bytes = bytes, .window = 1};
            /* Of a whole turn of the case. */
            double seconds;
            if (wire != WIRE_HNOW && (b->pair.raw < 0 || bytes == 0))
                continue;
            if (test == STREAM)
                s.window = window_for(bytes, *latency);
            if (test == RATE)
                s.window = PINGPONG_WINDOW;
            if (!add_case(b, s, iters, &seconds))
                return false;
            if (test == LATENCY && wire == WIRE_HNOW)
                *latency = seconds / 2;
        }
    }
    return true;
}

/* In ascending order of sizes, because each latency shows whether the next size would take too
 * long. */
static bool add_all(struct p2p *b, const struct command *o, const int64_t *bytes, int sizes)
{
    double latency = 0;

    b->cases = calloc((size_t)sizes * TESTS * WIRES, sizeof *b->cases);
    b->peer_cases = calloc((size_t)sizes * TESTS, sizeof *b->peer_cases);
    if (!b->cases || !b->peer_cases)
        return fail("memory", "no room for the cases");
    for (int i = 0; i < sizes; i++) {
        /* Only default sizes are left out. */
        if (o->sizes == 0 && latency > longest) {
            fprintf(stderr,
                    "hbench: sizes from %" PRId64 " on are left out, they take %.1f s and "
                    "more: -bytes asks for them\n",
                    bytes[i], latency * (double)bytes[i] / (double)bytes[i - 1]);
            break;
        }
        if (!add_size(b, bytes[i], o->iters, &latency))
            return false;
    }
    return true;
}

/* Measures a case's samples of this round. */
static bool measure(void *data, size_t which)
{
    /* The remaining samples are spread evenly over the remaining rounds; the last one takes all
     * that are left. */
    struct p2p *b = data;
    struct p2p_case *c = &b->cases[which];
    struct step s = c->step;
    double cpu = clock_cpu();
    int64_t start = clock_now(), rounds_left = ROUNDS - b->round;

    s.count = (s.count + rounds_left - 1) / rounds_left;
    if (s.count == 0)
        return true;
    c->step.count -= s.count;
    bool good = take_step(&b->pair, &s, &b->results->at[c->result].samples);
    /* Over all samples and their warm-up: a share of the time, not a time. */
    c->cpu += clock_cpu() - cpu;
    c->wall += clock_since(start);
    return good;
}

/* Measures one round of all peers.  Task 1 sleeps meanwhile. */
static void measure_peers(struct p2p *b)
{
    b->peer_count = 0;
    for (size_t i = 0; i < b->count; i++) {
        const struct step *s = &b->cases[i].step;
        if (s->wire == WIRE_HNOW)
            b->peer_cases[b->peer_count++] =
                /* Peers get the same windows and numbers, of this round. */
                (struct peer_case){test_names[s->what], s->bytes, s->window, s->warm + 1,
                                   (b->cases[i].planned + ROUNDS - 1) / ROUNDS};
    }
    peer_round_measure(&b->peers, b->peer_cases, b->peer_count, b->results);
}

static bool measure_all(struct p2p *b, uint64_t seed)
{
    for (b->round = 0; b->round < ROUNDS; b->round++) {
        if (!order_round(b->round, ROUNDS, b->count, &seed, measure, b))
            return false;
        /* After hnow's cases of the round, when task 1 waits for its next step. */
        measure_peers(b);
    }
    return true;
}

/* Adds results derived from the medians. */
static void conclude(struct p2p *b)
{
    for (size_t i = 0; i < b->count; i++) {
        const struct p2p_case *c = &b->cases[i];
        struct result *r = &b->results->at[c->result];
        double median = result_median(r);

        if (c->step.what != LATENCY) {
            result_extra(r, "window", (double)c->step.window);
            result_extra(r, "bandwidth", (double)c->step.bytes / median);
            result_extra(r, "rate", 1 / median);
        }
        /* Cores that task 0 keeps busy: 1 if it spins. */
        result_extra(r, "cpu", c->cpu / c->wall);
    }
}

static bool lead(struct p2p *b, const struct command *o, const int64_t *bytes, int sizes)
{
    struct step end = {.what = STEP_END};

    if (!add_all(b, o, bytes, sizes) || !measure_all(b, o->seed) || !step_send(b->pair.other, &end))
        return false;
    /* The other task ends already: what follows needs no messages. */
    conclude(b);
    return true;
}

/* Ranks above 1 take part only in opening the peers, which is collective.  They have nothing else
 * to do. */
static bool run(const struct command *o, struct results *results)
{
    static const int64_t usual[] = {1,     4,     16,     64,      256,     1024,     4096,
                                    16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864};
    const int64_t *bytes = o->sizes ? o->bytes : usual;
    int sizes = o->sizes ? o->sizes : (int)(sizeof usual / sizeof usual[0]);
    struct p2p b = {.results = results, .pair.raw = -1};
    int rank = hn_rank();
    /* Collective, hence before ranks above 1 leave. */
    bool good = peer_round_open(&b.peers, o->peer, o->peers, 2);

    if (rank > 1) {
        peer_round_close(&b.peers);
        return good;
    }
    hn_tid other = hn_group_tid(hn_world(), 1 - rank);
    good = good && pair_open(&b.pair, other, sizes_largest(bytes, sizes)) &&
           raw_tcp_open(other, rank == 0, &b.pair.raw) &&
           (rank == 0 ? lead(&b, o, bytes, sizes) : step_follow(other, serve, &b.pair));
    peer_round_close(&b.peers);
    pair_close(&b.pair);
    free(b.cases);
    free(b.peer_cases);
    return good;
}

/* ---- tables ---- */

/* Prints " VALUE RATIO" of a peer. */
static void print_peer(const struct results *all, const struct result *r, const char *peer,
                       double unit, bool inverse)
{
    const struct result *p = results_find(all, r->bench, peer, r->bytes);
    double ours = result_median(r), theirs = p ? result_median(p) : 0;

    /* Not measured, or failed. */
    if (theirs == 0)
        printf("  %9s %5s", "-", "-");
    else if (inverse)
        printf("  %9.4g %5.2f", unit / theirs, theirs / ours);
    else
        printf("  %9.2f %5.2f", theirs * unit, ours / theirs);
}

/* Measured peers, in the order of columns. */
static const char *const others[] = {PEERS_KNOWN};
enum { OTHERS = sizeof others / sizeof others[0] };

static bool was_measured(const struct results *all, const char *peer)
{
    /* O(results) for each column: tables are short. */
    for (size_t i = 0; i < all->count; i++)
        if (all->at[i].peer && strcmp(all->at[i].peer, peer) == 0)
            return true;
    return false;
}

/* One pair of columns per peer of -peer that has results.  A peer that failed for some sizes keeps
 * its columns, with "-". */
static void print_others(const struct results *all, const struct result *r, double unit,
                         bool inverse)
{
    for (int i = 0; i < OTHERS; i++)
        if (was_measured(all, others[i]))
            print_peer(all, r, others[i], unit, inverse);
}

static void print_heads(const struct results *all)
{
    for (int i = 0; i < OTHERS; i++)
        if (was_measured(all, others[i]))
            printf("  %9s %5s", others[i], "x");
    printf("  %5s\n", "cpu");
}

static void print_latency(const struct results *all)
{
    printf("\n# Latency: half a round trip in us; x: hnow's median / the raw socket's; cpu: cores "
           "busy in task 0\n");
    printf("# %8s %9s %9s %9s %9s %9s  %9s %5s  %9s %5s", "Size", "median", "min", "mean", "p99",
           "MB/s", "blocking", "x", "spinning", "x");
    print_heads(all);
    for (size_t i = 0; i < all->count; i++) {
        const struct result *r = &all->at[i];
        struct stats s;

        if (r->peer || r->bench != test_names[LATENCY] || !samples_stats(&r->samples, &s))
            continue;
        printf("%10" PRId64 " %9.2f %9.2f %9.2f %9.2f %9.2f", r->bytes, s.median * 1e6, s.min * 1e6,
               s.mean * 1e6, s.p99 * 1e6, (double)r->bytes / s.median * 1e-6);
        /* The two raw sockets first, then the peers of -peer. */
        print_peer(all, r, wires[WIRE_BLOCKING].peer, 1e6, false);
        print_peer(all, r, wires[WIRE_SPINNING].peer, 1e6, false);
        print_others(all, r, 1e6, false);
        printf("  %5.2f\n", result_extra_of(r, "cpu"));
    }
}

/* Compares pointers: a result's bench is one of test_names itself. */
static bool is_measured(const struct results *all, enum test test)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->at[i].bench == test_names[test])
            return true;
    return false;
}

static void print_stream(const struct results *all, enum test test, const char *title)
{
    if (!is_measured(all, test)) /* -bytes may exclude the size of the message rate */
        return;
    printf("\n# %s; x: hnow's / the raw socket's\n", title);
    printf("# %8s %9s %12s %6s  %9s %5s  %9s %5s", "Size", "MB/s", "Messages/s", "window",
           "blocking", "x", "spinning", "x");
    print_heads(all);
    for (size_t i = 0; i < all->count; i++) {
        const struct result *r = &all->at[i];
        /* Messages a second, or megabytes a second. */
        double unit = test == RATE ? 1 : (double)r->bytes * 1e-6, median = result_median(r);

        if (r->peer || r->bench != test_names[test] || median == 0)
            continue;
        printf("%10" PRId64 " %9.2f %12.0f %6.0f", r->bytes, (double)r->bytes / median * 1e-6,
               1 / median, result_extra_of(r, "window"));
        print_peer(all, r, wires[WIRE_BLOCKING].peer, unit, true);
        print_peer(all, r, wires[WIRE_SPINNING].peer, unit, true);
        print_others(all, r, unit, true);
        printf("  %5.2f\n", result_extra_of(r, "cpu"));
    }
}

static void print(const struct results *all)
{
    const hn_group *world = hn_world();

    printf("# hnow p2p: task 0 on %s, task 1 on %s\n", hn_host_of(hn_group_tid(world, 0)),
           hn_host_of(hn_group_tid(world, 1)));
    print_latency(all);
    print_stream(all, STREAM, "Bandwidth: one way, a window of messages");
    print_stream(all, RATE, "Message rate; blocking, spinning: messages/s");
}

const struct bench bench_p2p = {
    "p2p",
    "latency, bandwidth and message rate of tasks 0 and 1, beside raw TCP",
    " bytes iters peer ",
    2,
    run,
    print,
    NULL};
